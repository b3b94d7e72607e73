//===- RowKernel.h - The kernel over independent rows -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block ends with its rows, so that several blocks of a multiprocessor
// overlap: while one reduces or stores, the others load.
//
//     resident                             looped
//     load all tiles of the row            level 0: for some tiles at a time
//     level 0: per tile, partials, outputs            load, partials, outputs
//     one packed reduction                 one packed reduction
//     level 1: with the totals known       level 1: the same, once more
//     ...                                  ...
//
// Reductions of spans of a row (see RowGraph.h) that do not wait are operations
// on tiles, evaluated where their totals are needed.
//
// RowKernel.cpp holds the set-up, the exchange and the order of the levels;
// RowKernelColumns.cpp the work on columns; RowKernelSpans.cpp reductions of
// spans; RowKernelRescale.cpp a maximum and a sum that take one exchange.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWS_ROWKERNEL_H
#define LIB_SCHEDULERS_ROWS_ROWKERNEL_H

#include "../KernelBuffers.h"
#include "../PointAccess.h"
#include "../RowReduction.h"
#include "../TileBuilder.h"
#include "../TileEvaluator.h"
#include "Rows.h"

namespace mlir::fusion::rows {

class RowKernel : private TileBuilder {
public:
  RowKernel(gpu::GPUFuncOp kernel, const RowsMatch &match,
            RowsScheduleAttr schedule, const KernelBuffers &buffers,
            Location loc);

  void emit();

private:
  using Reduction = RowGraph::Reduction;

  /// `width` columns of this thread: the first one, within the row even if the
  /// thread has none, and whether it has (null: always).
  struct Tile {
    Value first, valid;
  };

  //===--- set-up ---===//
  void emitPlace();
  void emitRows();
  void emitShared();
  void emitClusterSetUp();

  //===--- the order of work ---===//
  void emitResident();
  void emitLooped();
  void emitExchange(unsigned level);
  std::optional<ClusterExchange> getClusterExchange(unsigned reduction);
  PackedValue packPartial(unsigned reduction, unsigned row);
  void emitClusterWait();
  Value getBarrier(unsigned reduction);
  void emitRowOutputs(unsigned level);
  void evaluateRows(unsigned level);

  //===--- a maximum and a sum in one exchange ---===//
  void emitRescaledExchange(unsigned firstTile, unsigned numTiles);
  void emitPartExponentials(unsigned row, Value ofPart, unsigned firstTile,
                            unsigned numTiles);
  unsigned getExchangeLevel(unsigned number) const;

  //===--- columns ---===//
  /// Tile number `number` (of this thread) of space `columns`, counted from
  /// tile `base` of the row (null: 0).
  Tile makeTile(unsigned columns, Value base, uint64_t wholeBefore,
                unsigned number);
  Tile makeClusterTile(unsigned columns, unsigned number);
  Tile finishTile(Value tile, Value valid);
  void loadStreamed(const ColumnWork &work, unsigned firstTile,
                    unsigned numTiles);
  void emitWork(const ColumnWork &work, unsigned firstTile, unsigned numTiles);
  void emitReductions(const ColumnWork &work, unsigned row, unsigned tile);
  void emitOutputs(const ColumnWork &work, unsigned row, unsigned tile);
  void emitPass(const ColumnWork &work);
  void emitStep(const ColumnWork &work, Value base, uint64_t wholeBefore,
                unsigned numTiles);

  //===--- spans ---===//
  Value reduceInTile(const Reduction &reduction, Value tile);
  Value emitSpanTotals(const Reduction &reduction, unsigned row, unsigned tile);
  void emitSpanExchange(unsigned level, ArrayRef<unsigned> firstTiles,
                        ArrayRef<unsigned> numTiles);
  void emitSpanSlots(unsigned number, unsigned firstTile, unsigned numTiles);
  Value emitSlotSum(unsigned number, unsigned row, unsigned tile);

  //===--- helpers ---===//
  /// What the elements of a tile add to `reduction`, in the type of its
  /// accumulator.
  Value emitContribution(const Reduction &reduction, unsigned row,
                         unsigned tile);
  /// The reduction of the graph that gives `value`; null if none does.
  const Reduction *findReduction(Value value) const;
  Value loadLeaf(Value leaf, unsigned row, unsigned tile);
  Value evaluate(Value value, unsigned row, unsigned tile) {
    return evaluator.evaluate(value, row, tile,
                              [&](Value leaf, unsigned r, unsigned t) {
                                return loadLeaf(leaf, r, t);
                              });
  }
  void clearAccesses();
  /// The reductions of whole rows in `work`, by number.
  SmallVector<unsigned> getReductions(const ColumnWork &work) const;
  /// Rows of the group for which `value` differs: all, or one for all.
  unsigned getNumRows(Value value) const {
    return hasRows(graph.getSpace(value)) ? schedule.getRows() : 1;
  }
  Value neutralTile(unsigned reduction);

  const RowGraph &graph;
  const Footprint &footprint;
  RowsScheduleAttr schedule;
  const KernelBuffers &buffers;
  TileEvaluator evaluator;
  /// Of values without columns, and by column space.
  PointAccess rowAccess;
  SmallVector<std::unique_ptr<PointAccess>> accesses;

  ThreadPlace place;
  /// In a cluster: the number of the block in it.
  Value clusterRank;
  /// By row of the group: its number, within the rows even if there is none;
  /// whether there is (null: always).
  SmallVector<Value> rowIndices, rowValid;
  /// By reduction: slots in shared memory; null where it needs none.
  SmallVector<Value> slots;
  /// In a cluster: where dynamic shared memory starts, what lies where in it,
  /// and whether the other blocks are known to have set up their barriers.
  Value sharedAddress;
  SharedLayout layout;
  bool hasMet = false;
  /// The bytes that the exchange of a level brings to the barrier of its first
  /// reduction.
  struct Arrivals {
    unsigned reduction;
    uint64_t bytes;
  };
  SmallVector<Arrivals> arrivals;
  /// Null unless a maximum and a sum take one exchange; the exponentials of the
  /// thread, by row and tile.
  const RescaledSum *rescaled;
  DenseMap<std::pair<unsigned, unsigned>, Value> exponentials;
  /// By number: the tiles that the evaluator knows.
  SmallVector<Tile> tiles;
  /// By reduction and row, the running tile of this thread.
  DenseMap<std::pair<unsigned, unsigned>, Value> partials;
};

} // namespace mlir::fusion::rows

#endif // LIB_SCHEDULERS_ROWS_ROWKERNEL_H
