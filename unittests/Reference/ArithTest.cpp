//===- ArithTest.cpp - Operations of arith --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"
#include <map>

using namespace mlir;
using namespace mlir::fusion;

namespace {
class ArithTest : public ReferenceTest {
protected:
  /// Applies a binary operation to vectors of `type`.
  std::vector<double> binary(StringRef op, StringRef type, ArrayRef<double> a,
                             ArrayRef<double> b,
                             Precision precision = Precision::Double) {
    auto n = static_cast<int64_t>(a.size());
    std::string tensor = ("tensor<" + Twine(n) + "x" + type + ">").str();
    std::string source =
        ("func.func @f(%a: " + tensor + ", %b: " + tensor + ") -> " + tensor +
         " {\n %r = " + op + " %a, %b : " + tensor +
         "\n return %r : " + tensor + "\n}")
            .str();
    return run(source, {makeTensor(type, {n}, a), makeTensor(type, {n}, b)},
               precision);
  }

  /// Applies a comparison to vectors of `type`.
  std::vector<double> compare(StringRef op, StringRef type, ArrayRef<double> a,
                              ArrayRef<double> b) {
    auto n = static_cast<int64_t>(a.size());
    std::string tensor = ("tensor<" + Twine(n) + "x" + type + ">").str();
    std::string result = ("tensor<" + Twine(n) + "xi1>").str();
    std::string source =
        ("func.func @f(%a: " + tensor + ", %b: " + tensor + ") -> " + result +
         " {\n %r = " + op + ", %a, %b : " + tensor +
         "\n return %r : " + result + "\n}")
            .str();
    return run(source, {makeTensor(type, {n}, a), makeTensor(type, {n}, b)});
  }

  /// Converts a vector.
  std::vector<double> convert(StringRef op, StringRef from, StringRef to,
                              ArrayRef<double> in) {
    auto n = static_cast<int64_t>(in.size());
    std::string a = ("tensor<" + Twine(n) + "x" + from + ">").str();
    std::string b = ("tensor<" + Twine(n) + "x" + to + ">").str();
    std::string source =
        ("func.func @f(%a: " + a + ") -> " + b + " {\n %r = " + op +
         " %a : " + a + " to " + b + "\n return %r : " + b + "\n}")
            .str();
    return run(source, {makeTensor(from, {n}, in)});
  }
};
} // namespace

TEST_F(ArithTest, FloatOperations) {
  expectSame(binary("arith.addf", "f32", {1, -0.0, inf}, {2, -0.0, -inf}),
             {3, -0.0, nan});
  expectSame(binary("arith.subf", "f32", {1, 0, inf}, {2, 0, inf}),
             {-1, 0, nan});
  expectSame(binary("arith.mulf", "f32", {3, -0.0, 0}, {2, 5, inf}),
             {6, -0.0, nan});
  expectSame(binary("arith.divf", "f32", {1, 1, 0, -1}, {4, 0, 0, 0}),
             {0.25, inf, nan, -inf});
  expectSame(binary("arith.remf", "f32", {7, -7, 5}, {3, 3, 0}), {1, -1, nan});
  HostTensor x = makeTensor("f32", {2}, {0.0, 3});
  expectSame(run(R"(func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %r = arith.negf %x : tensor<2xf32>
    return %r : tensor<2xf32>
  })",
                 {x}),
             {-0.0, -3});
}

TEST_F(ArithTest, EveryFloatType) {
  for (const char *type : {"f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2"})
    for (Precision precision : {Precision::Double, Precision::Type})
      expectSame(binary("arith.addf", type, {1.5, -2}, {0.25, 2}, precision),
                 {1.75, 0.0});
}

TEST_F(ArithTest, EveryIntegerType) {
  for (const char *type : {"i8", "i16", "i32", "i64", "index"})
    expectSame(binary("arith.subi", type, {5, -7}, {9, -100}), {-4, 93});
}

TEST_F(ArithTest, MinimaAndMaxima) {
  expectSame(binary("arith.maximumf", "f32", {1, nan, -0.0}, {2, 1, 0.0}),
             {2, nan, 0.0});
  expectSame(binary("arith.minimumf", "f32", {1, nan, 0.0}, {2, 1, -0.0}),
             {1, nan, -0.0});
  expectSame(binary("arith.maxnumf", "f32", {1, nan, nan}, {2, 1, nan}),
             {2, 1, nan});
  expectSame(binary("arith.minnumf", "f32", {1, nan, nan}, {2, 1, nan}),
             {1, 1, nan});
}

TEST_F(ArithTest, OverflowFollowsTheType) {
  expectSame(binary("arith.addf", "f16", {65504, 65504, -65504}, {8, 16, -16}),
             {65504, inf, -inf});
  expectSame(binary("arith.mulf", "f32", {3e38, -3e38}, {2, 2}), {inf, -inf});
  expectSame(binary("arith.mulf", "f8E4M3FN", {256, 256}, {1.75, 2}),
             {448, nan});
  // An intermediate overflow is infinite, also if the end result would fit.
  HostTensor x = makeTensor("f16", {1}, {60000});
  expectSame(run(R"(func.func @f(%x: tensor<1xf16>) -> tensor<1xf16> {
    %s = arith.addf %x, %x : tensor<1xf16>
    %r = arith.subf %s, %x : tensor<1xf16>
    return %r : tensor<1xf16>
  })",
                 {x}),
             {inf});
}

TEST_F(ArithTest, PrecisionsDiffer) {
  // In double 1 + 2^-24 - 1 is 2^-24; in f32 the first sum rounds to 1.
  StringRef source = R"(func.func @f(%x: tensor<f32>, %y: tensor<f32>)
      -> tensor<f32> {
    %s = arith.addf %x, %y : tensor<f32>
    %r = arith.subf %s, %x : tensor<f32>
    return %r : tensor<f32>
  })";
  SmallVector<HostTensor> inputs = {makeTensor("f32", {}, {1}),
                                    makeTensor("f32", {}, {0x1p-24})};
  expectSame(run(source, inputs), {0x1p-24});
  expectSame(run(source, inputs, Precision::Type), {0.0});
}

TEST_F(ArithTest, SubnormalNumbersAreKept) {
  expectSame(
      binary("arith.mulf", "f32", {0x1p-126}, {0x1p-10}, Precision::Type),
      {0x1p-136});
  expectSame(
      binary("arith.mulf", "f32", {0x1p-126}, {0x1p-24}, Precision::Type),
      {0.0});
}

TEST_F(ArithTest, Comparisons) {
  std::vector<double> a = {1, 2, 2, nan, 0.0}, b = {2, 1, 2, 1, -0.0};
  std::map<std::string, std::vector<double>> expected = {
      {"false", {0, 0, 0, 0, 0}}, {"oeq", {0, 0, 1, 0, 1}},
      {"ogt", {0, 1, 0, 0, 0}},   {"oge", {0, 1, 1, 0, 1}},
      {"olt", {1, 0, 0, 0, 0}},   {"ole", {1, 0, 1, 0, 1}},
      {"one", {1, 1, 0, 0, 0}},   {"ord", {1, 1, 1, 0, 1}},
      {"ueq", {0, 0, 1, 1, 1}},   {"ugt", {0, 1, 0, 1, 0}},
      {"uge", {0, 1, 1, 1, 1}},   {"ult", {1, 0, 0, 1, 0}},
      {"ule", {1, 0, 1, 1, 1}},   {"une", {1, 1, 0, 1, 0}},
      {"uno", {0, 0, 0, 1, 0}},   {"true", {1, 1, 1, 1, 1}}};
  for (auto &[predicate, values] : expected)
    expectSame(compare("arith.cmpf " + predicate, "f32", a, b), values);
}

TEST_F(ArithTest, IntegerComparisons) {
  std::vector<double> a = {1, -1, 3}, b = {2, 1, 3};
  std::map<std::string, std::vector<double>> expected = {
      {"eq", {0, 0, 1}},  {"ne", {1, 1, 0}},  {"slt", {1, 1, 0}},
      {"sle", {1, 1, 1}}, {"sgt", {0, 0, 0}}, {"sge", {0, 0, 1}},
      {"ult", {1, 0, 0}}, {"ule", {1, 0, 1}}, {"ugt", {0, 1, 0}},
      {"uge", {0, 1, 1}}};
  for (auto &[predicate, values] : expected)
    expectSame(compare("arith.cmpi " + predicate, "i8", a, b), values);
  // As a signed number true is -1.
  expectSame(compare("arith.cmpi slt", "i1", {1, 0}, {0, 1}), {1, 0});
  expectSame(compare("arith.cmpi ult", "i1", {1, 0}, {0, 1}), {0, 1});
}

TEST_F(ArithTest, IntegerOperationsWrapAround) {
  expectSame(binary("arith.addi", "i8", {127, 100}, {1, 100}), {-128, -56});
  expectSame(binary("arith.muli", "i8", {16, -128}, {16, -1}), {0, -128});
  expectSame(binary("arith.addi", "i1", {1, 1}, {1, 0}), {0, 1});
  expectSame(binary("arith.andi", "i8", {12, -1}, {10, 7}), {8, 7});
  expectSame(binary("arith.ori", "i8", {12}, {10}), {14});
  expectSame(binary("arith.xori", "i8", {12}, {10}), {6});
  expectSame(binary("arith.maxsi", "i8", {-1, 3}, {1, 2}), {1, 3});
  expectSame(binary("arith.minsi", "i8", {-1, 3}, {1, 2}), {-1, 2});
  expectSame(binary("arith.maxui", "i8", {-1, 3}, {1, 2}), {-1, 3});
  expectSame(binary("arith.minui", "i8", {-1, 3}, {1, 2}), {1, 2});
}

TEST_F(ArithTest, ShiftsAndDivisions) {
  expectSame(binary("arith.shli", "i8", {1, 64, 1}, {3, 1, 8}), {8, -128, 0});
  expectSame(binary("arith.shrui", "i8", {-1, 8, 1}, {4, 3, 9}), {15, 1, 0});
  expectSame(binary("arith.shrsi", "i8", {-128, 8}, {3, 9}), {-16, 0});
  expectSame(binary("arith.divsi", "i8", {-7, 7, -128}, {2, -2, -1}),
             {-3, -3, -128});
  expectSame(binary("arith.divui", "i8", {-1, 7}, {2, 2}), {127, 3});
  expectSame(binary("arith.remsi", "i8", {-7, 7, -128}, {2, -2, -1}),
             {-1, 1, 0});
  expectSame(binary("arith.remui", "i8", {-1}, {2}), {1});
  expectSame(binary("arith.floordivsi", "i8", {-7, 7, 6}, {2, 2, -2}),
             {-4, 3, -3});
  expectSame(binary("arith.ceildivsi", "i8", {-7, 7, 6}, {2, 2, -4}),
             {-3, 4, -1});
  expectSame(binary("arith.ceildivui", "i8", {7, -1}, {2, 2}), {4, -128});
}

TEST_F(ArithTest, DivisionByZeroIsAnError) {
  std::string message = runExpectingError(
      R"(func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> {
    %r = arith.divsi %a, %a : tensor<2xi32>
    return %r : tensor<2xi32>
  })",
      {makeTensor("i32", {2}, {1, 0})});
  EXPECT_NE(message.find("expected divisors other than 0"), std::string::npos)
      << message;
}

TEST_F(ArithTest, SelectBetweenTensors) {
  StringRef source = R"(func.func @f(%c: tensor<3xi1>, %a: tensor<3xf32>,
      %b: tensor<3xf32>) -> tensor<3xf32> {
    %r = arith.select %c, %a, %b : tensor<3xi1>, tensor<3xf32>
    return %r : tensor<3xf32>
  })";
  HostTensor a = makeTensor("f32", {3}, {1, 2, 3});
  HostTensor b = makeTensor("f32", {3}, {4, nan, 6});
  expectSame(run(source, {makeTensor("i1", {3}, {1, 0, 0}), a, b}),
             {1, nan, 6});
}

TEST_F(ArithTest, SelectOfAWholeTensor) {
  StringRef source = R"(func.func @f(%c: i1, %a: tensor<2xi32>,
      %b: tensor<2xi32>) -> tensor<2xi32> {
    %r = arith.select %c, %a, %b : tensor<2xi32>
    return %r : tensor<2xi32>
  })";
  HostTensor a = makeTensor("i32", {2}, {1, 2});
  HostTensor b = makeTensor("i32", {2}, {3, 4});
  expectSame(run(source, {makeTensor("i1", {}, {0}), a, b}), {3, 4});
}

TEST_F(ArithTest, FloatConversions) {
  expectSame(convert("arith.extf", "bf16", "f32", {1.5, -0.0, inf}),
             {1.5, -0.0, inf});
  // Ties go to even; overflow is the type's.
  expectSame(convert("arith.truncf", "f32", "bf16", {257, 259, 3.4e38}),
             {256, 260, inf});
  expectSame(convert("arith.truncf", "f32", "f16", {65519, 65520, nan}),
             {65504, inf, nan});
  expectSame(convert("arith.truncf", "f32", "f8E4M3FN", {464, 465, -1e9}),
             {448, nan, nan});
  expectSame(convert("arith.truncf", "f64", "f32", {1 + 0x1p-24}), {1});
}

TEST_F(ArithTest, IntegerConversions) {
  expectSame(convert("arith.extsi", "i8", "i32", {-1, 5}), {-1, 5});
  expectSame(convert("arith.extui", "i8", "i32", {-1, 5}), {255, 5});
  expectSame(convert("arith.extsi", "i1", "i8", {1, 0}), {-1, 0});
  expectSame(convert("arith.extui", "i1", "i8", {1, 0}), {1, 0});
  expectSame(convert("arith.trunci", "i32", "i8", {257, 128}), {1, -128});
  expectSame(convert("arith.trunci", "i32", "i1", {3, 2}), {1, 0});
  expectSame(convert("arith.index_cast", "i32", "index", {-3}), {-3});
  expectSame(convert("arith.index_castui", "i8", "index", {-1}), {255});
}

TEST_F(ArithTest, FloatsAndIntegers) {
  expectSame(convert("arith.sitofp", "i8", "f32", {-1, 5}), {-1, 5});
  expectSame(convert("arith.uitofp", "i8", "f32", {-1, 5}), {255, 5});
  expectSame(convert("arith.sitofp", "i1", "f32", {1}), {-1});
  expectSame(convert("arith.uitofp", "i1", "f32", {1}), {1});
  expectSame(convert("arith.sitofp", "i32", "f32", {16777217, 16777219}),
             {16777216, 16777220});
  expectSame(convert("arith.fptosi", "f32", "i8", {-1.9, 1.9, 300, -300, nan}),
             {-1, 1, 127, -128, 0});
  expectSame(convert("arith.fptoui", "f32", "i8", {200.5, -3, 300}),
             {-56, 0, -1});
  expectSame(convert("arith.bitcast", "f32", "i32", {1.0, -0.0}),
             {0x3f800000, -2147483648.0});
  expectSame(convert("arith.bitcast", "i16", "bf16", {0x3f80, -32768}),
             {1.0, -0.0});
}

TEST_F(ArithTest, LargeIntegersRoundToFloatOnce) {
  HostTensor x(getType("i64"), {1});
  // Just above a tie of f32: rounding to double first would lose that.
  int64_t value = (int64_t(1) << 62) + (int64_t(1) << 38) + 1;
  x.writeFromInteger(0, 1, &value);
  expectSame(run(R"(func.func @f(%x: tensor<1xi64>) -> tensor<1xf32> {
    %r = arith.sitofp %x : tensor<1xi64> to tensor<1xf32>
    return %r : tensor<1xf32>
  })",
                 {x}),
             {0x1p62 + 0x1p39});
}

TEST_F(ArithTest, Constants) {
  expectSame(run(R"(func.func @f() -> tensor<2x2xf16> {
    %r = arith.constant dense<[[1.0, -2.5], [0x7C00, 0.5]]> : tensor<2x2xf16>
    return %r : tensor<2x2xf16>
  })",
                 {}),
             {1, -2.5, inf, 0.5});
  expectSame(run(R"(func.func @f() -> tensor<3xi1> {
    %r = arith.constant dense<[true, false, true]> : tensor<3xi1>
    return %r : tensor<3xi1>
  })",
                 {}),
             {1, 0, 1});
  expectSame(run(R"(func.func @f() -> tensor<2xi64> {
    %r = arith.constant dense<-7> : tensor<2xi64>
    return %r : tensor<2xi64>
  })",
                 {}),
             {-7, -7});
  expectSame(run("func.func @f() -> f32 {\n %r = arith.constant 3.5 : f32\n"
                 "return %r : f32\n}",
                 {}),
             {3.5});
}

TEST_F(ArithTest, ResourceConstants) {
  expectSame(run(R"(func.func @f() -> tensor<2xf32> {
    %r = arith.constant dense_resource<data> : tensor<2xf32>
    return %r : tensor<2xf32>
  }
  {-# dialect_resources: { builtin: {
    data: "0x040000000000803f000000c0"
  } } #-})",
                 {}),
             {1, -2});
}
