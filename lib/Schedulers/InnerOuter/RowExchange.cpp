//===- RowExchange.cpp - Reductions over the threads of a row -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowExchange.h"
#include "../SharedBarrier.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

SmallVector<ExchangePack>
innerouter::planExchange(const RowColumnGraph &graph,
                         const ScheduleShape &schedule) {
  // Each block of a cluster gets a value from another lane of those in which
  // it stands.
  unsigned lanes = std::min(schedule.getThreadsPerRow(), warpSize);
  unsigned maxMembers = std::max(1u, lanes / schedule.cluster);
  SmallVector<ExchangePack> packs;
  auto close = [&](ExchangePack &open) {
    // Largest powers of two first.
    ArrayRef members = open.members;
    while (!members.empty()) {
      unsigned count = std::min<unsigned>(llvm::bit_floor(members.size()),
                                          llvm::bit_floor(maxMembers));
      ExchangePack pack = open;
      pack.members.assign(members.begin(), members.begin() + count);
      packs.push_back(std::move(pack));
      members = members.drop_front(count);
    }
  };
  for (unsigned level = 0; level + 1 < graph.getNumLevels(); ++level) {
    SmallVector<ExchangePack> open;
    for (unsigned number = 0; number < graph.getRowReductions().size();
         ++number) {
      const auto &reduction = graph.getRowReductions()[number];
      if (reduction.level != level)
        continue;
      auto *same = llvm::find_if(open, [&](const ExchangePack &pack) {
        return pack.kind == reduction.kind &&
               pack.fastmath == reduction.fastmath &&
               pack.type == reduction.accumulatorType;
      });
      if (same == open.end()) {
        open.push_back({level,
                        reduction.kind,
                        reduction.fastmath,
                        reduction.accumulatorType,
                        {}});
        same = std::prev(open.end());
      }
      for (unsigned row = 0; row < schedule.rows; ++row)
        same->members.emplace_back(number, row);
    }
    for (ExchangePack &pack : open)
      close(pack);
  }
  return packs;
}

RowExchange::~RowExchange() = default;

RowExchange::RowExchange(KernelContext &kernel)
    : kernel(kernel), packs(planExchange(kernel.graph, kernel.schedule)),
      lanes(std::min(kernel.schedule.getThreadsPerRow(), warpSize)) {
  if (getNumEntries() <= 1)
    return;
  for (auto [pack, offset] : llvm::zip(packs, kernel.layout.exchange))
    slots.push_back(kernel.view(offset,
                                {getExchangeDepth(kernel.schedule),
                                 kernel.schedule.getGroups(), getNumEntries(),
                                 int64_t(pack.members.size())},
                                pack.type));
}

Value RowExchange::combine(const ExchangePack &pack, Value a, Value b) {
  return createCombine(kernel.builder, kernel.loc, pack.kind, a, b,
                       pack.fastmath);
}

Value RowExchange::shuffle(Value value, Value operand, gpu::ShuffleMode mode) {
  // All lanes of a warp take part, whatever row they work on.
  return gpu::ShuffleOp::create(kernel.builder, kernel.loc, value, operand,
                                kernel.i32(warpSize), mode)
      .getShuffleResult();
}

/// Combines each value over the lanes of the row. In each step that halves the
/// values, the upper lanes keep the upper half of them and send the lower.
Value RowExchange::emitButterfly(const ExchangePack &pack,
                                 ArrayRef<Value> values) {
  SmallVector<Value> current(values);
  unsigned distance = lanes / 2;
  auto exchangeWith = [&](Value value) {
    return shuffle(value, kernel.i32(distance), gpu::ShuffleMode::XOR);
  };
  for (; current.size() > 1; distance /= 2) {
    Value bit = arith::AndIOp::create(
        kernel.builder, kernel.loc, kernel.place.lane, kernel.index(distance));
    Value isUpper =
        arith::CmpIOp::create(kernel.builder, kernel.loc,
                              arith::CmpIPredicate::ne, bit, kernel.index(0));
    size_t half = current.size() / 2;
    for (size_t i = 0; i < half; ++i) {
      Value kept = kernel.select(isUpper, current[i + half], current[i]);
      Value sent = kernel.select(isUpper, current[i], current[i + half]);
      current[i] = combine(pack, kept, exchangeWith(sent));
    }
    current.truncate(half);
  }
  for (; distance; distance /= 2)
    current[0] = combine(pack, current[0], exchangeWith(current[0]));
  return current[0];
}

/// Gives each value, which stands in its lanes, to all of them.
void RowExchange::emitBroadcast(const ExchangePack &pack, Value packed,
                                SmallVectorImpl<Value> &totals) {
  if (pack.members.size() == 1) {
    totals.push_back(packed);
    return;
  }
  Value firstLane;
  if (lanes < warpSize) {
    Value inRow = arith::RemUIOp::create(
        kernel.builder, kernel.loc, kernel.place.lane, kernel.index(lanes));
    firstLane = arith::IndexCastOp::create(
        kernel.builder, kernel.loc, kernel.builder.getI32Type(),
        arith::SubIOp::create(kernel.builder, kernel.loc, kernel.place.lane,
                              inRow));
  }
  for (unsigned member = 0; member < pack.members.size(); ++member) {
    Value source = kernel.i32(member * getLanesPerValue(pack));
    if (firstLane)
      source = kernel.add(firstLane, source);
    totals.push_back(shuffle(packed, source, gpu::ShuffleMode::IDX));
  }
}

/// Combines the entries of each value, in the lanes of the value.
Value RowExchange::emitSlotSum(const ExchangePack &pack, Value packSlots) {
  unsigned perValue = getLanesPerValue(pack), entries = getNumEntries();
  Value member = kernel.index(0), first = kernel.place.lane;
  if (pack.members.size() > 1) {
    member = arith::DivUIOp::create(kernel.builder, kernel.loc,
                                    kernel.place.lane, kernel.index(perValue));
    first = arith::RemUIOp::create(kernel.builder, kernel.loc,
                                   kernel.place.lane, kernel.index(perValue));
  }
  // Fewer entries than lanes: the lanes repeat them in turns.
  unsigned turns = std::min(perValue, unsigned(llvm::PowerOf2Ceil(entries)));
  if (turns < perValue)
    first = arith::RemUIOp::create(kernel.builder, kernel.loc, first,
                                   kernel.index(turns));
  Value sum;
  for (unsigned start = 0; start < entries; start += turns) {
    Value entry = start ? kernel.add(first, kernel.index(start)) : first;
    bool isRagged = start + turns > entries;
    Value safe = isRagged ? kernel.minimum(entry, entries - 1) : entry;
    Value value = memref::LoadOp::create(kernel.builder, kernel.loc, packSlots,
                                         getSlot(safe, member));
    if (isRagged)
      value = kernel.select(
          kernel.isLess(entry, kernel.index(entries)), value,
          kernel.constant(getNeutralElement(pack.kind, pack.type)));
    sum = sum ? combine(pack, sum, value) : value;
  }
  for (unsigned distance = turns / 2; distance; distance /= 2)
    sum = combine(pack, sum,
                  shuffle(sum, kernel.i32(distance), gpu::ShuffleMode::XOR));
  return sum;
}

SmallVector<Value> RowExchange::emit(unsigned level, ArrayRef<Value> values,
                                     Value iteration) {
  SmallVector<unsigned> numbers;
  SmallVector<Value> packed;
  for (auto [number, pack] : llvm::enumerate(packs)) {
    if (pack.level != level)
      continue;
    numbers.push_back(number);
    packed.push_back(
        emitButterfly(pack, values.take_front(pack.members.size())));
    values = values.drop_front(pack.members.size());
  }
  if (!slots.empty()) {
    unsigned depth = getExchangeDepth(kernel.schedule);
    Value sets = kernel.index(depth);
    slotSet =
        arith::RemUIOp::create(kernel.builder, kernel.loc, iteration, sets);
    Value turn =
        arith::DivUIOp::create(kernel.builder, kernel.loc, iteration, sets);
    slotParity = arith::RemUIOp::create(kernel.builder, kernel.loc, turn,
                                        kernel.index(2));
  }
  emitShare(level, numbers, packed);
  SmallVector<Value> totals;
  for (auto [number, value] : llvm::zip(numbers, packed)) {
    if (!slots.empty())
      value = emitSlotSum(packs[number], slots[number]);
    emitBroadcast(packs[number], value, totals);
  }
  return totals;
}

//===----------------------------------------------------------------------===//
// How warps share their sums
//===----------------------------------------------------------------------===//

namespace {

/// The row is one warp, or a part of it: nothing to share.
class WarpExchange final : public RowExchange {
public:
  using RowExchange::RowExchange;
  bool isBarrier() const override { return false; }

protected:
  void emitShare(unsigned, ArrayRef<unsigned>, ArrayRef<Value>) override {}
};

class BlockExchange final : public RowExchange {
public:
  using RowExchange::RowExchange;

protected:
  void emitShare(unsigned level, ArrayRef<unsigned> numbers,
                 ArrayRef<Value> packed) override {
    for (auto [number, value] : llvm::zip(numbers, packed)) {
      unsigned perValue = getLanesPerValue(packs[number]);
      Value width = kernel.index(perValue);
      Value member = arith::DivUIOp::create(kernel.builder, kernel.loc,
                                            kernel.place.lane, width);
      Value rest = arith::RemUIOp::create(kernel.builder, kernel.loc,
                                          kernel.place.lane, width);
      kernel.emitIf(kernel.isLess(rest, kernel.index(1)), [&, number = number,
                                                           value = value] {
        memref::StoreOp::create(kernel.builder, kernel.loc, value,
                                slots[number],
                                getSlot(kernel.place.warp, member));
      });
    }
    kernel.emitGroupBarrier();
  }
};

class ClusterRowExchange final : public RowExchange {
public:
  using RowExchange::RowExchange;

  void emitSetUp() override {
    kernel.emitIf(kernel.place.isLeader, [&] {
      for (unsigned level = 0; level + 1 < kernel.graph.getNumLevels(); ++level)
        for (unsigned set = 0; set < getExchangeDepth(kernel.schedule); ++set)
          emitBarrierInit(kernel.builder, kernel.loc,
                          getBarrier(level, kernel.index(set)));
      kernel.emitBarrierFence();
    });
  }

protected:
  void emitShare(unsigned level, ArrayRef<unsigned> numbers,
                 ArrayRef<Value> packed) override;

private:
  Value getBarrier(unsigned level, Value set);
  void emitSend(unsigned number, Value value, Value barrier);
};

} // namespace

Value ClusterRowExchange::getBarrier(unsigned level, Value set) {
  unsigned depth = getExchangeDepth(kernel.schedule);
  unsigned perGroup = (kernel.graph.getNumLevels() - 1) * depth;
  Value number = kernel.add(set, kernel.index(level * depth));
  if (kernel.schedule.getGroups() > 1)
    number = kernel.add(number, kernel.mul(kernel.place.group, perGroup));
  return kernel.sharedPointer(
      kernel.add(kernel.mul(number, barrierBytes),
                 kernel.index(kernel.layout.exchangeBarriers)));
}

/// Lane i of those in which a value stands sends it to block i.
void ClusterRowExchange::emitSend(unsigned number, Value value, Value barrier) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  const ExchangePack &pack = packs[number];
  unsigned blocks = kernel.schedule.getCluster();
  unsigned bytes = pack.type.getIntOrFloatBitWidth() / 8;
  unsigned perValue = getLanesPerValue(pack), members = pack.members.size();
  Value width = kernel.index(perValue);
  Value member = arith::DivUIOp::create(builder, loc, kernel.place.lane, width);
  Value target = arith::RemUIOp::create(builder, loc, kernel.place.lane, width);
  Value entry =
      kernel.add(kernel.mul(kernel.rank, kernel.getWarps()), kernel.place.warp);
  Value row = slotSet;
  if (kernel.schedule.getGroups() > 1)
    row = kernel.add(kernel.mul(row, kernel.schedule.getGroups()),
                     kernel.place.group);
  Value slot = kernel.add(kernel.mul(row, getNumEntries()), entry);
  slot = kernel.add(kernel.mul(slot, members), member);
  Value offset = kernel.add(kernel.mul(slot, bytes),
                            kernel.index(kernel.layout.exchange[number]));
  auto send = [&] {
    Value peer =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), target);
    emitClusterStore(builder, loc, value, kernel.sharedPointer(offset), barrier,
                     peer);
  };
  kernel.emitIf(perValue == blocks
                    ? Value()
                    : kernel.isLess(target, kernel.index(blocks)),
                send);
}

void ClusterRowExchange::emitShare(unsigned level, ArrayRef<unsigned> numbers,
                                   ArrayRef<Value> packed) {
  Value barrier = getBarrier(level, slotSet);
  uint64_t bytes = 0;
  for (unsigned number : numbers)
    bytes += packs[number].members.size() * getNumEntries() *
             packs[number].type.getIntOrFloatBitWidth() / 8;
  kernel.emitIf(kernel.place.isLeader, [&] {
    emitBarrierExpect(kernel.builder, kernel.loc, barrier, kernel.i32(bytes));
  });
  // What a lane sends stands for what its whole warp has read.
  NVVM::SyncWarpOp::create(kernel.builder, kernel.loc, kernel.i32(-1));
  for (auto [number, value] : llvm::zip(numbers, packed))
    emitSend(number, value, barrier);
  kernel.emitBarrierWait(barrier, slotParity);
}

std::unique_ptr<RowExchange> RowExchange::create(KernelContext &kernel) {
  if (kernel.hasCluster())
    return std::make_unique<ClusterRowExchange>(kernel);
  if (kernel.getWarps() > 1)
    return std::make_unique<BlockExchange>(kernel);
  return std::make_unique<WarpExchange>(kernel);
}
