//===- FloatFormat.h - Rounding doubles to narrower formats -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a floating-point element type can represent, and the rounding of
// doubles to it: to nearest even, with subnormal numbers, with the type's own
// overflow. The loops have no branches, so that whole tiles are rounded at
// the speed of memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_REFERENCE_FLOATFORMAT_H
#define FUSIONDIALECT_REFERENCE_FLOATFORMAT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>

namespace mlir::fusion {

/// The numbers that describe a binary format of at most 64 bits. All are exact
/// as doubles.
struct FloatFormat {
  /// The format of `type`: f64, f32, f16, bf16, f8E4M3FN or f8E5M2.
  static FloatFormat get(FloatType type);

  /// Fraction bits in storage, without the leading one: 23 for f32.
  int fractionBits;
  /// The least positive normal number: 2^-126 for f32.
  double minNormal;
  /// The largest finite number.
  double maxFinite;
  /// The least magnitude that rounds beyond `maxFinite`; infinity for f64.
  double overflowFrom;
  /// What overflow gives: infinity, or NaN where the type has no infinity.
  double overflowValue;
  /// Half the distance from 1 to the next number: 2^-24 for f32.
  double unitRoundoff;

  /// 1.5 * 2^(52 - fractionBits): what a power of two is multiplied by so that
  /// adding it to a number of that binade rounds the number.
  double roundingScale;

  /// `value` rounded to the format, as a double.
  double round(double value) const;
  /// Rounds `count` numbers; `in` and `out` may be the same.
  void round(const double *in, double *out, int64_t count) const;
  /// The distance between the numbers of the format around a finite `value`:
  /// 2^(e - fractionBits) for 2^e <= |value| < 2^(e+1), at least the least
  /// subnormal number.
  double ulp(double value) const {
    return getBinade(value) * (2.0 * unitRoundoff);
  }

private:
  /// 2^e for 2^e <= |value| < 2^(e+1), at least the least normal number.
  double getBinade(double value) const {
    double magnitude = std::fabs(value);
    double clamped = magnitude > minNormal ? magnitude : minNormal;
    return llvm::bit_cast<double>(llvm::bit_cast<uint64_t>(clamped) &
                                  0x7ff0000000000000ull);
  }
};

/// The number is rounded by adding and subtracting a number so large that its
/// last bit has the weight of the last bit wanted: the addition rounds to
/// nearest even at that bit.
///
///   2^e <= |x| < 2^(e+1), e at least the least normal exponent
///   big = 1.5 * 2^(e + 52 - fractionBits),  ulp(big) = 2^(e - fractionBits)
///
/// |x| + big stays in the binade of big, since fractionBits >= 2; in f64 itself
/// there is nothing to round.
inline double FloatFormat::round(double value) const {
  double magnitude = std::fabs(value);
  double big = getBinade(value) * roundingScale;
  double rounded = fractionBits == 52 ? magnitude : (magnitude + big) - big;
  rounded = magnitude >= overflowFrom ? overflowValue : rounded;
  rounded = magnitude == magnitude ? rounded : value;
  return std::copysign(rounded, value);
}

} // namespace mlir::fusion

#endif // FUSIONDIALECT_REFERENCE_FLOATFORMAT_H
