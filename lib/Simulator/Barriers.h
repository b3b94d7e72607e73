//===- Barriers.h - Pieces of handlers of barriers -----------------*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_BARRIERS_H
#define FUSION_LIB_SIMULATOR_BARRIERS_H

#include "MemoryCursor.h"

namespace mlir::fusion::sim {

/// An mbarrier and the block whose shared memory it is in.
struct MbarrierPlace {
  Block *owner = nullptr;
  /// Null if there is none, which was reported.
  Mbarrier *mbarrier = nullptr;
};

/// Finds the mbarrier at `address` and enters the access of `cursor` to it.
MbarrierPlace findMbarrier(Warp &warp, const Instr &instr, MemoryCursor &cursor,
                           unsigned lane, uint64_t address);

/// Counts `bytes` bytes of transactions as come, with what they publish.
void completeTransactions(Warp &warp, const Instr &instr, unsigned lane,
                          MbarrierPlace place, int64_t bytes,
                          const ForeignClockRef &published);

/// Reports a use of a barrier that the ISA does not define, and ends the
/// launch.
void reportMisuse(Warp &warp, const Instr &instr, unsigned lane,
                  std::string message);

/// Reports that `lane` executes an operation with a mask that leaves it out,
/// which the ISA does not define, and ends the launch.
void reportLeftOut(Warp &warp, const Instr &instr, unsigned lane,
                   uint32_t members);

/// Lets `lanes` of those that run go on; the others come back to `instr`.
void continueLanes(Warp &warp, const Instr &instr, uint32_t lanes);

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_BARRIERS_H
