//===- CombineTest.cpp - Facts about the combining kinds ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The neutral element must be neutral bit for bit, and the value of an empty
// reduction is the documented one, for every kind on every element type.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class CombineTest : public ::testing::Test {
protected:
  CombineTest() {
    context.loadDialect<arith::ArithDialect, FusionDialect>();
    builder.setInsertionPointToStart(&block);
  }

  SmallVector<Type> getFloatTypes() {
    return {builder.getF16Type(),
            builder.getBF16Type(),
            builder.getF32Type(),
            builder.getF64Type(),
            Float8E4M3FNType::get(&context),
            Float8E5M2Type::get(&context)};
  }

  SmallVector<Type> getIntegerTypes() {
    return llvm::map_to_vector<5>(
        std::initializer_list<unsigned>{1, 8, 16, 32, 64},
        [&](unsigned width) -> Type { return builder.getIntegerType(width); });
  }

  /// combine(lhs, rhs) of two constants, by the folder of the arith operation;
  /// null if it does not fold.
  Attribute combine(ReductionKind kind, TypedAttr lhs, TypedAttr rhs) {
    Location loc = builder.getUnknownLoc();
    Value combined = createCombine(
        builder, loc, kind, arith::ConstantOp::create(builder, loc, lhs),
        arith::ConstantOp::create(builder, loc, rhs), {});
    SmallVector<OpFoldResult> folded;
    if (failed(combined.getDefiningOp()->fold({lhs, rhs}, folded)) ||
        folded.empty())
      return {};
    if (auto value = dyn_cast<Value>(folded.front()))
      return value.getDefiningOp<arith::ConstantOp>().getValue();
    return cast<Attribute>(folded.front());
  }

  MLIRContext context;
  Block block;
  OpBuilder builder{&context};
};

SmallVector<ReductionKind> getAllKinds() {
  SmallVector<ReductionKind> kinds;
  for (unsigned i = 0; i <= getMaxEnumValForReductionKind(); ++i)
    kinds.push_back(static_cast<ReductionKind>(i));
  return kinds;
}

TEST_F(CombineTest, ElementTypes) {
  auto supported = [&](Type type) {
    SmallVector<StringRef> names;
    for (ReductionKind kind : getAllKinds())
      if (supportsElementType(kind, type))
        names.push_back(stringifyReductionKind(kind));
    return llvm::join(names, " ");
  };
  for (Type type : getFloatTypes())
    EXPECT_EQ(supported(type), "add mul minimumf maximumf minnumf maxnumf");
  for (Type type : getIntegerTypes())
    EXPECT_EQ(supported(type), "add mul minsi minui maxsi maxui and or xor");
  EXPECT_EQ(supported(builder.getIndexType()), "");
}

TEST_F(CombineTest, NeutralFloatLeavesEveryValue) {
  for (Type type : getFloatTypes()) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(type).getFloatSemantics();
    SmallVector<APFloat> values = {APFloat::getZero(semantics, false),
                                   APFloat::getZero(semantics, true),
                                   APFloat::getOne(semantics),
                                   APFloat::getLargest(semantics, true),
                                   APFloat::getLargest(semantics, false),
                                   APFloat::getSmallest(semantics, true)};
    if (APFloat::semanticsHasInf(semantics))
      for (bool negative : {false, true})
        values.push_back(APFloat::getInf(semantics, negative));
    for (ReductionKind kind : getAllKinds()) {
      if (!supportsElementType(kind, type))
        continue;
      TypedAttr neutral = getNeutralElement(kind, type);
      for (const APFloat &value : values) {
        Attribute result = combine(kind, neutral, FloatAttr::get(type, value));
        ASSERT_TRUE(result);
        EXPECT_TRUE(cast<FloatAttr>(result).getValue().bitwiseIsEqual(value))
            << stringifyReductionKind(kind).str();
      }
    }
  }
}

TEST_F(CombineTest, NeutralIntegerLeavesEveryValue) {
  for (Type type : getIntegerTypes()) {
    unsigned width = type.getIntOrFloatBitWidth();
    for (ReductionKind kind : getAllKinds()) {
      if (!supportsElementType(kind, type))
        continue;
      TypedAttr neutral = getNeutralElement(kind, type);
      for (const APInt &value :
           {APInt::getZero(width), APInt(width, 1), APInt::getAllOnes(width),
            APInt::getSignedMinValue(width), APInt::getSignedMaxValue(width)}) {
        Attribute result =
            combine(kind, neutral, IntegerAttr::get(type, value));
        ASSERT_TRUE(result);
        EXPECT_EQ(cast<IntegerAttr>(result).getValue(), value)
            << stringifyReductionKind(kind).str() << " i" << width;
      }
    }
  }
}

TEST_F(CombineTest, EmptyMaximumIsInfinityOrNaN) {
  for (Type type : getFloatTypes()) {
    APFloat empty =
        cast<FloatAttr>(getEmptyValue(ReductionKind::MaximumF, type))
            .getValue();
    EXPECT_TRUE(empty.isNegative());
    if (isa<Float8E4M3FNType>(type))
      EXPECT_TRUE(empty.isNaN());
    else
      EXPECT_TRUE(empty.isInfinity());
  }
}

TEST_F(CombineTest, EmptySumIsPositiveZero) {
  for (Type type : getFloatTypes()) {
    EXPECT_TRUE(cast<FloatAttr>(getEmptyValue(ReductionKind::Add, type))
                    .getValue()
                    .isPosZero());
    EXPECT_TRUE(cast<FloatAttr>(getNeutralElement(ReductionKind::Add, type))
                    .getValue()
                    .isNegZero());
    for (ReductionKind kind : {ReductionKind::MinNumF, ReductionKind::MaxNumF})
      EXPECT_TRUE(
          cast<FloatAttr>(getEmptyValue(kind, type)).getValue().isNaN());
  }
}

} // namespace
