//===- MainKernelRows.cpp - The work on one tile of rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RowReduction.h"
#include "FusionDialect/IR/Combine.h"
#include "MainKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// The positions along the rows or along the columns.
Value MainKernel::loadPositions(Value iota, unsigned row, unsigned tile) {
  Type element = getElementTypeOrSelf(iota.getType());
  if (graph.getSpace(iota) == Space::Row)
    return TileBuilder(builder, loc, /*width=*/1)
        .getPositions(safeRows[row], /*stride=*/0, element);
  return getPositions(globalColumn(safeColumns[tile]), /*stride=*/1, element);
}

Value MainKernel::loadLeaf(Value leaf, unsigned row, unsigned tile) {
  auto numberIn = [&](ArrayRef<Value> values) -> unsigned {
    return llvm::find(values, leaf) - values.begin();
  };
  if (leaf.getDefiningOp<IotaOp>())
    return loadPositions(leaf, row, tile);
  Value argument = arguments.getInput(leaf);
  switch (graph.getSpace(leaf)) {
  case Space::Scalar:
    if (isa<MemRefType>(argument.getType()))
      return memref::LoadOp::create(builder, loc, argument);
    return argument;
  case Space::Column:
    if (sharedParams.empty())
      return loadTile(argument, globalColumn(safeColumns[tile]));
    return loadShared(sharedParams[numberIn(footprint.params)], columns[tile],
                      getElementTypeOrSelf(leaf));
  case Space::RowColumn:
    return loader->load(numberIn(footprint.rowColumnInputs), row, tile);
  case Space::Row:
    break;
  }
  llvm_unreachable("row inputs are bound at the start of an iteration");
}

void MainKernel::emitRowPartials(unsigned level, unsigned row, unsigned tile) {
  for (auto [number, reduction] : llvm::enumerate(graph.getRowReductions())) {
    if (reduction.level != level)
      continue;
    Value value =
        convert(evaluate(reduction.operand, row, tile),
                reduction.accumulatorType, comparesSigned(reduction.kind));
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
}

void MainKernel::emitAccumulators(unsigned level, unsigned row, unsigned tile) {
  for (auto [number, reduction] :
       llvm::enumerate(graph.getColumnReductions())) {
    if (reduction.level != level)
      continue;
    Value value =
        convert(evaluate(reduction.operand, row, tile),
                reduction.accumulatorType, comparesSigned(reduction.kind));
    Value &accumulator = accumulators[number * getNumTiles() + tile];
    Value sum = createCombine(builder, loc, reduction.kind, accumulator, value,
                              reduction.fastmath);
    accumulator = rowValid[row] ? select(rowValid[row], sum, accumulator) : sum;
  }
}

void MainKernel::emitTile(unsigned level, unsigned row, unsigned tile) {
  emitRowPartials(level, row, tile);
  emitAccumulators(level, row, tile);
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (graph.getSpace(output) != Space::RowColumn ||
        graph.getLevel(output) != level)
      continue;
    Value value = evaluate(output, row, tile);
    emitIf(both(rowValid[row], columnValid[tile]), [&, buffer = buffer] {
      storeTile(value, buffer, {rowIndices[row], globalColumn(columns[tile])});
    });
  }
}

void MainKernel::emitRowOutputs(unsigned level) {
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (graph.getSpace(output) != Space::Row || graph.getLevel(output) != level)
      continue;
    for (unsigned row = 0; row < getNumRows(); ++row) {
      Value value = evaluate(output, row, 0);
      Value isFirst = both(place.isLeader, rowValid[row]);
      if (hasCluster())
        isFirst = both(isFirst, isLess(rank, index(1)));
      emitIf(isFirst, [&, buffer = buffer] {
        memref::StoreOp::create(builder, loc, value, buffer, rowIndices[row]);
      });
    }
  }
}

/// One exchange of all row reductions of the level, for all rows.
void MainKernel::emitExchange(unsigned level, Value iteration) {
  SmallVector<Value> values;
  SmallVector<std::pair<unsigned, unsigned>> members;
  for (const ExchangePack &pack : exchange->getPacks()) {
    if (pack.level != level)
      continue;
    llvm::append_range(members, pack.members);
    for (auto member : pack.members)
      values.push_back(emitHorizontal(builder, loc, pack.kind, pack.fastmath,
                                      rowPartials[member]));
  }
  SmallVector<Value> totals = exchange->emit(level, values, iteration);
  for (auto [member, total] : llvm::zip(members, totals)) {
    Value result = graph.getRowReductions()[member.first].result;
    evaluator.bind(result, member.second, 0,
                   convert(total, getElementTypeOrSelf(result.getType())));
  }
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
/// are loaded some tiles ahead, so that their latency hides behind the work on
/// those. After the last tile the last row is read once more.
void MainKernel::loadRowInputs(Value iteration,
                               SmallVectorImpl<Value> &values) {
  if (footprint.rowInputs.empty())
    return;
  for (unsigned row = 0; row < getNumRows(); ++row) {
    Value rowIndex = clampRow(getRowIndex(iteration, row));
    for (Value input : footprint.rowInputs)
      values.push_back(memref::LoadOp::create(
          builder, loc, arguments.getInput(input), rowIndex));
  }
}

void MainKernel::emitRowIndices(Value iteration, bool isPartial) {
  rowIndices.clear();
  safeRows.clear();
  rowValid.clear();
  for (unsigned row = 0; row < getNumRows(); ++row) {
    Value rowIndex = getRowIndex(iteration, row);
    rowIndices.push_back(rowIndex);
    rowValid.push_back(isPartial ? isLess(rowIndex, rowCount) : Value());
    safeRows.push_back(isPartial ? clampRow(rowIndex) : rowIndex);
  }
}

/// Emits the levels one after the other, and tells the loader when a tile's
/// stage can be filled again.
void MainKernel::emitLevels(Value iteration) {
  bool keepsRegisters = schedule.getKeep() == Residency::Registers;
  rowPartials.clear();
  for (unsigned level = 0; level < graph.getNumLevels(); ++level) {
    emitLevel(level);
    bool isDone = level == 0 && keepsRegisters;
    if (isDone) {
      // What only later levels use leaves the ring now as well.
      for (Value input : footprint.rowColumnInputs)
        for (unsigned row = 0; row < getNumRows(); ++row)
          for (unsigned tile = 0; tile < getNumTiles(); ++tile)
            evaluate(input, row, tile);
      loader->emitThreadDone(iteration);
    }
    if (level + 1 < graph.getNumLevels())
      emitExchange(level, iteration);
    if (isDone && loader->needsGroupDone()) {
      if (!exchange->isBarrier())
        emitGroupBarrier();
      loader->emitGroupDone(iteration);
    }
  }
  if (keepsRegisters)
    return;
  loader->emitThreadDone(iteration);
  if (loader->needsGroupDone()) {
    emitGroupBarrier();
    loader->emitGroupDone(iteration);
  }
}

/// Emits the body of the loop over tiles. `state` holds the accumulators, the
/// row inputs of this tile and of the ones after it, and the state of the
/// loader; returns the next one. The tile of a partial iteration has fewer rows
/// than the schedule's.
SmallVector<Value> MainKernel::emitIteration(Value iteration, ValueRange state,
                                             bool isPartial) {
  TileEvaluator::Memo outer = evaluator.getMemo();
  accumulators.assign(state.begin(), state.begin() + getNumAccumulators());
  size_t numInputs = footprint.rowInputs.size() * getNumRows();
  ValueRange rowInputs =
      state.slice(getNumAccumulators(), numInputs * rowDistance);
  loader->setState(state.drop_front(getNumAccumulators() + rowInputs.size()));

  emitRowIndices(iteration, isPartial);
  for (unsigned row = 0; row < getNumRows(); ++row)
    for (auto [number, input] : llvm::enumerate(footprint.rowInputs))
      evaluator.bind(input, row, 0,
                     rowInputs[row * footprint.rowInputs.size() + number]);
  SmallVector<Value> nextRowInputs(rowInputs.drop_front(numInputs));
  loadRowInputs(add(iteration, index(rowDistance)), nextRowInputs);

  loader->emitWait(iteration);
  emitLevels(iteration);

  SmallVector<Value> yielded(accumulators);
  llvm::append_range(yielded, nextRowInputs);
  llvm::append_range(yielded, loader->getNextState());
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
  // Branches that carry nothing come with their terminators.
  builder.setInsertionPointToStart(op.thenBlock());
  SmallVector<Value> next = emitIteration(wholeIterations, state,
                                          /*isPartial=*/true);
  if (next.empty())
    return next;
  scf::YieldOp::create(builder, loc, next);
  builder.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(builder, loc, state);
  return llvm::to_vector_of<Value>(op.getResults());
}
