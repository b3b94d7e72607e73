//===- KernelContext.h - What the parts of the main kernel share -*- C++-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main kernel is emitted by parts that know little of one another: the
// loader brings rows to the threads, the exchange combines row reductions over
// the threads of a row, the kernel does the work on a tile. They share where a
// thread stands, which columns it has, and the shared memory of its block.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_KERNELCONTEXT_H
#define LIB_SCHEDULERS_INNEROUTER_KERNELCONTEXT_H

#include "../RowReduction.h"
#include "../TileBuilder.h"
#include "InnerOuter.h"
#include "KernelArguments.h"

namespace mlir::fusion::innerouter {

/// The thread's place in its block; index values.
struct Place : ThreadPlace {
  /// True in the first thread of each group.
  Value isLeader;
};

class KernelContext : public TileBuilder {
public:
  KernelContext(gpu::GPUFuncOp kernel, const InnerOuterMatch &match,
                InnerOuterScheduleAttr schedule,
                const KernelArguments &arguments, Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, schedule.getWidth()),
        graph(match.graph), footprint(match.footprint), schedule(schedule),
        arguments(arguments),
        layout(computeSharedLayout(graph, footprint, schedule)) {}

  /// Emits the values below: once, at the start of the kernel.
  void emitPlace();
  void emitColumns();
  void emitSharedMemory();

  /// A view of this block's shared memory at a byte offset. Where it holds i1
  /// it is one of bytes: loadShared and storeShared convert.
  Value view(uint64_t offset, llvm::ArrayRef<int64_t> shape, Type element);
  /// The tile of `element` values in a view.
  Value loadShared(Value view, llvm::ArrayRef<Value> indices, Type element);
  void storeShared(Value tile, Value view, llvm::ArrayRef<Value> indices);
  /// The pointer, of address space 3, to a byte of this block's shared memory.
  Value sharedPointer(Value byteOffset);
  /// `pointer` (of address space 3) as a pointer to the cluster's memory.
  Value clusterPointer(Value pointer);
  /// A 32-bit integer constant.
  Value i32(int64_t value);

  /// All threads of the row group wait for one another.
  void emitGroupBarrier();
  /// Waits until phase `parity` (0 or 1, an index) of the barrier is complete.
  void emitBarrierWait(Value barrier, Value parity);
  /// Makes initialised barriers visible to copies and to the cluster.
  void emitBarrierFence();

  /// Row `row` of this thread's group in tile `iteration` of this cluster.
  Value getRowIndex(Value iteration, unsigned row);
  /// `rowIndex`, or the last row if there is none of that number.
  Value clampRow(Value rowIndex) {
    return arith::MinUIOp::create(
        builder, loc, rowIndex,
        arith::SubIOp::create(builder, loc, rowCount, index(1)));
  }
  /// `row` of this thread's group among the rows of a tile.
  Value getTileRow(unsigned row);
  /// The column of the row at which `column` of this block stands.
  Value globalColumn(Value column) {
    return firstColumn ? add(firstColumn, column) : column;
  }

  unsigned getNumTiles() const { return schedule.getVectors(); }
  unsigned getNumRows() const { return schedule.getRows(); }
  unsigned getWarps() const { return schedule.getThreadsPerRow() / 32; }
  bool hasCluster() const { return schedule.getCluster() > 1; }
  /// True if the last tile has fewer rows than the others.
  bool hasPartialTile() const {
    return graph.getRowsPerExtent() % schedule.getRowsPerTile() != 0;
  }

  const RowColumnGraph &graph;
  const Footprint &footprint;
  InnerOuterScheduleAttr schedule;
  const KernelArguments &arguments;
  SharedLayout layout;

  Place place;
  /// The number of the cluster in the grid, and of the block in the cluster
  /// (null without clusters).
  Value cluster, rank;
  /// The number of tiles of this cluster, and of those with all their rows.
  Value iterations, wholeIterations;
  /// The number of rows.
  Value rowCount;
  /// The first column of this block (null if 0) and how many it has.
  Value firstColumn, blockColumns;
  /// By vector of this thread, within the block's columns: the first column;
  /// the same, or 0 where the block has no such column; whether it has (null if
  /// always).
  SmallVector<Value> columns, safeColumns, columnValid;

  //===--- the tile in work ---===//
  /// By row of the group: its number; the same, or the last row if there is no
  /// such row; whether there is (null if always).
  SmallVector<Value> rowIndices, safeRows, rowValid;

private:
  Value dynamicMemory, sharedAddress;
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_KERNELCONTEXT_H
