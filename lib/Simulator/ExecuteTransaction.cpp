//===- ExecuteTransaction.cpp - Copies that an mbarrier counts ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bulk copies and asynchronous stores into the shared memory of a cluster. The
// bytes move at once; that the target may not be touched before the mbarrier's
// phase has ended and been waited for is the shadow's to say.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include <cstring>

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

namespace {
/// The transactions that the lanes start with one instruction.
class Transactions {
public:
  Transactions(Warp &warp, const Instr &instr, uint32_t targetSite,
               uint32_t mbarrierSite)
      : warp(warp), instr(instr), targetSite(targetSite),
        mbarriers(warp, AccessKind::AtomicUpdate, mbarrierSite, instr.op),
        writes(warp, AccessKind::Write, targetSite, instr.op) {}

  /// Starts a transaction of `bytes` bytes into `target`. Returns where they
  /// go; null if they cannot, which was reported.
  std::byte *start(unsigned lane, uint64_t target, uint64_t mbarrier,
                   uint32_t bytes, uint32_t alignment);
  /// The bytes of the latest transaction are there.
  void setWritten(uint32_t bytes) { writes.setWritten(bytes); }
  /// How others see the accesses of the latest transaction.
  AccessRecord getRecord() const { return record; }
  /// Lets the mbarriers know of all of them.
  void finish();

private:
  struct Transaction {
    MbarrierPlace place;
    unsigned lane;
    uint32_t bytes;
  };

  Warp &warp;
  const Instr &instr;
  uint32_t targetSite;
  MemoryCursor mbarriers, writes;
  AccessRecord record;
  llvm::SmallVector<Transaction, 32> started;
};
} // namespace

std::byte *Transactions::start(unsigned lane, uint64_t target,
                               uint64_t mbarrier, uint32_t bytes,
                               uint32_t alignment) {
  MbarrierPlace place = findMbarrier(warp, instr, mbarriers, lane, mbarrier);
  if (!place.mbarrier)
    return nullptr;
  uint64_t own = target;
  if (warp.block->resolve(own) != place.owner) {
    reportMisuse(warp, instr, lane,
                 "expected the mbarrier in the block that the bytes go to");
    return nullptr;
  }
  if (!place.mbarrier->fenced) {
    reportMisuse(warp, instr, lane,
                 "no fence of the thread that initialised the mbarrier makes "
                 "it visible to asynchronous copies");
    return nullptr;
  }
  place.mbarrier->issuerBlock = warp.block->linearId;
  place.mbarrier->issuerThread = warp.getThread(lane);
  uint32_t number = place.mbarrier - place.owner->mbarriers.data();
  record = AccessRecord::get(place.mbarrier->ended + 1, targetSite,
                             place.owner->linearId, number)
               .asAsync();
  started.push_back({place, lane, bytes});
  writes.setTransaction(record);
  return writes.access(lane, target, bytes, alignment);
}

void Transactions::finish() {
  if (started.empty())
    return;
  ForeignClockRef published = warp.release();
  for (const Transaction &transaction : started)
    completeTransactions(warp, instr, transaction.lane, transaction.place,
                         transaction.bytes, published);
  warp.block->noteChange();
}

void mlir::fusion::sim::executeBulkCopy(Warp &warp, const Instr &instr) {
  constexpr uint32_t unit = 16;
  const auto &accesses = warp.block->launch.program.accesses;
  const uint64_t *to = warp.reg<uint64_t>(accesses[instr.aux].base);
  const uint64_t *from = warp.reg<uint64_t>(accesses[instr.aux + 1].base);
  const uint64_t *mbarrier = warp.reg<uint64_t>(accesses[instr.aux + 2].base);
  const uint32_t *size = warp.reg<uint32_t>(instr.a);
  Launch &launch = warp.block->launch;
  Transactions transactions(warp, instr, instr.aux, instr.aux + 2);
  MemoryCursor reads(warp, AccessKind::Read, instr.aux + 1, instr.op);
  forLanes(warp.mask, [&](unsigned lane) {
    if (size[lane] == 0 || size[lane] % unit) {
      launch.report(FindingKind::MisalignedAccess,
                    "expected a positive multiple of 16 bytes, but got " +
                        std::to_string(size[lane]),
                    launch.describe(warp.block->linearId, warp.getThread(lane),
                                    instr.op, "bulk copy"));
      launch.stopped = true;
      warp.running = false;
      return;
    }
    std::byte *target =
        transactions.start(lane, to[lane], mbarrier[lane], size[lane], unit);
    reads.setTransaction(transactions.getRecord());
    if (!warp.running)
      return;
    const std::byte *source = reads.access(lane, from[lane], size[lane], unit);
    if (target && source)
      std::memcpy(target, source, size[lane]);
    if (target)
      transactions.setWritten(size[lane]);
  });
  transactions.finish();
}

void mlir::fusion::sim::executeAsyncStore(Warp &warp, const Instr &instr) {
  const auto &accesses = warp.block->launch.program.accesses;
  const uint64_t *to = warp.reg<uint64_t>(accesses[instr.aux].base);
  const uint64_t *mbarrier = warp.reg<uint64_t>(accesses[instr.aux + 1].base);
  uint32_t elementBytes = accesses[instr.aux].elementBytes;
  uint32_t bytes = accesses[instr.aux].getBytes();
  const std::byte *values = warp.reg<std::byte>(instr.a);
  Transactions transactions(warp, instr, instr.aux, instr.aux + 1);
  forLanes(warp.mask, [&](unsigned lane) {
    std::byte *target =
        transactions.start(lane, to[lane], mbarrier[lane], bytes, bytes);
    if (!target)
      return;
    for (uint32_t e = 0; e < instr.n; ++e)
      std::memcpy(target + e * elementBytes,
                  values + (e * kLanes + lane) * elementBytes, elementBytes);
    transactions.setWritten(bytes);
  });
  transactions.finish();
}
