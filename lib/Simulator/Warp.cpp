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
  if (mask == live)
    known[id].all = clock;
  else
    known[id].join({0, clock, mask});
  advanceClock();
}

ForeignClockRef Warp::release() {
  auto clocks = foreign ? std::make_shared<ForeignClock>(*foreign)
                        : std::make_shared<ForeignClock>();
  auto own = std::make_shared<BlockClock>(known);
  (*own)[id].join({0, clock, mask});
  clocks->blocks[block->linearId] = std::move(own);
  advanceClock();
  return clocks;
}

void Warp::acquire(const ForeignClockRef &clocks) {
  if (!clocks)
    return;
  auto own = clocks->blocks.find(block->linearId);
  if (own != clocks->blocks.end())
    for (size_t i = 0; i < known.size(); ++i)
      if (i != id)
        known[i].join((*own->second)[i]);
  foreign = joinClocks(foreign, clocks);
}

bool Warp::isOrdered(AccessRecord record, unsigned lane) const {
  uint32_t thread = record.thread();
  uint32_t otherWarp = thread / kLanes, otherLane = thread % kLanes;
  uint32_t otherBlock = record.block();
  if (otherBlock == (block->linearId & AccessRecord::kBlockMask)) {
    if (otherWarp == id && otherLane == lane)
      return true;
    return known[otherWarp].covers(otherLane, record.clock());
  }
  if (!foreign)
    return false;
  auto it = foreign->blocks.find(otherBlock);
  return it != foreign->blocks.end() &&
         (*it->second)[otherWarp].covers(otherLane, record.clock());
}
