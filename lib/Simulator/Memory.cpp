//===- Memory.cpp - Simulated memory and its shadow -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <new>

using namespace mlir::fusion::sim;

/// Device allocations are aligned as cudaMalloc aligns them.
static constexpr uint64_t kGlobalAlignment = 256;
/// Unused addresses after each allocation, so that an access a little out of
/// bounds never reaches the next one.
static constexpr uint64_t kGlobalGap = uint64_t(1) << 20;

Range::Range(uint64_t base, size_t bytes, std::string name, bool shared)
    : base(base), bytes(bytes), name(std::move(name)), shared(shared),
      data(new (std::nothrow) std::byte[bytes]),
      written(new (std::nothrow) uint8_t[bytes / 8 + 16]),
      pages(new (std::nothrow) ShadowPage[(bytes >> kPageShift) + 1]) {
  if (data && written && pages)
    reset();
  else
    this->bytes = 0;
}

void Range::setWritten(size_t offset, size_t count) {
  if (allWritten)
    return;
  if (count == bytes) {
    std::memset(written.get(), 0xff, bytes / 8 + 1);
    allWritten = true;
    return;
  }
  // Touches no byte of the map beyond the range: the next page may belong to
  // another host thread.
  for (size_t end = offset + count; offset < end;) {
    if (offset % 8 == 0 && end - offset >= 64) {
      size_t whole = (end - offset) / 8;
      std::memset(&written[offset >> 3], 0xff, whole);
      offset += whole * 8;
      continue;
    }
    unsigned first = offset & 7;
    unsigned step = std::min<size_t>(8 - first, end - offset);
    written[offset >> 3] |= ((1u << step) - 1) << first;
    offset += step;
  }
}

size_t Range::findUnwritten(size_t offset, size_t count) const {
  if (allWritten)
    return offset + count;
  size_t end = offset + count;
  while (offset < end) {
    unsigned step = std::min<size_t>(16, end - offset);
    uint32_t word;
    std::memcpy(&word, &written[offset >> 3], sizeof(word));
    uint32_t missing = ~(word >> (offset & 7)) & ((1u << step) - 1);
    if (missing)
      return offset + llvm::countr_zero(missing);
    offset += step;
  }
  return end;
}

void Range::copyFrom(size_t offset, const Range &source, size_t from,
                     size_t count) {
  if (source.findUnwritten(from, count) == from + count) {
    if (count)
      std::memmove(getData(offset), source.data.get() + from, count);
    setWritten(offset, count);
    return;
  }
  std::vector<bool> isWritten(count);
  for (size_t i = 0; i < count; ++i)
    isWritten[i] = source.findUnwritten(from + i, 1) != from + i;
  std::memmove(getData(offset), source.data.get() + from, count);
  allWritten = false;
  for (size_t i = 0; i < count; ++i) {
    size_t at = offset + i;
    uint8_t bit = 1u << (at & 7);
    written[at >> 3] =
        isWritten[i] ? written[at >> 3] | bit : written[at >> 3] & ~bit;
  }
}

void Range::reset() {
  // All ones is a NaN in every float format: a read that is missed by the
  // check would still be seen in the result.
  std::memset(data.get(), 0xff, bytes);
  std::memset(written.get(), 0, bytes / 8 + 16);
  allWritten = false;
}

void Range::startEpoch(uint64_t newEpoch, unsigned newGranuleShift) {
  if (newGranuleShift != granuleShift)
    for (size_t i = 0, e = (bytes >> kPageShift) + 1; i < e; ++i)
      pages[i].cells.reset();
  epoch = newEpoch;
  granuleShift = newGranuleShift;
}

ShadowCell &Range::getCell(size_t offset) {
  ShadowPage &page = pages[offset >> kPageShift];
  size_t cells = (size_t(1) << kPageShift) >> granuleShift;
  if (!page.cells)
    page.cells.reset(new ShadowCell[cells]);
  else if (page.epoch != epoch)
    std::memset(static_cast<void *>(page.cells.get()), 0,
                cells * sizeof(ShadowCell));
  page.epoch = epoch;
  return page.cells[(offset & ((size_t(1) << kPageShift) - 1)) >> granuleShift];
}

void Range::forEachCell(
    llvm::function_ref<void(size_t, const ShadowCell &)> visit) const {
  size_t cells = (size_t(1) << kPageShift) >> granuleShift;
  for (size_t page = 0, e = (bytes >> kPageShift) + 1; page < e; ++page)
    if (pages[page].cells && pages[page].epoch == epoch)
      for (size_t i = 0; i < cells; ++i)
        visit((page << kPageShift) + (i << granuleShift), pages[page].cells[i]);
}

void Range::keepPrevious() {
  auto fresh =
      std::unique_ptr<ShadowPage[]>(new ShadowPage[(bytes >> kPageShift) + 1]);
  previousPages = std::move(pages);
  previousEpoch = epoch;
  previousShift = granuleShift;
  pages = std::move(fresh);
}

const ShadowCell *Range::getPreviousCell(size_t offset) const {
  if (!previousPages)
    return nullptr;
  const ShadowPage &page = previousPages[offset >> kPageShift];
  if (!page.cells || page.epoch != previousEpoch)
    return nullptr;
  return &page.cells[(offset & ((size_t(1) << kPageShift) - 1)) >>
                     previousShift];
}

void GlobalMemory::keepPrevious() {
  for (auto &entry : ranges)
    entry.second->keepPrevious();
}

void GlobalMemory::dropPrevious() {
  for (auto &entry : ranges)
    entry.second->dropPrevious();
}

Range *GlobalMemory::allocate(size_t bytes, std::string name) {
  if (bytes > kSharedBase - next)
    return nullptr;
  if (name.empty())
    name = "allocation " + std::to_string(count);
  ++count;
  auto range =
      std::make_unique<Range>(next, bytes, std::move(name), /*shared=*/false);
  if (range->getBytes() != bytes)
    return nullptr;
  next = llvm::alignTo(next + bytes + kGlobalGap, kGlobalAlignment);
  return (ranges[range->getBase()] = std::move(range)).get();
}

bool GlobalMemory::free(uint64_t address) { return ranges.erase(address) != 0; }

Range *GlobalMemory::findBelow(uint64_t address) const {
  auto it = ranges.upper_bound(address);
  return it == ranges.begin() ? nullptr : std::prev(it)->second.get();
}

Range *GlobalMemory::find(uint64_t address) const {
  Range *range = findBelow(address);
  return range && range->contains(address, 1) ? range : nullptr;
}

void GlobalMemory::startEpoch(
    uint64_t epoch,
    llvm::function_ref<unsigned(const Range &)> getGranuleShift) {
  for (auto &entry : ranges)
    entry.second->startEpoch(epoch, getGranuleShift(*entry.second));
}
