//===- Warp.cpp - Divergence and logical time of a warp -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

void Warp::stop(State newState) {
  running = false;
  state = newState;
}

/// Removes the groups at `pc` that are `waiting` or not and returns their
/// lanes.
static uint32_t takeGroups(Warp &warp, uint32_t pc, bool waiting) {
  uint32_t mask = 0;
  llvm::erase_if(warp.groups, [&](const LaneGroup &group) {
    if (group.pc != pc || (group.needed != 0) != waiting)
      return false;
    mask |= group.mask;
    return true;
  });
  return mask;
}

void Warp::schedule() {
  const Instr *code = block->launch.program.code.data();
  const LaneGroup *next = nullptr;
  for (const LaneGroup &group : groups)
    if (!group.needed && (!next || group.pc < next->pc))
      next = &group;
  // Lanes that exited may have been the last ones others waited for.
  if (!next)
    for (const LaneGroup &group : groups)
      if (!(group.needed & live & ~group.mask))
        next = &group;
  if (next) {
    uint32_t pc = next->pc;
    mask = takeGroups(*this, pc, next->needed != 0);
    ip = code + pc;
    rotated = false;
    return;
  }
  mask = 0;
  stop(live ? Stuck : Exited);
}

void Warp::rotateGroups() {
  for (size_t i = 0; i < groups.size(); ++i) {
    LaneGroup next = groups[i];
    if (next.needed)
      continue;
    const Instr *code = block->launch.program.code.data();
    groups.erase(groups.begin() + i);
    groups.push_back({uint32_t(ip - code), mask, 0});
    mask = next.mask;
    ip = code + next.pc;
    rotated = true;
    return;
  }
}

void Warp::waitAgain(const Instr &instr) {
  ip = &instr;
  waitOp = instr.op;
  // What the warp did before it came here is progress.
  spinning = waitsForCluster = turnStart == &instr;
  rotateGroups();
  running = false;
}

bool Warp::converge(const Instr &instr, uint32_t needed) {
  needed &= live;
  uint32_t pc = &instr - block->launch.program.code.data();
  if (!groups.empty())
    mask |= takeGroups(*this, pc, /*waiting=*/true);
  if (!(needed & ~mask))
    return true;
  groups.push_back({pc, mask, needed});
  schedule();
  return false;
}

//===----------------------------------------------------------------------===//
// Logical time
//===----------------------------------------------------------------------===//

void Warp::advanceClock() {
  if (clock < AccessRecord::kMaxClock) {
    ++clock;
    return;
  }
  Launch &launch = block->launch;
  unsigned lane = mask ? llvm::countr_zero(mask) : 0;
  launch.report(
      FindingKind::LimitExceeded,
      "expected at most 4194303 synchronisations of a warp in one launch",
      launch.describe(block->linearId, getThread(lane), waitOp,
                      "synchronisation"));
  launch.stopped = true;
}

void Warp::synchronizeLanes() {
  if (mask == live) {
    known[id].all = clock;
    shareAcquired();
  } else {
    known[id].join({0, clock, mask});
    aheadMask |= ahead ? mask : 0;
  }
  advanceClock();
}

/// Takes what `clocks` says about the warp's own block over into `known`.
static void joinOwnBlock(Warp &warp, const ForeignClockRef &clocks) {
  auto own = clocks->blocks.find(warp.block->linearId);
  if (own != clocks->blocks.end())
    joinClock(warp.known, *own->second);
}

void Warp::shareAcquired() {
  if (!ahead)
    return;
  joinOwnBlock(*this, ahead);
  foreign = joinClocks(foreign, ahead);
  ahead = nullptr;
  aheadMask = 0;
}

ForeignClockRef Warp::release() {
  ForeignClockRef base = foreign;
  if (aheadMask & mask)
    base = joinClocks(base, ahead);
  auto clocks = base ? std::make_shared<ForeignClock>(*base)
                     : std::make_shared<ForeignClock>();
  auto own = std::make_shared<BlockClock>(known);
  auto &slot = clocks->blocks[block->linearId];
  if (slot)
    joinClock(*own, *slot);
  (*own)[id].join({0, clock, mask});
  slot = std::move(own);
  advanceClock();
  return clocks;
}

void Warp::acquire(const ForeignClockRef &clocks) {
  if (!clocks)
    return;
  if (mask == live) {
    joinOwnBlock(*this, clocks);
    foreign = joinClocks(foreign, clocks);
    return;
  }
  // The lanes that are ahead are kept as one set: united, they may hide a
  // missing synchronisation between two lanes that both acquired.
  ahead = joinClocks(ahead, clocks);
  aheadMask |= mask;
}

/// The entry that says whether an access is known, and of which lane.
static std::pair<size_t, unsigned> getEntry(const Warp &warp,
                                            AccessRecord record) {
  if (record.isAsync())
    return {warp.block->warps.size() + record.thread(), 0};
  return {record.thread() / kLanes, record.thread() % kLanes};
}

bool Warp::isOrdered(AccessRecord record, unsigned lane) const {
  if (record.isPending())
    return false;
  auto [entry, otherLane] = getEntry(*this, record);
  auto covers = [&, entry = entry,
                 otherLane = otherLane](const BlockClock &clocks) {
    return entry < clocks.size() &&
           clocks[entry].covers(otherLane, record.clock());
  };
  uint32_t otherBlock = record.block();
  bool isOwnBlock = otherBlock == (block->linearId & AccessRecord::kBlockMask);
  if (isOwnBlock) {
    if (entry == id && otherLane == lane)
      return true;
    if (covers(known))
      return true;
  }
  auto isKnown = [&](const ForeignClockRef &clocks) {
    auto it = clocks->blocks.find(otherBlock);
    return it != clocks->blocks.end() && covers(*it->second);
  };
  if (!isOwnBlock && foreign && isKnown(foreign))
    return true;
  return ((aheadMask >> lane) & 1) && isKnown(ahead);
}

bool Warp::hasWaitedForPrevious(unsigned lane) const {
  auto isKnown = [](const ForeignClockRef &clocks) {
    return clocks && clocks->blocks.count(kPreviousGrid);
  };
  return isKnown(foreign) || (((aheadMask >> lane) & 1) && isKnown(ahead));
}
