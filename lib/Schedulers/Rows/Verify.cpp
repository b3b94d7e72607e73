//===- Verify.cpp - Does a schedule fit a segment -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RowReduction.h"
#include "../ScheduleChecks.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Rows.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

/// Tiles that a looped kernel loads before it uses the first, at most.
static constexpr unsigned maxLoopedVectors = 64;

static LogicalResult verifyColumns(SegmentOp segment, const RowsMatch &match,
                                   RowsScheduleAttr schedule) {
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  const RowGraph &graph = match.graph;
  unsigned width = schedule.getWidth();
  for (const ColumnSpace &columns : graph.getColumnSpaces())
    if (failed(verifyAccessWidth(segment, width, columns.extent,
                                 match.footprint.minElementBytes)))
      return failure();
  uint64_t tiles = countLongestTiles(graph, schedule);
  if (schedule.getTraversal() == RowTraversal::Resident) {
    if (schedule.getVectors() != tiles)
      return error() << "the " << tiles
                     << " vectors that a thread has of a resident row, but got "
                     << schedule.getVectors();
    return success();
  }
  uint64_t limit = std::min<uint64_t>(tiles, maxLoopedVectors);
  if (schedule.getVectors() > limit)
    return error() << "at most " << limit << " vectors of a step, but got "
                   << schedule.getVectors();
  return success();
}

/// Checks what servesSpans demands, for each reduction with its own words.
static LogicalResult verifySpans(SegmentOp segment, const RowsMatch &match,
                                 RowsScheduleAttr schedule) {
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  for (const RowGraph::Reduction &reduction : match.graph.getReductions()) {
    if (servesSpan(reduction, schedule))
      continue;
    if (!dividesSpan(reduction, schedule.getWidth()))
      return error() << "a width that divides the " << reduction.span
                     << " columns of a reduction, or that they divide, but got "
                     << schedule.getWidth();
    if (!reduction.waits)
      return error() << "a power of two of at most " << warpSize
                     << " lanes for the " << reduction.span
                     << " columns of a reduction, that divides the "
                     << schedule.getThreadsPerRow()
                     << " threads of a row, but got "
                     << reduction.getLanes(schedule.getWidth());
    return error() << "resident rows of one block and a width of at most the "
                   << reduction.span
                   << " columns of a reduction, which pass through its memory";
  }
  return success();
}

static LogicalResult verifyDevice(SegmentOp segment, const RowsMatch &match,
                                  RowsScheduleAttr schedule,
                                  const DeviceModel &device) {
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  if (schedule.getThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads();
  if (schedule.getCluster() > device.nonPortableClusterBlocks)
    return error() << "clusters of at most " << device.nonPortableClusterBlocks
                   << " blocks on " << device.name << ", but got "
                   << schedule.getCluster();
  if (schedule.getCluster() > 1 && match.graph.isDynamic())
    return error() << "no clusters where only the launch knows the number of "
                      "rows, but got clusters of "
                   << schedule.getCluster();
  uint64_t resident =
      std::min(device.threadsPerMultiprocessor / schedule.getThreads(),
               device.blocksPerMultiprocessor);
  if (schedule.getOccupancy() > resident)
    return error() << "an occupancy of at most " << resident << " blocks of "
                   << schedule.getThreads() << " threads on " << device.name
                   << ", but got " << schedule.getOccupancy();
  uint64_t unrolled =
      countUnrolledOperations(match.graph, match.footprint, schedule);
  if (failed(verifyThreadElements(segment, schedule.getRows(),
                                  schedule.getVectors(), schedule.getWidth(),
                                  device)) ||
      failed(verifyUnrolledOperations(segment, unrolled)))
    return failure();
  uint64_t bytes =
      computeSharedLayout(match.graph, match.footprint, schedule).bytes;
  return verifySharedBytes(segment, schedule.getSharedBytes(), bytes, device);
}

LogicalResult rows::verifySchedule(SegmentOp segment, const RowsMatch &match,
                                   RowsScheduleAttr schedule,
                                   const DeviceModel &device) {
  uint64_t blocks = countBlocks(match.graph, schedule);
  if (schedule.getBlocks() != blocks)
    return segment.emitOpError("expected a schedule with ")
           << blocks << " blocks for " << match.graph.getRows() << " rows, "
           << schedule.getRowsPerBlock()
           << (schedule.getCluster() > 1 ? " a cluster" : " a block")
           << ", but got " << schedule.getBlocks();
  if (failed(verifyColumns(segment, match, schedule)) ||
      failed(verifySpans(segment, match, schedule)))
    return failure();
  return verifyDevice(segment, match, schedule, device);
}
