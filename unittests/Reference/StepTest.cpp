//===- StepTest.cpp - Operations on what a step may change ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a number lies at a step, floor(1 - 1e-9), a program that rounds may
// have the other side, floor(1). The operations behind may then give what they
// give for the other side, and verification has to accept it.
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class StepTest : public ReferenceTest {
protected:
  HostTensor scalar(double value) { return makeTensor("f32", {}, {value}); }

  /// The statements, which make %r of `type` from %a and %b, on given numbers.
  static std::string onNumbers(StringRef statements, StringRef type) {
    return ("func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<" + type +
            "> {\n" + statements + "\nreturn %r : tensor<" + type + ">\n}")
        .str();
  }

  /// The same on %a = floor((16 + %x) - %i), and the like for %b: 16 - %i and
  /// 16 - %j are whole numbers, and %x and %y choose the side of the step
  /// there.
  static std::string onSteps(StringRef statements, StringRef type) {
    return ("func.func @f(%x: tensor<f32>, %i: tensor<f32>, %y: tensor<f32>, "
            "%j: tensor<f32>) -> tensor<" +
            type +
            "> {\n"
            "%c = arith.constant dense<16.0> : tensor<f32>\n"
            "%s = arith.addf %c, %x : tensor<f32>\n"
            "%t = arith.subf %s, %i : tensor<f32>\n"
            "%a = math.floor %t : tensor<f32>\n"
            "%u = arith.addf %c, %y : tensor<f32>\n"
            "%v = arith.subf %u, %j : tensor<f32>\n"
            "%b = math.floor %v : tensor<f32>\n" +
            statements + "\nreturn %r : tensor<" + type + ">\n}")
        .str();
  }

  /// Expects that what the statements give on either side of the steps passes.
  void expectEitherSide(StringRef statements, double a, double b,
                        StringRef type = "f32") {
    for (double x : {1e-9, -1e-9})
      for (double y : {1e-9, -1e-9})
        for (double otherA : {a, a - 1.0})
          for (double otherB : {b, b - 1.0}) {
            FailureOr<SmallVector<HostTensor>> actual =
                evaluate(parse(onNumbers(statements, type)),
                         {scalar(otherA), scalar(otherB)}, {Precision::Type});
            ASSERT_TRUE(succeeded(actual)) << errors;
            ResultReport report = check(
                onSteps(statements, type),
                {scalar(x), scalar(16.0 - a), scalar(y), scalar(16.0 - b)},
                actual->front());
            EXPECT_TRUE(report.passed)
                << statements.str() << " of " << otherA << " and " << otherB
                << ", for " << a << " + " << x << " and " << b << " + " << y
                << ": " << report.reason;
          }
  }
};
} // namespace

TEST_F(StepTest, FunctionsOfOneNumber) {
  for (const char *name :
       {"arith.negf", "math.absf",  "math.acos",  "math.acosh", "math.asin",
        "math.asinh", "math.atan",  "math.atanh", "math.cbrt",  "math.ceil",
        "math.cos",   "math.cosh",  "math.erf",   "math.erfc",  "math.exp",
        "math.exp2",  "math.expm1", "math.floor", "math.log",   "math.log10",
        "math.log1p", "math.log2",  "math.round", "math.rsqrt", "math.sin",
        "math.sinh",  "math.sqrt",  "math.tan",   "math.tanh",  "math.trunc"})
    for (double a : {-1.0, 0.0, 1.0, 2.0, 5.0})
      expectEitherSide("%r = " + std::string(name) + " %a : tensor<f32>", a,
                       0.0);
}

TEST_F(StepTest, FunctionsOfTwoNumbers) {
  for (const char *name :
       {"arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf",
        "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
        "math.atan2", "math.copysign", "math.powf"})
    for (double a : {-1.0, 0.0, 1.0, 2.0, 5.0})
      for (double b : {-1.0, 0.0, 1.0, 2.0, 5.0})
        expectEitherSide("%r = " + std::string(name) + " %a, %b : tensor<f32>",
                         a, b);
}

TEST_F(StepTest, QuestionsAndComparisons) {
  for (double a : {0.0, 1.0, 2.0}) {
    for (const char *name :
         {"math.isfinite", "math.isinf", "math.isnan", "math.isnormal"})
      expectEitherSide("%r = " + std::string(name) + " %a : tensor<f32>", a,
                       0.0, "i1");
    for (const char *predicate : {"oeq", "olt", "oge", "une"})
      expectEitherSide(std::string("%r = arith.cmpf ") + predicate +
                           ", %a, %b : tensor<f32>",
                       a, 1.0, "i1");
  }
}

// The logarithm is NaN on one side, a number on the other.
TEST_F(StepTest, NumbersThatMayBeNaN) {
  for (const char *question :
       {"math.isnan %l : tensor<f32>", "math.isfinite %l : tensor<f32>",
        "arith.cmpf uno, %l, %b : tensor<f32>",
        "arith.cmpf olt, %l, %b : tensor<f32>"})
    for (double a : {0.0, 1.0})
      expectEitherSide(
          "%l = math.log %a : tensor<f32>\n%q = " + std::string(question) +
              "\n%r = arith.select %q, %a, %b : tensor<i1>, "
              "tensor<f32>",
          a, 5.0);
}
