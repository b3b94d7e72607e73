//===- LowerFloat8.cpp - 8-bit floats by integer arithmetic ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no 8-bit floats: they are bytes there. Arithmetic on them is done in
// f32, and conversions from and to f32 become integer arithmetic.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_LOWERFLOAT8PASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Where the fields of a format stand, next to those of f32: 1 bit of sign, 8
/// of exponent with bias 127, 23 of mantissa.
struct Format {
  unsigned mantissaBits;
  int bias;
  /// The bits of infinity, if there is one, and of the least NaN.
  std::optional<unsigned> infinity;
  unsigned firstNaN;
  /// The bits of the largest f32 that is rounded to a finite number.
  uint32_t largestFinite;
  /// What a NaN becomes; what is too large is infinity, or else this, too.
  unsigned nan;

  /// Mantissa bits of f32 that the format does not have.
  unsigned getDroppedBits() const { return 23 - mantissaBits; }
  /// The bits of 2 to the power of `exponent` as f32.
  static uint32_t getPower(int exponent) {
    return uint32_t(127 + exponent) << 23;
  }
};

} // namespace

static std::optional<Format> getFormat(Type type) {
  Type element = getElementTypeOrSelf(type);
  // 464 lies half between 448, whose last bit is even, and 480, which is NaN.
  if (isa<Float8E4M3FNType>(element))
    return Format{3, 7, std::nullopt, 0x7f, 0x43e80000, 0x7f};
  // 61440 lies half between 57344, whose last bit is odd, and infinity.
  if (isa<Float8E5M2Type>(element))
    return Format{2, 15, 0x7c, 0x7d, 0x476fffff, 0x7e};
  return std::nullopt;
}

namespace {

/// Operations on values of one shape, a scalar or a vector.
class ShapedBuilder {
public:
  ShapedBuilder(OpBuilder &builder, Location loc, Type shape)
      : builder(builder), loc(loc), shape(shape) {}

  /// `element`, or a vector of it.
  Type get(Type element) const {
    if (auto vector = dyn_cast<VectorType>(shape))
      return vector.clone(element);
    return element;
  }
  Type getInteger(unsigned width) const {
    return get(builder.getIntegerType(width));
  }
  Type getF32() const { return get(builder.getF32Type()); }

  Value constant(uint32_t value) {
    auto type = builder.getI32Type();
    TypedAttr attr = builder.getIntegerAttr(type, int32_t(value));
    if (auto vector = dyn_cast<VectorType>(getInteger(32)))
      attr = DenseElementsAttr::get(vector, attr);
    return arith::ConstantOp::create(builder, loc, attr);
  }
  template <typename OpT>
  Value create(Value a, Value b) {
    return OpT::create(builder, loc, a, b);
  }
  template <typename OpT>
  Value convert(Type type, Value a) {
    return OpT::create(builder, loc, type, a);
  }
  template <typename OpT>
  Value create(Value a, uint32_t b) {
    return OpT::create(builder, loc, a, constant(b));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, uint32_t b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, constant(b));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value toBits(Value a, unsigned width = 32) {
    return convert<arith::BitcastOp>(getInteger(width), a);
  }
  Value toFloat(Value a) { return convert<arith::BitcastOp>(getF32(), a); }

private:
  OpBuilder &builder;
  Location loc;
  Type shape;
};

/// The mantissa and exponent of an 8-bit float, moved to where f32 has them,
/// are the number but for the biases: a product with a power of two, which is
/// exact, makes up for them, for subnormal numbers as well.
struct ExpandExtF final : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Format> format = getFormat(op.getIn().getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "expected an 8-bit float");
    ShapedBuilder b(rewriter, op.getLoc(), op.getType());
    Value bits =
        b.convert<arith::ExtUIOp>(b.getInteger(32), b.toBits(op.getIn(), 8));
    Value sign =
        b.create<arith::ShLIOp>(b.create<arith::AndIOp>(bits, 0x80), 24);
    Value magnitude = b.create<arith::AndIOp>(bits, 0x7f);
    Value moved = b.create<arith::ShLIOp>(magnitude, format->getDroppedBits());
    Value scale = b.toFloat(b.constant(Format::getPower(127 - format->bias)));
    Value finite = b.toBits(b.create<arith::MulFOp>(b.toFloat(moved), scale));
    Value result = finite;
    if (format->infinity)
      result = b.select(
          b.compare(arith::CmpIPredicate::eq, magnitude, *format->infinity),
          b.constant(0x7f800000), result);
    result = b.select(
        b.compare(arith::CmpIPredicate::uge, magnitude, format->firstNaN),
        b.constant(0x7fc00000), result);
    result = b.toFloat(b.create<arith::OrIOp>(result, sign));
    unsigned width = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    if (width > 32)
      result = b.convert<arith::ExtFOp>(op.getType(), result);
    else if (width < 32)
      result = b.convert<arith::TruncFOp>(op.getType(), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandTruncF final : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override;
};

} // namespace

/// An f64 as f32, such that rounding once more is the same as rounding once:
/// what is not exact is odd.
static Value roundToOdd(ShapedBuilder &b, OpBuilder &builder, Location loc,
                        Value value) {
  Value nearest = b.convert<arith::TruncFOp>(b.getF32(), value);
  Value back = b.convert<arith::ExtFOp>(value.getType(), nearest);
  auto compare = [&](arith::CmpFPredicate predicate, Value a, Value c) {
    return arith::CmpFOp::create(builder, loc, predicate, a, c).getResult();
  };
  Value isInexact = compare(arith::CmpFPredicate::ONE, back, value);
  Value isAway = compare(arith::CmpFPredicate::OGT,
                         math::AbsFOp::create(builder, loc, back),
                         math::AbsFOp::create(builder, loc, value));
  Value bits = b.toBits(nearest);
  Value towardZero = b.select(isAway, b.create<arith::SubIOp>(bits, 1), bits);
  Value odd = b.create<arith::OrIOp>(towardZero, 1);
  return b.toFloat(b.select(isInexact, odd, bits));
}

/// Normal numbers: half of what is dropped, and a little less if the last bit
/// is even, is added before it is dropped. Subnormal ones: next to a power of
/// two whose last bit is theirs the addition rounds.
LogicalResult ExpandTruncF::matchAndRewrite(arith::TruncFOp op,
                                            PatternRewriter &rewriter) const {
  std::optional<Format> format = getFormat(op.getType());
  if (!format)
    return rewriter.notifyMatchFailure(op, "expected an 8-bit float");
  if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
      arith::RoundingMode::to_nearest_even)
    return rewriter.notifyMatchFailure(op, "expected rounding to nearest");
  Location loc = op.getLoc();
  ShapedBuilder b(rewriter, loc, op.getType());
  Value in = op.getIn();
  unsigned width = getElementTypeOrSelf(in.getType()).getIntOrFloatBitWidth();
  if (width > 32)
    in = roundToOdd(b, rewriter, loc, in);
  else if (width < 32)
    in = b.convert<arith::ExtFOp>(b.getF32(), in);

  Value bits = b.toBits(in);
  Value sign =
      b.create<arith::ShRUIOp>(b.create<arith::AndIOp>(bits, 0x80000000), 24);
  Value magnitude = b.create<arith::AndIOp>(bits, 0x7fffffff);
  unsigned dropped = format->getDroppedBits();
  Value lastBit =
      b.create<arith::AndIOp>(b.create<arith::ShRUIOp>(magnitude, dropped), 1);
  Value sum = b.create<arith::AddIOp>(
      b.create<arith::AddIOp>(magnitude, (1u << (dropped - 1)) - 1), lastBit);
  Value normal = b.create<arith::SubIOp>(b.create<arith::ShRUIOp>(sum, dropped),
                                         uint32_t(127 - format->bias)
                                             << format->mantissaBits);

  // The last bit of a subnormal number is 2 to the power of this.
  int leastExponent = 1 - format->bias - int(format->mantissaBits);
  uint32_t power = Format::getPower(leastExponent + 23);
  Value subnormal = b.create<arith::SubIOp>(
      b.toBits(b.create<arith::AddFOp>(b.toFloat(magnitude),
                                       b.toFloat(b.constant(power)))),
      power);
  Value isSubnormal = b.compare(arith::CmpIPredicate::ult, magnitude,
                                Format::getPower(1 - format->bias));
  Value result = b.select(isSubnormal, subnormal, normal);
  result = b.select(
      b.compare(arith::CmpIPredicate::ugt, magnitude, format->largestFinite),
      b.constant(format->infinity.value_or(format->nan)), result);
  result = b.select(b.compare(arith::CmpIPredicate::ugt, magnitude, 0x7f800000),
                    b.constant(format->nan), result);
  result = b.convert<arith::TruncIOp>(b.getInteger(8),
                                      b.create<arith::OrIOp>(result, sign));
  rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), result);
  return success();
}

namespace {

struct LowerFloat8Pass : fusion::impl::LowerFloat8PassBase<LowerFloat8Pass> {
  void runOnOperation() override {
    if (failed(computeInF32()))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    patterns.add<ExpandExtF, ExpandTruncF>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }

private:
  /// Operations of arith and math on 8-bit floats: operands become f32, and the
  /// result is rounded. For sums, products, quotients and square roots that is
  /// the correctly rounded result: f32 has more than twice the bits.
  LogicalResult computeInF32() {
    MLIRContext *context = &getContext();
    TypeConverter converter;
    arith::populateEmulateUnsupportedFloatsConversions(
        converter,
        {Float8E4M3FNType::get(context), Float8E5M2Type::get(context)},
        Float32Type::get(context));
    RewritePatternSet patterns(context);
    arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
    ConversionTarget target(*context);
    arith::populateEmulateUnsupportedFloatsLegality(target, converter);
    target.addDynamicallyLegalDialect<math::MathDialect>(
        [&](Operation *op) { return converter.isLegal(op); });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }
};

} // namespace
