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
#include "llvm/Support/FileSystem.h"
#include <string>
#include <vector>

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

/// Files that appear together. Those that were added and not kept are removed.
class StagedFiles {
public:
  StagedFiles() = default;
  StagedFiles(const StagedFiles &) = delete;
  StagedFiles &operator=(const StagedFiles &) = delete;
  ~StagedFiles();

  /// Writes what `write` prints to a temporary file beside `path`. Errors begin
  /// with the path.
  llvm::Error add(llvm::StringRef path,
                  llvm::function_ref<void(llvm::raw_ostream &)> write);
  /// Gives all files their names, replacing older ones. Errors begin with the
  /// path that could not be had; files before it keep their names.
  llvm::Error keep();

private:
  std::vector<std::pair<std::string, llvm::sys::fs::TempFile>> files;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_OUTPUTFILE_H
