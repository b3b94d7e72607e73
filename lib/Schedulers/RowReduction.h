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
//     -> barrier -> every thread: all slots, or every warp: butterfly over them
//
// In a cluster lane i sends to the slot in block i instead, and waits for what
// all blocks send.
//
// Slots and butterflies are combined in the same order in every lane, so that
// all threads get the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWREDUCTION_H
#define LIB_SCHEDULERS_ROWREDUCTION_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// The lanes of a warp.
inline constexpr unsigned warpSize = 32;

/// A scalar of each thread to combine over the threads of its row.
struct PackedValue {
  ReductionKind kind;
  arith::FastMathFlags fastmath;
  Value scalar;
  /// memref<2 x groups x rows x warps x T> in shared memory, where a row has
  /// more than one warp, and the row of the group that this value belongs to.
  Value slots;
  unsigned row;
  /// In a cluster: the address of `slots` in shared memory, an index.
  Value address = {};
};

/// The thread's place in its block; index values.
struct ThreadPlace {
  /// Thread of the block, of its group, the group, warp of the group, lane. The
  /// blocks of a cluster that share a row are one group.
  Value thread, threadOfGroup, group, warp, lane;
  unsigned threadsPerRow;

  /// Fills in the rest from `thread` and `threadsPerRow`, for `groups` groups
  /// in a block. Thread 0 of the block is thread `firstOfGroup` of its group
  /// (null: 0); only a block of one group may start elsewhere.
  void divide(OpBuilder &builder, Location loc, unsigned groups,
              Value firstOfGroup = Value());
};

/// An exchange among the blocks of a cluster: every warp sends its totals to
/// the slots of every block, whose barrier counts the bytes. The barrier serves
/// once; its one arrival expects all bytes of the exchange.
struct ClusterExchange {
  unsigned blocks;
  /// The barrier's pointer to shared memory.
  Value barrier;
};

/// Combines a scalar of each thread over the lanes of a warp that share a row.
Value emitWarpReduction(OpBuilder &builder, Location loc,
                        const ThreadPlace &place, const PackedValue &value);

/// Sends the scalars of `values`, which are those of a warp, to all warps of
/// the row. Returns what a lane finds for each value: those of all warps, or
/// one or more that emitSlotReduction combines over the lanes.
llvm::SmallVector<llvm::SmallVector<Value>>
emitWarpExchange(OpBuilder &builder, Location loc, const ThreadPlace &place,
                 llvm::ArrayRef<PackedValue> values, Value buffer,
                 const ClusterExchange *cluster = nullptr);
Value emitSlotReduction(OpBuilder &builder, Location loc,
                        const ThreadPlace &place, const PackedValue &value,
                        llvm::ArrayRef<Value> slots);

/// Emits the exchange; `buffer` (0 or 1, an index) alternates from one exchange
/// to the next. Returns the totals, which every thread of the group has.
llvm::SmallVector<Value>
emitRowReduction(OpBuilder &builder, Location loc, const ThreadPlace &place,
                 llvm::ArrayRef<PackedValue> values, Value buffer,
                 const ClusterExchange *cluster = nullptr);

/// Combines over `lanes` (a power of two, at most a warp) neighbouring lanes of
/// which the first is a multiple of `lanes`. Each of them gets the total, with
/// the same bits.
Value emitLaneReduction(OpBuilder &builder, Location loc, ReductionKind kind,
                        arith::FastMathFlags fastmath, Value scalar,
                        unsigned lanes);

/// The elements of `tile` (a vector, or a scalar) combined pairwise.
Value emitHorizontal(OpBuilder &builder, Location loc, ReductionKind kind,
                     arith::FastMathFlags fastmath, Value tile);

/// `elements` combined pairwise; there is at least one.
Value emitPairwise(OpBuilder &builder, Location loc, ReductionKind kind,
                   arith::FastMathFlags fastmath,
                   llvm::SmallVector<Value> elements);

/// The elements of `tile`, a vector or a scalar.
llvm::SmallVector<Value> emitElements(OpBuilder &builder, Location loc,
                                      Value tile);

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_ROWREDUCTION_H
