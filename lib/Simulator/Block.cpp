//===- Block.cpp - Runs the warps of a block ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

Block::Block(Launch &launch, Cluster &cluster, uint32_t rank)
    : launch(launch), cluster(cluster), rank(rank) {
  const Program &program = launch.program;
  unsigned count = llvm::divideCeil(launch.threads, kLanes);
  // Each register file starts with the constants; nothing overwrites them, so
  // one copy serves all blocks that use this object in turn.
  registers.resize(size_t(count) * program.registerBytes + 64);
  auto *base = reinterpret_cast<std::byte *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(registers.data()), 64));
  warps.resize(count);
  for (auto [i, warp] : llvm::enumerate(warps)) {
    warp.block = this;
    warp.id = i;
    warp.regs = base + i * size_t(program.registerBytes);
    std::memcpy(warp.regs, launch.image.data(), launch.image.size());
  }
  for (const SharedBuffer &buffer : program.sharedBuffers)
    shared.push_back(std::make_unique<Range>(kSharedBase + buffer.offset,
                                             buffer.bytes, buffer.name, true));
  if (program.usesDynamicShared)
    shared.push_back(std::make_unique<Range>(
        kSharedBase + program.sharedLayoutBytes, launch.dynamicSharedBytes,
        "dynamic shared memory", true));
  rangeCache.resize(program.accesses.size(), nullptr);
}

void Block::start(uint32_t linear) {
  linearId = linear;
  id = launch.getBlockId(linear);
  published.clear();
  mbarriers.clear();
  mbarrierNumbers.clear();
  mbarriersBegin = ~uint64_t(0);
  mbarriersEnd = 0;
  exited = false;
  exitClock = nullptr;
  for (Barrier &barrier : barriers)
    barrier = Barrier();
  for (auto &range : shared) {
    range->reset();
    range->startEpoch(launch.epoch + 1 + linear, launch.sharedGranuleShift);
  }
  for (Warp &warp : warps) {
    unsigned lanes = std::min(launch.threads - warp.id * kLanes, kLanes);
    warp.existing = lanes == kLanes ? ~0u : (1u << lanes) - 1;
    warp.mask = warp.live = warp.existing;
    warp.ip = launch.program.code.data();
    warp.state = Warp::Runnable;
    warp.groups.clear();
    warp.backEdges = 0;
    warp.polled = warp.spinning = warp.rotated = false;
    warp.waitsForCluster = false;
    warp.loopTurns.clear();
    warp.laneKnown = nullptr;
    warp.clusterArrived = warp.clusterPassed = 0;
    warp.waitOp = 0;
    warp.clock = 1;
    warp.known.assign(warps.size(), ClockEntry());
    warp.foreign = warp.ahead = warp.fenced = warp.unfenced = nullptr;
    warp.aheadMask = 0;
    warp.copies.clear();
    warp.committedGroups.fill(0);
  }
}

Range *Block::find(uint64_t address) const {
  if (address < kSharedBase)
    return launch.memory.find(address);
  for (const auto &range : shared)
    if (range->contains(address, 1))
      return range.get();
  return nullptr;
}

static void runWarp(Warp &warp) {
  warp.running = true;
  warp.turnStart = warp.ip;
  while (warp.running) {
    const Instr &instr = *warp.ip++;
    instr.handler(warp, instr);
  }
}

Block::Step Block::step() {
  bool advanced = false, polling = false, anyLive = false;
  for (Warp &warp : warps) {
    if (launch.stopped)
      break;
    if (warp.state == Warp::Runnable) {
      warp.spinning = warp.waitsForCluster = false;
      runWarp(warp);
      if (!warp.spinning) {
        advanced = true;
        noteChange();
      }
      polling |= warp.spinning && !warp.waitsForCluster;
    }
    anyLive |= warp.state != Warp::Exited;
  }
  if (!anyLive)
    return Exited;
  return advanced ? Advanced : polling ? Polling : Idle;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Block::reportMismatch(const Barrier::Arrival &first,
                           const Barrier::Arrival &second,
                           std::string message) {
  auto describe = [&](const Barrier::Arrival &arrival) {
    return launch.describe(
        linearId, arrival.warp->getThread(llvm::countr_zero(arrival.mask)),
        arrival.op, "waits here");
  };
  launch.report(FindingKind::DivergentBarrier, std::move(message),
                describe(first), describe(second));
  launch.stopped = true;
}

void Block::arrive(Warp &warp, unsigned number, uint32_t expected, uint32_t op,
                   bool wait, bool sameOp) {
  Barrier &barrier = barriers[number];
  Barrier::Arrival arrival{&warp, warp.mask, op, sameOp, nullptr};
  warp.waitOp = op;
  if (wait)
    warp.stop(Warp::AtBarrier);
  else
    arrival.published = warp.release();
  if (barrier.arrivals.empty())
    barrier.expected = expected;
  for (const Barrier::Arrival &other : barrier.arrivals)
    if (sameOp && other.sameOp && other.op != op)
      return reportMismatch(other, arrival,
                            "threads of a block wait at different barriers");
  if (barrier.expected != expected)
    return reportMismatch(barrier.arrivals.front(), arrival,
                          "barrier " + std::to_string(number) + " is for " +
                              std::to_string(barrier.expected) +
                              " threads here but for " +
                              std::to_string(expected) + " elsewhere");
  // Barriers count whole warps: lanes that do not exist arrive with the others,
  // lanes that have exited do not.
  barrier.arrived += kLanes - llvm::popcount(warp.existing & ~warp.mask);
  barrier.arrivals.push_back(std::move(arrival));
  if (barrier.arrived >= barrier.expected)
    complete(barrier);
}

void Block::complete(Barrier &barrier) {
  // What every participant knew or did before, each waiting one knows after.
  BlockClock joined(warps.size());
  ForeignClockRef foreign;
  for (const Barrier::Arrival &arrival : barrier.arrivals) {
    Warp &warp = *arrival.warp;
    if (arrival.published) {
      joinClock(joined, *arrival.published->blocks.find(getKey())->second);
      foreign = joinClocks(foreign, arrival.published);
      continue;
    }
    warp.shareAcquired();
    joinClock(joined, warp.known);
    if (arrival.mask == warp.live)
      joined[warp.id].join({warp.clock, 0, 0});
    else
      joined[warp.id].join({0, warp.clock, arrival.mask});
    foreign = joinClocks(foreign, warp.foreign);
  }
  for (const Barrier::Arrival &arrival : barrier.arrivals) {
    if (arrival.published)
      continue;
    Warp &warp = *arrival.warp;
    warp.known = joined;
    warp.laneKnown = nullptr;
    warp.foreign = foreign;
    warp.advanceClock();
    warp.state = Warp::Runnable;
  }
  barrier = Barrier();
}
