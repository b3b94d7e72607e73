//===- MayAcceptTest.cpp - A glance never refuses what match takes --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Analysis/AnalysisTest.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/SegmentGraph.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "RandomProgram.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

using Node = SegmentGraph::Node;

class MayAcceptTest : public AnalysisTest {
protected:
  MayAcceptTest() {
    DialectRegistry registry;
    registerBuiltinSchedulers(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    device = llvm::cantFail(lookupDeviceModel("sm_90"));
  }

  /// Asks each scheduler about the convex sets that any two nodes of
  /// `function` span: one whose glance refuses must reject; and where it says
  /// that this holds for larger sets, it must reject all that hold the set.
  void expectSound(func::FuncOp function) {
    DimClasses dims(function);
    SegmentGraph graph(function.front(), dims);
    SmallVector<SmallVector<Node>> sets;
    for (Node last = 0; last < graph.getNodes().size(); ++last)
      for (Node first = 0; first <= last; ++first) {
        SmallVector<Node> set = graph.close({first, last});
        if (llvm::none_of(
                set, [&](Node node) { return graph.getNodes()[node].isFixed; }))
          sets.push_back(std::move(set));
      }
    for (const auto &scheduler :
         SchedulerRegistry::get(&context).getSchedulers())
      expectSound(*scheduler, graph, {dims, device}, sets);
  }

  void expectSound(const Scheduler &scheduler, const SegmentGraph &graph,
                   const Facts &facts, ArrayRef<SmallVector<Node>> sets) {
    SmallVector<ArrayRef<Node>> taken, refusedForGood;
    for (ArrayRef<Node> set : sets) {
      SegmentGraph::Members members = graph.getMembers(set);
      CandidateSummary summary = graph.getSummary(members);
      MatchResult result = scheduler.match(graph.getCandidate(members), facts);
      auto *rejection = std::get_if<Rejection>(&result);
      if (!rejection)
        taken.push_back(set);
      if (!scheduler.mayAccept(summary)) {
        ++numRefused;
        EXPECT_TRUE(rejection) << scheduler.getName().str() << " takes nodes "
                               << set.front() << " to " << set.back();
      }
      if (!scheduler.mayAcceptLarger(summary) ||
          (rejection && rejection->holdsForLarger))
        refusedForGood.push_back(set);
    }
    numRefusedForGood += refusedForGood.size();
    for (ArrayRef<Node> small : refusedForGood)
      for (ArrayRef<Node> large : taken)
        EXPECT_FALSE(llvm::includes(large, small))
            << scheduler.getName().str() << " takes nodes " << large.front()
            << " to " << large.back() << ", but refuses " << small.front()
            << " to " << small.back() << " for good";
  }

  DeviceModel device;
  unsigned numRefused = 0, numRefusedForGood = 0;
};

TEST_F(MayAcceptTest, RandomPrograms) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = RandomProgram(*module, seed, 12).build();
    ASSERT_TRUE(succeeded(verify(*module)));
    expectSound(function);
  }
  EXPECT_GT(numRefused, 100u);
  EXPECT_GT(numRefusedForGood, 100u);
}

// Dimensions that are the same loops in different words: of extent 1, and
// grouped by a reshape.
TEST_F(MayAcceptTest, UnitsAndReshapes) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<4x8x1x16xf32>, %y: tensor<32x16xf32>)
        -> (tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<4x8x16xf32>) {
      %a = fusion.reduce add %x dims = [2, 3] : tensor<4x8x1x16xf32> -> tensor<4x8xf32>
      %u = fusion.reduce add %x dims = [2] : tensor<4x8x1x16xf32> -> tensor<4x8x16xf32>
      %c = tensor.collapse_shape %u [[0, 1], [2]] : tensor<4x8x16xf32> into tensor<32x16xf32>
      %p = arith.mulf %c, %y : tensor<32x16xf32>
      %b = fusion.reduce add %p dims = [1] : tensor<32x16xf32> -> tensor<32xf32>
      %d = fusion.reduce maximumf %y dims = [1] : tensor<32x16xf32> -> tensor<32xf32>
      return %a, %b, %d, %u : tensor<4x8xf32>, tensor<32xf32>, tensor<32xf32>, tensor<4x8x16xf32>
    })mlir");
  expectSound(function);
  EXPECT_GT(numRefused, 0u);
}

// Two products of 2^44 elements each: what holds both has too many points, with
// whatever else.
TEST_F(MayAcceptTest, TooManyIterations) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%a: tensor<4194304xf32>, %b: tensor<4194304xf32>)
        -> (tensor<4194304xf32>, tensor<4194304xf32>) {
      %x = fusion.broadcast %a dims = [1] : tensor<4194304xf32> -> tensor<4194304x4194304xf32>
      %e = math.exp %x : tensor<4194304x4194304xf32>
      %r = fusion.reduce add %e dims = [0] : tensor<4194304x4194304xf32> -> tensor<4194304xf32>
      %y = fusion.broadcast %b dims = [1] : tensor<4194304xf32> -> tensor<4194304x4194304xf32>
      %f = math.exp %y : tensor<4194304x4194304xf32>
      %s = fusion.reduce add %f dims = [0] : tensor<4194304x4194304xf32> -> tensor<4194304xf32>
      %t = arith.addf %s, %b : tensor<4194304xf32>
      return %r, %t : tensor<4194304xf32>, tensor<4194304xf32>
    })mlir");
  expectSound(function);
  EXPECT_GT(numRefusedForGood, 0u);
}

} // namespace
