//===- Combine.cpp - What the combining kinds do --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

/// True for the kinds that combine floats only.
static bool isFloatOnly(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::MinimumF:
  case ReductionKind::MaximumF:
  case ReductionKind::MinNumF:
  case ReductionKind::MaxNumF:
    return true;
  default:
    return false;
  }
}

bool fusion::supportsElementType(ReductionKind kind, Type type) {
  if (kind == ReductionKind::Add || kind == ReductionKind::Mul)
    return isa<FloatType, IntegerType>(type);
  return isFloatOnly(kind) ? isa<FloatType>(type) : isa<IntegerType>(type);
}

/// The value that no number exceeds: infinity, or the largest number of a type
/// that has no infinity.
static APFloat getExtreme(const llvm::fltSemantics &semantics, bool negative) {
  return APFloat::semanticsHasInf(semantics)
             ? APFloat::getInf(semantics, negative)
             : APFloat::getLargest(semantics, negative);
}

static APFloat getFloatNeutral(ReductionKind kind,
                               const llvm::fltSemantics &semantics) {
  switch (kind) {
  case ReductionKind::Add:
    return APFloat::getZero(semantics, /*Negative=*/true);
  case ReductionKind::Mul:
    return APFloat::getOne(semantics);
  case ReductionKind::MinimumF:
    return getExtreme(semantics, /*negative=*/false);
  case ReductionKind::MaximumF:
    return getExtreme(semantics, /*negative=*/true);
  case ReductionKind::MinNumF:
  case ReductionKind::MaxNumF:
    return APFloat::getNaN(semantics);
  default:
    llvm_unreachable("not a float kind");
  }
}

static APInt getIntegerNeutral(ReductionKind kind, unsigned width) {
  switch (kind) {
  case ReductionKind::Add:
  case ReductionKind::Or:
  case ReductionKind::Xor:
  case ReductionKind::MaxUI:
    return APInt::getZero(width);
  case ReductionKind::Mul:
    return APInt(width, 1);
  case ReductionKind::And:
  case ReductionKind::MinUI:
    return APInt::getAllOnes(width);
  case ReductionKind::MinSI:
    return APInt::getSignedMaxValue(width);
  case ReductionKind::MaxSI:
    return APInt::getSignedMinValue(width);
  default:
    llvm_unreachable("not an integer kind");
  }
}

TypedAttr fusion::getNeutralElement(ReductionKind kind, Type type) {
  assert(supportsElementType(kind, type) && "kind does not take this type");
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(type,
                          getFloatNeutral(kind, floatType.getFloatSemantics()));
  return IntegerAttr::get(
      type, getIntegerNeutral(kind, type.getIntOrFloatBitWidth()));
}

bool fusion::comparesSigned(ReductionKind kind) {
  return kind == ReductionKind::MinSI || kind == ReductionKind::MaxSI;
}

TypedAttr fusion::getNeutralElement(ReductionKind kind, Type type,
                                    Type accumulator) {
  TypedAttr neutral = getNeutralElement(kind, type);
  if (type == accumulator)
    return neutral;
  APInt value = cast<IntegerAttr>(neutral).getValue();
  unsigned width = accumulator.getIntOrFloatBitWidth();
  return IntegerAttr::get(accumulator, comparesSigned(kind)
                                           ? value.sext(width)
                                           : value.zext(width));
}

Type fusion::getExchangeType(Type type) {
  if (isa<IntegerType>(type) && type.getIntOrFloatBitWidth() < 32)
    return IntegerType::get(type.getContext(), 32);
  return type;
}

TypedAttr fusion::getEmptyValue(ReductionKind kind, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return getNeutralElement(kind, type);
  if (kind == ReductionKind::Add)
    return FloatAttr::get(type, 0.0);
  // Infinity, as the wider accumulator has it, converts to NaN in a type that
  // has none; the sign stays.
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  if ((kind == ReductionKind::MinimumF || kind == ReductionKind::MaximumF) &&
      !APFloat::semanticsHasInf(semantics))
    return FloatAttr::get(
        type, APFloat::getNaN(semantics, kind == ReductionKind::MaximumF));
  return getNeutralElement(kind, type);
}

Value fusion::createCombine(OpBuilder &builder, Location loc,
                            ReductionKind kind, Value lhs, Value rhs,
                            arith::FastMathFlags fastmath) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(lhs.getType()));
  auto flags = arith::FastMathFlagsAttr::get(builder.getContext(), fastmath);
  switch (kind) {
  case ReductionKind::Add:
    if (isFloat)
      return arith::AddFOp::create(builder, loc, lhs, rhs, flags);
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Mul:
    if (isFloat)
      return arith::MulFOp::create(builder, loc, lhs, rhs, flags);
    return arith::MulIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::MinimumF:
    return arith::MinimumFOp::create(builder, loc, lhs, rhs, flags);
  case ReductionKind::MaximumF:
    return arith::MaximumFOp::create(builder, loc, lhs, rhs, flags);
  case ReductionKind::MinNumF:
    return arith::MinNumFOp::create(builder, loc, lhs, rhs, flags);
  case ReductionKind::MaxNumF:
    return arith::MaxNumFOp::create(builder, loc, lhs, rhs, flags);
  case ReductionKind::MinSI:
    return arith::MinSIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::MinUI:
    return arith::MinUIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::MaxSI:
    return arith::MaxSIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::MaxUI:
    return arith::MaxUIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::And:
    return arith::AndIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Or:
    return arith::OrIOp::create(builder, loc, lhs, rhs);
  case ReductionKind::Xor:
    return arith::XOrIOp::create(builder, loc, lhs, rhs);
  }
  llvm_unreachable("unknown reduction kind");
}
