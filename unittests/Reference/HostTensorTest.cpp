//===- HostTensorTest.cpp - Storage and rounding of element types ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/FloatFormat.h"
#include "ReferenceTest.h"
#include "llvm/ADT/APFloat.h"
#include <random>

using namespace mlir;
using namespace mlir::fusion;

namespace {
class HostTensorTest : public ReferenceTest {};
class EveryFloatTest : public ReferenceTest,
                       public ::testing::WithParamInterface<const char *> {
protected:
  FloatType type = cast<FloatType>(getType(GetParam()));

  /// What LLVM's software floats make of a double.
  double roundWithAPFloat(double value) {
    APFloat number(value);
    bool losesInfo;
    number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return number.convertToDouble();
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Types, EveryFloatTest,
                         ::testing::Values("f64", "f32", "f16", "bf16",
                                           "f8E4M3FN", "f8E5M2"));

TEST_P(EveryFloatTest, ReadsAndWritesEveryPattern) {
  unsigned width = type.getWidth();
  int64_t count = int64_t(1) << std::min(width, 16u);
  HostTensor tensor(type, {count});
  size_t bytes = getStorageBytes(type);
  // All patterns of the narrow types, and as many spread ones of the others.
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = static_cast<uint64_t>(i) << (width > 16 ? width - 16 : 0);
    std::memcpy(tensor.getData() + i * bytes, &bits, bytes);
  }
  std::vector<double> values = getValues(tensor);
  HostTensor copy(type, {count});
  copy.writeFromDouble(0, count, values.data());
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = static_cast<uint64_t>(i) << (width > 16 ? width - 16 : 0);
    APFloat exact(type.getFloatSemantics(), APInt(width, bits));
    bool losesInfo;
    exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    EXPECT_TRUE(isSame(values[i], exact.convertToDouble())) << bits;
    if (!std::isnan(values[i])) {
      EXPECT_EQ(std::memcmp(tensor.getData() + i * bytes,
                            copy.getData() + i * bytes, bytes),
                0)
          << bits;
    }
  }
}

TEST_P(EveryFloatTest, RoundsAsSoftwareFloatsDo) {
  FloatFormat format = FloatFormat::get(type);
  std::mt19937_64 random(7);
  std::vector<double> values = {0.0,    -0.0,     inf,    -inf,   nan,
                                1e40,   448.,     464.,   464.01, 480.,
                                65504., 65519.99, 65520., 57344., 61440.};
  // Every exponent around the range of the type, and ties with both neighbours.
  for (int exponent = -160; exponent <= 140; ++exponent)
    for (int i = 0; i < 8; ++i) {
      double fraction = std::ldexp(static_cast<double>(random() >> 11), -53);
      double value = std::ldexp(1.0 + fraction, exponent);
      double step = format.ulp(value);
      values.push_back(value);
      values.push_back(-value);
      values.push_back((std::floor(value / step) + 0.5) * step);
    }
  HostTensor tensor(type, {static_cast<int64_t>(values.size())});
  tensor.writeFromDouble(0, tensor.getNumElements(), values.data());
  std::vector<double> stored = getValues(tensor);
  for (size_t i = 0; i < values.size(); ++i) {
    double expected = roundWithAPFloat(values[i]);
    EXPECT_TRUE(isSame(format.round(values[i]), expected)) << values[i];
    EXPECT_TRUE(isSame(stored[i], expected)) << values[i];
  }
}

TEST_F(HostTensorTest, IntegersKeepTheirBits) {
  for (const char *name : {"i8", "i16", "i32", "i64", "index"}) {
    HostTensor tensor(getType(name), {4});
    unsigned width = 8 * getStorageBytes(tensor.getElementType());
    int64_t least = llvm::minIntN(width), most = llvm::maxIntN(width);
    int64_t in[] = {least, -1, 0, most}, out[4];
    tensor.writeFromInteger(0, 4, in);
    tensor.readAsInteger(0, 4, out);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(in[i], out[i]) << name;
  }
}

TEST_F(HostTensorTest, DoublesBecomeTheNearestInteger) {
  HostTensor tensor =
      makeTensor("i8", {7}, {2.5, 3.5, -2.5, 1e30, -1e30, nan, 127.4});
  expectSame(getValues(tensor), {2, 4, -2, 127, -128, 0, 127});
  HostTensor wide = makeTensor("i64", {3}, {1e30, -1e30, -5});
  int64_t out[3];
  wide.readAsInteger(0, 3, out);
  EXPECT_EQ(out[0], std::numeric_limits<int64_t>::max());
  EXPECT_EQ(out[1], std::numeric_limits<int64_t>::min());
  EXPECT_EQ(out[2], -5);
}

TEST_F(HostTensorTest, BooleansTakeOneByte) {
  HostTensor tensor = makeTensor("i1", {3}, {1, 0, 2});
  EXPECT_EQ(tensor.getSizeInBytes(), 3u);
  expectSame(getValues(tensor), {1, 0, 1});
}

TEST_F(HostTensorTest, ShapesMayBeEmptyOrScalar) {
  EXPECT_EQ(HostTensor(getType("f32"), {}).getNumElements(), 1);
  EXPECT_EQ(HostTensor(getType("f32"), {3, 0, 2}).getNumElements(), 0);
  EXPECT_EQ(HostTensor(getType("bf16"), {3, 5}).getSizeInBytes(), 30u);
}

TEST_F(HostTensorTest, OtherTypesHaveNoStorage) {
  for (const char *name : {"i4", "f80", "tf32", "complex<f32>", "ui8"})
    EXPECT_EQ(getStorageBytes(getType(name)), 0u) << name;
}
