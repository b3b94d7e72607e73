//===- ScalarSemantics.h - Operations on single numbers ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What element-wise operations and reductions do to one or two numbers, where
// C++ has no operator for it. Integers are carried as int64_t: sign-extended
// from their width, except that i1 is 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_SCALARSEMANTICS_H
#define FUSION_LIB_REFERENCE_SCALARSEMANTICS_H

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdint>
#include <limits>

namespace mlir::fusion::reference {

/// The greater number, or NaN if either is; +0 is greater than -0.
inline double maximumF(double a, double b) {
  double greater = a > b ? a : b;
  double equal = std::signbit(a) ? b : a;
  double result = a == b ? equal : greater;
  return a != a || b != b ? a + b : result;
}

/// The less number, or NaN if either is; -0 is less than +0.
inline double minimumF(double a, double b) {
  double less = a < b ? a : b;
  double equal = std::signbit(a) ? a : b;
  double result = a == b ? equal : less;
  return a != a || b != b ? a + b : result;
}

/// The greater number; NaN only if both are.
inline double maxNumF(double a, double b) {
  return a != a ? b : b != b ? a : maximumF(a, b);
}

/// The less number; NaN only if both are.
inline double minNumF(double a, double b) {
  return a != a ? b : b != b ? a : minimumF(a, b);
}

/// The carried form of the low `width` bits.
inline int64_t wrap(uint64_t bits, unsigned width) {
  if (width == 1)
    return static_cast<int64_t>(bits & 1);
  return width == 64 ? static_cast<int64_t>(bits)
                     : llvm::SignExtend64(bits, width);
}

/// A carried integer read as signed: i1 is 0 or -1.
inline int64_t asSigned(int64_t value, unsigned width) {
  return width == 1 ? -value : value;
}

/// A carried integer read as unsigned.
inline uint64_t asUnsigned(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// An accepted error that is less than this part of a number is a small change
/// of it, for which first order is enough.
constexpr double smallChange = 0x1p-12;

/// The error of a zero of which no more than the sign is unknown: the least
/// number there is.
constexpr double unknownSign = std::numeric_limits<double>::denorm_min();

/// True if x may have the other sign while it moves by `reach`. An exact zero
/// may not.
inline bool mayHaveEitherSign(double x, double reach) {
  return reach > 0.0 && std::fabs(x) <= reach;
}

// NaN is neither of these.
inline bool isInfinite(double x) {
  return std::fabs(x) > std::numeric_limits<double>::max();
}
inline bool isFinite(double x) {
  return std::fabs(x) <= std::numeric_limits<double>::max();
}

/// True for an overflow that its error may undo. It may be any number of those
/// that are left.
inline bool mayBeFinite(double x, double error) {
  return isInfinite(x) && error > 0.0;
}

/// derivative * error, where an exact operand (error 0) contributes nothing
/// even at a singularity, and an unknown one (infinity) leaves nothing known.
/// Where the derivative is NaN, so is the result, and has no error of its own.
inline double propagate(double derivative, double error) {
  if (error > std::numeric_limits<double>::max())
    return error;
  return error == 0.0 || derivative != derivative ? 0.0 : derivative * error;
}

/// The error of x y, with the second-order term of errors that count `factor`
/// times. An infinite factor has no neighbours. A product of zero may have the
/// sign of either factor, or lose its own where doubles underflow.
inline double propagateProduct(double x, double y, double ex, double ey,
                               double factor) {
  double error = propagate(std::fabs(x), ey) + propagate(std::fabs(y), ex) +
                 factor * propagate(ey, ex);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  bool isDoubtful =
      error == 0.0 && x * y == 0.0 &&
      ((x != 0.0 && y != 0.0) || mayHaveEitherSign(x, factor * ex) ||
       mayHaveEitherSign(y, factor * ey));
  bool isCertain = (isInfinite(x) || isInfinite(y)) && isFinite(ex + ey);
  error = isDoubtful ? unknownSign : isCertain ? 0.0 : error;
  return mayBeFinite(x, ex) || mayBeFinite(y, ey) ? unknown : error;
}

/// The error of x + y, or of x - y. Beside an infinity nothing counts.
inline double propagateSum(double x, double y, double ex, double ey) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  bool isCertain = (isInfinite(x) || isInfinite(y)) && isFinite(ex + ey);
  double error = isCertain ? 0.0 : ex + ey;
  return mayBeFinite(x, ex) || mayBeFinite(y, ey) ? unknown : error;
}

/// The error of z = x / y: (x + dx) / (y + dy) - z = (dx - z dy) / (y + dy),
/// where y + dy is as small as errors that count `factor` times let it be. A
/// divisor that may be 0 leaves nothing known. A quotient of zero may have a
/// sign that is not known, as a product.
inline double propagateQuotient(double x, double y, double z, double ex,
                                double ey, double factor) {
  double divisor = std::fabs(y), reach = factor * ey;
  if (reach > smallChange * divisor)
    divisor -= reach;
  if ((ey > 0.0 && !(divisor > 0.0)) || mayBeFinite(x, ex) ||
      mayBeFinite(y, ey))
    return std::numeric_limits<double>::infinity();
  double total = ex + propagate(std::fabs(z), ey);
  double error = total == 0.0 ? 0.0 : total / divisor;
  bool isDoubtful = z == 0.0 && ((x != 0.0 && std::isfinite(y)) ||
                                 mayHaveEitherSign(x, factor * ex));
  return isDoubtful && error < unknownSign ? unknownSign : error;
}

/// The error of a function of one number, z = value(x), with the derivative at
/// x. To first order it is |derivative| ex. Where that is no small change of x
/// or z, the function is evaluated where the accepted error, factor * ex, ends:
/// near a pole, at the end of its domain, and in types of few bits. Unknown
/// (infinity) if it is NaN at some of these places only.
template <typename ValueFn>
double propagateThrough(ValueFn value, double x, double z, double derivative,
                        double ex, double factor) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (ex == 0.0 || ex == unknown)
    return ex;
  if (std::isinf(x))
    return unknown;
  double first = std::fabs(derivative) * ex, reach = factor * ex;
  if (reach <= smallChange * std::fabs(x) &&
      factor * first <= smallChange * std::fabs(z))
    return first;
  double below = value(x - reach), above = value(x + reach);
  int numNaN = (below != below) + (above != above) + (z != z);
  if (numNaN == 3) {
    // The whole domain may lie between; every one has 0 or 1 in it.
    auto contains = [&](double inside) {
      return x - reach <= inside && inside <= x + reach;
    };
    return contains(0.0) || contains(1.0) ? unknown : 0.0;
  }
  if (numNaN != 0)
    return unknown;
  double moved = 0.0;
  for (double other : {below, above})
    if (other != z) // infinities are equal
      moved = std::fmax(moved, std::fabs(other - z) / factor);
  return std::isfinite(first) ? std::fmax(moved, first) : moved;
}

/// The same for a function of two numbers; `first` is the first-order error.
template <typename ValueFn>
double propagateThrough(ValueFn value, double x, double y, double z,
                        double first, double ex, double ey, double factor) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (ex == 0.0 && ey == 0.0)
    return 0.0;
  if (ex == unknown || ey == unknown || mayBeFinite(x, ex) ||
      mayBeFinite(y, ey))
    return unknown;
  double reachX = factor * ex, reachY = factor * ey;
  if (reachX <= smallChange * std::fabs(x) &&
      reachY <= smallChange * std::fabs(y) &&
      factor * first <= smallChange * std::fabs(z))
    return first;
  double moved = 0.0;
  int numNaN = z != z;
  for (double signX : {-1.0, 1.0})
    for (double signY : {-1.0, 1.0}) {
      double other = value(x + signX * reachX, y + signY * reachY);
      numNaN += other != other;
      if (other != z)
        moved = std::fmax(moved, std::fabs(other - z) / factor);
    }
  if (numNaN != 0)
    return numNaN == 5 ? 0.0 : unknown;
  return std::isfinite(first) ? std::fmax(moved, first) : moved;
}

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_SCALARSEMANTICS_H
