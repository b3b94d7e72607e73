//===- PreemptFolders.cpp - What upstream's folders must not see ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/Passes.h"
#include <cmath>

namespace mlir::fusion {
#define GEN_PASS_DEF_PREEMPTFOLDERSPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// atan2(y, x), also of two zeros, where it is a zero or pi with y's sign.
static APFloat computeAtan2(const APFloat &y, const APFloat &x) {
  auto toDouble = [](APFloat value) {
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  };
  APFloat result(std::atan2(toDouble(y), toDouble(x)));
  bool losesInfo;
  result.convert(y.getSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return result;
}

namespace {
/// What the operands of math.atan2 will be when canonicalization has folded
/// them, and then folds the operation itself: a cast of a constant, say.
class OperandConstants {
public:
  /// Notes which values the operands depend on.
  explicit OperandConstants(Operation *root);
  /// Folds `op`, which changes nothing, if an operand depends on it. What it
  /// uses was visited before.
  void visit(Operation *op);
  /// Null if the value is no constant.
  Attribute lookup(Value value) const {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) ? constant
                                                      : known.lookup(value);
  }

private:
  DenseSet<Operation *> needed;
  DenseMap<Value, Attribute> known;
};
} // namespace

OperandConstants::OperandConstants(Operation *root) {
  root->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (!isa<math::Atan2Op>(op) && !needed.contains(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        needed.insert(def);
  });
}

void OperandConstants::visit(Operation *op) {
  if (!needed.contains(op) || op->getNumResults() != 1 ||
      op->getNumRegions() != 0 || !isPure(op))
    return;
  auto operands = llvm::map_to_vector(op->getOperands(),
                                      [&](Value v) { return lookup(v); });
  // A fold may change its operation.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> folded;
  if (succeeded(copy->fold(operands, folded)) && folded.size() == 1) {
    auto constant = dyn_cast<Attribute>(folded.front());
    known[op->getResult(0)] =
        constant ? constant : lookup(cast<Value>(folded.front()));
  }
  copy->destroy();
}

/// The value of `op` if its operands are constants; null otherwise. Upstream
/// folds two zeros to NaN.
static TypedAttr getConstant(math::Atan2Op op,
                             const OperandConstants &constants) {
  Attribute y = constants.lookup(op.getLhs()),
            x = constants.lookup(op.getRhs());
  auto scalarY = dyn_cast_or_null<FloatAttr>(y),
       scalarX = dyn_cast_or_null<FloatAttr>(x);
  if (scalarY && scalarX)
    return FloatAttr::get(scalarY.getType(),
                          computeAtan2(scalarY.getValue(), scalarX.getValue()));
  auto ys = dyn_cast_or_null<DenseElementsAttr>(y),
       xs = dyn_cast_or_null<DenseElementsAttr>(x);
  if (!ys || !xs)
    return {};
  if (ys.isSplat() && xs.isSplat())
    return DenseElementsAttr::get(
        ys.getType(),
        computeAtan2(ys.getSplatValue<APFloat>(), xs.getSplatValue<APFloat>()));
  SmallVector<APFloat> values;
  for (auto [a, b] :
       llvm::zip(ys.getValues<APFloat>(), xs.getValues<APFloat>()))
    values.push_back(computeAtan2(a, b));
  return DenseElementsAttr::get(ys.getType(), values);
}

/// What each element of `op` is, if that does not depend on its operands and
/// upstream does not fold it rightly; null otherwise.
static TypedAttr getConstant(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    arith::CmpFPredicate predicate = compare.getPredicate();
    if (predicate == arith::CmpFPredicate::AlwaysFalse)
      return IntegerAttr::get(element, 0);
    if (predicate == arith::CmpFPredicate::AlwaysTrue)
      return IntegerAttr::get(element, 1);
    return {};
  }
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!isa<arith::XOrIOp, arith::CmpIOp>(op) || !type ||
      type.hasStaticShape() || op->getOperand(0) != op->getOperand(1))
    return {};
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return IntegerAttr::get(element,
                            arith::applyCmpPredicate(compare.getPredicate(),
                                                     APInt(1, 0), APInt(1, 0)));
  return IntegerAttr::get(element, 0);
}

/// Where numbers that come from integers are compared with constants, upstream
/// compares the integers: such numbers are never NaN, it takes for granted. But
/// in a type without infinities overflow gives NaN. What is extended to f32 it
/// leaves alone.
static bool compareWide(arith::CmpFOp op, RewriterBase &rewriter) {
  Type type = op.getLhs().getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  auto isConverted = [](Value value) {
    Operation *def = value.getDefiningOp();
    return isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(def);
  };
  if (APFloat::semanticsHasInf(element.getFloatSemantics()) ||
      (!isConverted(op.getLhs()) && !isConverted(op.getRhs())))
    return false;
  Type wide = Float32Type::get(op.getContext());
  if (auto shaped = dyn_cast<ShapedType>(type))
    wide = shaped.clone(wide);
  rewriter.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(
        arith::ExtFOp::create(rewriter, op.getLoc(), wide, operand.get()));
  return true;
}

namespace {

struct PreemptFoldersPass
    : fusion::impl::PreemptFoldersPassBase<PreemptFoldersPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    OperandConstants constants(getOperation());
    getOperation()->walk([&](Operation *op) {
      if (op->getNumResults() != 1)
        return;
      if (auto atan2 = dyn_cast<math::Atan2Op>(op)) {
        if (TypedAttr value = getConstant(atan2, constants)) {
          rewriter.setInsertionPoint(op);
          rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
          ++numFolded;
        }
        return;
      }
      TypedAttr constant = getConstant(op);
      if (auto compare = dyn_cast<arith::CmpFOp>(op); compare && !constant)
        numFolded += compareWide(compare, rewriter);
      if (!constant)
        return constants.visit(op);
      rewriter.setInsertionPoint(op);
      auto shaped = dyn_cast<ShapedType>(op->getResult(0).getType());
      if (isa_and_nonnull<UnrankedTensorType>(shaped))
        return;
      ++numFolded;
      if (!shaped || shaped.hasStaticShape()) {
        if (shaped)
          constant = DenseElementsAttr::get(shaped, constant);
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, constant);
        return;
      }
      auto type = cast<RankedTensorType>(shaped);
      Location loc = op->getLoc();
      Value scalar = arith::ConstantOp::create(rewriter, loc, constant);
      SmallVector<Value> extents;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          extents.push_back(
              tensor::DimOp::create(rewriter, loc, op->getOperand(0), dim));
      rewriter.replaceOpWithNewOp<tensor::SplatOp>(op, type, scalar, extents);
    });
  }
};

} // namespace

std::unique_ptr<Pass> fusion::createExactCanonicalizerPass() {
  // The pattern has no label, and is in nobody's header: its name is what the
  // compiler of upstream's library calls its class.
  return createCanonicalizerPass(
      GreedyRewriteConfig(),
      /*disabledPatterns=*/{"(anonymous namespace)::ForOpTensorCastFolder",
                            "{anonymous}::ForOpTensorCastFolder"});
}
