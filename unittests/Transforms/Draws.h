//===- Draws.h - Random elements for programs -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_DRAWS_H
#define FUSION_UNITTESTS_TRANSFORMS_DRAWS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace mlir::fusion {

using Draw = llvm::function_ref<double(std::mt19937_64 &)>;
using DrawInteger = llvm::function_ref<int64_t(std::mt19937_64 &)>;

/// Numbers of many magnitudes, one in eight of them one of `specials`.
template <size_t n>
double drawAmong(std::mt19937_64 &random, const double (&specials)[n]) {
  uint64_t bits = random();
  double sign = bits & 1 ? -1.0 : 1.0;
  if ((bits >> 1) % 8 == 0) {
    return sign * specials[(bits >> 8) % n];
  }
  double fraction = 1.0 + static_cast<double>(bits >> 40) * 0x1p-24;
  return sign * std::ldexp(fraction, static_cast<int>(bits >> 8 & 15) - 8);
}

/// Zero, one, the least subnormal number of f32, its least normal one, one near
/// its largest, infinity and NaN among others.
inline double drawSpecial(std::mt19937_64 &random) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return drawAmong(random, {0.0, 1.0, 0x1p-149, 0x1p-126, 0x1.8p127, inf, nan});
}

/// The same without infinity and NaN.
inline double drawFinite(std::mt19937_64 &random) {
  return drawAmong(random, {0.0, 1.0, 0x1p-149, 0x1p-126, 0x1.8p127});
}

/// The same in f16.
inline double drawFiniteHalf(std::mt19937_64 &random) {
  return drawAmong(random, {0.0, 1.0, 0x1p-24, 0x1p-14, 65504.0});
}

/// Numbers of both signs between 1/8 and 8, whose products stay far from
/// overflow.
inline double drawModerate(std::mt19937_64 &random) {
  uint64_t bits = random();
  double fraction = 1.0 + static_cast<double>(bits >> 40) * 0x1p-24;
  return (bits & 1 ? -1.0 : 1.0) *
         std::ldexp(fraction, static_cast<int>(bits >> 8) % 6 - 3);
}

/// -2, -1, 0, 1 or 2.
inline double drawWhole(std::mt19937_64 &random) {
  return static_cast<double>(random() % 5) - 2.0;
}

/// Between 0.5 and 1.5: sums of these do not cancel.
inline double drawPositive(std::mt19937_64 &random) {
  return 0.5 + static_cast<double>(random() >> 40) * 0x1p-24;
}

inline int64_t drawBits(std::mt19937_64 &random) {
  return static_cast<int64_t>(random() << 32 | random());
}

/// 0 to 3.
inline int64_t drawSmall(std::mt19937_64 &random) {
  return static_cast<int64_t>(random() % 4);
}

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_TRANSFORMS_DRAWS_H
