//===- Algebra.h - The algebra of the combining kinds -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What may move across a reduction, as data: two tables that the reordering of
// reductions reads. A rule of algebra is a row here, not code there. With (+)
// for the combining kind and (*) for an element-wise operation:
//
//     distributes   (+)(x (*) b) = (+)(x) (*) b            b without the loop
//     separates     (+)(x (+) y) = (+)(x) (+) (+)(y)
//     repeats       (+)(b, n times) = n-fold b
//     monotone      max f(x) = f(max x), or f(min x) where f decreases
//
// docs/Algebra.md lists the rules with their numerics.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_IR_ALGEBRA_H
#define FUSIONDIALECT_IR_ALGEBRA_H

#include "FusionDialect/IR/Fusion.h"

namespace mlir::fusion {

/// On a fusion.reduce that could be rewritten at a price: a string with the
/// rules, set by fusion-reorder-reductions.
constexpr llvm::StringLiteral contestedAttrName = "fusion.contested";

/// The most that a rewrite changes, from nothing to anything that real-number
/// algebra allows.
enum class RewriteClass {
  /// Nothing, bit for bit.
  Exact,
  /// The order inside one reduction, which no program may rely on.
  Order,
  /// Roundings, and what overflows: needs `reassoc` on each operation.
  Reassociation
};

/// The order that a minimum or a maximum chooses by.
enum class ValueOrder { None, Float, Signed, Unsigned };

/// What n equal values b combine to.
enum class Repetition {
  /// b
  Same,
  /// n b
  Multiple,
  /// b to the power n
  Power,
  /// b if n is odd, else 0
  Parity
};

/// The algebra of one combining kind. Operation names are empty where the kind
/// has none on that element type.
struct CombinerTraits {
  ReductionKind kind;
  /// The kind with which an order-reversing map exchanges it: max(-x) =
  /// -min(x), or(~x) = ~and(x). The kind itself where there is none.
  ReductionKind dual;
  Repetition repetition;
  /// The order by which it chooses one of its elements; None if it computes.
  ValueOrder order;
  /// True for maxima.
  bool isMaximum;
  /// True if it ignores NaN.
  bool skipsNaN;
  /// Elements and groups of elements combine in any order with this effect.
  RewriteClass floatMerge;
  /// The element-wise operations that combine two values.
  llvm::StringLiteral floatCombine, integerCombine;
  /// Combining with the inverse of the second value.
  llvm::StringLiteral floatInverse, integerInverse;
  /// The operations that distribute over the kind, and with which effect.
  llvm::StringLiteral floatScale, integerScale;
  RewriteClass floatScaleClass;
};

/// The row of `kind`.
const CombinerTraits &getCombinerTraits(ReductionKind kind);

/// How a function moves with one operand while the others stay.
enum class Direction {
  None,
  Increasing,
  Decreasing,
  /// Increasing where the other operand is not negative, decreasing where it is
  /// not positive.
  SignOfOther,
  /// Of an operand without sign bit the opposite of SignOfOther; of others no
  /// order at all.
  DivisorWithoutSign,
  /// Decreasing of an operand without sign bit; of others no order at all.
  DecreasingWithoutSign
};

/// An element-wise operation that is monotone, rounding included: IEEE
/// rounding never exchanges two values.
struct MonotoneTraits {
  llvm::StringLiteral operation;
  ValueOrder order;
  /// With each operand; unary operations use the first.
  Direction directions[2];
  /// The operation makes NaN of numbers for some operands, which the minimum or
  /// maximum of the results could show and that of the operands not. One of
  /// these flags on the operation excludes it; none: it makes no NaN.
  arith::FastMathFlags anyFlagAgainstNaN;
  /// The operand having no sign bit excludes it as well.
  bool isNumberWithoutSign;
  /// Hardware approximates it, so that it is monotone only up to its error:
  /// needs `afn`.
  bool isApproximate;
  /// Integers: monotone only without overflow, which the overflow flags of the
  /// operation must exclude.
  bool mayWrap;
  /// The value of a minimum or maximum without elements is mapped to itself.
  bool keepsEmpty;
};

/// The row of `op` for minima and maxima by `order`, or null if it is not known
/// to be monotone.
const MonotoneTraits *getMonotoneTraits(Operation *op, ValueOrder order);

/// All rows, for tests and documentation.
llvm::ArrayRef<CombinerTraits> getCombinerTable();
llvm::ArrayRef<MonotoneTraits> getMonotoneTable();

/// The fast-math flags of `op`; none if it carries none.
arith::FastMathFlags getFastMathFlags(Operation *op);

/// True if no element of `value` has its sign bit set, NaN aside. Looks at the
/// operations that compute it, not further than `maxDepth` of them.
bool isNonNegative(Value value, unsigned maxDepth = 8);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_IR_ALGEBRA_H
