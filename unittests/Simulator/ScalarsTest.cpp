//===- ScalarsTest.cpp - Number formats of the simulator ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each format against APFloat: every bit pattern, and values around every
// midpoint between two neighbours.
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace mlir::fusion::sim;
using llvm::APFloat;

static uint32_t roundWithAPFloat(double value,
                                 const llvm::fltSemantics &semantics) {
  APFloat number(value);
  bool lost;
  number.convert(semantics, APFloat::rmNearestTiesToEven, &lost);
  return number.bitcastToAPInt().getZExtValue();
}

template <typename Tag>
static void checkFormat(const llvm::fltSemantics &semantics, unsigned bits) {
  for (uint32_t pattern = 0; pattern < (1u << bits); ++pattern) {
    APFloat number(semantics, llvm::APInt(bits, pattern));
    double expected = number.convertToDouble();
    double decoded = Tag::dec(pattern);
    if (number.isNaN()) {
      EXPECT_TRUE(std::isnan(decoded)) << pattern;
      EXPECT_TRUE(std::isnan(double(Tag::dec(Tag::fromDouble(decoded)))));
      continue;
    }
    ASSERT_EQ(expected, decoded) << pattern;
    ASSERT_EQ(std::signbit(expected), std::signbit(decoded)) << pattern;
    ASSERT_EQ(pattern, Tag::fromDouble(decoded)) << pattern;
    if (number.isInfinity())
      continue;
    // The midpoint to the neighbour, and a little to either side of it.
    APFloat next = number;
    next.next(/*nextDown=*/false);
    if (!next.isFinite())
      continue;
    double middle = (expected + next.convertToDouble()) / 2;
    for (double value : {middle, std::nextafter(middle, 1e300),
                         std::nextafter(middle, -1e300)}) {
      uint32_t want = roundWithAPFloat(value, semantics);
      ASSERT_EQ(want, Tag::fromDouble(value)) << pattern << " " << value;
      // From f32 there is one rounding as well.
      if (double(float(value)) == value)
        ASSERT_EQ(want, Tag::enc(float(value))) << pattern << " " << value;
    }
  }
}

TEST(Scalars, F16) { checkFormat<TagF16>(APFloat::IEEEhalf(), 16); }
TEST(Scalars, BF16) { checkFormat<TagBF16>(APFloat::BFloat(), 16); }
TEST(Scalars, F8E5M2) { checkFormat<TagF8E5M2>(APFloat::Float8E5M2(), 8); }
TEST(Scalars, F8E4M3FN) {
  checkFormat<TagF8E4M3FN>(APFloat::Float8E4M3FN(), 8);
}

TEST(Scalars, Overflow) {
  EXPECT_EQ(0x7c00, TagF16::fromDouble(65520.0));
  EXPECT_EQ(0x7bff, TagF16::fromDouble(65519.99));
  EXPECT_EQ(0xfc00, TagF16::fromDouble(-1e300));
  EXPECT_EQ(0x7f80, TagBF16::enc(3.4e38f));
  // f8E4M3FN has no infinity: beyond 464, the midpoint above 448, is NaN.
  EXPECT_EQ(0x7e, TagF8E4M3FN::fromDouble(464.0));
  EXPECT_EQ(0x7f, TagF8E4M3FN::fromDouble(465.0));
  EXPECT_EQ(0xff,
            TagF8E4M3FN::fromDouble(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(0x7c, TagF8E5M2::fromDouble(61440.0));
}
