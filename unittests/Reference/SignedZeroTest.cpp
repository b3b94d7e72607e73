//===- SignedZeroTest.cpp - Zeros that have a sign ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class SignedZeroTest : public ReferenceTest {
protected:
  /// Whether `actual` passes as the result of `body`, which computes %r of %x
  /// and %y: both are one element of `type`.
  bool passes(StringRef body, double x, double y, double actual,
              StringRef type = "f32") {
    std::string tensor = "tensor<1x" + type.str() + ">";
    std::string source = "func.func @f(%x: " + tensor + ", %y: " + tensor +
                         ") -> " + tensor + " {\n" + body.str() +
                         "\nreturn %r : " + tensor + "\n}";
    return check(source,
                 {makeTensor(type, {1}, {x}), makeTensor(type, {1}, {y})},
                 makeTensor(type, {1}, {actual}))
        .passed;
  }
  /// True if only `actual` passes, not the zero of the other sign.
  bool hasSign(StringRef body, double x, double y, double actual,
               StringRef type = "f32") {
    EXPECT_TRUE(passes(body, x, y, actual, type)) << body.str();
    return !passes(body, x, y, -actual, type);
  }
  bool hasEitherSign(StringRef body, double x, double y,
                     StringRef type = "f32") {
    return passes(body, x, y, 0.0, type) && passes(body, x, y, -0.0, type);
  }
  bool sumHasSign(ArrayRef<double> elements, double actual,
                  StringRef flags = "") {
    std::string extent = std::to_string(elements.size());
    std::string source = "func.func @f(%x: tensor<" + extent +
                         "xf32>) -> tensor<f32> {\n"
                         "%r = fusion.reduce add %x dims = [0] " +
                         flags.str() + " : tensor<" + extent +
                         "xf32> -> tensor<f32>\nreturn %r : tensor<f32>\n}";
    HostTensor x =
        makeTensor("f32", {static_cast<int64_t>(elements.size())}, elements);
    EXPECT_TRUE(check(source, {x}, makeTensor("f32", {}, {actual})).passed);
    return !check(source, {x}, makeTensor("f32", {}, {-actual})).passed;
  }
};
} // namespace

TEST_F(SignedZeroTest, OperationsOfIEEE) {
  EXPECT_TRUE(hasSign("%r = arith.negf %x : tensor<1xf32>", 0, 0, -0.0));
  EXPECT_TRUE(hasSign("%r = math.absf %x : tensor<1xf32>", -0.0, 0, 0.0));
  EXPECT_TRUE(
      hasSign("%r = math.copysign %x, %y : tensor<1xf32>", 0, -1, -0.0));
  EXPECT_TRUE(hasSign("%r = arith.addf %x, %y : tensor<1xf32>", -0.0, 0, 0.0));
  EXPECT_TRUE(hasSign("%r = arith.addf %x, %y : tensor<1xf32>", -0.0, -0.0, //
                      -0.0));
  EXPECT_TRUE(hasSign("%r = arith.subf %x, %y : tensor<1xf32>", 3, 3, 0.0));
  EXPECT_TRUE(hasSign("%r = arith.mulf %x, %y : tensor<1xf32>", 0, -2, -0.0));
  EXPECT_TRUE(hasSign("%r = arith.divf %x, %y : tensor<1xf32>", 0, -2, -0.0));
  EXPECT_TRUE(hasSign("%r = arith.divf %x, %y : tensor<1xf32>", 2, -inf, -0.0));
  EXPECT_TRUE(hasSign("%r = arith.remf %x, %y : tensor<1xf32>", -4, 2, -0.0));
  EXPECT_TRUE(
      hasSign("%r = math.fma %x, %y, %x : tensor<1xf32>", -0.0, 1, -0.0));
  EXPECT_TRUE(hasSign("%r = math.sqrt %x : tensor<1xf32>", -0.0, 0, -0.0));
  EXPECT_TRUE(hasSign("%r = math.ceil %x : tensor<1xf32>", -0.5, 0, -0.0));
  EXPECT_TRUE(hasSign("%r = math.round %x : tensor<1xf32>", -0.25, 0, -0.0));
}

TEST_F(SignedZeroTest, EveryFloatType) {
  for (StringRef type : {"bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2"}) {
    std::string body = "%r = arith.mulf %x, %y : tensor<1x" + type.str() + ">";
    EXPECT_TRUE(hasSign(body, 0, -2, -0.0, type)) << type.str();
  }
}

// No order of additions gives -0.0 unless all elements are -0.0.
TEST_F(SignedZeroTest, Sums) {
  EXPECT_TRUE(sumHasSign({-0.0, -0.0, -0.0}, -0.0));
  EXPECT_TRUE(sumHasSign({-0.0, 0.0, -0.0}, 0.0));
  EXPECT_TRUE(sumHasSign({-1.0, 1.0, -0.0}, 0.0));
  EXPECT_FALSE(sumHasSign({-0.0, -0.0, -0.0}, -0.0, "fastmath<nsz>"));
  EXPECT_FALSE(sumHasSign({-0.0, -0.0, -0.0}, -0.0, "fastmath<reassoc>"));
}

TEST_F(SignedZeroTest, FlagsAndChoicesGiveUpTheSign) {
  for (StringRef flag : {"nsz", "reassoc", "afn"}) {
    std::string body =
        "%r = arith.mulf %x, %y fastmath<" + flag.str() + "> : tensor<1xf32>";
    EXPECT_TRUE(hasEitherSign(body, 0, -2)) << flag.str();
  }
  EXPECT_TRUE(
      hasSign("%r = arith.mulf %x, %y fastmath<contract> : tensor<1xf32>", 0,
              -2, -0.0));
  EXPECT_TRUE(
      hasEitherSign("%r = arith.maximumf %x, %y : tensor<1xf32>", 0, -0.0));
  EXPECT_TRUE(hasEitherSign("%r = math.sin %x : tensor<1xf32>", -0.0, 0));
  // So do all that follow.
  EXPECT_TRUE(hasEitherSign("%m = arith.minnumf %x, %y : tensor<1xf32>\n"
                            "%r = arith.negf %m : tensor<1xf32>",
                            0, -0.0));
}

// A zero with an error may have been of the other sign.
TEST_F(SignedZeroTest, RoundingsGiveUpTheSign) {
  // Products that underflow, also in the reference.
  EXPECT_TRUE(hasEitherSign("%r = arith.mulf %x, %y : tensor<1xf64>", 1e-200,
                            -1e-200, "f64"));
  // x + y - x is 0 or a little more; its product with 0 has its sign.
  StringRef difference = "%s = arith.addf %x, %y : tensor<1xf32>\n"
                         "%d = arith.subf %s, %x : tensor<1xf32>\n"
                         "%z = arith.constant dense<0.0> : tensor<1xf32>\n";
  for (StringRef last : {"%r = arith.mulf %d, %z : tensor<1xf32>",
                         "%r = math.copysign %z, %d : tensor<1xf32>",
                         "%r = math.trunc %d : tensor<1xf32>"})
    EXPECT_TRUE(hasEitherSign((difference + last).str(), 1, 1e-9))
        << last.str();
  // With a sign that is known, so is that of the product.
  EXPECT_TRUE(
      hasSign((difference + "%r = arith.mulf %d, %z : tensor<1xf32>").str(), 1,
              -1, -0.0));
}

// What is divided by a zero of either sign may be either infinity.
TEST_F(SignedZeroTest, QuotientsFollowTheSign) {
  StringRef exact = "%p = arith.mulf %x, %y : tensor<1xf32>\n"
                    "%r = arith.divf %y, %p : tensor<1xf32>";
  EXPECT_TRUE(passes(exact, -0.0, 2, -inf));
  EXPECT_FALSE(passes(exact, -0.0, 2, inf));
  StringRef flagged = "%p = arith.mulf %x, %y fastmath<nsz> : tensor<1xf32>\n"
                      "%r = arith.divf %y, %p : tensor<1xf32>";
  EXPECT_TRUE(passes(flagged, -0.0, 2, -inf));
  EXPECT_TRUE(passes(flagged, -0.0, 2, inf));
}

// -0 to a power that is -1, or nearly: -infinity, or infinity.
TEST_F(SignedZeroTest, OddPowersKeepTheSign) {
  StringRef body = "%a = math.absf %x : tensor<1xf32>\n"
                   "%b = arith.addf %a, %y : tensor<1xf32>\n"
                   "%p = arith.subf %b, %a : tensor<1xf32>\n"
                   "%z = arith.constant dense<-0.0> : tensor<1xf32>\n"
                   "%r = math.powf %z, %p : tensor<1xf32>";
  EXPECT_TRUE(passes(body, 1e6, -0.999, -inf));
  EXPECT_TRUE(passes(body, 1e6, -0.999, inf));
}
