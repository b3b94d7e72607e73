//===- Combine.h - What the combining kinds do ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about the combining kinds of fusion.reduce, in one place: on which
// element types a kind works, its neutral element, its value without elements,
// and the arith operation that combines two values.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_IR_COMBINE_H
#define FUSIONDIALECT_IR_COMBINE_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class OpBuilder;
class TypedAttr;
} // namespace mlir

namespace mlir::arith {
enum class FastMathFlags : uint32_t;
} // namespace mlir::arith

namespace mlir::fusion {
enum class ReductionKind : uint32_t;

/// True if `kind` combines elements of `type` (see the table of fusion.reduce).
bool supportsElementType(ReductionKind kind, Type type);

/// The value n with combine(n, x) == x bit for bit, for every x that is not a
/// signalling NaN. For a float sum it is -0.0, since +0.0 + -0.0 is +0.0.
TypedAttr getNeutralElement(ReductionKind kind, Type type);

/// The value of a reduction over no elements.
TypedAttr getEmptyValue(ReductionKind kind, Type type);

/// True if `kind` compares integers with their sign.
bool comparesSigned(ReductionKind kind);

/// The neutral element of `kind` on numbers of `type`, in `accumulator`: the
/// same type or, of integers, a wider one. That of the wider type itself, a
/// smaller minimum, say, would be another number after the conversion back.
TypedAttr getNeutralElement(ReductionKind kind, Type type, Type accumulator);

/// The type in which threads exchange what they have combined in `type`: i32
/// for narrower integers, which are extended with their sign if the kind
/// comparesSigned. The lower bits of every combination are the same.
Type getExchangeType(Type type);

/// combine(lhs, rhs) as an arith operation. The operands have one type: a
/// scalar, vector or tensor of an element type that the kind supports.
Value createCombine(OpBuilder &builder, Location loc, ReductionKind kind,
                    Value lhs, Value rhs, arith::FastMathFlags fastmath);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_IR_COMBINE_H
