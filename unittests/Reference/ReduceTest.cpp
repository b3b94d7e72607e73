//===- ReduceTest.cpp - Reductions ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class ReduceTest : public ReferenceTest {
protected:
  /// Reduces a tensor of `from` over `dims`.
  std::vector<double> reduce(StringRef kind, StringRef from, StringRef to,
                             StringRef dims, HostTensor input,
                             Precision precision = Precision::Double) {
    std::string source =
        ("func.func @f(%x: tensor<" + from + ">) -> tensor<" + to +
         "> {\n  %r = fusion.reduce " + kind + " %x dims = [" + dims +
         "] : tensor<" + from + "> -> tensor<" + to +
         ">\n  return %r : tensor<" + to + ">\n}")
            .str();
    return run(source, {input}, precision);
  }
};
} // namespace

TEST_F(ReduceTest, RowsColumnsAllAndNone) {
  HostTensor x = makeTensor("f32", {2, 3}, {1, 2, 3, 10, 20, 30});
  expectSame(reduce("add", "2x3xf32", "2xf32", "1", x), {6, 60});
  expectSame(reduce("add", "2x3xf32", "3xf32", "0", x), {11, 22, 33});
  expectSame(reduce("add", "2x3xf32", "f32", "0, 1", x), {66});
  expectSame(reduce("add", "2x3xf32", "2x3xf32", "", x), {1, 2, 3, 10, 20, 30});
}

TEST_F(ReduceTest, RankZero) {
  HostTensor x = makeTensor("f32", {}, {5});
  expectSame(reduce("mul", "f32", "f32", "", x), {5});
}

TEST_F(ReduceTest, MixedDimensionsOfRankFour) {
  std::vector<double> values(2 * 3 * 4 * 5);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i);
  HostTensor x = makeTensor("f32", {2, 3, 4, 5}, values);
  std::vector<double> expected(3 * 5, 0.0);
  for (size_t i = 0; i < values.size(); ++i)
    expected[i / 20 % 3 * 5 + i % 5] += values[i];
  expectSame(reduce("add", "2x3x4x5xf32", "3x5xf32", "0, 2", x), expected);
  std::vector<double> greatest(2 * 4, -inf);
  for (size_t i = 0; i < values.size(); ++i) {
    double &g = greatest[i / 60 * 4 + i / 5 % 4];
    g = std::max(g, values[i]);
  }
  expectSame(reduce("maximumf", "2x3x4x5xf32", "2x4xf32", "1, 3", x), greatest);
}

TEST_F(ReduceTest, NoElements) {
  HostTensor x(getType("f32"), {2, 0});
  expectSame(reduce("add", "2x0xf32", "2xf32", "1", x), {0.0, 0.0});
  expectSame(reduce("mul", "2x0xf32", "2xf32", "1", x), {1, 1});
  expectSame(reduce("maximumf", "2x0xf32", "2xf32", "1", x), {-inf, -inf});
  expectSame(reduce("minimumf", "2x0xf32", "2xf32", "1", x), {inf, inf});
  expectSame(reduce("maxnumf", "2x0xf32", "2xf32", "1", x), {nan, nan});
  expectSame(reduce("minnumf", "2x0xf32", "2xf32", "1", x), {nan, nan});
  expectSame(reduce("add", "2x0xf32", "0xf32", "0", x), {});
  HostTensor i(getType("i8"), {0});
  expectSame(reduce("minsi", "0xi8", "i8", "0", i), {127});
  expectSame(reduce("maxsi", "0xi8", "i8", "0", i), {-128});
  expectSame(reduce("minui", "0xi8", "i8", "0", i), {-1});
  expectSame(reduce("maxui", "0xi8", "i8", "0", i), {0});
  expectSame(reduce("and", "0xi8", "i8", "0", i), {-1});
  expectSame(reduce("add", "0xi8", "i8", "0", i), {0});
  HostTensor f8(getType("f8E4M3FN"), {0});
  expectSame(reduce("maximumf", "0xf8E4M3FN", "f8E4M3FN", "0", f8), {nan});
  expectSame(reduce("maximumf", "0xf8E4M3FN", "f32", "0", f8), {-inf});
}

TEST_F(ReduceTest, NegativeZeros) {
  HostTensor x = makeTensor("f32", {3}, {-0.0, -0.0, -0.0});
  expectSame(reduce("add", "3xf32", "f32", "0", x), {-0.0});
  HostTensor y = makeTensor("f32", {2}, {-0.0, 0.0});
  expectSame(reduce("add", "2xf32", "f32", "0", y), {0.0});
  expectSame(reduce("maximumf", "2xf32", "f32", "0", y), {0.0});
  expectSame(reduce("minimumf", "2xf32", "f32", "0", y), {-0.0});
}

TEST_F(ReduceTest, NotANumber) {
  HostTensor x = makeTensor("f32", {3}, {1, nan, 2});
  expectSame(reduce("maximumf", "3xf32", "f32", "0", x), {nan});
  expectSame(reduce("minimumf", "3xf32", "f32", "0", x), {nan});
  expectSame(reduce("maxnumf", "3xf32", "f32", "0", x), {2});
  expectSame(reduce("minnumf", "3xf32", "f32", "0", x), {1});
  expectSame(reduce("add", "3xf32", "f32", "0", x), {nan});
  HostTensor all = makeTensor("f32", {2}, {nan, nan});
  expectSame(reduce("maxnumf", "2xf32", "f32", "0", all), {nan});
  HostTensor infinities = makeTensor("f32", {2}, {inf, -inf});
  expectSame(reduce("add", "2xf32", "f32", "0", infinities), {nan});
}

TEST_F(ReduceTest, IntegersWrapAround) {
  HostTensor x = makeTensor("i8", {3}, {100, 100, -128});
  expectSame(reduce("add", "3xi8", "i8", "0", x), {72});
  expectSame(reduce("mul", "3xi8", "i8", "0", x), {0});
  expectSame(reduce("maxui", "3xi8", "i8", "0", x), {-128});
  expectSame(reduce("minui", "3xi8", "i8", "0", x), {100});
  expectSame(reduce("minsi", "3xi8", "i8", "0", x), {-128});
  expectSame(reduce("maxsi", "3xi8", "i8", "0", x), {100});
  expectSame(reduce("xor", "3xi8", "i8", "0", x), {-128});
  expectSame(reduce("or", "3xi8", "i8", "0", x), {-28});
}

TEST_F(ReduceTest, Booleans) {
  HostTensor x = makeTensor("i1", {3}, {1, 1, 0});
  expectSame(reduce("add", "3xi1", "i1", "0", x), {0});
  expectSame(reduce("or", "3xi1", "i1", "0", x), {1});
  expectSame(reduce("and", "3xi1", "i1", "0", x), {0});
  // As a signed number true is -1.
  expectSame(reduce("maxsi", "3xi1", "i1", "0", x), {0});
  expectSame(reduce("minsi", "3xi1", "i1", "0", x), {1});
}

TEST_F(ReduceTest, LargeIntegersAreExact) {
  HostTensor x(getType("i64"), {2});
  int64_t in[] = {(int64_t(1) << 62) + 1, 2};
  x.writeFromInteger(0, 2, in);
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<2xi64>) -> tensor<i64> {
    %r = fusion.reduce add %x dims = [0] : tensor<2xi64> -> tensor<i64>
    return %r : tensor<i64>
  })");
  FailureOr<SmallVector<HostTensor>> results = evaluate(f, {x});
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(*results->front().getDataAs<int64_t>(), (int64_t(1) << 62) + 3);
}

TEST_F(ReduceTest, NarrowResultsRoundOnce) {
  // 256 + 1 + 1: in bf16 each addition of 1 would be lost, once rounded the
  // exact sum 258 stays.
  HostTensor x = makeTensor("bf16", {3}, {256, 1, 1});
  for (Precision precision : {Precision::Double, Precision::Type})
    expectSame(reduce("add", "3xbf16", "bf16", "0", x, precision), {258});
  // The exact sum 257 is a tie: to the even 256.
  HostTensor y = makeTensor("bf16", {2}, {256, 1});
  expectSame(reduce("add", "2xbf16", "bf16", "0", y), {256});
  expectSame(reduce("add", "2xbf16", "f32", "0", y), {257});
}

TEST_F(ReduceTest, OverflowIsThatOfTheResult) {
  HostTensor x = makeTensor("f16", {2}, {65504, 65504});
  expectSame(reduce("add", "2xf16", "f16", "0", x), {inf});
  expectSame(reduce("add", "2xf16", "f32", "0", x), {131008});
  HostTensor y = makeTensor("f32", {2}, {3e38, 3e38});
  expectSame(reduce("add", "2xf32", "f32", "0", y), {inf});
  HostTensor z = makeTensor("f8E4M3FN", {2}, {448, 448});
  expectSame(reduce("add", "2xf8E4M3FN", "f8E4M3FN", "0", z), {nan});
}

TEST_F(ReduceTest, TypePrecisionAccumulatesInF32) {
  // 2^24 + 1 + 1 one after the other in f32 stays 2^24; in double it does not.
  HostTensor x = makeTensor("f32", {3}, {16777216, 1, 1});
  expectSame(reduce("add", "3xf32", "f32", "0", x, Precision::Type),
             {16777216});
  expectSame(reduce("add", "3xf32", "f32", "0", x), {16777218});
}

TEST_F(ReduceTest, LargeReductionsOfBothKinds) {
  // Sums of small integers are exact in any order, so every chunking agrees.
  const int64_t rows = 300, columns = 700;
  std::vector<double> values(rows * columns), row(rows), column(columns);
  double all = 0;
  for (int64_t i = 0; i < rows * columns; ++i) {
    values[i] = static_cast<double>(i * 7919 % 17 - 8);
    row[i / columns] += values[i];
    column[i % columns] += values[i];
    all += values[i];
  }
  HostTensor x = makeTensor("f32", {rows, columns}, values);
  for (Precision precision : {Precision::Double, Precision::Type}) {
    expectSame(reduce("add", "300x700xf32", "300xf32", "1", x, precision), row);
    expectSame(reduce("add", "300x700xf32", "700xf32", "0", x, precision),
               column);
    expectSame(reduce("add", "300x700xf32", "f32", "0, 1", x, precision),
               {all});
  }
}

TEST_F(ReduceTest, ReductionsOfReductions) {
  HostTensor x = makeTensor("f32", {2, 2}, {1, 2, 3, 6});
  // Variance of each row.
  expectSame(run(R"(func.func @f(%x: tensor<2x2xf32>) -> tensor<2xf32> {
    %half = arith.constant dense<0.5> : tensor<2xf32>
    %s = fusion.reduce add %x dims = [1] : tensor<2x2xf32> -> tensor<2xf32>
    %m = arith.mulf %s, %half : tensor<2xf32>
    %b = fusion.broadcast %m dims = [0] : tensor<2xf32> -> tensor<2x2xf32>
    %d = arith.subf %x, %b : tensor<2x2xf32>
    %q = arith.mulf %d, %d : tensor<2x2xf32>
    %t = fusion.reduce add %q dims = [1] : tensor<2x2xf32> -> tensor<2xf32>
    %v = arith.mulf %t, %half : tensor<2xf32>
    return %v : tensor<2xf32>
  })",
                 {x}),
             {0.25, 2.25});
}
