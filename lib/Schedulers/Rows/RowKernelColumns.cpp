//===- RowKernelColumns.cpp - The work on the columns of rows -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "RowKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

/// Threads without columns in a tile read the row's first tile again and drop
/// what they compute. `wholeBefore` tiles of the row stand before `base`, at
/// most.
RowKernel::Tile RowKernel::makeTile(unsigned columns, Value base,
                                    uint64_t wholeBefore, unsigned number) {
  if (schedule.getCluster() > 1 &&
      schedule.getTraversal() == RowTraversal::Resident)
    return makeClusterTile(columns, number);
  uint64_t numTiles = countTiles(graph, columns, schedule.getWidth());
  uint64_t first = uint64_t(number) * place.threadsPerRow;
  Value tile =
      first ? add(place.threadOfGroup, index(first)) : place.threadOfGroup;
  if (base)
    tile = add(base, tile);
  Value valid;
  if (wholeBefore + first + place.threadsPerRow > numTiles)
    valid = isLess(tile, index(numTiles));
  return finishTile(tile, valid);
}

/// Each block of a cluster has a run of a resident row, of whole warps: its
/// accesses are near one another, and the blocks have about as much to do.
RowKernel::Tile RowKernel::makeClusterTile(unsigned columns, unsigned number) {
  uint64_t numTiles = countTiles(graph, columns, schedule.getWidth());
  unsigned blocks = schedule.getCluster(), threads = schedule.getThreads();
  uint64_t run = getClusterRun(numTiles, blocks);
  uint64_t first = uint64_t(number) * threads;
  Value inRun = first ? add(place.thread, index(first)) : place.thread;
  Value tile = add(mul(clusterRank, run), inRun), valid;
  if (first + threads > run)
    valid = isLess(inRun, index(run));
  if (blocks * run > numTiles)
    valid = both(valid, isLess(tile, index(numTiles)));
  return finishTile(tile, valid);
}

RowKernel::Tile RowKernel::finishTile(Value tile, Value valid) {
  if (valid)
    tile = select(valid, tile, index(0));
  return {mul(tile, schedule.getWidth()), valid};
}

Value RowKernel::loadLeaf(Value leaf, unsigned row, unsigned tile) {
  if (const Reduction *reduction = findReduction(leaf))
    return emitSpanTotals(*reduction, row, tile);
  Value buffer = buffers.getInput(leaf);
  std::pair<LoopSet, Value> rowIndex{graph.getRowLoops(), rowIndices[row]};
  if (!hasColumns(graph.getSpace(leaf)))
    return rowAccess.load(leaf, buffer, rowIndex);
  unsigned columns = graph.getColumnSpace(leaf);
  Value loaded = accesses[columns]->load(
      leaf, buffer,
      {{graph.getColumnSpaces()[columns].loops, tiles[tile].first}, rowIndex});
  Type type =
      getTileType(getElementTypeOrSelf(leaf.getType()), schedule.getWidth());
  return loaded.getType() == type ? loaded : evaluator.splat(loc, loaded);
}

void RowKernel::loadStreamed(const ColumnWork &work, unsigned firstTile,
                             unsigned numTiles) {
  for (unsigned tile = 0; tile < numTiles; ++tile)
    for (unsigned row = 0; row < schedule.getRows(); ++row)
      for (Value input : work.streamed)
        evaluate(input, row, firstTile + tile);
}

SmallVector<unsigned> RowKernel::getReductions(const ColumnWork &work) const {
  SmallVector<unsigned> numbers;
  for (auto [number, reduction] : llvm::enumerate(graph.getReductions()))
    if (!reduction.isSpanned() && reduction.level == work.level &&
        reduction.columns == work.columns)
      numbers.push_back(number);
  return numbers;
}

Value RowKernel::neutralTile(unsigned reduction) {
  ReduceOp op = graph.getReductions()[reduction].operation;
  return evaluator.splat(
      loc, constant(getNeutralElement(op.getKind(), op.getAccumulatorType())));
}

/// An element that stands for several columns counts once.
Value RowKernel::emitContribution(const Reduction &reduction, unsigned row,
                                  unsigned tile) {
  ReduceOp op = reduction.operation;
  Value value = evaluate(op.getInput(), row, tile);
  if (isa<FloatType>(op.getAccumulatorType()))
    value = convert(value, op.getAccumulatorType());
  const ColumnSpace &columns = graph.getColumnSpaces()[reduction.columns];
  Value counts = accesses[reduction.columns]->getFirsts(
      op.getInput(), {{columns.loops, tiles[tile].first}});
  if (!counts)
    return value;
  Value neutral = evaluator.splat(
      loc, constant(getNeutralElement(op.getKind(), op.getAccumulatorType())));
  return select(counts, value, neutral);
}

void RowKernel::emitReductions(const ColumnWork &work, unsigned row,
                               unsigned tile) {
  for (unsigned number : getReductions(work)) {
    const Reduction &reduction = graph.getReductions()[number];
    ReduceOp op = reduction.operation;
    if (row >= getNumRows(op.getInput()) ||
        (rescaled && number == rescaled->sum))
      continue;
    Value value = emitContribution(reduction, row, tile);
    if (tiles[tile].valid)
      value = select(tiles[tile].valid, value, neutralTile(number));
    Value &partial = partials[{number, row}];
    partial = partial ? createCombine(builder, loc, op.getKind(), partial,
                                      value, op.getFastmath())
                      : value;
  }
}

void RowKernel::emitOutputs(const ColumnWork &work, unsigned row,
                            unsigned tile) {
  const ColumnSpace &columns = graph.getColumnSpaces()[work.columns];
  for (auto [number, output] : llvm::enumerate(graph.getCandidate().outputs)) {
    if (graph.getLevel(output) != work.level ||
        !hasColumns(graph.getSpace(output)) ||
        graph.getColumnSpace(output) != work.columns ||
        row >= getNumRows(output))
      continue;
    PointAccess &access = *accesses[work.columns];
    Value value = evaluate(output, row, tile);
    // What does not vary within a tile is one element in memory.
    if (!hasColumns(access.getSpace(output)) &&
        isa<VectorType>(value.getType()))
      value = vector::ExtractOp::create(builder, loc, value, 0);
    access.store(output, value, buffers.getOutput(number),
                 {{columns.loops, tiles[tile].first},
                  {graph.getRowLoops(), rowIndices[row]}},
                 both(rowValid[row], tiles[tile].valid));
  }
}

void RowKernel::emitWork(const ColumnWork &work, unsigned firstTile,
                         unsigned numTiles) {
  for (unsigned tile = firstTile; tile < firstTile + numTiles; ++tile)
    for (unsigned row = 0; row < schedule.getRows(); ++row) {
      emitReductions(work, row, tile);
      emitOutputs(work, row, tile);
    }
}

/// `numTiles` tiles of each thread, from tile `base` of the row on.
void RowKernel::emitStep(const ColumnWork &work, Value base,
                         uint64_t wholeBefore, unsigned numTiles) {
  TileEvaluator::Memo outer = evaluator.getMemo();
  tiles.clear();
  for (unsigned number = 0; number < numTiles; ++number)
    tiles.push_back(makeTile(work.columns, base, wholeBefore, number));
  loadStreamed(work, 0, numTiles);
  emitWork(work, 0, numTiles);
  evaluator.setMemo(std::move(outer));
  clearAccesses();
}

/// Walks over all columns of the space: whole steps in a loop, then what is
/// left.
void RowKernel::emitPass(const ColumnWork &work) {
  uint64_t numTiles = countTiles(graph, work.columns, schedule.getWidth());
  uint64_t perStep = uint64_t(schedule.getVectors()) * place.threadsPerRow;
  uint64_t steps = numTiles / perStep, whole = steps * perStep;
  SmallVector<unsigned> reductions = getReductions(work);
  auto setPartials = [&](ValueRange values) {
    for (auto [number, value] : llvm::zip(reductions, values))
      partials[{number, 0}] = value;
  };
  if (steps) {
    SmallVector<Value> state;
    for (unsigned number : reductions)
      state.push_back(neutralTile(number));
    auto loop = scf::ForOp::create(builder, loc, index(0), index(whole),
                                   index(perStep), state);
    // What one step holds in registers is planned; several at once would spill.
    setNoUnroll(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    setPartials(loop.getRegionIterArgs());
    emitStep(work, loop.getInductionVar(), 0, schedule.getVectors());
    SmallVector<Value> yielded;
    for (unsigned number : reductions)
      yielded.push_back(partials[{number, 0}]);
    if (!yielded.empty())
      scf::YieldOp::create(builder, loc, yielded);
    setPartials(loop.getResults());
  }
  if (whole < numTiles)
    emitStep(work, whole ? index(whole) : Value(), whole,
             llvm::divideCeil(numTiles - whole, uint64_t(place.threadsPerRow)));
}
