//===- Passes.h - From segments to kernels to PTX ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_CONVERSION_PASSES_H
#define FUSIONDIALECT_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::fusion {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "FusionDialect/Conversion/Passes.h.inc"

} // namespace mlir::fusion

#endif // FUSIONDIALECT_CONVERSION_PASSES_H
