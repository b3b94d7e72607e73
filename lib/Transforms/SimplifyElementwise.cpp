//===- SimplifyElementwise.cpp - Compute repeated values once -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "Simplify.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;

/// The splat constant behind `value`, or null.
static SplatElementsAttr getSplatConstant(Value value) {
  SplatElementsAttr splat;
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (constant)
    splat = dyn_cast<SplatElementsAttr>(constant.getValue());
  return splat;
}

/// True if the same elements can be had before `source` repeats its operand:
/// `value` is uniform where `source` is.
static bool isUniformAlong(Value value, BroadcastOp source) {
  if (!isa<RankedTensorType>(value.getType()) || getSplatConstant(value))
    return true;
  RankedTensorType space = source.getInput().getType();
  if (value.getDefiningOp<tensor::SplatOp>())
    return space.hasStaticShape();
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return false;
  if (broadcast.getDims() == source.getDims() &&
      broadcast.getInput().getType().getShape() == space.getShape())
    return true;
  // Else it is repeated less often, which takes known extents.
  if (!space.hasStaticShape())
    return false;
  RankedTensorType from = broadcast.getInput().getType();
  for (auto [dim, to] : llvm::enumerate(broadcast.getDims())) {
    if (from.getDimSize(dim) == 1)
      continue;
    const int64_t *place = llvm::find(source.getDims(), to);
    if (place == source.getDims().end() ||
        space.getDimSize(place - source.getDims().begin()) !=
            from.getDimSize(dim))
      return false;
  }
  return true;
}

/// `value`, which is uniform along `source`, before the repetition.
static Value narrow(PatternRewriter &rewriter, Value value,
                    BroadcastOp source) {
  auto tensorType = dyn_cast<RankedTensorType>(value.getType());
  if (!tensorType)
    return value;
  Location loc = value.getLoc();
  RankedTensorType space = source.getInput().getType();
  auto type =
      RankedTensorType::get(space.getShape(), tensorType.getElementType());
  if (SplatElementsAttr splat = getSplatConstant(value))
    return arith::ConstantOp::create(rewriter, loc, splat.resizeSplat(type));
  if (auto splat = value.getDefiningOp<tensor::SplatOp>())
    return tensor::SplatOp::create(rewriter, loc, type, splat.getInput());
  auto broadcast = cast<BroadcastOp>(value.getDefiningOp());
  Value input = broadcast.getInput();
  if (broadcast.getDims() == source.getDims() && input.getType() == type)
    return input;
  SmallVector<int64_t> units, dims;
  for (auto [dim, to] : llvm::enumerate(broadcast.getDims())) {
    const int64_t *place = llvm::find(source.getDims(), to);
    if (place == source.getDims().end())
      units.push_back(dim);
    else
      dims.push_back(place - source.getDims().begin());
  }
  if (!units.empty())
    input = SqueezeOp::create(rewriter, loc, input, units);
  return BroadcastOp::create(rewriter, loc, type, input, dims);
}

namespace {

/// f(broadcast(x), broadcast(y), constant) -> broadcast(f(x, y, constant)). The
/// same operation on the same values, so exact; computed once for all
/// repetitions.
struct HoistOverBroadcast final : RewritePattern {
  explicit HoistOverBroadcast(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || !isPure(op) ||
        op->getNumResults() != 1 || op->getNumRegions() ||
        !isa_and_present<arith::ArithDialect, math::MathDialect>(
            op->getDialect()))
      return rewriter.notifyMatchFailure(op, "no pure element-wise operation");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    BroadcastOp source = getSource(op);
    if (!type || !source)
      return rewriter.notifyMatchFailure(op, "no operand is repeated");
    for (Value operand : op->getOperands())
      if (!isUniformAlong(operand, source))
        return rewriter.notifyMatchFailure(
            op, "an operand varies where the others are repeated");
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(narrow(rewriter, operand, source));
    auto narrowType = RankedTensorType::get(
        source.getInput().getType().getShape(), type.getElementType());
    Operation *hoisted = Operation::create(
        op->getLoc(), op->getName(), narrowType, operands,
        op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
        /*successors=*/{}, /*numRegions=*/0);
    rewriter.insert(hoisted);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, type, hoisted->getResult(0),
                                             source.getDynamicSizes(),
                                             source.getDims());
    return success();
  }

private:
  /// The broadcast operand whose own operand varies most: the first of those
  /// with most dimensions that are no static units.
  static BroadcastOp getSource(Operation *op) {
    BroadcastOp best;
    int64_t bestRank = -1;
    for (Value operand : op->getOperands()) {
      auto broadcast = operand.getDefiningOp<BroadcastOp>();
      if (!broadcast)
        continue;
      int64_t rank = llvm::count_if(broadcast.getInput().getType().getShape(),
                                    [](int64_t extent) { return extent != 1; });
      if (rank > bestRank) {
        best = broadcast;
        bestRank = rank;
      }
    }
    return best;
  }
};

/// A value without elements -> a constant.
struct EmptyToConstant final : RewritePattern {
  explicit EmptyToConstant(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1 || isa<arith::ConstantOp>(op) || !isPure(op))
      return rewriter.notifyMatchFailure(op, "not a pure operation");
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !type.hasStaticShape() || type.getNumElements() != 0 ||
        type.getEncoding())
      return rewriter.notifyMatchFailure(op, "has elements");
    if (!type.getElementType().isIntOrIndexOrFloat())
      return rewriter.notifyMatchFailure(op, "has no plain elements");
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, type, DenseElementsAttr::get(type, ArrayRef<Attribute>()));
    return success();
  }
};

} // namespace

void fusion::populateSimplifyElementwisePatterns(RewritePatternSet &patterns) {
  patterns.add<HoistOverBroadcast, EmptyToConstant>(patterns.getContext());
}
