//===- Compile.h - From a file to what a device takes -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_COMPILE_H
#define FUSIONDIALECT_RUNTIME_COMPILE_H

#include "FusionDialect/Runtime/ExitStatus.h"
#include "FusionDialect/Runtime/Plan.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::fusion {

/// How far a module has come.
enum class ModuleStage {
  /// Operations on tensors, or on scalars alone.
  Program,
  /// A host function on memrefs and kernels in gpu.module operations.
  Lowered,
  /// A host function on memrefs and kernels in gpu.binary operations.
  Emitted
};

/// The stage of `module`, by the operations it holds.
ModuleStage getStage(ModuleOp module);

/// How a module is compiled.
struct CompileOptions {
  /// The instruction set, e.g. sm_90.
  std::string chip = "sm_90";
  /// True if the kernels shall become gpu.binary operations.
  bool emitBinaries = true;
};

/// Runs the phases that `module` has not been through yet. Of a program only
/// the function `name` and what it calls is compiled; the rest is removed. The
/// plan of the function is read on the way. Diagnostics are emitted; the status
/// is Rejected if no scheduler accepts the program, Failed if the compiler
/// fails.
ExitStatus compile(ModuleOp module, llvm::StringRef name,
                   const CompileOptions &options, Plan &plan);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_COMPILE_H
