//===- OuterPersistent.h - The outer-persistent scheduler -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the scheduler: what match finds out, and the pieces that plan,
// cost and emit share. Columns are the kept loops, rows the reduced ones.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_OUTERPERSISTENT_OUTERPERSISTENT_H
#define LIB_SCHEDULERS_OUTERPERSISTENT_OUTERPERSISTENT_H

#include "../ReductionProgram.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::outerpersistent {

/// What match learnt.
struct OuterPersistentMatch : Match {
  OuterPersistentMatch(IterationSpace space, ReductionProgram program)
      : space(std::move(space)), program(std::move(program)) {}

  IterationSpace space;
  ReductionProgram program;
  int64_t rows = 1;
  /// May have a dynamic extent; and its iterations, then as many as
  /// assumedDynamicExtent gives.
  Loop columnLoop;
  int64_t columns = 1;
  /// Levels of reductions.
  unsigned levels = 0;
  /// Bytes of the widest element of a tensor with all loops.
  unsigned widest = 1;
  /// Bytes of registers in which one point waits for later levels.
  unsigned keptBytes = 0;
  /// Results with all loops that are narrower than 32 bits.
  unsigned narrowOutputs = 0;
  /// Bytes of the accumulators of one column at the level with most of them.
  uint64_t levelBytes = 0;
  /// The schedule; chosen in match, since a match guarantees a plan.
  OuterPersistentScheduleAttr schedule;
};

/// Operations of a thread.
inline uint64_t countUnrolledOperations(const OuterPersistentMatch &match,
                                        unsigned width, unsigned rows) {
  return uint64_t(width) * rows * match.space.getCandidate().operations.size();
}

/// Bytes in which the rows of threads exchange sums, and get totals, of a
/// level.
inline uint64_t getSharedBytes(const OuterPersistentMatch &match,
                               uint64_t threadRows, uint64_t columns) {
  return (threadRows + 1) * columns * match.levelBytes;
}

/// The schedule for `match`, or why none fits.
std::variant<OuterPersistentScheduleAttr, Rejection>
chooseSchedule(const OuterPersistentMatch &match, MLIRContext *context,
               const DeviceModel &device);

/// Predicted time and size of a schedule.
Cost computeCost(const OuterPersistentMatch &match,
                 OuterPersistentScheduleAttr schedule,
                 const DeviceModel &device);

/// Builds the kernel and its launch.
void emitKernel(SegmentLowering &lowering, const OuterPersistentMatch &match,
                OuterPersistentScheduleAttr schedule, Location loc);

} // namespace mlir::fusion::outerpersistent

#endif // LIB_SCHEDULERS_OUTERPERSISTENT_OUTERPERSISTENT_H
