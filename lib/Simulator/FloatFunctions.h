//===- FloatFunctions.h - Float functions of several operands ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_FLOATFUNCTIONS_H
#define FUSION_LIB_SIMULATOR_FLOATFUNCTIONS_H

#include "Operations.h"

namespace mlir::fusion::sim {

/// dst = min(max(a, b), c) of floats.
Handler getClampHandler(ScalarKind kind);

/// dst = a to the power b, a float and a signed integer.
Handler getIntegerPowerHandler(ScalarKind kind, ScalarKind powerKind);

enum class FloatQuestion { IsNaN, IsInf, IsFinite, IsNormal };

/// dst (i1) = the answer about a float a; `imm` has the bits of the least
/// normal number of its type, as a double.
Handler getQuestionHandler(FloatQuestion question, ScalarKind kind);

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_FLOATFUNCTIONS_H
