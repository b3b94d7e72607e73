//===- SignedZeros.h - Which zeros have a sign ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_SIGNEDZEROS_H
#define FUSION_LIB_REFERENCE_SIGNEDZEROS_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion::reference {

/// True if a zero that `op` gives of exact operands has the sign that IEEE 754
/// says, in every program of that operation: if it adds, multiplies, divides,
/// rounds or moves numbers. A minimum or maximum of two zeros may give either,
/// and so may a function of `math` that IEEE 754 does not define, and whatever
/// has one of the flags `nsz`, `reassoc` and `afn`. True of null, which is an
/// input.
bool hasIEEEZeros(Operation *op);

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_SIGNEDZEROS_H
