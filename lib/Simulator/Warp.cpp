//===- Warp.cpp - Divergence and logical time of a warp -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "Operations.h"
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

/// The lanes that wait together with `group`: at bar.warp.sync those that name
/// the same lanes, wherever they are.
static uint32_t getCompanions(const Warp &warp, const LaneGroup &group) {
  const Instr *code = warp.block->launch.program.code.data();
  if (code[group.pc].handler != &executeSyncWarp)
    return group.mask;
  uint32_t mask = 0;
  for (const LaneGroup &other : warp.groups)
    if (other.needed == group.needed &&
        code[other.pc].handler == &executeSyncWarp)
      mask |= other.mask;
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
      if (!(group.needed & live & ~getCompanions(*this, group)))
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

void Warp::synchronizeMembers(const Instr &instr, uint32_t members) {
  const Instr *code = block->launch.program.code.data();
  uint32_t pc = &instr - code;
  groups.push_back({pc, mask, members});
  uint32_t together = getCompanions(*this, groups.back());
  if (members & live & ~together)
    return schedule();
  // The others go on behind the place where they waited.
  for (LaneGroup &group : groups)
    if (group.needed == members && group.pc != pc &&
        code[group.pc].handler == &executeSyncWarp)
      group = {group.pc + 1, group.mask, 0};
  llvm::erase_if(groups, [&](const LaneGroup &group) {
    if (group.pc != pc || group.needed != members)
      return false;
    mask |= group.mask;
    return true;
  });
  synchronizeLanes(together);
}

void Warp::countTurn(uint32_t lanes, uint32_t head, uint32_t last) {
  const std::vector<uint32_t> &barriers = block->launch.program.barriers;
  auto barrier = llvm::lower_bound(barriers, head);
  if (barrier == barriers.end() || *barrier > last)
    return;
  // The loops inside are entered anew.
  LoopTurns *known = nullptr;
  for (LoopTurns &loop : loopTurns) {
    if (loop.head == head)
      known = &loop;
    else if (loop.head > head && loop.last < last)
      forLanes(lanes, [&](unsigned lane) { loop.turns[lane] = 0; });
  }
  if (lanes == live)
    return; // all lanes alike
  if (!known)
    known = &loopTurns.emplace_back(LoopTurns{head, last, {}});
  known->last = std::max(known->last, last);
  forLanes(lanes, [&](unsigned lane) { ++known->turns[lane]; });
}

std::optional<std::pair<unsigned, unsigned>>
Warp::findDifferentTurns(uint32_t pc) const {
  unsigned first = llvm::countr_zero(mask);
  for (const LoopTurns &loop : loopTurns)
    for (unsigned lane = first; lane < kLanes; ++lane)
      if (loop.head <= pc && pc <= loop.last && ((mask >> lane) & 1) &&
          loop.turns[lane] != loop.turns[first])
        return std::pair(first, lane);
  return std::nullopt;
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

/// What any of `lanes` knows of each lane.
static std::array<uint32_t, kLanes> getKnown(const LaneClocks &clocks,
                                             uint32_t lanes) {
  std::array<uint32_t, kLanes> joined{};
  forLanes(lanes, [&](unsigned lane) {
    for (unsigned other = 0; other < kLanes; ++other)
      joined[other] = std::max(joined[other], clocks[lane][other]);
  });
  return joined;
}

void Warp::synchronizeLanes(uint32_t lanes) {
  if (lanes == existing) {
    known[id].all = clock;
    laneKnown = nullptr;
  } else {
    if (!laneKnown)
      laneKnown = std::make_unique<LaneClocks>();
    std::array<uint32_t, kLanes> joined = getKnown(*laneKnown, lanes);
    forLanes(lanes, [&](unsigned lane) { joined[lane] = clock; });
    forLanes(lanes, [&](unsigned lane) { (*laneKnown)[lane] = joined; });
  }
  if (lanes == live)
    shareAcquired();
  else if (aheadMask & lanes)
    aheadMask |= lanes;
  advanceClock();
}

/// Takes what `clocks` says about the warp's own block over into `known`.
static void joinOwnBlock(Warp &warp, const ForeignClockRef &clocks) {
  auto own = clocks->blocks.find(warp.block->getKey());
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
  auto &slot = clocks->blocks[block->getKey()];
  if (slot)
    joinClock(*own, *slot);
  (*own)[id].join({0, clock, mask});
  if (laneKnown) {
    std::array<uint32_t, kLanes> joined = getKnown(*laneKnown, mask);
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (joined[lane])
        (*own)[id].join({0, joined[lane], 1u << lane});
  }
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
  bool isOwnBlock = otherBlock == block->getKey();
  if (isOwnBlock) {
    if (entry == id && otherLane == lane)
      return true;
    if (covers(known))
      return true;
    if (entry == id && laneKnown &&
        record.clock() <= (*laneKnown)[lane][otherLane])
      return true;
  }
  auto isKnown = [&](const ForeignClockRef &clocks) {
    auto it = clocks->blocks.find(otherBlock);
    return it != clocks->blocks.end() && covers(*it->second);
  };
  // It may be of another block that looks like this one.
  bool mayBeOther =
      !isOwnBlock || block->launch.blocks > AccessRecord::kBlockMask + 1;
  if (mayBeOther && foreign && isKnown(foreign))
    return true;
  return ((aheadMask >> lane) & 1) && isKnown(ahead);
}

bool Warp::hasWaitedForPrevious(unsigned lane) const {
  auto isKnown = [](const ForeignClockRef &clocks) {
    return clocks && clocks->blocks.count(kPreviousGrid);
  };
  return isKnown(foreign) || (((aheadMask >> lane) & 1) && isKnown(ahead));
}
