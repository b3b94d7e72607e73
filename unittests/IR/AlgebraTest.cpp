//===- AlgebraTest.cpp - The tables of the algebra ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows must agree with the operations they name and with one another. That
// the rules hold is tested with numbers in unittests/Transforms.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Algebra.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class AlgebraTest : public ::testing::Test {
protected:
  AlgebraTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, FusionDialect,
                        math::MathDialect, tensor::TensorDialect>();
  }

  MLIRContext context;
};

TEST_F(AlgebraTest, EveryKindHasItsRow) {
  ASSERT_EQ(getCombinerTable().size(), getMaxEnumValForReductionKind() + 1);
  for (const CombinerTraits &traits : getCombinerTable()) {
    EXPECT_EQ(&getCombinerTraits(traits.kind), &traits);
    const CombinerTraits &dual = getCombinerTraits(traits.dual);
    EXPECT_EQ(dual.dual, traits.kind);
    EXPECT_EQ(dual.order, traits.order);
    EXPECT_EQ(dual.skipsNaN, traits.skipsNaN);
    if (traits.order != ValueOrder::None) {
      EXPECT_NE(dual.isMaximum, traits.isMaximum);
      EXPECT_EQ(traits.repetition, Repetition::Same);
    }
  }
}

TEST_F(AlgebraTest, CombineIsTheOperationOfTheTable) {
  OpBuilder builder(&context);
  Block block;
  builder.setInsertionPointToStart(&block);
  Location loc = builder.getUnknownLoc();
  for (const CombinerTraits &traits : getCombinerTable()) {
    for (Type type : {Type(builder.getF32Type()), Type(builder.getI32Type())}) {
      bool isFloat = isa<FloatType>(type);
      StringRef name = isFloat ? traits.floatCombine : traits.integerCombine;
      EXPECT_EQ(supportsElementType(traits.kind, type), !name.empty());
      if (name.empty())
        continue;
      Value neutral = arith::ConstantOp::create(
          builder, loc, getNeutralElement(traits.kind, type));
      Value combined =
          createCombine(builder, loc, traits.kind, neutral, neutral, {});
      EXPECT_EQ(combined.getDefiningOp()->getName().getStringRef(), name);
    }
  }
}

TEST_F(AlgebraTest, OperationsExist) {
  auto expectKnown = [&](StringRef name) {
    EXPECT_TRUE(name.empty() || OperationName(name, &context).isRegistered())
        << name.str();
  };
  for (const CombinerTraits &traits : getCombinerTable())
    for (StringRef name :
         {traits.floatCombine, traits.integerCombine, traits.floatInverse,
          traits.integerInverse, traits.floatScale, traits.integerScale})
      expectKnown(name);
  for (const MonotoneTraits &traits : getMonotoneTable()) {
    expectKnown(traits.operation);
    EXPECT_NE(traits.order, ValueOrder::None);
    EXPECT_NE(traits.directions[0], Direction::None);
  }
}

TEST_F(AlgebraTest, NonNegative) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<4xf32>, %y: tensor<?xf32>, %i: tensor<4xi32>) {
      %abs = math.absf %x {yes} : tensor<4xf32>
      %neg = arith.negf %abs {no} : tensor<4xf32>
      %square = arith.mulf %x, %x {yes} : tensor<4xf32>
      %product = arith.mulf %x, %abs {no} : tensor<4xf32>
      %eps = arith.constant {yes} dense<0.5> : tensor<4xf32>
      %zero = arith.constant {no} dense<-0.0> : tensor<4xf32>
      %sum = arith.addf %square, %eps {yes} : tensor<4xf32>
      %rsqrt = math.rsqrt %sum {yes} : tensor<4xf32>
      %root = math.sqrt %x {no} : tensor<4xf32>
      %narrow = arith.truncf %rsqrt {yes} : tensor<4xf32> to tensor<4xf16>
      %relu = arith.maximumf %x, %eps {yes} : tensor<4xf32>
      %min = arith.minimumf %x, %eps {no} : tensor<4xf32>
      // x where the other is NaN.
      %number = arith.maxnumf %x, %eps {no} : tensor<4xf32>
      %numbers = arith.maxnumf %abs, %eps {yes} : tensor<4xf32>
      %half = arith.constant 0.5 : f32
      %halves = tensor.splat %half {yes} : tensor<4xf32>
      %exp = math.exp %x {yes} : tensor<4xf32>
      %wide = fusion.broadcast %exp dims = [0] {yes} : tensor<4xf32> -> tensor<4x2xf32>
      %total = fusion.reduce add %wide dims = [1] {yes} : tensor<4x2xf32> -> tensor<4xf32>
      %d = math.absf %y {yes} : tensor<?xf32>
      // -inf without elements.
      %max = fusion.reduce maximumf %d dims = [0] {no} : tensor<?xf32> -> tensor<f32>
      %least = fusion.reduce minimumf %d dims = [0] {yes} : tensor<?xf32> -> tensor<f32>
      %count = arith.uitofp %i {yes} : tensor<4xi32> to tensor<4xf32>
      return
    })",
                                                             &context);
  ASSERT_TRUE(module);
  unsigned numSeen = 0;
  module->walk([&](Operation *op) {
    for (bool expected : {true, false}) {
      if (!op->hasAttr(expected ? "yes" : "no"))
        continue;
      ++numSeen;
      EXPECT_EQ(isNonNegative(op->getResult(0)), expected)
          << op->getName().getStringRef().str();
    }
  });
  EXPECT_EQ(numSeen, 22u);
}

} // namespace
