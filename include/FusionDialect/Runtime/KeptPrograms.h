//===- KeptPrograms.h - Compiled programs in a folder -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was compiled for the shapes of its inputs is found again by
// the program for those shapes, its function, the instruction set, the form of
// the kernels and the compiler. Files are ordinary MLIR; a folder may be
// deleted at any time.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_KEPTPROGRAMS_H
#define FUSIONDIALECT_RUNTIME_KEPTPROGRAMS_H

#include "FusionDialect/Runtime/Compile.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace mlir::fusion {

class KeptPrograms {
public:
  explicit KeptPrograms(llvm::StringRef folder) : folder(folder) {}

  /// The file of what `program`, on tensors, is compiled to.
  std::string getPath(ModuleOp program, llvm::StringRef function,
                      const CompileOptions &options) const;
  /// The compiled program in `path`; null if there is none that can be read.
  static OwningOpRef<ModuleOp> load(llvm::StringRef path, MLIRContext *context);
  /// Writes `compiled` to `path`, and creates the folder if need be.
  llvm::Error store(llvm::StringRef path, ModuleOp compiled) const;

private:
  std::string folder;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_KEPTPROGRAMS_H
