//===- VerifyTest.cpp - Comparison with the reference ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/Verify.h"
#include "ReferenceTest.h"
#include <chrono>
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;

namespace {
class VerifyTest : public ReferenceTest {
protected:
  /// What a program gives that rounds every operation.
  SmallVector<HostTensor> compute(func::FuncOp function,
                                  ArrayRef<HostTensor> inputs) {
    FailureOr<SmallVector<HostTensor>> results =
        evaluate(function, inputs, {Precision::Type});
    EXPECT_TRUE(succeeded(results)) << errors;
    return *results;
  }

  VerifyReport check(func::FuncOp function, ArrayRef<HostTensor> inputs,
                     ArrayRef<HostTensor> actual, VerifyOptions options = {}) {
    FailureOr<VerifyReport> report = verify(function, inputs, actual, options);
    EXPECT_TRUE(succeeded(report)) << errors;
    return succeeded(report) ? *report : VerifyReport{};
  }

  /// The report about the result of the first function of `source`.
  ResultReport check(StringRef source, ArrayRef<HostTensor> inputs,
                     HostTensor actual, VerifyOptions options = {}) {
    return check(parse(source), inputs, {actual}, options).results.front();
  }
};

const char *const sumOfRows = R"(func.func @f(%x: tensor<?x?xf32>)
    -> tensor<?xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<?x?xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
})";

const char *const product =
    R"(func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>)
    -> tensor<?xf32> {
  %r = arith.mulf %x, %y : tensor<?xf32>
  return %r : tensor<?xf32>
})";

/// Layer normalisation's gradient, as a front end writes it: dx, dgamma, dbeta.
std::string getLayerNormBackward(int64_t rows, int64_t columns) {
  std::string m = std::to_string(rows), n = std::to_string(columns);
  std::string mn = "tensor<" + m + "x" + n + "xf32>",
              tm = "tensor<" + m + "xf32>", tn = "tensor<" + n + "xf32>";
  auto broadcast = [&](std::string to, std::string from, bool isRow) {
    return to + " = fusion.broadcast " + from + " dims = [" +
           (isRow ? "0" : "1") + "] : " + (isRow ? tm : tn) + " -> " + mn +
           "\n";
  };
  auto binary = [&](std::string to, std::string op, std::string a,
                    std::string b, std::string type) {
    return to + " = arith." + op + " " + a + ", " + b + " : " + type + "\n";
  };
  auto reduce = [&](std::string to, std::string from, bool isRow) {
    return to + " = fusion.reduce add " + from + " dims = [" +
           (isRow ? "1" : "0") + "] : " + mn + " -> " + (isRow ? tm : tn) +
           "\n";
  };
  return "func.func @f(%dy: " + mn + ", %x: " + mn + ", %mean: " + tm +
         ", %rstd: " + tm + ", %gamma: " + tn + ") -> (" + mn + ", " + tn +
         ", " + tn + ") {\n%inv = arith.constant dense<" +
         std::to_string(1.0 / static_cast<double>(columns)) + "> : " + tm +
         "\n" + broadcast("%mb", "%mean", true) +
         broadcast("%rb", "%rstd", true) + broadcast("%gb", "%gamma", false) +
         binary("%xc", "subf", "%x", "%mb", mn) +
         binary("%xh", "mulf", "%xc", "%rb", mn) +
         binary("%wdy", "mulf", "%dy", "%gb", mn) +
         binary("%p", "mulf", "%xh", "%wdy", mn) + reduce("%s1", "%p", true) +
         reduce("%s2", "%wdy", true) +
         binary("%c1", "mulf", "%s1", "%inv", tm) +
         binary("%c2", "mulf", "%s2", "%inv", tm) +
         broadcast("%c1b", "%c1", true) + broadcast("%c2b", "%c2", true) +
         binary("%t1", "mulf", "%xh", "%c1b", mn) +
         binary("%t2", "addf", "%t1", "%c2b", mn) +
         binary("%t3", "subf", "%wdy", "%t2", mn) +
         binary("%dx", "mulf", "%t3", "%rb", mn) +
         binary("%q", "mulf", "%dy", "%xh", mn) + reduce("%dg", "%q", false) +
         reduce("%db", "%dy", false) + "return %dx, %dg, %db : " + mn + ", " +
         tn + ", " + tn + "\n}";
}
} // namespace

TEST_F(VerifyTest, RoundedResultsPass) {
  HostTensor x = makeRandom("f32", {37, 500}, 1);
  func::FuncOp f = parse(sumOfRows);
  VerifyReport report = check(f, {x}, compute(f, {x}));
  EXPECT_TRUE(report.passed) << report.results[0].reason;
  EXPECT_GT(report.results[0].relativeL2, 0.0);
  EXPECT_LT(report.results[0].relativeL2, 1e-6);
  EXPECT_EQ(report.results[0].numUndecided, 0);
}

TEST_F(VerifyTest, AnElementThatIsMissingFails) {
  HostTensor x = makeRandom("f32", {37, 500}, 2);
  func::FuncOp f = parse(sumOfRows);
  SmallVector<HostTensor> actual = compute(f, {x});
  float &sum = actual[0].getDataAs<float>()[17];
  sum -= x.getDataAs<float>()[17 * 500 + 499];
  ResultReport report = check(f, {x}, actual).results[0];
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.numFailed, 1);
  ASSERT_EQ(report.worstIndex.size(), 1u);
  EXPECT_EQ(report.worstIndex[0], 17);
  EXPECT_EQ(report.worstActual, static_cast<double>(sum));
  EXPECT_NE(report.reason.find("1 of 37 elements are wrong: element [17] is"),
            std::string::npos)
      << report.reason;
}

TEST_F(VerifyTest, UnitsInTheLastPlace) {
  // The product 1 + 2^-22 + 2^-46 is accepted within k u + 1 ulp: with k = 1
  // 1.5 units in the last place.
  SmallVector<HostTensor> inputs = {makeTensor("f32", {1}, {1 + 0x1p-23}),
                                    makeTensor("f32", {1}, {1 + 0x1p-23})};
  VerifyOptions options;
  options.errorFactor = 1.0;
  for (int ulps : {-2, -1, 0, 1, 2}) {
    HostTensor z = makeTensor("f32", {1}, {1 + 0x1p-22 + ulps * 0x1p-23});
    ResultReport report = check(product, inputs, z, options);
    EXPECT_EQ(report.passed, std::abs(ulps) <= 1) << ulps;
    EXPECT_NEAR(report.maxUlps, std::abs(ulps), 1e-6);
  }
}

TEST_F(VerifyTest, ConsistentErrorFailsByItsNorm) {
  // Every element within its bound, but all off in the same direction by more
  // than roundings are: half of k u + 1 ulp with a large k.
  HostTensor x = makeRandom("f32", {1000}, 3), y = makeRandom("f32", {1000}, 4);
  func::FuncOp f = parse(product);
  SmallVector<HostTensor> actual = compute(f, {x, y});
  for (int64_t i = 0; i < 1000; ++i)
    actual[0].getDataAs<float>()[i] *= 1 + 4e-6f;
  VerifyOptions options;
  options.errorFactor = 1000.0;
  ResultReport report = check(f, {x, y}, actual, options).results[0];
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.numFailed, 0);
  EXPECT_NEAR(report.relativeL2, 4e-6, 2e-7);
  EXPECT_NE(report.reason.find("the relative L2 error is"), std::string::npos);
  options.rtol = 1e-5;
  EXPECT_TRUE(check(f, {x, y}, actual, options).passed);
}

TEST_F(VerifyTest, NaNAndInfinityMustMatch) {
  SmallVector<HostTensor> inputs = {makeTensor("f32", {3}, {inf, nan, 2}),
                                    makeTensor("f32", {3}, {1, 1, 3})};
  EXPECT_TRUE(
      check(product, inputs, makeTensor("f32", {3}, {inf, nan, 6})).passed);
  for (std::vector<double> wrong : {std::vector<double>{-inf, nan, 6},
                                    {nan, nan, 6},
                                    {3e38, nan, 6},
                                    {inf, inf, 6},
                                    {inf, 0, 6},
                                    {inf, nan, nan},
                                    {inf, nan, inf}}) {
    ResultReport report = check(product, inputs, makeTensor("f32", {3}, wrong));
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.numFailed, 1);
  }
}

TEST_F(VerifyTest, OverflowAtTheBoundaryMayGoEitherWay) {
  // The product is just above, and just below, half a step over the largest
  // number.
  double largest = 0x1.fffffep127, tie = 0x1.ffffffp127;
  for (double factor : {1 + 0x1p-23, 1.0}) {
    SmallVector<HostTensor> inputs = {makeTensor("f32", {1}, {largest / 2}),
                                      makeTensor("f32", {1}, {2 * factor})};
    EXPECT_TRUE(check(product, inputs, makeTensor("f32", {1}, {inf})).passed);
    EXPECT_TRUE(
        check(product, inputs, makeTensor("f32", {1}, {largest})).passed);
    EXPECT_FALSE(check(product, inputs, makeTensor("f32", {1}, {-inf})).passed);
  }
  SmallVector<HostTensor> far = {makeTensor("f32", {1}, {largest}),
                                 makeTensor("f32", {1}, {2})};
  EXPECT_GT(largest * 2, tie);
  EXPECT_FALSE(check(product, far, makeTensor("f32", {1}, {largest})).passed);
}

TEST_F(VerifyTest, WhatFollowsANumberThatMayOverflowIsUndecided) {
  // The sum is a quarter below where f16 overflows, but f32 may round it up.
  for (StringRef use :
       {"%r = arith.mulf %h, %y : tensor<1xf16>",
        "%r = fusion.reduce add %h dims = [] : tensor<1xf16> -> "
        "tensor<1xf16>"}) {
    std::string source =
        ("func.func @f(%x: tensor<1xf32>, %y: tensor<1xf16>)"
         " -> tensor<1xf16> {\n"
         "  %s = arith.addf %x, %x : tensor<1xf32>\n"
         "  %h = arith.truncf %s : tensor<1xf32> to tensor<1xf16>\n" +
         use + "\n return %r : tensor<1xf16>\n}")
            .str();
    double near = 65519.998 / 2, far = 65000.0 / 2;
    HostTensor y = makeTensor("f16", {1}, {0x1p-8});
    SmallVector<HostTensor> inputs = {makeTensor("f32", {1}, {near}), y};
    HostTensor overflow = makeTensor("f16", {1}, {inf});
    EXPECT_TRUE(check(source, inputs, overflow).passed) << use.str();
    EXPECT_EQ(check(source, inputs, overflow).numUndecided, 1);
    inputs[0] = makeTensor("f32", {1}, {far});
    EXPECT_FALSE(check(source, inputs, overflow).passed) << use.str();
  }
}

static constexpr const char *sumOf4096 =
    R"(func.func @f(%x: tensor<4096xf32>) -> tensor<f32> {
    %r = fusion.reduce add %x dims = [0] : tensor<4096xf32> -> tensor<f32>
    return %r : tensor<f32>
  })";

TEST_F(VerifyTest, OneAccumulatorIsAcceptedWhereItIsSaid) {
  // In f32 the sum of 4096 numbers one after another is off by 2e-6.
  constexpr int64_t n = 4096;
  std::vector<double> terms;
  for (int64_t i = 0; i < n; ++i)
    terms.push_back(1.0 + (i * 37 % 101) * 0x1p-9 + (i * 53 % 97) * 0x1p-20);
  double total = std::accumulate(terms.begin(), terms.end(), 0.0);
  SmallVector<HostTensor> inputs = {makeTensor("f32", {n}, terms)};
  HostTensor off = makeTensor("f32", {}, {total * (1.0 + 2e-6)});
  EXPECT_FALSE(check(sumOf4096, inputs, off).passed);
  VerifyOptions options;
  options.anyOrder = true;
  EXPECT_TRUE(check(sumOf4096, inputs, off, options).passed);
  HostTensor far = makeTensor("f32", {}, {total * (1.0 + 1e-5)});
  EXPECT_FALSE(check(sumOf4096, inputs, far, options).passed);
}

TEST_F(VerifyTest, LongSumsOfBothSignsHaveARelativeError) {
  // Any order of the additions may be off by more than 1/128 of the total; an
  // order with several accumulators is not.
  constexpr int64_t n = 4096;
  std::vector<double> terms = {-1.0};
  for (int64_t i = 1; i < n; ++i)
    terms.push_back((i % 2 ? 1.0 : -1.0) * (1.0 + ((i + 1) / 2) * 0x1p-12));
  double total = std::accumulate(terms.begin(), terms.end(), 0.0);
  SmallVector<HostTensor> inputs = {makeTensor("f32", {n}, terms)};
  ResultReport report =
      check(sumOf4096, inputs, makeTensor("f32", {}, {total}));
  EXPECT_TRUE(report.passed);
  EXPECT_LT(report.acceptedL2, 3e-3);
  report = check(sumOf4096, inputs, makeTensor("f32", {}, {total * 1.004}));
  EXPECT_EQ(report.numFailed, 0);
  EXPECT_FALSE(report.passed);
}

TEST_F(VerifyTest, ExactResultsMustBeEqual) {
  StringRef source = R"(func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>)
      -> tensor<2xf32> {
    %m = arith.maximumf %x, %y : tensor<2xf32>
    %r = arith.negf %m : tensor<2xf32>
    return %r : tensor<2xf32>
  })";
  SmallVector<HostTensor> inputs = {makeTensor("f32", {2}, {1, 2}),
                                    makeTensor("f32", {2}, {3, -1})};
  EXPECT_TRUE(check(source, inputs, makeTensor("f32", {2}, {-3, -2})).passed);
  ResultReport report =
      check(source, inputs, makeTensor("f32", {2}, {-3, -2 - 0x1p-22}));
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.numFailed, 1);
  EXPECT_EQ(report.acceptedL2, 0.0);
}

TEST_F(VerifyTest, IntegersMustBeEqual) {
  StringRef source = R"(func.func @f(%x: tensor<3xi32>) -> tensor<3xi32> {
    %r = arith.addi %x, %x : tensor<3xi32>
    return %r : tensor<3xi32>
  })";
  HostTensor x = makeTensor("i32", {3}, {1, 2, 3});
  EXPECT_TRUE(check(source, {x}, makeTensor("i32", {3}, {2, 4, 6})).passed);
  ResultReport report = check(source, {x}, makeTensor("i32", {3}, {2, 4, 7}));
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.worstIndex.front(), 2);
  EXPECT_EQ(report.maxUlps, 1.0);
}

TEST_F(VerifyTest, ComparisonsOfRoundedNumbersAreUndecidedWhereTheyAreClose) {
  // 0.1f + 0.2f against 0.3f: in f32 the sum rounds up to 0.3f exactly, in
  // double it is 2^-27 less.
  StringRef source = R"(func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>,
      %z: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xf32>) {
    %s = arith.addf %x, %y : tensor<2xf32>
    %c = arith.cmpf oeq, %s, %z : tensor<2xf32>
    %r = arith.select %c, %x, %y : tensor<2xi1>, tensor<2xf32>
    return %c, %r : tensor<2xi1>, tensor<2xf32>
  })";
  SmallVector<HostTensor> inputs = {makeTensor("f32", {2}, {0.1, 0.1}),
                                    makeTensor("f32", {2}, {0.2, 0.2}),
                                    makeTensor("f32", {2}, {0.1f + 0.2f, 1})};
  func::FuncOp f = parse(source);
  for (bool first : {false, true}) {
    VerifyReport report =
        check(f, inputs,
              {makeTensor("i1", {2}, {first ? 1. : 0., 0}),
               makeTensor("f32", {2}, {first ? 0.1 : 0.2, 0.2})});
    EXPECT_TRUE(report.passed)
        << report.results[0].reason << report.results[1].reason;
    EXPECT_EQ(report.results[0].numUndecided, 1);
  }
  VerifyReport wrong = check(
      f, inputs,
      {makeTensor("i1", {2}, {0, 1}), makeTensor("f32", {2}, {0.2, 0.1})});
  EXPECT_FALSE(wrong.results[0].passed);
  EXPECT_FALSE(wrong.results[1].passed);
}

TEST_F(VerifyTest, NarrowResultsRoundEitherWayOnlyNearATie) {
  StringRef source = R"(func.func @f(%x: tensor<f32>, %y: tensor<f32>)
      -> tensor<bf16> {
    %s = arith.addf %x, %y : tensor<f32>
    %r = arith.truncf %s : tensor<f32> to tensor<bf16>
    return %r : tensor<bf16>
  })";
  auto accepts = [&](double y, double result) {
    return check(source,
                 {makeTensor("f32", {}, {1}), makeTensor("f32", {}, {y})},
                 makeTensor("bf16", {}, {result}))
        .passed;
  };
  // A hair below the tie 1 + 2^-8 both neighbours are right.
  EXPECT_TRUE(accepts(0x1p-8 - 0x1p-32, 1));
  EXPECT_TRUE(accepts(0x1p-8 - 0x1p-32, 1 + 0x1p-7));
  EXPECT_FALSE(accepts(0x1p-8 - 0x1p-32, 1 + 0x1p-5));
  EXPECT_TRUE(accepts(0x1p-10, 1));
  EXPECT_FALSE(accepts(0x1p-10, 1 + 0x1p-7));
}

TEST_F(VerifyTest, CancelledResultsAreJudgedByTheirBounds) {
  // x minus the mean of equal elements: nothing but roundings is left.
  StringRef source = R"(func.func @f(%x: tensor<64xf32>) -> tensor<f32> {
    %n = arith.constant dense<1.5625e-2> : tensor<f32>
    %s = fusion.reduce add %x dims = [0] : tensor<64xf32> -> tensor<f32>
    %m = arith.mulf %s, %n : tensor<f32>
    %b = fusion.broadcast %m dims = [] : tensor<f32> -> tensor<64xf32>
    %d = arith.subf %x, %b : tensor<64xf32>
    %r = fusion.reduce maximumf %d dims = [0] : tensor<64xf32> -> tensor<f32>
    return %r : tensor<f32>
  })";
  HostTensor x = makeTensor("f32", {64}, std::vector<double>(64, 0.1));
  func::FuncOp f = parse(source);
  SmallVector<HostTensor> actual = compute(f, {x});
  EXPECT_TRUE(check(f, {x}, actual).passed);
  actual[0].getDataAs<float>()[0] += 0.001f;
  EXPECT_FALSE(check(f, {x}, actual).passed);
}

TEST_F(VerifyTest, DoublesComputedFromSinglesAreJudgedAsSingles) {
  // The product is rounded to f32 before the rest is f64.
  StringRef source = R"(func.func @f(%x: tensor<?xf32>) -> tensor<?xf64> {
    %p = arith.mulf %x, %x : tensor<?xf32>
    %r = arith.extf %p : tensor<?xf32> to tensor<?xf64>
    return %r : tensor<?xf64>
  })";
  HostTensor x = makeRandom("f32", {1000}, 7);
  func::FuncOp f = parse(source);
  SmallVector<HostTensor> actual = compute(f, {x});
  ResultReport report = check(f, {x}, actual).results[0];
  EXPECT_TRUE(report.passed) << report.reason;
  EXPECT_GT(report.relativeL2, 1e-12);
  EXPECT_LE(report.acceptedL2, 2e-6);
  for (int64_t i = 0; i < 1000; ++i)
    actual[0].getDataAs<double>()[i] *= 1 + 1e-5;
  EXPECT_FALSE(check(f, {x}, actual).passed);

  // Without such a rounding f64 is as precise as it is.
  StringRef wide = R"(func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {
    %r = arith.mulf %x, %x : tensor<?xf64>
    return %r : tensor<?xf64>
  })";
  HostTensor y = makeRandom("f64", {1000}, 8);
  f = parse(wide);
  report = check(f, {y}, compute(f, {y})).results[0];
  EXPECT_TRUE(report.passed);
  EXPECT_LE(report.acceptedL2, 1e-11);
}

TEST_F(VerifyTest, UnderflowIsNoRelativeError) {
  // The product 2^-150 * 1.5 rounds to the least subnormal number, 2^-149;
  // 2^-160 to zero.
  for (double factor : {0x1.8p-75, 0x1p-85}) {
    HostTensor x = makeTensor("f32", {1}, {factor}),
               y = makeTensor("f32", {1}, {0x1p-75});
    func::FuncOp f = parse(product);
    SmallVector<HostTensor> actual = compute(f, {x, y});
    ResultReport report = check(f, {x, y}, actual).results[0];
    EXPECT_TRUE(report.passed) << report.reason;
    actual[0].getDataAs<float>()[0] += 0x1p-140f;
    EXPECT_FALSE(check(f, {x, y}, actual).passed);
  }
}

TEST_F(VerifyTest, EmptyAndScalarResults) {
  HostTensor empty(getType("f32"), {0, 5});
  EXPECT_TRUE(
      check(sumOfRows, {empty}, HostTensor(getType("f32"), {0})).passed);
  HostTensor noColumns(getType("f32"), {2, 0});
  EXPECT_TRUE(
      check(sumOfRows, {noColumns}, HostTensor(getType("f32"), {2})).passed);
  EXPECT_FALSE(
      check(sumOfRows, {noColumns}, makeTensor("f32", {2}, {0, 1})).passed);
  StringRef scalar = "func.func @f(%x: f32) -> f32 {\n %r = arith.addf %x, %x "
                     ": f32\n return %r : f32\n}";
  HostTensor x = makeTensor("f32", {}, {1});
  EXPECT_TRUE(check(scalar, {x}, makeTensor("f32", {}, {2})).passed);
  EXPECT_FALSE(check(scalar, {x}, makeTensor("f32", {}, {3})).passed);
}

TEST_F(VerifyTest, OtherShapesAndNumbersOfResultsAreErrors) {
  HostTensor x(getType("f32"), {2, 3});
  func::FuncOp f = parse(sumOfRows);
  EXPECT_TRUE(failed(verify(f, {x}, {})));
  EXPECT_NE(errors.find("expected 1 results to verify, but found 0"),
            std::string::npos)
      << errors;
  EXPECT_TRUE(failed(verify(f, {x}, {HostTensor(getType("f32"), {3})})));
  EXPECT_NE(errors.find("expected result 0 to be [2]"), std::string::npos)
      << errors;
  EXPECT_TRUE(failed(verify(f, {x}, {HostTensor(getType("f16"), {2})})));
}

TEST_F(VerifyTest, EveryFloatTypePasses) {
  for (std::string type : {"f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"}) {
    std::string t = "tensor<300x" + type + ">";
    std::string source = "func.func @f(%x: " + t + ", %y: " + t + ") -> " + t +
                         " {\n %a = arith.mulf %x, %y : " + t +
                         "\n %b = arith.addf %a, %x : " + t +
                         "\n %e = math.tanh %b : " + t + "\n return %e : " + t +
                         "\n}";
    func::FuncOp f = parse(source);
    SmallVector<HostTensor> inputs = {makeRandom(type, {300}, 5),
                                      makeRandom(type, {300}, 6)};
    VerifyReport report = check(f, inputs, compute(f, inputs));
    EXPECT_TRUE(report.passed) << type << ": " << report.results[0].reason;
  }
}

TEST_F(VerifyTest, LayerNormBackward) {
  const int64_t rows = 96, columns = 640;
  func::FuncOp f = parse(getLayerNormBackward(rows, columns));
  SmallVector<HostTensor> inputs = {
      makeRandom("f32", {rows, columns}, 1),
      makeRandom("f32", {rows, columns}, 2), makeRandom("f32", {rows}, 3),
      makeRandom("f32", {rows}, 4), makeRandom("f32", {columns}, 5)};
  SmallVector<HostTensor> actual = compute(f, inputs);
  VerifyReport report = check(f, inputs, actual);
  for (const ResultReport &result : report.results)
    EXPECT_TRUE(result.passed) << result.reason;
  // A row forgotten in dgamma, a wrong element of dx.
  actual[1].getDataAs<float>()[7] -= 0.01f;
  actual[0].getDataAs<float>()[columns + 3] *= 1.001f;
  report = check(f, inputs, actual);
  EXPECT_FALSE(report.results[0].passed);
  EXPECT_FALSE(report.results[1].passed);
  EXPECT_TRUE(report.results[2].passed);
  EXPECT_EQ(report.results[0].numFailed, 1);
  EXPECT_EQ(report.results[0].worstIndex[0], 1);
  EXPECT_EQ(report.results[0].worstIndex[1], 3);
}

TEST_F(VerifyTest, ReportPrintsOneLineForEachResult) {
  HostTensor x = makeRandom("f32", {4, 5}, 7);
  func::FuncOp f = parse(sumOfRows);
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<HostTensor> actual = compute(f, {x});
  check(f, {x}, actual).print(os);
  EXPECT_EQ(text.find("result 0: passed, relative L2 error "), 0u) << text;
  text.clear();
  actual[0].getDataAs<float>()[2] = 100;
  check(f, {x}, actual).print(os);
  EXPECT_EQ(text.find("result 0: FAILED"), 0u) << text;
  EXPECT_NE(text.find("element [2] is 100"), std::string::npos) << text;
}

// Takes half a gigabyte and some seconds: run it by name.
TEST_F(VerifyTest, DISABLED_LayerNormBackwardAtFullSize) {
  const int64_t rows = 2048, columns = 8192;
  func::FuncOp f = parse(getLayerNormBackward(rows, columns));
  SmallVector<HostTensor> inputs = {
      makeRandom("f32", {rows, columns}, 1),
      makeRandom("f32", {rows, columns}, 2), makeRandom("f32", {rows}, 3),
      makeRandom("f32", {rows}, 4), makeRandom("f32", {columns}, 5)};
  auto start = std::chrono::steady_clock::now();
  FailureOr<SmallVector<HostTensor>> actual = evaluate(f, inputs);
  auto middle = std::chrono::steady_clock::now();
  ASSERT_TRUE(succeeded(actual));
  VerifyReport report = check(f, inputs, *actual);
  auto end = std::chrono::steady_clock::now();
  EXPECT_TRUE(report.passed);
  double evaluation = std::chrono::duration<double>(middle - start).count();
  double verification = std::chrono::duration<double>(end - middle).count();
  EXPECT_LT(evaluation, 5.0);
  EXPECT_LT(verification, 5.0);
  RecordProperty("evaluation_ms", static_cast<int>(evaluation * 1e3));
  RecordProperty("verification_ms", static_cast<int>(verification * 1e3));
  std::printf("evaluation %.2f s, verification %.2f s\n", evaluation,
              verification);
}
