//===- TensorOps.cpp - Shapes and elements of tensors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assemble.h"
#include "OpRegistry.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// The elements of an empty tensor are unspecified: NaN, so that a float that
/// depends on them shows, and 0.
static LogicalResult addEmpty(tensor::EmptyOp op, GraphBuilder &graph) {
  RankedTensorType type = op.getType();
  FailureOr<SmallVector<int64_t>> shape =
      graph.getIntegers(op, type.getShape(), op.getDynamicSizes());
  if (failed(shape))
    return failure();
  Type element = type.getElementType();
  if (auto floatType = dyn_cast<FloatType>(element))
    return graph.bind(
        op, graph.createSplat(op, element, *shape,
                              APFloat::getNaN(floatType.getFloatSemantics())));
  return graph.bind(op, graph.createSplat(op, element, *shape, int64_t(0)));
}

static LogicalResult addSplat(tensor::SplatOp op, GraphBuilder &graph) {
  RankedTensorType type = op.getType();
  FailureOr<SmallVector<int64_t>> shape =
      graph.getIntegers(op, type.getShape(), op.getDynamicSizes());
  if (failed(shape))
    return failure();
  SmallVector<ViewDim> dims(shape->size(), ViewDim{-1, 0});
  return graph.bind(
      op.getAggregate(),
      graph.createView(op, graph.lookup(op.getInput()), *shape, dims, {}));
}

static LogicalResult addDim(tensor::DimOp op, GraphBuilder &graph) {
  FailureOr<int64_t> dim = graph.getInteger(op, op.getIndex());
  if (failed(dim))
    return failure();
  Node *source = graph.lookup(op.getSource());
  auto rank = static_cast<int64_t>(source->shape.size());
  if (*dim < 0 || *dim >= rank)
    return op.emitOpError() << "expected a dimension below the rank " << rank
                            << ", but found " << *dim;
  return graph.bind(
      op, graph.createSplat(op, op.getType(), {}, source->shape[*dim]));
}

static LogicalResult addRank(tensor::RankOp op, GraphBuilder &graph) {
  auto rank = static_cast<int64_t>(graph.lookup(op.getTensor())->shape.size());
  return graph.bind(op, graph.createSplat(op, op.getType(), {}, rank));
}

/// The types of a cast differ in what they say of the extents; `bind` checks.
static LogicalResult addCast(tensor::CastOp op, GraphBuilder &graph) {
  if (!isa<RankedTensorType>(op.getType()))
    return op.emitOpError()
           << "the reference takes ranked tensors only, but found "
           << op.getType();
  Node *source = graph.lookup(op.getSource());
  return graph.bind(op, graph.createReshape(op, source, source->shape));
}

static LogicalResult addExpandShape(tensor::ExpandShapeOp op,
                                    GraphBuilder &graph) {
  Node *source = graph.lookup(op.getSrc());
  FailureOr<SmallVector<int64_t>> shape =
      graph.getIntegers(op, op.getStaticOutputShape(), op.getOutputShape());
  if (failed(shape))
    return failure();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t product = 1;
    for (int64_t index : group)
      if (llvm::MulOverflow(product, (*shape)[index], product))
        return op.emitOpError() << "the product of the extents overflows";
    if (product != source->shape[dim])
      return op.emitOpError()
             << "expected extents whose product is " << source->shape[dim]
             << " for dimension " << dim << ", but found " << product;
  }
  return graph.bind(op.getResult(), graph.createReshape(op, source, *shape));
}

static LogicalResult addCollapseShape(tensor::CollapseShapeOp op,
                                      GraphBuilder &graph) {
  Node *source = graph.lookup(op.getSrc());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t index : group)
      shape.back() *= source->shape[index];
  }
  return graph.bind(op.getResult(), graph.createReshape(op, source, shape));
}

/// The positions that index operands name. Fails with an error if they are out
/// of bounds.
static FailureOr<SmallVector<int64_t>> getPosition(Operation *op,
                                                   ValueRange indices,
                                                   ArrayRef<int64_t> shape,
                                                   GraphBuilder &graph) {
  SmallVector<int64_t> dynamic(indices.size(), ShapedType::kDynamic);
  FailureOr<SmallVector<int64_t>> position =
      graph.getIntegers(op, dynamic, indices);
  if (failed(position))
    return failure();
  for (auto [index, extent] : llvm::zip(*position, shape))
    if (index < 0 || index >= extent)
      return op->emitOpError() << "expected an index below the extent "
                               << extent << ", but found " << index;
  return position;
}

static LogicalResult addExtract(tensor::ExtractOp op, GraphBuilder &graph) {
  Node *source = graph.lookup(op.getTensor());
  FailureOr<SmallVector<int64_t>> position =
      getPosition(op, op.getIndices(), source->shape, graph);
  if (failed(position))
    return failure();
  return graph.bind(op, graph.createView(op, source, {}, {}, *position));
}

static LogicalResult addInsert(tensor::InsertOp op, GraphBuilder &graph) {
  Node *dest = graph.lookup(op.getDest());
  FailureOr<SmallVector<int64_t>> position =
      getPosition(op, op.getIndices(), dest->shape, graph);
  if (failed(position))
    return failure();
  Part part{graph.lookup(op.getScalar()), *position, {}};
  return graph.bind(
      op, assemble(op, dest->elementType, dest->shape, dest, {part}, graph));
}

static LogicalResult addFromElements(tensor::FromElementsOp op,
                                     GraphBuilder &graph) {
  RankedTensorType type = op.getType();
  SmallVector<int64_t> strides = getRowMajorStrides(type.getShape());
  SmallVector<Part> parts;
  for (auto [at, element] : llvm::enumerate(op.getElements())) {
    Part part{graph.lookup(element), {}, {}};
    auto rest = static_cast<int64_t>(at);
    for (int64_t stride : strides) {
      part.offsets.push_back(rest / stride);
      rest %= stride;
    }
    parts.push_back(std::move(part));
  }
  return graph.bind(op, assemble(op, type.getElementType(), type.getShape(),
                                 nullptr, parts, graph));
}

void reference::registerTensorOps(OpRegistry &registry) {
  registry.add<tensor::EmptyOp>(addEmpty);
  registry.add<tensor::SplatOp>(addSplat);
  registry.add<tensor::DimOp>(addDim);
  registry.add<tensor::RankOp>(addRank);
  registry.add<tensor::CastOp>(addCast);
  registry.add<tensor::ExpandShapeOp>(addExpandShape);
  registry.add<tensor::CollapseShapeOp>(addCollapseShape);
  registry.add<tensor::ExtractOp>(addExtract);
  registry.add<tensor::InsertOp>(addInsert);
  registry.add<tensor::FromElementsOp>(addFromElements);
}
