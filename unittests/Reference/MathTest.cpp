//===- MathTest.cpp - Operations of math ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/MathAccuracy.h"
#include "ReferenceTest.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class MathTest : public ReferenceTest {
protected:
  std::string makeSource(StringRef expression, StringRef type) {
    std::string tensor = ("tensor<2x" + type + ">").str();
    return ("func.func @f(%a: " + tensor + ", %b: " + tensor +
            ", %c: " + tensor + ") -> " + tensor + " {\n %r = " + expression +
            " : " + tensor + "\n return %r : " + tensor + "\n}")
        .str();
  }

  std::vector<double> apply(StringRef expression, StringRef type,
                            ArrayRef<double> a, ArrayRef<double> b = {0, 0},
                            ArrayRef<double> c = {0, 0},
                            Precision precision = Precision::Double) {
    return run(makeSource(expression, type),
               {makeTensor(type, {2}, a), makeTensor(type, {2}, b),
                makeTensor(type, {2}, c)},
               precision);
  }
};
} // namespace

TEST_F(MathTest, FunctionsAtKnownPoints) {
  const double pi = 3.14159265358979323846, e = 2.71828182845904523536;
  struct Case {
    const char *op;
    double x0, x1, z0, z1;
  } cases[] = {
      {"exp", 0, 1, 1, e},
      {"exp2", 10, -1, 1024, 0.5},
      {"expm1", 0, 1, 0, e - 1},
      {"log", 1, e, 0, 1},
      {"log2", 8, 0.25, 3, -2},
      {"log10", 1000, 1, 3, 0},
      {"log1p", 0, e - 1, 0, 1},
      {"sqrt", 9, 2, 3, 1.41421356237309504880},
      {"rsqrt", 4, 0.25, 0.5, 2},
      {"cbrt", 27, -8, 3, -2},
      {"sin", 0, pi / 2, 0, 1},
      {"cos", 0, pi, 1, -1},
      {"tan", 0, pi / 4, 0, 1},
      {"asin", 0, 1, 0, pi / 2},
      {"acos", 1, 0, 0, pi / 2},
      {"atan", 0, 1, 0, pi / 4},
      {"sinh", 0, 1, 0, 1.17520119364380145688},
      {"cosh", 0, 1, 1, 1.54308063481524377848},
      {"tanh", 0, 1, 0, 0.76159415595576488812},
      {"asinh", 0, 1.17520119364380145688, 0, 1},
      {"acosh", 1, 1.54308063481524377848, 0, 1},
      {"atanh", 0, 0.5, 0, 0.54930614433405484570},
      {"erf", 0, 1, 0, 0.84270079294971486934},
      {"erfc", 0, 1, 1, 0.15729920705028513066},
  };
  for (const Case &c : cases) {
    std::string expression = std::string("math.") + c.op + " %a";
    std::vector<double> z = apply(expression, "f64", {c.x0, c.x1});
    ASSERT_EQ(z.size(), 2u) << c.op;
    EXPECT_NEAR(z[0], c.z0, 4e-16 * std::max(1.0, std::fabs(c.z0))) << c.op;
    EXPECT_NEAR(z[1], c.z1, 4e-16 * std::max(1.0, std::fabs(c.z1))) << c.op;
  }
}

TEST_F(MathTest, SpecialValues) {
  expectSame(apply("math.exp %a", "f32", {-inf, inf}), {0, inf});
  expectSame(apply("math.exp %a", "f32", {89, nan}), {inf, nan});
  expectSame(apply("math.log %a", "f32", {0, -1}), {-inf, nan});
  expectSame(apply("math.sqrt %a", "f32", {-0.0, -1}), {-0.0, nan});
  expectSame(apply("math.rsqrt %a", "f32", {0, inf}), {inf, 0});
  expectSame(apply("math.tanh %a", "f32", {inf, -inf}), {1, -1});
  expectSame(apply("math.exp2 %a", "f16", {16, 15}), {inf, 32768});
}

TEST_F(MathTest, BinaryAndTernary) {
  expectSame(apply("math.powf %a, %b", "f32", {2, 0}, {10, 0}), {1024, 1});
  expectSame(apply("math.atan2 %a, %b", "f64", {0, -0.0}, {1, 1}), {0, -0.0});
  expectSame(apply("math.copysign %a, %b", "f32", {3, -3}, {-0.0, 1}), {-3, 3});
  expectSame(apply("math.fma %a, %b, %c", "f32", {2, inf}, {3, 0}, {4, 1}),
             {10, nan});
  expectSame(
      apply("math.clampf %a to [%b, %c]", "f32", {5, -5}, {-1, -1}, {1, 1}),
      {1, -1});
}

TEST_F(MathTest, FusedMultiplyAddRoundsOnce) {
  // The product 1 + 2^-21 + 2^-44 is not a float, its difference with 1 is.
  double x = 1 + 0x1p-22;
  expectSame(apply("math.fma %a, %b, %c", "f32", {x, -x}, {x, x}, {-1, 1},
                   Precision::Type),
             {0x1p-21 + 0x1p-44, -0x1p-21 - 0x1p-44});
  // The product 2^36 - 2^-10 lies below the tie of an odd float; their sum in
  // double precision is the tie, which would go to the even neighbour.
  expectSame(apply("math.fma %a, %b, %c", "f32", {1 + 0x1p-23, -1 - 0x1p-23},
                   {0x1p36 - 0x1p13, 0x1p36 - 0x1p13},
                   {0x1p60 + 0x1p37, -0x1p60 - 0x1p37}, Precision::Type),
             {0x1p60 + 0x1p37, -0x1p60 - 0x1p37});
}

TEST_F(MathTest, RoundingToWhole) {
  expectSame(apply("math.ceil %a", "f32", {1.2, -1.2}), {2, -1});
  expectSame(apply("math.floor %a", "f32", {1.2, -1.2}), {1, -2});
  expectSame(apply("math.trunc %a", "f32", {1.7, -1.7}), {1, -1});
  expectSame(apply("math.round %a", "f32", {2.5, -2.5}), {3, -3});
  expectSame(apply("math.roundeven %a", "f32", {2.5, -3.5}), {2, -4});
  expectSame(apply("math.ceil %a", "f32", {-0.5, inf}), {-0.0, inf});
  expectSame(apply("math.absf %a", "f32", {-0.0, -inf}), {0, inf});
}

TEST_F(MathTest, Questions) {
  auto ask = [&](StringRef op, double x0, double x1) {
    return run(("func.func @f(%a: tensor<2xf32>) -> tensor<2xi1> {\n %r = "
                "math." +
                op +
                " %a : tensor<2xf32>\n"
                " return %r : tensor<2xi1>\n}")
                   .str(),
               {makeTensor("f32", {2}, {x0, x1})});
  };
  expectSame(ask("isnan", nan, inf), {1, 0});
  expectSame(ask("isinf", -inf, nan), {1, 0});
  expectSame(ask("isfinite", 1, inf), {1, 0});
  expectSame(ask("isnormal", 0x1p-126, 0x1p-127), {1, 0});
}

TEST_F(MathTest, Integers) {
  expectSame(apply("math.absi %a", "i8", {-5, -128}), {5, -128});
  expectSame(apply("math.ctpop %a", "i8", {-1, 6}), {8, 2});
  expectSame(apply("math.ctlz %a", "i8", {1, 0}), {7, 8});
  expectSame(apply("math.cttz %a", "i8", {4, 0}), {2, 8});
  expectSame(apply("math.ipowi %a, %b", "i8", {2, 3}, {8, 3}), {0, 27});
  expectSame(apply("math.ipowi %a, %b", "i8", {-1, 2}, {-3, -1}), {-1, 0});
}

TEST_F(MathTest, IntegerPower) {
  expectSame(
      run(R"(func.func @f(%a: tensor<2xf32>, %n: tensor<2xi32>)
      -> tensor<2xf32> {
    %r = math.fpowi %a, %n : tensor<2xf32>, tensor<2xi32>
    return %r : tensor<2xf32>
  })",
          {makeTensor("f32", {2}, {2, 3}), makeTensor("i32", {2}, {-2, 4})}),
      {0.25, 81});
}

TEST_F(MathTest, TypePrecisionRounds) {
  std::vector<double> z =
      apply("math.exp %a", "f32", {1, 2}, {0, 0}, {0, 0}, Precision::Type);
  expectSame(z, {static_cast<double>(2.71828182845904523536f),
                 static_cast<double>(7.38905609893065022723f)});
}

TEST_F(MathTest, AccuraciesAreSortedAndCoverTheTypes) {
  ArrayRef<MathAccuracy> table = getMathAccuracies();
  ASSERT_FALSE(table.empty());
  for (size_t i = 1; i < table.size(); ++i)
    EXPECT_LT(table[i - 1].operation, table[i].operation);
  auto f32 = cast<FloatType>(getType("f32"));
  auto f64 = cast<FloatType>(getType("f64"));
  auto bf16 = cast<FloatType>(getType("bf16"));
  EXPECT_EQ(getMathAccuracyUlps("math.sqrt", f32), 0.0);
  EXPECT_EQ(getMathAccuracyUlps("math.exp", f32), 2.0);
  EXPECT_EQ(getMathAccuracyUlps("math.exp", f64), 1.0);
  EXPECT_EQ(getMathAccuracyUlps("math.powf", bf16), 1.0);
  EXPECT_FALSE(getMathAccuracyUlps("math.absf", f32).has_value());
}

TEST_F(MathTest, DocumentationShowsTheAccuracies) {
  auto file = llvm::MemoryBuffer::getFile(FUSION_NUMERICS_DOC);
  ASSERT_TRUE(static_cast<bool>(file)) << FUSION_NUMERICS_DOC;
  StringRef text = (*file)->getBuffer();
  for (const MathAccuracy &entry : getMathAccuracies()) {
    std::string row;
    llvm::raw_string_ostream(row)
        << "| `" << entry.operation << "` | " << static_cast<int>(entry.ulpsF32)
        << " | " << static_cast<int>(entry.ulpsF64) << " |\n";
    EXPECT_TRUE(text.contains(row)) << row;
  }
  EXPECT_EQ(text.count("| `math."), getMathAccuracies().size());
}
