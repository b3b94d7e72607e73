//===- ReductionProgram.h - Reductions of one space at once -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program in which every reduction runs over the same loops. If none waits
// for another, all are done in one walk over the space, and what depends on
// their totals comes after; totals may then be added up from partial results of
// blocks. Otherwise there is a walk for each level of reductions.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_REDUCTIONPROGRAM_H
#define LIB_SCHEDULERS_REDUCTIONPROGRAM_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "TileBuilder.h"

namespace mlir::fusion {

/// One reduction, with what it adds up in.
struct Total {
  Total(ReduceOp operation, unsigned level);

  /// The neutral element in the accumulator's type.
  Value createNeutral(OpBuilder &builder, Location loc) const;
  /// What a sum starts from where `count` elements, known to the launch only,
  /// are reduced: the neutral element, or if there are none what the reduction
  /// gives then. That of a sum is +0.0, which is not neutral; what is combined
  /// with it are neutral elements.
  Value createInitial(TileBuilder &tiles, Value count) const;
  /// A scalar or tile of the operand in the accumulator's type.
  Value convertOperand(TileBuilder &tiles, Value value) const;
  /// `a` and `b`, scalars or tiles of the accumulator's type, combined.
  Value combine(OpBuilder &builder, Location loc, Value a, Value b) const;
  /// A sum in the accumulator's type as the reduction's result.
  Value convertResult(TileBuilder &tiles, Value sum) const;

  Operation *operation;
  Value operand, result;
  /// The number of reductions in a chain before the operand.
  unsigned level;
  ReductionKind kind;
  arith::FastMathFlags fastmath;
  /// The type in which threads exchange partial results.
  Type accumulator;
};

struct ReductionProgram {
  /// The loops that all reductions run over, and the others.
  LoopSet reduced = 0, kept = 0;
  SmallVector<Total> totals;
  /// Outputs by number: those that vary over reduced loops, which the walk
  /// stores, and those that do not, which come after the totals.
  SmallVector<unsigned> walkOutputs, finalOutputs;
  /// Inputs that the walk needs, and those that come in after the totals.
  SmallVector<Value> walkInputs, finalInputs;
  /// Instructions for one point of the walk.
  unsigned instructions = 0;
  /// Bytes of the accumulators of one kept iteration.
  uint64_t accumulatorBytes = 0;

  /// The program of `space`. Rejects programs without reductions, with dynamic
  /// extents other than checkDynamicExtent takes, with several sets of reduced
  /// loops, with reductions of values that lack a loop, and, unless it
  /// `allowsLevels`, with reductions or walk outputs that need a total.
  static std::variant<ReductionProgram, Rejection>
  build(const IterationSpace &space, const DimClasses &dims,
        bool allowsLevels = false);
};

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_REDUCTIONPROGRAM_H
