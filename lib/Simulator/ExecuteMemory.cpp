//===- ExecuteMemory.cpp - Loads, stores and asynchronous copies ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryCursor.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

static const MemoryAccess &getAccess(const Warp &warp, uint32_t site) {
  return warp.block->launch.program.accesses[site];
}

void mlir::fusion::sim::executeAddress(Warp &warp, const Instr &instr) {
  uint64_t addresses[kLanes];
  computeAddresses(warp, getAccess(warp, instr.aux), addresses);
  uint64_t *dst = warp.reg<uint64_t>(instr.dst);
  forElements(warp, 1, [&](uint32_t lane) { dst[lane] = addresses[lane]; });
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Loads the elements of one lane that the mask selects, one at a time.
template <typename S>
static void loadMasked(Warp &warp, const Instr &instr, MemoryCursor &cursor,
                       unsigned lane, uint64_t address) {
  const uint8_t *mask = warp.reg<uint8_t>(instr.b);
  S *dst = warp.reg<S>(instr.dst);
  const S *other = warp.reg<S>(instr.c);
  for (uint32_t e = 0; e < instr.n; ++e) {
    uint32_t i = e * kLanes + lane;
    dst[i] = other[i];
    if (!mask[i])
      continue;
    if (const std::byte *data =
            cursor.access(lane, address + e * sizeof(S), sizeof(S), sizeof(S)))
      std::memcpy(&dst[i], data, sizeof(S));
  }
}

template <typename S>
static void executeLoad(Warp &warp, const Instr &instr) {
  const MemoryAccess &access = getAccess(warp, instr.aux);
  uint64_t addresses[kLanes];
  computeAddresses(warp, access, addresses);
  MemoryCursor cursor(warp, AccessKind::Read, instr.aux, instr.op);
  S *__restrict dst = warp.reg<S>(instr.dst);
  forLanes(warp.mask, [&](unsigned lane) {
    if (instr.b != kNoRegister)
      return loadMasked<S>(warp, instr, cursor, lane, addresses[lane]);
    const std::byte *data = cursor.access(
        lane, addresses[lane], instr.n * sizeof(S), access.alignment);
    for (uint32_t e = 0; e < instr.n; ++e) {
      S value = 0;
      if (data)
        std::memcpy(&value, data + e * sizeof(S), sizeof(S));
      dst[e * kLanes + lane] = value;
    }
  });
}

template <typename S>
static void executeStore(Warp &warp, const Instr &instr) {
  const MemoryAccess &access = getAccess(warp, instr.aux);
  uint64_t addresses[kLanes];
  computeAddresses(warp, access, addresses);
  MemoryCursor cursor(warp, AccessKind::Write, instr.aux, instr.op);
  const S *a = warp.reg<S>(instr.a);
  auto store = [&](unsigned lane, uint32_t first, uint32_t count,
                   uint32_t alignment) {
    std::byte *data = cursor.access(lane, addresses[lane] + first * sizeof(S),
                                    count * sizeof(S), alignment);
    if (!data)
      return;
    for (uint32_t e = 0; e < count; ++e)
      std::memcpy(data + e * sizeof(S), &a[(first + e) * kLanes + lane],
                  sizeof(S));
    cursor.setWritten(count * sizeof(S));
  };
  warp.block->noteChange();
  forLanes(warp.mask, [&](unsigned lane) {
    if (instr.b == kNoRegister)
      return store(lane, 0, instr.n, access.alignment);
    const uint8_t *mask = warp.reg<uint8_t>(instr.b);
    for (uint32_t e = 0; e < instr.n; ++e)
      if (mask[e * kLanes + lane])
        store(lane, e, 1, sizeof(S));
  });
}

Handler mlir::fusion::sim::getLoadHandler(uint32_t bytes) {
  return visitBytes(
      bytes, [](auto zero) -> Handler { return &executeLoad<decltype(zero)>; });
}

Handler mlir::fusion::sim::getStoreHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeStore<decltype(zero)>;
  });
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

void mlir::fusion::sim::executeAsyncCopy(Warp &warp, const Instr &instr) {
  const MemoryAccess &target = getAccess(warp, instr.aux);
  const MemoryAccess &source = getAccess(warp, instr.aux + 1);
  uint64_t to[kLanes], from[kLanes];
  computeAddresses(warp, target, to);
  computeAddresses(warp, source, from);
  uint32_t bytes = target.getBytes();
  MemoryCursor reads(warp, AccessKind::Read, instr.aux + 1, instr.op);
  MemoryCursor writes(warp, AccessKind::Write, instr.aux, instr.op);
  forLanes(warp.mask, [&](unsigned lane) {
    AsyncCopy copy{};
    copy.bytes = bytes;
    copy.lane = lane;
    copy.site = instr.aux;
    uint64_t read = bytes;
    if (instr.a != kNoRegister)
      read = std::min<uint64_t>(bytes, warp.reg<uint64_t>(instr.a)[lane] *
                                           source.elementBytes);
    if (read)
      if (const std::byte *data =
              reads.access(lane, from[lane], read, source.alignment))
        std::memcpy(copy.data, data, read);
    if (!writes.access(lane, to[lane], bytes, target.alignment))
      return;
    writes.setPending(bytes);
    copy.target = writes.getRange();
    copy.offset = writes.getOffset();
    warp.copies.push_back(copy);
  });
}

void mlir::fusion::sim::executeAsyncCommit(Warp &warp, const Instr &instr) {
  for (AsyncCopy &copy : warp.copies)
    if (copy.group == AsyncCopy::kOpen && ((warp.mask >> copy.lane) & 1))
      copy.group = warp.committedGroups[copy.lane];
  forLanes(warp.mask, [&](unsigned lane) { ++warp.committedGroups[lane]; });
}

/// Makes the bytes of `copy` visible, as a write of the thread that waited.
static void completeCopy(Warp &warp, const AsyncCopy &copy) {
  Range &range = *copy.target;
  std::memcpy(range.getData(copy.offset), copy.data, copy.bytes);
  range.setWritten(copy.offset, copy.bytes);
  AccessRecord record = AccessRecord::get(
      warp.clock, copy.site, warp.block->linearId, warp.getThread(copy.lane));
  size_t step = size_t(1) << range.getGranuleShift();
  for (size_t at = copy.offset & ~(step - 1); at < copy.offset + copy.bytes;
       at += step) {
    ShadowCell &cell = range.getCell(at);
    // Where another write came in between, that race has been reported.
    if (cell.write.isPending())
      cell.write = record;
  }
}

void mlir::fusion::sim::executeAsyncWait(Warp &warp, const Instr &instr) {
  llvm::erase_if(warp.copies, [&](const AsyncCopy &copy) {
    bool done = ((warp.mask >> copy.lane) & 1) &&
                copy.group != AsyncCopy::kOpen &&
                copy.group + instr.imm < warp.committedGroups[copy.lane];
    if (done)
      completeCopy(warp, copy);
    return done;
  });
}
