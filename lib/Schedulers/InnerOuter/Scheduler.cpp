//===- Scheduler.cpp - The inner-outer persistent scheduler ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes programs that reduce one space along its rows and along its columns,
// with any element-wise work before, between and after. Programs that only
// reduce rows are better off with a block a row, except where the rows share so
// much (scale and bias of long rows) that each of them would read it again.
//
//===----------------------------------------------------------------------===//

#include "../PlannedScheduler.h"
#include "../ScheduleChecks.h"
#include "../TileEvaluator.h"
#include "../Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "InnerOuter.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// Bytes of a row and its params, at least, if there are no accumulators.
static constexpr uint64_t minRowBytes = 96 << 10;

/// Checks that blocks which stay can pay off if there are no accumulators: rows
/// find their params in the cache of a multiprocessor, and several blocks at a
/// time hide each other's waits, as long as a row takes at most half of it, and
/// its params leave room there; beyond that both are priced. (Measured, with
/// clusters that released when they arrived: with 160 KB of 228, 64 of them the
/// row's, blocks of a row each are 8 % faster, with 192 KB 15 % slower. Without
/// that release they are about 8 % faster with 128 KB of the row's alone, in
/// two runs.)
static std::optional<Rejection> checkRowsOnly(const RowColumnGraph &graph,
                                              const Footprint &footprint,
                                              const DeviceModel &device) {
  if (!graph.getColumnReductions().empty())
    return std::nullopt;
  const Candidate &candidate = graph.getCandidate();
  uint64_t rowBytes = footprint.rowInputBytes,
           allBytes = rowBytes + footprint.paramBytes;
  uint64_t mostRow = std::max(minRowBytes, device.sharedPerMultiprocessor / 2),
           mostAll =
               std::max(minRowBytes, device.sharedPerMultiprocessor / 4 * 3);
  if (allBytes <= mostAll && rowBytes <= mostRow) {
    // Either would do; name what is missing less of.
    bool isRowNearer = mostRow - rowBytes <= mostAll - allBytes;
    return Rejection{RejectionCode::MissingReduction,
                     candidate.operations.front(),
                     std::string("expected a reduction along the columns (the "
                                 "outermost dimensions) beside those along the "
                                 "rows, or rows too large for a cache, in "
                                 "bytes of ") +
                         (isRowNearer ? "a row" : "a row and its params"),
                     std::nullopt,
                     (isRowNearer ? mostRow : mostAll) + 1,
                     isRowNearer ? rowBytes : allBytes};
  }
  for (Value output : candidate.outputs)
    if (!hasRows(graph.getSpace(output)))
      return Rejection{RejectionCode::UnsupportedShape, output.getDefiningOp(),
                       "expected results that depend on the rows, since no "
                       "reduction runs along the columns"};
  return std::nullopt;
}

namespace {

class InnerOuterScheduler final
    : public PlannedScheduler<InnerOuterMatch, InnerOuterScheduleAttr> {
public:
  StringRef getName() const override { return "inner-outer-persistent"; }

  bool mayAccept(const CandidateSummary &summary) const override {
    if (!mayAcceptLarger(summary))
      return false;
    // Dropping a unit dimension counts as a reduction.
    if (summary.reshapes || !summary.signatures)
      return summary.reductions + summary.reshapes >= 1;
    // The longest reduction runs over all columns of a row, or more.
    return summary.mixesReductions() ||
           summary.longestReduction * summary.inputElementBytes > minRowBytes;
  }
  /// Every reduction must run over the rows or columns of one space.
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return summary.spaces <= 1;
  }

  SmallVector<PricedChoice> explain(const Match &match,
                                    ScheduleAttrInterface schedule,
                                    const Facts &facts) const override;

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<InnerOuterScheduleAttr, Rejection>
  choose(const InnerOuterMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts.device, facts.plainLaunches);
  }
  Cost price(const InnerOuterMatch &match, InnerOuterScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match.graph, match.footprint, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const InnerOuterMatch &match,
                       InnerOuterScheduleAttr schedule,
                       const Facts &facts) const override;
  void emitKernels(SegmentOp segment, const InnerOuterMatch &match,
                   InnerOuterScheduleAttr schedule, SegmentLowering &lowering,
                   const Facts &facts) const override;
};

} // namespace

InnerOuterScheduler::Built
InnerOuterScheduler::build(const Candidate &candidate,
                           const Facts &facts) const {
  auto built = RowColumnGraph::build(candidate, facts.dims);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto &graph = std::get<RowColumnGraph>(built);
  Operation *first = candidate.operations.front();
  if (graph.getRowReductions().empty())
    return Rejection{RejectionCode::MissingReduction, first,
                     "expected a reduction along the rows (the innermost "
                     "dimensions) beside those along the columns"};
  if (std::optional<Rejection> rejection = checkElementTypes(candidate))
    return *rejection;
  // Neither kernel takes more than all of these.
  if (std::optional<Rejection> rejection = checkParameters(
          candidate, graph.getColumnReductions().size(), facts.device))
    return *rejection;
  Footprint footprint = computeFootprint(graph);
  if (std::optional<Rejection> rejection =
          checkRowsOnly(graph, footprint, facts.device))
    return *rejection;
  uint64_t finishBytes = getFinishSharedBytes(footprint, finishColumns);
  if (finishBytes > facts.device.staticSharedPerBlock)
    return Rejection{RejectionCode::OnChipCapacity,
                     graph.getColumnReductions().front().operation,
                     "expected the column reductions of a warp to fit in "
                     "static shared memory, in bytes",
                     std::nullopt,
                     finishBytes,
                     facts.device.staticSharedPerBlock};
  return std::make_unique<InnerOuterMatch>(std::move(graph),
                                           std::move(footprint));
}

/// Stages of a ring, at most: each adds code before the loop.
static constexpr unsigned maxStages = 64;

/// Checks that the counts of a schedule, which may be written by hand, are none
/// that only make a kernel larger than the device could hold.
static LogicalResult verifyCounts(SegmentOp segment,
                                  const RowColumnGraph &graph,
                                  InnerOuterScheduleAttr schedule,
                                  const DeviceModel &device) {
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  if (schedule.getThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads();
  // A block takes some shared memory beside its own: what no block may have of
  // a multiprocessor's. (That it may have its own is checked elsewhere.)
  uint64_t shared = schedule.getSharedBytes() + device.sharedPerMultiprocessor -
                    device.sharedPerBlock;
  uint64_t perMultiprocessor =
      device.threadsPerMultiprocessor / schedule.getThreads();
  if (shared && shared <= device.sharedPerMultiprocessor)
    perMultiprocessor =
        std::min(perMultiprocessor, device.sharedPerMultiprocessor / shared);
  uint64_t resident = device.multiprocessors * perMultiprocessor;
  if (schedule.getBlocks() > resident)
    return error() << "blocks that are resident at once, at most " << resident
                   << " on " << device.name << ", but got "
                   << schedule.getBlocks();
  if (schedule.getStages() > maxStages)
    return error() << "at most " << maxStages << " stages, but got "
                   << schedule.getStages();
  return verifyThreadElements(segment, schedule.getRows(),
                              schedule.getVectors(), schedule.getWidth(),
                              device);
}

/// Checks that the blocks of a cluster and their threads share the columns.
static LogicalResult verifyColumns(SegmentOp segment,
                                   const InnerOuterMatch &match,
                                   InnerOuterScheduleAttr schedule,
                                   const DeviceModel &device) {
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  const RowColumnGraph &graph = match.graph;
  int64_t columns = graph.getColumns();
  if (schedule.getCluster() > device.nonPortableClusterBlocks)
    return error() << "clusters of at most " << device.nonPortableClusterBlocks
                   << " blocks on " << device.name << ", but got "
                   << schedule.getCluster();
  if (schedule.getCluster() > 1 &&
      schedule.getClusters() >
          device.getResidentClusters(schedule.getCluster()))
    return error() << "clusters that are resident at once, at most "
                   << device.getResidentClusters(schedule.getCluster())
                   << " on " << device.name << ", but got "
                   << schedule.getClusters();
  if (schedule.getLoader() == Loader::BulkCopy) {
    if (!device.hasBulkCopy)
      return error() << "a loader that " << device.chip
                     << " has, but got bulk_copy";
    if (!canCopyBulk(graph, match.footprint))
      return error() << "rows of whole 16 bytes in every input for bulk_copy, "
                        "but a row has "
                     << columns << " columns";
  }
  int64_t perBlock = getBlockColumns(graph, match.footprint, schedule);
  if ((schedule.getCluster() - 1) * perBlock >= columns)
    return error() << "columns for every block of a cluster, but "
                   << schedule.getCluster() << " blocks of " << perBlock
                   << " columns leave the last one none of " << columns;
  int64_t vectors = perBlock / schedule.getWidth();
  if (int64_t(schedule.getVectors() - 1) * schedule.getThreadsPerRow() >=
      vectors)
    return error() << "no vectors beyond the " << perBlock
                   << " columns of a block, but got " << schedule.getVectors();
  if (getPaddedColumns(schedule) < perBlock)
    return error() << "threads, width and vectors that cover the " << perBlock
                   << " columns of a block, but they cover "
                   << getPaddedColumns(schedule);
  return success();
}

/// Checks that a schedule, which may be written by hand, covers the segment.
LogicalResult InnerOuterScheduler::verify(SegmentOp segment,
                                          const InnerOuterMatch &match,
                                          InnerOuterScheduleAttr schedule,
                                          const Facts &facts) const {
  const DeviceModel &device = facts.device;
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  const RowColumnGraph &graph = match.graph;
  unsigned width = schedule.getWidth();
  if (failed(verifyAccessWidth(segment, width, graph.getColumns(),
                               match.footprint.minElementBytes)) ||
      failed(verifyCounts(segment, graph, schedule, device)) ||
      failed(verifyColumns(segment, match, schedule, device)))
    return failure();
  uint64_t unrolled = countUnrolledOperations(graph, match.footprint, schedule);
  if (failed(verifyUnrolledOperations(segment, unrolled)))
    return failure();
  if (schedule.getLoader() == Loader::AsyncCopy)
    for (Value input : match.footprint.rowColumnInputs)
      if (!canCopyAsync(
              width,
              getElementTypeOrSelf(input.getType()).getIntOrFloatBitWidth() /
                  8))
        return error() << "tiles of 4, 8 or a multiple of 16 bytes for "
                          "async_copy, but a tile has "
                       << width << " elements of "
                       << getElementTypeOrSelf(input.getType());
  uint64_t bytes = computeSharedLayout(graph, match.footprint, schedule).bytes;
  if (failed(
          verifySharedBytes(segment, schedule.getSharedBytes(), bytes, device)))
    return failure();
  if (graph.getColumnReductions().empty()) {
    if (schedule.getFinishBlocks() || schedule.getFinish() != FinishMode::Plain)
      return error() << "finish_blocks = 0 and finish = plain, since no "
                        "reduction runs along the columns";
    return success();
  }
  if (!schedule.getFinishBlocks() ||
      int64_t(schedule.getFinishBlocks()) * 32 < graph.getColumns() ||
      schedule.getFinishThreads() > device.threadsPerBlock)
    return error() << "finish_blocks of 32 columns each that cover the "
                   << graph.getColumns() << " columns and at most "
                   << device.threadsPerBlock << " finish_threads, but got "
                   << schedule.getFinishBlocks() << " and "
                   << schedule.getFinishThreads();
  uint64_t finishBytes =
      schedule.getFinish() == FinishMode::GridBarrier
          ? 0
          : getFinishSharedBytes(match.footprint, schedule.getFinishThreads());
  if (finishBytes > device.staticSharedPerBlock)
    return error() << "finish_threads that share at most "
                   << device.staticSharedPerBlock << " bytes, but "
                   << schedule.getFinishThreads() << " share " << finishBytes;
  return success();
}

/// Projection: values that a later level uses wait in registers, or the inputs
/// behind them wait in shared memory and they are computed again.
SmallVector<PricedChoice>
InnerOuterScheduler::explain(const Match &match, ScheduleAttrInterface attr,
                             const Facts &facts) const {
  const auto &found = static_cast<const InnerOuterMatch &>(match);
  auto schedule = cast<InnerOuterScheduleAttr>(attr);
  if (!found.footprint.keptRegisters)
    return {};
  PricedChoice choice;
  choice.name = "projection";
  auto getAnswer = [](Residency keep) {
    return keep == Residency::Registers ? "kept" : "recomputed";
  };
  choice.chosen = getAnswer(schedule.getKeep());
  for (Residency keep : {Residency::Registers, Residency::Shared})
    choice.prices.emplace_back(
        getAnswer(keep), priceProjection(found, schedule.getContext(), keep,
                                         schedule.getCluster(), facts.device,
                                         facts.plainLaunches));
  return {choice};
}

void InnerOuterScheduler::emitKernels(SegmentOp segment,
                                      const InnerOuterMatch &match,
                                      InnerOuterScheduleAttr schedule,
                                      SegmentLowering &lowering,
                                      const Facts &facts) const {

  SmallVector<Value> partials;
  for (const auto &reduction : match.graph.getColumnReductions())
    partials.push_back(lowering.createWorkspace(
        MemRefType::get({schedule.getClusters(), match.graph.getColumns()},
                        reduction.accumulatorType)));
  emitMainKernel(lowering, match, schedule, partials, segment.getLoc());
  if (!partials.empty() && schedule.getFinish() != FinishMode::GridBarrier)
    emitFinishKernel(lowering, match, schedule, partials, segment.getLoc());
}

std::unique_ptr<Scheduler> fusion::createInnerOuterScheduler() {
  return std::make_unique<InnerOuterScheduler>();
}
