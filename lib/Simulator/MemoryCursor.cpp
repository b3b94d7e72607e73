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

/// "byte N of <name>".
static std::string nameByte(size_t at, llvm::StringRef name) {
  return ("byte " + llvm::Twine(at) + " of " + name).str();
}

std::string MemoryCursor::nameOf(size_t at) const {
  std::string name = nameByte(at, range->getName());
  if (owner != warp.block)
    name += " of the block with rank " + std::to_string(owner->rank);
  return name;
}

FindingAccess MemoryCursor::describeOther(AccessRecord other,
                                          AccessKind otherKind) const {
  std::string action =
      (other.isAtomic() ? "atomic " : "") + getName(otherKind).str();
  uint32_t block = other.block(), thread = other.thread();
  if (other.isAsync())
    action = "asynchronous copy that has not been waited for";
  if (other.isAsync() && !other.isPending()) {
    // The record names the mbarrier: who used it last is known if near.
    thread = 0;
    for (const auto &near : warp.block->cluster.blocks)
      if (near->getKey() == block) {
        const Mbarrier &mbarrier = near->mbarriers[other.thread()];
        block = mbarrier.issuerBlock;
        thread = mbarrier.issuerThread;
        break;
      }
  }
  if (launch.blocks > AccessRecord::kBlockMask + 1)
    action +=
        " (or the same of a block whose number differs by a multiple of " +
        std::to_string(AccessRecord::kBlockMask + 1) + ")";
  uint32_t otherOp = op;
  if (other.site() < AccessRecord::kMaxSite)
    otherOp = launch.program.accessOps[other.site()];
  else
    action += " at one of the kernel's later accesses";
  return launch.describe(block, thread, otherOp, std::move(action));
}

void MemoryCursor::reportRace(unsigned lane, AccessRecord other,
                              AccessKind otherKind) {
  launch.report(FindingKind::DataRace,
                "nothing orders two accesses to " + nameOf(offset) + " in " +
                    (range->isShared() ? "shared" : "global") + " memory",
                describe(lane, lastBytes), describeOther(other, otherKind));
}

void MemoryCursor::reportUnwritten(unsigned lane, size_t missing,
                                   uint32_t bytes) {
  launch.report(FindingKind::UninitializedRead,
                "nothing has written " + nameOf(missing),
                describe(lane, bytes));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void MemoryCursor::reportOutOfBounds(unsigned lane, uint64_t address,
                                     uint32_t bytes, Range *near) {
  std::string message;
  if (near)
    message = nameByte(address - near->getBase(), near->getName()) +
              ", which has " + std::to_string(near->getBytes()) + " bytes";
  else
    message =
        "address 0x" + llvm::utohexstr(address) + " belongs to no allocation";
  launch.report(FindingKind::OutOfBounds, std::move(message),
                describe(lane, bytes));
}

bool MemoryCursor::checkAddress(unsigned lane, uint64_t address, uint32_t bytes,
                                uint32_t alignment) {
  Block *holder = warp.block->resolve(address);
  if (LLVM_UNLIKELY(!holder)) {
    reportOutOfBounds(lane, address, bytes, nullptr);
    return false;
  }
  // The same address of another block is in another range.
  Range *none = nullptr;
  Range *&cached = holder == warp.block ? warp.block->rangeCache[site] : none;
  Range *found = cached;
  if (LLVM_UNLIKELY(!found || !found->contains(address, bytes))) {
    found = holder->find(address);
    if (!found || !found->contains(address, bytes)) {
      Range *near = found ? found : launch.memory.findBelow(address);
      if (address >= kSharedBase)
        for (const auto &other : holder->shared)
          if (other->getBase() <= address)
            near = other.get();
      reportOutOfBounds(lane, address, bytes, near);
      return false;
    }
    cached = found;
  }
  if (found != range || holder != owner) {
    unlock();
    range = found;
    owner = holder;
  }
  offset = address - range->getBase();
  if (LLVM_UNLIKELY(address & (alignment - 1))) {
    launch.report(FindingKind::MisalignedAccess,
                  nameOf(offset) + " is at an address that is no multiple of " +
                      std::to_string(alignment),
                  describe(lane, bytes));
    return false;
  }
  if (LLVM_UNLIKELY(holder->exited)) {
    launch.report(FindingKind::ExitedBlock,
                  nameOf(offset) + " is gone: the block has exited",
                  describe(lane, bytes));
    return false;
  }
  if (LLVM_UNLIKELY(address < owner->mbarriersEnd &&
                    address + bytes > owner->mbarriersBegin &&
                    range->isShared() && !mbarriersAllowed))
    checkMbarriers(lane, address, bytes);
  return true;
}

void MemoryCursor::checkMbarriers(unsigned lane, uint64_t address,
                                  uint32_t bytes) {
  for (const Mbarrier &mbarrier : owner->mbarriers)
    if (mbarrier.valid && address < mbarrier.address + Mbarrier::kBytes &&
        mbarrier.address < address + bytes)
      launch.report(FindingKind::BarrierMisuse,
                    nameOf(offset) + " belongs to an mbarrier",
                    describe(lane, bytes));
}

void MemoryCursor::checkRace(unsigned lane, AccessRecord other,
                             AccessKind otherKind) {
  if (!other)
    return;
  if (isAtomic(kind) && other.isAtomic())
    return;
  if (!warp.isOrdered(other, lane))
    reportRace(lane, other, otherKind);
}

/// A launch that may overlap the one before must not touch what that one wrote,
/// nor write what it touched, before it has waited.
void MemoryCursor::checkPrevious(unsigned lane, uint32_t bytes) {
  const Program &program = *launch.previous.program;
  auto check = [&](AccessRecord other, AccessKind otherKind) {
    if (!other || (isAtomic(kind) && other.isAtomic()))
      return false;
    uint32_t otherOp = 0;
    if (other.site() < AccessRecord::kMaxSite)
      otherOp = program.accessOps[other.site()];
    auto split = [](int64_t linear, SimulatorExtents in) {
      return SimulatorExtents{linear % in.x, linear / in.x % in.y,
                              linear / (in.x * in.y)};
    };
    uint32_t thread = other.isAsync() ? 0 : other.thread();
    launch.report(
        FindingKind::DataRace,
        "the launch before may not have ended: nothing orders two "
        "accesses to " +
            nameOf(offset) + " in global memory",
        describe(lane, bytes),
        FindingAccess{program.locations[otherOp],
                      split(other.block(), launch.previous.grid),
                      split(thread, launch.previous.block),
                      getName(otherKind).str() + " by the launch before"});
    return true;
  };
  // Any unit of the launch before that the access touches.
  for (size_t at = offset; at < offset + bytes; ++at) {
    const ShadowCell *cell = range->getPreviousCell(at);
    if (!cell)
      continue;
    if (check(cell->write, AccessKind::Write))
      return;
    if (!onlyReads(kind) && (check(cell->reads[0], AccessKind::Read) ||
                             check(cell->reads[1], AccessKind::Read)))
      return;
  }
}

void MemoryCursor::checkRaces(unsigned lane, uint32_t bytes) {
  AccessRecord record = transaction;
  if (!record)
    record = AccessRecord::get(warp.clock, site, warp.block->linearId,
                               warp.getThread(lane));
  if (isAtomic(kind))
    record.bits |= 1;
  lastBytes = bytes;
  if (LLVM_UNLIKELY(launch.previous.program && !range->isShared() &&
                    !warp.hasWaitedForPrevious(lane)))
    checkPrevious(lane, bytes);
  size_t step = size_t(1) << range->getGranuleShift();
  for (size_t at = offset & ~(step - 1); at < offset + bytes; at += step) {
    ShadowCell &cell = range->getCell(at);
    if (!cell.write.sameThread(record))
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
        !range->getCell(missing).write.isPending())
      reportUnwritten(lane, missing, bytes);
  }
  checkRaces(lane, bytes);
  return range->getData(offset);
}

void MemoryCursor::setPending(uint32_t bytes) {
  size_t step = size_t(1) << range->getGranuleShift();
  for (size_t at = offset & ~(step - 1); at < offset + bytes; at += step)
    range->getCell(at).write = range->getCell(at).write.asPending();
}
