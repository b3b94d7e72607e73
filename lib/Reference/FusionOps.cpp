//===- FusionOps.cpp - Operations of the fusion dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

static LogicalResult addBroadcast(BroadcastOp op, GraphBuilder &graph) {
  Node *input = graph.lookup(op.getInput());
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<ViewDim> dims(type.getRank(), ViewDim{-1, 0});
  SmallVector<int64_t> shape(type.getShape());
  for (auto [operandDim, dim] : llvm::enumerate(op.getDims())) {
    auto from = static_cast<int64_t>(operandDim);
    bool grows = op.growsDim(from);
    dims[dim] = ViewDim{from, grows ? 0 : 1};
    if (!grows)
      shape[dim] = input->shape[operandDim];
  }
  FailureOr<SmallVector<int64_t>> extents =
      graph.getIntegers(op, shape, op.getDynamicSizes());
  if (failed(extents))
    return failure();
  return graph.bind(op.getResult(),
                    graph.createView(op, input, *extents, dims, {}));
}

static LogicalResult addSqueeze(SqueezeOp op, GraphBuilder &graph) {
  Node *input = graph.lookup(op.getInput());
  SmallVector<ViewDim> dims;
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(input->shape)) {
    if (llvm::is_contained(op.getDims(), static_cast<int64_t>(dim)))
      continue;
    dims.push_back(ViewDim{static_cast<int64_t>(dim), 1});
    shape.push_back(extent);
  }
  return graph.bind(op.getResult(),
                    graph.createView(op, input, shape, dims, {}));
}

static LogicalResult addTranspose(TransposeOp op, GraphBuilder &graph) {
  Node *input = graph.lookup(op.getInput());
  SmallVector<ViewDim> dims;
  SmallVector<int64_t> shape;
  for (int64_t dim : op.getPermutation()) {
    dims.push_back(ViewDim{dim, 1});
    shape.push_back(input->shape[dim]);
  }
  return graph.bind(op.getResult(),
                    graph.createView(op, input, shape, dims, {}));
}

static LogicalResult addIota(IotaOp op, GraphBuilder &graph) {
  auto type = cast<RankedTensorType>(op.getType());
  FailureOr<SmallVector<int64_t>> shape =
      graph.getIntegers(op, type.getShape(), op.getDynamicSizes());
  if (failed(shape))
    return failure();
  if (shape->front() < 0)
    return op.emitOpError()
           << "expected an extent of at least 0, but found " << shape->front();
  HostTensor positions(type.getElementType(), *shape);
  for (int64_t i = 0; i < shape->front(); ++i)
    positions.writeFromInteger(i, 1, &i);
  return graph.bind(op, graph.createSource(positions, op));
}

static LogicalResult addReduce(ReduceOp op, GraphBuilder &graph) {
  return graph.bind(
      op.getResult(),
      graph.createReduce(op, op.getKind(), getElementTypeOrSelf(op.getType()),
                         op.getAccumulatorType(), graph.lookup(op.getInput()),
                         op.getDims()));
}

static LogicalResult addSegment(SegmentOp op, GraphBuilder &graph) {
  Block &body = op.getBodyBlock();
  for (auto [argument, input] : llvm::zip(body.getArguments(), op.getInputs()))
    if (failed(graph.bind(argument, graph.lookup(input))))
      return failure();
  if (failed(graph.add(body)))
    return failure();
  for (auto [result, yielded] : llvm::zip(op.getResults(), op.getYielded()))
    if (failed(graph.bind(result, graph.lookup(yielded))))
      return failure();
  return success();
}

void reference::registerFusionOps(OpRegistry &registry) {
  registry.add<BroadcastOp>(addBroadcast);
  registry.add<SqueezeOp>(addSqueeze);
  registry.add<TransposeOp>(addTranspose);
  registry.add<IotaOp>(addIota);
  registry.add<ReduceOp>(addReduce);
  registry.add<SegmentOp>(addSegment);
}
