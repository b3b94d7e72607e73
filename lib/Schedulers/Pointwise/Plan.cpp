//===- Plan.cpp - Which pointwise schedule to use -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that nothing keeps on its multiprocessor does best with many small
// blocks: the hardware deals them out, and one loads while another stores.
//
//===----------------------------------------------------------------------===//

#include "../PointAccess.h"
#include "../Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Pointwise.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::pointwise;

static constexpr unsigned accessBytes = 16;

/// Vectors that one thread has loaded at once, at most: 4 of 16 bytes take half
/// of the registers that full occupancy leaves.
static constexpr unsigned maxLoadedVectors = 8;

/// Points of one access: 16 bytes of the widest tensor, so that each access of
/// a warp is contiguous, but no less than 4 bytes of the narrowest.
static unsigned chooseWidth(const PointwiseMatch &match) {
  unsigned width = std::max(accessBytes / match.widest, 4 / match.narrowest);
  width = std::max(1u, std::min(width, accessBytes / match.narrowest));
  while (width > 1 &&
         (width > match.points ||
          (match.isDynamic() && match.pointsPerExtent % width) ||
          countUnrolledOperations(match, width, 1) > maxUnrolledOperations))
    width /= 2;
  return width;
}

/// Runs of one thread. Measured: one beyond the size of the L2 cache, where the
/// bandwidth is the limit, and four below, where latency is; but not so many
/// that a multiprocessor is left without a block.
static unsigned chooseVectors(const PointwiseMatch &match, unsigned threads,
                              unsigned width, const DeviceModel &device) {
  if (getTrafficBytes(match.space.getCandidate()) > device.l2Bytes)
    return 1;
  unsigned vectors = 4;
  while (vectors > 1 && (vectors * match.wholeInputs > maxLoadedVectors ||
                         countBlocks(match.points, threads, width, vectors) <
                             device.multiprocessors ||
                         countUnrolledOperations(match, width, vectors) >
                             maxUnrolledOperations))
    vectors /= 2;
  return vectors;
}

PointwiseScheduleAttr pointwise::chooseSchedule(const PointwiseMatch &match,
                                                MLIRContext *context,
                                                const DeviceModel &device) {
  unsigned threads = device.threadsPerBlock / 4;
  unsigned width = chooseWidth(match);
  unsigned vectors = chooseVectors(match, threads, width, device);
  // A program smaller than one block.
  while (threads > device.warpSize &&
         countBlocks(match.points, threads / 2, width, vectors) <= 1)
    threads /= 2;
  return PointwiseScheduleAttr::get(
      context, countBlocks(match.points, threads, width, vectors), threads,
      width, vectors);
}

/// Bytes that the accesses of the kernel move: a tensor whose neighbouring
/// elements belong to points far apart takes a sector for each element.
static double getMovedBytes(const PointwiseMatch &match, unsigned width) {
  // Sectors stay in the L1 cache for some of their other elements (measured: a
  // transpose without shared memory takes 2 to 4 times as long).
  constexpr double scattered = 4, misaligned = 1.15;
  const IterationSpace &space = match.space;
  LoopSet all = space.getAllLoops();
  const Candidate &candidate = space.getCandidate();
  double bytes = 0;
  auto add = [&](Value value) {
    double factor = 1;
    if (space.getLoops(value) &&
        !PointAccess::isCoalesced(space, value, all, width)) {
      unsigned inner = llvm::Log2_64(all);
      factor = space.getStrides(value)[inner] > 1 ? scattered : misaligned;
    }
    bytes += factor * getStoredBytes(value);
  };
  for (Value input : candidate.inputs)
    add(input);
  for (Value output : candidate.outputs)
    add(output);
  return bytes;
}

Cost pointwise::computeCost(const PointwiseMatch &match,
                            PointwiseScheduleAttr schedule,
                            const DeviceModel &device) {
  const Candidate &candidate = match.space.getCandidate();
  Cost cost;
  cost.bytes = getTrafficBytes(candidate);
  if (!schedule.getBlocks())
    return cost;
  unsigned loaded = match.wholeInputs * schedule.getVectors();
  cost.registersPerThread =
      16 + schedule.getWidth() * std::max(1u, match.widest / 4) * (loaded + 1);
  double moved = getMovedBytes(match, schedule.getWidth());
  // Loads and stores are instructions too.
  double instructions = match.instructions + double(candidate.inputs.size() +
                                                    candidate.outputs.size()) /
                                                 schedule.getWidth();
  double work = instructions * match.points /
                (device.operationsPerMicrosecond * device.multiprocessors);
  cost.microseconds = device.launchMicroseconds + device.rampMicroseconds +
                      std::max(moved / device.copyBytesPerMicrosecond, work);
  return cost;
}
