//===- Random.cpp - Random elements ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter-based generator: element i of an argument is a hash of a key (from
// the seed and the argument's number) and i. Only operations that IEEE 754
// fixes to the last bit are used (no libm), and the file is compiled without
// contraction, so every platform gets the same elements.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Inputs.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

// The output function of SplitMix64 (Steele, Lea, Flood: Fast Splittable
// Pseudorandom Number Generators, OOPSLA 2014).
static uint64_t mixBits(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// The increment of SplitMix64: 2^64 divided by the golden ratio, made odd.
static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

// The natural logarithm for 0 < x < 1, by ln m = 2 atanh((m - 1) / (m + 1)) on
// the mantissa m in [sqrt(1/2), sqrt(2)). The terms fall by a factor of 34.
static double getLog(double x) {
  int exponent;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  double s = (m - 1) / (m + 1), square = s * s, power = s, sum = 0;
  for (int k = 1; k <= 25; k += 2) {
    sum += power / k;
    power *= square;
  }
  return 2 * sum + exponent * 0.69314718055994531;
}

// Evaluates a polynomial, the highest coefficient first.
template <size_t N>
static double evaluate(const double (&coefficients)[N], double x) {
  double value = 0;
  for (double coefficient : coefficients)
    value = value * x + coefficient;
  return value;
}

// Peter J. Acklam's rational approximations of the normal quantile, one for
// the centre and one for the tails.
double mlir::fusion::getNormalQuantile(double p) {
  static constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,
                                 -2.759285104469687e+02, 1.383577518672690e+02,
                                 -3.066479806614716e+01, 2.506628277459239e+00};
  static constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,
                                 -1.556989798598866e+02, 6.680131188771972e+01,
                                 -1.328068155288572e+01, 1.0};
  static constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01,
                                 -2.400758277161838e+00, -2.549732539343734e+00,
                                 4.374664141464968e+00,  2.938163982698783e+00};
  static constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01,
                                 2.445134137142996e+00, 3.754408661907416e+00,
                                 1.0};
  constexpr double tail = 0.02425;
  if (p >= tail && p <= 1 - tail) {
    double q = p - 0.5, r = q * q;
    return q * evaluate(a, r) / evaluate(b, r);
  }
  bool upper = p > 0.5;
  double q = std::sqrt(-2 * getLog(upper ? 1 - p : p));
  double value = evaluate(c, q) / evaluate(d, q);
  return upper ? -value : value;
}

// A double in (0, 1): the middle of one of 2^52 equal intervals, so that 1 - p
// is exact too.
static double getUniform(uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

void mlir::fusion::fillRandom(HostTensor &tensor, uint64_t seed,
                              unsigned argument) {
  uint64_t key = mixBits(mixBits(seed + kGolden) + (argument + 1) * kGolden);
  Type type = tensor.getElementType();
  bool isFloat = isa<FloatType>(type), isBool = type.isInteger(1);
  double lowest = type.isIndex() ? 0 : -8;
  constexpr int64_t chunk = 4096;
  int64_t count = tensor.getNumElements();
  llvm::parallelFor(0, llvm::divideCeil(count, chunk), [&](size_t block) {
    double values[chunk];
    int64_t first = block * chunk, n = std::min(chunk, count - first);
    for (int64_t i = 0; i < n; ++i) {
      uint64_t bits = mixBits(key + uint64_t(first + i + 1) * kGolden);
      values[i] = isFloat  ? getNormalQuantile(getUniform(bits))
                  : isBool ? static_cast<double>(bits >> 63)
                           : lowest + static_cast<double>(bits >> 60);
    }
    tensor.writeFromDouble(first, n, values);
  });
}
