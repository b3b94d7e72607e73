//===- ExecuteExchange.cpp - Shuffles and atomics -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BinaryFunctions.h"
#include "MemoryCursor.h"
#include <cstring>
#include <optional>

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// The lane that `lane` reads, as PTX's shfl.sync with the clamp that upstream
/// gives for `width`; none if it is out of range: the lane keeps its own value.
static std::optional<unsigned> getSourceLane(ShuffleMode mode, unsigned lane,
                                             uint32_t offset, unsigned width) {
  offset &= kLanes - 1;
  int source = 0;
  switch (mode) {
  case ShuffleMode::Xor:
    source = lane ^ offset;
    break;
  case ShuffleMode::Down:
    source = lane + offset;
    break;
  case ShuffleMode::Idx:
    source = offset;
    break;
  case ShuffleMode::Up:
    source = int(lane) - int(offset);
    if (source >= int(kLanes - width))
      return source;
    return std::nullopt;
  }
  if (source < int(width))
    return source;
  return std::nullopt;
}

static void reportInactive(Warp &warp, const Instr &instr, unsigned lane,
                           std::string message) {
  Launch &launch = warp.block->launch;
  launch.report(FindingKind::InactiveLane, std::move(message),
                launch.describe(warp.block->linearId, warp.getThread(lane),
                                instr.op, "shuffle"));
}

template <typename S>
static void executeShuffle(Warp &warp, const Instr &instr) {
  unsigned first = llvm::countr_zero(warp.mask);
  uint32_t width = warp.reg<uint32_t>(instr.c)[first];
  if (width == 0 || width > kLanes) {
    reportInactive(warp, instr, first,
                   "expected a width of 1 to 32, but got " +
                       std::to_string(width));
    width = kLanes;
  }
  uint32_t members = ~0u >> (kLanes - width);
  if (!warp.converge(instr, members))
    return;
  if (uint32_t outside = warp.mask & ~members)
    reportInactive(
        warp, instr, llvm::countr_zero(outside),
        "the shuffle has width " + std::to_string(width) + ", so lane " +
            std::to_string(llvm::countr_zero(outside)) + " must not take part");
  const uint32_t *offset = warp.reg<uint32_t>(instr.b);
  uint8_t *valid = warp.reg<uint8_t>(instr.aux);
  const S *a = warp.reg<S>(instr.a);
  S *dst = warp.reg<S>(instr.dst);
  forLanes(warp.mask, [&](unsigned lane) {
    std::optional<unsigned> source = getSourceLane(
        static_cast<ShuffleMode>(instr.imm), lane, offset[lane], width);
    valid[lane] = source.has_value();
    unsigned from = source.value_or(lane);
    if (!((warp.mask >> from) & 1))
      reportInactive(warp, instr, lane,
                     "lane " + std::to_string(lane) + " reads from lane " +
                         std::to_string(from) +
                         ", which does not exist or has exited");
    for (uint32_t e = 0; e < instr.n; ++e)
      dst[e * kLanes + lane] = a[e * kLanes + from];
  });
}

Handler mlir::fusion::sim::getShuffleHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeShuffle<decltype(zero)>;
  });
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

namespace {
/// What atomics of one instruction publish and take over.
class AtomicOrdering {
public:
  AtomicOrdering(Warp &warp, const Instr &instr) : warp(warp), instr(instr) {
    published = instr.imm & Release ? warp.release() : warp.fenced;
  }

  /// Called while the bytes at `address` are locked. A store replaces what was
  /// published there, another write adds to it, a read leaves it.
  void exchange(uint64_t address, bool isWrite, bool isStore) {
    Block &block = *warp.block->resolve(address);
    std::unique_lock<std::mutex> guard;
    bool shared = address >= kSharedBase;
    if (!shared)
      guard = std::unique_lock<std::mutex>(block.launch.publishedMutex);
    ForeignClockRef &slot =
        shared ? block.published[address] : block.launch.published[address];
    if (!isStore)
      acquired = joinClocks(acquired, slot);
    if (isWrite)
      slot = isStore ? published : joinClocks(slot, published);
  }

  ~AtomicOrdering() {
    if (instr.imm & Acquire)
      warp.acquire(acquired);
    else
      warp.unfenced = joinClocks(warp.unfenced, acquired);
  }

private:
  Warp &warp;
  const Instr &instr;
  ForeignClockRef published, acquired;
};
} // namespace

/// Runs `update(lane, value)` on the element each lane addresses; it returns
/// true if it wrote.
template <typename S, typename F>
static void executeAtomic(Warp &warp, const Instr &instr, AccessKind kind,
                          F update) {
  bool isStore = kind == AccessKind::AtomicWrite;
  const MemoryAccess &access = warp.block->launch.program.accesses[instr.aux];
  uint64_t addresses[kLanes];
  computeAddresses(warp, access, addresses);
  AtomicOrdering ordering(warp, instr);
  MemoryCursor cursor(warp, kind, instr.aux, instr.op);
  if (!isStore) {
    warp.polled = true;
    warp.waitOp = instr.op;
  }
  forLanes(warp.mask, [&](unsigned lane) {
    std::byte *data =
        cursor.access(lane, addresses[lane], sizeof(S), access.alignment);
    S value = 0;
    if (!data) {
      update(lane, value);
      return;
    }
    std::memcpy(&value, data, sizeof(S));
    S old = value;
    bool wrote = update(lane, value);
    ordering.exchange(addresses[lane], wrote, isStore);
    if (!wrote)
      return;
    std::memcpy(data, &value, sizeof(S));
    cursor.setWritten(sizeof(S));
    if (value != old)
      warp.block->noteChange();
  });
}

template <typename Tag, BinaryOp Op>
static void executeAtomicCombine(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  const S *a = warp.reg<S>(instr.a);
  S *dst = warp.reg<S>(instr.dst);
  executeAtomic<S>(warp, instr, AccessKind::AtomicUpdate,
                   [&](unsigned lane, S &value) {
                     dst[lane] = value;
                     value = applyBinary<Tag, Op>(value, a[lane]);
                     return true;
                   });
}

Handler mlir::fusion::sim::getAtomicHandler(BinaryOp op, ScalarKind kind) {
  return visitBinary(op, kind, [](auto tag, auto which) -> Handler {
    return &executeAtomicCombine<decltype(tag), decltype(which)::value>;
  });
}

template <typename S>
static void executeAtomicExchange(Warp &warp, const Instr &instr) {
  const S *a = warp.reg<S>(instr.a);
  bool isStore = instr.dst == kNoRegister;
  executeAtomic<S>(warp, instr,
                   isStore ? AccessKind::AtomicWrite : AccessKind::AtomicUpdate,
                   [&](unsigned lane, S &value) {
                     if (!isStore)
                       warp.reg<S>(instr.dst)[lane] = value;
                     value = a[lane];
                     return true;
                   });
}

Handler mlir::fusion::sim::getAtomicExchangeHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeAtomicExchange<decltype(zero)>;
  });
}

template <typename S>
static void executeAtomicLoad(Warp &warp, const Instr &instr) {
  S *dst = warp.reg<S>(instr.dst);
  executeAtomic<S>(warp, instr, AccessKind::AtomicRead,
                   [&](unsigned lane, S &value) {
                     dst[lane] = value;
                     return false;
                   });
}

Handler mlir::fusion::sim::getAtomicLoadHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeAtomicLoad<decltype(zero)>;
  });
}

template <typename S>
static void executeAtomicCompare(Warp &warp, const Instr &instr) {
  const S *expected = warp.reg<S>(instr.a), *desired = warp.reg<S>(instr.b);
  S *dst = warp.reg<S>(instr.dst);
  uint8_t *success = warp.reg<uint8_t>(instr.c);
  executeAtomic<S>(warp, instr, AccessKind::AtomicUpdate,
                   [&](unsigned lane, S &value) {
                     dst[lane] = value;
                     success[lane] = value == expected[lane];
                     if (success[lane])
                       value = desired[lane];
                     return success[lane] != 0;
                   });
}

Handler mlir::fusion::sim::getAtomicCompareHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeAtomicCompare<decltype(zero)>;
  });
}
