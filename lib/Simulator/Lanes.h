//===- Lanes.h - Loops over the active lanes --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_LANES_H
#define FUSION_LIB_SIMULATOR_LANES_H

#include "Machine.h"
#include "llvm/ADT/bit.h"

namespace mlir::fusion::sim {

/// Calls `f(lane)` for each lane in `mask`.
template <typename F>
inline void forLanes(uint32_t mask, F f) {
  for (; mask; mask &= mask - 1)
    f(unsigned(llvm::countr_zero(mask)));
}

/// Calls `f(i)` for the element index i of each of `n` elements of each active
/// lane. While no live lane is inactive, that is one dense loop, which the
/// compiler can vectorise; what it does for lanes that have exited is unseen.
template <typename F>
inline void forElements(const Warp &warp, uint32_t n, F f) {
  if (warp.isWhole()) {
    for (uint32_t i = 0, e = n * kLanes; i < e; ++i)
      f(i);
    return;
  }
  for (uint32_t element = 0; element < n; ++element)
    forLanes(warp.mask, [&](unsigned lane) { f(element * kLanes + lane); });
}

/// Calls `f` with a value of the unsigned type of `bytes` bytes: 1, 2, 4 or 8.
template <typename F>
auto visitBytes(uint32_t bytes, F f) {
  switch (bytes) {
  case 1:
    return f(uint8_t());
  case 2:
    return f(uint16_t());
  case 4:
    return f(uint32_t());
  default:
    return f(uint64_t());
  }
}

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_LANES_H
