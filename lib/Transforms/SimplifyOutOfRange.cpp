//===- SimplifyOutOfRange.cpp - Constants that arith has no value for -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM takes what it knows to be out of range for anything, and leaves out the
// stores of it. What the program gives as constants gets the value that the
// reference defines instead (docs/Numerics.md).
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// What every element of `value` is, if that is a constant; else null.
static TypedAttr getUniformConstant(Value value) {
  while (isa_and_nonnull<BroadcastOp, tensor::SplatOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto splat = dyn_cast<SplatElementsAttr>(constant))
    constant = splat.getSplatValue<Attribute>();
  return dyn_cast<TypedAttr>(constant);
}

/// `scalar` in the shape of `value`, which getUniformConstant sees through.
static Value createUniform(PatternRewriter &rewriter, Value value,
                           TypedAttr scalar) {
  auto shaped = dyn_cast<RankedTensorType>(value.getType());
  if (!shaped)
    return arith::ConstantOp::create(rewriter, value.getLoc(), scalar);
  RankedTensorType type = shaped.clone(scalar.getType());
  if (type.hasStaticShape())
    return arith::ConstantOp::create(rewriter, value.getLoc(),
                                     SplatElementsAttr::get(type, scalar));
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands(op->getOperands());
  operands.front() = createUniform(rewriter, operands.front(), scalar);
  return clone(rewriter, op, type, operands)->getResult(0);
}

namespace {

/// A shift by the width or more shifts everything out.
template <typename ShiftOp>
struct ShiftEverythingOut final : OpRewritePattern<ShiftOp> {
  using OpRewritePattern<ShiftOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ShiftOp op,
                                PatternRewriter &rewriter) const override {
    auto amount =
        dyn_cast_or_null<IntegerAttr>(getUniformConstant(op.getRhs()));
    if (!amount || !isa<IntegerType>(amount.getType()))
      return rewriter.notifyMatchFailure(op, "the amount is not known");
    unsigned width = amount.getType().getIntOrFloatBitWidth();
    if (amount.getValue().ult(width))
      return rewriter.notifyMatchFailure(op, "the amount is in range");
    bool keepsSign = std::is_same_v<ShiftOp, arith::ShRSIOp>;
    Value uniform = createUniform(
        rewriter, op.getRhs(),
        IntegerAttr::get(amount.getType(), keepsSign ? width - 1 : 0));
    // All bits are copies of the sign then, or none is left.
    if (keepsSign)
      rewriter.replaceOpWithNewOp<ShiftOp>(op, op.getLhs(), uniform);
    else
      rewriter.replaceOp(op, uniform);
    return success();
  }
};

/// A float beyond the range of an integer is the nearest end; NaN is 0.
template <typename CastOp>
struct SaturateCast final : OpRewritePattern<CastOp> {
  using OpRewritePattern<CastOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(CastOp op,
                                PatternRewriter &rewriter) const override {
    auto number = dyn_cast_or_null<FloatAttr>(getUniformConstant(op.getIn()));
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(op.getType()));
    if (!number || !element)
      return rewriter.notifyMatchFailure(op, "the float is not known");
    APSInt integer(element.getWidth(), std::is_same_v<CastOp, arith::FPToUIOp>);
    bool isExact;
    if (!(number.getValue().convertToInteger(integer, APFloat::rmTowardZero,
                                             &isExact) &
          APFloat::opInvalidOp))
      return rewriter.notifyMatchFailure(op, "the float is in range");
    rewriter.replaceOp(op, createUniform(rewriter, op.getIn(),
                                         IntegerAttr::get(element, integer)));
    return success();
  }
};

} // namespace

void fusion::populateSimplifyOutOfRangePatterns(RewritePatternSet &patterns) {
  patterns.add<ShiftEverythingOut<arith::ShLIOp>,
               ShiftEverythingOut<arith::ShRUIOp>,
               ShiftEverythingOut<arith::ShRSIOp>,
               SaturateCast<arith::FPToSIOp>, SaturateCast<arith::FPToUIOp>>(
      patterns.getContext());
}
