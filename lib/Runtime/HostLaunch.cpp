//===- HostLaunch.cpp - Launches of the host function ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"

using namespace mlir;
using namespace mlir::fusion;

LogicalResult HostEvaluator::loadKernels() {
  for (Operation &op : module.getOps()) {
    bool isBinary = isa<gpu::BinaryOp>(op);
    if (!isBinary && !isa<gpu::GPUModuleOp>(op))
      continue;
    if (isBinary != device.takesBinaries())
      return refuse(&op, "the device '")
             << device.getDescription().kind << "' takes "
             << (isBinary ? "gpu.module operations, not gpu.binary"
                          : "gpu.binary operations, not gpu.module");
    if (failed(report(&op, device.loadKernels(&op))))
      return failure();
  }
  return success();
}

FailureOr<Dim3> HostEvaluator::getExtents(Operation *op, gpu::KernelDim3 sizes,
                                          StringRef what) {
  Dim3 extents{getInteger(sizes.x), getInteger(sizes.y), getInteger(sizes.z)};
  for (int64_t extent : {extents.x, extents.y, extents.z})
    if (extent < 0 || extent > std::numeric_limits<int32_t>::max())
      return refuse(op, "expected extents of ")
             << what << " that fit in 31 bits, but got " << extent;
  return extents;
}

LogicalResult HostEvaluator::run(gpu::LaunchFuncOp op) {
  if (op.getAsyncToken() || op.getAsyncObject() ||
      !op.getAsyncDependencies().empty())
    return refuse(op, "expected the form without async tokens and streams");
  LaunchRequest request;
  request.module = op.getKernelModuleName().getValue();
  request.kernel = op.getKernelName().getValue();
  FailureOr<Dim3> grid =
      getExtents(op, op.getGridSizeOperandValues(), "the grid");
  FailureOr<Dim3> block =
      getExtents(op, op.getBlockSizeOperandValues(), "a block");
  if (failed(grid) || failed(block))
    return failure();
  request.grid = *grid;
  request.block = *block;
  if (op.hasClusterSize()) {
    FailureOr<Dim3> cluster =
        getExtents(op, op.getClusterSizeOperandValues(), "a cluster");
    if (failed(cluster))
      return failure();
    request.cluster = *cluster;
  }
  if (Value sharedBytes = op.getDynamicSharedMemorySize()) {
    int64_t bytes = getInteger(sharedBytes);
    if (bytes < 0)
      return refuse(op, "expected at least 0 bytes of shared memory, but got ")
             << bytes;
    request.sharedBytes = bytes;
  }
  for (Value operand : op.getKernelOperands()) {
    if (std::holds_alternative<TypedAttr>(frame.find(operand)->second)) {
      request.arguments.push_back(getKernelArgument(getScalarOf(operand)));
      continue;
    }
    FailureOr<MemRefValue> memref = getMemRef(op, operand);
    if (failed(memref))
      return failure();
    request.arguments.push_back({memref->buffer->getPointer(), 8});
  }
  // An empty extent launches nothing.
  if (grid->x == 0 || grid->y == 0 || grid->z == 0)
    return success();
  // Waiting here makes an error inside the kernel one of this launch.
  if (failed(report(op, device.execute(request))))
    return failure();
  return report(op, device.synchronize());
}
