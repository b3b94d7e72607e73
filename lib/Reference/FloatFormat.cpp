//===- FloatFormat.cpp - Rounding doubles to narrower formats -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>
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

/// Rounds one number by adding and subtracting a number so large that its last
/// bit has the weight of the last bit wanted: the addition rounds to nearest
/// even at that bit.
///
///   2^e <= |x| < 2^(e+1), e at least the least normal exponent
///   big = 1.5 * 2^(e + 52 - fractionBits),  ulp(big) = 2^(e - fractionBits)
///
/// |x| + big stays in the binade of big since fractionBits >= 2.
static inline double roundOne(double value, double scale, double minNormal,
                              double overflowFrom, double overflowValue) {
  double magnitude = std::fabs(value);
  double clamped = magnitude > minNormal ? magnitude : minNormal;
  double power = llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(clamped) &
                                        0x7ff0000000000000ull);
  double big = power * scale;
  double rounded = (magnitude + big) - big;
  rounded = magnitude >= overflowFrom ? overflowValue : rounded;
  rounded = magnitude == magnitude ? rounded : value;
  return std::copysign(rounded, value);
}

double FloatFormat::round(double value) const {
  double result;
  round(&value, &result, 1);
  return result;
}

void FloatFormat::round(const double *in, double *out, int64_t count) const {
  if (fractionBits == 52) {
    if (in != out)
      std::copy(in, in + count, out);
    return;
  }
  double scale = std::ldexp(1.5, 52 - fractionBits);
  double least = minNormal, from = overflowFrom, value = overflowValue;
  for (int64_t i = 0; i < count; ++i)
    out[i] = roundOne(in[i], scale, least, from, value);
}

double FloatFormat::ulp(double value) const {
  double magnitude = std::fmax(std::fabs(value), minNormal);
  return std::ldexp(1.0, std::ilogb(magnitude) - fractionBits);
}
