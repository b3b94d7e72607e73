//===- Clock.cpp - Logical time of warps ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"

using namespace mlir::fusion::sim;

/// True if `a` knows all that `b` knows.
static bool includes(const BlockClock &a, const BlockClock &b) {
  if (a.size() < b.size())
    return false;
  for (size_t i = 0; i < b.size(); ++i) {
    if (b[i].all > a[i].all)
      return false;
    bool lanesKnown = b[i].some <= a[i].all ||
                      (b[i].some <= a[i].some && !(b[i].mask & ~a[i].mask));
    if (!lanesKnown)
      return false;
  }
  return true;
}

ForeignClockRef mlir::fusion::sim::joinClocks(const ForeignClockRef &a,
                                              const ForeignClockRef &b) {
  if (!b || a == b)
    return a;
  if (!a)
    return b;
  std::shared_ptr<ForeignClock> joined;
  for (const auto &[block, clock] : b->blocks) {
    auto it = a->blocks.find(block);
    if (it != a->blocks.end() &&
        (it->second == clock || includes(*it->second, *clock)))
      continue;
    if (!joined)
      joined = std::make_shared<ForeignClock>(*a);
    auto &slot = joined->blocks[block];
    if (!slot || includes(*clock, *slot)) {
      slot = clock;
      continue;
    }
    auto merged = std::make_shared<BlockClock>(*slot);
    joinClock(*merged, *clock);
    slot = std::move(merged);
  }
  return joined ? joined : a;
}
