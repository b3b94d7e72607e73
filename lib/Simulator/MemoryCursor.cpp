//===- MemoryCursor.cpp - Checked accesses of a warp ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryCursor.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

void mlir::fusion::sim::computeAddresses(const Warp &warp,
                                         const MemoryAccess &access,
                                         uint64_t (&addresses)[kLanes]) {
  const uint64_t *base = warp.reg<uint64_t>(access.base);
  uint64_t fixed = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    addresses[lane] = base[lane];
  for (const MemoryAccess::Term &term : access.terms) {
    uint64_t scale = uint64_t(term.stride.constant) * access.elementBytes;
    if (term.index.isConstant() && term.stride.isConstant()) {
      fixed += uint64_t(term.index.constant) * scale;
      continue;
    }
    if (term.stride.isConstant()) {
      const uint64_t *index = warp.reg<uint64_t>(term.index.reg);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        addresses[lane] += index[lane] * scale;
      continue;
    }
    const uint64_t *stride = warp.reg<uint64_t>(term.stride.reg);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint64_t index = term.index.isConstant()
                           ? uint64_t(term.index.constant)
                           : warp.reg<uint64_t>(term.index.reg)[lane];
      addresses[lane] += index * stride[lane] * access.elementBytes;
    }
  }
  for (unsigned lane = 0; fixed && lane < kLanes; ++lane)
    addresses[lane] += fixed;
}

//===----------------------------------------------------------------------===//
// Locking
//===----------------------------------------------------------------------===//

void MemoryCursor::lock(uint32_t bytes) {
  size_t first = offset >> kPageShift;
  size_t last = (offset + bytes - 1) >> kPageShift;
  if (locked && firstPage == first && lastPage == last)
    return;
  unlock();
  firstPage = first;
  lastPage = last;
  locked = true;
  // In ascending order and nothing else held, so no two wait for each other.
  for (size_t page = first; page <= last; ++page) {
    std::atomic<uint8_t> &flag = range->getPage(page << kPageShift).lock;
    while (flag.exchange(1, std::memory_order_acquire))
      while (flag.load(std::memory_order_relaxed))
        ;
  }
}

void MemoryCursor::unlock() {
  if (!locked)
    return;
  for (size_t page = firstPage; page <= lastPage; ++page)
    range->getPage(page << kPageShift).lock.store(0, std::memory_order_release);
  locked = false;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static llvm::StringRef getName(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::AtomicRead:
    return "atomic read";
  case AccessKind::AtomicWrite:
    return "atomic write";
  case AccessKind::AtomicUpdate:
    return "atomic update";
  }
  return "access";
}

FindingAccess MemoryCursor::describe(unsigned lane, uint32_t bytes) const {
  return launch.describe(warp.block->linearId, warp.getThread(lane), op,
                         (getName(kind) + " of " + llvm::Twine(bytes) +
                          (bytes == 1 ? " byte" : " bytes"))
                             .str());
}

static std::string nameOf(const Range &range, size_t offset) {
  return ("byte " + llvm::Twine(offset) + " of " + range.getName()).str();
}

void MemoryCursor::reportRace(unsigned lane, AccessRecord other,
                              AccessKind otherKind) {
  std::string action =
      (other.isAtomic() ? "atomic " : "") + getName(otherKind).str();
  if (other.isAsync())
    action = "asynchronous copy that has not been waited for";
  uint32_t otherSite = other.site();
  uint32_t otherOp = op;
  if (otherSite < AccessRecord::kMaxSite)
    otherOp = launch.program.accessOps[otherSite];
  else
    action += " at one of the kernel's later accesses";
  launch.report(FindingKind::DataRace,
                "nothing orders two accesses to " + nameOf(*range, offset) +
                    " in " + (range->isShared() ? "shared" : "global") +
                    " memory",
                describe(lane, lastBytes),
                launch.describe(other.block(), other.thread(), otherOp,
                                std::move(action)));
}

void MemoryCursor::reportUnwritten(unsigned lane, size_t missing,
                                   uint32_t bytes) {
  launch.report(FindingKind::UninitializedRead,
                "nothing has written " + nameOf(*range, missing),
                describe(lane, bytes));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

bool MemoryCursor::checkAddress(unsigned lane, uint64_t address, uint32_t bytes,
                                uint32_t alignment) {
  Range *&cached = warp.block->rangeCache[site];
  Range *found = cached;
  if (LLVM_UNLIKELY(!found || !found->contains(address, bytes))) {
    found = warp.block->find(address);
    if (!found || !found->contains(address, bytes)) {
      std::string message;
      Range *near = found ? found : launch.memory.findBelow(address);
      if (address >= kSharedBase)
        for (const auto &range : warp.block->shared)
          if (range->getBase() <= address)
            near = range.get();
      if (near)
        message = nameOf(*near, address - near->getBase()) + ", which has " +
                  std::to_string(near->getBytes()) + " bytes";
      else
        message = "address 0x" + llvm::utohexstr(address) +
                  " belongs to no allocation";
      launch.report(FindingKind::OutOfBounds, std::move(message),
                    describe(lane, bytes));
      return false;
    }
    cached = found;
  }
  if (LLVM_UNLIKELY(address & (alignment - 1))) {
    launch.report(FindingKind::MisalignedAccess,
                  nameOf(*found, address - found->getBase()) +
                      " is at an address that is no multiple of " +
                      std::to_string(alignment),
                  describe(lane, bytes));
    return false;
  }
  if (found != range) {
    unlock();
    range = found;
  }
  offset = address - range->getBase();
  return true;
}

void MemoryCursor::checkRace(unsigned lane, AccessRecord other,
                             AccessKind otherKind) {
  if (!other)
    return;
  if (isAtomic(kind) && other.isAtomic())
    return;
  if (other.isAsync() || !warp.isOrdered(other, lane))
    reportRace(lane, other, otherKind);
}

void MemoryCursor::checkRaces(unsigned lane, uint32_t bytes) {
  AccessRecord record = AccessRecord::get(
      warp.clock, site, warp.block->linearId, warp.getThread(lane));
  if (isAtomic(kind))
    record.bits |= 1;
  lastBytes = bytes;
  size_t step = size_t(1) << range->getGranuleShift();
  for (size_t at = offset & ~(step - 1); at < offset + bytes; at += step) {
    ShadowCell &cell = range->getCell(at);
    if (!cell.write.sameThread(record) || cell.write.isAsync())
      checkRace(lane, cell.write, AccessKind::Write);
    if (onlyReads(kind)) {
      // Keep two readers that are not ordered with each other; a later write
      // must come after both.
      AccessRecord *slot = &cell.reads[0];
      if (*slot && !slot->sameThread(record) && !warp.isOrdered(*slot, lane))
        slot = &cell.reads[1];
      *slot = record;
      continue;
    }
    for (AccessRecord &reader : cell.reads) {
      if (!reader.sameThread(record))
        checkRace(lane, reader, AccessKind::Read);
      reader = AccessRecord();
    }
    cell.write = record;
  }
}

std::byte *MemoryCursor::access(unsigned lane, uint64_t address, uint32_t bytes,
                                uint32_t alignment) {
  if (!checkAddress(lane, address, bytes, alignment))
    return nullptr;
  if (launch.parallel && !range->isShared())
    lock(bytes);
  if (usesOldValue(kind)) {
    size_t missing = range->findUnwritten(offset, bytes);
    // Bytes of a pending copy are a race, reported as such.
    if (LLVM_UNLIKELY(missing != offset + bytes) &&
        !range->getCell(missing).write.isAsync())
      reportUnwritten(lane, missing, bytes);
  }
  checkRaces(lane, bytes);
  return range->getData(offset);
}

void MemoryCursor::setPending(uint32_t bytes) {
  size_t step = size_t(1) << range->getGranuleShift();
  for (size_t at = offset & ~(step - 1); at < offset + bytes; at += step)
    range->getCell(at).write.bits |= 2;
}
