//===- ErrorBoundTest.cpp - The propagated error bounds -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/FloatFormat.h"
#include "ReferenceTest.h"
#include <random>

using namespace mlir;
using namespace mlir::fusion;

namespace {
class ErrorBoundTest : public ReferenceTest {
protected:
  struct Bounded {
    std::vector<double> values, errors;
  };

  /// The first result, not rounded, and its bounds.
  Bounded bound(func::FuncOp function, ArrayRef<HostTensor> inputs,
                ReferenceOptions options = {}) {
    Bounded result;
    options.errors = true;
    LogicalResult status = evaluateByTiles(
        function, inputs, options,
        [&](ArrayRef<ResultInfo> infos) {
          int64_t count = 1;
          for (int64_t extent : infos.front().shape)
            count *= extent;
          result.values.resize(count);
          result.errors.resize(count);
          return success();
        },
        [&](const ResultTile &tile) {
          if (tile.result != 0)
            return;
          std::copy_n(tile.floats, tile.count,
                      result.values.begin() + tile.first);
          std::copy_n(tile.errors, tile.count,
                      result.errors.begin() + tile.first);
        });
    EXPECT_TRUE(succeeded(status)) << errors;
    return result;
  }

  /// Bounds of an expression in %x and %y, in f32 elements.
  Bounded bound(StringRef expression, double x, double y) {
    std::string source = ("func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> "
                          "tensor<f32> {\n" +
                          expression + "\nreturn %r : tensor<f32>\n}")
                             .str();
    return bound(parse(source),
                 {makeTensor("f32", {}, {x}), makeTensor("f32", {}, {y})});
  }
};

constexpr double u = 0x1p-24;

/// A random program of f32 operations on vectors of 64 elements.
std::string makeRandomProgram(std::mt19937 &random) {
  const char *unary[] = {"math.exp",   "math.tanh", "math.sin",   "math.erf",
                         "math.atan",  "math.absf", "arith.negf", "math.floor",
                         "math.asinh", "math.exp2", "math.cbrt"};
  const char *binary[] = {"arith.addf",    "arith.subf",     "arith.mulf",
                          "arith.divf",    "arith.maximumf", "arith.minimumf",
                          "arith.maxnumf", "math.copysign",  "math.atan2"};
  const std::string type = "tensor<64xf32>";
  std::string source =
      "func.func @f(%v0: " + type + ", %v1: " + type + ") -> " + type + " {\n";
  int next = 2;
  auto value = [&] { return "%v" + std::to_string(random() % next); };
  for (int i = 0; i < 10; ++i) {
    std::string a = value(), b = value(), c = value();
    std::string to = "%v" + std::to_string(next);
    std::string temporary = "%t" + std::to_string(next);
    switch (random() % 6) {
    case 0:
    case 1:
      source += to + " = " + unary[random() % std::size(unary)] + " " + a +
                " : " + type + "\n";
      break;
    case 2:
    case 3:
      source += to + " = " + binary[random() % std::size(binary)] + " " + a +
                ", " + b + " : " + type + "\n";
      break;
    case 4:
      source += temporary + " = arith.cmpf ogt, " + a + ", " + b + " : " +
                type + "\n" + to + " = arith.select " + temporary + ", " + c +
                ", " + a + " : tensor<64xi1>, " + type + "\n";
      break;
    default:
      source += temporary + " = fusion.reduce " +
                (random() % 2 ? "add " : "maximumf ") + a +
                " dims = [0] : " + type + " -> tensor<f32>\n" + to +
                " = fusion.broadcast " + temporary +
                " dims = [] : tensor<f32> -> " + type + "\n";
    }
    ++next;
  }
  return source + "return %v" + std::to_string(next - 1) + " : " + type + "\n}";
}
} // namespace

TEST_F(ErrorBoundTest, InputsAreExact) {
  Bounded r = bound("%r = arith.negf %x : tensor<f32>", 3, 0);
  EXPECT_EQ(r.errors[0], 0.0);
}

TEST_F(ErrorBoundTest, OneRounding) {
  EXPECT_EQ(bound("%r = arith.addf %x, %y : tensor<f32>", 3, 5).errors[0],
            8 * u);
  EXPECT_EQ(bound("%r = arith.mulf %x, %y : tensor<f32>", -3, 5).errors[0],
            15 * u);
  EXPECT_EQ(bound("%r = arith.divf %x, %y : tensor<f32>", 1, 4).errors[0],
            0.25 * u);
  // Underflow: half of the least subnormal number.
  EXPECT_EQ(bound("%r = arith.mulf %x, %y : tensor<f32>", 0x1p-100, 0x1p-40)
                .errors[0],
            0x1p-150);
  // exp has 2 ulps from the correctly rounded result: 2.5 ulps are 5 u.
  EXPECT_EQ(bound("%r = math.exp %x : tensor<f32>", 0, 0).errors[0], 5 * u);
  // An approximation: the product with log2(e) is rounded, and subnormal
  // numbers may become 0.
  StringRef fast = "%r = math.exp %x fastmath<afn> : tensor<f32>";
  double z = std::exp(-64.0);
  EXPECT_NEAR(bound(fast, -64, 0).errors[0], (5 + 2 * 1.173 * 64) * u * z,
              0x1p-125);
  EXPECT_GE(bound(fast, -95, 0).errors[0], std::exp(-95.0));
  EXPECT_LE(bound("%r = math.exp %x : tensor<f32>", -95, 0).errors[0],
            0x1p-146);
  EXPECT_LE(bound(fast, -inf, 0).errors[0], 0x1p-146);
  EXPECT_EQ(bound(fast, 1000, 0).errors[0], 0.0);
}

TEST_F(ErrorBoundTest, Propagation) {
  // (x + y) * y: (8 u) * 5 and 40 u of its own.
  EXPECT_EQ(bound("%s = arith.addf %x, %y : tensor<f32>\n"
                  "%r = arith.mulf %s, %y : tensor<f32>",
                  3, 5)
                .errors[0],
            80 * u);
  // 1 / (x + y): (2 u) / 4 and 0.5 u of its own.
  EXPECT_EQ(bound("%one = arith.constant dense<1.0> : tensor<f32>\n"
                  "%s = arith.addf %x, %y : tensor<f32>\n"
                  "%r = arith.divf %one, %s : tensor<f32>",
                  1, 1)
                .errors[0],
            u);
  // A change of sign adds nothing.
  EXPECT_EQ(bound("%s = arith.mulf %x, %y : tensor<f32>\n"
                  "%r = math.absf %s : tensor<f32>",
                  2, 2)
                .errors[0],
            4 * u);
}

TEST_F(ErrorBoundTest, RootsOfZeroHaveABound) {
  // The product is 0, of either sign, with the error of underflow.
  for (double y : {-1.0, 1.0}) {
    Bounded r = bound("%s = arith.mulf %x, %y fastmath<nsz> : tensor<f32>\n"
                      "%r = math.sqrt %s : tensor<f32>",
                      0, y);
    EXPECT_GE(r.errors[0], std::sqrt(4 * 0x1p-126 * u) / 4);
    EXPECT_LE(r.errors[0], std::sqrt(4 * 0x1p-126 * u));
  }
}

TEST_F(ErrorBoundTest, Sums) {
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<2x5xf32>) -> tensor<2xf32> {
    %r = fusion.reduce add %x dims = [1] : tensor<2x5xf32> -> tensor<2xf32>
    return %r : tensor<2xf32>
  })");
  HostTensor x = makeTensor("f32", {2, 5}, {1, -2, 4, -3, 0, 1, 2, 3, 4, 5});
  Bounded r = bound(f, {x});
  // Four additions: sqrt(4) u times the sum of magnitudes.
  EXPECT_EQ(r.errors[0], 2 * u * 10);
  EXPECT_EQ(r.errors[1], 2 * u * 15);
  // At most so many as are asked for.
  ReferenceOptions options;
  for (double most : {0.0, 1.5, 3.0}) {
    options.maxOrderRoundings = most;
    EXPECT_EQ(bound(f, {x}, options).errors[0], std::min(most, 2.0) * u * 10);
  }
}

TEST_F(ErrorBoundTest, SumsOfOneElementAreExact) {
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<2x1xf32>) -> tensor<2xf32> {
    %r = fusion.reduce add %x dims = [1] : tensor<2x1xf32> -> tensor<2xf32>
    return %r : tensor<2xf32>
  })");
  Bounded r = bound(f, {makeTensor("f32", {2, 1}, {1, 3})});
  EXPECT_EQ(r.errors[0], 0.0);
  EXPECT_EQ(r.errors[1], 0.0);
}

TEST_F(ErrorBoundTest, Products) {
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<2xf32>) -> tensor<f32> {
    %s = arith.addf %x, %x : tensor<2xf32>
    %r = fusion.reduce mul %s dims = [0] : tensor<2xf32> -> tensor<f32>
    return %r : tensor<f32>
  })");
  // Factors 2 and 6 with errors 2 u and 6 u: 2 * 6 u + 6 * 2 u, and 12 u; k = 4
  // times the product of the errors.
  EXPECT_EQ(bound(f, {makeTensor("f32", {2}, {1, 3})}).errors[0],
            36 * u + 4 * 12 * u * u);
}

TEST_F(ErrorBoundTest, RandomProgramsStayWithinTheirBounds) {
  // A program that rounds every operation is one of those that the bounds are
  // about: with k = 1, apart from what is of second order.
  std::mt19937 random(42);
  std::normal_distribution<double> normal;
  int64_t compared = 0, inexact = 0;
  for (int program = 0; program < 300; ++program) {
    std::string source = makeRandomProgram(random);
    func::FuncOp f = parse(source);
    ASSERT_TRUE(f);
    std::vector<double> x(64), y(64);
    for (int i = 0; i < 64; ++i) {
      x[i] = normal(random);
      y[i] = normal(random);
    }
    SmallVector<HostTensor> inputs = {makeTensor("f32", {64}, x),
                                      makeTensor("f32", {64}, y)};
    Bounded reference = bound(f, inputs);
    FailureOr<SmallVector<HostTensor>> rounded =
        evaluate(f, inputs, {Precision::Type});
    ASSERT_TRUE(succeeded(rounded));
    std::vector<double> values = getValues(rounded->front());
    for (int i = 0; i < 64; ++i) {
      double expected = reference.values[i], error = reference.errors[i];
      if (!std::isfinite(expected) || !std::isfinite(values[i]) ||
          !std::isfinite(error))
        continue;
      double difference = std::fabs(values[i] - expected);
      ++compared;
      inexact += difference != 0.0;
      EXPECT_LE(difference, 1.01 * error)
          << "element " << i << " is " << values[i] << ", expected " << expected
          << "\n"
          << source;
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(inexact, 5000);
}
