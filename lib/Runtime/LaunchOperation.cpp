//===- LaunchOperation.cpp - gpu.launch_func and fusion.launch_func -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchOperation.h"

using namespace mlir;
using namespace mlir::fusion;

LaunchOperation::LaunchOperation(gpu::LaunchFuncOp op)
    : module(op.getKernelModuleName()), kernel(op.getKernelName()),
      grid(op.getGridSizeOperandValues()),
      block(op.getBlockSizeOperandValues()),
      sharedBytes(op.getDynamicSharedMemorySize()),
      arguments(op.getKernelOperands()) {
  if (op.hasClusterSize())
    cluster = op.getClusterSizeOperandValues();
}

LaunchOperation::LaunchOperation(LaunchFuncOp op)
    : module(op.getKernel().getRootReference()),
      kernel(op.getKernel().getLeafReference()), mode(op.getMode()),
      sharedBytes(op.getDynamicSharedMemorySize()),
      arguments(op.getKernelOperands()) {
  auto getSizes = [](OperandRange sizes) {
    return gpu::KernelDim3{sizes[0], sizes[1], sizes[2]};
  };
  grid = getSizes(op.getGridSize());
  block = getSizes(op.getBlockSize());
  if (!op.getClusterSize().empty())
    cluster = getSizes(op.getClusterSize());
}

std::optional<LaunchOperation> LaunchOperation::get(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return LaunchOperation(launch);
  if (auto launch = dyn_cast<LaunchFuncOp>(op))
    return LaunchOperation(launch);
  return std::nullopt;
}
