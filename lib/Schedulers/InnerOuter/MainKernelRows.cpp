//===- MainKernelRows.cpp - The work on one tile of rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "MainKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

Value MainKernel::loadLeaf(Value leaf, unsigned row, unsigned tile) {
  Value argument = arguments.getInput(leaf);
  switch (graph.getSpace(leaf)) {
  case Space::Scalar:
    if (isa<MemRefType>(argument.getType()))
      return memref::LoadOp::create(builder, loc, argument);
    return argument;
  case Space::Column: {
    if (sharedParams.empty())
      return loadTile(argument, safeColumns[tile]);
    unsigned param =
        llvm::find(footprint.params, leaf) - footprint.params.begin();
    return loadTile(sharedParams[param], columns[tile]);
  }
  case Space::RowColumn: {
    if (!usesRing())
      return loadTile(argument, {safeRows[row], safeColumns[tile]});
    unsigned input = llvm::find(footprint.rowColumnInputs, leaf) -
                     footprint.rowColumnInputs.begin();
    Value slot = index(row);
    if (schedule.getGroups() > 1)
      slot = add(mul(place.group, getNumRows()), slot);
    return loadTile(ring[input], {stage, slot, columns[tile]});
  }
  case Space::Row:
    break;
  }
  llvm_unreachable("row inputs are bound at the start of an iteration");
}

void MainKernel::emitTile(unsigned level, unsigned row, unsigned tile) {
  for (auto [number, reduction] : llvm::enumerate(graph.getRowReductions())) {
    if (reduction.level != level)
      continue;
    Value value = convert(evaluate(reduction.operand, row, tile),
                          reduction.accumulatorType);
    if (columnValid[tile]) {
      Value neutral =
          evaluator.splat(loc, constant(getNeutralElement(
                                   reduction.kind, reduction.accumulatorType)));
      value = select(columnValid[tile], value, neutral);
    }
    Value &partial = rowPartials[{number, row}];
    partial = partial ? createCombine(builder, loc, reduction.kind, partial,
                                      value, reduction.fastmath)
                      : value;
  }
  for (auto [number, reduction] :
       llvm::enumerate(graph.getColumnReductions())) {
    if (reduction.level != level)
      continue;
    Value value = convert(evaluate(reduction.operand, row, tile),
                          reduction.accumulatorType);
    Value &accumulator = accumulators[number * getNumTiles() + tile];
    Value sum = createCombine(builder, loc, reduction.kind, accumulator, value,
                              reduction.fastmath);
    accumulator = rowValid[row] ? select(rowValid[row], sum, accumulator) : sum;
  }
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (graph.getSpace(output) != Space::RowColumn ||
        graph.getLevel(output) != level)
      continue;
    Value value = evaluate(output, row, tile);
    emitIf(both(rowValid[row], columnValid[tile]), [&, buffer = buffer] {
      storeTile(value, buffer, {rowIndices[row], columns[tile]});
    });
  }
}

void MainKernel::emitRowOutputs(unsigned level) {
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (graph.getSpace(output) != Space::Row || graph.getLevel(output) != level)
      continue;
    for (unsigned row = 0; row < getNumRows(); ++row) {
      Value value = evaluate(output, row, 0);
      Value isFirst = isLess(place.threadOfGroup, index(1));
      if (rowValid[row])
        isFirst = arith::AndIOp::create(builder, loc, isFirst, rowValid[row]);
      emitIf(isFirst, [&, buffer = buffer] {
        memref::StoreOp::create(builder, loc, value, buffer, rowIndices[row]);
      });
    }
  }
}

/// One packed reduction of all row reductions of the level, for all rows.
void MainKernel::emitExchange(unsigned level) {
  SmallVector<PackedValue> values;
  SmallVector<std::pair<const RowColumnGraph::Reduction *, unsigned>> owners;
  for (auto [number, reduction] : llvm::enumerate(graph.getRowReductions())) {
    if (reduction.level != level)
      continue;
    for (unsigned row = 0; row < getNumRows(); ++row) {
      Value scalar =
          emitHorizontal(builder, loc, reduction.kind, reduction.fastmath,
                         rowPartials[{number, row}]);
      values.push_back({reduction.kind, reduction.fastmath, scalar,
                        exchange.empty() ? Value() : exchange[number], row});
      owners.emplace_back(&reduction, row);
    }
  }
  // Two buffers are enough: a thread that writes one again has passed the
  // barrier that every reader of its former contents reached after reading.
  unsigned perIteration = graph.getNumLevels() - 1;
  Value buffer = index(exchanges % 2);
  if (perIteration % 2)
    buffer =
        exchanges % 2
            ? arith::SubIOp::create(builder, loc, index(1), parity).getResult()
            : parity;
  ++exchanges;
  SmallVector<Value> totals =
      emitRowReduction(builder, loc, place, values, buffer);
  for (auto [owner, total] : llvm::zip(owners, totals))
    evaluator.bind(
        owner.first->result, owner.second, 0,
        convert(total, getElementTypeOrSelf(owner.first->result.getType())));
}

void MainKernel::emitLevel(unsigned level) {
  if (level && schedule.getKeep() == Residency::Shared) {
    evaluator.forget(Space::RowColumn);
    if (!sharedParams.empty())
      evaluator.forget(Space::Column);
  }
  emitRowOutputs(level);
  for (unsigned tile = 0; tile < getNumTiles(); ++tile)
    for (unsigned row = 0; row < getNumRows(); ++row)
      emitTile(level, row, tile);
}

/// Loads the row inputs of tile `iteration` and appends them to `values`. They
/// are loaded as many tiles ahead as the ring holds, so that their latency
/// hides behind the same work. After the last tile the last row is read once
/// more.
void MainKernel::loadRowInputs(Value iteration,
                               SmallVectorImpl<Value> &values) {
  if (footprint.rowInputs.empty())
    return;
  for (unsigned row = 0; row < getNumRows(); ++row) {
    Value rowIndex = arith::MinUIOp::create(
        builder, loc, getRowIndex(iteration, row), index(graph.getRows() - 1));
    for (Value input : footprint.rowInputs)
      values.push_back(memref::LoadOp::create(
          builder, loc, arguments.getInput(input), rowIndex));
  }
}

/// Emits the body of the loop over tiles. `state` holds the accumulators, the
/// row inputs of this tile and of the ones after it, the stage and the parity
/// of the exchange buffers; returns the next one. The tile of a partial
/// iteration has fewer rows than the schedule's.
SmallVector<Value> MainKernel::emitIteration(Value iteration, ValueRange state,
                                             bool isPartial) {
  TileEvaluator::Memo outer = evaluator.getMemo();
  unsigned numAccumulators = graph.getColumnReductions().size() * getNumTiles();
  accumulators.assign(state.begin(), state.begin() + numAccumulators);
  ValueRange rowInputs = state.drop_front(numAccumulators).drop_back(2);
  stage = state[state.size() - 2];
  parity = state.back();

  rowIndices.clear();
  safeRows.clear();
  rowValid.clear();
  for (unsigned row = 0; row < getNumRows(); ++row) {
    Value rowIndex = getRowIndex(iteration, row);
    rowIndices.push_back(rowIndex);
    rowValid.push_back(isPartial ? isLess(rowIndex, index(graph.getRows()))
                                 : Value());
    safeRows.push_back(isPartial
                           ? arith::MinUIOp::create(builder, loc, rowIndex,
                                                    index(graph.getRows() - 1))
                                 .getResult()
                           : rowIndex);
  }
  for (unsigned row = 0; row < getNumRows(); ++row)
    for (auto [number, input] : llvm::enumerate(footprint.rowInputs))
      evaluator.bind(input, row, 0,
                     rowInputs[row * footprint.rowInputs.size() + number]);
  SmallVector<Value> nextRowInputs(
      rowInputs.drop_front(footprint.rowInputs.size() * getNumRows()));
  loadRowInputs(add(iteration, index(getRowDistance(schedule))), nextRowInputs);

  if (usesRing())
    NVVM::CpAsyncWaitGroupOp::create(builder, loc, schedule.getStages() - 1);
  auto refill = [&] {
    if (usesRing())
      emitCopies(add(iteration, index(schedule.getStages())), stage);
  };
  bool keepsRegisters = schedule.getKeep() == Residency::Registers;
  rowPartials.clear();
  exchanges = 0;
  for (unsigned level = 0; level < graph.getNumLevels(); ++level) {
    emitLevel(level);
    if (level == 0 && keepsRegisters) {
      // What only later levels use leaves the ring now as well.
      for (Value input : footprint.rowColumnInputs)
        for (unsigned row = 0; row < getNumRows(); ++row)
          for (unsigned tile = 0; tile < getNumTiles(); ++tile)
            evaluate(input, row, tile);
      refill();
    }
    if (level + 1 < graph.getNumLevels())
      emitExchange(level);
  }
  if (!keepsRegisters)
    refill();

  SmallVector<Value> yielded(accumulators);
  llvm::append_range(yielded, nextRowInputs);
  Value nextStage = add(stage, index(1));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      nextStage, index(schedule.getStages()));
  yielded.push_back(select(wraps, index(0), nextStage));
  yielded.push_back(arith::SubIOp::create(builder, loc, index(1), parity));
  evaluator.setMemo(std::move(outer));
  return yielded;
}

/// The one tile with fewer rows, in the block that has it: apart from the loop,
/// so that whole tiles need no masks.
SmallVector<Value> MainKernel::emitPartialTile(ValueRange state) {
  auto op = scf::IfOp::create(builder, loc, state.getTypes(),
                              isLess(wholeIterations, iterations),
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(builder, loc,
                       emitIteration(wholeIterations, state,
                                     /*isPartial=*/true));
  builder.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(builder, loc, state);
  return llvm::to_vector_of<Value>(op.getResults());
}
