//===- AlgebraTest.cpp - Rules that round, and corners --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of docs/Algebra.md that change roundings stay within the bounds of
// the reference; dimensions without elements, types that do not count as far as
// a dimension, and the hazards of docs/Numerics.md. ExactRuleTest.cpp and
// MonotoneTableTest.cpp have the exact rules.
//
//===----------------------------------------------------------------------===//

#include "RemarkReader.h"
#include "RuleProgram.h"
#include "TransformTest.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Rules that round differently
//===----------------------------------------------------------------------===//

static const char *const floats = "f32 f16 bf16 f64";

static const Rule roundingRules[] = {
    {"Product", "distribute", "%x: T<$>, %b: R<$>", R"(
       %y = arith.mulf %x, %bb fastmath<reassoc> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"WidenedProduct", "distribute, widen", "%x: T<$>, %b: R<$>", R"(
       %xw = arith.extf %x : T<$> to T<f32>
       %bw = arith.extf %bb : T<$> to T<f32>
       %y = arith.mulf %xw, %bw fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>)",
     "T<f32>", "R<f32>", "bf16 f16 f8E4M3FN"},
    {"ProductOfSums", "distribute", "%x: T<$>, %z: S<$>, %b: R<$>", R"(
       %xx = fusion.broadcast %x dims = [0, 1] : T<$> -> U<$>
       %zz = fusion.broadcast %z [N] dims = [0, 2] : S<$> -> U<$>
       %y = arith.mulf %xx, %zz fastmath<reassoc> : U<$>
       %r = fusion.reduce add %y dims = [1, 2] fastmath<reassoc> : U<$> -> R<$>)",
     "U<$>", "R<$>", floats},
    {"Quotient", "distribute", "%x: T<$>, %b: R<$>", R"(
       %y = arith.divf %x, %bb fastmath<reassoc> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"Dequantized", "separate, distribute, repeat",
     "%x: T<$>, %z: R<$>, %b: R<$>", R"(
       %zz = fusion.broadcast %z [N] dims = [0] : R<$> -> T<$>
       %half = arith.constant 0.5 : $
       %halves = tensor.splat %half [N] : T<$>
       %q = arith.mulf %zz, %halves fastmath<reassoc> : T<$>
       %d = arith.addf %x, %q fastmath<reassoc> : T<$>
       %y = arith.mulf %d, %bb fastmath<reassoc> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"Difference", "separate, distribute, repeat", "%x: T<$>, %b: R<$>", R"(
       %two = arith.constant 2.0 : $
       %twos = tensor.splat %two [N] : T<$>
       %t = arith.mulf %x, %twos fastmath<reassoc> : T<$>
       %d = arith.divf %bb, %twos fastmath<reassoc> : T<$>
       %u = arith.divf %d, %twos fastmath<reassoc> : T<$>
       %y = arith.subf %t, %u fastmath<reassoc> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"Multiple", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats, 7},
    {"Stages", "stages", "%x: T<$>, %b: R<$>", R"(
       %y = fusion.broadcast %x dims = [0, 1] : T<$> -> tensor<200x7x11x$>
       %r = fusion.reduce add %y dims = [1, 2] : tensor<200x7x11x$> -> R<$>)",
     "tensor<200x7x11x$>", "R<$>", floats, 7, false, false, true},
    {"Merged", "merge", "%x: U<$>, %b: R<$>", R"(
       %y = fusion.reduce add %x dims = [2] : U<$> -> T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f64"},
    {"MergedMeans", "merge, distribute", "%x: U<$>, %b: R<$>", R"(
       %third = arith.constant 0.333333343 : $
       %thirds = tensor.splat %third [N] : T<$>
       %s = fusion.reduce add %x dims = [2] fastmath<reassoc> : U<$> -> T<$>
       %y = arith.mulf %s, %thirds fastmath<reassoc> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f64"},
    {"Negation", "negate", "%x: T<$>, %b: R<$>", R"(
       %y = arith.negf %x fastmath<nsz> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<nsz> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"Norm", "distribute", "%x: T<$>, %b: R<$>", R"(
       %m = arith.mulf %x, %bb fastmath<reassoc> : T<$>
       %y = arith.mulf %m, %m fastmath<reassoc> : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"Magnitudes", "distribute", "%x: T<$>, %b: R<$>", R"(
       %m = arith.mulf %x, %bb fastmath<reassoc> : T<$>
       %y = math.absf %m : T<$>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"Power", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.mulf %x, %bb fastmath<reassoc> : T<$>
       %r = fusion.reduce mul %y dims = [1] fastmath<reassoc,nnan,ninf> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats, 5, true, false, true},
    {"Regrouped", "regroup", "%x: T<$>, %z: T<$>, %b: R<$>", R"(
       %p = math.absf %bb : T<$>
       %m = arith.mulf %x, %p fastmath<reassoc,nnan> : T<$>
       %y = arith.mulf %m, %z fastmath<reassoc,ninf> : T<$>
       %r = fusion.reduce minimumf %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", floats, 5, true},
    {"RegroupedInPart", "regroup", "%x: U<$>, %z: S<$>, %b: R<$>", R"(
       %q = arith.mulf %x, %x : U<$>
       %s = fusion.reduce add %q dims = [2] : U<$> -> T<$>
       %ss = fusion.broadcast %s dims = [0, 1] : T<$> -> U<$>
       %zz = fusion.broadcast %z [N] dims = [0, 2] : S<$> -> U<$>
       %m = arith.mulf %x, %ss fastmath<reassoc,nnan> : U<$>
       %y = arith.mulf %m, %zz fastmath<reassoc,ninf> : U<$>
       %r = fusion.reduce maximumf %y dims = [1, 2] fastmath<reassoc> : U<$> -> R<$>)",
     "U<$>", "R<$>", "f32 bf16 f64", 5, true},
    {"RegroupedWithSign", "regroup", "%x: T<$>, %z: T<$>, %v: T<$>, %b: R<$>",
     R"(
       %s = fusion.reduce add %v dims = [1] : T<$> -> R<$>
       %ss = fusion.broadcast %s [N] dims = [0] : R<$> -> T<$>
       %m = arith.mulf %x, %ss fastmath<reassoc,nnan> : T<$>
       %y = arith.mulf %m, %z fastmath<reassoc,ninf> : T<$>
       %r = fusion.reduce maximumf %y dims = [1] fastmath<reassoc> : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f64", 5, true},
};

namespace {

class RoundingRule : public TransformTest,
                     public ::testing::WithParamInterface<Rule> {
protected:
  RoundingRule() {
    EXPECT_TRUE(succeeded(RemarkReader::install(context, remarks)));
  }

  /// The program before and after; false and a failure unless each of the rules
  /// was applied.
  bool rewrite(const std::string &program) {
    remarks = {};
    if (!prepare(program, createReorderReductionsPass()))
      return false;
    for (StringRef rule : llvm::split(GetParam().rules, ", "))
      EXPECT_NE(remarks.rules[rule.str()], 0u) << rule.str() << print(*after);
    return !HasFailure();
  }

  Remarks remarks;
};

} // namespace

TEST_P(RoundingRule, WithinBounds) {
  const Rule &rule = GetParam();
  for (StringRef element : llvm::split(rule.elements, ' ')) {
    SCOPED_TRACE(element.str());
    if (!rewrite(getProgram(rule, element.str(), 200, rule.columns,
                            /*isDynamic=*/false)))
      return;
    expectVerified(makeInputs(rule.columns, drawPositive));
    // Both signs, so that totals cancel.
    expectVerified(makeInputs(rule.columns, drawModerate));
    if (rule.isStatic)
      continue;
    if (!rewrite(getProgram(rule, element.str(), 20, 0, /*isDynamic=*/true)))
      return;
    // Without columns nothing is rounded.
    if (!rule.isFinite)
      expectSameBits(makeInputs(0, drawSpecial), /*ignoresZeroSign=*/true);
    for (int64_t size : {1, 2, 7})
      expectVerified(makeInputs(size, drawPositive));
  }
}

INSTANTIATE_TEST_SUITE_P(Algebra, RoundingRule,
                         ::testing::ValuesIn(roundingRules),
                         [](const ::testing::TestParamInfo<Rule> &info) {
                           return std::string(info.param.name);
                         });

//===----------------------------------------------------------------------===//
// Corners
//===----------------------------------------------------------------------===//

/// Sums and maxima with dynamic extents, of values that would turn an empty sum
/// into NaN and an empty maximum into something else.
TEST_F(TransformTest, EmptyAndSingleExtents) {
  const char *programs[] = {
      // n b
      R"(func.func @f(%x: tensor<?xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?xf32>
        %bb = fusion.broadcast %b [%n] dims = [0] : tensor<2xf32> -> tensor<2x?xf32>
        %r = fusion.reduce add %bb dims = [1] fastmath<reassoc> : tensor<2x?xf32> -> tensor<2xf32>
        return %r : tensor<2xf32>
      })",
      // b sum(x)
      R"(func.func @f(%x: tensor<2x?xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
        %c1 = arith.constant 1 : index
        %n = tensor.dim %x, %c1 : tensor<2x?xf32>
        %bb = fusion.broadcast %b [%n] dims = [0] : tensor<2xf32> -> tensor<2x?xf32>
        %y = arith.mulf %x, %bb fastmath<reassoc> : tensor<2x?xf32>
        %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : tensor<2x?xf32> -> tensor<2xf32>
        return %r : tensor<2xf32>
      })",
      // max(x) + b
      R"(func.func @f(%x: tensor<2x?xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
        %c1 = arith.constant 1 : index
        %n = tensor.dim %x, %c1 : tensor<2x?xf32>
        %bb = fusion.broadcast %b [%n] dims = [0] : tensor<2xf32> -> tensor<2x?xf32>
        %y = arith.addf %x, %bb fastmath<nnan> : tensor<2x?xf32>
        %r = fusion.reduce maximumf %y dims = [1] : tensor<2x?xf32> -> tensor<2xf32>
        return %r : tensor<2xf32>
      })",
      // b
      R"(func.func @f(%x: tensor<?xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?xf32>
        %bb = fusion.broadcast %b [%n] dims = [0] : tensor<2xf32> -> tensor<2x?xf32>
        %r = fusion.reduce minimumf %bb dims = [1] : tensor<2x?xf32> -> tensor<2xf32>
        return %r : tensor<2xf32>
      })",
      // n b of integers
      R"(func.func @f(%x: tensor<?xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?xi8>
        %bb = fusion.broadcast %b [%n] dims = [0] : tensor<2xi8> -> tensor<2x?xi8>
        %r = fusion.reduce add %bb dims = [1] : tensor<2x?xi8> -> tensor<2xi8>
        return %r : tensor<2xi8>
      })"};
  for (const char *program : programs) {
    if (!prepare(program, createReorderReductionsPass()))
      return;
    auto isB = [](double b) { return [b](std::mt19937_64 &) { return b; }; };
    for (double b : {inf, -inf, nan, -2.0, -0.0})
      expectSameBits(makeInputs(0, isB(b)));
    for (double b : {inf, nan, -2.0})
      expectSameBits(makeInputs(1, isB(b)));
    expectVerified(makeInputs(5, drawPositive));
  }
}

/// 70,000 is no f16, and 70,000 times 0.5 is one.
TEST_F(TransformTest, ExtentBeyondF16) {
  const char *program =
      R"(func.func @f(%x: tensor<?xf16>, %b: tensor<2xf16>) -> tensor<2xf16> {
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?xf16>
        %bb = fusion.broadcast %b [%n] dims = [0] : tensor<2xf16> -> tensor<2x?xf16>
        %r = fusion.reduce add %bb dims = [1] fastmath<reassoc> : tensor<2x?xf16> -> tensor<2xf16>
        return %r : tensor<2xf16>
      })";
  if (!prepare(program, createReorderReductionsPass()))
    return;
  auto inputs = makeInputs(70000, [](std::mt19937_64 &) { return 0.5; });
  expectVerified(inputs);
  auto results = run(*after, inputs);
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(getValues(results->front()), (std::vector<double>{35008, 35008}));
}

/// Where a hazard of docs/Numerics.md strikes, the rewritten program gives what
/// the algebra says.
TEST_F(TransformTest, Hazards) {
  const char *program =
      R"(func.func @f(%x: tensor<1x2xf32>, %b: tensor<1xf32>) -> tensor<1xf32> {
        %bb = fusion.broadcast %b dims = [0] : tensor<1xf32> -> tensor<1x2xf32>
        %y = arith.mulf %x, %bb fastmath<reassoc> : tensor<1x2xf32>
        %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : tensor<1x2xf32> -> tensor<1xf32>
        return %r : tensor<1xf32>
      })";
  if (!prepare(program, createReorderReductionsPass()))
    return;
  Type f32 = Float32Type::get(&context);
  auto evaluateBoth = [&](double x0, double x1, double b) {
    SmallVector<HostTensor> inputs = {makeTensor(f32, {1, 2}, {x0, x1}),
                                      makeTensor(f32, {1}, {b})};
    return std::pair(getValues(run(*before, inputs)->front()).front(),
                     getValues(run(*after, inputs)->front()).front());
  };
  // The sum overflows, its parts times b do not.
  auto [finite, overflown] = evaluateBoth(3e38, 3e38, 0.25);
  EXPECT_NEAR(finite, 1.5e38, 1e32);
  EXPECT_EQ(overflown, inf);
  // Infinity times a zero among the elements.
  auto [notANumber, infinite] = evaluateBoth(0.0, 1.0, inf);
  EXPECT_TRUE(std::isnan(notANumber));
  EXPECT_EQ(infinite, inf);
}

/// Two stages give the bits of one for minima and maxima, and sums within the
/// bounds; the total in f16 is rounded once.
TEST_F(TransformTest, SplitInStages) {
  const char *program =
      R"(func.func @f(%x: tensor<31x64xf16>) -> (tensor<f16>, tensor<f32>, tensor<f16>) {
        %m = fusion.reduce maximumf %x dims = [1] : tensor<31x64xf16> -> tensor<31xf16>
        %mm = fusion.broadcast %m dims = [0] : tensor<31xf16> -> tensor<31x64xf16>
        %y = arith.subf %x, %mm : tensor<31x64xf16>
        %0 = fusion.reduce minimumf %y dims = [0, 1] : tensor<31x64xf16> -> tensor<f16>
        %1 = fusion.reduce maxnumf %y dims = [0, 1] : tensor<31x64xf16> -> tensor<f32>
        %2 = fusion.reduce add %y dims = [0, 1] : tensor<31x64xf16> -> tensor<f16>
        return %0, %1, %2 : tensor<f16>, tensor<f32>, tensor<f16>
      })";
  if (!prepare(program, createSplitReductionsPass()))
    return;
  expectVerified(makeInputs(0, drawPositive));
  expectVerified(makeInputs(0, drawSpecial));
}
