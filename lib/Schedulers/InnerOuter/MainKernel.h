//===- MainKernel.h - The main kernel of the inner-outer schedule -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block walks over tiles of rows:
//
//     params, first stages of the ring
//     for each tile of this block:
//       wait for the tile's stage
//       level 0: per column tile, row-reduction partials, column accumulators,
//                outputs; then one packed row reduction
//       refill the stage
//       level 1: ... with the totals of level 0 known
//     store the column accumulators as this block's partial results
//
// Every thread copies to the ring what it will read itself, so that the ring
// needs no barrier: the only barriers are those of the row reductions.
//
// MainKernel.cpp holds the set-up, the ring, the loop and what follows it;
// MainKernelRows.cpp the work on one tile of rows.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_MAINKERNEL_H
#define LIB_SCHEDULERS_INNEROUTER_MAINKERNEL_H

#include "../RowReduction.h"
#include "../TileBuilder.h"
#include "../TileEvaluator.h"
#include "InnerOuter.h"
#include "KernelArguments.h"

namespace mlir::fusion::innerouter {

class MainKernel : private TileBuilder {
public:
  MainKernel(gpu::GPUFuncOp kernel, const InnerOuterMatch &match,
             InnerOuterScheduleAttr schedule, const KernelArguments &arguments,
             Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, schedule.getWidth()),
        graph(match.graph), footprint(match.footprint), schedule(schedule),
        arguments(arguments),
        evaluator(builder, match.graph, schedule.getWidth()) {}

  void emit();

private:
  //===--- set-up ---===//
  void emitPlace();
  void emitColumns();
  void emitShared();
  void emitParams();

  //===--- the ring ---===//
  void emitCopies(Value iteration, Value stage);
  void emitTileCopy(unsigned input, unsigned row, unsigned tile, Value stage,
                    Value rowIndex);

  //===--- one tile of rows ---===//
  void loadRowInputs(Value iteration, SmallVectorImpl<Value> &values);
  SmallVector<Value> emitIteration(Value iteration, ValueRange state,
                                   bool isPartial);
  SmallVector<Value> emitPartialTile(ValueRange state);
  void emitLevel(unsigned level);
  void emitTile(unsigned level, unsigned row, unsigned tile);
  void emitExchange(unsigned level);
  void emitRowOutputs(unsigned level);
  void emitEpilogue(ValueRange accumulators);
  void emitGroupSums(ValueRange accumulators);

  //===--- helpers ---===//
  /// Row `row` of this thread's group in tile `iteration` of this block.
  Value getRowIndex(Value iteration, unsigned row);
  Value loadLeaf(Value leaf, unsigned row, unsigned tile);
  Value evaluate(Value value, unsigned row, unsigned tile) {
    return evaluator.evaluate(value, row, tile,
                              [&](Value leaf, unsigned r, unsigned t) {
                                return loadLeaf(leaf, r, t);
                              });
  }
  /// True if the last tile has fewer rows than the others.
  bool hasPartialTile() const {
    return graph.getRows() % schedule.getRowsPerTile() != 0;
  }
  bool usesRing() const { return schedule.getLoader() == Loader::AsyncCopy; }
  unsigned getNumTiles() const { return schedule.getVectors(); }
  unsigned getNumRows() const { return schedule.getRows(); }

  const RowColumnGraph &graph;
  const Footprint &footprint;
  InnerOuterScheduleAttr schedule;
  const KernelArguments &arguments;
  TileEvaluator evaluator;

  ThreadPlace place;
  Value block;
  /// The number of iterations of this block, and of those with whole tiles.
  Value iterations, wholeIterations;
  /// By tile: the first column; clamped into the row; whether it is in the row
  /// (null if always).
  SmallVector<Value> columns, safeColumns, columnValid;
  /// Shared memory: by row-column input, param, row reduction.
  SmallVector<Value> ring, sharedParams, exchange;
  Value base;

  //===--- state of one iteration ---===//
  Value stage, parity;
  SmallVector<Value> rowIndices, safeRows, rowValid;
  /// By column reduction and tile: reduction * tiles + tile.
  SmallVector<Value> accumulators;
  /// By row reduction of the level and row, the running tile.
  DenseMap<std::pair<unsigned, unsigned>, Value> rowPartials;
  unsigned exchanges = 0;
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_MAINKERNEL_H
