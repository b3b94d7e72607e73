//===- OutputFile.cpp - Files that appear complete or not at all ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

static llvm::Error makeError(llvm::StringRef path, const llvm::Twine &reason) {
  return llvm::createStringError(path + ": cannot write the file: " + reason);
}

StagedFiles::~StagedFiles() {
  for (auto &[path, file] : files)
    llvm::consumeError(file.discard());
}

llvm::Error
StagedFiles::add(llvm::StringRef path,
                 llvm::function_ref<void(llvm::raw_ostream &)> write) {
  llvm::Expected<llvm::sys::fs::TempFile> file =
      llvm::sys::fs::TempFile::create(path + ".%%%%%%.tmp",
                                      llvm::sys::fs::all_read |
                                          llvm::sys::fs::all_write);
  if (!file)
    return makeError(path, llvm::toString(file.takeError()));
  std::error_code failure;
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    write(os);
    os.flush();
    failure = os.error();
    os.clear_error();
  }
  files.emplace_back(path.str(), std::move(*file));
  if (failure)
    return makeError(path, failure.message());
  return llvm::Error::success();
}

llvm::Error StagedFiles::keep() {
  for (auto &[path, file] : files)
    if (llvm::Error error = file.keep(path))
      return makeError(path, llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error mlir::fusion::writeFileAtomically(
    llvm::StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  StagedFiles file;
  if (llvm::Error error = file.add(path, write))
    return error;
  return file.keep();
}
