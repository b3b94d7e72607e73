//===- HostLaunch.cpp - Launches of the host function ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "LaunchOperation.h"

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

/// Clusters are whole: the first dimension in which they are not, or null.
static const char *findPartialCluster(const Dim3 &grid, const Dim3 &cluster) {
  if (cluster.x == 0 || grid.x % cluster.x)
    return "x";
  if (cluster.y == 0 || grid.y % cluster.y)
    return "y";
  return cluster.z == 0 || grid.z % cluster.z ? "z" : nullptr;
}

LogicalResult HostEvaluator::run(gpu::LaunchFuncOp op) {
  if (op.getAsyncToken() || op.getAsyncObject() ||
      !op.getAsyncDependencies().empty())
    return refuse(op, "expected the form without async tokens and streams");
  return runLaunch(op, LaunchOperation(op));
}

LogicalResult HostEvaluator::run(LaunchFuncOp op) {
  return runLaunch(op, LaunchOperation(op));
}

LogicalResult HostEvaluator::runLaunch(Operation *op,
                                       const LaunchOperation &launch) {
  LaunchRequest request;
  request.module = launch.module;
  request.kernel = launch.kernel;
  request.location = op->getLoc();
  request.cooperative = launch.mode == LaunchMode::Cooperative;
  request.programmaticDependent = launch.mode == LaunchMode::Dependent;
  FailureOr<Dim3> grid = getExtents(op, launch.grid, "the grid");
  FailureOr<Dim3> block = getExtents(op, launch.block, "a block");
  if (failed(grid) || failed(block))
    return failure();
  request.grid = *grid;
  request.block = *block;
  if (launch.cluster) {
    FailureOr<Dim3> cluster = getExtents(op, *launch.cluster, "a cluster");
    if (failed(cluster))
      return failure();
    if (const char *dim = findPartialCluster(*grid, *cluster))
      return refuse(op, "expected a grid of whole clusters, but got a remainder"
                        " along ")
             << dim;
    request.cluster = *cluster;
  }
  if (launch.sharedBytes) {
    int64_t bytes = getInteger(launch.sharedBytes);
    if (bytes < 0)
      return refuse(op, "expected at least 0 bytes of shared memory, but got ")
             << bytes;
    request.sharedBytes = bytes;
  }
  for (Value operand : launch.arguments) {
    if (std::holds_alternative<TypedAttr>(frame.find(operand)->second)) {
      request.arguments.push_back(getKernelArgument(getScalarOf(operand)));
      continue;
    }
    FailureOr<MemRefValue> memref = getMemRef(op, operand);
    if (failed(memref))
      return failure();
    KernelArgument argument{memref->buffer->getPointer(), 8};
    auto type = cast<MemRefType>(operand.getType());
    for (auto [dim, extent] : llvm::enumerate(memref->shape))
      if (type.isDynamicDim(dim))
        argument.dynamicSizes.push_back(extent);
    request.arguments.push_back(std::move(argument));
  }
  // An empty extent launches nothing.
  if (grid->x == 0 || grid->y == 0 || grid->z == 0)
    return success();
  // Waiting here makes an error inside the kernel one of this launch.
  if (failed(report(op, device.execute(request))))
    return failure();
  return report(op, device.synchronize());
}
