//===- DimClassesTest.cpp - Which dimensions are the same loop ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "AnalysisTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class DimClassesTest : public AnalysisTest {
protected:
  using Classes = SmallVector<DimClasses::Class>;

  DimClasses analyse(StringRef text) { return DimClasses(parse(text)); }
};

TEST_F(DimClassesTest, ElementWiseOperandsAndResultsAreOneLoop) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %z: tensor<4x4xf32>) {
      %a = arith.addf %x, %y {name = "a"} : tensor<4x4xf32>
      return
    })mlir");
  Classes x(dims.getClasses(getArgument(0)));
  EXPECT_NE(x[0], x[1]) << "equal extents are not equal loops";
  EXPECT_EQ(x, dims.getClasses(getArgument(1)));
  EXPECT_EQ(x, dims.getClasses(get("a")));
  EXPECT_NE(x, dims.getClasses(getArgument(2)));
  EXPECT_EQ(dims.getExtent(x[0]), 4);
}

TEST_F(DimClassesTest, BroadcastUnitesMappedDimensionsUnlessTheyGrow) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%v: tensor<8xf32>, %k: tensor<4x1xf32>) {
      %a = fusion.broadcast %v dims = [1] {name = "a"} : tensor<8xf32> -> tensor<4x8xf32>
      %b = fusion.broadcast %k dims = [0, 1] {name = "b"} : tensor<4x1xf32> -> tensor<4x8xf32>
      %c = fusion.broadcast %k dims = [0, 1] {name = "c"} : tensor<4x1xf32> -> tensor<4x1xf32>
      return
    })mlir");
  EXPECT_EQ(dims.getClass(getArgument(0), 0), dims.getClass(get("a"), 1));
  Classes keep(dims.getClasses(getArgument(1)));
  EXPECT_EQ(keep[0], dims.getClass(get("b"), 0));
  EXPECT_NE(keep[1], dims.getClass(get("b"), 1)) << "a growing 1 is a new loop";
  EXPECT_EQ(keep, dims.getClasses(get("c")))
      << "a 1 that stays is the same loop";
  EXPECT_EQ(dims.getExtent(keep[1]), 1);
  EXPECT_EQ(dims.getExtent(dims.getClass(get("b"), 1)), 8);
}

TEST_F(DimClassesTest, ShapeOperations) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<4x1x8xf32>) {
      %s = fusion.squeeze %x dims = [1] {name = "squeeze"} : tensor<4x1x8xf32> -> tensor<4x8xf32>
      %t = fusion.transpose %x permutation = [2, 0, 1] {name = "transpose"} : tensor<4x1x8xf32> -> tensor<8x4x1xf32>
      %r = fusion.reduce add %x dims = [0] {name = "reduce"} : tensor<4x1x8xf32> -> tensor<1x8xf32>
      %e = tensor.expand_shape %s [[0, 1], [2]] output_shape [4, 1, 8] {name = "expand"} : tensor<4x8xf32> into tensor<4x1x8xf32>
      %c = tensor.collapse_shape %x [[0, 1], [2]] {name = "collapse"} : tensor<4x1x8xf32> into tensor<4x8xf32>
      %m = tensor.collapse_shape %s [[0, 1]] {name = "merge"} : tensor<4x8xf32> into tensor<32xf32>
      return
    })mlir");
  Classes x(dims.getClasses(getArgument(0)));
  EXPECT_EQ(Classes({x[0], x[2]}), dims.getClasses(get("squeeze")));
  EXPECT_EQ(Classes({x[2], x[0], x[1]}), dims.getClasses(get("transpose")));
  EXPECT_EQ(Classes({x[1], x[2]}), dims.getClasses(get("reduce")));
  Classes expand(dims.getClasses(get("expand")));
  EXPECT_EQ(expand[0], x[0]);
  EXPECT_EQ(expand[2], x[2]);
  EXPECT_NE(expand[1], x[1]) << "a new unit dimension is nobody's loop";
  EXPECT_EQ(Classes({x[0], x[2]}), dims.getClasses(get("collapse")));
  EXPECT_FALSE(llvm::is_contained(x, dims.getClass(get("merge"), 0)))
      << "two loops merged are another one";
}

TEST_F(DimClassesTest, SegmentsBindOperandsAndResults) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<4x8xf32>) -> tensor<8xf32> {
      %s = fusion.segment "s" (%a = %x : tensor<4x8xf32>) -> (tensor<8xf32>) {
        %c = fusion.reduce add %a dims = [0] {name = "c"} : tensor<4x8xf32> -> tensor<8xf32>
        fusion.yield %c : tensor<8xf32>
      }
      return %s : tensor<8xf32>
    })mlir");
  auto segment =
      *(*module->getOps<func::FuncOp>().begin()).getOps<SegmentOp>().begin();
  DimClasses::Class column = dims.getClass(getArgument(0), 1);
  EXPECT_EQ(dims.getClass(segment.getBodyBlock().getArgument(0), 1), column);
  EXPECT_EQ(dims.getClass(get("c"), 0), column);
  EXPECT_EQ(dims.getClass(segment.getResult(0), 0), column);
}

TEST_F(DimClassesTest, DynamicExtentsAreKnownFromTheirClass) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) {
      %a = tensor.cast %x {name = "a"} : tensor<?xf32> to tensor<4xf32>
      return
    })mlir");
  EXPECT_EQ(dims.getExtent(dims.getClass(getArgument(0), 0)), 4);
  EXPECT_EQ(dims.getExtent(dims.getClass(getArgument(1), 0)),
            ShapedType::kDynamic);
  EXPECT_FALSE(dims.getConflict(dims.getClass(getArgument(0), 0)));
}

TEST_F(DimClassesTest, ContradictionsAreConflicts) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<?xf32>) {
      %a = tensor.cast %x {name = "a"} : tensor<?xf32> to tensor<4xf32>
      %b = tensor.cast %x {name = "b"} : tensor<?xf32> to tensor<5xf32>
      return
    })mlir");
  EXPECT_EQ(dims.getConflict(dims.getClass(getArgument(0), 0)), get("b"));
}

TEST_F(DimClassesTest, GroupingsHaveCommonFactors) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<3x640xf32>) {
      %a = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 20, 32] {name = "a"} : tensor<3x640xf32> into tensor<3x20x32xf32>
      %b = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 5, 128] {name = "b"} : tensor<3x640xf32> into tensor<3x5x128xf32>
      %c = tensor.expand_shape %b [[0], [1], [2, 3]] output_shape [3, 5, 64, 2] {name = "c"} : tensor<3x5x128xf32> into tensor<3x5x64x2xf32>
      return
    })mlir");
  auto getExtents = [&](DimClasses::Class dimClass) {
    return llvm::map_to_vector(
        dims.getFactors(dimClass),
        [&](DimClasses::Class factor) { return dims.getExtent(factor); });
  };
  Classes x(dims.getClasses(getArgument(0))), a(dims.getClasses(get("a"))),
      b(dims.getClasses(get("b"))), c(dims.getClasses(get("c")));
  // 640 is 5 x 4 x 16 x 2: the last two are 32, the last three 128.
  EXPECT_EQ(getExtents(x[1]), SmallVector<int64_t>({5, 4, 16, 2}));
  EXPECT_EQ(getExtents(a[1]), SmallVector<int64_t>({5, 4}));
  EXPECT_EQ(getExtents(a[2]), SmallVector<int64_t>({16, 2}));
  EXPECT_EQ(getExtents(b[1]), SmallVector<int64_t>({5}));
  EXPECT_EQ(getExtents(b[2]), SmallVector<int64_t>({4, 16, 2}));
  EXPECT_EQ(getExtents(c[2]), SmallVector<int64_t>({4, 16}));
  EXPECT_EQ(dims.getFactors(x[1]).front(), b[1]);
  EXPECT_EQ(dims.getFactors(x[1]).back(), c[3]);
}

TEST_F(DimClassesTest, GroupingsWithoutCommonFactors) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<6xf32>, %y: tensor<0xf32>) {
      %a = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] {name = "a"} : tensor<6xf32> into tensor<2x3xf32>
      %b = tensor.expand_shape %x [[0, 1]] output_shape [3, 2] {name = "b"} : tensor<6xf32> into tensor<3x2xf32>
      %c = tensor.expand_shape %y [[0, 1]] output_shape [0, 4] : tensor<0xf32> into tensor<0x4xf32>
      %d = tensor.expand_shape %y [[0, 1]] output_shape [0, 2] : tensor<0xf32> into tensor<0x2xf32>
      return
    })mlir");
  EXPECT_EQ(Classes(dims.getFactors(dims.getClass(getArgument(0), 0))),
            dims.getClasses(get("a")));
  EXPECT_NE(dims.getClasses(get("a")), dims.getClasses(get("b")));
}

TEST_F(DimClassesTest, NumbersFollowProgramOrder) {
  DimClasses dims = analyse(R"mlir(
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<5xf32>) {
      %t = fusion.transpose %x permutation = [1, 0] {name = "t"} : tensor<2x3xf32> -> tensor<3x2xf32>
      return
    })mlir");
  EXPECT_EQ(Classes({0, 1}), dims.getClasses(getArgument(0)));
  EXPECT_EQ(Classes({2}), dims.getClasses(getArgument(1)));
  EXPECT_EQ(Classes({1, 0}), dims.getClasses(get("t")));
}

TEST_F(DimClassesTest, CandidateKnowsItsOwnRelationsAndThoseGiven) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4xf32>, %y: tensor<?xf32>) {
      %zero = arith.constant {name = "zero"} dense<0.0> : tensor<4xf32>
      %a = arith.addf %x, %zero {name = "a"} : tensor<4xf32>
      %b = arith.negf %y {name = "b"} : tensor<?xf32>
      %z = fusion.broadcast %zero dims = [0] {name = "z"} : tensor<4xf32> -> tensor<4x2xf32>
      %t = tensor.cast %b {name = "t"} : tensor<?xf32> to tensor<4xf32>
      %c = arith.mulf %a, %t {name = "c"} : tensor<4xf32>
      return
    })mlir");
  Operation *a = getOp("a"), *b = getOp("b"), *zero = getOp("zero");
  DimClasses all(function);
  EXPECT_EQ(all.getClasses(get("a")), all.getClasses(get("b")));
  EXPECT_FALSE(all.isUniform(get("zero")));

  // A constant is nothing that a segment gives.
  Candidate candidate = Candidate::get({zero, a, b});
  llvm::erase(candidate.outputs, get("zero"));
  DimClasses own(candidate, all, [](Value) { return ArrayRef<unsigned>(); });
  EXPECT_NE(own.getClasses(get("a")), own.getClasses(get("b")));
  EXPECT_EQ(own.getClasses(get("a")), own.getClasses(getArgument(0)));
  EXPECT_EQ(own.getExtent(own.getClass(get("b"), 0)), ShapedType::kDynamic);
  EXPECT_TRUE(own.isUniform(get("zero")));
  EXPECT_FALSE(own.hasClasses(get("c")));

  unsigned loop = 7;
  DimClasses told(candidate, all, [&](Value value) {
    bool isKnown = value == get("b") || value == getArgument(0);
    return isKnown ? ArrayRef(loop) : ArrayRef<unsigned>();
  });
  EXPECT_EQ(told.getClasses(get("a")), told.getClasses(get("b")));
}

} // namespace
