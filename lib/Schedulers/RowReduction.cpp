//===- RowReduction.cpp - Reductions over the threads of a row ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReduction.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr unsigned warpSize = 32;

Value fusion::emitHorizontal(OpBuilder &builder, Location loc,
                             ReductionKind kind, arith::FastMathFlags fastmath,
                             Value tile) {
  auto type = dyn_cast<VectorType>(tile.getType());
  if (!type)
    return tile;
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, tile, i));
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

/// Combines over `lanes` (a power of two) neighbouring lanes.
static Value emitButterfly(OpBuilder &builder, Location loc,
                           const PackedValue &value, Value scalar,
                           unsigned lanes) {
  for (unsigned offset = lanes / 2; offset; offset /= 2) {
    Value other = gpu::ShuffleOp::create(builder, loc, scalar, offset, warpSize,
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    scalar =
        createCombine(builder, loc, value.kind, scalar, other, value.fastmath);
  }
  return scalar;
}

SmallVector<Value> fusion::emitRowReduction(OpBuilder &builder, Location loc,
                                            const ThreadPlace &place,
                                            ArrayRef<PackedValue> values,
                                            Value buffer) {
  unsigned lanes = std::min(place.threadsPerRow, warpSize);
  SmallVector<Value> totals;
  for (const PackedValue &value : values)
    totals.push_back(emitButterfly(builder, loc, value, value.scalar, lanes));
  unsigned warps = place.threadsPerRow / warpSize;
  if (warps <= 1)
    return totals;

  auto index = [&](int64_t constant) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, constant);
  };
  auto slotOf = [&](const PackedValue &value, Value warp) {
    return SmallVector<Value>{buffer, place.group, index(value.row), warp};
  };
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        place.lane, index(0));
  auto store = scf::IfOp::create(builder, loc, isFirst);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(store.thenBlock());
    for (auto [value, total] : llvm::zip(values, totals))
      memref::StoreOp::create(builder, loc, total, value.slots,
                              slotOf(value, place.warp));
  }
  gpu::BarrierOp::create(builder, loc);

  // Lane l reads the slot of warp l; lanes without one take a neutral element.
  unsigned slots = llvm::PowerOf2Ceil(warps);
  Value lane = arith::RemUIOp::create(builder, loc, place.lane, index(slots));
  Value last = index(warps - 1);
  Value warp = arith::MinUIOp::create(builder, loc, lane, last);
  Value hasSlot;
  if (slots != warps)
    hasSlot = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule,
                                    lane, last);
  for (auto [value, total] : llvm::zip(values, totals)) {
    total =
        memref::LoadOp::create(builder, loc, value.slots, slotOf(value, warp));
    if (hasSlot) {
      Value neutral = arith::ConstantOp::create(
          builder, loc, getNeutralElement(value.kind, total.getType()));
      total = arith::SelectOp::create(builder, loc, hasSlot, total, neutral);
    }
  }
  for (auto [value, total] : llvm::zip(values, totals))
    total = emitButterfly(builder, loc, value, total, slots);
  return totals;
}
