//===- Random.h - Random choices from a seed --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_RANDOM_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mlir::fusion {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, OOPSLA 2014). The same seed gives the same choices on every
/// platform.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// A number from 0 to `count` - 1; `count` is small, so the bias is nothing.
  int64_t below(int64_t count) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(count));
  }
  /// A number from `low` to `high`.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  /// True in `percent` of 100 cases.
  bool chance(int64_t percent) { return below(100) < percent; }
  template <typename T>
  const T &pick(llvm::ArrayRef<T> choices) {
    return choices[below(static_cast<int64_t>(choices.size()))];
  }

private:
  uint64_t state;
};

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_RANDOM_H
