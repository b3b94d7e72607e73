//===- FloatFormat.cpp - Rounding doubles to narrower formats -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

FloatFormat FloatFormat::get(FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  assert(APFloat::semanticsPrecision(semantics) <= 53 &&
         "not a format that doubles contain");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  FloatFormat format;
  format.fractionBits =
      static_cast<int>(APFloat::semanticsPrecision(semantics)) - 1;
  format.minNormal = std::ldexp(1.0, APFloat::semanticsMinExponent(semantics));
  format.unitRoundoff = std::ldexp(1.0, -format.fractionBits - 1);
  format.roundingScale = std::ldexp(1.5, 52 - format.fractionBits);
  APFloat largest = APFloat::getLargest(semantics);
  bool largestIsEven = !largest.bitcastToAPInt()[0];
  bool losesInfo;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  format.maxFinite = largest.convertToDouble();
  bool hasInfinity = APFloat::semanticsHasInf(semantics);
  format.overflowValue =
      hasInfinity ? infinity : std::numeric_limits<double>::quiet_NaN();
  // Half a step above the largest number is a tie. It overflows if the largest
  // number is odd, which holds where all of its fraction bits are set.
  int exponent = std::ilogb(format.maxFinite);
  format.overflowFrom =
      format.fractionBits == 52
          ? infinity
          : format.maxFinite +
                std::ldexp(1.0, exponent - format.fractionBits - 1);
  if (largestIsEven)
    format.overflowFrom = std::nextafter(format.overflowFrom, infinity);
  return format;
}

void FloatFormat::round(const double *in, double *out, int64_t count) const {
  // A copy, so that the loop does not read the fields again.
  FloatFormat format = *this;
  for (int64_t i = 0; i < count; ++i)
    out[i] = format.round(in[i]);
}
