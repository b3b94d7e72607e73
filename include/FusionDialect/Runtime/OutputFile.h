//===- OutputFile.h - Files that appear complete or not at all --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_OUTPUTFILE_H
#define FUSIONDIALECT_RUNTIME_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::fusion {

/// Writes what `write` prints to `path` through a temporary file in the same
/// folder, so that the file is replaced only by a complete one. Errors begin
/// with the path; nothing is left behind then.
llvm::Error
writeFileAtomically(llvm::StringRef path,
                    llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_OUTPUTFILE_H
