//===- SegmentationTest.cpp -----------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Segmentation.h"
#include "../Analysis/AnalysisTest.h"
#include "RandomProgram.h"
#include "TestSchedulers.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>
#include <map>

using namespace mlir;
using namespace mlir::fusion;

namespace {

using Node = SegmentGraph::Node;

class SegmentationTest : public AnalysisTest {
protected:
  SegmentationTest() : schedulers(createTestSchedulers()) {
    device = llvm::cantFail(lookupDeviceModel("sm_90"));
    for (const auto &scheduler : schedulers)
      asked.push_back(scheduler.get());
  }

  /// A new module with a random program.
  func::FuncOp createRandomProgram(unsigned seed, unsigned numOperations) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = RandomProgram(*module, seed, numOperations).build();
    EXPECT_TRUE(succeeded(verify(*module)));
    return function;
  }

  Segmentation solve(func::FuncOp function,
                     const SegmentationOptions &options = {}) {
    DimClasses dims(function);
    CandidateOracle oracle({dims, device}, asked);
    SegmentGraph graph(function.front(), dims);
    return findSegmentation(graph, oracle, options);
  }

  std::vector<std::unique_ptr<TestScheduler>> schedulers;
  SmallVector<const Scheduler *> asked;
  DeviceModel device;
};

//===----------------------------------------------------------------------===//
// The exact optimum
//===----------------------------------------------------------------------===//

/// The least cost of any partition into convex groups that have an order, by
/// trying all of them.
class BruteForce {
public:
  BruteForce(const SegmentGraph &graph, CandidateOracle &oracle)
      : graph(graph), oracle(oracle) {}

  double solve() {
    best = std::numeric_limits<double>::infinity();
    assign(0);
    return best;
  }

private:
  void assign(Node node) {
    if (node == graph.getNodes().size()) {
      best = std::min(best, getCost());
      return;
    }
    for (size_t i = 0; i < groups.size(); ++i) {
      groups[i].push_back(node);
      assign(node + 1);
      groups[i].pop_back();
    }
    groups.push_back({node});
    assign(node + 1);
    groups.pop_back();
  }

  double getCost() {
    if (!isOrdered())
      return std::numeric_limits<double>::infinity();
    double cost = 0;
    for (const std::vector<Node> &group : groups) {
      auto [it, isNew] = costs.try_emplace(group, 0);
      if (isNew) {
        Answer answer = oracle.ask(graph, group);
        it->second = answer.scheduler ? answer.cost.microseconds
                                      : std::numeric_limits<double>::infinity();
      }
      cost += it->second;
    }
    return cost;
  }

  bool isOrdered() const {
    std::vector<bool> isDone(groups.size());
    std::vector<unsigned> groupOfNode(graph.getNodes().size());
    for (size_t i = 0; i < groups.size(); ++i)
      for (Node node : groups[i])
        groupOfNode[node] = i;
    for (size_t round = 0; round < groups.size(); ++round) {
      bool found = false;
      for (size_t i = 0; i < groups.size() && !found; ++i) {
        bool isReady = !isDone[i];
        for (Node node : groups[i])
          for (Node producer : graph.getNodes()[node].producers)
            isReady &=
                groupOfNode[producer] == i || isDone[groupOfNode[producer]];
        if (isReady)
          isDone[i] = found = true;
      }
      if (!found)
        return false;
    }
    return true;
  }

  const SegmentGraph &graph;
  CandidateOracle &oracle;
  std::vector<std::vector<Node>> groups;
  std::map<std::vector<Node>, double> costs;
  double best;
};

TEST_F(SegmentationTest, ExactSolverFindsTheOptimum) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    func::FuncOp function = createRandomProgram(seed, 3 + seed % 4);
    DimClasses dims(function);
    CandidateOracle oracle({dims, device}, asked);
    SegmentGraph graph(function.front(), dims);
    if (graph.getNodes().size() > 8)
      continue;
    double optimum = BruteForce(graph, oracle).solve();
    Segmentation found = findSegmentation(graph, oracle);
    EXPECT_TRUE(found.outside.empty()) << seed;
    // Recomputation, which brute force does not try, can only lower the cost.
    EXPECT_LE(found.microseconds, optimum + 1e-6) << seed;
    if (llvm::none_of(graph.getNodes(), [&](const auto &node) {
          return graph.isRecomputed(node.operation);
        }))
      EXPECT_NEAR(found.microseconds, optimum, 1e-6) << seed;
  }
}

/// A sum of each of so many tensors: no two share anything.
static std::string writeSums(unsigned count) {
  std::string arguments, types, sums, results;
  for (unsigned i = 0; i < count; ++i) {
    StringRef comma = i ? ", " : "";
    arguments += llvm::formatv("{0}%x{1}: tensor<4096x4096xf32>", comma, i);
    types += llvm::formatv("{0}tensor<4096xf32>", comma);
    results += llvm::formatv("{0}%r{1}", comma, i);
    sums += llvm::formatv("%r{0} = fusion.reduce add %x{0} dims = [1] : "
                          "tensor<4096x4096xf32> -> tensor<4096xf32>\n",
                          i);
  }
  return llvm::formatv("func.func @f({0}) -> ({1}) {{\n{2}return {3} : {1}\n}",
                       arguments, types, sums, results);
}

/// The sets that can be done first are a million, but one order of what is
/// independent is enough.
TEST_F(SegmentationTest, IndependentPartsAreSolvedExactly) {
  auto createScheduler = [](StringRef name, double efficiency, unsigned count) {
    return TestScheduler(
        name, efficiency, 1,
        [=](const CandidateFacts &facts) {
          return facts.rowReductions == count;
        },
        [=](const CandidateFacts &facts) {
          return facts.rowReductions > count;
        });
  };
  TestScheduler single = createScheduler("single", 1, 1);
  // Is no reason to leave two sums in one segment.
  TestScheduler slowPair = createScheduler("slow-pair", 0.01, 2);
  for (SmallVector<const Scheduler *> schedulers :
       {SmallVector<const Scheduler *>{&single}, {&single, &slowPair}}) {
    asked = schedulers;
    Segmentation found = solve(parse(writeSums(20)));
    EXPECT_EQ(found.segments.size(), 20u);
    EXPECT_EQ(found.numExact, 1u) << asked.size();
  }
}

//===----------------------------------------------------------------------===//
// The search for large programs
//===----------------------------------------------------------------------===//

TEST_F(SegmentationTest, SearchIsCloseToTheOptimum) {
  unsigned numCompared = 0;
  auto compare = [&](unsigned seed, unsigned numOperations) {
    func::FuncOp function = createRandomProgram(seed, numOperations);
    SegmentationOptions exact, greedy;
    exact.exactLimit = 62;
    exact.exactSteps = 1 << 23;
    exact.exactQuestions = ~0u;
    greedy.exactLimit = 0;
    Segmentation optimum = solve(function, exact);
    Segmentation found = solve(function, greedy);
    EXPECT_EQ(found.outside.size(), optimum.outside.size());
    // What cannot be solved exactly cannot be compared.
    if (optimum.numGreedy)
      return;
    ++numCompared;
    double ratio = found.microseconds / optimum.microseconds;
    EXPECT_LE(ratio, 1.05) << "seed " << seed << ", " << numOperations
                           << " operations";
  };
  // All programs take the exact solver half a minute: they are compared on
  // demand.
  bool all = std::getenv("FUSION_LONG_TESTS") != nullptr;
  for (unsigned seed = 0; seed < 300; seed += all ? 1 : 3)
    compare(seed, 2 + seed % 13);
  for (unsigned seed = 300; seed < (all ? 350 : 303); ++seed)
    compare(seed, 15 + (all ? seed % 10 : 0));
  EXPECT_GE(numCompared, all ? 340u : 100u);
}

TEST_F(SegmentationTest, SameResultEveryTime) {
  func::FuncOp function = createRandomProgram(7, 120);
  Segmentation first = solve(function), second = solve(function);
  ASSERT_EQ(first.segments.size(), second.segments.size());
  for (auto [a, b] : llvm::zip(first.segments, second.segments))
    EXPECT_EQ(a.nodes, b.nodes);
}

/// Each node is in one segment, each segment is accepted, and each comes after
/// what it reads.
static void expectValid(const SegmentGraph &graph,
                        const Segmentation &segmentation) {
  std::vector<unsigned> segmentOfNode(graph.getNodes().size(), ~0u);
  for (auto [number, segment] : llvm::enumerate(segmentation.segments)) {
    ASSERT_TRUE(segment.answer.scheduler);
    for (Node node : segment.nodes) {
      EXPECT_EQ(segmentOfNode[node], ~0u);
      segmentOfNode[node] = number;
    }
  }
  for (auto [number, segment] : llvm::enumerate(segmentation.segments))
    for (Node node : segment.nodes)
      for (unsigned read : graph.getNodes()[node].reads)
        if (auto producer = graph.getReads()[read].producer)
          EXPECT_LE(segmentOfNode[*producer], number);
  for (auto [number, node] : llvm::enumerate(graph.getNodes()))
    EXPECT_TRUE(segmentOfNode[number] != ~0u ||
                graph.isRecomputed(node.operation));
}

TEST_F(SegmentationTest, LargeProgramsAreCutIntoWindows) {
  for (unsigned numOperations : {70, 250}) {
    func::FuncOp function = createRandomProgram(numOperations, numOperations);
    DimClasses dims(function);
    CandidateOracle oracle({dims, device}, asked);
    SegmentGraph graph(function.front(), dims);
    Segmentation found = findSegmentation(graph, oracle);
    expectValid(graph, found);
    EXPECT_TRUE(found.outside.empty());
  }
}

/// A chain of any length is one segment: windows end nothing.
TEST_F(SegmentationTest, LongChainIsOneSegment) {
  std::string text = "func.func @f(%v0: tensor<4096x4096xf32>) -> "
                     "tensor<4096x4096xf32> {\n";
  for (unsigned i = 0; i < 500; ++i)
    text += llvm::formatv("%v{0} = arith.negf %v{1} : tensor<4096x4096xf32>\n",
                          i + 1, i)
                .str();
  text += "return %v500 : tensor<4096x4096xf32>\n}";
  Segmentation found = solve(parse(text));
  ASSERT_EQ(found.segments.size(), 1u);
  EXPECT_EQ(found.segments.front().nodes.size(), 500u);
}

//===----------------------------------------------------------------------===//
// What acceptance that is not monotone asks for
//===----------------------------------------------------------------------===//

/// A kind that takes three reductions and nothing less: no pair leads there.
TEST_F(SegmentationTest, ThreeReductionsAtOnce) {
  TestScheduler triple("triple", 1, 1, [](const CandidateFacts &facts) {
    return facts.rowReductions == 3;
  });
  asked = {&triple};
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
      %a = fusion.reduce add %x dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
      %b = fusion.reduce maximumf %x dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
      %c = fusion.reduce minimumf %x dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
      %d = fusion.reduce mul %x dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
      return %a, %b, %c, %d : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
    })mlir");
  for (unsigned limit : {0, 24}) {
    SegmentationOptions options;
    options.exactLimit = limit;
    Segmentation found = solve(function, options);
    EXPECT_EQ(found.segments.size(), 1u) << limit;
    EXPECT_EQ(found.outside.size(), 1u) << limit;
  }
}

/// What is accepted as a whole only, and is larger than a window.
TEST_F(SegmentationTest, LargeWhole) {
  TestScheduler both("both", 1, 1, [](const CandidateFacts &facts) {
    return facts.rowReductions == 1 && facts.columnReductions == 1;
  });
  asked = {&both};
  std::string text = "func.func @f(%v0: tensor<64x64xf32>) -> "
                     "(tensor<64xf32>, tensor<64xf32>) {\n"
                     "%r = fusion.reduce add %v0 dims = [1] : "
                     "tensor<64x64xf32> -> tensor<64xf32>\n";
  for (unsigned i = 0; i < 150; ++i)
    text += llvm::formatv("%v{0} = arith.negf %v{1} : tensor<64x64xf32>\n",
                          i + 1, i)
                .str();
  text += "%c = fusion.reduce add %v150 dims = [0] : tensor<64x64xf32> -> "
          "tensor<64xf32>\n"
          "return %r, %c : tensor<64xf32>, tensor<64xf32>\n}";
  Segmentation found = solve(parse(text));
  EXPECT_TRUE(found.outside.empty());
  ASSERT_EQ(found.segments.size(), 1u);
  EXPECT_EQ(found.segments.front().nodes.size(), 152u);
}

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

/// The large product is needed by two segments that cannot be one: each
/// computes it again from the row and the column it is made of.
TEST_F(SegmentationTest, CheapValueIsComputedAgain) {
  TestScheduler single("single", 1, 1, [](const CandidateFacts &facts) {
    return facts.rowReductions + facts.columnReductions <= 1;
  });
  asked = {&single};
  func::FuncOp function = parse(R"mlir(
    func.func @f(%r: tensor<4096xf32>, %c: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
      %rb = fusion.broadcast %r dims = [0] : tensor<4096xf32> -> tensor<4096x4096xf32>
      %cb = fusion.broadcast %c dims = [1] : tensor<4096xf32> -> tensor<4096x4096xf32>
      %p = arith.mulf %rb, %cb {name = "p"} : tensor<4096x4096xf32>
      %a = fusion.reduce add %p dims = [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
      %b = fusion.reduce add %p dims = [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
      return %a, %b : tensor<4096xf32>, tensor<4096xf32>
    })mlir");
  DimClasses dims(function);
  CandidateOracle oracle({dims, device}, asked);
  SegmentGraph graph(function.front(), dims);
  Segmentation found = findSegmentation(graph, oracle);
  EXPECT_TRUE(graph.isRecomputed(getOp("p")));
  ASSERT_EQ(found.segments.size(), 2u);
  for (const SegmentChoice &segment : found.segments)
    EXPECT_EQ(segment.answer.cost.bytes, 3 * 4096 * 4u);
}

} // namespace
