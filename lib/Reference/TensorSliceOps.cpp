//===- TensorSliceOps.cpp - Slices of tensors -----------------------------===//
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

namespace {
/// Which positions of a whole tensor belong to a slice.
struct Slice {
  SmallVector<int64_t> offsets, sizes, steps;
};
} // namespace

/// The slice that `op` names. Fails with an error if it leaves `shape`.
template <typename OpT>
static FailureOr<Slice> getSlice(OpT op, ArrayRef<int64_t> shape,
                                 GraphBuilder &graph) {
  FailureOr<SmallVector<int64_t>> offsets =
      graph.getIntegers(op, op.getStaticOffsets(), op.getOffsets());
  FailureOr<SmallVector<int64_t>> sizes =
      graph.getIntegers(op, op.getStaticSizes(), op.getSizes());
  FailureOr<SmallVector<int64_t>> steps =
      graph.getIntegers(op, op.getStaticStrides(), op.getStrides());
  if (failed(offsets) || failed(sizes) || failed(steps))
    return failure();
  for (auto [offset, size, step, extent] :
       llvm::zip(*offsets, *sizes, *steps, shape)) {
    // Without overflow: all are below the extent if the first test holds.
    bool fits = offset >= 0 && offset <= extent && size >= 0 &&
                size <= extent && std::abs(step) <= extent;
    int64_t last = fits ? offset + (size - 1) * step : 0;
    if (!fits || (size > 0 && (offset == extent || last < 0 || last >= extent)))
      return op.emitOpError() << "expected a slice within the extent " << extent
                              << ", but found offset " << offset << ", size "
                              << size << " and stride " << step;
  }
  return Slice{*offsets, *sizes, *steps};
}

/// The walk of the slice's dimensions through the whole, without those that a
/// rank-reduced slice drops.
static SmallVector<ViewDim> getDims(const Slice &slice,
                                    const llvm::SmallBitVector &dropped) {
  SmallVector<ViewDim> dims;
  for (auto [dim, step] : llvm::enumerate(slice.steps))
    if (!dropped[dim])
      dims.push_back(ViewDim{static_cast<int64_t>(dim), step});
  return dims;
}

static LogicalResult addExtractSlice(tensor::ExtractSliceOp op,
                                     GraphBuilder &graph) {
  Node *source = graph.lookup(op.getSource());
  FailureOr<Slice> slice = getSlice(op, source->shape, graph);
  if (failed(slice))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(slice->sizes))
    if (!dropped[dim])
      shape.push_back(size);
  return graph.bind(op.getResult(),
                    graph.createView(op, source, shape,
                                     getDims(*slice, dropped), slice->offsets));
}

static LogicalResult addInsertSlice(tensor::InsertSliceOp op,
                                    GraphBuilder &graph) {
  Node *source = graph.lookup(op.getSource());
  Node *dest = graph.lookup(op.getDest());
  FailureOr<Slice> slice = getSlice(op, dest->shape, graph);
  if (failed(slice))
    return failure();
  SmallVector<ViewDim> dims = getDims(*slice, op.getDroppedDims());
  for (auto [dim, extent] : llvm::zip(dims, source->shape))
    if (slice->sizes[dim.operandDim] != extent)
      return op.emitOpError()
             << "expected a source of extent " << slice->sizes[dim.operandDim]
             << ", but found " << extent;
  Part part{source, slice->offsets, dims};
  return graph.bind(op.getResult(), assemble(op, dest->elementType, dest->shape,
                                             dest, {part}, graph));
}

/// One dimension of the whole for each of the part's.
static SmallVector<ViewDim> getIdentityDims(size_t rank) {
  SmallVector<ViewDim> dims;
  for (size_t dim = 0; dim < rank; ++dim)
    dims.push_back(ViewDim{static_cast<int64_t>(dim), 1});
  return dims;
}

static LogicalResult addConcat(tensor::ConcatOp op, GraphBuilder &graph) {
  SmallVector<Node *> inputs = graph.lookup(op.getInputs());
  auto along = static_cast<int64_t>(op.getDim());
  SmallVector<int64_t> shape = inputs.front()->shape;
  shape[along] = 0;
  SmallVector<Part> parts;
  for (Node *input : inputs) {
    for (auto [dim, extent] : llvm::enumerate(input->shape))
      if (static_cast<int64_t>(dim) != along && extent != shape[dim])
        return op.emitOpError()
               << "expected inputs of extent " << shape[dim] << " in dimension "
               << dim << ", but found " << extent;
    Part part{input, SmallVector<int64_t>(shape.size(), 0),
              getIdentityDims(shape.size())};
    part.offsets[along] = shape[along];
    shape[along] += input->shape[along];
    parts.push_back(std::move(part));
  }
  return graph.bind(op.getResult(), assemble(op, inputs.front()->elementType,
                                             shape, nullptr, parts, graph));
}

/// The scalar that fills the padding: any computation that does not depend on
/// the position.
static FailureOr<Node *> getPadding(tensor::PadOp op, GraphBuilder &graph) {
  Block &body = op.getRegion().front();
  if (llvm::any_of(body.getArguments(),
                   [](BlockArgument a) { return !a.use_empty(); }))
    return op.emitOpError() << "the reference takes padding that does not "
                               "depend on the position";
  if (failed(graph.add(body)))
    return failure();
  Node *padding = graph.lookup(body.getTerminator()->getOperand(0));
  if (!padding)
    return op.emitOpError() << "expected padding that the reference can "
                               "evaluate, but found a value from elsewhere";
  return padding;
}

static LogicalResult addPad(tensor::PadOp op, GraphBuilder &graph) {
  Node *source = graph.lookup(op.getSource());
  FailureOr<SmallVector<int64_t>> low =
      graph.getIntegers(op, op.getStaticLow(), op.getLow());
  FailureOr<SmallVector<int64_t>> high =
      graph.getIntegers(op, op.getStaticHigh(), op.getHigh());
  if (failed(low) || failed(high))
    return failure();
  FailureOr<Node *> padding = getPadding(op, graph);
  if (failed(padding))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [before, extent, after] : llvm::zip(*low, source->shape, *high)) {
    if (before < 0 || after < 0)
      return op.emitOpError() << "expected padding of at least 0, but found "
                              << std::min(before, after);
    shape.push_back(before + extent + after);
  }
  Part part{source, *low, getIdentityDims(shape.size())};
  return graph.bind(op.getResult(), assemble(op, source->elementType, shape,
                                             *padding, {part}, graph));
}

void reference::registerTensorSliceOps(OpRegistry &registry) {
  registry.add<tensor::ExtractSliceOp>(addExtractSlice);
  registry.add<tensor::InsertSliceOp>(addInsertSlice);
  registry.add<tensor::ConcatOp>(addConcat);
  registry.add<tensor::PadOp>(addPad);
}
