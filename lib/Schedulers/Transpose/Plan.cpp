//===- Plan.cpp - Which transpose schedule to use -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Transpose.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::transpose;

static constexpr unsigned accessBytes = 16;

/// Squares in registers side by side in a tile. Measured: 16 (256 bytes of each
/// row) is best; 8 and 32 are 4 to 5 % behind.
static constexpr unsigned squaresPerTile = 16, leastSquaresPerTile = 8;

/// Elements of one side of a square in registers, at most: 64 elements.
static constexpr unsigned maxWidth = 8;

int64_t transpose::countBlocks(const TransposeMatch &match, unsigned tile) {
  return match.getBatchLoop().estimate() * countReadTiles(match, tile) *
         countWriteTiles(match, tile);
}

/// The widest power of two, up to `width`, that divides the extent of `loop`
/// and all other strides of `values` over which they vary.
static unsigned getAlignedWidth(const IterationSpace &space, unsigned loop,
                                ArrayRef<Value> values, unsigned width) {
  auto shrink = [&](int64_t distance) {
    while (width > 1 && distance % width)
      width /= 2;
  };
  shrink(space.getLoops()[loop].extent);
  for (Value value : values)
    for (auto [index, stride] : llvm::enumerate(space.getStrides(value)))
      if (index != loop)
        shrink(stride);
  return width;
}

unsigned transpose::getReadWidth(const TransposeMatch &match, unsigned width) {
  return getAlignedWidth(match.space, match.readLoop, match.turned, width);
}

unsigned transpose::getWriteWidth(const TransposeMatch &match, unsigned width) {
  return getAlignedWidth(match.space, match.writeLoop, {}, width);
}

uint64_t transpose::getSharedBytes(const TransposeMatch &match, uint64_t tile) {
  uint64_t bytes = 0;
  for (Value input : match.turned)
    bytes += tile * tile * getElementBytes(input.getType());
  return bytes;
}

std::variant<TransposeScheduleAttr, Rejection>
transpose::chooseSchedule(const TransposeMatch &match, MLIRContext *context,
                          const DeviceModel &device) {
  Operation *first = match.space.getCandidate().operations.front();
  unsigned width = std::clamp(accessBytes / match.widest, 2u, maxWidth);
  unsigned readWidth = getReadWidth(match, width);
  unsigned writeWidth = getWriteWidth(match, width);
  uint64_t unrolled = countUnrolledOperations(match, width, writeWidth);
  if (unrolled > maxUnrolledOperations)
    return Rejection{RejectionCode::OnChipCapacity,
                     first,
                     "expected fewer operations in one kernel",
                     std::nullopt,
                     unrolled,
                     maxUnrolledOperations};
  for (unsigned squares = squaresPerTile; squares >= leastSquaresPerTile;
       squares /= 2) {
    unsigned tile = squares * width;
    if (getSharedBytes(match, tile) > device.sharedPerBlock)
      continue;
    uint64_t blocks = countBlocks(match, tile);
    if (blocks > device.blocksPerGrid)
      break;
    unsigned threads = std::min(squares * squares, device.threadsPerBlock / 4);
    return TransposeScheduleAttr::get(context, blocks, threads, tile, width,
                                      readWidth, writeWidth,
                                      getSharedBytes(match, tile));
  }
  uint64_t leastBytes = getSharedBytes(match, leastSquaresPerTile * width);
  if (leastBytes > device.sharedPerBlock)
    return Rejection{RejectionCode::OnChipCapacity,
                     first,
                     "expected a square of each turned input to fit in the "
                     "shared memory of a block, in bytes",
                     std::nullopt,
                     leastBytes,
                     device.sharedPerBlock};
  return Rejection{RejectionCode::UnsupportedShape, first,
                   "expected fewer squares than the blocks of a grid"};
}

/// How much longer accesses of fewer than 16 bytes take (measured for copies:
/// 7 % for 8 bytes, 29 % for 4).
static double getNarrowPenalty(unsigned elements, unsigned elementBytes) {
  double bytes = std::min(accessBytes, elements * elementBytes);
  return 1 + 0.1 * (accessBytes / bytes - 1);
}

Cost transpose::computeCost(const TransposeMatch &match,
                            TransposeScheduleAttr schedule,
                            const DeviceModel &device) {
  const Candidate &candidate = match.space.getCandidate();
  Cost cost;
  cost.bytes = getTrafficBytes(candidate);
  if (!schedule.getBlocks())
    return cost;
  unsigned width = schedule.getWidth();
  cost.sharedBytes = schedule.getSharedBytes();
  cost.registersPerThread =
      32 + width * width * std::max(1u, match.widest / 4) / 2;
  // Measured: a full tile reaches 0.97 of a copy.
  double moved = cost.bytes / (0.97 * device.copyBytesPerMicrosecond);
  moved *= std::max(getNarrowPenalty(schedule.getReadWidth(), match.widest),
                    getNarrowPenalty(schedule.getWriteWidth(), match.widest));
  // Tiles that stick out take the time of whole ones.
  double points =
      double(schedule.getBlocks()) * schedule.getTile() * schedule.getTile();
  double padding =
      points / match.space.getProduct(match.space.getAllLoops()).estimate();
  // Moving an element through shared memory takes about four instructions.
  double work = (match.instructions + 4.0 * match.turned.size()) * points /
                (device.operationsPerMicrosecond * device.multiprocessors);
  cost.microseconds = device.launchMicroseconds + device.rampMicroseconds +
                      std::max(moved * padding, work);
  return cost;
}
