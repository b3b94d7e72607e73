//===- Transpose.h - The transpose scheduler --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the scheduler: what match finds out, and the pieces that plan,
// cost and emit share.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_TRANSPOSE_TRANSPOSE_H
#define LIB_SCHEDULERS_TRANSPOSE_TRANSPOSE_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
class SegmentLowering;
} // namespace mlir::fusion

namespace mlir::fusion::transpose {

/// What match learnt.
struct TransposeMatch : Match {
  explicit TransposeMatch(IterationSpace space) : space(std::move(space)) {}

  LoopSet getReadSet() const { return LoopSet(1) << readLoop; }
  LoopSet getWriteSet() const { return LoopSet(1) << writeLoop; }
  /// The other loops.
  LoopSet getBatchSet() const {
    return space.getAllLoops() & ~getReadSet() & ~getWriteSet();
  }
  /// Those as one loop, which may have a dynamic extent.
  Loop getBatchLoop() const { return space.getProduct(getBatchSet()); }
  int64_t getReadExtent() const { return space.getLoops()[readLoop].extent; }
  int64_t getWriteExtent() const { return space.getLoops()[writeLoop].extent; }

  IterationSpace space;
  /// The loops along which turned inputs, and results, are contiguous.
  unsigned readLoop = 0, writeLoop = 0;
  /// Inputs that vary over both loops and are contiguous along the former.
  SmallVector<Value> turned;
  /// Bytes of the widest element of a turned input or a result.
  unsigned widest = 1;
  /// Instructions for one point.
  unsigned instructions = 0;
  /// The schedule; chosen in match, since a match guarantees a plan.
  TransposeScheduleAttr schedule;
};

/// Accesses of the results that a thread unrolls: `width` of them.
inline uint64_t countUnrolledOperations(const TransposeMatch &match,
                                        unsigned width, unsigned writeWidth) {
  return uint64_t(width) * writeWidth *
         match.space.getCandidate().operations.size();
}

/// Squares of `tile` elements side by side along the read and the write loop.
inline int64_t countReadTiles(const TransposeMatch &match, unsigned tile) {
  return llvm::divideCeil(uint64_t(match.getReadExtent()), uint64_t(tile));
}
inline int64_t countWriteTiles(const TransposeMatch &match, unsigned tile) {
  return llvm::divideCeil(uint64_t(match.getWriteExtent()), uint64_t(tile));
}

/// Blocks that cover the space: fewer than it has points, or 0. With a dynamic
/// extent those that assumedDynamicExtent needs.
int64_t countBlocks(const TransposeMatch &match, unsigned tile);

/// The widest access, of at most `width` elements, with which whole rows of the
/// turned inputs can be read, and rows of the results written.
unsigned getReadWidth(const TransposeMatch &match, unsigned width);
unsigned getWriteWidth(const TransposeMatch &match, unsigned width);

/// Bytes of shared memory for the squares of all turned inputs.
uint64_t getSharedBytes(const TransposeMatch &match, uint64_t tile);

/// The schedule for `match`, or why none fits.
std::variant<TransposeScheduleAttr, Rejection>
chooseSchedule(const TransposeMatch &match, MLIRContext *context,
               const DeviceModel &device);

/// Predicted time and size of a schedule.
Cost computeCost(const TransposeMatch &match, TransposeScheduleAttr schedule,
                 const DeviceModel &device);

/// Builds the kernel and its launch. A multiprocessor is to hold `occupancy`
/// blocks.
void emitKernel(SegmentLowering &lowering, const TransposeMatch &match,
                TransposeScheduleAttr schedule, unsigned occupancy,
                Location loc);

} // namespace mlir::fusion::transpose

#endif // LIB_SCHEDULERS_TRANSPOSE_TRANSPOSE_H
