//===- ArithmeticTest.cpp - Values that kernels compute -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

/// Runs `body`, which computes %r of `result` from %x and %y of `type`, on one
/// pair of values.
template <typename R, typename T>
static R compute(StringRef type, StringRef result, StringRef body, T x, T y) {
  std::string code =
      ("gpu.module @m { gpu.func @k(%a: memref<2x" + type + ">, %b: memref<1x" +
       result + ">) kernel {\n" +
       "%c0 = arith.constant 0 : index\n %c1 = arith.constant 1 : index\n" +
       "%x = memref.load %a[%c0] : memref<2x" + type + ">\n" +
       "%y = memref.load %a[%c1] : memref<2x" + type + ">\n" + body +
       "\n memref.store %r, %b[%c0] : memref<1x" + result +
       ">\n gpu.return } }")
          .str();
  TestDevice device(code);
  uint64_t in = device.upload<T>({x, y});
  uint64_t out = *device->allocate(sizeof(R));
  EXPECT_TRUE(succeeded(device.launch({{in, {}}, {out, {}}}))) << device.errors;
  return device.download<R>(out, 1).front();
}

static int32_t onI32(StringRef op, int32_t x, int32_t y) {
  return compute<int32_t>("i32", "i32", ("%r = " + op + " %x, %y : i32").str(),
                          x, y);
}

TEST(Arithmetic, IntegersWrapAndDivide) {
  EXPECT_EQ(INT32_MIN, onI32("arith.addi", INT32_MAX, 1));
  EXPECT_EQ(-3, onI32("arith.divsi", -7, 2));
  EXPECT_EQ(-4, onI32("arith.floordivsi", -7, 2));
  EXPECT_EQ(-3, onI32("arith.ceildivsi", -7, 2));
  EXPECT_EQ(4, onI32("arith.ceildivsi", 7, 2));
  EXPECT_EQ(-1, onI32("arith.remsi", -7, 2));
  EXPECT_EQ(0x7ffffffc, onI32("arith.divui", -7, 2));
  EXPECT_EQ(-2, onI32("arith.shrsi", -7, 2));
  EXPECT_EQ(0x3ffffffe, onI32("arith.shrui", -7, 2));
  EXPECT_EQ(2, onI32("arith.maxsi", -7, 2));
  EXPECT_EQ(-7, onI32("arith.maxui", -7, 2));
  // Undefined, but neither a crash nor a hang.
  onI32("arith.divsi", INT32_MIN, -1);
  onI32("arith.remsi", 5, 0);
  onI32("arith.shli", 5, 77);
}

TEST(Arithmetic, NoContraction) {
  float x = 1.0f + std::ldexp(1.0f, -12), y = -(x * x);
  StringRef body = "%p = arith.mulf %x, %x fastmath<contract> : f32\n"
                   "%r = arith.addf %p, %y fastmath<contract> : f32";
  EXPECT_EQ(0.0f, compute<float>("f32", "f32", body, x, y));
  EXPECT_EQ(
      std::ldexp(1.0f, -24),
      compute<float>("f32", "f32", "%r = math.fma %x, %x, %y : f32", x, y));
}

TEST(Arithmetic, NarrowFloatsRoundEachOperation) {
  // 256 + 1 in bf16 is a tie that goes to 256; twice.
  StringRef body = "%s = arith.addf %x, %y : bf16\n"
                   "%r = arith.addf %s, %y : bf16";
  EXPECT_EQ(0x4380, compute<uint16_t>("bf16", "bf16", body, uint16_t(0x4380),
                                      uint16_t(0x3f80)));
  // 2049 = 2048 + 1 in f16 goes to 2048.
  EXPECT_EQ(0x6800,
            compute<uint16_t>("f16", "f16", "%r = arith.addf %x, %y : f16",
                              uint16_t(0x6800), uint16_t(0x3c00)));
}

TEST(Arithmetic, ExtremaAndNaN) {
  float nan = std::nanf("");
  auto run = [](StringRef op, float x, float y) {
    return compute<float>("f32", "f32", ("%r = " + op + " %x, %y : f32").str(),
                          x, y);
  };
  EXPECT_TRUE(std::isnan(run("arith.maximumf", nan, 1)));
  EXPECT_TRUE(std::isnan(run("arith.minimumf", 1, nan)));
  EXPECT_EQ(1.0f, run("arith.maxnumf", nan, 1));
  EXPECT_EQ(1.0f, run("arith.minnumf", 1, nan));
  EXPECT_FALSE(std::signbit(run("arith.maximumf", -0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(run("arith.minimumf", 0.0f, -0.0f)));
}

TEST(Arithmetic, Comparisons) {
  float nan = std::nanf("");
  struct Case {
    const char *predicate;
    bool less, equal, greater, unordered;
  };
  const Case cases[] = {
      {"oeq", 0, 1, 0, 0}, {"ogt", 0, 0, 1, 0}, {"oge", 0, 1, 1, 0},
      {"olt", 1, 0, 0, 0}, {"ole", 1, 1, 0, 0}, {"one", 1, 0, 1, 0},
      {"ord", 1, 1, 1, 0}, {"ueq", 0, 1, 0, 1}, {"ugt", 0, 0, 1, 1},
      {"uge", 0, 1, 1, 1}, {"ult", 1, 0, 0, 1}, {"ule", 1, 1, 0, 1},
      {"une", 1, 0, 1, 1}, {"uno", 0, 0, 0, 1}};
  for (const Case &c : cases) {
    auto run = [&](float x, float y) {
      std::string body =
          (Twine("%r = arith.cmpf ") + c.predicate + ", %x, %y : f32").str();
      return compute<uint8_t>("f32", "i1", body, x, y) != 0;
    };
    EXPECT_EQ(c.less, run(1, 2)) << c.predicate;
    EXPECT_EQ(c.equal, run(2, 2)) << c.predicate;
    EXPECT_EQ(c.greater, run(3, 2)) << c.predicate;
    EXPECT_EQ(c.unordered, run(nan, 2)) << c.predicate;
  }
}

TEST(Arithmetic, Conversions) {
  auto toInteger = [](float x) {
    return compute<int16_t>("f32", "i16", "%r = arith.fptosi %x : f32 to i16",
                            x, x);
  };
  EXPECT_EQ(-3, toInteger(-3.9f));
  EXPECT_EQ(32767, toInteger(1e9f));
  EXPECT_EQ(-32768, toInteger(-1e9f));
  EXPECT_EQ(0, toInteger(std::nanf("")));
  // 2^24 + 1 is a tie in f32; as i64 above 2^53 in bf16 there is one rounding.
  EXPECT_EQ(16777216.0f,
            compute<float>("i32", "f32", "%r = arith.sitofp %x : i32 to f32",
                           int32_t(16777217), int32_t(0)));
  EXPECT_EQ(0x5b81, compute<uint16_t>(
                        "i64", "bf16", "%r = arith.sitofp %x : i64 to bf16",
                        int64_t((1ll << 56) + (1ll << 48) + 1), int64_t(0)));
  EXPECT_EQ(-1, compute<int64_t>("i1", "i64", "%r = arith.extsi %x : i1 to i64",
                                 uint8_t(1), uint8_t(0)));
  EXPECT_EQ(0x7f, compute<uint8_t>("f32", "f8E4M3FN",
                                   "%r = arith.truncf %x : f32 to f8E4M3FN",
                                   1000.f, 0.f));
  // f64 to bf16 rounds once: through f32 this would become a tie.
  double x = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ(0x3f81,
            compute<uint16_t>("f64", "bf16",
                              "%r = arith.truncf %x : f64 to bf16", x, 0.0));
}

TEST(Arithmetic, ConversionsOutOfRange) {
  float nan = std::nanf("");
  // 8 bits are those of a conversion to 16.
  auto toByte = [](float x) {
    return compute<int8_t>("f32", "i8", "%r = arith.fptosi %x : f32 to i8", x,
                           x);
  };
  EXPECT_EQ(-3, toByte(-3.9f));
  EXPECT_EQ(44, toByte(300.0f));
  EXPECT_EQ(-1, toByte(1e9f));
  EXPECT_EQ(0, toByte(-1e9f));
  EXPECT_EQ(0, toByte(nan));
  EXPECT_EQ(0, compute<uint8_t>("f32", "i8", "%r = arith.fptoui %x : f32 to i8",
                                -5.0f, 0.0f));
  EXPECT_EQ(255,
            compute<uint8_t>("f32", "i8", "%r = arith.fptoui %x : f32 to i8",
                             1e9f, 0.f));
  // NaN is the highest bit where 64 bits take part.
  EXPECT_EQ(std::numeric_limits<int64_t>::min(),
            compute<int64_t>("f32", "i64", "%r = arith.fptosi %x : f32 to i64",
                             nan, nan));
  EXPECT_EQ(1ull << 63,
            compute<uint64_t>("f32", "i64", "%r = arith.fptoui %x : f32 to i64",
                              nan, nan));
  EXPECT_EQ(std::numeric_limits<int32_t>::min(),
            compute<int32_t>("f64", "i32", "%r = arith.fptosi %x : f64 to i32",
                             double(nan), 0.0));
  EXPECT_EQ(0, compute<int32_t>("f32", "i32",
                                "%r = arith.fptosi %x : f32 to i32", nan, nan));
}

TEST(Arithmetic, ShiftsOutOfRange) {
  auto shift = [](const char *name, int64_t x, int64_t y) {
    std::string body = (Twine("%r = ") + name + " %x, %y : i64").str();
    return compute<int64_t>("i64", "i64", body, x, y);
  };
  EXPECT_EQ(0, shift("arith.shli", 5, 64));
  EXPECT_EQ(0, shift("arith.shrui", -5, 64));
  EXPECT_EQ(-1, shift("arith.shrsi", -5, 64));
  EXPECT_EQ(0, shift("arith.shli", 5, -1));
  // The amount has 32 bits.
  EXPECT_EQ(10, shift("arith.shli", 5, (1ll << 32) + 1));
  EXPECT_EQ(2, shift("arith.shrsi", 5, (1ll << 32) + 1));
  EXPECT_EQ(2, shift("arith.shrui", 5, (1ll << 32) + 1));
}

TEST(Arithmetic, VectorReductionGoesFirstToLast) {
  // ((0 + 1e8) + 1) + -1e8 = 0 in f32; any other order gives 1.
  StringRef body = "%one = arith.constant 1.0 : f32\n"
                   "%v = vector.from_elements %x, %one, %y : vector<3xf32>\n"
                   "%r = vector.reduction <add>, %v : vector<3xf32> into f32";
  EXPECT_EQ(0.0f, compute<float>("f32", "f32", body, 1e8f, -1e8f));
}
