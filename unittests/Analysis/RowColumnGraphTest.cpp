//===- RowColumnGraphTest.cpp - Candidates over rows and columns ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/RowColumnGraph.h"
#include "AnalysisTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class RowColumnGraphTest : public AnalysisTest {
protected:
  std::variant<RowColumnGraph, Rejection> build(StringRef text) {
    func::FuncOp function = parse(text);
    dims.emplace(function);
    return RowColumnGraph::build(getCandidate(function), *dims);
  }

  /// The graph; the test fails if there is none.
  std::optional<RowColumnGraph> accept(StringRef text) {
    auto built = build(text);
    if (auto *rejection = std::get_if<Rejection>(&built)) {
      ADD_FAILURE() << rejection->str();
      return std::nullopt;
    }
    return std::get<RowColumnGraph>(std::move(built));
  }

  /// Expects a rejection with `code` at the operation called `name`.
  void expectRejection(StringRef text, RejectionCode code, StringRef name,
                       StringRef hint) {
    auto built = build(text);
    auto *rejection = std::get_if<Rejection>(&built);
    ASSERT_TRUE(rejection);
    EXPECT_EQ(rejection->code, code);
    EXPECT_EQ(rejection->operation, getOp(name));
    EXPECT_NE(rejection->str().find(hint), std::string::npos)
        << rejection->str();
  }

  std::optional<DimClasses> dims;
};

TEST_F(RowColumnGraphTest, SpacesAndLevels) {
  auto graph = accept(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %m: tensor<4xf32>, %g: tensor<8xf32>, %s: f32)
        -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) {
      %mb = fusion.broadcast %m dims = [0] {name = "mb"} : tensor<4xf32> -> tensor<4x8xf32>
      %k = tensor.splat %s {name = "k"} : tensor<4x8xf32>
      %a = arith.subf %x, %mb {name = "a"} : tensor<4x8xf32>
      %r = fusion.reduce add %a dims = [1] {name = "r"} : tensor<4x8xf32> -> tensor<4xf32>
      %rb = fusion.broadcast %r dims = [0] {name = "rb"} : tensor<4xf32> -> tensor<4x8xf32>
      %b = arith.mulf %a, %rb {name = "b"} : tensor<4x8xf32>
      %q = fusion.reduce maximumf %b dims = [1] {name = "q"} : tensor<4x8xf32> -> tensor<4xf32>
      %qb = fusion.broadcast %q dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
      %d = arith.addf %b, %qb {name = "d"} : tensor<4x8xf32>
      %c0 = fusion.reduce add %x dims = [0] {name = "c0"} : tensor<4x8xf32> -> tensor<8xf32>
      %c2 = fusion.reduce add %d dims = [0] {name = "c2"} : tensor<4x8xf32> -> tensor<8xf32>
      %e = arith.mulf %c2, %g {name = "e"} : tensor<8xf32>
      %u = arith.mulf %a, %k : tensor<4x8xf32>
      return %d, %c0, %e : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
    })mlir");
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->getRows(), 4);
  EXPECT_EQ(graph->getColumns(), 8);
  EXPECT_EQ(graph->getNumLevels(), 3u);
  EXPECT_EQ(graph->getSpace(getArgument(0)), Space::RowColumn);
  EXPECT_EQ(graph->getSpace(getArgument(1)), Space::Row);
  EXPECT_EQ(graph->getSpace(getArgument(2)), Space::Column);
  EXPECT_EQ(graph->getSpace(getArgument(3)), Space::Scalar);
  EXPECT_EQ(graph->getSpace(get("q")), Space::Row);
  EXPECT_EQ(graph->getSpace(get("e")), Space::Column);
  for (auto [name, level] : {std::pair("a", 0u),
                             {"r", 1u},
                             {"b", 1u},
                             {"q", 2u},
                             {"d", 2u},
                             {"c0", 0u},
                             {"c2", 2u}})
    EXPECT_EQ(graph->getLevel(get(name)), level) << name;
  ASSERT_EQ(graph->getRowReductions().size(), 2u);
  EXPECT_EQ(graph->getRowReductions()[1].kind, ReductionKind::MaximumF);
  EXPECT_EQ(graph->getRowReductions()[1].level, 1u);
  ASSERT_EQ(graph->getColumnReductions().size(), 2u);
  EXPECT_EQ(graph->getColumnReductions()[0].level, 0u);
  EXPECT_EQ(graph->getColumnReductions()[1].level, 2u);
  EXPECT_TRUE(graph->isAfterColumns(get("e")));
  EXPECT_FALSE(graph->isAfterColumns(get("d")));
}

TEST_F(RowColumnGraphTest, RowsAndColumnsOfSeveralDimensions) {
  auto graph = accept(R"mlir(
    func.func @f(%x: tensor<2x3x4x5xbf16>) {
      %r = fusion.reduce add %x dims = [2, 3] {name = "r"} : tensor<2x3x4x5xbf16> -> tensor<2x3xbf16>
      %c = fusion.reduce add %x dims = [0, 1] {name = "c"} : tensor<2x3x4x5xbf16> -> tensor<4x5xf32>
      return
    })mlir");
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->getRows(), 6);
  EXPECT_EQ(graph->getColumns(), 20);
  EXPECT_EQ(graph->getSpace(get("r")), Space::Row);
  EXPECT_EQ(graph->getSpace(get("c")), Space::Column);
  EXPECT_TRUE(graph->getRowReductions()[0].accumulatorType.isF32())
      << "partial sums of bf16 are f32";
}

TEST_F(RowColumnGraphTest, DroppingAUnitDimensionIsASumOfOneElement) {
  auto graph = accept(R"mlir(
    func.func @f(%x: tensor<1x8xf32>) {
      %r = fusion.reduce add %x dims = [1] {name = "r"} : tensor<1x8xf32> -> tensor<1xf32>
      %s = fusion.squeeze %x dims = [0] {name = "s"} : tensor<1x8xf32> -> tensor<8xf32>
      %c = tensor.collapse_shape %x [[0, 1]] {name = "c"} : tensor<1x8xf32> into tensor<8xf32>
      return
    })mlir");
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->getColumnReductions().size(), 2u);
  for (const auto &reduction : graph->getColumnReductions()) {
    EXPECT_EQ(reduction.kind, ReductionKind::Add);
    EXPECT_EQ(graph->getSpace(reduction.result), Space::Column);
  }
}

TEST_F(RowColumnGraphTest, KeptUnitDimensionsChangeNoSpace) {
  auto graph = accept(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %k: tensor<4x1xf32>) {
      %kb = fusion.broadcast %k dims = [0, 1] {name = "kb"} : tensor<4x1xf32> -> tensor<4x8xf32>
      %q = fusion.squeeze %k dims = [1] {name = "q"} : tensor<4x1xf32> -> tensor<4xf32>
      %y = arith.mulf %x, %kb : tensor<4x8xf32>
      %r = fusion.reduce add %y dims = [1] {name = "r"} : tensor<4x8xf32> -> tensor<4xf32>
      %e = tensor.expand_shape %r [[0, 1]] output_shape [4, 1] {name = "e"} : tensor<4xf32> into tensor<4x1xf32>
      return
    })mlir");
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->getSpace(getArgument(1)), Space::Row);
  EXPECT_EQ(graph->getSpace(get("q")), Space::Row);
  EXPECT_EQ(graph->getSpace(get("e")), Space::Row);
  EXPECT_EQ(graph->getSpace(get("kb")), Space::RowColumn);
  EXPECT_EQ(graph->getRowReductions().size(), 1u);
  EXPECT_EQ(graph->getLevel(get("e")), 1u);
}

TEST_F(RowColumnGraphTest, Rejections) {
  expectRejection(R"mlir(
    func.func @f(%x: tensor<4x8xf32>) {
      %a = arith.addf %x, %x {name = "a"} : tensor<4x8xf32>
      return
    })mlir",
                  RejectionCode::MissingReduction, "a",
                  "missing-reduction: expected a reduction");
  expectRejection(R"mlir(
    func.func @f(%x: tensor<4x8xf32>) {
      %r = fusion.reduce add %x dims = [0, 1] {name = "r"} : tensor<4x8xf32> -> tensor<f32>
      return
    })mlir",
                  RejectionCode::UnsupportedShape, "r", "removes every");
  expectRejection(R"mlir(
    func.func @f(%x: tensor<2x4x8xf32>) {
      %r = fusion.reduce add %x dims = [1] {name = "r"} : tensor<2x4x8xf32> -> tensor<2x8xf32>
      return
    })mlir",
                  RejectionCode::UnsupportedShape, "r", "(dimension 1)");
  expectRejection(R"mlir(
    func.func @f(%x: tensor<4x?xf32>) {
      %r = fusion.reduce add %x dims = [1] {name = "r"} : tensor<4x?xf32> -> tensor<4xf32>
      return
    })mlir",
                  RejectionCode::DynamicExtent, "r", "(dimension 1)");
  expectRejection(R"mlir(
    func.func @f(%x: tensor<0x8xf32>) {
      %r = fusion.reduce add %x dims = [1] {name = "r"} : tensor<0x8xf32> -> tensor<0xf32>
      return
    })mlir",
                  RejectionCode::EmptyExtent, "r", "(dimension 0)");
  expectRejection(R"mlir(
    func.func @f(%x: tensor<4x8xf32>) {
      %c = fusion.reduce add %x dims = [0] {name = "c"} : tensor<4x8xf32> -> tensor<8xf32>
      %b = fusion.broadcast %c dims = [1] {name = "b"} : tensor<8xf32> -> tensor<4x8xf32>
      %y = arith.subf %x, %b : tensor<4x8xf32>
      return
    })mlir",
                  RejectionCode::CrossColumnDependency, "b",
                  "cross-column-dependency");
  expectRejection(R"mlir(
    func.func @f(%x: tensor<4x8xf32>) {
      %c = fusion.reduce add %x dims = [0] {name = "c"} : tensor<4x8xf32> -> tensor<8xf32>
      %t = fusion.transpose %x permutation = [1, 0] {name = "t"} : tensor<4x8xf32> -> tensor<8x4xf32>
      return
    })mlir",
                  RejectionCode::UnsupportedShape, "t", "in one order");
}

} // namespace
