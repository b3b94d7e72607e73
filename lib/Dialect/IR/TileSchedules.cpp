//===- TileSchedules.cpp - Schedules of kernels over tiles ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

/// Checks that no count is negative (it arrives here as a huge one).
static LogicalResult verifyCounts(function_ref<InFlightDiagnostic()> emitError,
                                  std::initializer_list<uint64_t> counts) {
  constexpr uint64_t maxCount = std::numeric_limits<int32_t>::max();
  for (uint64_t count : counts)
    if (count > maxCount)
      return emitError() << "expected counts in [0, " << maxCount
                         << "], but got " << count;
  return success();
}

/// Checks the threads of a block.
static LogicalResult verifyThreads(function_ref<InFlightDiagnostic()> emitError,
                                   unsigned threads) {
  if (!threads || threads % 32)
    return emitError() << "expected threads to be a positive multiple of 32, "
                          "but got "
                       << threads;
  return success();
}

/// Checks the points of a vector access.
static LogicalResult verifyWidth(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned width) {
  if (!llvm::isPowerOf2_32(width))
    return emitError() << "expected width to be a power of two, but got "
                       << width;
  return success();
}

//===----------------------------------------------------------------------===//
// PointwiseScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult
PointwiseScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              unsigned blocks, unsigned threads, unsigned width,
                              unsigned vectors) {
  if (failed(verifyCounts(emitError, {blocks, threads, width, vectors})) ||
      failed(verifyThreads(emitError, threads)) ||
      failed(verifyWidth(emitError, width)))
    return failure();
  if (!vectors)
    return emitError() << "expected a positive count of vectors";
  return success();
}

StringRef PointwiseScheduleAttr::getSchedulerName() const {
  return "pointwise";
}

unsigned PointwiseScheduleAttr::getLaunchCount() const {
  return getBlocks() ? 1 : 0;
}

unsigned PointwiseScheduleAttr::getThreadsPerBlock() const {
  return getThreads();
}

uint64_t PointwiseScheduleAttr::getSharedMemoryBytes() const { return 0; }

//===----------------------------------------------------------------------===//
// TransposeScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult
TransposeScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              unsigned blocks, unsigned threads, unsigned tile,
                              unsigned width, unsigned readWidth,
                              unsigned writeWidth, uint64_t sharedBytes) {
  if (failed(verifyCounts(emitError, {blocks, threads, tile, width, readWidth,
                                      writeWidth, sharedBytes})) ||
      failed(verifyThreads(emitError, threads)) ||
      failed(verifyWidth(emitError, width)) ||
      failed(verifyWidth(emitError, readWidth)) ||
      failed(verifyWidth(emitError, writeWidth)))
    return failure();
  if (readWidth > width || writeWidth > width)
    return emitError() << "expected read_width and write_width of at most "
                          "width, but got "
                       << readWidth << ", " << writeWidth << " and " << width;
  if (!llvm::isPowerOf2_32(tile) || tile / width < 8)
    return emitError() << "expected tile to be a power of two of at least 8 "
                          "widths, but got "
                       << tile << " for a width of " << width;
  // Each thread has as many squares in registers, and as many accesses.
  uint64_t squares = uint64_t(tile / width) * (tile / width);
  if (squares % threads || !llvm::isPowerOf2_32(threads))
    return emitError() << "expected threads to divide the " << squares
                       << " squares of a tile, but got " << threads;
  return success();
}

StringRef TransposeScheduleAttr::getSchedulerName() const {
  return "transpose";
}

unsigned TransposeScheduleAttr::getLaunchCount() const {
  return getBlocks() ? 1 : 0;
}

unsigned TransposeScheduleAttr::getThreadsPerBlock() const {
  return getThreads();
}

uint64_t TransposeScheduleAttr::getSharedMemoryBytes() const {
  return getSharedBytes();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Checks the threads that stand side by side along the columns of a block.
static LogicalResult verifyLanes(function_ref<InFlightDiagnostic()> emitError,
                                 unsigned lanes, unsigned threads) {
  if (!llvm::isPowerOf2_32(lanes) || threads % lanes)
    return emitError() << "expected lanes to be a power of two that divides "
                          "threads, but got "
                       << lanes << " and " << threads;
  return success();
}

/// Checks the splits of a reduction and what finishes them.
static LogicalResult verifySplits(function_ref<InFlightDiagnostic()> emitError,
                                  unsigned blocks, unsigned splits,
                                  unsigned finishBlocks,
                                  unsigned finishThreads) {
  if (!splits || blocks % splits)
    return emitError() << "expected splits to divide blocks, but got " << splits
                       << " and " << blocks;
  if ((splits > 1) != (finishBlocks > 0) && blocks)
    return emitError() << "expected finish_blocks for several splits only, but "
                          "got "
                       << finishBlocks << " for " << splits;
  if (finishBlocks && (!finishThreads || finishThreads % 32))
    return emitError() << "expected finish_threads to be a positive multiple "
                          "of 32, but got "
                       << finishThreads;
  return success();
}

/// Launches of a reduction: a grid barrier spares the second.
static unsigned countLaunches(unsigned blocks, unsigned finishBlocks,
                              FinishMode finish) {
  if (!blocks)
    return 0;
  return finishBlocks && finish != FinishMode::GridBarrier ? 2 : 1;
}

LogicalResult OuterReductionScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, unsigned blocks,
    unsigned threads, unsigned lanes, unsigned width, unsigned unroll,
    unsigned splits, FinishMode finish, unsigned finishBlocks,
    unsigned finishThreads, uint64_t sharedBytes) {
  if (failed(verifyCounts(emitError,
                          {blocks, threads, lanes, width, unroll, splits,
                           finishBlocks, finishThreads, sharedBytes})) ||
      failed(verifyThreads(emitError, threads)) ||
      failed(verifyLanes(emitError, lanes, threads)) ||
      failed(verifyWidth(emitError, width)))
    return failure();
  if (!unroll)
    return emitError() << "expected a positive count of unroll";
  return verifySplits(emitError, blocks, splits, finishBlocks, finishThreads);
}

StringRef OuterReductionScheduleAttr::getSchedulerName() const {
  return "outer-reduction";
}

unsigned OuterReductionScheduleAttr::getLaunchCount() const {
  return countLaunches(getBlocks(), getFinishBlocks(), getFinish());
}

unsigned OuterReductionScheduleAttr::getThreadsPerBlock() const {
  return getThreads();
}

uint64_t OuterReductionScheduleAttr::getSharedMemoryBytes() const {
  return getSharedBytes();
}

LogicalResult SplitReductionScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, unsigned blocks,
    unsigned threads, unsigned width, unsigned vectors, unsigned splits,
    FinishMode finish, unsigned finishBlocks, unsigned finishThreads) {
  if (failed(verifyCounts(emitError, {blocks, threads, width, vectors, splits,
                                      finishBlocks, finishThreads})) ||
      failed(verifyThreads(emitError, threads)) ||
      failed(verifyWidth(emitError, width)))
    return failure();
  if (!vectors)
    return emitError() << "expected a positive count of vectors";
  return verifySplits(emitError, blocks, splits, finishBlocks, finishThreads);
}

StringRef SplitReductionScheduleAttr::getSchedulerName() const {
  return "full-reduction";
}

unsigned SplitReductionScheduleAttr::getLaunchCount() const {
  return countLaunches(getBlocks(), getFinishBlocks(), getFinish());
}

unsigned SplitReductionScheduleAttr::getThreadsPerBlock() const {
  return getThreads();
}

uint64_t SplitReductionScheduleAttr::getSharedMemoryBytes() const { return 0; }

//===----------------------------------------------------------------------===//
// OuterPersistentScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult OuterPersistentScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, unsigned blocks,
    unsigned threads, unsigned lanes, unsigned width, unsigned rows,
    uint64_t sharedBytes) {
  if (failed(verifyCounts(
          emitError, {blocks, threads, lanes, width, rows, sharedBytes})) ||
      failed(verifyThreads(emitError, threads)) ||
      failed(verifyLanes(emitError, lanes, threads)) ||
      failed(verifyWidth(emitError, width)))
    return failure();
  if (!rows)
    return emitError() << "expected a positive count of rows";
  return success();
}

StringRef OuterPersistentScheduleAttr::getSchedulerName() const {
  return "outer-persistent";
}

unsigned OuterPersistentScheduleAttr::getLaunchCount() const {
  return getBlocks() ? 1 : 0;
}

unsigned OuterPersistentScheduleAttr::getThreadsPerBlock() const {
  return getThreads();
}

uint64_t OuterPersistentScheduleAttr::getSharedMemoryBytes() const {
  return getSharedBytes();
}
