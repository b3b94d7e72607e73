//===- Algebra.cpp - The algebra of the combining kinds -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Algebra.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// The combining kinds
//===----------------------------------------------------------------------===//

using Kind = ReductionKind;
using Class = RewriteClass;

// clang-format off
static constexpr CombinerTraits combinerTable[] = {
    // kind, dual, repetition, order, isMaximum, skipsNaN, floatMerge,
    // combine, inverse, scale (float, integer each), floatScaleClass
    {Kind::Add, Kind::Add, Repetition::Multiple, ValueOrder::None, false, false, Class::Order,
     "arith.addf", "arith.addi", "arith.subf", "arith.subi", "arith.mulf", "arith.muli", Class::Reassociation},
    {Kind::Mul, Kind::Mul, Repetition::Power, ValueOrder::None, false, false, Class::Order,
     "arith.mulf", "arith.muli", "", "", "", "", Class::Reassociation},
    {Kind::MinimumF, Kind::MaximumF, Repetition::Same, ValueOrder::Float, false, false, Class::Exact,
     "arith.minimumf", "", "", "", "", "", Class::Exact},
    {Kind::MaximumF, Kind::MinimumF, Repetition::Same, ValueOrder::Float, true, false, Class::Exact,
     "arith.maximumf", "", "", "", "", "", Class::Exact},
    {Kind::MinNumF, Kind::MaxNumF, Repetition::Same, ValueOrder::Float, false, true, Class::Exact,
     "arith.minnumf", "", "", "", "", "", Class::Exact},
    {Kind::MaxNumF, Kind::MinNumF, Repetition::Same, ValueOrder::Float, true, true, Class::Exact,
     "arith.maxnumf", "", "", "", "", "", Class::Exact},
    {Kind::MinSI, Kind::MaxSI, Repetition::Same, ValueOrder::Signed, false, false, Class::Exact,
     "", "arith.minsi", "", "", "", "", Class::Exact},
    {Kind::MinUI, Kind::MaxUI, Repetition::Same, ValueOrder::Unsigned, false, false, Class::Exact,
     "", "arith.minui", "", "", "", "", Class::Exact},
    {Kind::MaxSI, Kind::MinSI, Repetition::Same, ValueOrder::Signed, true, false, Class::Exact,
     "", "arith.maxsi", "", "", "", "", Class::Exact},
    {Kind::MaxUI, Kind::MinUI, Repetition::Same, ValueOrder::Unsigned, true, false, Class::Exact,
     "", "arith.maxui", "", "", "", "", Class::Exact},
    {Kind::And, Kind::Or, Repetition::Same, ValueOrder::None, false, false, Class::Exact,
     "", "arith.andi", "", "", "", "arith.ori", Class::Exact},
    {Kind::Or, Kind::And, Repetition::Same, ValueOrder::None, false, false, Class::Exact,
     "", "arith.ori", "", "", "", "arith.andi", Class::Exact},
    {Kind::Xor, Kind::Xor, Repetition::Parity, ValueOrder::None, false, false, Class::Exact,
     "", "arith.xori", "", "", "", "arith.andi", Class::Exact},
};
// clang-format on

ArrayRef<CombinerTraits> fusion::getCombinerTable() { return combinerTable; }

const CombinerTraits &fusion::getCombinerTraits(ReductionKind kind) {
  const CombinerTraits &traits = combinerTable[static_cast<unsigned>(kind)];
  assert(traits.kind == kind && "the table follows the enumeration");
  return traits;
}

//===----------------------------------------------------------------------===//
// Monotone operations
//===----------------------------------------------------------------------===//

using Flags = arith::FastMathFlags;
static constexpr Direction none = Direction::None, up = Direction::Increasing,
                           down = Direction::Decreasing,
                           sign = Direction::SignOfOther,
                           divisor = Direction::DivisorWithoutSign,
                           downWithoutSign = Direction::DecreasingWithoutSign;
static constexpr Flags noFlag = Flags::none, nnan = Flags::nnan,
                       nnanOrNinf = Flags::nnan | Flags::ninf;

// clang-format off
static constexpr MonotoneTraits monotoneTable[] = {
    // operation, order, directions, anyFlagAgainstNaN, isNumberWithoutSign,
    // isApproximate, mayWrap, keepsEmpty
    {"arith.negf", ValueOrder::Float, {down, none}, noFlag, false, false, false, true},
    {"arith.extf", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    {"arith.truncf", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    // inf - inf and 0 * inf need an infinite operand, 0 / 0 does not.
    {"arith.addf", ValueOrder::Float, {up, up}, nnanOrNinf, false, false, false, false},
    {"arith.subf", ValueOrder::Float, {up, down}, nnanOrNinf, false, false, false, false},
    {"arith.mulf", ValueOrder::Float, {sign, sign}, nnanOrNinf, false, false, false, false},
    {"arith.divf", ValueOrder::Float, {sign, divisor}, nnan, false, false, false, false},
    {"arith.minimumf", ValueOrder::Float, {up, up}, noFlag, false, false, false, false},
    {"arith.maximumf", ValueOrder::Float, {up, up}, noFlag, false, false, false, false},
    // These hide a NaN that the reduction would have shown.
    {"arith.minnumf", ValueOrder::Float, {up, up}, nnan, false, false, false, false},
    {"arith.maxnumf", ValueOrder::Float, {up, up}, nnan, false, false, false, false},
    {"math.floor", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    {"math.ceil", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    {"math.trunc", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    {"math.round", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    {"math.roundeven", ValueOrder::Float, {up, none}, noFlag, false, false, false, true},
    {"math.sqrt", ValueOrder::Float, {up, none}, nnan, true, false, false, false},
    {"math.rsqrt", ValueOrder::Float, {downWithoutSign, none}, noFlag, false, true, false, false},
    {"math.exp", ValueOrder::Float, {up, none}, noFlag, false, true, false, false},
    {"math.exp2", ValueOrder::Float, {up, none}, noFlag, false, true, false, false},
    {"math.expm1", ValueOrder::Float, {up, none}, noFlag, false, true, false, false},
    {"math.tanh", ValueOrder::Float, {up, none}, noFlag, false, true, false, false},
    {"math.erf", ValueOrder::Float, {up, none}, noFlag, false, true, false, false},
    {"math.atan", ValueOrder::Float, {up, none}, noFlag, false, true, false, false},
    {"math.log", ValueOrder::Float, {up, none}, nnan, true, true, false, false},
    {"math.log2", ValueOrder::Float, {up, none}, nnan, true, true, false, false},
    {"math.log10", ValueOrder::Float, {up, none}, nnan, true, true, false, false},
    {"math.log1p", ValueOrder::Float, {up, none}, nnan, true, true, false, false},
    {"arith.addi", ValueOrder::Signed, {up, up}, noFlag, false, false, true, false},
    {"arith.addi", ValueOrder::Unsigned, {up, up}, noFlag, false, false, true, false},
    {"arith.subi", ValueOrder::Signed, {up, down}, noFlag, false, false, true, false},
    {"arith.subi", ValueOrder::Unsigned, {up, down}, noFlag, false, false, true, false},
    {"arith.muli", ValueOrder::Signed, {sign, sign}, noFlag, false, false, true, false},
    {"arith.muli", ValueOrder::Unsigned, {up, up}, noFlag, false, false, true, false},
    {"arith.minsi", ValueOrder::Signed, {up, up}, noFlag, false, false, false, false},
    {"arith.maxsi", ValueOrder::Signed, {up, up}, noFlag, false, false, false, false},
    {"arith.minui", ValueOrder::Unsigned, {up, up}, noFlag, false, false, false, false},
    {"arith.maxui", ValueOrder::Unsigned, {up, up}, noFlag, false, false, false, false},
    {"arith.extsi", ValueOrder::Signed, {up, none}, noFlag, false, false, false, false},
    {"arith.extui", ValueOrder::Unsigned, {up, none}, noFlag, false, false, false, false},
};
// clang-format on

ArrayRef<MonotoneTraits> fusion::getMonotoneTable() { return monotoneTable; }

const MonotoneTraits *fusion::getMonotoneTraits(Operation *op,
                                                ValueOrder order) {
  StringRef name = op->getName().getStringRef();
  for (const MonotoneTraits &traits : monotoneTable)
    if (traits.order == order && traits.operation == name)
      return &traits;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Facts about operations and values
//===----------------------------------------------------------------------===//

arith::FastMathFlags fusion::getFastMathFlags(Operation *op) {
  auto iface = dyn_cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlagsAttr flags =
      iface ? iface.getFastMathFlagsAttr() : nullptr;
  return flags ? flags.getValue() : Flags::none;
}

/// A reduction of values that are not negative is not negative, also without
/// elements: only an empty maximum is -inf.
static bool isReductionNonNegative(ReduceOp op, unsigned maxDepth) {
  bool mayBeEmpty = llvm::any_of(op.getDims(), [&](int64_t dim) {
    int64_t extent = op.getInput().getType().getDimSize(dim);
    return ShapedType::isDynamic(extent) || extent == 0;
  });
  if (mayBeEmpty && getCombinerTraits(op.getKind()).isMaximum)
    return false;
  return isNonNegative(op.getInput(), maxDepth);
}

bool fusion::isNonNegative(Value value, unsigned maxDepth) {
  if (!isa<FloatType>(getElementTypeOrSelf(value.getType())))
    return false;
  APFloat constant(0.0);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    return !constant.isNegative();
  Operation *op = value.getDefiningOp();
  if (!op || maxDepth == 0)
    return false;
  auto isKnown = [&](Value operand) {
    return isNonNegative(operand, maxDepth - 1);
  };
  auto all = [&] { return llvm::all_of(op->getOperands(), isKnown); };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<math::AbsFOp, math::ExpOp, math::Exp2Op>([](auto) { return true; })
      .Case<arith::UIToFPOp>([](auto) { return true; })
      // A square; else a product of two numbers without sign.
      .Case(
          [&](arith::MulFOp op) { return op.getLhs() == op.getRhs() || all(); })
      .Case<arith::AddFOp, arith::DivFOp, arith::ExtFOp, arith::TruncFOp,
            math::SqrtOp, math::RsqrtOp, arith::MinimumFOp, arith::MinNumFOp,
            arith::MaxNumFOp>([&](auto) { return all(); })
      .Case<arith::MaximumFOp>(
          [&](auto op) { return isKnown(op.getLhs()) || isKnown(op.getRhs()); })
      .Case([&](arith::SelectOp op) {
        return isKnown(op.getTrueValue()) && isKnown(op.getFalseValue());
      })
      .Case<BroadcastOp, SqueezeOp, TransposeOp>(
          [&](auto op) { return isKnown(op.getInput()); })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto op) { return isKnown(op.getSrc()); })
      .Case([&](tensor::SplatOp op) { return isKnown(op.getInput()); })
      .Case(
          [&](ReduceOp op) { return isReductionNonNegative(op, maxDepth - 1); })
      .Default(false);
}
