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

Block::Block(Launch &launch) : launch(launch) {
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
  while (warp.running) {
    const Instr &instr = *warp.ip++;
    instr.handler(warp, instr);
  }
}

Block::Progress Block::run() {
  for (;;) {
    bool advanced = false, anyRunnable = false, anyLive = false;
    for (Warp &warp : warps) {
      if (launch.stopped)
        return Failed;
      if (warp.state == Warp::Runnable) {
        warp.spinning = false;
        runWarp(warp);
        if (!warp.spinning) {
          advanced = true;
          noteChange();
        }
      }
      if (warp.state == Warp::Stuck) {
        reportStuck();
        return Failed;
      }
    }
    if (launch.stopped)
      return Failed;
    for (Warp &warp : warps) {
      anyRunnable |= warp.state == Warp::Runnable;
      anyLive |= warp.state != Warp::Exited;
    }
    if (!anyLive)
      return Done;
    if (!anyRunnable) {
      reportStuck();
      return Failed;
    }
    if (!advanced)
      return Waiting;
  }
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
      const auto &own = *arrival.published->blocks.find(linearId)->second;
      for (size_t i = 0; i < joined.size(); ++i)
        joined[i].join(own[i]);
      foreign = joinClocks(foreign, arrival.published);
      continue;
    }
    warp.shareAcquired();
    for (size_t i = 0; i < joined.size(); ++i)
      joined[i].join(warp.known[i]);
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
    warp.foreign = foreign;
    warp.advanceClock();
    warp.state = Warp::Runnable;
  }
  barrier = Barrier();
}

/// A thread that waits, and where.
namespace {
struct WaitingThread {
  uint32_t thread;
  uint32_t op;
  bool atBarrier;
};
} // namespace

static std::vector<WaitingThread> collectWaiting(const Block &block) {
  const Program &program = block.launch.program;
  std::vector<WaitingThread> waiting;
  for (const Warp &warp : block.warps) {
    if (warp.state == Warp::AtBarrier && warp.mask)
      waiting.push_back(
          {warp.getThread(llvm::countr_zero(warp.mask)), warp.waitOp, true});
    for (const LaneGroup &group : warp.groups) {
      const Instr &instr = program.code[group.pc];
      // Barriers need all lanes; shuffles have a result.
      waiting.push_back({warp.getThread(llvm::countr_zero(group.mask)),
                         instr.op, instr.dst == kNoRegister});
    }
  }
  return waiting;
}

void Block::reportStuck() {
  std::vector<WaitingThread> waiting = collectWaiting(*this);
  launch.stopped = true;
  if (waiting.empty())
    return;
  auto describe = [&](const WaitingThread &thread) {
    return launch.describe(linearId, thread.thread, thread.op, "waits here");
  };
  // A shuffle that some lane of its warp never comes to explains the rest.
  for (const WaitingThread &first : waiting) {
    if (first.atBarrier)
      continue;
    std::optional<FindingAccess> other;
    for (const WaitingThread &second : waiting)
      if (&second != &first && second.thread / kLanes == first.thread / kLanes)
        other = describe(second);
    launch.report(FindingKind::InactiveLane,
                  "a lane that the operation needs never comes to it",
                  describe(first), other);
    return;
  }
  for (const WaitingThread &second : waiting)
    if (second.op != waiting.front().op) {
      launch.report(FindingKind::DivergentBarrier,
                    "threads of a block wait at different barriers",
                    describe(waiting.front()), describe(second));
      return;
    }
  for (const Warp &warp : warps) {
    if (uint32_t exited = warp.existing & ~warp.live) {
      launch.report(
          FindingKind::DivergentBarrier,
          "threads wait at a barrier that others have exited without reaching",
          describe(waiting.front()),
          launch.describe(linearId, warp.getThread(llvm::countr_zero(exited)),
                          launch.program.code.back().op, "has exited"));
      return;
    }
  }
  launch.report(FindingKind::Deadlock,
                "the barrier waits for more threads than ever reach it",
                describe(waiting.front()));
}
