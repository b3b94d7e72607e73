//===- Ptxas.h - Registers and spills without a GPU -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_CONVERSION_PTXAS_H
#define FUSIONDIALECT_CONVERSION_PTXAS_H

#include "FusionDialect/Target/KernelResources.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::fusion {

/// The path of NVIDIA's assembler: in a CUDA Toolkit (see findCudaToolkit),
/// else on PATH; empty if there is none.
std::string findPtxas();

/// Reads what `ptxas --verbose` printed: the resources of each kernel by name.
llvm::StringMap<KernelResources> parsePtxasOutput(llvm::StringRef text);

/// Assembles the PTX of `binary` for the chip it names and returns the
/// resources of its kernels. Empty if the object is not PTX.
llvm::Expected<llvm::StringMap<KernelResources>>
getResourcesFromPtxas(llvm::StringRef ptxas, gpu::BinaryOp binary);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_CONVERSION_PTXAS_H
