//===- Memory.h - Simulated memory and its shadow ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every memory is a range of one 64-bit address space: a global allocation, a
// shared buffer of a block. A range keeps its bytes, one bit for each byte that
// was written, and, per launch (shared: per block), one shadow cell for each
// granule with the last write and up to two unordered reads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_MEMORY_H
#define FUSION_LIB_SIMULATOR_MEMORY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir::fusion::sim {

/// Global allocations lie in [kGlobalBase, kSharedBase), the shared memory of
/// the block that looks at it from kSharedBase on, and that of the block with
/// rank r of its cluster, for all of them, kClusterStride * r from kClusterBase
/// on.
constexpr uint64_t kGlobalBase = uint64_t(1) << 44;
constexpr uint64_t kSharedBase = uint64_t(1) << 60;
constexpr uint64_t kClusterBase = uint64_t(1) << 61;
constexpr uint64_t kClusterStride = uint64_t(1) << 32;
/// Bytes of shadow that are allocated and locked together.
constexpr unsigned kPageShift = 12;

/// Who accessed a granule, packed: clock 22 bits, site 12, block 18, thread 10,
/// atomic 1, asynchronous 1. 0 is nobody: clocks start at 1. An asynchronous
/// access is that of a transaction of an mbarrier: the block is the mbarrier's,
/// the thread its number there, the clock that of the phase which it ends in;
/// or, with clock 0, a copy of that thread that nobody has waited for yet.
struct AccessRecord {
  uint64_t bits = 0;
  static constexpr uint32_t kMaxClock = (1u << 22) - 1;
  static constexpr uint32_t kMaxSite = (1u << 12) - 1;
  static constexpr uint32_t kMaxThreads = 1u << 10;
  static constexpr uint32_t kBlockMask = (1u << 18) - 1;

  static AccessRecord get(uint32_t clock, uint32_t site, uint32_t block,
                          uint32_t thread) {
    return {uint64_t(clock) << 42 | uint64_t(std::min(site, kMaxSite)) << 30 |
            uint64_t(block & kBlockMask) << 12 | uint64_t(thread) << 2};
  }
  explicit operator bool() const { return bits != 0; }
  uint32_t clock() const { return bits >> 42; }
  uint32_t site() const { return (bits >> 30) & kMaxSite; }
  uint32_t block() const { return (bits >> 12) & kBlockMask; }
  uint32_t thread() const { return (bits >> 2) & 1023; }
  bool isAtomic() const { return bits & 1; }
  bool isAsync() const { return bits & 2; }
  /// An asynchronous copy that nobody has waited for yet.
  bool isPending() const { return isAsync() && clock() == 0; }
  /// The same access as one that nobody has waited for.
  AccessRecord asPending() const {
    return {(bits & ((uint64_t(1) << 42) - 1)) | 2};
  }
  /// The same place, accessed by a transaction.
  AccessRecord asAsync() const { return {bits | 2}; }
  /// True if both are of one thread, which did one after the other.
  bool sameThread(AccessRecord other) const {
    return !isAsync() && !other.isAsync() &&
           ((bits ^ other.bits) & (((uint64_t(1) << 28) - 1) << 2)) == 0;
  }
};

/// The recent accesses to one granule.
struct ShadowCell {
  AccessRecord write;
  AccessRecord reads[2];
};

/// The shadow cells of a page, made when first needed in a launch.
struct ShadowPage {
  std::atomic<uint8_t> lock{0};
  uint64_t epoch = 0;
  std::unique_ptr<ShadowCell[]> cells;
};

/// A range of memory with its shadow.
class Range {
public:
  Range(uint64_t base, size_t bytes, std::string name, bool shared);

  uint64_t getBase() const { return base; }
  size_t getBytes() const { return bytes; }
  llvm::StringRef getName() const { return name; }
  bool isShared() const { return shared; }
  std::byte *getData(size_t offset) { return data.get() + offset; }
  bool contains(uint64_t address, size_t count) const {
    return address >= base && count <= bytes && address - base <= bytes - count;
  }

  /// Marks bytes as written.
  void setWritten(size_t offset, size_t count);
  /// The first byte of [offset, offset + count) that nothing has written, or
  /// offset + count.
  size_t findUnwritten(size_t offset, size_t count) const;
  /// Copies bytes, and whether they were written, from a place of `source` or
  /// of this.
  void copyFrom(size_t offset, const Range &source, size_t from, size_t count);
  /// Makes all bytes uninitialised again.
  void reset();

  /// Starts a new period of race detection: earlier accesses are forgotten.
  void startEpoch(uint64_t newEpoch, unsigned newGranuleShift);
  unsigned getGranuleShift() const { return granuleShift; }
  ShadowPage &getPage(size_t offset) { return pages[offset >> kPageShift]; }
  /// The cell of the granule at `offset`. Its page is locked, or nobody else
  /// looks at this range.
  ShadowCell &getCell(size_t offset);
  /// Calls `visit(offset, cell)` for each cell that was used in this period.
  void forEachCell(
      llvm::function_ref<void(size_t offset, const ShadowCell &cell)> visit)
      const;

  /// Keeps the cells of the period that ends as those of the launch before.
  void keepPrevious();
  void dropPrevious() { previousPages.reset(); }
  /// The cell of the granule at `offset` in the launch before; null if it did
  /// not come near.
  const ShadowCell *getPreviousCell(size_t offset) const;

private:
  uint64_t base;
  size_t bytes;
  std::string name;
  bool shared;
  std::unique_ptr<std::byte[]> data;
  /// One bit per byte, little-endian in each word.
  std::unique_ptr<uint8_t[]> written;
  bool allWritten = false;
  uint64_t epoch = 0;
  unsigned granuleShift = 2;
  std::unique_ptr<ShadowPage[]> pages;
  /// Of the launch before, where this one may overlap it.
  std::unique_ptr<ShadowPage[]> previousPages;
  uint64_t previousEpoch = 0;
  unsigned previousShift = 0;
};

/// The global allocations, ordered by address with gaps between them.
class GlobalMemory {
public:
  /// Null if the host has no memory left.
  Range *allocate(size_t bytes, std::string name);
  bool free(uint64_t address);
  /// The range that holds `address`, or null.
  Range *find(uint64_t address) const;
  /// The range closest below `address`, or null; for error messages.
  Range *findBelow(uint64_t address) const;
  /// Starts a new period of race detection in all allocations, with the unit
  /// that `getGranuleShift` gives.
  void startEpoch(uint64_t epoch,
                  llvm::function_ref<unsigned(const Range &)> getGranuleShift);
  void keepPrevious();
  void dropPrevious();

private:
  std::map<uint64_t, std::unique_ptr<Range>> ranges;
  uint64_t next = kGlobalBase;
  unsigned count = 0;
};

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_MEMORY_H
