//===- InnerOuter.h - The inner-outer persistent scheduler ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the scheduler: what match finds out, and the pieces that plan,
// cost and emit share.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_INNEROUTER_H
#define LIB_SCHEDULERS_INNEROUTER_INNEROUTER_H

#include "../Traffic.h"
#include "FusionDialect/Analysis/RowColumnGraph.h"
#include "FusionDialect/Analysis/Scheduler.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::innerouter {

/// What a kernel over a graph must read, keep and write, by element or column;
/// independent of the schedule.
struct Footprint {
  /// Inputs by space; row-column inputs arrive tile by tile.
  llvm::SmallVector<Value> rowColumnInputs, rowInputs;
  /// Column inputs that the main kernel needs (others only the finish does).
  llvm::SmallVector<Value> params;
  /// The smallest row-column element, in bytes: of all, and of inputs.
  unsigned minElementBytes = 16, minInputBytes = 16;
  /// 32-bit registers for one column of a thread: the accumulators of column
  /// reductions, the values that wait for a later level (of one row), and the
  /// params as the main kernel uses them.
  unsigned accumulatorRegisters = 0, keptRegisters = 0, paramRegisters = 0;
  /// Of the accumulators, those that are pairs of registers.
  unsigned wideAccumulatorRegisters = 0;
  /// Bytes of one element of each row-column input together: what a thread has
  /// loaded and not yet worked on.
  unsigned loadedBytes = 0;
  /// Scalar operations for one row-column element, loads and stores included.
  unsigned operationsPerElement = 0;
  /// Bytes of one row's row-column inputs, and of all inputs and outputs.
  uint64_t rowInputBytes = 0, inputBytes = 0, outputBytes = 0;
  /// Bytes of all params.
  uint64_t paramBytes = 0;
  /// Workspace bytes of one column and block: its partial results.
  uint64_t partialBytesPerColumn = 0;
};

Footprint computeFootprint(const RowColumnGraph &graph);

/// What match learnt.
struct InnerOuterMatch : Match {
  InnerOuterMatch(RowColumnGraph graph, Footprint footprint)
      : graph(std::move(graph)), footprint(std::move(footprint)) {}

  RowColumnGraph graph;
  Footprint footprint;
  /// The schedule; chosen in match, since a match guarantees a plan.
  InnerOuterScheduleAttr schedule;
};

/// The numbers of a schedule. The search for the best one makes many of them,
/// and one attribute.
struct ScheduleShape {
  unsigned blocks = 1, cluster = 1, threads = 1, groups = 1, rows = 1,
           width = 1, vectors = 1;
  Loader loader = Loader::Direct;
  unsigned stages = 1;
  Residency keep = Residency::Registers, params = Residency::Registers;
  FinishMode finish = FinishMode::Plain;
  unsigned finishBlocks = 0, finishThreads = 0;
  uint64_t sharedBytes = 0;

  ScheduleShape() = default;
  /*implicit*/ ScheduleShape(InnerOuterScheduleAttr schedule)
      : blocks(schedule.getBlocks()), cluster(schedule.getCluster()),
        threads(schedule.getThreads()), groups(schedule.getGroups()),
        rows(schedule.getRows()), width(schedule.getWidth()),
        vectors(schedule.getVectors()), loader(schedule.getLoader()),
        stages(schedule.getStages()), keep(schedule.getKeep()),
        params(schedule.getParams()), finish(schedule.getFinish()),
        finishBlocks(schedule.getFinishBlocks()),
        finishThreads(schedule.getFinishThreads()),
        sharedBytes(schedule.getSharedBytes()) {}

  unsigned getThreadsPerRow() const { return threads / groups; }
  unsigned getRowsPerTile() const { return groups * rows; }
  unsigned getClusters() const { return blocks / cluster; }

  InnerOuterScheduleAttr getAttribute(MLIRContext *context) const {
    return InnerOuterScheduleAttr::get(
        context, blocks, cluster, threads, groups, rows, width, vectors, loader,
        stages, keep, params, finish, finishBlocks, finishThreads, sharedBytes);
  }
};

/// Row reductions that are combined in one exchange of one value a lane: same
/// level, combination and type; their number is a power of two.
struct ExchangePack {
  unsigned level;
  ReductionKind kind;
  arith::FastMathFlags fastmath;
  Type type;
  /// Row reductions (by number) and the rows of the group they belong to.
  llvm::SmallVector<std::pair<unsigned, unsigned>> members;
};

/// The packs of all levels, in the order of the levels.
llvm::SmallVector<ExchangePack> planExchange(const RowColumnGraph &graph,
                                             const ScheduleShape &schedule);

/// Sets of slots that exchanges use in turn. A warp that writes a set again has
/// seen every warp's share of a later exchange, and a warp gives its share only
/// after it has read the former one: two are enough within a block; the slots
/// of a cluster have twice as many, so that no block waits for another's reads.
inline unsigned getExchangeDepth(const ScheduleShape &schedule) {
  return schedule.cluster > 1 ? 4 : 2;
}

/// Byte offsets of a block's dynamic shared memory.
///
///     | ring: one area an input | params: one area each | exchange packs |
///     | barriers of the ring: [group][stage] |
///     | barriers of the exchange: [group][level][slot set] |
///
/// After the loop, the sums of the groups and the finish reuse it from offset
/// 0.
struct SharedLayout {
  llvm::SmallVector<uint64_t> ring, params, exchange;
  uint64_t ringBarriers = 0, exchangeBarriers = 0;
  uint64_t bytes = 0;
};

SharedLayout computeSharedLayout(const RowColumnGraph &graph,
                                 const Footprint &footprint,
                                 const ScheduleShape &schedule);

/// Columns that one block of the finish kernel adds up, one a lane.
inline constexpr unsigned finishColumns = 32;

/// Bytes of shared memory, of fixed size, in which the `threads` threads of a
/// block of the finish kernel exchange a sum for each column reduction.
inline uint64_t getFinishSharedBytes(const Footprint &footprint,
                                     unsigned threads) {
  return threads * footprint.partialBytesPerColumn;
}

/// Columns that the threads of a block cover, whole vectors for each.
inline int64_t getPaddedColumns(const ScheduleShape &schedule) {
  return int64_t(schedule.vectors) * schedule.getThreadsPerRow() *
         schedule.width;
}

/// Columns of a row that each block of a cluster has; the last one may have
/// fewer. Whole vectors, and whole 16 bytes of every input for bulk copies.
int64_t getBlockColumns(const RowColumnGraph &graph, const Footprint &footprint,
                        const ScheduleShape &schedule);

/// Columns of a row as the ring holds it. With private copies a thread without
/// columns writes its part as well.
inline int64_t getRingColumns(const RowColumnGraph &graph,
                              const Footprint &footprint,
                              const ScheduleShape &schedule) {
  return schedule.loader == Loader::BulkCopy
             ? getBlockColumns(graph, footprint, schedule)
             : getPaddedColumns(schedule);
}

/// True if whole rows of every row-column input can be copied in bulk: they
/// start and end at multiples of 16 bytes.
bool canCopyBulk(const RowColumnGraph &graph, const Footprint &footprint);

/// The operations of a thread's part of a tile: those of an element for each of
/// its columns and rows, and the copies that fill the stages.
inline uint64_t countUnrolledOperations(const RowColumnGraph &graph,
                                        const Footprint &footprint,
                                        const ScheduleShape &schedule) {
  uint64_t vectors = uint64_t(schedule.vectors) * schedule.rows;
  uint64_t copies = 0;
  if (schedule.loader == Loader::AsyncCopy)
    copies = vectors;
  else if (schedule.loader == Loader::BulkCopy)
    copies = schedule.rows;
  return vectors * schedule.width * footprint.operationsPerElement +
         copies * (schedule.stages + 1) * footprint.rowColumnInputs.size() +
         graph.getCandidate().operations.size();
}

/// How many tiles ahead row inputs are loaded.
inline constexpr unsigned rowDistance = 2;

/// True if a tile of `element` values can be copied asynchronously: 4, 8 or a
/// multiple of 16 bytes.
inline bool canCopyAsync(unsigned width, unsigned elementBytes) {
  unsigned bytes = width * elementBytes;
  return bytes == 4 || bytes == 8 || (bytes && bytes % 16 == 0);
}

/// The cheapest schedule for `match` on the device, or the reason why none
/// fits. With `plainLaunches` the finish is a kernel of its own.
std::variant<InnerOuterScheduleAttr, Rejection>
chooseSchedule(const InnerOuterMatch &match, MLIRContext *context,
               const DeviceModel &device, bool plainLaunches);

/// The predicted time of the cheapest schedule for `match` that has values wait
/// where `keep` says, in microseconds, among those that a choice of clusters of
/// `cluster` blocks looked at; none if there is no such schedule.
std::optional<double> priceProjection(const InnerOuterMatch &match,
                                      MLIRContext *context, Residency keep,
                                      unsigned cluster,
                                      const DeviceModel &device,
                                      bool plainLaunches);

/// Registers of a thread, estimated: the values of its columns, and a base for
/// addresses, loop state and the work on one vector of each row (fitted to what
/// ptxas reports).
unsigned estimateRegisters(const RowColumnGraph &graph,
                           const Footprint &footprint,
                           const ScheduleShape &schedule);

/// The most registers that a thread of a block of `threads` can have.
unsigned getRegisterLimit(unsigned threads, const DeviceModel &device);

/// Predicted time and size of a schedule.
Cost computeCost(const RowColumnGraph &graph, const Footprint &footprint,
                 const ScheduleShape &schedule, const DeviceModel &device);

/// The time of computeCost, for threads that have `registers` by estimate: what
/// the search for a schedule compares.
double predictTime(const RowColumnGraph &graph, const Footprint &footprint,
                   const ScheduleShape &schedule, const DeviceModel &device,
                   unsigned registers);

/// Stages of a ring that the search for a schedule tries.
inline constexpr unsigned fewestStages = 2, mostStages = 4;

/// The least time of all schedules that differ from `schedule`, which has a
/// ring, in stages and in where values wait and params stay.
double predictLeastTime(const RowColumnGraph &graph, const Footprint &footprint,
                        ScheduleShape schedule, const DeviceModel &device);

/// Builds the main kernel and its launch; `partials` are the workspaces, one a
/// column reduction.
void emitMainKernel(SegmentLowering &lowering, const InnerOuterMatch &match,
                    InnerOuterScheduleAttr schedule, ValueRange partials,
                    Location loc);

/// Builds the finish kernel and its launch, for a schedule whose main kernel
/// does not finish itself: adds the partial results of each
/// column in a fixed order, and computes what stands after the columns.
void emitFinishKernel(SegmentLowering &lowering, const InnerOuterMatch &match,
                      InnerOuterScheduleAttr schedule, ValueRange partials,
                      Location loc);

/// The shape of the buffer of a value in kernels: [rows, columns], [rows],
/// [columns] or [].
llvm::SmallVector<int64_t> getBufferShape(const RowColumnGraph &graph,
                                          Value value);

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_INNEROUTER_H
