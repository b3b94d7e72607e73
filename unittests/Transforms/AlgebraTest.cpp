//===- AlgebraTest.cpp - The numerics of each rule ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule of docs/Algebra.md on random numbers: those that claim to be exact
// give the same bits in 100,000 trials, infinities, NaN, signed zeros and
// subnormal numbers among them; the others stay within the bounds of the
// reference. A trial is one element of the result.
//
//===----------------------------------------------------------------------===//

#include "TransformTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Numbers of many magnitudes, one in eight of them special.
double drawAny(std::mt19937_64 &random, bool isFinite) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  uint64_t bits = random();
  double sign = bits & 1 ? -1.0 : 1.0;
  if ((bits >> 1) % 8 == 0) {
    const double specials[] = {0.0,      1.0, 0x1p-149, 0x1.8p127,
                               0x1p-126, inf, nan};
    return sign * specials[(bits >> 8) % (isFinite ? 5 : 7)];
  }
  double fraction = 1.0 + static_cast<double>(bits >> 40) * 0x1p-24;
  return sign * std::ldexp(fraction, static_cast<int>(bits >> 8 & 15) - 8);
}

double drawSpecial(std::mt19937_64 &random) { return drawAny(random, false); }
double drawFinite(std::mt19937_64 &random) { return drawAny(random, true); }

/// Sums of these do not cancel.
double drawPositive(std::mt19937_64 &random) {
  return 0.5 + static_cast<double>(random() >> 40) * 0x1p-24;
}

/// A rule as a program on x, which varies along the reduced dimension, and b,
/// which does not. T<f32> is a tensor of both dimensions, R<f32> one of the
/// rows.
struct Rule {
  const char *name, *arguments, *body;
  /// The flags promise finite numbers.
  bool isFinite = false;
  /// The flags allow another sign of zero.
  bool ignoresZeroSign = false;
};

std::ostream &operator<<(std::ostream &os, const Rule &rule) {
  return os << rule.name;
}

std::string getName(const ::testing::TestParamInfo<Rule> &info) {
  return info.param.name;
}

std::string getProgram(const Rule &rule, int64_t rows, int64_t columns) {
  std::string text = std::string("func.func @f") + rule.arguments + " {" +
                     "%bb = fusion.broadcast %b dims = [0] : B\n" + rule.body +
                     "\n}";
  std::string row = "tensor<" + std::to_string(rows) + "x";
  std::string all = row + std::to_string(columns) + "x";
  std::string b = rule.arguments;
  b = b.substr(b.find("%b: R<") + 6);
  b = b.substr(0, b.find('>') + 1);
  for (auto [from, to] :
       {std::pair(std::string("= [0] : B"), "= [0] : R<" + b + " -> T<" + b),
        std::pair(std::string("T<"), all), std::pair(std::string("R<"), row)})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

class ExactRule : public TransformTest,
                  public ::testing::WithParamInterface<Rule> {};
class RoundingRule : public TransformTest,
                     public ::testing::WithParamInterface<Rule> {};

} // namespace

//===----------------------------------------------------------------------===//
// Exact rules
//===----------------------------------------------------------------------===//

static const Rule exactRules[] = {
    {"Select", "(%c: R<i1>, %x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %zero = arith.constant dense<0.0> : T<f32>
       %cc = fusion.broadcast %c dims = [0] : R<i1> -> T<i1>
       %y = arith.select %cc, %x, %zero : T<i1>, T<f32>
       %r = fusion.reduce add %y dims = [1] : T<f32> -> R<f32>
       %s = arith.addf %r, %b : R<f32>
       return %s : R<f32>)"},
    {"MaximumOfSum", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.addf %x, %bb fastmath<ninf> : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     true},
    {"MinimumOfDifference", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.subf %bb, %x fastmath<nnan> : T<f32>
       %r = fusion.reduce minimumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     true},
    {"MaximumOfProduct",
     "(%x: T<f32>, %z: tensor<100000x3xf32>, %b: R<f32>) -> R<f32>",
     R"(
       %xx = fusion.broadcast %x dims = [0, 1] : T<f32> -> tensor<100000x5x3xf32>
       %zz = fusion.broadcast %z dims = [0, 2] : tensor<100000x3xf32> -> tensor<100000x5x3xf32>
       %y = arith.mulf %xx, %zz fastmath<nnan> : tensor<100000x5x3xf32>
       %r = fusion.reduce maximumf %y dims = [1, 2] : tensor<100000x5x3xf32> -> R<f32>
       return %r : R<f32>)",
     true},
    {"MinimumOfPositiveProduct", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %p = math.absf %bb : T<f32>
       %y = arith.mulf %x, %p fastmath<ninf> : T<f32>
       %r = fusion.reduce minimumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     true},
    {"MaximumOfMagnitudes", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %m = arith.mulf %x, %bb fastmath<nnan> : T<f32>
       %y = math.absf %m : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     true},
    {"MaximumOfQuotient", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %p = math.absf %bb : T<f32>
       %one = arith.constant dense<1.0> : T<f32>
       %q = arith.addf %p, %one : T<f32>
       %y = arith.divf %x, %q fastmath<nnan> : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     true},
    {"MaximumOfNegation", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.negf %x : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"NumberOfNegation", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.negf %x : T<f32>
       %r = fusion.reduce minnumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     false, true},
    {"MaximumOfClamp", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %zero = arith.constant dense<0.0> : T<f32>
       %l = arith.maximumf %x, %zero : T<f32>
       %y = arith.minimumf %l, %bb : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"NumberOfClamp", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.minimumf %x, %bb : T<f32>
       %r = fusion.reduce maxnumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)",
     false, true},
    {"MaximumOfRounding", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %f = math.floor %x : T<f32>
       %h = arith.truncf %f : T<f32> to T<f16>
       %y = arith.extf %h : T<f16> to T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"MaximumOfRoots", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %s = arith.mulf %x, %x : T<f32>
       %y = math.sqrt %s : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"MaximumInF8", "(%x: T<f32>, %b: R<f32>) -> R<f8E4M3FN>", R"(
       %a = math.absf %x : T<f32>
       %y = arith.truncf %a : T<f32> to T<f8E4M3FN>
       %r = fusion.reduce maximumf %y dims = [1] : T<f8E4M3FN> -> R<f8E4M3FN>
       return %r : R<f8E4M3FN>)"},
    {"AffineChain", "(%x: T<f32>, %b: R<f32>) -> R<f64>", R"(
       %p = math.absf %bb : T<f32>
       %m = arith.mulf %x, %p fastmath<nnan> : T<f32>
       %a = arith.addf %m, %bb fastmath<nnan> : T<f32>
       %y = arith.extf %a : T<f32> to T<f64>
       %r = fusion.reduce maximumf %y dims = [1] : T<f64> -> R<f64>
       return %r : R<f64>)",
     true},
    {"MaximumOfEqual", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.maximumf %x, %bb : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"SmallMultiple", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %s = fusion.broadcast %b dims = [0] : R<f32> -> tensor<100000x3xf32>
       %r = fusion.reduce add %s dims = [1] : tensor<100000x3xf32> -> R<f32>
       return %r : R<f32>)"},
    {"ProductOfNegations", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.negf %x : T<f32>
       %r = fusion.reduce mul %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Merge", "(%x: T<f32>, %b: R<f32>) -> tensor<f32>", R"(
       %p = fusion.reduce minimumf %x dims = [1] : T<f32> -> R<f32>
       %r = fusion.reduce minimumf %p dims = [0] : R<f32> -> tensor<f32>
       return %r : tensor<f32>)"},
    {"IntegerSum", "(%x: T<i32>, %b: R<i32>) -> R<i32>", R"(
       %m = arith.muli %x, %bb overflow<nsw> : T<i32>
       %y = arith.addi %m, %bb : T<i32>
       %r = fusion.reduce add %y dims = [1] : T<i32> -> R<i32>
       return %r : R<i32>)"},
    {"IntegerMultiple", "(%x: T<i8>, %b: R<i8>) -> R<i8>", R"(
       %r = fusion.reduce add %bb dims = [1] : T<i8> -> R<i8>
       return %r : R<i8>)"},
    {"IntegerProduct", "(%x: T<i16>, %b: R<i16>) -> R<i16>", R"(
       %y = arith.muli %x, %bb : T<i16>
       %r = fusion.reduce mul %y dims = [1] : T<i16> -> R<i16>
       return %r : R<i16>)"},
    {"IntegerMinimum", "(%x: T<i8>, %b: R<i8>) -> R<i32>", R"(
       %l = arith.maxsi %x, %bb : T<i8>
       %y = arith.extsi %l : T<i8> to T<i32>
       %r = fusion.reduce minsi %y dims = [1] : T<i32> -> R<i32>
       return %r : R<i32>)"},
    {"UnsignedMaximum", "(%x: T<i8>, %b: R<i8>) -> R<i16>", R"(
       %l = arith.minui %x, %bb : T<i8>
       %y = arith.extui %l : T<i8> to T<i16>
       %r = fusion.reduce maxui %y dims = [1] : T<i16> -> R<i16>
       return %r : R<i16>)"},
    {"And", "(%x: T<i32>, %b: R<i32>) -> R<i32>", R"(
       %y = arith.ori %x, %bb : T<i32>
       %r = fusion.reduce and %y dims = [1] : T<i32> -> R<i32>
       return %r : R<i32>)"},
    {"Or", "(%x: T<i1>, %b: R<i1>) -> R<i1>", R"(
       %true = arith.constant dense<true> : T<i1>
       %not = arith.xori %x, %true : T<i1>
       %y = arith.andi %not, %bb : T<i1>
       %r = fusion.reduce or %y dims = [1] : T<i1> -> R<i1>
       return %r : R<i1>)"},
    {"OrOfOr", "(%x: T<i32>, %b: R<i32>) -> R<i32>", R"(
       %y = arith.ori %x, %bb : T<i32>
       %r = fusion.reduce or %y dims = [1] : T<i32> -> R<i32>
       return %r : R<i32>)"},
    {"Xor", "(%x: T<i32>, %b: R<i32>) -> R<i32>", R"(
       %a = arith.andi %x, %bb : T<i32>
       %y = arith.xori %a, %bb : T<i32>
       %r = fusion.reduce xor %y dims = [1] : T<i32> -> R<i32>
       return %r : R<i32>)"},
};

TEST_P(ExactRule, SameBits) {
  const Rule &rule = GetParam();
  if (!prepare(getProgram(rule, 100000, 5), createReorderReductionsPass()))
    return;
  expectSameBits(makeInputs(5, rule.isFinite ? drawFinite : drawSpecial),
                 rule.ignoresZeroSign);
}

INSTANTIATE_TEST_SUITE_P(Algebra, ExactRule, ::testing::ValuesIn(exactRules),
                         getName);

//===----------------------------------------------------------------------===//
// Rules that round differently
//===----------------------------------------------------------------------===//

static const Rule roundingRules[] = {
    {"Product", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.mulf %x, %bb fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"ProductInBF16", "(%x: T<bf16>, %b: R<bf16>) -> R<f32>", R"(
       %xw = arith.extf %x : T<bf16> to T<f32>
       %bw = arith.extf %bb : T<bf16> to T<f32>
       %y = arith.mulf %xw, %bw fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Quotient", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.divf %x, %bb fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Affine", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %m = arith.mulf %x, %bb fastmath<reassoc> : T<f32>
       %y = arith.addf %m, %bb fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Difference", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %two = arith.constant dense<2.0> : T<f32>
       %t = arith.mulf %x, %two fastmath<reassoc> : T<f32>
       %d = arith.divf %bb, %two fastmath<reassoc> : T<f32>
       %u = arith.divf %d, %two fastmath<reassoc> : T<f32>
       %y = arith.subf %t, %u fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Multiple", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %r = fusion.reduce add %bb dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Negation", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.negf %x fastmath<nsz> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<nsz> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Norm", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %m = arith.mulf %x, %bb fastmath<reassoc> : T<f32>
       %y = arith.mulf %m, %m fastmath<reassoc> : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Magnitudes", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %m = arith.mulf %x, %bb fastmath<reassoc> : T<f32>
       %y = math.absf %m : T<f32>
       %r = fusion.reduce add %y dims = [1] fastmath<reassoc> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Power", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = arith.mulf %x, %bb fastmath<reassoc> : T<f32>
       %r = fusion.reduce mul %y dims = [1] fastmath<reassoc,nnan,ninf> : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Exponential", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %y = math.exp %x fastmath<afn> : T<f32>
       %r = fusion.reduce maximumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
    {"Logarithm", "(%x: T<f32>, %b: R<f32>) -> R<f32>", R"(
       %a = math.absf %x : T<f32>
       %y = math.log %a fastmath<afn> : T<f32>
       %r = fusion.reduce minimumf %y dims = [1] : T<f32> -> R<f32>
       return %r : R<f32>)"},
};

TEST_P(RoundingRule, WithinBounds) {
  if (!prepare(getProgram(GetParam(), 200, 5), createReorderReductionsPass()))
    return;
  expectVerified(makeInputs(5, drawPositive));
}

INSTANTIATE_TEST_SUITE_P(Algebra, RoundingRule,
                         ::testing::ValuesIn(roundingRules), getName);

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
