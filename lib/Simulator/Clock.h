//===- Clock.h - Logical time of warps --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector clocks, as in FastTrack (Flanagan and Freund, PLDI 2009), at warp
// granularity: a warp's clock advances at each of its synchronisations, and a
// warp knows up to which clock each other warp's accesses happen before it.
// Because a synchronisation may involve only some lanes, an entry has two
// levels: what all lanes did up to `all`, and what the lanes of `mask` did up
// to `some`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_CLOCK_H
#define FUSION_LIB_SIMULATOR_CLOCK_H

#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace mlir::fusion::sim {

/// The accesses of one warp that happen before some point.
struct ClockEntry {
  uint32_t all = 0;
  uint32_t some = 0;
  uint32_t mask = 0;

  /// True if an access of `lane` at `clock` is among them.
  bool covers(unsigned lane, uint32_t clock) const {
    return clock <= all || (((mask >> lane) & 1) && clock <= some);
  }
  /// Takes over what `other` knows. Two different lane sets are united at the
  /// later clock: this can only hide an ordering fault, never invent one.
  void join(const ClockEntry &other) {
    all = std::max(all, other.all);
    if (other.some > all) {
      mask = some > all ? (mask | other.mask) : other.mask;
      some = std::max(some, other.some);
    }
  }
};

/// Entries for the warps of one block, then for its mbarriers as far as any is
/// known: `all` is the number of phases that ended.
using BlockClock = std::vector<ClockEntry>;

/// Takes over into `clock` what `other` knows.
inline void joinClock(BlockClock &clock, const BlockClock &other) {
  if (clock.size() < other.size())
    clock.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i)
    clock[i].join(other[i]);
}

/// Entries for warps of other blocks, shared between the warps that know the
/// same. Immutable once shared.
struct ForeignClock {
  llvm::DenseMap<uint32_t, std::shared_ptr<const BlockClock>> blocks;
};
using ForeignClockRef = std::shared_ptr<const ForeignClock>;

/// Stands for the launch before, as if it were a block with one warp: known
/// once a thread has waited for it.
constexpr uint32_t kPreviousGrid = 0xfffffff0;

/// What both know; returns one of the two where it knows all of the other.
ForeignClockRef joinClocks(const ForeignClockRef &a, const ForeignClockRef &b);

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_CLOCK_H
