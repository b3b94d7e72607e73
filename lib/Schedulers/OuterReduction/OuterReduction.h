//===- OuterReduction.h - The outer-reduction scheduler ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the scheduler: what match finds out, and the pieces that plan,
// cost and emit share. Columns are the kept loops, rows the reduced ones.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_OUTERREDUCTION_OUTERREDUCTION_H
#define LIB_SCHEDULERS_OUTERREDUCTION_OUTERREDUCTION_H

#include "../ReductionProgram.h"
#include "../Traffic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::outerreduction {

/// What match learnt.
struct OuterReductionMatch : Match {
  OuterReductionMatch(IterationSpace space, ReductionProgram program)
      : space(std::move(space)), program(std::move(program)),
        trafficBytes(getTrafficBytes(this->space.getCandidate())) {}

  IterationSpace space;
  ReductionProgram program;
  /// Bytes of all inputs and outputs.
  uint64_t trafficBytes;
  /// One of them may have a dynamic extent.
  Loop rowLoop, columnLoop;
  /// Their iterations; with a dynamic extent as many as assumedDynamicExtent
  /// gives.
  int64_t rows = 1, columns = 1;
  /// Bytes of the widest element of a tensor with all loops; and how many
  /// inputs are such tensors.
  unsigned widest = 1, wholeInputs = 0;
  /// The schedule; chosen in match, since a match guarantees a plan.
  OuterReductionScheduleAttr schedule;
};

/// Columns that one block of the finish kernel adds up, one a lane.
inline constexpr unsigned finishColumns = 32;

/// Strips of columns.
inline uint64_t countStrips(const OuterReductionMatch &match,
                            uint64_t columnsPerBlock) {
  return llvm::divideCeil(uint64_t(match.columns), columnsPerBlock);
}

/// Operations of a thread for its rows of one tile.
inline uint64_t countUnrolledOperations(const OuterReductionMatch &match,
                                        unsigned width, unsigned unroll) {
  return uint64_t(width) * unroll *
         match.space.getCandidate().operations.size();
}

/// Bytes in which the rows of threads of a block exchange their sums.
inline uint64_t getSharedBytes(const OuterReductionMatch &match,
                               unsigned threads, unsigned lanes,
                               unsigned width) {
  return threads == lanes
             ? 0
             : uint64_t(threads) * width * match.program.accumulatorBytes;
}

/// Bytes of shared memory, of fixed size, in which the `threads` threads of a
/// block of the finish kernel exchange their sums.
inline uint64_t getFinishSharedBytes(const OuterReductionMatch &match,
                                     unsigned threads) {
  return threads * match.program.accumulatorBytes;
}

/// True if the first kernel computes what comes after the totals.
inline bool isFinishedByBlocks(OuterReductionScheduleAttr schedule) {
  return schedule.getSplits() == 1;
}

/// The schedule for `match`, or why none fits.
std::variant<OuterReductionScheduleAttr, Rejection>
chooseSchedule(const OuterReductionMatch &match, MLIRContext *context,
               const Facts &facts);

/// Predicted time and size of a schedule.
Cost computeCost(const OuterReductionMatch &match,
                 OuterReductionScheduleAttr schedule,
                 const DeviceModel &device);

/// Builds the kernel that walks over the rows, and its launch; `partials` are
/// the workspaces, memref<splits x columns x T>, one a reduction.
void emitMainKernel(SegmentLowering &lowering, const OuterReductionMatch &match,
                    OuterReductionScheduleAttr schedule, ValueRange partials,
                    Location loc);

/// Builds the kernel that adds the partial results of the splits, and its
/// launch.
void emitFinishKernel(SegmentLowering &lowering,
                      const OuterReductionMatch &match,
                      OuterReductionScheduleAttr schedule, ValueRange partials,
                      Location loc);

} // namespace mlir::fusion::outerreduction

#endif // LIB_SCHEDULERS_OUTERREDUCTION_OUTERREDUCTION_H
