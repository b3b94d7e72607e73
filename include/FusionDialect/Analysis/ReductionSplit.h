//===- ReductionSplit.h - Which reductions to do in two stages --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction over more dimensions than the one that its operand comes from
// needs a pass of its own over the operand: the maximum of all of a layer
// norm's output, whose rows are normalised one by one. In two stages it needs
// none: the first reduces what the other one reduces and shares its loop, the
// second finishes a few partial results.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_REDUCTIONSPLIT_H
#define FUSIONDIALECT_ANALYSIS_REDUCTIONSPLIT_H

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/IR/Fusion.h"
#include <variant>

namespace mlir::fusion {

/// How to split a reduction.
struct ReductionSplit {
  /// The reduction that the first stage is aligned with.
  ReduceOp reference;
  /// The operand's dimensions that the first stage removes, and those that the
  /// second stage removes; sorted.
  SmallVector<int64_t> aligned, rest;
};

/// Why a reduction stays whole: what was expected, and what caused it.
struct SplitRefusal {
  Operation *operation;
  std::string reason;
};

/// No split and nothing to say: the reduction is aligned already, removes one
/// dimension only, or keeps some and has no reference.
struct NoSplit {};

using SplitResult = std::variant<ReductionSplit, SplitRefusal, NoSplit>;

/// How a reduction of `operand` over `dims`, standing before `user`, should be
/// split. The reference is one of the reductions right before the operand; else
/// one beside it that walks over the same dimensions. The references that
/// reduce some of `dims` must reduce the same classes of dimensions; `user` and
/// `ignored` are none.
SplitResult findReductionSplit(Value operand, ArrayRef<int64_t> dims,
                               Operation *user, const DimClasses &classes,
                               Operation *ignored = nullptr);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_REDUCTIONSPLIT_H
