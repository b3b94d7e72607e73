//===- SegmentGraphTest.cpp -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/SegmentGraph.h"
#include "AnalysisTest.h"
#include "FusionDialect/Analysis/DimClasses.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class SegmentGraphTest : public AnalysisTest {
protected:
  void build(llvm::StringRef text) {
    func::FuncOp function = parse(text);
    dims.emplace(function);
    graph.emplace(function.front(), *dims);
  }

  unsigned getNode(llvm::StringRef name) {
    auto node = graph->getNode(getOp(name));
    EXPECT_TRUE(node) << name.str();
    return node.value_or(0);
  }

  SegmentGraph::Members getMembers(ArrayRef<llvm::StringRef> names) {
    SmallVector<unsigned> nodes;
    for (llvm::StringRef name : names)
      nodes.push_back(getNode(name));
    llvm::sort(nodes);
    return graph->getMembers(nodes);
  }

  SmallVector<uint64_t> getKey(ArrayRef<llvm::StringRef> names) {
    SmallVector<uint64_t> key;
    graph->appendKey(getMembers(names), key);
    return key;
  }

  std::optional<DimClasses> dims;
  std::optional<SegmentGraph> graph;
};

TEST_F(SegmentGraphTest, CutsFallBeforeCastsAndBroadcasts) {
  build(R"mlir(
    func.func @f(%x: tensor<4x8xbf16>) -> (tensor<4xbf16>, tensor<4x8xf32>) {
      %k = arith.constant {name = "k"} dense<2.0> : tensor<4x8xf32>
      %w = "arith.extf"(%x) {name = "w"} : (tensor<4x8xbf16>) -> tensor<4x8xf32>
      %s = fusion.reduce add %w dims = [1] {name = "s"} : tensor<4x8xf32> -> tensor<4xf32>
      %n = "arith.truncf"(%s) {name = "n"} : (tensor<4xf32>) -> tensor<4xbf16>
      %nw = "arith.extf"(%n) {name = "nw"} : (tensor<4xbf16>) -> tensor<4xf32>
      %b = fusion.broadcast %nw dims = [0] {name = "b"} : tensor<4xf32> -> tensor<4x8xf32>
      %kb = arith.mulf %b, %k {name = "kb"} : tensor<4x8xf32>
      %y = arith.mulf %w, %kb {name = "y"} : tensor<4x8xf32>
      return %n, %y : tensor<4xbf16>, tensor<4x8xf32>
    })mlir");
  for (const char *name : {"w", "nw", "b", "k"}) {
    EXPECT_FALSE(graph->getNode(getOp(name))) << name;
    EXPECT_TRUE(graph->isRecomputed(getOp(name))) << name;
  }
  EXPECT_EQ(graph->getNodes().size(), 4u);

  Candidate second = graph->getCandidate(getMembers({"kb", "y"}));
  // In program order, with own copies of what is cheap.
  EXPECT_EQ(second.operations.getArrayRef(),
            ArrayRef<Operation *>({getOp("k"), getOp("w"), getOp("nw"),
                                   getOp("b"), getOp("kb"), getOp("y")}));
  EXPECT_EQ(second.inputs.getArrayRef(),
            ArrayRef<Value>({getArgument(0), get("n")}));
  EXPECT_EQ(ArrayRef<Value>(second.outputs), ArrayRef<Value>(get("y")));

  Candidate first = graph->getCandidate(getMembers({"s", "n"}));
  EXPECT_EQ(ArrayRef<Value>(first.outputs), ArrayRef<Value>(get("n")));
}

TEST_F(SegmentGraphTest, CheapValueThatIsReturnedIsANode) {
  build(R"mlir(
    func.func @f(%s: f32) -> (tensor<4xf32>, tensor<4x1xf32>) {
      %v = tensor.splat %s {name = "v"} : tensor<4xf32>
      %e = tensor.expand_shape %v [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
      %n = arith.negf %e {name = "n"} : tensor<4x1xf32>
      return %v, %n : tensor<4xf32>, tensor<4x1xf32>
    })mlir");
  EXPECT_EQ(graph->getNodes().size(), 2u);
  // Who uses it computes it again and does not depend on it.
  EXPECT_TRUE(graph->getNodes()[getNode("n")].producers.empty());
  EXPECT_EQ(getMembers({"n"}).operations.size(), 3u);
  EXPECT_EQ(getMembers({"n"}).outputs.size(), 1u);
  EXPECT_EQ(getMembers({"n", "v"}).operations.size(), 3u);
  EXPECT_EQ(getMembers({"n", "v"}).outputs.size(), 2u);
}

TEST_F(SegmentGraphTest, FixedOperationsKeepTheirOrder) {
  build(R"mlir(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = arith.negf %x {name = "a"} : tensor<4xf32>
      %c = func.call @g(%a) {name = "c"} : (tensor<4xf32>) -> tensor<4xf32>
      %d = func.call @g(%x) {name = "d"} : (tensor<4xf32>) -> tensor<4xf32>
      %b = arith.negf %d {name = "b"} : tensor<4xf32>
      return %b : tensor<4xf32>
    }
    func.func private @g(tensor<4xf32>) -> tensor<4xf32>)mlir");
  EXPECT_TRUE(graph->getNodes()[getNode("c")].isFixed);
  EXPECT_EQ(ArrayRef<unsigned>(graph->getNodes()[getNode("d")].producers),
            ArrayRef<unsigned>(getNode("c")));
  // So nothing before the first can be with what comes after the second.
  EXPECT_EQ(graph->close({getNode("a"), getNode("b")}).size(), 4u);
}

TEST_F(SegmentGraphTest, ScalarsFromOutsideAreNoNodes) {
  build(R"mlir(
    func.func @f(%x: tensor<?xf32>) -> tensor<?x4xf32> {
      %zero = arith.constant 0 : index
      %n = tensor.dim {name = "dim"} %x, %zero : tensor<?xf32>
      %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %kb = fusion.broadcast %k [%n] dims = [1] : tensor<4xf32> -> tensor<?x4xf32>
      %y = arith.negf %kb {name = "y"} : tensor<?x4xf32>
      return %y : tensor<?x4xf32>
    })mlir");
  EXPECT_FALSE(graph->getNode(getOp("dim")));
  EXPECT_EQ(graph->getNodes().size(), 1u);
  // Data that differs from element to element is read like an argument.
  EXPECT_EQ(getMembers({"y"}).inputs.size(), 2u);
}

/// Equal up to renaming: one key. Another operation, attribute, operand order,
/// output or equality of dimensions: another key.
TEST_F(SegmentGraphTest, KeysAreEqualModuloRenaming) {
  constexpr llvm::StringLiteral text = R"mlir(
    func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %s: tensor<8x8xf32>)
        -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
      %a0 = arith.negf %x : tensor<8x8xf32>
      %a1 = arith.subf %a0, %x : tensor<8x8xf32>
      %b0 = arith.negf %y : tensor<8x8xf32>
      %b1 = arith.subf %b0, %y : tensor<8x8xf32>
      %c0 = arith.negf %y fastmath<nnan> : tensor<8x8xf32>
      %c1 = arith.subf %c0, %y : tensor<8x8xf32>
      %d0 = arith.negf %y : tensor<8x8xf32>
      %d1 = arith.subf %y, %d0 : tensor<8x8xf32>
      %t = fusion.transpose %s permutation = [1, 0] : tensor<8x8xf32> -> tensor<8x8xf32>
      %u = arith.addf %s, %t : tensor<8x8xf32>
      %e0 = arith.negf %s : tensor<8x8xf32>
      %e1 = arith.subf %e0, %s : tensor<8x8xf32>
      return %a1, %b1, %c1, %d1, %e1 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    })mlir";
  func::FuncOp function = parse(text);
  dims.emplace(function);
  graph.emplace(function.front(), *dims);
  auto operations = llvm::to_vector(llvm::make_pointer_range(function.front()));
  auto key = [&](unsigned first, unsigned second) {
    SmallVector<unsigned> nodes{*graph->getNode(operations[first]),
                                *graph->getNode(operations[second])};
    llvm::sort(nodes);
    SmallVector<uint64_t> key;
    graph->appendKey(graph->getMembers(nodes), key);
    return key;
  };
  EXPECT_EQ(key(0, 1), key(2, 3));
  EXPECT_NE(key(0, 1), key(4, 5)) << "fast-math flags";
  EXPECT_NE(key(0, 1), key(6, 7)) << "order of operands";
  EXPECT_NE(key(0, 1), key(10, 11)) << "two dimensions that are one loop";
  EXPECT_NE(key(0, 1), key(0, 3)) << "connections";
}

TEST_F(SegmentGraphTest, RecomputeAndBack) {
  build(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
      %a = arith.negf %x {name = "a"} : tensor<4x8xf32>
      %b = arith.addf %a, %y {name = "b"} : tensor<4x8xf32>
      %r = fusion.reduce add %b dims = [1] {name = "r"} : tensor<4x8xf32> -> tensor<4xf32>
      %c = fusion.reduce add %b dims = [0] {name = "c"} : tensor<4x8xf32> -> tensor<8xf32>
      return %r, %c : tensor<4xf32>, tensor<8xf32>
    })mlir");
  auto before = getKey({"r"});
  EXPECT_EQ(getMembers({"r"}).inputs.size(), 1u);
  graph->recompute({getNode("a"), getNode("b")});
  EXPECT_EQ(getMembers({"r"}).operations.size(), 3u);
  EXPECT_EQ(getMembers({"r"}).inputs.size(), 2u);
  EXPECT_EQ(getMembers({"c"}).operations.size(), 3u);
  graph->undoRecompute();
  EXPECT_EQ(getKey({"r"}), before);
  EXPECT_EQ(graph->getNodes()[getNode("r")].reads.size(), 1u);
}

TEST_F(SegmentGraphTest, WhatOtherSegmentsCopyIsNotKnown) {
  build(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %v: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>) {
      %b = fusion.broadcast %v dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
      %a = arith.addf %x, %b {name = "a"} : tensor<4x8xf32>
      %m = arith.mulf %y, %b {name = "m"} : tensor<4x8xf32>
      %e = math.exp %v {name = "e"} : tensor<8xf32>
      %n = math.absf %x {name = "n"} : tensor<4x8xf32>
      return %a, %m, %e, %n : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>
    })mlir");
  EXPECT_EQ(dims->getClasses(get("a")), dims->getClasses(get("m")));
  // In one segment they have one copy of the broadcast; else there are two.
  EXPECT_TRUE(graph->knowsItsLoops(getMembers({"a", "m"})));
  EXPECT_TRUE(graph->knowsItsLoops(getMembers({"a", "e"})));
  EXPECT_FALSE(graph->knowsItsLoops(getMembers({"m", "n"})));
  EXPECT_TRUE(graph->knowsItsLoops(getMembers({"a", "m", "n"})));
  ArrayRef<unsigned> a = graph->getStoredLoops(get("a")),
                     m = graph->getStoredLoops(get("m"));
  EXPECT_EQ(a, graph->getStoredLoops(getArgument(0)));
  EXPECT_NE(a[0], m[0]);
  EXPECT_EQ(a[1], m[1]);
  EXPECT_EQ(graph->getStoredLoops(get("e")), a.drop_front());
}

TEST_F(SegmentGraphTest, WhatIsStoredTellsItsLoops) {
  build(R"mlir(
    func.func @f(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>) {
      %r = fusion.reduce add %x dims = [1] {name = "r"} : tensor<4x8xf32> -> tensor<4xf32>
      %n = arith.negf %y {name = "n"} : tensor<4xf32>
      %q = arith.divf %r, %n {name = "q"} : tensor<4xf32>
      %b = fusion.broadcast %q dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
      %c = arith.mulf %x, %b {name = "c"} : tensor<4x8xf32>
      %t = fusion.transpose %c permutation = [1, 0] {name = "t"} : tensor<4x8xf32> -> tensor<8x4xf32>
      return %t, %q : tensor<8x4xf32>, tensor<4xf32>
    })mlir");
  // Whichever segment divides says that their rows are one loop.
  EXPECT_TRUE(graph->knowsItsLoops(getMembers({"r", "n"})));
  EXPECT_TRUE(graph->knowsItsLoops(getMembers({"n", "t"})));
}

TEST_F(SegmentGraphTest, CopiesOfReshapesGroupAlike) {
  build(R"mlir(
    func.func @f(%x: tensor<4x6xf32>, %y: tensor<4x3x2xf32>) -> (tensor<4x3x2xf32>, tensor<4x3xf32>, tensor<4x3x2xf32>) {
      %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 2] : tensor<4x6xf32> into tensor<4x3x2xf32>
      %a = arith.addf %e, %y {name = "a"} : tensor<4x3x2xf32>
      %r = fusion.reduce add %e dims = [2] {name = "r"} : tensor<4x3x2xf32> -> tensor<4x3xf32>
      %n = arith.negf %y {name = "n"} : tensor<4x3x2xf32>
      return %a, %r, %n : tensor<4x3x2xf32>, tensor<4x3xf32>, tensor<4x3x2xf32>
    })mlir");
  // The addition is elsewhere, with its own copy of the reshape.
  EXPECT_TRUE(graph->knowsItsLoops(getMembers({"r", "n"})));
}

TEST_F(SegmentGraphTest, WhatNoSetKnows) {
  build(R"mlir(
    func.func @f(%y: tensor<?xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
      %zero = arith.constant dense<0.0> : tensor<8xf32>
      %z = fusion.broadcast %zero dims = [0] : tensor<8xf32> -> tensor<8x2xf32>
      %r = fusion.reduce add %z dims = [1] {name = "r"} : tensor<8x2xf32> -> tensor<8xf32>
      %k = arith.maximumf %r, %zero {name = "k"} : tensor<8xf32>
      %n = math.exp %y {name = "n"} : tensor<?xf32>
      %t = tensor.cast %n : tensor<?xf32> to tensor<8xf32>
      return %k, %t : tensor<8xf32>, tensor<8xf32>
    })mlir");
  // That a constant has loops, and that an extent is 8.
  EXPECT_FALSE(graph->knowsItsLoops(getMembers({"k"})));
  EXPECT_FALSE(graph->knowsItsLoops(getMembers({"n"})));
}

} // namespace
