//===- ReduceOrder.cpp - What the order of a reduction may change ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products of floats round in an order that a program does not fix:
// the bounds on what that may do to a total. docs/Numerics.md derives them.
//
//===----------------------------------------------------------------------===//

#include "ReduceAccumulator.h"
#include "ScalarSemantics.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// True if sums of up to `magnitude` of numbers +-`term` round nowhere: they
/// are multiples of the last digit of `term`, and few enough for the type.
static bool holdsMultiples(const FloatFormat &format, double term,
                           double magnitude) {
  if (!std::isnormal(term))
    return false;
  auto fraction = llvm::bit_cast<uint64_t>(term) & ((uint64_t(1) << 52) - 1);
  int digits = fraction == 0 ? 0 : 52 - llvm::countr_zero(fraction);
  double last = std::ldexp(1.0, std::ilogb(term) - digits);
  return magnitude <= last / format.unitRoundoff &&
         magnitude < format.overflowFrom;
}

/// The rounding error that the order adds. n - 1 additions or multiplications
/// round: that accumulates like the square root of their number (Higham and
/// Mary 2019), if the roundings are independent. Those of equal operands are
/// not: x + c rounds equally wherever x is within one binade, and in a tree
/// x * x is made n / 2 times. Where each operand occurs m times, n / m
/// independent roundings count m times.
double ReduceAccumulator::getOrderError(const State &total, int64_t i,
                                        const FloatFormat &format) const {
  bool isSum = node.reductionKind == ReductionKind::Add;
  auto roundings = static_cast<double>(numCombined - 1);
  double repeats = total.repeats[i], equal = std::max(repeats, 1.0);
  double scale = isSum ? total.magnitudes[i] : std::fabs(total.floats[i]);
  // The others are zeros; in f64 the magnitudes may have lost them instead.
  bool areEqual = repeats > roundings || (format.fractionBits < 52 &&
                                          repeats * total.samples[i] == scale);
  if (isSum && areEqual && total.errors[i] == 0.0 &&
      holdsMultiples(format, total.samples[i], scale))
    return 0.0;
  double count =
      std::min(std::sqrt(roundings / equal), options.maxOrderRoundings) * equal;
  double rounding = count * format.unitRoundoff * scale;
  // NaN and infinities have no roundings.
  return std::isfinite(rounding) ? rounding : 0.0;
}

/// Adds what depends on the order. Where partial results of some order leave
/// the range of the type, or an element that overflowed may have not, the total
/// can be anything.
void ReduceAccumulator::addOrderErrors(State &total) const {
  bool isSum = node.reductionKind == ReductionKind::Add;
  if (!total.errors || !total.magnitudes)
    return;
  auto format = FloatFormat::get(cast<FloatType>(node.accumulatorType));
  double most = std::log2(format.maxFinite),
         least = -std::log2(format.minNormal);
  for (int64_t i = 0; i < node.numElements; ++i) {
    double value = std::fabs(total.floats[i]), magnitude = total.magnitudes[i];
    total.errors[i] += getOrderError(total, i, format);
    if (value == 0.0 && !node.hasSignedZeros)
      total.errors[i] += unknownSign;
    bool leavesRange = mayBeFinite(value, total.errors[i]);
    if (isSum) {
      leavesRange |= magnitude >= format.overflowFrom && value < magnitude;
    } else {
      double shrinkage = total.shrinkages[i];
      leavesRange |= (magnitude >= most && (shrinkage > 0.0 || value == 0.0)) ||
                     (shrinkage >= least && magnitude > 0.0);
    }
    if (leavesRange)
      total.errors[i] = std::numeric_limits<double>::infinity();
  }
}
