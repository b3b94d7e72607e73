//===- ConditionTest.cpp - Ill-conditioned results ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
using ConditionTest = ReferenceTest;

constexpr const char *sum = R"(func.func @f(%x: tensor<3xf32>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [0] : tensor<3xf32> -> tensor<f32>
  return %r : tensor<f32>
})";

constexpr const char *product =
    R"(func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
  %r = fusion.reduce mul %x dims = [0] : tensor<4xf32> -> tensor<f32>
  return %r : tensor<f32>
})";

constexpr const char *acoshOfSum =
    R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %r = math.acosh %s : tensor<1xf32>
  return %r : tensor<1xf32>
})";

constexpr const char *remainderOfSum =
    R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>, %z: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %r = arith.remf %z, %s : tensor<1xf32>
  return %r : tensor<1xf32>
})";
} // namespace

TEST_F(ConditionTest, SumsOfDoublesAreCompensated) {
  HostTensor x = makeTensor("f64", {4}, {1.0, 1e100, 1.0, -1e100});
  expectSame(run(R"(func.func @f(%x: tensor<4xf64>) -> tensor<f64> {
  %r = fusion.reduce add %x dims = [0] : tensor<4xf64> -> tensor<f64>
  return %r : tensor<f64>
})",
                 {x}),
             {2.0});
}

TEST_F(ConditionTest, CompensationKeepsZerosAndInfinities) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<2xf64>) -> tensor<f64> {
  %r = fusion.reduce add %x dims = [0] : tensor<2xf64> -> tensor<f64>
  return %r : tensor<f64>
})";
  expectSame(run(source, {makeTensor("f64", {2}, {-0.0, -0.0})}), {-0.0});
  expectSame(run(source, {makeTensor("f64", {2}, {inf, 1.0})}), {inf});
  expectSame(run(source, {makeTensor("f64", {2}, {inf, -inf})}), {nan});
  expectSame(run(source, {makeTensor("f64", {2}, {1.7e308, 1.7e308})}), {inf});
}

// What is left of the sum is a thousandth of its elements, and so is the
// precision that a sum in f32 can have.
TEST_F(ConditionTest, CancellingSumsMayBeOffByTheRoundingOfTheirElements) {
  float a = 100.1f, b = 33.3f, c = -133.3f;
  volatile float partial = a + b;
  HostTensor x = makeTensor("f32", {3}, {a, b, c});
  ResultReport report = check(sum, {x}, makeTensor("f32", {}, {partial + c}));
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_GT(report.relativeL2, 1e-6);
  EXPECT_FALSE(
      check(sum, {x}, makeTensor("f32", {}, {(partial + c) * 1.01f})).passed);
}

TEST_F(ConditionTest, ProductsThatOverflowInSomeOrderAreUndecided) {
  HostTensor x = makeTensor("f32", {4}, {1e30, 1e30, 1e-30, 1e-30});
  for (double actual : {1.0, inf, 0.0}) {
    ResultReport report = check(product, {x}, makeTensor("f32", {}, {actual}));
    EXPECT_TRUE(report.passed) << report.reason;
    EXPECT_EQ(report.numUndecided, 1);
  }
}

// x + c rounds in the same direction for all x of one binade.
TEST_F(ConditionTest, SumsOfEqualTermsMayRoundEqually) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<512xf32>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [0] : tensor<512xf32> -> tensor<f32>
  return %r : tensor<f32>
})";
  // One after the other, what lacks the last digits of each term.
  constexpr float term = 65531.0f;
  std::vector<double> terms(512, term);
  volatile float sum = 0.0f;
  for (int i = 0; i < 512; ++i)
    sum = sum + term;
  HostTensor x = makeTensor("f32", {512}, terms);
  ResultReport report = check(source, {x}, makeTensor("f32", {}, {sum}));
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_GT(report.maxUlps, 100.0);
  EXPECT_FALSE(check(source, {x}, makeTensor("f32", {}, {sum * 1.001})).passed);
}

// The sums of a mask round nowhere, and so have no bound that grows with their
// length.
TEST_F(ConditionTest, SumsThatTheTypeHoldsDoNotRound) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<65536xf32>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [0] : tensor<65536xf32> -> tensor<f32>
  return %r : tensor<f32>
})";
  std::vector<double> mask(65536);
  for (int i = 0; i < 65536; ++i)
    mask[i] = i % 3 == 2 ? -0.75 : 0.0;
  HostTensor x = makeTensor("f32", {65536}, mask);
  ResultReport report = check(source, {x}, makeTensor("f32", {}, {-16383.75}));
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_LT(report.worstAccepted, 0.01);
  EXPECT_FALSE(check(source, {x}, makeTensor("f32", {}, {-16384.5})).passed);
}

// A tree computes x * x 128 times, with the same rounding.
TEST_F(ConditionTest, ProductsOfEqualFactorsMayRoundEqually) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<256xf32>) -> tensor<f32> {
  %r = fusion.reduce mul %x dims = [0] : tensor<256xf32> -> tensor<f32>
  return %r : tensor<f32>
})";
  // Squared eight times, it is 208 units in the last place off.
  std::vector<double> factors(256, 0x1.00a886p+0);
  volatile float power = 0x1.00a886p+0f;
  for (int i = 0; i < 8; ++i)
    power = power * power;
  HostTensor x = makeTensor("f32", {256}, factors);
  ResultReport report = check(source, {x}, makeTensor("f32", {}, {power}));
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_GT(report.maxUlps, 100.0);
  EXPECT_FALSE(
      check(source, {x}, makeTensor("f32", {}, {power * 1.001})).passed);
}

TEST_F(ConditionTest, ProductsThatOverflowInEveryOrderAreInfinite) {
  HostTensor x = makeTensor("f32", {4}, {1e30, 1e30, 2.0, 3.0});
  EXPECT_TRUE(check(product, {x}, makeTensor("f32", {}, {inf})).passed);
  EXPECT_FALSE(check(product, {x}, makeTensor("f32", {}, {1e38})).passed);
}

// 1 - 1e-9 is outside of the domain; in f32 it is 1.
TEST_F(ConditionTest, EndsOfADomainMayGoEitherWay) {
  HostTensor x = makeTensor("f32", {1}, {1.0});
  HostTensor y = makeTensor("f32", {1}, {-1e-9});
  EXPECT_TRUE(check(acoshOfSum, {x, y}, makeTensor("f32", {1}, {0.0})).passed);
  EXPECT_TRUE(check(acoshOfSum, {x, y}, makeTensor("f32", {1}, {nan})).passed);
}

TEST_F(ConditionTest, OutsideOfADomainOnlyNaNIsRight) {
  HostTensor x = makeTensor("f32", {1}, {0.25});
  EXPECT_TRUE(check(acoshOfSum, {x, x}, makeTensor("f32", {1}, {nan})).passed);
  EXPECT_FALSE(check(acoshOfSum, {x, x}, makeTensor("f32", {1}, {0.0})).passed);
}

// 3 / (1 + 1e-9) is a little less than 3, and 3 in f32.
TEST_F(ConditionTest, RemaindersOfWholeQuotientsMayJump) {
  HostTensor x = makeTensor("f32", {1}, {1.0});
  HostTensor y = makeTensor("f32", {1}, {1e-9});
  HostTensor z = makeTensor("f32", {1}, {3.0});
  EXPECT_TRUE(
      check(remainderOfSum, {x, y, z}, makeTensor("f32", {1}, {0.0})).passed);
  HostTensor between = makeTensor("f32", {1}, {3.5});
  EXPECT_FALSE(
      check(remainderOfSum, {x, y, between}, makeTensor("f32", {1}, {0.0}))
          .passed);
}

// The factors are 0 or 1, each on its own: the first-order error of 0 times 0
// is 0.
TEST_F(ConditionTest, ProductsOfStepsMayBothStep) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %f = math.floor %s : tensor<1xf32>
  %r = arith.mulf %f, %f : tensor<1xf32>
  return %r : tensor<1xf32>
})";
  HostTensor x = makeTensor("f32", {1}, {1.0});
  HostTensor y = makeTensor("f32", {1}, {-1e-9});
  EXPECT_TRUE(check(source, {x, y}, makeTensor("f32", {1}, {1.0})).passed);
  EXPECT_TRUE(check(source, {x, y}, makeTensor("f32", {1}, {0.0})).passed);
}

// The operand is anywhere in several periods: only the range is known.
TEST_F(ConditionTest, PeriodicFunctionsOfUncertainNumbersAreBounded) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %r = math.sin %s : tensor<1xf32>
  return %r : tensor<1xf32>
})";
  HostTensor x = makeTensor("f32", {1}, {1e9});
  EXPECT_TRUE(check(source, {x, x}, makeTensor("f32", {1}, {-1.0})).passed);
  EXPECT_TRUE(check(source, {x, x}, makeTensor("f32", {1}, {1.0})).passed);
  EXPECT_FALSE(check(source, {x, x}, makeTensor("f32", {1}, {4.0})).passed);
}

// 1e-9 may be 0 in f32, and then so may the divisor.
TEST_F(ConditionTest, DivisorsThatMayBeZeroLeaveNothingKnown) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %t = arith.subf %s, %x : tensor<1xf32>
  %r = arith.divf %t, %t : tensor<1xf32>
  return %r : tensor<1xf32>
})";
  HostTensor x = makeTensor("f32", {1}, {1.0});
  HostTensor y = makeTensor("f32", {1}, {1e-9});
  ResultReport report = check(source, {x, y}, makeTensor("f32", {1}, {nan}));
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_EQ(report.numUndecided, 1);
}

TEST_F(ConditionTest, NegativePowersOfNumbersThatMayBeZeroAreUndecided) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %t = arith.subf %s, %x : tensor<1xf32>
  %n = arith.constant dense<-3> : tensor<1xi32>
  %r = math.fpowi %t, %n : tensor<1xf32>, tensor<1xi32>
  return %r : tensor<1xf32>
})";
  HostTensor x = makeTensor("f32", {1}, {1.0});
  HostTensor y = makeTensor("f32", {1}, {1e-9});
  ResultReport report = check(source, {x, y}, makeTensor("f32", {1}, {inf}));
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_EQ(report.numUndecided, 1);
}

// -0.001 is 0 where 1 - 0.001 rounds to bf16: the angle is pi then, not -pi.
TEST_F(ConditionTest, AnglesMayJumpBesideTheNegativeNumbers) {
  constexpr const char *source =
      R"(func.func @f(%y: tensor<1xbf16>, %x: tensor<1xf32>) -> tensor<1xf32> {
  %one = arith.constant dense<1.0> : tensor<1xbf16>
  %s = arith.addf %one, %y : tensor<1xbf16>
  %d = arith.subf %s, %one : tensor<1xbf16>
  %e = arith.extf %d : tensor<1xbf16> to tensor<1xf32>
  %r = math.atan2 %e, %x : tensor<1xf32>
  return %r : tensor<1xf32>
})";
  HostTensor y = makeTensor("bf16", {1}, {-0.001});
  HostTensor x = makeTensor("f32", {1}, {-1.0});
  double pi = 3.14159265358979323846;
  for (double actual : {pi, -pi, 0.001 - pi}) {
    ResultReport report =
        check(source, {y, x}, makeTensor("f32", {1}, {actual}));
    EXPECT_TRUE(report.passed) << report.reason;
  }
  // There is no such jump beside the positive numbers.
  HostTensor positive = makeTensor("f32", {1}, {1.0});
  EXPECT_FALSE(
      check(source, {y, positive}, makeTensor("f32", {1}, {pi})).passed);
}

// The divisor is 2 or 1; to first order 2 / 2 moves by a half only.
TEST_F(ConditionTest, QuotientsFollowDivisorsThatStep) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %s = arith.addf %x, %y : tensor<1xf32>
  %f = math.floor %s : tensor<1xf32>
  %r = arith.divf %x, %f : tensor<1xf32>
  return %r : tensor<1xf32>
})";
  HostTensor x = makeTensor("f32", {1}, {2.0});
  HostTensor y = makeTensor("f32", {1}, {1e-9});
  EXPECT_TRUE(check(source, {x, y}, makeTensor("f32", {1}, {1.0})).passed);
  EXPECT_TRUE(check(source, {x, y}, makeTensor("f32", {1}, {2.0})).passed);
  EXPECT_FALSE(check(source, {x, y}, makeTensor("f32", {1}, {4.0})).passed);
}

// The sum rounds to the greatest number or beyond; what follows is finite, or
// what follows of infinity.
TEST_F(ConditionTest, WhatFollowsAnOverflowThatMayNotHappenIsUndecided) {
  constexpr const char *sum = "%s = arith.addf %x, %y : tensor<1xf16>\n";
  HostTensor x = makeTensor("f16", {1}, {65504.0});
  HostTensor y = makeTensor("f16", {1}, {16.0});
  for (const char *half : {"%h = arith.constant dense<0.5> : tensor<1xf16>\n"
                           "%r = arith.mulf %s, %h : tensor<1xf16>\n",
                           "%r = arith.subf %s, %x : tensor<1xf16>\n",
                           "%r = math.log %s : tensor<1xf16>\n",
                           "%t = arith.divf %x, %s : tensor<1xf16>\n"
                           "%r = arith.mulf %t, %x : tensor<1xf16>\n"}) {
    std::string source = "func.func @f(%x: tensor<1xf16>, %y: tensor<1xf16>) "
                         "-> tensor<1xf16> {\n" +
                         std::string(sum) + half +
                         "return %r : tensor<1xf16>\n}";
    for (double actual : {inf, 32752.0}) {
      ResultReport report =
          check(source, {x, y}, makeTensor("f16", {1}, {actual}));
      EXPECT_TRUE(report.passed) << half << report.reason;
      EXPECT_EQ(report.numUndecided, 1);
    }
  }
}

// The product is beyond the range of doubles, and may have met infinity times
// 0.
TEST_F(ConditionTest, WhatFollowsAProductOfUnknownOrderIsUndecided) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<64xf32>, %y: tensor<f32>) -> tensor<f32> {
  %p = fusion.reduce mul %x dims = [0] : tensor<64xf32> -> tensor<f32>
  %r = arith.mulf %p, %y : tensor<f32>
  return %r : tensor<f32>
})";
  std::vector<double> factors(64, 0x1p32);
  factors[5] = 0x1p-149;
  HostTensor x = makeTensor("f32", {64}, factors);
  HostTensor y = makeTensor("f32", {}, {-2.0});
  for (double actual : {nan, -inf, 0.0}) {
    ResultReport report =
        check(source, {x, y}, makeTensor("f32", {}, {actual}));
    EXPECT_TRUE(report.passed) << report.reason;
    EXPECT_EQ(report.numUndecided, 1);
  }
}

// The greatest number times what rounding makes 1 or a little more.
TEST_F(ConditionTest, OverflowsOfDoublesMayNotHappen) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<1xbf16>, %y: tensor<1xbf16>, %z: tensor<1xf64>) -> tensor<1xf64> {
  %s = arith.addf %x, %y : tensor<1xbf16>
  %e = arith.extf %s : tensor<1xbf16> to tensor<1xf64>
  %r = arith.mulf %z, %e : tensor<1xf64>
  return %r : tensor<1xf64>
})";
  constexpr double most = std::numeric_limits<double>::max();
  HostTensor x = makeTensor("bf16", {1}, {1.0});
  HostTensor y = makeTensor("bf16", {1}, {0.001});
  HostTensor z = makeTensor("f64", {1}, {most});
  for (double actual : {inf, most}) {
    ResultReport report =
        check(source, {x, y, z}, makeTensor("f64", {1}, {actual}));
    EXPECT_TRUE(report.passed) << report.reason;
    EXPECT_EQ(report.numUndecided, 1);
  }
}

// 0 times what may overflow is 0 or NaN, of which the maximum takes -1.
TEST_F(ConditionTest, MaximaOfUnknownNumbersAreUndecided) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<3xf32>, %y: tensor<f32>) -> tensor<f32> {
  %p = fusion.reduce mul %x dims = [0] : tensor<3xf32> -> tensor<f32>
  %r = arith.maxnumf %p, %y : tensor<f32>
  return %r : tensor<f32>
})";
  HostTensor x = makeTensor("f32", {3}, {0x1p64, 0x1p64, 0.0});
  HostTensor y = makeTensor("f32", {}, {-1.0});
  for (double actual : {0.0, -1.0}) {
    ResultReport report =
        check(source, {x, y}, makeTensor("f32", {}, {actual}));
    EXPECT_TRUE(report.passed) << report.reason;
    EXPECT_EQ(report.numUndecided, 1);
  }
}
