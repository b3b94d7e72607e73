//===- IterationSpaceTest.cpp - The loops of a candidate ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/IterationSpace.h"
#include "AnalysisTest.h"
#include "gmock/gmock.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class IterationSpaceTest : public AnalysisTest {
protected:
  /// What the space of the function's operations prints, or its rejection.
  std::string print(StringRef text) {
    func::FuncOp function = parse(text);
    DimClasses dims(function);
    auto space = IterationSpace::build(getCandidate(function), dims);
    std::string result;
    llvm::raw_string_ostream os(result);
    if (const auto *rejection = std::get_if<Rejection>(&space))
      os << rejection->str();
    else
      std::get<IterationSpace>(space).print(os);
    return result;
  }
};

TEST_F(IterationSpaceTest, RowsAndColumnsOfSoftmaxAreTwoLoops) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<8x16x4096xf32>) -> tensor<8x16x4096xf32> {
      %m = fusion.reduce maximumf %x dims = [2] : tensor<8x16x4096xf32> -> tensor<8x16xf32>
      %b = fusion.broadcast %m dims = [0, 1] : tensor<8x16xf32> -> tensor<8x16x4096xf32>
      %d = arith.subf %x, %b : tensor<8x16x4096xf32>
      return %d : tensor<8x16x4096xf32>
    })mlir"),
            "loop 0: 128\n"
            "loop 1: 4096\n"
            "input 0: strides [4096, 1]\n"
            "output 0: strides [4096, 1]\n"
            "reduction 0: loops {1}, level 0\n");
}

TEST_F(IterationSpaceTest, ValuesThatVaryOverPartOfTheRowsSplitThem) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<8x256x1152xf32>, %s: tensor<8x1x1152xf32>) -> tensor<8x256x1152xf32> {
      %q = fusion.squeeze %s dims = [1] : tensor<8x1x1152xf32> -> tensor<8x1152xf32>
      %b = fusion.broadcast %q dims = [0, 2] : tensor<8x1152xf32> -> tensor<8x256x1152xf32>
      %y = arith.mulf %x, %b : tensor<8x256x1152xf32>
      return %y : tensor<8x256x1152xf32>
    })mlir"),
            "loop 0: 8\n"
            "loop 1: 256\n"
            "loop 2: 1152\n"
            "input 0: strides [1152, 0, 1]\n"
            "input 1: strides [294912, 1152, 1]\n"
            "output 0: strides [294912, 1152, 1]\n");
}

TEST_F(IterationSpaceTest, UnitExtentsAreNoLoops) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<1x7xbf16>) -> tensor<7xf32> {
      %r = fusion.reduce add %x dims = [0] : tensor<1x7xbf16> -> tensor<7xf32>
      return %r : tensor<7xf32>
    })mlir"),
            "loop 0: 7\n"
            "input 0: strides [1]\n"
            "output 0: strides [1]\n");
}

TEST_F(IterationSpaceTest, TransposesChangeStridesNotLoops) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
      %t = fusion.transpose %x permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
      %s = arith.addf %t, %y : tensor<8x4xf32>
      return %s : tensor<8x4xf32>
    })mlir"),
            "loop 0: 8\n"
            "loop 1: 4\n"
            "input 0: strides [1, 8]\n"
            "input 1: strides [4, 1]\n"
            "output 0: strides [4, 1]\n");
}

// Group norm: the channels are 8 groups of 4, and a weight varies over both.
TEST_F(IterationSpaceTest, ReshapesThatGroupDimensionsAreLookedThrough) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<2x32x64xf32>, %w: tensor<32xf32>) -> (tensor<2x32x64xf32>, tensor<2x8xf32>) {
      %e = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [2, 8, 4, 64] : tensor<2x32x64xf32> into tensor<2x8x4x64xf32>
      %s = fusion.reduce add %e dims = [2, 3] : tensor<2x8x4x64xf32> -> tensor<2x8xf32>
      %b = fusion.broadcast %s dims = [0, 1] : tensor<2x8xf32> -> tensor<2x8x4x64xf32>
      %d = arith.subf %e, %b : tensor<2x8x4x64xf32>
      %c = tensor.collapse_shape %d [[0], [1, 2], [3]] : tensor<2x8x4x64xf32> into tensor<2x32x64xf32>
      %v = fusion.broadcast %w dims = [1] : tensor<32xf32> -> tensor<2x32x64xf32>
      %y = arith.mulf %c, %v : tensor<2x32x64xf32>
      return %y, %s : tensor<2x32x64xf32>, tensor<2x8xf32>
    })mlir"),
            "loop 0: 2\n"
            "loop 1: 8\n"
            "loop 2: 4\n"
            "loop 3: 64\n"
            "input 0: strides [2048, 256, 64, 1]\n"
            "input 1: strides [0, 4, 1, 0]\n"
            "output 0: strides [8, 1, 0, 0]\n"
            "output 1: strides [2048, 256, 64, 1]\n"
            "reduction 0: loops {2, 3}, level 0\n");
}

TEST_F(IterationSpaceTest, ReshapesThatRegroupAreRejected) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<6xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
      %a = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
      %b = tensor.expand_shape %x [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
      return %a, %b : tensor<2x3xf32>, tensor<3x2xf32>
    })mlir"),
            "unsupported-shape: expected a reshape that groups dimensions in "
            "one way only, but another reshape groups them differently");
}

TEST_F(IterationSpaceTest, ReshapesMayGroupLoopsDifferently) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<32xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
      %a = tensor.expand_shape %x [[0, 1]] output_shape [8, 4] : tensor<32xf32> into tensor<8x4xf32>
      %b = tensor.expand_shape %x [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
      %r = fusion.reduce add %b dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
      return %a, %r : tensor<8x4xf32>, tensor<4xf32>
    })mlir"),
            "loop 0: 4\n"
            "loop 1: 8\n"
            "input 0: strides [8, 1]\n"
            "output 0: strides [8, 1]\n"
            "output 1: strides [1, 0]\n"
            "reduction 0: loops {1}, level 0\n");
}

TEST_F(IterationSpaceTest, LoopsThatNoValueHasTogether) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<64x16xf32>, %b: tensor<64x32xf32>) -> tensor<64x32xf32> {
      %s = fusion.reduce add %x dims = [1] : tensor<64x16xf32> -> tensor<64xf32>
      %v = fusion.broadcast %s dims = [0] : tensor<64xf32> -> tensor<64x32xf32>
      %y = arith.mulf %v, %b : tensor<64x32xf32>
      return %y : tensor<64x32xf32>
    })mlir"),
            "loop 0: 64\n"
            "loop 1: 16\n"
            "loop 2: 32\n"
            "input 0: strides [16, 1, 0]\n"
            "input 1: strides [32, 0, 1]\n"
            "output 0: strides [32, 0, 1]\n"
            "reduction 0: loops {1}, level 0\n");
}

TEST_F(IterationSpaceTest, OutermostExtentsMayBeDynamic) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<?x8x4xf32>) -> tensor<?x8xf32> {
      %s = fusion.reduce add %x dims = [2] : tensor<?x8x4xf32> -> tensor<?x8xf32>
      return %s : tensor<?x8xf32>
    })mlir"),
            "loop 0: ? x 8\n"
            "loop 1: 4\n"
            "input 0: strides [4, 1]\n"
            "output 0: strides [1, 0]\n"
            "reduction 0: loops {1}, level 0\n");
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<8x?xf32>) -> tensor<8x?xf32> {
      %y = arith.negf %x : tensor<8x?xf32>
      return %y : tensor<8x?xf32>
    })mlir"),
            "dynamic-extent: expected only the outermost dimension of a tensor "
            "to have an extent that is not known at compile time");
}

TEST_F(IterationSpaceTest, LevelsCountReductionsInAChain) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<3x5xf32>) -> tensor<f32> {
      %r = fusion.reduce add %x dims = [1] : tensor<3x5xf32> -> tensor<3xf32>
      %s = fusion.reduce maximumf %r dims = [0] : tensor<3xf32> -> tensor<f32>
      return %s : tensor<f32>
    })mlir"),
            "loop 0: 3\n"
            "loop 1: 5\n"
            "input 0: strides [5, 1]\n"
            "output 0: strides [0, 0]\n"
            "reduction 0: loops {1}, level 0\n"
            "reduction 1: loops {0}, level 1\n");
}

TEST_F(IterationSpaceTest, EmptyExtentsKeepTheirLoops) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<3x0xf32>) -> tensor<3xf32> {
      %r = fusion.reduce add %x dims = [1] : tensor<3x0xf32> -> tensor<3xf32>
      return %r : tensor<3xf32>
    })mlir"),
            "loop 0: 3\n"
            "loop 1: 0\n"
            "input 0: strides [0, 1]\n"
            "output 0: strides [1, 0]\n"
            "reduction 0: loops {1}, level 0\n");
}

/// Positions count the elements of a tensor in memory: loops that are in
/// another order there are not one loop.
TEST_F(IterationSpaceTest, PositionsKeepLoopsApart) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<5x3xi64>) -> tensor<5x3xi64> {
      %i = fusion.iota : tensor<15xi64>
      %g = tensor.expand_shape %i [[0, 1]] output_shape [3, 5]
          : tensor<15xi64> into tensor<3x5xi64>
      %t = fusion.transpose %g permutation = [1, 0]
          : tensor<3x5xi64> -> tensor<5x3xi64>
      %y = arith.addi %x, %t : tensor<5x3xi64>
      return %y : tensor<5x3xi64>
    })mlir"),
            "loop 0: 5\nloop 1: 3\n"
            "input 0: strides [3, 1]\n"
            "output 0: strides [3, 1]\n");
}

TEST_F(IterationSpaceTest, ADiagonalIsRejected) {
  EXPECT_EQ(print(R"mlir(
    func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %t = fusion.transpose %x permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
      %y = arith.addf %t, %x : tensor<4x4xf32>
      return %y : tensor<4x4xf32>
    })mlir"),
            "unsupported-shape: expected each dimension of a tensor to be a "
            "loop of its own (dimension 1)");
}

} // namespace
