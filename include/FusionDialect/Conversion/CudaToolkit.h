//===- CudaToolkit.h - Where NVIDIA's tools are -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_CONVERSION_CUDATOOLKIT_H
#define FUSIONDIALECT_CONVERSION_CUDATOOLKIT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::fusion {

/// The first folder of $CUDA_HOME, $CUDA_PATH, $CUDA_ROOT and /usr/local/cuda
/// that holds the file `name`, e.g. "bin/ptxas"; empty if none does.
std::string findCudaToolkit(llvm::StringRef name);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_CONVERSION_CUDATOOLKIT_H
