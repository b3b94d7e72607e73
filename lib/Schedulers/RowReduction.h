//===- RowReduction.h - Reductions over the threads of a row ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Combines one value a thread over all threads of a row group, several values
// in one exchange:
//
//     lanes: butterfly shuffles -> lane 0 of each warp: slot in shared memory
//     -> barrier -> every warp: butterfly over the slots
//
// Butterflies combine in the same order in every lane, so that all threads get
// the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWREDUCTION_H
#define LIB_SCHEDULERS_ROWREDUCTION_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// A scalar of each thread to combine over the threads of its row.
struct PackedValue {
  ReductionKind kind;
  arith::FastMathFlags fastmath;
  Value scalar;
  /// memref<2 x groups x rows x warps x T> in shared memory, where a row has
  /// more than one warp, and the row of the group that this value belongs to.
  Value slots;
  unsigned row;
};

/// The thread's place in its block; index values.
struct ThreadPlace {
  /// Thread of the block, of its group, the group, warp of the group, lane.
  Value thread, threadOfGroup, group, warp, lane;
  unsigned threadsPerRow;
};

/// Emits the exchange; `buffer` (0 or 1, an index) alternates from one exchange
/// to the next. Returns the totals, which every thread of the group has.
llvm::SmallVector<Value> emitRowReduction(OpBuilder &builder, Location loc,
                                          const ThreadPlace &place,
                                          llvm::ArrayRef<PackedValue> values,
                                          Value buffer);

/// The elements of `tile` (a vector, or a scalar) combined pairwise.
Value emitHorizontal(OpBuilder &builder, Location loc, ReductionKind kind,
                     arith::FastMathFlags fastmath, Value tile);

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_ROWREDUCTION_H
