//===- Rows.h - The schedulers of independent rows --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the schedulers inner-persistent and inner-reduction: what match
// finds out, and the pieces that plan, cost and emit share. Both make the same
// kernel from a RowGraph; they differ in what they take. If only one level has
// work on columns nothing waits for the total of a row: that is an inner
// reduction. Otherwise the row persists, on chip or by being read again.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWS_ROWS_H
#define LIB_SCHEDULERS_ROWS_ROWS_H

#include "RescaledSum.h"
#include "RowGraph.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::rows {

/// Work on the columns of one space at one level.
struct ColumnWork {
  unsigned level, columns;
  /// The inputs over columns that it computes from.
  SmallVector<Value> streamed, params;
};

/// What a kernel over a graph reads, keeps and writes; independent of the
/// schedule.
struct Footprint {
  /// Of each input that is streamed. (Where it was measured that the cost of
  /// starting a block no longer decides.)
  bool hasLongRows() const {
    constexpr uint64_t leastBytes = 8 << 10;
    return rowInputBytes >= leastBytes * std::max<size_t>(1, streamed.size());
  }

  /// Inputs by how they are read: once for each row and column, once for each
  /// row, and by several rows or columns.
  SmallVector<Value> streamed, rowInputs, params;
  /// In the order of levels, then of column spaces.
  SmallVector<ColumnWork> work;
  /// The smallest element of what is streamed in or out, in bytes; 16 if
  /// nothing is.
  unsigned minElementBytes = 16;
  /// By column space: bytes of one column that a thread loads before it starts,
  /// that wait for later levels at most, and that params of one level hold.
  SmallVector<unsigned> loadedBytes, keptBytes, paramBytes;
  /// By column space: scalar operations for one column, accesses included.
  SmallVector<unsigned> operationsPerColumn;
  /// The element types of partial results, by reduction.
  SmallVector<Type> accumulatorTypes;
  /// Bytes of all inputs and outputs, and of the params that one row reads.
  uint64_t inputBytes = 0, outputBytes = 0, paramBytesPerRow = 0;
  /// Bytes of one row that are streamed in, and out.
  uint64_t rowInputBytes = 0, rowOutputBytes = 0;
  /// Bytes of one row that several passes stream in, each pass counted.
  uint64_t passInputBytes = 0;
  /// Work for each column at more than one level.
  bool isPersistent = false;
  /// A maximum and a sum that can take one exchange.
  std::optional<RescaledSum> rescaled;
};

Footprint computeFootprint(const RowGraph &graph);

/// What match learnt.
struct RowsMatch : Match {
  RowsMatch(RowGraph graph, Footprint footprint)
      : graph(std::move(graph)), footprint(std::move(footprint)) {}

  RowsKind getKind() const {
    return footprint.isPersistent ? RowsKind::InnerPersistent
                                  : RowsKind::InnerReduction;
  }

  RowGraph graph;
  Footprint footprint;
  /// The best schedule; chosen in match, since a match guarantees a plan.
  RowsScheduleAttr schedule;
};

struct Shape;

/// The pair of reductions that takes one exchange in a kernel of this shape: a
/// resident row of several warps.
const RescaledSum *getRescaledSum(const Footprint &footprint,
                                  const Shape &shape);

/// The numbers of a schedule that decide its cost. The search makes many of
/// them, and one attribute.
struct Shape {
  RowTraversal traversal = RowTraversal::Resident;
  unsigned cluster = 1, threads = 32, groups = 1, rows = 1, width = 1,
           vectors = 1, occupancy = 1;

  Shape() = default;
  /*implicit*/ Shape(RowsScheduleAttr schedule)
      : traversal(schedule.getTraversal()), cluster(schedule.getCluster()),
        threads(schedule.getThreads()), groups(schedule.getGroups()),
        rows(schedule.getRows()), width(schedule.getWidth()),
        vectors(schedule.getVectors()), occupancy(schedule.getOccupancy()) {}

  unsigned getThreadsPerRow() const { return threads / groups * cluster; }
  unsigned getRowsPerBlock() const { return groups * rows; }
  /// True if a row has several warps, which meet at barriers.
  bool hasBarriers(const DeviceModel &device) const;
};

/// True if tiles of `width` columns fill the spans of `reduction`, or spans
/// fill tiles.
bool dividesSpan(const RowGraph::Reduction &reduction, unsigned width);

/// The widest tile of at most 16 bytes of the narrowest tensor with which as
/// many streamed tensors as possible are accessed as vectors. Does not depend
/// on levels.
unsigned chooseWidth(const RowGraph &graph);

/// The number of tiles of space `columns`.
inline uint64_t countTiles(const RowGraph &graph, unsigned columns,
                           unsigned width) {
  return graph.getColumnSpaces()[columns].extent / width;
}

/// The tiles that each block of a cluster owns of `tiles` of a resident row, in
/// a run of whole warps; those of the last blocks may lie outside of the row.
uint64_t getClusterRun(uint64_t tiles, unsigned blocks);

/// The tiles of space `columns` that one thread owns.
inline uint64_t countThreadTiles(const RowGraph &graph, unsigned columns,
                                 const Shape &shape) {
  return llvm::divideCeil(countTiles(graph, columns, shape.width),
                          uint64_t(shape.getThreadsPerRow()));
}

/// The tiles that one thread owns of the space that has the most.
uint64_t countLongestTiles(const RowGraph &graph, const Shape &shape);

/// Blocks of the grid: each has its rows. None if nothing is written.
uint64_t countBlocks(const RowGraph &graph, const Shape &shape);

/// True if the threads of a row can reduce the spans of `reduction`, if it has
/// any: by neighbouring lanes if they do not wait, else in rows that one block
/// keeps.
bool servesSpan(const RowGraph::Reduction &reduction, const Shape &shape);

/// Neighbouring lanes that combine what they have of a span before they leave
/// it in a slot.
unsigned countSlotLanes(const RowGraph::Reduction &reduction,
                        const Shape &shape);

/// A block's dynamic shared memory. By reduction: the byte offset of its
/// exchange slots, groups x rows x slots of the row, of at least 32 bits each,
/// and the slots of a row: one for each warp, or, where spans wait, for each
/// few lanes with a tile. In a cluster, also a barrier for each reduction.
struct SharedLayout {
  SmallVector<uint64_t> exchange, slots;
  uint64_t barriers = 0, bytes = 0;
};

SharedLayout computeSharedLayout(const RowGraph &graph,
                                 const Footprint &footprint,
                                 const Shape &shape);

/// Operations that a kernel repeats for the tiles of a thread.
uint64_t countUnrolledOperations(const RowGraph &graph,
                                 const Footprint &footprint,
                                 const Shape &shape);

/// The cheapest schedule for `match` on the device, or the reason why none
/// fits.
std::variant<RowsScheduleAttr, Rejection>
chooseSchedule(const RowsMatch &match, MLIRContext *context,
               const DeviceModel &device);

/// Predicted time and size of a schedule.
Cost computeCost(const RowGraph &graph, const Footprint &footprint,
                 const Shape &shape, const DeviceModel &device);

/// Checks that a schedule, which may be written by hand, fits the segment.
LogicalResult verifySchedule(SegmentOp segment, const RowsMatch &match,
                             RowsScheduleAttr schedule,
                             const DeviceModel &device);

/// Builds the kernel and its launch.
void emitKernel(SegmentLowering &lowering, const RowsMatch &match,
                RowsScheduleAttr schedule, Location loc);

} // namespace mlir::fusion::rows

#endif // LIB_SCHEDULERS_ROWS_ROWS_H
