//===- RowExchange.h - Reductions over the threads of a row -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Combines one value a thread over all threads of a row, several values in one
// exchange (a *pack*; their number K is a power of two):
//
//     lanes    a butterfly that halves the values as it doubles the lanes they
//              stand for, so that K values cost K - 1 + log2(lanes / K)
//              shuffles instead of K * log2(lanes); value i then stands in the
//              lanes [i * lanes / K, (i + 1) * lanes / K)
//     warps    every warp shares its sums with all warps of the row:
//              block    slots in shared memory, one barrier
//              cluster  a remote store into the slots of every block, which
//                       counts its bytes at a barrier there
//     warps    every warp combines the slots in the same order
//
// All threads get the same bits: lanes combine the same pairs.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_ROWEXCHANGE_H
#define LIB_SCHEDULERS_INNEROUTER_ROWEXCHANGE_H

#include "KernelContext.h"

namespace mlir::fusion::innerouter {

class RowExchange {
public:
  /// The exchange among as many threads as the schedule gives a row.
  static std::unique_ptr<RowExchange> create(KernelContext &kernel);
  explicit RowExchange(KernelContext &kernel);
  virtual ~RowExchange();

  llvm::ArrayRef<ExchangePack> getPacks() const { return packs; }

  /// Prepares barriers, if there are any; the threads of the row meet after it.
  virtual void emitSetUp() {}
  /// Combines `values`, one for each member of the level's packs in their
  /// order, in tile `iteration`. Returns the totals, which every thread of the
  /// row has. Every thread of the row has by then made its share.
  SmallVector<Value> emit(unsigned level, ArrayRef<Value> values,
                          Value iteration);
  /// True if emit makes the threads of a group meet.
  virtual bool isBarrier() const { return true; }

protected:
  /// Makes the packed values of a level, by number of the pack, known to all
  /// warps of the row.
  virtual void emitShare(unsigned level, ArrayRef<unsigned> numbers,
                         ArrayRef<Value> packed) = 0;
  /// The slot of this group's `entry` (warp of a block of the cluster) and
  /// `member`, both index values.
  SmallVector<Value> getSlot(Value entry, Value member) {
    return {slotSet, kernel.place.group, entry, member};
  }
  unsigned getNumEntries() const {
    return kernel.getWarps() * kernel.schedule.getCluster();
  }
  /// Lanes that a value stands in after a packed butterfly.
  unsigned getLanesPerValue(const ExchangePack &pack) const {
    return lanes / pack.members.size();
  }

  KernelContext &kernel;
  SmallVector<ExchangePack> packs;
  /// By pack: [slot set, group, entry, member] in shared memory; null in a
  /// warp.
  SmallVector<Value> slots;
  /// Which set of slots the exchange in work uses, and the parity of its turns.
  Value slotSet, slotParity;
  /// Lanes of a warp that work on one row.
  unsigned lanes;

private:
  Value emitButterfly(const ExchangePack &pack, ArrayRef<Value> values);
  Value emitSlotSum(const ExchangePack &pack, Value packSlots);
  void emitBroadcast(const ExchangePack &pack, Value packed,
                     SmallVectorImpl<Value> &totals);
  Value combine(const ExchangePack &pack, Value a, Value b);
  Value shuffle(Value value, Value operand, gpu::ShuffleMode mode);
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_ROWEXCHANGE_H
