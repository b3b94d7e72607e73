//===- LinalgTest.cpp - Structured operations -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "ReferenceTest.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class LinalgTest : public ReferenceTest {
protected:
  LinalgTest() {
    context.loadDialect<cf::ControlFlowDialect, linalg::LinalgDialect,
                        ml_program::MLProgramDialect>();
  }

  HostTensor iota(ArrayRef<int64_t> shape, StringRef type = "f32") {
    HostTensor tensor(getType(type), shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
      auto value = static_cast<double>(i);
      tensor.writeFromDouble(i, 1, &value);
    }
    return tensor;
  }

  /// A function of %x and %i with one generic operation on them.
  static std::string makeGeneric(StringRef xType, StringRef iType,
                                 StringRef maps, StringRef iterators,
                                 StringRef body) {
    return ("func.func @f(%x: " + xType + ", %i: " + iType + ") -> " + iType +
            " {\n%r = linalg.generic {indexing_maps = [" + maps +
            "], iterator_types = [" + iterators + "]} ins(%x : " + xType +
            ") outs(%i : " + iType + ") {\n" + body + "\n} -> " + iType +
            "\nreturn %r : " + iType + "\n}")
        .str();
  }
};
} // namespace

static constexpr StringRef sumOfRows = R"(
  func.func @f(%x: tensor<2x3xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                          affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<2x3xf32>) outs(%i : tensor<2xf32>) {
    ^bb0(%a: f32, %out: f32):
      %s = arith.addf %out, %a : f32
      linalg.yield %s : f32
    } -> tensor<2xf32>
    return %r : tensor<2xf32>
  })";

TEST_F(LinalgTest, MapsPermuteRepeatAndFixDimensions) {
  expectSame(run(R"(func.func @f(%x: tensor<2x3xf32>, %r: tensor<3x1xf32>,
                          %c: tensor<2xf32>) -> tensor<3x2xf32> {
    %e = tensor.empty() : tensor<3x2xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>,
                                          affine_map<(d0, d1) -> (d0, 0)>,
                                          affine_map<(d0, d1) -> (d1)>,
                                          affine_map<(d0, d1) -> (d0, d1)>],
                         iterator_types = ["parallel", "parallel"]}
        ins(%x, %r, %c : tensor<2x3xf32>, tensor<3x1xf32>, tensor<2xf32>)
        outs(%e : tensor<3x2xf32>) {
    ^bb0(%a: f32, %b: f32, %d: f32, %out: f32):
      %s = arith.addf %a, %b : f32
      %t = arith.mulf %s, %d : f32
      linalg.yield %t : f32
    } -> tensor<3x2xf32>
    return %y : tensor<3x2xf32>
  })",
                 {iota({2, 3}), makeTensor("f32", {3, 1}, {10, 20, 30}),
                  makeTensor("f32", {2}, {1, 2})}),
             {10, 26, 21, 48, 32, 70});
}

TEST_F(LinalgTest, AResultMayBeTransposedAndReadItsInit) {
  expectSame(run(makeGeneric("tensor<2x3xf32>", "tensor<3x2xf32>",
                             "affine_map<(d0, d1) -> (d0, d1)>, "
                             "affine_map<(d0, d1) -> (d1, d0)>",
                             R"("parallel", "parallel")",
                             R"(^bb0(%a: f32, %out: f32):
                                  %s = arith.subf %out, %a : f32
                                  linalg.yield %s : f32)"),
                 {iota({2, 3}), makeTensor("f32", {3, 2}, {1, 1, 1, 1, 1, 1})}),
             {1, -2, 0, -3, -1, -4});
}

TEST_F(LinalgTest, ReductionsStartAtTheInit) {
  HostTensor init = makeTensor("f32", {2}, {100, -0.0});
  expectSame(run(sumOfRows, {iota({2, 3}), init}), {103, 12});
  HostTensor zeros =
      makeTensor("f32", {2, 3}, {-0.0, -0.0, -0.0, -0.0, -0.0, -0.0});
  expectSame(run(sumOfRows, {zeros, makeTensor("f32", {2}, {0.0, -0.0})}),
             {0.0, -0.0});
}

TEST_F(LinalgTest, TypePrecisionFollowsTheLoops) {
  // 256 + 1 is 256 in bf16, as often as it is added.
  std::string source = makeGeneric(
      "tensor<4xbf16>", "tensor<bf16>",
      "affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>", R"("reduction")",
      R"(^bb0(%a: bf16, %out: bf16):
           %s = arith.addf %a, %out : bf16
           linalg.yield %s : bf16)");
  SmallVector<HostTensor> inputs{makeTensor("bf16", {4}, {1, 1, 1, 1}),
                                 makeTensor("bf16", {}, {256})};
  expectSame(run(source, inputs, Precision::Type), {256});
  expectSame(run(source, inputs), {260});
}

TEST_F(LinalgTest, WindowsAndStridesAreLinearMaps) {
  // The window is an operand that gives the inner loop its extent.
  expectSame(run(R"(func.func @f(%x: tensor<7xf32>, %w: tensor<3xf32>,
                                 %i: tensor<3xf32>) -> tensor<3xf32> {
    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + d1)>,
                                          affine_map<(d0, d1) -> (d1)>,
                                          affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<7xf32>, tensor<3xf32>) outs(%i : tensor<3xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %m, %out : f32
      linalg.yield %s : f32
    } -> tensor<3xf32>
    return %y : tensor<3xf32>
  })",
                 {iota({7}), makeTensor("f32", {3}, {1, 10, 100}),
                  makeTensor("f32", {3}, {0, 0, 0})}),
             {210, 432, 654});
}

TEST_F(LinalgTest, DiagonalsAndBandsRunAsLoops) {
  std::string source =
      makeGeneric("tensor<2xf32>", "tensor<2x2xf32>",
                  "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>",
                  R"("parallel")", R"(^bb0(%a: f32, %out: f32):
                            linalg.yield %a : f32)");
  expectSame(run(source, {makeTensor("f32", {2}, {8, 9}), iota({2, 2})}),
             {8, 1, 2, 9});
}

TEST_F(LinalgTest, MaximumAndItsPosition) {
  StringRef source = R"(
    func.func @f(%x: tensor<2x3xf32>) -> (tensor<2xi64>, tensor<2xf32>) {
      %least = arith.constant dense<0xFF800000> : tensor<2xf32>
      %zero = arith.constant dense<0> : tensor<2xi64>
      %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                                              affine_map<(d0, d1) -> (d0)>,
                                              affine_map<(d0, d1) -> (d0)>],
                             iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<2x3xf32>)
          outs(%least, %zero : tensor<2xf32>, tensor<2xi64>) {
      ^bb0(%a: f32, %out: f32, %at: i64):
        %k = linalg.index 1 : index
        %n = arith.index_cast %k : index to i64
        %m = arith.maximumf %a, %out : f32
        %c = arith.cmpf ogt, %a, %out : f32
        %s = arith.select %c, %n, %at : i64
        linalg.yield %m, %s : f32, i64
      } -> (tensor<2xf32>, tensor<2xi64>)
      return %r#1, %r#0 : tensor<2xi64>, tensor<2xf32>
    })";
  expectSame(run(source, {makeTensor("f32", {2, 3}, {1, 5, 5, nan, 2, 1})}),
             {1, 0});
}

TEST_F(LinalgTest, IndicesOfBothKindsOfLoops) {
  std::string source = makeGeneric(
      "tensor<2x3xf32>", "tensor<2xi64>",
      "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
      R"("parallel", "reduction")", R"(^bb0(%a: f32, %out: i64):
        %p = linalg.index 0 : index
        %q = linalg.index 1 : index
        %s = arith.subi %p, %q : index
        %n = arith.index_cast %s : index to i64
        %t = arith.subi %n, %out : i64
        linalg.yield %t : i64)");
  // (2 - (1 - (0 - 0 ...))): -2 - (-1 - (0 - 0)), and one more in row 1.
  expectSame(run(source, {iota({2, 3}), makeTensor("i64", {2}, {0, 0})}),
             {-1, 0});
}

TEST_F(LinalgTest, Gather) {
  std::string source = R"(
    func.func @f(%x: tensor<2x3xf32>, %at: tensor<2xi64>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>,
                                            affine_map<(d0) -> (d0)>],
                           iterator_types = ["parallel"]}
          ins(%at : tensor<2xi64>) outs(%e : tensor<2xf32>) {
      ^bb0(%a: i64, %out: f32):
        %i = linalg.index 0 : index
        %j = arith.index_cast %a : i64 to index
        %s = tensor.extract %x[%i, %j] : tensor<2x3xf32>
        linalg.yield %s : f32
      } -> tensor<2xf32>
      return %r : tensor<2xf32>
    })";
  expectSame(run(source, {iota({2, 3}), makeTensor("i64", {2}, {2, 0})}),
             {2, 3});
  std::string message =
      runExpectingError(source, {iota({2, 3}), makeTensor("i64", {2}, {3, 0})});
  EXPECT_NE(message.find("expected indices below the extents"),
            std::string::npos)
      << message;
}

TEST_F(LinalgTest, AssertionsHoldEverywhere) {
  std::string source = makeGeneric(
      "tensor<2xi64>", "tensor<2xi64>",
      "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>", R"("parallel")",
      R"(^bb0(%a: i64, %out: i64):
           %zero = arith.constant 0 : i64
           %c = arith.cmpi sge, %a, %zero : i64
           cf.assert %c, "expected a position"
           linalg.yield %a : i64)");
  HostTensor init = makeTensor("i64", {2}, {0, 0});
  expectSame(run(source, {makeTensor("i64", {2}, {0, 1}), init}), {0, 1});
  std::string message =
      runExpectingError(source, {makeTensor("i64", {2}, {0, -1}), init});
  EXPECT_NE(message.find("assertion failed: expected a position"),
            std::string::npos)
      << message;
}

TEST_F(LinalgTest, NamedOperations) {
  expectSame(run(R"(func.func @f(%x: tensor<2x3xf32>, %s: f32)
      -> tensor<2x2xf32> {
    %e = tensor.empty() : tensor<3x2xf32>
    %z = tensor.empty() : tensor<2x2xf32>
    %i = linalg.fill ins(%s : f32) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
    %t = linalg.transpose ins(%x : tensor<2x3xf32>)
        outs(%e : tensor<3x2xf32>) permutation = [1, 0]
    %r = linalg.matmul ins(%x, %t : tensor<2x3xf32>, tensor<3x2xf32>)
        outs(%i : tensor<2x2xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  })",
                 {iota({2, 3}), makeTensor("f32", {}, {100})}),
             {105, 114, 114, 150});
}

TEST_F(LinalgTest, Softmax) {
  std::vector<double> result =
      run(R"(func.func @f(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
    %e = tensor.empty() : tensor<1x2xf32>
    %r = linalg.softmax dimension(1) ins(%x : tensor<1x2xf32>)
        outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
    return %r : tensor<1x2xf32>
  })",
          {makeTensor("f32", {1, 2}, {1000, 1000})});
  expectSame(result, {0.5, 0.5});
}

TEST_F(LinalgTest, EmptyExtents) {
  std::string source =
      makeGeneric("tensor<2x0xf32>", "tensor<2xf32>",
                  "affine_map<(d0, d1) -> (d0, d1)>, "
                  "affine_map<(d0, d1) -> (d0)>",
                  R"("parallel", "reduction")", R"(^bb0(%a: f32, %out: f32):
        %s = arith.addf %a, %out : f32
        linalg.yield %s : f32)");
  SmallVector<HostTensor> inputs{HostTensor(getType("f32"), {2, 0}),
                                 makeTensor("f32", {2}, {3, -0.0})};
  // No element, so that the init stays as it is but for the sign of its zero.
  expectSame(run(source, inputs), {3, 0.0});
  expectSame(run(source, inputs, Precision::Type), {3, -0.0});
}

TEST_F(LinalgTest, ExtentsThatContradictAreAnError) {
  std::string message = runExpectingError(
      R"(func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %r = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>)
        outs(%x : tensor<?xf32>) -> tensor<?xf32>
    return %r : tensor<?xf32>
  })",
      {iota({2}), iota({1})});
  EXPECT_NE(message.find("expected operands of equal extents along loop 0, but "
                         "found 2 and 1"),
            std::string::npos)
      << message;
}

TEST_F(LinalgTest, PositionsOutOfBoundsAreAnError) {
  std::string message = runExpectingError(
      R"(func.func @f(%x: tensor<?xf32>, %w: tensor<?xf32>, %i: tensor<?xf32>)
          -> tensor<?xf32> {
    %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>,
                                          affine_map<(d0, d1) -> (d1)>,
                                          affine_map<(d0, d1) -> (d0)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%i : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %s = arith.addf %a, %out : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    return %y : tensor<?xf32>
  })",
      {iota({4}), iota({3}), iota({3})});
  EXPECT_NE(message.find("within the extent 4 of dimension 0"),
            std::string::npos)
      << message;
}

TEST_F(LinalgTest, UnknownOperationsOfABodyAreAnError) {
  std::string source = makeGeneric(
      "tensor<2xf32>", "tensor<2xf32>",
      "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>", R"("parallel")",
      R"(^bb0(%a: f32, %out: f32):
           %e = tensor.empty() : tensor<2xf32>
           linalg.yield %a : f32)");
  std::string message = runExpectingError(source, {iota({2}), iota({2})});
  EXPECT_NE(message.find("does not interpret 'tensor.empty' in the body"),
            std::string::npos)
      << message;
}

TEST_F(LinalgTest, Globals) {
  StringRef load = R"(
    func.func @f() -> tensor<2xf32> {
      %r = ml_program.global_load @g : tensor<2xf32>
      return %r : tensor<2xf32>
    })";
  std::string global = "ml_program.global private mutable "
                       "@g(dense<[1.0, 2.0]> : tensor<2xf32>) : "
                       "tensor<2xf32>\n";
  expectSame(run((load + global).str(), {}), {1, 2});
  std::string message = runExpectingError((load + global + R"(
    func.func @store(%x: tensor<2xf32>) {
      ml_program.global_store @g = %x : tensor<2xf32>
      return
    })")
                                              .str(),
                                          {});
  EXPECT_NE(message.find("is stored to"), std::string::npos) << message;
}

/// The error bounds of the first result.
static std::vector<double> getErrors(func::FuncOp function,
                                     ArrayRef<HostTensor> inputs) {
  ReferenceOptions options;
  options.errors = true;
  std::vector<double> errors;
  auto sink = [&](const ResultTile &tile) {
    errors.insert(errors.end(), tile.errors, tile.errors + tile.count);
  };
  auto prepare = [](ArrayRef<ResultInfo>) { return success(); };
  EXPECT_TRUE(
      succeeded(evaluateByTiles(function, inputs, options, prepare, sink)));
  return errors;
}

TEST_F(LinalgTest, ErrorBoundsAreThoseOfAReduction) {
  SmallVector<HostTensor> inputs{iota({2, 3}),
                                 makeTensor("f32", {2}, {0.5, 0.25})};
  std::vector<double> structured = getErrors(parse(sumOfRows), inputs);
  std::vector<double> reduced = getErrors(parse(R"(
    func.func @f(%x: tensor<2x3xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
      %s = fusion.reduce add %x dims = [1] : tensor<2x3xf32> -> tensor<2xf32>
      %r = arith.addf %i, %s : tensor<2xf32>
      return %r : tensor<2xf32>
    })"),
                                          inputs);
  EXPECT_EQ(structured, reduced);
  EXPECT_GT(structured[0], 0.0);
}

TEST_F(LinalgTest, ErrorBoundsGrowAlongLoops) {
  // init - x0 - x1: two roundings, one after the other.
  std::string source = makeGeneric(
      "tensor<2xf32>", "tensor<f32>",
      "affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>", R"("reduction")",
      R"(^bb0(%a: f32, %out: f32):
           %s = arith.subf %out, %a : f32
           linalg.yield %s : f32)");
  std::vector<double> errors =
      getErrors(parse(source),
                {makeTensor("f32", {2}, {-1, -2}), makeTensor("f32", {}, {1})});
  double roundoff = std::ldexp(1.0, -24);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_DOUBLE_EQ(errors[0], roundoff * (2 + 4));
}

TEST_F(LinalgTest, Iota) {
  expectSame(run(R"(func.func @f(%n: index) -> tensor<?xi32> {
    %r = fusion.iota [%n] : tensor<?xi32>
    return %r : tensor<?xi32>
  })",
                 {makeTensor("index", {}, {3})}),
             {0, 1, 2});
  // Positions wrap around in the element type.
  std::vector<double> narrow = run(R"(func.func @f() -> tensor<130xi8> {
    %r = fusion.iota : tensor<130xi8>
    return %r : tensor<130xi8>
  })",
                                   {});
  EXPECT_EQ(narrow[127], 127.0);
  EXPECT_EQ(narrow[129], -127.0);
}
