//===- Pointwise.h - The pointwise scheduler --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the scheduler: what match finds out, and the pieces that plan,
// cost and emit share.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_POINTWISE_POINTWISE_H
#define LIB_SCHEDULERS_POINTWISE_POINTWISE_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::pointwise {

/// What match learnt.
struct PointwiseMatch : Match {
  explicit PointwiseMatch(IterationSpace space) : space(std::move(space)) {}

  IterationSpace space;
  /// The points of the space; 1 without loops. With a dynamic extent as many as
  /// assumedDynamicExtent gives.
  int64_t points = 1;
  /// The points for each one of the dynamic extent; all without one.
  int64_t pointsPerExtent = 1;
  /// Bytes of the narrowest and the widest element of a tensor that varies over
  /// a loop; 1 and 1 if there is none.
  unsigned narrowest = 1, widest = 1;
  /// Tensors with all loops: what a thread loads for each point.
  unsigned wholeInputs = 0;
  /// Instructions for one point.
  unsigned instructions = 0;
  /// The schedule; chosen in match, since a match guarantees a plan.
  PointwiseScheduleAttr schedule;

  bool isDynamic() const { return space.getDynamicClass().has_value(); }
};

/// The operations of a thread.
inline uint64_t countUnrolledOperations(const PointwiseMatch &match,
                                        unsigned width, unsigned vectors) {
  const Candidate &candidate = match.space.getCandidate();
  return uint64_t(width) * vectors *
         (candidate.operations.size() + candidate.inputs.size() +
          candidate.outputs.size());
}

/// Blocks that cover `points`.
inline uint64_t countBlocks(int64_t points, unsigned threads, unsigned width,
                            unsigned vectors) {
  return llvm::divideCeil(uint64_t(points),
                          uint64_t(threads) * width * vectors);
}

/// The schedule for `match`: by the rules that were measured, over the device
/// model.
PointwiseScheduleAttr chooseSchedule(const PointwiseMatch &match,
                                     MLIRContext *context,
                                     const DeviceModel &device);

/// Predicted time and size of a schedule.
Cost computeCost(const PointwiseMatch &match, PointwiseScheduleAttr schedule,
                 const DeviceModel &device);

/// Builds the kernel and its launch.
void emitKernel(SegmentLowering &lowering, const PointwiseMatch &match,
                PointwiseScheduleAttr schedule, Location loc);

} // namespace mlir::fusion::pointwise

#endif // LIB_SCHEDULERS_POINTWISE_POINTWISE_H
