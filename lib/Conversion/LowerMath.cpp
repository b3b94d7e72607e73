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
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

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

/// Calls the overloaded LLVM intrinsic `name`. It has to be a call by name: the
/// conversion to NVVM, which runs later, refuses `llvm.intr.sqrt` and its like,
/// because libdevice has an equivalent of most of them.
static Value callIntrinsic(OpBuilder &builder, Location loc, StringRef name,
                           Type type, ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(builder, loc, type,
                                       builder.getStringAttr(name), arguments)
      .getResult(0);
}

/// Replaces the unary `op` by `compute` of its operand in the compute type, and
/// rounds the result to its own type.
template <typename MathOp>
static void
replaceInComputeType(MathOp op, PatternRewriter &rewriter,
                     llvm::function_ref<Value(Value operand)> compute) {
  Location loc = op.getLoc();
  Type type = op.getType(), wide = getComputeType(type);
  Value operand = op.getOperand();
  if (wide != type)
    operand = arith::ExtFOp::create(rewriter, loc, wide, operand);
  Value result = compute(operand);
  if (wide != type)
    result = arith::TruncFOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
}

/// The number `value` in each element of `type`.
static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            double value) {
  TypedAttr number = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, number);
  return arith::ConstantOp::create(builder, loc, number);
}

namespace {

/// Computes a unary operation in f32 or f64 by an LLVM intrinsic, which has an
/// instruction of its own.
template <typename MathOp>
struct UseFloatIntrinsic final : OpRewritePattern<MathOp> {
  UseFloatIntrinsic(MLIRContext *context, StringRef name)
      : OpRewritePattern<MathOp>(context), name(name) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    replaceInComputeType(op, rewriter, [&](Value operand) {
      return callIntrinsic(rewriter, op.getLoc(), name, operand.getType(),
                           operand);
    });
    return success();
  }

  StringRef name;
};

/// Computes a unary integer operation by an LLVM intrinsic. The second argument
/// of abs, ctlz and cttz makes their special case (the least integer, zero)
/// poison; math defines it.
template <typename MathOp>
struct UseIntegerIntrinsic final : OpRewritePattern<MathOp> {
  UseIntegerIntrinsic(MLIRContext *context, StringRef name, bool hasFlag)
      : OpRewritePattern<MathOp>(context), name(name), hasFlag(hasFlag) {}

  LogicalResult matchAndRewrite(MathOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> arguments{op.getOperand()};
    if (hasFlag)
      arguments.push_back(arith::ConstantOp::create(
          rewriter, loc, rewriter.getBoolAttr(false)));
    rewriter.replaceOp(
        op, callIntrinsic(rewriter, loc, name, op.getType(), arguments));
    return success();
  }

  StringRef name;
  bool hasFlag;
};

struct LowerIsNormal final : OpRewritePattern<math::IsNormalOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IsNormalOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::IsFPClass>(
        op, op.getType(), op.getOperand(), llvm::fcNormal);
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
    return UseFloatIntrinsic<math::SqrtOp>(getContext(), "llvm.sqrt")
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
    replaceInComputeType(op, rewriter, [&](Value operand) -> Value {
      Type type = operand.getType();
      Value root = callIntrinsic(rewriter, loc, "llvm.sqrt", type, operand);
      Value one = createConstant(rewriter, loc, type, 1.0);
      return arith::DivFOp::create(rewriter, loc, one, root);
    });
    return success();
  }
};

/// max.f64 and min.f64 have no form that gives NaN for one, and order zeros as
/// `maximumf` and `minimumf` do, which LLVM does not know: its own expansion of
/// both takes ten instructions, and registers for what they compare.
///
///   maximumf(a, b) -> a or b is NaN ? NaN : maxnumf(a, b)
template <typename MaximumOp, typename MaxNumOp>
struct LowerExtremum final : OpRewritePattern<MaximumOp> {
  using OpRewritePattern<MaximumOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MaximumOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "it has an instruction");
    rewriter.replaceOp(op, create(rewriter, op.getLoc(), op.getLhs(),
                                  op.getRhs(), op.getFastmathAttr()));
    return success();
  }

  static Value create(OpBuilder &builder, Location loc, Value lhs, Value rhs,
                      arith::FastMathFlagsAttr flags) {
    Type type = lhs.getType();
    if (!getElementTypeOrSelf(type).isF64())
      return MaximumOp::create(builder, loc, lhs, rhs, flags);
    Value number = MaxNumOp::create(builder, loc, lhs, rhs, flags);
    if (bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::nnan))
      return number;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        lhs, rhs);
    return arith::SelectOp::create(
        builder, loc, isNaN, createConstant(builder, loc, type, nan), number);
  }
};
using LowerMaximum = LowerExtremum<arith::MaximumFOp, arith::MaxNumFOp>;
using LowerMinimum = LowerExtremum<arith::MinimumFOp, arith::MinNumFOp>;

/// exp(x) with `afn` -> 2^(x log2(e)) by the instruction for 2^x that takes and
/// gives 0 for subnormal numbers: libdevice's handles them, with more
/// instructions. f64 has none.
struct LowerExp final : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!isApproximate(op.getFastmath()))
      return rewriter.notifyMatchFailure(op, "it may not be approximated");
    if (getElementTypeOrSelf(op.getType()).isF64())
      return rewriter.notifyMatchFailure(op, "f64 has no instruction");
    Location loc = op.getLoc();
    auto raise = [&](Value exponent) {
      return callIntrinsic(rewriter, loc, "llvm.nvvm.ex2.approx.ftz",
                           rewriter.getF32Type(), exponent);
    };
    replaceInComputeType(op, rewriter, [&](Value operand) -> Value {
      Type type = operand.getType();
      Value power = arith::MulFOp::create(
          rewriter, loc, operand,
          createConstant(rewriter, loc, type, llvm::numbers::log2e));
      auto vector = dyn_cast<VectorType>(type);
      if (!vector)
        return raise(power);
      Value result = power;
      for (int64_t i = 0; i < vector.getNumElements(); ++i)
        result = vector::InsertOp::create(
            rewriter, loc,
            raise(vector::ExtractOp::create(rewriter, loc, power, i)), result,
            i);
      return result;
    });
    return success();
  }
};

/// clampf -> maximumf with the lower bound, then minimumf with the upper one.
/// (Upstream's expansion takes the bounds the other way round.)
struct LowerClamp final : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    arith::FastMathFlagsAttr flags = op.getFastmathAttr();
    Value atLeast =
        LowerMaximum::create(rewriter, loc, op.getValue(), op.getMin(), flags);
    rewriter.replaceOp(
        op, LowerMinimum::create(rewriter, loc, atLeast, op.getMax(), flags));
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
    MLIRContext *context = &getContext();
    patterns.add<LowerClamp, LowerExp, LowerIsNormal, LowerMaximum,
                 LowerMinimum, LowerRsqrt, LowerSqrt>(context);
    patterns.add<UseFloatIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    patterns.add<UseFloatIntrinsic<math::FloorOp>>(context, "llvm.floor");
    patterns.add<UseFloatIntrinsic<math::CeilOp>>(context, "llvm.ceil");
    patterns.add<UseFloatIntrinsic<math::TruncOp>>(context, "llvm.trunc");
    patterns.add<UseFloatIntrinsic<math::RoundEvenOp>>(context,
                                                       "llvm.roundeven");
    patterns.add<UseIntegerIntrinsic<math::AbsIOp>>(context, "llvm.abs", true);
    patterns.add<UseIntegerIntrinsic<math::CountLeadingZerosOp>>(
        context, "llvm.ctlz", true);
    patterns.add<UseIntegerIntrinsic<math::CountTrailingZerosOp>>(
        context, "llvm.cttz", true);
    patterns.add<UseIntegerIntrinsic<math::CtPopOp>>(context, "llvm.ctpop",
                                                     false);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    WalkResult result = getOperation().walk([](math::IPowIOp op) {
      op.emitOpError("has no lowering for NVIDIA GPUs");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    unsigned after = count();
    numLeft += after;
    numLowered += before - after;
  }
};

} // namespace
