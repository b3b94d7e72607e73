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
  /// `function` span: one whose glance refuses must reject.
  void expectSound(func::FuncOp function) {
    DimClasses dims(function);
    Facts facts{dims, device};
    SegmentGraph graph(function.front(), dims);
    for (Node last = 0; last < graph.getNodes().size(); ++last)
      for (Node first = 0; first <= last; ++first) {
        SmallVector<Node> set = graph.close({first, last});
        if (llvm::any_of(
                set, [&](Node node) { return graph.getNodes()[node].isFixed; }))
          continue;
        SegmentGraph::Members members = graph.getMembers(set);
        CandidateSummary summary = graph.getSummary(members);
        for (const auto &scheduler :
             SchedulerRegistry::get(&context).getSchedulers()) {
          if (scheduler->mayAccept(summary))
            continue;
          ++numRefused;
          Candidate candidate = graph.getCandidate(members);
          EXPECT_TRUE(std::holds_alternative<Rejection>(
              scheduler->match(candidate, facts)))
              << scheduler->getName().str() << " takes nodes " << first
              << " and " << last;
        }
      }
  }

  DeviceModel device;
  unsigned numRefused = 0;
};

TEST_F(MayAcceptTest, RandomPrograms) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = RandomProgram(*module, seed, 12).build();
    ASSERT_TRUE(succeeded(verify(*module)));
    expectSound(function);
  }
  EXPECT_GT(numRefused, 100u);
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

} // namespace
