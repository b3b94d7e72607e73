//===- ValueFacts.cpp - What is known of the elements of a tensor ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StructuredImport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::import;

TypedAttr import::getSplatValue(Value value) {
  // Each step goes to the operand; programs without cycles end at a constant.
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  Attribute constant;
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    value = splat.getInput();
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto elements = dyn_cast<SplatElementsAttr>(constant))
    return dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
  if (isa<FloatAttr, IntegerAttr>(constant))
    return cast<TypedAttr>(constant);
  return {};
}

/// How many operations the search looks through: programs square and
/// exponentiate right before they sum.
static constexpr unsigned maxDepth = 6;

static bool isNeverNegativeZero(Value value, unsigned depth) {
  if (auto number = dyn_cast_or_null<FloatAttr>(getSplatValue(value)))
    return !number.getValue().isNegZero();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return false;
  auto holds = [&](Value operand) {
    return isNeverNegativeZero(operand, depth - 1);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      // A square is positive, or +0.0.
      .Case([&](arith::MulFOp mul) { return mul.getLhs() == mul.getRhs(); })
      // A sum is -0.0 only if both operands are.
      .Case([&](arith::AddFOp add) {
        return holds(add.getLhs()) || holds(add.getRhs());
      })
      .Case<math::ExpOp, math::Exp2Op, math::AbsFOp, math::CoshOp,
            arith::SIToFPOp, arith::UIToFPOp>([](Operation *) { return true; })
      .Case([&](arith::SelectOp select) {
        return holds(select.getTrueValue()) && holds(select.getFalseValue());
      })
      .Case([&](arith::MaximumFOp max) {
        return holds(max.getLhs()) || holds(max.getRhs());
      })
      // Widening and moving elements keep the sign of zeros.
      .Case<arith::ExtFOp, BroadcastOp, SqueezeOp, TransposeOp, tensor::CastOp,
            tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](Operation *move) { return holds(move->getOperand(0)); })
      .Default([](Operation *) { return false; });
}

bool import::isNeverNegativeZero(Value value) {
  return ::isNeverNegativeZero(value, maxDepth);
}
