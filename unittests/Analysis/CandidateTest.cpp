//===- CandidateTest.cpp - Sets of operations that may become kernels -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalysisTest.h"
#include "FusionDialect/Analysis/CandidateMemo.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Target/DeviceModel.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

using CandidateTest = AnalysisTest;

TEST_F(CandidateTest, InputsAndOutputs) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
      %a = arith.addf %y, %x {name = "a"} : tensor<4xf32>
      %b = arith.mulf %a, %y {name = "b"} : tensor<4xf32>
      %c = arith.mulf %a, %b {name = "c"} : tensor<4xf32>
      return %c : tensor<4xf32>
    })mlir");
  // Inputs by first use; what only members use is no output.
  Candidate all = getCandidate(function);
  EXPECT_EQ(all.inputs.getArrayRef(),
            ArrayRef<Value>({getArgument(1), getArgument(0)}));
  EXPECT_EQ(ArrayRef<Value>(all.outputs), ArrayRef<Value>({get("c")}));
  // A part: what the rest uses is an output, in program order.
  Candidate part = Candidate::get({getOp("a"), getOp("b")});
  EXPECT_EQ(ArrayRef<Value>(part.outputs),
            ArrayRef<Value>({get("a"), get("b")}));
}

TEST_F(CandidateTest, UsesInAnotherBlockAreOutside) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = arith.addf %x, %x {name = "a"} : tensor<4xf32>
      %b = arith.addf %a, %a {name = "b"} : tensor<4xf32>
      %g = tensor.generate {
      ^bb0(%i: index):
        %e = tensor.extract %a[%i] : tensor<4xf32>
        tensor.yield %e : f32
      } : tensor<4xf32>
      return %g : tensor<4xf32>
    })mlir");
  ASSERT_TRUE(function);
  Candidate candidate = Candidate::get({getOp("a"), getOp("b")});
  EXPECT_EQ(ArrayRef<Value>(candidate.outputs), ArrayRef<Value>({get("a")}));
}

TEST_F(CandidateTest, BodyOfASegment) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %s:2 = fusion.segment "s" (%a = %x : tensor<4xf32>, %u = %x : tensor<4xf32>)
          -> (tensor<4xf32>, tensor<4xf32>) {
        %b = arith.addf %a, %a {name = "b"} : tensor<4xf32>
        fusion.yield %b, %a : tensor<4xf32>, tensor<4xf32>
      }
      return %s#0, %s#1 : tensor<4xf32>, tensor<4xf32>
    })mlir");
  auto segment = *function.getOps<SegmentOp>().begin();
  Candidate candidate = Candidate::get(segment);
  EXPECT_EQ(candidate.operations.size(), 1u);
  // All arguments, used or not, in order: they are the segment's operands.
  EXPECT_EQ(candidate.inputs.size(), 2u);
  EXPECT_EQ(ArrayRef<Value>(candidate.outputs),
            ArrayRef<Value>({get("b"), segment.getBodyBlock().getArgument(0)}));
}

TEST_F(CandidateTest, Summary) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4x1xf32>) -> (tensor<1xf32>, tensor<1x4xf32>) {
      %k = arith.constant dense<1.0> : tensor<4x1xf32>
      %y = arith.addf %x, %k : tensor<4x1xf32>
      %r = fusion.reduce add %y dims = [0] : tensor<4x1xf32> -> tensor<1xf32>
      %n = fusion.reduce add %r dims = [] : tensor<1xf32> -> tensor<1xf32>
      %t = fusion.transpose %y permutation = [1, 0] : tensor<4x1xf32> -> tensor<1x4xf32>
      %s = fusion.squeeze %y dims = [1] : tensor<4x1xf32> -> tensor<4xf32>
      %c = tensor.collapse_shape %y [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
      return %n, %t : tensor<1xf32>, tensor<1x4xf32>
    })mlir");
  CandidateSummary summary = CandidateSummary::get(getCandidate(function));
  EXPECT_EQ(summary.operations, 6u);
  EXPECT_EQ(summary.reductions, 1u);
  EXPECT_EQ(summary.transposes, 1u);
  EXPECT_EQ(summary.reshapes, 2u);
  EXPECT_EQ(summary.inputs, 1u);
  EXPECT_EQ(summary.outputs, 2u);
}

TEST_F(CandidateTest, Schedulable) {
  ASSERT_TRUE(parse(R"mlir(
    func.func @f(%x: tensor<4x1xf32>, %s: f32, %i: index, %b: i1) {
      %0 = arith.addf %x, %x {name = "add"} : tensor<4x1xf32>
      %1 = math.exp %x {name = "exp"} : tensor<4x1xf32>
      %2 = arith.select %b, %x, %x {name = "select"} : tensor<4x1xf32>
      %3 = arith.constant {name = "splat constant"} dense<1.0> : tensor<4xf32>
      %4 = arith.constant {name = "data constant"} dense<[1.0, 2.0]> : tensor<2xf32>
      %5 = tensor.splat %s {name = "splat"} : tensor<4xf32>
      %6 = fusion.squeeze %x dims = [1] {name = "squeeze"} : tensor<4x1xf32> -> tensor<4xf32>
      %7 = tensor.collapse_shape %x [[0, 1]] {name = "collapse"} : tensor<4x1xf32> into tensor<4xf32>
      %8 = arith.addf %s, %s {name = "scalar"} : f32
      %9 = tensor.extract %3[%i] {name = "extract"} : tensor<4xf32>
      %10 = tensor.empty() {name = "empty"} : tensor<4xf32>
      return
    })mlir"));
  for (const char *name : {"add", "exp", "select", "splat constant", "splat",
                           "squeeze", "collapse"})
    EXPECT_TRUE(isSchedulable(getOp(name))) << name;
  for (const char *name : {"data constant", "scalar", "extract", "empty"})
    EXPECT_FALSE(isSchedulable(getOp(name))) << name;
}

// A memo keeps what was built for its own candidate, by type.
TEST_F(CandidateTest, Memo) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %a = arith.addf %x, %x : tensor<4xf32>
      return %a : tensor<4xf32>
    })mlir");
  Candidate candidate = getCandidate(function), other = candidate;
  DimClasses dims(function);
  DeviceModel device = llvm::cantFail(lookupDeviceModel("sm_90"));
  CandidateMemo memo(candidate);
  Facts facts{dims, device, /*plainLaunches=*/false, &memo};
  unsigned numBuilt = 0;
  auto get = [&](const Candidate &asked, const Facts &facts) {
    return *CandidateMemo::get<unsigned>(asked, facts,
                                         [&] { return ++numBuilt; });
  };
  EXPECT_EQ(get(candidate, facts), 1u);
  EXPECT_EQ(get(candidate, facts), 1u);
  EXPECT_EQ(*CandidateMemo::get<int>(candidate, facts, [] { return 7; }), 7);
  EXPECT_EQ(get(other, facts), 2u);
  EXPECT_EQ(get(other, facts), 3u);
  EXPECT_EQ(get(candidate, {dims, device}), 4u);
  EXPECT_EQ(get(candidate, facts), 1u);
}

} // namespace
