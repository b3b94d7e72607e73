//===- LaunchOperation.h - gpu.launch_func and fusion.launch_func -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_LAUNCHOPERATION_H
#define FUSION_LIB_RUNTIME_LAUNCHOPERATION_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::fusion {

/// What the two operations that launch a kernel have in common.
struct LaunchOperation {
  llvm::StringRef module, kernel;
  LaunchMode mode = LaunchMode::Plain;
  gpu::KernelDim3 grid, block;
  std::optional<gpu::KernelDim3> cluster;
  /// Null if there is none.
  Value sharedBytes;
  ValueRange arguments;

  explicit LaunchOperation(gpu::LaunchFuncOp op);
  explicit LaunchOperation(LaunchFuncOp op);
  /// `op` as a launch, if it is one.
  static std::optional<LaunchOperation> get(Operation *op);
};

} // namespace mlir::fusion

#endif // FUSION_LIB_RUNTIME_LAUNCHOPERATION_H
