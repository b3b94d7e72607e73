//===- MemoryCursor.h - Checked accesses of a warp --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_MEMORYCURSOR_H
#define FUSION_LIB_SIMULATOR_MEMORYCURSOR_H

#include "Lanes.h"
#include "Operations.h"

namespace mlir::fusion::sim {

enum class AccessKind { Read, Write, AtomicRead, AtomicWrite, AtomicUpdate };

inline bool isAtomic(AccessKind kind) { return kind >= AccessKind::AtomicRead; }
/// True if the access leaves memory as it is.
inline bool onlyReads(AccessKind kind) {
  return kind == AccessKind::Read || kind == AccessKind::AtomicRead;
}
/// True if the access uses what is there.
inline bool usesOldValue(AccessKind kind) {
  return onlyReads(kind) || kind == AccessKind::AtomicUpdate;
}

/// Checks the accesses that the lanes of a warp make for one instruction, and
/// keeps the shadow pages of the latest one locked until the next one or its
/// own end, so that the bytes can be moved meanwhile.
class MemoryCursor {
public:
  /// `site` is the index in Program::accesses, `op` the operation to blame.
  MemoryCursor(Warp &warp, AccessKind kind, uint32_t site, uint32_t op)
      : warp(warp), launch(warp.block->launch), kind(kind), site(site), op(op) {
  }
  ~MemoryCursor() { unlock(); }

  /// Checks an access of `bytes` bytes at `address`, which must be a multiple
  /// of `alignment`, and enters it in the shadow. Returns where the bytes are;
  /// null if there are none there, which is then a finding.
  std::byte *access(unsigned lane, uint64_t address, uint32_t bytes,
                    uint32_t alignment);
  /// Makes the accesses that follow those of a transaction, which others enter
  /// in the shadow as `record`.
  void setTransaction(AccessRecord record) { transaction = record; }
  /// Checks that `write`, which made what the latest access of `bytes` bytes
  /// found, comes before it.
  void checkAfter(unsigned lane, AccessRecord write, uint32_t bytes) {
    lastBytes = bytes;
    checkRace(lane, write, AccessKind::Write);
  }
  /// Allows accesses to bytes of an mbarrier.
  void allowMbarriers() { mbarriersAllowed = true; }
  /// Marks the bytes of the latest access as written.
  void setWritten(uint32_t bytes) { range->setWritten(offset, bytes); }
  /// Marks the latest access as one that completes later.
  void setPending(uint32_t bytes);
  Range *getRange() const { return range; }
  size_t getOffset() const { return offset; }

private:
  Warp &warp;
  Launch &launch;
  AccessKind kind;
  uint32_t site;
  uint32_t op;
  AccessRecord transaction;
  bool mbarriersAllowed = false;
  Range *range = nullptr;
  /// The block whose shared memory the range is.
  Block *owner = nullptr;
  size_t offset = 0;
  size_t firstPage = 1, lastPage = 0;
  bool locked = false;

  void lock(uint32_t bytes);
  void unlock();
  bool checkAddress(unsigned lane, uint64_t address, uint32_t bytes,
                    uint32_t alignment);
  void reportOutOfBounds(unsigned lane, uint64_t address, uint32_t bytes,
                         Range *near);
  void checkMbarriers(unsigned lane, uint64_t address, uint32_t bytes);
  void checkPrevious(unsigned lane, uint32_t bytes);
  void checkRaces(unsigned lane, uint32_t bytes);
  void checkRace(unsigned lane, AccessRecord other, AccessKind otherKind);
  void reportRace(unsigned lane, AccessRecord other, AccessKind otherKind);
  void reportUnwritten(unsigned lane, size_t missing, uint32_t bytes);
  FindingAccess describe(unsigned lane, uint32_t bytes) const;
  FindingAccess describeOther(AccessRecord other, AccessKind otherKind) const;
  std::string nameOf(size_t at) const;
  uint32_t lastBytes = 0;
};

/// Computes the addresses of `access` for all lanes.
void computeAddresses(const Warp &warp, const MemoryAccess &access,
                      uint64_t (&addresses)[kLanes]);

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_MEMORYCURSOR_H
