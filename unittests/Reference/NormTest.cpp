//===- NormTest.cpp - The relative L2 error that is accepted --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/Verify.h"
#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class NormTest : public ReferenceTest {
protected:
  HostTensor compute(func::FuncOp function, ArrayRef<HostTensor> inputs,
                     Precision precision) {
    FailureOr<SmallVector<HostTensor>> results =
        evaluate(function, inputs, {precision});
    EXPECT_TRUE(succeeded(results)) << errors;
    return results->front();
  }

  ResultReport check(func::FuncOp function, ArrayRef<HostTensor> inputs,
                     const HostTensor &actual, VerifyOptions options = {}) {
    FailureOr<VerifyReport> report =
        verify(function, inputs, {actual}, options);
    EXPECT_TRUE(succeeded(report)) << errors;
    return report->results.front();
  }

  /// Gives all elements the same relative error.
  static void scale(HostTensor &tensor, double factor) {
    std::vector<double> values = getValues(tensor);
    for (double &value : values)
      value *= factor;
    tensor.writeFromDouble(0, tensor.getNumElements(), values.data());
  }

  /// Expects that what a program gives that rounds every operation is right,
  /// for eight inputs of which some are off by more than 1e-6, and that it is
  /// not with a common error of 6e-6, which is within each element's bound.
  void expectOnlyRoundings(StringRef source, ArrayRef<int64_t> shape,
                           ArrayRef<HostTensor> others) {
    func::FuncOp f = parse(source);
    double greatest = 0.0;
    for (unsigned seed = 0; seed < 8; ++seed) {
      SmallVector<HostTensor> inputs = {makeRandom("f32", shape, seed)};
      inputs.append(others.begin(), others.end());
      HostTensor actual = compute(f, inputs, Precision::Type);
      ResultReport report = check(f, inputs, actual);
      EXPECT_TRUE(report.passed) << "seed " << seed << ": " << report.reason;
      greatest = std::max(greatest, report.relativeL2);
      actual = compute(f, inputs, Precision::Double);
      scale(actual, 1.0 + 6e-6);
      report = check(f, inputs, actual);
      EXPECT_FALSE(report.passed) << "seed " << seed;
      EXPECT_EQ(report.numFailed, 0) << "seed " << seed;
    }
    EXPECT_GT(greatest, 1e-6);
  }
};
} // namespace

// exp(18.5 x) of normal x: one element of a row or column is most of its sum,
// and the rounding of 18.5 x, magnified, most of its error.
TEST_F(NormTest, SumsThatOneElementDominates) {
  for (auto [dim, result] : {std::pair("0", "128"), std::pair("1", "64")}) {
    SCOPED_TRACE(dim);
    std::string type = "tensor<" + std::string(result) + "xf32>";
    expectOnlyRoundings("func.func @f(%x: tensor<64x128xf32>) -> " + type +
                            R"( {
  %c = arith.constant dense<18.5> : tensor<64x128xf32>
  %m = arith.mulf %x, %c : tensor<64x128xf32>
  %e = math.exp %m : tensor<64x128xf32>
  %r = fusion.reduce add %e dims = [)" +
                            dim + "] : tensor<64x128xf32> -> " + type +
                            "\n  return %r : " + type + "\n}",
                        {64, 128}, {});
  }
}

// All elements of a row have the error of its factor.
TEST_F(NormTest, SumsOfElementsWithOneError) {
  HostTensor x = makeRandom("f32", {4, 512}, 9);
  for (float &value : MutableArrayRef(x.getDataAs<float>(), 4 * 512))
    value = std::fabs(value);
  expectOnlyRoundings(
      R"(func.func @f(%s: tensor<4xf32>, %x: tensor<4x512xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<18.5> : tensor<4xf32>
  %m = arith.mulf %s, %c : tensor<4xf32>
  %e = math.exp %m : tensor<4xf32>
  %b = fusion.broadcast %e dims = [0] : tensor<4xf32> -> tensor<4x512xf32>
  %p = arith.mulf %x, %b : tensor<4x512xf32>
  %r = fusion.reduce add %p dims = [1] : tensor<4x512xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
})",
      {4}, {x});
}

// Any order of 65,536 additions has a bound of 256 roundings for each element;
// the norm of all concedes none of it.
TEST_F(NormTest, LengthAloneConcedesNothing) {
  func::FuncOp f =
      parse(R"(func.func @f(%x: tensor<2x65536xf32>) -> tensor<2xf32> {
  %a = math.absf %x : tensor<2x65536xf32>
  %r = fusion.reduce add %a dims = [1] : tensor<2x65536xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
})");
  HostTensor x = makeRandom("f32", {2, 65536}, 1);
  HostTensor actual = compute(f, {x}, Precision::Double);
  EXPECT_TRUE(check(f, {x}, actual).passed);
  scale(actual, 1.0 + 3e-6);
  ResultReport report = check(f, {x}, actual);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.numFailed, 0);
  EXPECT_EQ(report.acceptedL2, 1e-6);
}

// The first sum overflows in some orders; it concedes nothing to the second,
// which may be off by about 3e-4.
TEST_F(NormTest, UndecidedElementsConcedeNothing) {
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %r = fusion.reduce add %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
  return %r : tensor<2xf32>
})");
  HostTensor x =
      makeTensor("f32", {2, 3}, {3e38, 3e38, -3e38, 100.1, 33.3, -133.3});
  VerifyOptions options;
  options.errorFactor = 100.0;
  for (auto [error, passes] : {std::pair(1e-4, true), std::pair(1e-3, false)}) {
    HostTensor actual = compute(f, {x}, Precision::Double);
    scale(actual, 1.0 + error);
    ResultReport report = check(f, {x}, actual, options);
    EXPECT_EQ(report.passed, passes) << error << ": " << report.reason;
    EXPECT_EQ(report.numUndecided, 1);
    EXPECT_EQ(report.numFailed, 0);
    EXPECT_NEAR(report.acceptedL2, 2.5e-4, 1e-4);
  }
}

TEST_F(NormTest, NoResultsAreRight) {
  FailureOr<VerifyReport> report =
      verify(parse("func.func @f() { return }"), {}, {});
  ASSERT_TRUE(succeeded(report)) << errors;
  EXPECT_TRUE(report->passed);
  std::string text;
  llvm::raw_string_ostream os(text);
  report->print(os);
  EXPECT_EQ(text, "no results to verify\n");
}
