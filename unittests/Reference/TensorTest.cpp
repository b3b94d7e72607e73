//===- TensorTest.cpp - Shapes, slices and elements -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class TensorTest : public ReferenceTest {
protected:
  HostTensor iota(ArrayRef<int64_t> shape) {
    HostTensor tensor(getType("f32"), shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.getDataAs<float>()[i] = static_cast<float>(i);
    return tensor;
  }
  HostTensor index(int64_t value) {
    HostTensor tensor(getType("index"), {});
    tensor.writeFromInteger(0, 1, &value);
    return tensor;
  }
};
} // namespace

TEST_F(TensorTest, BroadcastAlongNewAndGrownDimensions) {
  expectSame(run(R"(func.func @f(%x: tensor<2xf32>) -> tensor<2x3xf32> {
    %r = fusion.broadcast %x dims = [0] : tensor<2xf32> -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  })",
                 {iota({2})}),
             {0, 0, 0, 1, 1, 1});
  expectSame(run(R"(func.func @f(%x: tensor<3xf32>) -> tensor<2x3xf32> {
    %r = fusion.broadcast %x dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  })",
                 {iota({3})}),
             {0, 1, 2, 0, 1, 2});
  expectSame(run(R"(func.func @f(%x: tensor<2x1xf32>) -> tensor<2x2x2xf32> {
    %r = fusion.broadcast %x dims = [0, 2] : tensor<2x1xf32> -> tensor<2x2x2xf32>
    return %r : tensor<2x2x2xf32>
  })",
                 {iota({2, 1})}),
             {0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_F(TensorTest, BroadcastOfBroadcastOfComputedValues) {
  expectSame(run(R"(func.func @f(%x: tensor<2xf32>) -> tensor<2x2x2xf32> {
    %s = arith.addf %x, %x : tensor<2xf32>
    %a = fusion.broadcast %s dims = [1] : tensor<2xf32> -> tensor<2x2xf32>
    %b = fusion.broadcast %a dims = [0, 2] : tensor<2x2xf32> -> tensor<2x2x2xf32>
    return %b : tensor<2x2x2xf32>
  })",
                 {iota({2})}),
             {0, 2, 0, 2, 0, 2, 0, 2});
}

TEST_F(TensorTest, DynamicBroadcast) {
  StringRef source = R"(func.func @f(%x: tensor<?xf32>, %m: index)
      -> tensor<?x?xf32> {
    %r = fusion.broadcast %x [%m] dims = [1] : tensor<?xf32> -> tensor<?x?xf32>
    return %r : tensor<?x?xf32>
  })";
  expectSame(run(source, {iota({2}), index(3)}), {0, 1, 0, 1, 0, 1});
  expectSame(run(source, {iota({2}), index(0)}), {});
  // A dynamic extent of 1 is an extent like others.
  expectSame(run(source, {iota({1}), index(2)}), {0, 0});
}

TEST_F(TensorTest, NegativeExtentIsAnError) {
  std::string message = runExpectingError(
      R"(func.func @f(%x: tensor<?xf32>, %m: index) -> tensor<?x?xf32> {
    %r = fusion.broadcast %x [%m] dims = [1] : tensor<?xf32> -> tensor<?x?xf32>
    return %r : tensor<?x?xf32>
  })",
      {iota({2}), index(-1)});
  EXPECT_NE(message.find("expected extents of at least 0"), std::string::npos)
      << message;
}

TEST_F(TensorTest, HugeExtentIsAnError) {
  std::string message = runExpectingError(
      R"(func.func @f(%m: index) -> tensor<?x?xf32> {
    %r = tensor.empty(%m, %m) : tensor<?x?xf32>
    return %r : tensor<?x?xf32>
  })",
      {index(int64_t(1) << 40)});
  EXPECT_NE(message.find("evaluates at most"), std::string::npos) << message;
}

TEST_F(TensorTest, SqueezeAndTranspose) {
  expectSame(run(R"(func.func @f(%x: tensor<2x1x3xf32>) -> tensor<2x3xf32> {
    %r = fusion.squeeze %x dims = [1] : tensor<2x1x3xf32> -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  })",
                 {iota({2, 1, 3})}),
             {0, 1, 2, 3, 4, 5});
  expectSame(run(R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %n = arith.negf %x : tensor<2x3xf32>
    %r = fusion.transpose %n permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    return %r : tensor<3x2xf32>
  })",
                 {iota({2, 3})}),
             {-0.0, -3, -1, -4, -2, -5});
  expectSame(
      run(R"(func.func @f(%x: tensor<2x1x2x2xf32>) -> tensor<2x2x1x2xf32> {
    %r = fusion.transpose %x permutation = [3, 0, 1, 2] : tensor<2x1x2x2xf32> -> tensor<2x2x1x2xf32>
    return %r : tensor<2x2x1x2xf32>
  })",
          {iota({2, 1, 2, 2})}),
      {0, 2, 4, 6, 1, 3, 5, 7});
}

TEST_F(TensorTest, ReshapesKeepTheOrder) {
  expectSame(run(R"(func.func @f(%x: tensor<6xf32>) -> tensor<3xf32> {
    %e = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
    %r = fusion.reduce add %e dims = [0] : tensor<2x3xf32> -> tensor<3xf32>
    return %r : tensor<3xf32>
  })",
                 {iota({6})}),
             {3, 5, 7});
  expectSame(run(R"(func.func @f(%x: tensor<2x3xf32>) -> tensor<6xf32> {
    %t = fusion.transpose %x permutation = [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>
    %r = tensor.collapse_shape %t [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
    return %r : tensor<6xf32>
  })",
                 {iota({2, 3})}),
             {0, 3, 1, 4, 2, 5});
}

TEST_F(TensorTest, DynamicReshapes) {
  StringRef source = R"(func.func @f(%x: tensor<?xf32>, %n: index)
      -> tensor<?x2xf32> {
    %e = tensor.expand_shape %x [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
    return %e : tensor<?x2xf32>
  })";
  expectSame(run(source, {iota({4}), index(2)}), {0, 1, 2, 3});
  std::string message = runExpectingError(source, {iota({4}), index(3)});
  EXPECT_NE(message.find("expected extents whose product is 4"),
            std::string::npos)
      << message;
}

TEST_F(TensorTest, ViewsOfReshapedViews) {
  expectSame(run(R"(func.func @f(%x: tensor<2xf32>) -> tensor<4x2xf32> {
    %b = fusion.broadcast %x dims = [0] : tensor<2xf32> -> tensor<2x4xf32>
    %c = tensor.collapse_shape %b [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %e = tensor.expand_shape %c [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %t = fusion.transpose %e permutation = [1, 0] : tensor<2x4xf32> -> tensor<4x2xf32>
    return %t : tensor<4x2xf32>
  })",
                 {iota({2})}),
             {0, 1, 0, 1, 0, 1, 0, 1});
}

TEST_F(TensorTest, SplatEmptyDimRank) {
  expectSame(run(R"(func.func @f(%v: f32, %n: index) -> tensor<?x2xf32> {
    %r = tensor.splat %v[%n] : tensor<?x2xf32>
    return %r : tensor<?x2xf32>
  })",
                 {makeTensor("f32", {}, {7}), index(2)}),
             {7, 7, 7, 7});
  expectSame(run(R"(func.func @f(%x: tensor<?x3xf32>) -> index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tensor.dim %x, %c0 : tensor<?x3xf32>
    %b = tensor.dim %x, %c1 : tensor<?x3xf32>
    %r = arith.muli %a, %b : index
    return %r : index
  })",
                 {iota({5, 3})}),
             {15});
  expectSame(run(R"(func.func @f(%x: tensor<?x3xf32>) -> index {
    %r = tensor.rank %x : tensor<?x3xf32>
    return %r : index
  })",
                 {iota({5, 3})}),
             {2});
  expectSame(run(R"(func.func @f() -> tensor<1xf32> {
    %r = tensor.empty() : tensor<1xf32>
    return %r : tensor<1xf32>
  })",
                 {}),
             {nan});
}

TEST_F(TensorTest, ExtentsComputedFromElements) {
  // The extent is a reduction of the input's elements.
  expectSame(run(R"(func.func @f(%x: tensor<3xi32>) -> tensor<?xi32> {
    %s = fusion.reduce add %x dims = [0] : tensor<3xi32> -> tensor<i32>
    %e = tensor.extract %s[] : tensor<i32>
    %n = arith.index_cast %e : i32 to index
    %r = tensor.splat %e[%n] : tensor<?xi32>
    return %r : tensor<?xi32>
  })",
                 {makeTensor("i32", {3}, {1, 2, -1})}),
             {2, 2});
}

TEST_F(TensorTest, ElementsInAndOut) {
  expectSame(run(R"(func.func @f(%x: tensor<2x3xf32>, %i: index) -> f32 {
    %c1 = arith.constant 1 : index
    %r = tensor.extract %x[%c1, %i] : tensor<2x3xf32>
    return %r : f32
  })",
                 {iota({2, 3}), index(2)}),
             {5});
  expectSame(
      run(R"(func.func @f(%x: tensor<2x2xf32>, %v: f32) -> tensor<2x2xf32> {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %r = tensor.insert %v into %x[%c1, %c0] : tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  })",
          {iota({2, 2}), makeTensor("f32", {}, {9})}),
      {0, 1, 9, 3});
  expectSame(run(R"(func.func @f(%a: f32, %b: f32) -> tensor<2x2xf32> {
    %s = arith.addf %a, %b : f32
    %r = tensor.from_elements %a, %b, %s, %a : tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  })",
                 {makeTensor("f32", {}, {1}), makeTensor("f32", {}, {2})}),
             {1, 2, 3, 1});
}

TEST_F(TensorTest, IndexOutOfBoundsIsAnError) {
  std::string message =
      runExpectingError(R"(func.func @f(%x: tensor<3xf32>, %i: index) -> f32 {
    %r = tensor.extract %x[%i] : tensor<3xf32>
    return %r : f32
  })",
                        {iota({3}), index(3)});
  EXPECT_NE(message.find("expected an index below the extent 3, but found 3"),
            std::string::npos)
      << message;
}

TEST_F(TensorTest, Slices) {
  expectSame(run(R"(func.func @f(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
    %r = tensor.extract_slice %x[1, 0] [2, 3] [2, 2] : tensor<4x6xf32> to tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  })",
                 {iota({4, 6})}),
             {6, 8, 10, 18, 20, 22});
  expectSame(
      run(R"(func.func @f(%x: tensor<4x6xf32>, %o: index) -> tensor<3xf32> {
    %n = arith.negf %x : tensor<4x6xf32>
    %r = tensor.extract_slice %n[2, %o] [1, 3] [1, 1] : tensor<4x6xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })",
          {iota({4, 6}), index(3)}),
      {-15, -16, -17});
  expectSame(
      run(R"(func.func @f(%x: tensor<2xf32>, %d: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %r = tensor.insert_slice %x into %d[0, 1] [2, 1] [2, 1] : tensor<2xf32> into tensor<3x2xf32>
    return %r : tensor<3x2xf32>
  })",
          {makeTensor("f32", {2}, {8, 9}), iota({3, 2})}),
      {0, 8, 2, 3, 4, 9});
}

TEST_F(TensorTest, SliceOutOfBoundsIsAnError) {
  StringRef source =
      R"(func.func @f(%x: tensor<4xf32>, %o: index) -> tensor<3xf32> {
    %r = tensor.extract_slice %x[%o] [3] [1] : tensor<4xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })";
  for (int64_t offset :
       {int64_t(2), int64_t(-1), std::numeric_limits<int64_t>::max()}) {
    errors.clear();
    std::string message = runExpectingError(source, {iota({4}), index(offset)});
    EXPECT_NE(message.find("expected a slice within the extent 4"),
              std::string::npos)
        << message;
  }
}

TEST_F(TensorTest, ConcatAndPad) {
  expectSame(
      run(R"(func.func @f(%x: tensor<2x2xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
    %r = tensor.concat dim(1) %x, %y : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    return %r : tensor<2x3xf32>
  })",
          {iota({2, 2}), iota({2, 1})}),
      {0, 1, 0, 2, 3, 1});
  expectSame(run(R"(func.func @f(%x: tensor<2xf32>, %v: f32) -> tensor<5xf32> {
    %r = tensor.pad %x low[1] high[2] {
    ^bb0(%i: index):
      tensor.yield %v : f32
    } : tensor<2xf32> to tensor<5xf32>
    return %r : tensor<5xf32>
  })",
                 {iota({2}), makeTensor("f32", {}, {-1})}),
             {-1, 0, 1, -1, -1});
}

TEST_F(TensorTest, CastsAreChecked) {
  StringRef source = R"(func.func @f(%x: tensor<?xf32>) -> tensor<3xf32> {
    %r = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
    return %r : tensor<3xf32>
  })";
  expectSame(run(source, {iota({3})}), {0, 1, 2});
  std::string message = runExpectingError(source, {iota({4})});
  EXPECT_NE(message.find("expected extents that fit 'tensor<3xf32>'"),
            std::string::npos)
      << message;
}

TEST_F(TensorTest, DynamicExtentsMustAgree) {
  StringRef source =
      R"(func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %r = arith.addf %x, %y : tensor<?xf32>
    return %r : tensor<?xf32>
  })";
  expectSame(run(source, {iota({2}), iota({2})}), {0, 2});
  expectSame(run(source, {iota({0}), iota({0})}), {});
  std::string message = runExpectingError(source, {iota({2}), iota({3})});
  EXPECT_NE(message.find("expected operands of equal extents"),
            std::string::npos)
      << message;
}
