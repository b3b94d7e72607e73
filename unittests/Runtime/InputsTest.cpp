//===- InputsTest.cpp - Tests of the arguments of a run -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Inputs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace mlir;
using namespace mlir::fusion;

namespace {

class InputsTest : public ::testing::Test {
protected:
  std::vector<double> draw(Type type, int64_t count, uint64_t seed = 0,
                           unsigned argument = 0) {
    HostTensor tensor(type, {count});
    fillRandom(tensor, seed, argument);
    std::vector<double> values(count);
    tensor.readAsDouble(0, count, values.data());
    return values;
  }
  std::string getError(Type type, ArgumentSpec spec) {
    auto argument = makeArgument(3, type, spec, 0);
    return argument ? "" : llvm::toString(argument.takeError());
  }
  // The bits of one element filled with `text`, or nothing if it is refused.
  std::optional<uint64_t> getBits(Type type, llvm::StringRef text) {
    HostTensor tensor(type, {3});
    if (llvm::Error error = fillConstant(tensor, text)) {
      llvm::consumeError(std::move(error));
      return std::nullopt;
    }
    uint64_t bits = 0;
    size_t bytes = getStorageBytes(type);
    std::memcpy(&bits, tensor.getData() + 2 * bytes, bytes);
    return bits;
  }

  MLIRContext context;
  Builder builder{&context};
};

TEST_F(InputsTest, NormalMoments) {
  constexpr int64_t n = 1 << 20;
  std::vector<double> values = draw(builder.getF32Type(), n);
  double sums[5] = {};
  for (double x : values)
    for (int k = 1; k <= 4; ++k)
      sums[k] += std::pow(x, k);
  // Five standard deviations of each sample moment.
  double unit = 5 / std::sqrt(double(n));
  EXPECT_NEAR(sums[1] / n, 0, unit);
  EXPECT_NEAR(sums[2] / n, 1, unit * std::sqrt(2.0));
  EXPECT_NEAR(sums[3] / n, 0, unit * std::sqrt(15.0));
  EXPECT_NEAR(sums[4] / n, 3, unit * std::sqrt(96.0));
}

TEST_F(InputsTest, NormalQuantiles) {
  // Tabulated quantiles of the normal distribution.
  EXPECT_EQ(getNormalQuantile(0.5), 0);
  EXPECT_NEAR(getNormalQuantile(0.975), 1.959963984540054, 1e-8);
  EXPECT_NEAR(getNormalQuantile(0.99), 2.326347874040841, 1e-8);
  EXPECT_NEAR(getNormalQuantile(1e-6), -4.753424308822899, 1e-7);
  EXPECT_NEAR(getNormalQuantile(1 - 1e-6), 4.753424308822899, 1e-7);
}

TEST_F(InputsTest, PinnedBits) {
  // The same on every platform and for any number of threads.
  std::vector<double> values = draw(builder.getF64Type(), 3, 7, 1);
  EXPECT_EQ(values, draw(builder.getF64Type(), 3, 7, 1));
  std::vector<double> longer = draw(builder.getF64Type(), 100000, 7, 1);
  EXPECT_EQ(values, std::vector<double>(longer.begin(), longer.begin() + 3));
  EXPECT_NE(values, draw(builder.getF64Type(), 3, 8, 1));
  EXPECT_NE(values, draw(builder.getF64Type(), 3, 7, 2));
  EXPECT_EQ(values[0], -0x1.eca195e3f3a0dp-1);
  EXPECT_EQ(values[1], -0x1.9f45946cd6504p+0);
  EXPECT_EQ(values[2], -0x1.76435d71e53edp-1);
}

TEST_F(InputsTest, IntegersAreSmall) {
  for (Type type : {Type(builder.getI8Type()), Type(builder.getI64Type()),
                    Type(builder.getIndexType()), Type(builder.getI1Type())}) {
    double lowest = 1e9, highest = -1e9, sum = 0;
    for (double x : draw(type, 4096)) {
      lowest = std::min(lowest, x);
      highest = std::max(highest, x);
      sum += x;
    }
    bool isBool = type.isInteger(1), isIndex = type.isIndex();
    EXPECT_EQ(lowest, isBool || isIndex ? 0 : -8);
    EXPECT_EQ(highest, isBool ? 1 : isIndex ? 15 : 7);
    EXPECT_NEAR(sum / 4096, isBool ? 0.5 : isIndex ? 7.5 : -0.5, 0.5);
  }
}

TEST_F(InputsTest, Constants) {
  EXPECT_EQ(getBits(builder.getF32Type(), "1.5"), 0x3fc00000u);
  EXPECT_EQ(getBits(builder.getF32Type(), "-0x1p-1"), 0xbf000000u);
  EXPECT_EQ(getBits(builder.getF32Type(), "-inf"), 0xff800000u);
  EXPECT_EQ(getBits(builder.getBF16Type(), "1e10"), 0x5015u);
  EXPECT_EQ(getBits(Float8E4M3FNType::get(&context), "448"), 0x7eu);
  EXPECT_EQ(getBits(builder.getI8Type(), "-1"), 0xffu);
  EXPECT_EQ(getBits(builder.getI8Type(), "255"), 0xffu);
  EXPECT_EQ(getBits(builder.getI64Type(), "18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(getBits(builder.getI1Type(), "true"), 1u);
  EXPECT_EQ(getBits(builder.getI1Type(), "0"), 0u);
  EXPECT_EQ(getBits(builder.getI8Type(), "256"), std::nullopt);
  EXPECT_EQ(getBits(builder.getI1Type(), "-1"), std::nullopt);
  EXPECT_EQ(getBits(builder.getI32Type(), "1.5"), std::nullopt);
  EXPECT_EQ(getBits(builder.getF32Type(), "x"), std::nullopt);
  EXPECT_EQ(getBits(builder.getF32Type(), ""), std::nullopt);
  EXPECT_EQ(getBits(Float8E4M3FNType::get(&context), "inf"), std::nullopt);
}

TEST_F(InputsTest, OptionSyntax) {
  auto input = parseInputOption("2=const:0.5");
  ASSERT_TRUE(bool(input));
  EXPECT_EQ(input->first, 2u);
  EXPECT_EQ(input->second.kind, InputSpec::Kind::Constant);
  EXPECT_EQ(input->second.text, "0.5");
  auto shape = parseShapeOption("1=4x8");
  ASSERT_TRUE(bool(shape));
  EXPECT_EQ(shape->second, (SmallVector<int64_t>{4, 8}));
  auto scalar = parseShapeOption("0=");
  ASSERT_TRUE(bool(scalar));
  EXPECT_TRUE(scalar->second.empty());
  for (const char *bad : {"", "rand", "=rand", "a=rand", "0=", "0=file",
                          "-1=rand", "99999999999=rand"}) {
    auto result = parseInputOption(bad);
    EXPECT_FALSE(bool(result)) << bad;
    llvm::consumeError(result.takeError());
  }
  for (const char *bad : {"", "0", "0=x", "0=4x", "0=-4", "0=4,8"}) {
    auto result = parseShapeOption(bad);
    EXPECT_FALSE(bool(result)) << bad;
    llvm::consumeError(result.takeError());
  }
}

TEST_F(InputsTest, ArgumentsNeedExtents) {
  Type f32 = builder.getF32Type();
  Type dynamic = RankedTensorType::get({ShapedType::kDynamic, 8}, f32);
  EXPECT_EQ(getError(dynamic, {}),
            "argument 3: the type leaves extents open: give "
            "--input=3=FILE.npy or --shape=3=...");
  ArgumentSpec spec;
  spec.shape = SmallVector<int64_t>{4, 7};
  EXPECT_EQ(getError(dynamic, spec), "argument 3: expected the shape [?, 8], "
                                     "but --shape has [4, 7]");
  spec.shape = SmallVector<int64_t>{4, 8};
  EXPECT_EQ(getError(dynamic, spec), "");
  spec.shape = SmallVector<int64_t>{int64_t(1) << 60, 8};
  EXPECT_NE(getError(dynamic, spec).find("does not fit"), std::string::npos);
  EXPECT_NE(getError(builder.getIndexType(), {}).find("has no default"),
            std::string::npos);
  EXPECT_NE(getError(UnrankedTensorType::get(f32), {}).find("ranked"),
            std::string::npos);
}

TEST_F(InputsTest, Defaults) {
  Type f32 = builder.getF32Type();
  auto tensor = makeArgument(0, RankedTensorType::get({4}, f32), {}, 0);
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->origin, "rand");
  EXPECT_TRUE(tensor->initialized);
  auto memref = makeArgument(0, MemRefType::get({4}, f32), {}, 0);
  ASSERT_TRUE(bool(memref));
  EXPECT_FALSE(memref->initialized);
}

} // namespace
