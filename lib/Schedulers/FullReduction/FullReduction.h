//===- FullReduction.h - The full-reduction scheduler -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the scheduler: what match finds out, and the pieces that plan,
// cost and emit share. Columns are the reduced loops, rows the kept ones, if
// there are any.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_FULLREDUCTION_FULLREDUCTION_H
#define LIB_SCHEDULERS_FULLREDUCTION_FULLREDUCTION_H

#include "../ReductionProgram.h"
#include "../RowReduction.h"
#include "../Traffic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::fullreduction {

/// What match learnt.
struct FullReductionMatch : Match {
  FullReductionMatch(IterationSpace space, ReductionProgram program)
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
  /// Bytes of the widest element of an input with all loops, and how many such
  /// inputs there are.
  unsigned widest = 1, wholeInputs = 0;
  /// The schedule; chosen in match, since a match guarantees a plan.
  SplitReductionScheduleAttr schedule;
};

/// Runs of tiles that the blocks of a row share.
inline uint64_t countRuns(const FullReductionMatch &match, unsigned threads,
                          unsigned width, unsigned vectors) {
  return llvm::divideCeil(uint64_t(match.columns) / width,
                          uint64_t(threads) * vectors);
}

/// Operations of a thread for its tiles of one run.
inline uint64_t countUnrolledOperations(const FullReductionMatch &match,
                                        unsigned width, unsigned vectors) {
  return uint64_t(width) * vectors *
         match.space.getCandidate().operations.size();
}

/// Bytes of shared memory, of fixed size, in which the warps of a block
/// exchange their sums.
inline uint64_t getExchangeBytes(const FullReductionMatch &match,
                                 unsigned threads) {
  return 2 * (threads / warpSize) * match.program.accumulatorBytes;
}

/// The schedule for `match`, or why none fits.
std::variant<SplitReductionScheduleAttr, Rejection>
chooseSchedule(const FullReductionMatch &match, MLIRContext *context,
               const Facts &facts);

/// Predicted time and size of a schedule.
Cost computeCost(const FullReductionMatch &match,
                 SplitReductionScheduleAttr schedule,
                 const DeviceModel &device);

/// Builds the kernel that walks over the columns, and its launch; `partials`
/// are the workspaces, memref<rows x splits x T>, one a reduction.
void emitMainKernel(SegmentLowering &lowering, const FullReductionMatch &match,
                    SplitReductionScheduleAttr schedule, ValueRange partials,
                    Location loc);

/// Builds the kernel that adds the partial results of the splits, and its
/// launch.
void emitFinishKernel(SegmentLowering &lowering,
                      const FullReductionMatch &match,
                      SplitReductionScheduleAttr schedule, ValueRange partials,
                      Location loc);

} // namespace mlir::fusion::fullreduction

#endif // LIB_SCHEDULERS_FULLREDUCTION_FULLREDUCTION_H
