//===- EmitKernels.h - The kernels of a compiled module ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TOOLS_FUSION_OPT_EMITKERNELS_H
#define TOOLS_FUSION_OPT_EMITKERNELS_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::fusion {

/// What is written instead of the module.
enum class EmittedFormat { None, PTX, Cubin };

/// Appends to `kernels` what the gpu.binary operations of `module`, the text of
/// a module, hold in `format`: the PTX of all of them, one after the other, or
/// the cubin of the only one. Reports an error if there is none, or if there
/// are several cubins.
LogicalResult getKernels(StringRef module, EmittedFormat format,
                         DialectRegistry &registry, std::string &kernels);

} // namespace mlir::fusion

#endif // TOOLS_FUSION_OPT_EMITKERNELS_H
