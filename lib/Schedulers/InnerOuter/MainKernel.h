//===- MainKernel.h - The main kernel of the inner-outer schedule -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cluster (of one block or several) walks over tiles of rows:
//
//     params, first stages of the ring
//     for each tile of this cluster:
//       wait for the tile's stage
//       level 0: per vector of columns, row-reduction partials, column
//                accumulators, outputs; then one packed exchange
//       refill the stage
//       level 1: ... with the totals of level 0 known
//     store the column accumulators as this cluster's partial results
//
// MainKernel.cpp holds the set-up, the loop and what follows it;
// MainKernelRows.cpp the work on one tile of rows; GroupSums.cpp what the
// groups of a block do after their last one.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_MAINKERNEL_H
#define LIB_SCHEDULERS_INNEROUTER_MAINKERNEL_H

#include "../TileEvaluator.h"
#include "KernelContext.h"
#include "RowExchange.h"
#include "RowLoader.h"

namespace mlir::fusion::innerouter {

class MainKernel : private KernelContext {
public:
  MainKernel(gpu::GPUFuncOp kernel, const InnerOuterMatch &match,
             InnerOuterScheduleAttr schedule, const KernelArguments &arguments,
             Location loc)
      : KernelContext(kernel, match, schedule, arguments, loc),
        evaluator(builder, match.graph, schedule.getWidth()) {}

  void emit();

private:
  //===--- set-up ---===//
  void emitSharedParams();
  void emitRegisterParams();
  void emitScalars();
  void emitBlockBarrier();
  SmallVector<Value> emitFirstRowInputs();
  SmallVector<Value> emitInitialState();
  SmallVector<Value> emitTileLoop(SmallVector<Value> state);

  //===--- one tile of rows ---===//
  void loadRowInputs(Value iteration, SmallVectorImpl<Value> &values);
  void emitRowIndices(Value iteration, bool isPartial);
  SmallVector<Value> emitIteration(Value iteration, ValueRange state,
                                   bool isPartial);
  SmallVector<Value> emitPartialTile(ValueRange state);
  void emitLevels(Value iteration);
  void emitLevel(unsigned level);
  void emitTile(unsigned level, unsigned row, unsigned tile);
  void emitRowPartials(unsigned level, unsigned row, unsigned tile);
  void emitAccumulators(unsigned level, unsigned row, unsigned tile);
  void emitExchange(unsigned level, Value iteration);
  void emitRowOutputs(unsigned level);

  //===--- after the rows ---===//
  void emitEpilogue(ValueRange accumulators);
  void emitGroupSums(ValueRange accumulators);
  void storePartial(unsigned number, unsigned tile, Value sum);

  //===--- helpers ---===//
  Value loadLeaf(Value leaf, unsigned row, unsigned tile);
  Value loadPositions(Value iota, unsigned row, unsigned tile);
  Value evaluate(Value value, unsigned row, unsigned tile) {
    return evaluator.evaluate(value, row, tile,
                              [&](Value leaf, unsigned r, unsigned t) {
                                return loadLeaf(leaf, r, t);
                              });
  }
  unsigned getNumAccumulators() const {
    return graph.getColumnReductions().size() * getNumTiles();
  }

  TileEvaluator evaluator;
  std::unique_ptr<RowLoader> loader;
  std::unique_ptr<RowExchange> exchange;
  /// By param, if they stay in shared memory.
  SmallVector<Value> sharedParams;

  //===--- state of one iteration ---===//
  /// By column reduction and tile: reduction * tiles + tile.
  SmallVector<Value> accumulators;
  /// By row reduction of the level and row, the running tile.
  DenseMap<std::pair<unsigned, unsigned>, Value> rowPartials;
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_MAINKERNEL_H
