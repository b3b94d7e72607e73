//===- RowReduction.cpp - Reductions over the threads of a row ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReduction.h"
#include "FusionDialect/IR/Combine.h"
#include "SharedBarrier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

void ThreadPlace::divide(OpBuilder &builder, Location loc, unsigned groups,
                         Value firstOfGroup) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  threadOfGroup = thread;
  group = index(0);
  if (firstOfGroup)
    threadOfGroup = arith::AddIOp::create(builder, loc, firstOfGroup, thread);
  if (groups > 1) {
    Value size = index(threadsPerRow);
    group = arith::DivUIOp::create(builder, loc, thread, size);
    threadOfGroup = arith::RemUIOp::create(builder, loc, thread, size);
  }
  Value warpSize = index(32);
  warp = arith::DivUIOp::create(builder, loc, threadOfGroup, warpSize);
  lane = arith::RemUIOp::create(builder, loc, thread, warpSize);
}

SmallVector<Value> fusion::emitElements(OpBuilder &builder, Location loc,
                                        Value tile) {
  auto type = dyn_cast<VectorType>(tile.getType());
  if (!type)
    return {tile};
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, tile, i));
  return elements;
}

Value fusion::emitPairwise(OpBuilder &builder, Location loc, ReductionKind kind,
                           arith::FastMathFlags fastmath,
                           SmallVector<Value> elements) {
  while (elements.size() > 1) {
    size_t half = elements.size() / 2;
    for (size_t i = 0; i < half; ++i)
      elements[i] = createCombine(builder, loc, kind, elements[2 * i],
                                  elements[2 * i + 1], fastmath);
    if (elements.size() % 2)
      elements[half++] = elements.back();
    elements.truncate(half);
  }
  return elements.front();
}

Value fusion::emitHorizontal(OpBuilder &builder, Location loc,
                             ReductionKind kind, arith::FastMathFlags fastmath,
                             Value tile) {
  return emitPairwise(builder, loc, kind, fastmath,
                      emitElements(builder, loc, tile));
}

Value fusion::emitLaneReduction(OpBuilder &builder, Location loc,
                                ReductionKind kind,
                                arith::FastMathFlags fastmath, Value scalar,
                                unsigned lanes) {
  for (unsigned offset = lanes / 2; offset; offset /= 2) {
    Value other = gpu::ShuffleOp::create(builder, loc, scalar, offset, warpSize,
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    scalar = createCombine(builder, loc, kind, scalar, other, fastmath);
  }
  return scalar;
}

static Value emitButterfly(OpBuilder &builder, Location loc,
                           const PackedValue &value, Value scalar,
                           unsigned lanes) {
  return emitLaneReduction(builder, loc, value.kind, value.fastmath, scalar,
                           lanes);
}

static Value createIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Lane 0 of each warp leaves its totals in the slots of the warp.
static void emitBlockShare(OpBuilder &builder, Location loc,
                           const ThreadPlace &place,
                           ArrayRef<PackedValue> values, Value buffer) {
  Value isFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, place.lane,
                            createIndex(builder, loc, 0));
  auto store = scf::IfOp::create(builder, loc, isFirst);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(store.thenBlock());
    for (const PackedValue &value : values)
      memref::StoreOp::create(builder, loc, value.scalar, value.slots,
                              ValueRange{buffer, place.group,
                                         createIndex(builder, loc, value.row),
                                         place.warp});
  }
  gpu::BarrierOp::create(builder, loc);
}

/// Lane i of each warp sends its totals to the slots of the warp in block i.
static void emitClusterShare(OpBuilder &builder, Location loc,
                             const ThreadPlace &place,
                             ArrayRef<PackedValue> values,
                             const ClusterExchange &cluster) {
  unsigned warps = place.threadsPerRow / warpSize;
  Value hasPeer =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, place.lane,
                            createIndex(builder, loc, cluster.blocks));
  auto send = scf::IfOp::create(builder, loc, hasPeer);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(send.thenBlock());
    Value peer = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            place.lane);
    for (const PackedValue &value : values) {
      unsigned bits = value.scalar.getType().getIntOrFloatBitWidth();
      Value slot = arith::AddIOp::create(
          builder, loc, place.warp,
          createIndex(builder, loc, uint64_t(value.row) * warps));
      slot = arith::MulIOp::create(builder, loc, slot,
                                   createIndex(builder, loc, bits / 8));
      slot = arith::AddIOp::create(builder, loc, slot, value.address);
      emitClusterStore(builder, loc, value.scalar,
                       emitSharedPointer(builder, loc, slot), cluster.barrier,
                       peer);
    }
  }
  emitBarrierWait(builder, loc, cluster.barrier,
                  arith::ConstantIntOp::create(builder, loc, 0, 32));
}

/// Slots that every lane reads for itself, of all values of an exchange: a few
/// accesses in place of a butterfly's shuffles, each of which waits for the one
/// before. What they bring waits in registers.
static constexpr unsigned maxSlotsOfLane = 8;

/// Lane l reads the slots of the warps l, l + lanes, ...
static unsigned getSlotLanes(const ThreadPlace &place) {
  return std::min<unsigned>(warpSize,
                            llvm::PowerOf2Ceil(place.threadsPerRow / warpSize));
}

/// All slots of `value`, in as few accesses as their alignment allows: slots of
/// a row stand behind those of the rows before it, from a multiple of 16 bytes.
static SmallVector<Value> emitAllSlots(OpBuilder &builder, Location loc,
                                       const ThreadPlace &place,
                                       const PackedValue &value, Value buffer) {
  unsigned warps = place.threadsPerRow / warpSize;
  Type type = value.scalar.getType();
  unsigned bytes = type.getIntOrFloatBitWidth() / 8;
  constexpr unsigned accessBytes = 16;
  unsigned width = std::min(warps & -warps, accessBytes / bytes);
  SmallVector<Value> slots;
  for (unsigned warp = 0; warp < warps; warp += width) {
    SmallVector<Value> indices{buffer, place.group,
                               createIndex(builder, loc, value.row),
                               createIndex(builder, loc, warp)};
    if (width == 1) {
      slots.push_back(
          memref::LoadOp::create(builder, loc, value.slots, indices));
      continue;
    }
    Value loaded = vector::LoadOp::create(
        builder, loc, VectorType::get({int64_t(width)}, type), value.slots,
        indices, /*nontemporal=*/false, llvm::MaybeAlign(width * bytes));
    llvm::append_range(slots, emitElements(builder, loc, loaded));
  }
  return slots;
}

/// What a lane finds in the slots; where there is no warp, a neutral element.
static SmallVector<SmallVector<Value>>
emitSlotLoads(OpBuilder &builder, Location loc, const ThreadPlace &place,
              ArrayRef<PackedValue> values, Value buffer) {
  unsigned warps = place.threadsPerRow / warpSize, lanes = getSlotLanes(place);
  Value lane = arith::RemUIOp::create(builder, loc, place.lane,
                                      createIndex(builder, loc, lanes));
  SmallVector<SmallVector<Value>> slots(values.size());
  if (warps * values.size() <= maxSlotsOfLane) {
    for (auto [value, found] : llvm::zip(values, slots))
      found = emitAllSlots(builder, loc, place, value, buffer);
    return slots;
  }
  for (unsigned start = 0; start < warps; start += lanes) {
    Value warp = lane, hasSlot;
    if (start)
      warp = arith::AddIOp::create(builder, loc, lane,
                                   createIndex(builder, loc, start));
    Value last = createIndex(builder, loc, warps - 1);
    if (start + lanes > warps)
      hasSlot = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                      warp, last);
    warp = arith::MinUIOp::create(builder, loc, warp, last);
    for (auto [value, found] : llvm::zip(values, slots)) {
      Value loaded = memref::LoadOp::create(
          builder, loc, value.slots,
          ValueRange{buffer, place.group, createIndex(builder, loc, value.row),
                     warp});
      if (hasSlot) {
        Value neutral = arith::ConstantOp::create(
            builder, loc, getNeutralElement(value.kind, loaded.getType()));
        loaded =
            arith::SelectOp::create(builder, loc, hasSlot, loaded, neutral);
      }
      found.push_back(loaded);
    }
  }
  return slots;
}

Value fusion::emitSlotReduction(OpBuilder &builder, Location loc,
                                const ThreadPlace &place,
                                const PackedValue &value,
                                ArrayRef<Value> slots) {
  Value total = emitPairwise(builder, loc, value.kind, value.fastmath,
                             llvm::to_vector(slots));
  bool hasAll = slots.size() == place.threadsPerRow / warpSize;
  return hasAll
             ? total
             : emitButterfly(builder, loc, value, total, getSlotLanes(place));
}

Value fusion::emitWarpReduction(OpBuilder &builder, Location loc,
                                const ThreadPlace &place,
                                const PackedValue &value) {
  return emitButterfly(builder, loc, value, value.scalar,
                       std::min(place.threadsPerRow, warpSize));
}

SmallVector<SmallVector<Value>>
fusion::emitWarpExchange(OpBuilder &builder, Location loc,
                         const ThreadPlace &place, ArrayRef<PackedValue> values,
                         Value buffer, const ClusterExchange *cluster) {
  if (cluster)
    emitClusterShare(builder, loc, place, values, *cluster);
  else
    emitBlockShare(builder, loc, place, values, buffer);
  return emitSlotLoads(builder, loc, place, values, buffer);
}

SmallVector<Value> fusion::emitRowReduction(OpBuilder &builder, Location loc,
                                            const ThreadPlace &place,
                                            ArrayRef<PackedValue> values,
                                            Value buffer,
                                            const ClusterExchange *cluster) {
  SmallVector<PackedValue> ofWarp(values);
  SmallVector<Value> totals;
  for (PackedValue &value : ofWarp) {
    value.scalar = emitWarpReduction(builder, loc, place, value);
    totals.push_back(value.scalar);
  }
  if (place.threadsPerRow <= warpSize)
    return totals;
  auto slots = emitWarpExchange(builder, loc, place, ofWarp, buffer, cluster);
  for (auto [value, found, total] : llvm::zip(ofWarp, slots, totals))
    total = emitSlotReduction(builder, loc, place, value, found);
  return totals;
}
