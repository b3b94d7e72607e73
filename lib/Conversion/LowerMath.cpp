//===- LowerMath.cpp - Lower math whose accuracy would be missed ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_LOWERMATHPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

static bool isApproximate(arith::FastMathFlags flags) {
  return bitEnumContainsAny(flags, arith::FastMathFlags::afn);
}

/// `type` with f32 elements where they are narrower.
static Type getComputeType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.getIntOrFloatBitWidth() >= 32)
    return type;
  Type wide = Float32Type::get(type.getContext());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(wide);
  return wide;
}

namespace {

/// Computes a unary operation in f32 or f64 by an LLVM intrinsic, which has an
/// instruction of its own.
template <typename MathOp, typename Intrinsic>
struct UseIntrinsic final : OpRewritePattern<MathOp> {
  using OpRewritePattern<MathOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType(), wide = getComputeType(type);
    Value operand = op.getOperand();
    if (wide != type)
      operand = arith::ExtFOp::create(rewriter, loc, wide, operand);
    Value result = Intrinsic::create(rewriter, loc, wide, operand);
    if (wide != type)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// sqrt, correctly rounded; with `afn` libdevice's is as good as allowed.
struct LowerSqrt final : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (isApproximate(op.getFastmath()))
      return rewriter.notifyMatchFailure(op, "afn allows an approximation");
    return UseIntrinsic<math::SqrtOp, LLVM::SqrtOp>(getContext())
        .matchAndRewrite(op, rewriter);
  }
};

/// rsqrt(x) -> 1 / sqrt(x)
struct LowerRsqrt final : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (isApproximate(op.getFastmath()))
      return rewriter.notifyMatchFailure(op, "afn allows an approximation");
    Location loc = op.getLoc();
    Type type = op.getType(), wide = getComputeType(type);
    Value operand = op.getOperand();
    if (wide != type)
      operand = arith::ExtFOp::create(rewriter, loc, wide, operand);
    Value root = LLVM::SqrtOp::create(rewriter, loc, wide, operand);
    TypedAttr one = rewriter.getFloatAttr(getElementTypeOrSelf(wide), 1.0);
    if (auto vector = dyn_cast<VectorType>(wide))
      one = DenseElementsAttr::get(vector, one);
    Value result = arith::DivFOp::create(
        rewriter, loc, arith::ConstantOp::create(rewriter, loc, one), root);
    if (wide != type)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct LowerMathPass : fusion::impl::LowerMathPassBase<LowerMathPass> {
  void runOnOperation() override {
    auto count = [&] {
      unsigned operations = 0;
      getOperation().walk([&](Operation *op) {
        operations += isa_and_present<math::MathDialect>(op->getDialect());
      });
      return operations;
    };
    unsigned before = count();
    RewritePatternSet patterns(&getContext());
    patterns
        .add<LowerSqrt, LowerRsqrt, UseIntrinsic<math::AbsFOp, LLVM::FAbsOp>,
             UseIntrinsic<math::FloorOp, LLVM::FFloorOp>,
             UseIntrinsic<math::CeilOp, LLVM::FCeilOp>,
             UseIntrinsic<math::TruncOp, LLVM::FTruncOp>,
             UseIntrinsic<math::RoundEvenOp, LLVM::RoundEvenOp>>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    unsigned after = count();
    numLeft += after;
    numLowered += before - after;
  }
};

} // namespace
