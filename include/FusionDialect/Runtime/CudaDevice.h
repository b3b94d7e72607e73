//===- CudaDevice.h - A GPU through the CUDA driver -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_CUDADEVICE_H
#define FUSIONDIALECT_RUNTIME_CUDADEVICE_H

#include "FusionDialect/Runtime/Device.h"

namespace mlir::fusion {

/// Opens the first GPU that the CUDA driver shows (CUDA_VISIBLE_DEVICES
/// chooses). The driver is opened at run time: nothing links it. Fails if there
/// is no driver, no GPU, or the GPU is not usable. `isWatched` says that a tool
/// outside, such as compute-sanitizer, reports reads of uninitialized memory.
llvm::Expected<std::unique_ptr<Device>>
createCudaDevice(llvm::StringRef driverLibrary = "libcuda.so.1",
                 bool isWatched = false);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_CUDADEVICE_H
