//===- RowKernelSpans.cpp - Reductions of parts of rows -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A span is a number of consecutive columns of a row that a reduction makes one
// of. Its total is wanted on each of its columns:
//
//     a span is ...                    its total comes from
//     a part of a tile                 the thread alone
//     2, 4, ..., 32 tiles              a butterfly over lanes, in each tile
//     any other number of tiles        slots in shared memory that all threads
//                                      fill before any reads
//
// Neighbouring lanes have neighbouring tiles, and spans start at multiples of
// their length, so that butterflies never leave a span. Every thread adds the
// slots of a span in the same order, so that all get the same bits.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "RowKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

const RowKernel::Reduction *RowKernel::findReduction(Value value) const {
  if (!value.getDefiningOp<ReduceOp>())
    return nullptr;
  const Reduction *found =
      llvm::find_if(graph.getReductions(), [&](const Reduction &reduction) {
        return reduction.operation == value.getDefiningOp();
      });
  return found == graph.getReductions().end() ? nullptr : found;
}

/// `tile` with, for each element, the total of those of its span in the tile.
Value RowKernel::reduceInTile(const Reduction &reduction, Value tile) {
  ReduceOp op = reduction.operation;
  SmallVector<Value> elements = emitElements(builder, loc, tile);
  size_t part = std::min<size_t>(reduction.span, elements.size());
  SmallVector<Value> totals;
  for (size_t first = 0; first < elements.size(); first += part)
    totals.append(
        part, emitPairwise(
                  builder, loc, op.getKind(), op.getFastmath(),
                  SmallVector<Value>(ArrayRef(elements).slice(first, part))));
  if (part == elements.size())
    return totals.front();
  return vector::FromElementsOp::create(
      builder, loc, cast<VectorType>(tile.getType()), totals);
}

/// The totals of spans that do not wait, on the columns of a tile.
Value RowKernel::emitSpanTotals(const Reduction &reduction, unsigned row,
                                unsigned tile) {
  assert(reduction.isSpanned() && !reduction.waits && "expected to be bound");
  ReduceOp op = reduction.operation;
  Type element = op.getType().getElementType();
  Value total = reduceInTile(reduction, emitContribution(reduction, row, tile));
  if (int64_t lanes = reduction.getLanes(schedule.getWidth()); lanes > 1) {
    Type type = total.getType();
    total = convert(total, getExchangeType(type), comparesSigned(op.getKind()));
    total = emitLaneReduction(builder, loc, op.getKind(), op.getFastmath(),
                              total, lanes);
  }
  total = convert(total, element);
  return isa<VectorType>(total.getType()) ? total : evaluator.splat(loc, total);
}

/// The reductions of spans at `level` that wait. Tiles of space i are those
/// from number `firstTiles[i]` on.
void RowKernel::emitSpanExchange(unsigned level, ArrayRef<unsigned> firstTiles,
                                 ArrayRef<unsigned> numTiles) {
  SmallVector<unsigned> numbers;
  for (auto [number, reduction] : llvm::enumerate(graph.getReductions()))
    if (reduction.isSpanned() && reduction.waits && reduction.level == level)
      numbers.push_back(number);
  if (numbers.empty())
    return;
  for (unsigned number : numbers) {
    unsigned columns = graph.getReductions()[number].columns;
    emitSpanSlots(number, firstTiles[columns], numTiles[columns]);
  }
  gpu::BarrierOp::create(builder, loc);
  for (unsigned number : numbers) {
    const Reduction &reduction = graph.getReductions()[number];
    ReduceOp op = reduction.operation;
    for (unsigned i = 0; i < numTiles[reduction.columns]; ++i)
      for (unsigned row = 0; row < getNumRows(op.getInput()); ++row) {
        unsigned tile = firstTiles[reduction.columns] + i;
        Value total = emitSlotSum(number, row, tile);
        evaluator.bind(op.getResult(), row, tile,
                       evaluator.splat(
                           loc, convert(total, op.getType().getElementType())));
      }
  }
}

/// The first of each few lanes leaves in a slot what they have of their span.
void RowKernel::emitSpanSlots(unsigned number, unsigned firstTile,
                              unsigned numTiles) {
  const Reduction &reduction = graph.getReductions()[number];
  ReduceOp op = reduction.operation;
  unsigned lanes = countSlotLanes(reduction, schedule);
  Value isFirst;
  if (lanes > 1)
    isFirst =
        isLess(arith::RemUIOp::create(builder, loc, place.lane, index(lanes)),
               index(1));
  for (unsigned tile = firstTile; tile < firstTile + numTiles; ++tile)
    for (unsigned row = 0; row < getNumRows(op.getInput()); ++row) {
      Value total =
          reduceInTile(reduction, emitContribution(reduction, row, tile));
      total = convert(total, getExchangeType(total.getType()),
                      comparesSigned(op.getKind()));
      total = emitLaneReduction(builder, loc, op.getKind(), op.getFastmath(),
                                total, lanes);
      Value slot =
          arith::DivUIOp::create(builder, loc, tiles[tile].first,
                                 index(uint64_t(lanes) * schedule.getWidth()));
      emitIf(both(isFirst, tiles[tile].valid), [&] {
        memref::StoreOp::create(
            builder, loc, total, slots[number],
            ValueRange{index(0), place.group, index(row), slot});
      });
    }
}

/// The slots of the span that `tile` is part of, combined in order.
Value RowKernel::emitSlotSum(unsigned number, unsigned row, unsigned tile) {
  const Reduction &reduction = graph.getReductions()[number];
  ReduceOp op = reduction.operation;
  int64_t count = reduction.getLanes(schedule.getWidth()) /
                  countSlotLanes(reduction, schedule);
  Value span = arith::DivUIOp::create(builder, loc, tiles[tile].first,
                                      index(reduction.span));
  Value first = mul(span, count);
  auto load = [&](Value slot) -> Value {
    return memref::LoadOp::create(
        builder, loc, slots[number],
        ValueRange{index(0), place.group, index(row), slot});
  };
  Value initial = load(first);
  if (count == 1)
    return initial;
  auto loop = scf::ForOp::create(builder, loc, index(1), index(count), index(1),
                                 initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value next = load(add(first, loop.getInductionVar()));
  Value sum = createCombine(builder, loc, op.getKind(),
                            loop.getRegionIterArg(0), next, op.getFastmath());
  scf::YieldOp::create(builder, loc, sum);
  return loop.getResult(0);
}
