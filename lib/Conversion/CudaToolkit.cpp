//===- CudaToolkit.cpp - Where NVIDIA's tools are -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/CudaToolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace mlir::fusion;

std::string mlir::fusion::findCudaToolkit(llvm::StringRef name) {
  llvm::SmallVector<std::string> roots;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
    if (auto value = llvm::sys::Process::GetEnv(variable))
      roots.push_back(*value);
  roots.push_back("/usr/local/cuda");
  for (const std::string &root : roots) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, name);
    if (llvm::sys::fs::is_regular_file(path))
      return root;
  }
  return "";
}
