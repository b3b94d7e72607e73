//===- ExecuteMbarrier.cpp - Barriers in shared memory -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Phases with parity, arrivals and transaction counts, as the PTX ISA defines
// mbarrier objects. What the object's 8 bytes hold is nobody's business: its
// state is kept beside them.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Counts of an mbarrier, and bytes it can expect, are below this.
static constexpr int64_t kMaxCount = (1 << 20) - 1;

Mbarrier *Block::findMbarrier(uint64_t address) {
  auto it = mbarrierNumbers.find(address);
  if (it == mbarrierNumbers.end() || !mbarriers[it->second].valid)
    return nullptr;
  return &mbarriers[it->second];
}

void Block::completePhase(Mbarrier &mbarrier) {
  if (mbarrier.missing || mbarrier.transactions)
    return;
  auto clocks = mbarrier.published
                    ? std::make_shared<ForeignClock>(*mbarrier.published)
                    : std::make_shared<ForeignClock>();
  auto &slot = clocks->blocks[linearId];
  auto own = slot ? std::make_shared<BlockClock>(*slot)
                  : std::make_shared<BlockClock>();
  // The transactions of all phases until now are known with it.
  size_t entry = warps.size() + (&mbarrier - mbarriers.data());
  own->resize(std::max(own->size(), entry + 1));
  (*own)[entry].all = ++mbarrier.ended;
  slot = std::move(own);
  mbarrier.completed = std::move(clocks);
  mbarrier.published = nullptr;
  mbarrier.missing = mbarrier.expected;
  ++mbarrier.phase;
  noteChange();
}

void mlir::fusion::sim::reportMisuse(Warp &warp, const Instr &instr,
                                     unsigned lane, std::string message) {
  Launch &launch = warp.block->launch;
  launch.report(FindingKind::BarrierMisuse, std::move(message),
                launch.describe(warp.block->linearId, warp.getThread(lane),
                                instr.op, "barrier operation"));
  // The barrier's state means nothing from here on.
  launch.stopped = true;
  warp.running = false;
}

MbarrierPlace mlir::fusion::sim::findMbarrier(Warp &warp, const Instr &instr,
                                              MemoryCursor &cursor,
                                              unsigned lane, uint64_t address) {
  uint64_t own = address;
  Block *owner = warp.block->resolve(own);
  Mbarrier *mbarrier = owner ? owner->findMbarrier(own) : nullptr;
  cursor.allowMbarriers();
  if (mbarrier) {
    if (!cursor.access(lane, address, Mbarrier::kBytes, Mbarrier::kBytes))
      mbarrier = nullptr;
    else
      cursor.checkAfter(lane, mbarrier->initialisation, Mbarrier::kBytes);
  } else if (owner && owner->find(own)) {
    reportMisuse(warp, instr, lane,
                 "no mbarrier was initialised at " + owner->nameOf(own));
  } else {
    cursor.access(lane, address, Mbarrier::kBytes, Mbarrier::kBytes);
    warp.block->launch.stopped = true;
    warp.running = false;
  }
  return {owner, mbarrier};
}

//===----------------------------------------------------------------------===//
// Lifetime
//===----------------------------------------------------------------------===//

static void initialise(Warp &warp, const Instr &instr, unsigned lane,
                       uint64_t address, uint32_t count) {
  Block &block = *warp.block;
  auto [it, isNew] =
      block.mbarrierNumbers.try_emplace(address, block.mbarriers.size());
  if (isNew) {
    if (block.mbarriers.size() == Block::kMaxMbarriers)
      return reportMisuse(warp, instr, lane,
                          "expected at most 1024 mbarriers in a block");
    block.mbarriers.emplace_back().address = address;
    block.mbarriersBegin = std::min(block.mbarriersBegin, address);
    block.mbarriersEnd =
        std::max(block.mbarriersEnd, address + Mbarrier::kBytes);
  }
  Mbarrier &mbarrier = block.mbarriers[it->second];
  if (mbarrier.valid)
    return reportMisuse(warp, instr, lane,
                        "the mbarrier at " + block.nameOf(address) +
                            " is initialised twice");
  if (count == 0 || count > kMaxCount)
    return reportMisuse(warp, instr, lane,
                        "expected 1 to 1048575 arrivals, but got " +
                            std::to_string(count));
  mbarrier.valid = true;
  mbarrier.fenced = false;
  mbarrier.expected = mbarrier.missing = count;
  mbarrier.transactions = 0;
  mbarrier.phase = 0;
  mbarrier.published = mbarrier.completed = nullptr;
  mbarrier.initialisation = AccessRecord::get(
      warp.clock, instr.aux, block.linearId, warp.getThread(lane));
}

void mlir::fusion::sim::executeMbarrierInit(Warp &warp, const Instr &instr) {
  const uint64_t *address = warp.reg<uint64_t>(instr.a);
  const uint32_t *count = warp.reg<uint32_t>(instr.b);
  MemoryCursor cursor(warp, AccessKind::Write, instr.aux, instr.op);
  cursor.allowMbarriers();
  forLanes(warp.mask, [&](unsigned lane) {
    if (!cursor.access(lane, address[lane], Mbarrier::kBytes, Mbarrier::kBytes))
      return;
    cursor.setWritten(Mbarrier::kBytes);
    initialise(warp, instr, lane, address[lane], count[lane]);
  });
  warp.block->noteChange();
}

void mlir::fusion::sim::executeMbarrierInvalidate(Warp &warp,
                                                  const Instr &instr) {
  const uint64_t *address = warp.reg<uint64_t>(instr.a);
  MemoryCursor cursor(warp, AccessKind::Write, instr.aux, instr.op);
  forLanes(warp.mask, [&](unsigned lane) {
    if (Mbarrier *mbarrier =
            findMbarrier(warp, instr, cursor, lane, address[lane]).mbarrier)
      mbarrier->valid = false;
  });
}

void mlir::fusion::sim::executeMbarrierFence(Warp &warp, const Instr &instr) {
  for (Mbarrier &mbarrier : warp.block->mbarriers)
    if (uint32_t thread = mbarrier.initialisation.thread();
        thread / kLanes == warp.id && ((warp.mask >> (thread % kLanes)) & 1))
      mbarrier.fenced = true;
  if (instr.imm & Release)
    warp.fenced = warp.release();
}

//===----------------------------------------------------------------------===//
// Arrivals
//===----------------------------------------------------------------------===//

/// Changes the bytes that the phase waits for.
static void addTransactions(Warp &warp, const Instr &instr, unsigned lane,
                            MbarrierPlace place, int64_t bytes) {
  int64_t &transactions = place.mbarrier->transactions;
  transactions += bytes;
  if (transactions > kMaxCount || transactions < -kMaxCount)
    reportMisuse(warp, instr, lane,
                 "expected a transaction count within 1048575 bytes, but got " +
                     std::to_string(transactions));
}

void mlir::fusion::sim::completeTransactions(Warp &warp, const Instr &instr,
                                             unsigned lane, MbarrierPlace place,
                                             int64_t bytes,
                                             const ForeignClockRef &published) {
  place.mbarrier->published = joinClocks(place.mbarrier->published, published);
  addTransactions(warp, instr, lane, place, -bytes);
  place.owner->completePhase(*place.mbarrier);
}

void mlir::fusion::sim::executeMbarrierArrive(Warp &warp, const Instr &instr) {
  const uint64_t *address = warp.reg<uint64_t>(instr.a);
  MbarrierPlace places[kLanes];
  {
    MemoryCursor cursor(warp, AccessKind::AtomicUpdate, instr.aux, instr.op);
    forLanes(warp.mask, [&](unsigned lane) {
      places[lane] = findMbarrier(warp, instr, cursor, lane, address[lane]);
    });
  }
  // Its own access to the object is among what the arrival publishes.
  ForeignClockRef published;
  if (instr.imm & MbarrierArrives)
    published = instr.imm & MbarrierRelaxed ? warp.fenced : warp.release();
  forLanes(warp.mask, [&](unsigned lane) {
    Mbarrier *mbarrier = places[lane].mbarrier;
    if (!mbarrier)
      return;
    if (instr.dst != kNoRegister)
      warp.reg<uint64_t>(instr.dst)[lane] = mbarrier->phase;
    if (instr.c != kNoRegister) {
      int64_t bytes = warp.reg<uint32_t>(instr.c)[lane];
      addTransactions(warp, instr, lane, places[lane],
                      instr.imm & MbarrierCompletes ? -bytes : bytes);
    }
    if (instr.imm & MbarrierArrives) {
      uint32_t count =
          instr.b == kNoRegister ? 1 : warp.reg<uint32_t>(instr.b)[lane];
      if (count == 0 || count > mbarrier->missing)
        return reportMisuse(
            warp, instr, lane,
            "the phase misses " + std::to_string(mbarrier->missing) +
                " arrivals, but " + std::to_string(count) + " come");
      if (instr.imm & MbarrierDrops)
        mbarrier->expected -= count;
      mbarrier->missing -= count;
      mbarrier->published = joinClocks(mbarrier->published, published);
    }
    places[lane].owner->completePhase(*mbarrier);
  });
}

//===----------------------------------------------------------------------===//
// Waits
//===----------------------------------------------------------------------===//

/// The lanes whose phase has ended; joins what it publishes into `acquired`.
/// Register b holds a parity (i32), or with MbarrierState a phase (i64).
static uint32_t testPhases(Warp &warp, const Instr &instr,
                           ForeignClockRef &acquired) {
  const uint64_t *address = warp.reg<uint64_t>(instr.a);
  MemoryCursor cursor(warp, AccessKind::AtomicRead, instr.aux, instr.op);
  uint32_t ended = 0;
  forLanes(warp.mask, [&](unsigned lane) {
    Mbarrier *mbarrier =
        findMbarrier(warp, instr, cursor, lane, address[lane]).mbarrier;
    if (!mbarrier)
      return;
    bool isEnded =
        instr.imm & MbarrierState
            ? mbarrier->phase != warp.reg<uint64_t>(instr.b)[lane]
            : ((mbarrier->phase ^ warp.reg<uint32_t>(instr.b)[lane]) & 1) != 0;
    if (!isEnded)
      return;
    ended |= 1u << lane;
    acquired = joinClocks(acquired, mbarrier->completed);
  });
  return ended;
}

void mlir::fusion::sim::executeMbarrierTest(Warp &warp, const Instr &instr) {
  ForeignClockRef acquired;
  uint32_t ended = testPhases(warp, instr, acquired);
  uint8_t *dst = warp.reg<uint8_t>(instr.dst);
  uint32_t all = warp.mask;
  forLanes(all, [&](unsigned lane) { dst[lane] = (ended >> lane) & 1; });
  warp.polled = true;
  warp.waitOp = instr.op;
  if (!ended)
    return;
  if (instr.imm & MbarrierRelaxed) {
    warp.unfenced = joinClocks(warp.unfenced, acquired);
    return;
  }
  warp.mask = ended;
  warp.acquire(acquired);
  warp.mask = all;
}

void mlir::fusion::sim::continueLanes(Warp &warp, const Instr &instr,
                                      uint32_t lanes) {
  if (uint32_t rest = warp.mask & ~lanes) {
    uint32_t pc = &instr - warp.block->launch.program.code.data();
    warp.groups.push_back({pc, rest, 0});
    warp.mask = lanes;
  }
}

/// Lanes that wait together leave the loop of the wait together: its branch is
/// uniform in PTX, where lanes that differ are undefined.
static void checkUniform(Warp &warp, const Instr &instr) {
  const uint64_t *address = warp.reg<uint64_t>(instr.a);
  const uint32_t *parity = warp.reg<uint32_t>(instr.b);
  unsigned first = llvm::countr_zero(warp.mask);
  forLanes(warp.mask, [&](unsigned lane) {
    if (warp.running &&
        (address[lane] != address[first] || (parity[lane] ^ parity[first]) & 1))
      reportMisuse(warp, instr, lane,
                   "expected the threads of a warp to wait for the same phase "
                   "of one mbarrier, but others wait at " +
                       warp.block->nameOf(address[first]));
  });
}

void mlir::fusion::sim::executeMbarrierWait(Warp &warp, const Instr &instr) {
  checkUniform(warp, instr);
  if (!warp.running)
    return;
  ForeignClockRef acquired;
  uint32_t ended = testPhases(warp, instr, acquired);
  if (!warp.running)
    return;
  if (!ended)
    return warp.waitAgain(instr);
  continueLanes(warp, instr, ended);
  warp.acquire(acquired);
}
