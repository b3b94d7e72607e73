//===- Segment.cpp - Group operations into segments -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the cheapest plan of each block (Segment/Search.cpp), tells why, and
// builds its segments.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/Segmentation.h"
#include "Segment/Apply.h"
#include "Segment/Report.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

namespace mlir::fusion {
#define GEN_PASS_DEF_SEGMENTPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

namespace {

struct SegmentPass : fusion::impl::SegmentPassBase<SegmentPass> {
  using SegmentPassBase::SegmentPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return success(
        succeeded(findDeviceModel(context, chip, device, deviceModel)) &&
        succeeded(findSchedulers(context, *schedulers, asked)));
  }

  void runOnOperation() override;

private:
  void report(const BlockPlan &plan, CandidateOracle &oracle);
  void count(const CandidateOracle &oracle, ArrayRef<BlockPlan> plans);
  std::unique_ptr<SegmentGraph> createGraph(Block &block,
                                            const DimClasses &dims,
                                            const SegmentGraph::Pins &pins);
  CandidateOracle::Observer getObserver();

  DeviceModel deviceModel;
  SmallVector<const Scheduler *> asked;
  /// Of the current run.
  struct {
    uint64_t dimClasses = 0, graphs = 0;
    uint64_t factsMicroseconds = 0, searchMicroseconds = 0;
  } times;
};

} // namespace

/// Shows the time of each scheduler's match beside that of the analyses.
CandidateOracle::Observer SegmentPass::getObserver() {
  PassInstrumentor *instrumentor = getAnalysisManager().getPassInstrumentor();
  if (!instrumentor)
    return {};
  return [this, instrumentor](const Scheduler &scheduler, bool isBefore) {
    std::string name = ("match: " + scheduler.getName()).str();
    TypeID id = TypeID::getFromOpaquePointer(&scheduler);
    if (isBefore)
      instrumentor->runBeforeAnalysis(name, id, getOperation());
    else
      instrumentor->runAfterAnalysis(name, id, getOperation());
  };
}

void SegmentPass::report(const BlockPlan &plan, CandidateOracle &oracle) {
  bool isWanted = areRemarksEnabled(&getContext(), segmentRemarks);
  if (isWanted)
    remarkSegments(*plan.graph, plan.segmentation, oracle);
  if (!plan.segmentation.outside.empty() && (refuseUnscheduled || isWanted))
    reportOutside(*plan.graph, plan.segmentation, oracle, refuseUnscheduled);
}

void SegmentPass::count(const CandidateOracle &oracle,
                        ArrayRef<BlockPlan> plans) {
  uint64_t segments = 0, outside = 0, exact = 0, greedy = 0, matches = 0,
           nanoseconds = 0;
  for (const BlockPlan &plan : plans) {
    segments += plan.segmentation.segments.size();
    outside += plan.segmentation.outside.size();
    exact += plan.segmentation.numExact;
    greedy += plan.segmentation.numGreedy;
  }
  for (const CandidateOracle::Effort &effort : oracle.getEfforts()) {
    matches += effort.matches;
    nanoseconds += effort.nanoseconds;
  }
  numSegments += segments;
  numOutside += outside;
  numDimClasses += times.dimClasses;
  numGraphs += times.graphs;
  numExact += exact;
  numGreedy += greedy;
  numAsked += oracle.getNumAsked();
  numRemembered += oracle.getNumRemembered();
  numMatches += matches;
  factsMicroseconds += times.factsMicroseconds;
  matchMicroseconds += nanoseconds / 1000;
  searchMicroseconds += times.searchMicroseconds;
  if (!printStatistics)
    return;
  // Not from the statistics, which hold nothing where LLVM was built without.
  std::pair<StringRef, uint64_t> values[] = {
      {"segments", segments},
      {"outside", outside},
      {"dim-classes", times.dimClasses},
      {"graphs", times.graphs},
      {"exact", exact},
      {"greedy", greedy},
      {"candidates", oracle.getNumAsked()},
      {"remembered", oracle.getNumRemembered()},
      {"matches", matches},
      {"facts-us", times.factsMicroseconds},
      {"match-us", nanoseconds / 1000},
      {"search-us", times.searchMicroseconds}};
  raw_ostream &os = llvm::errs();
  os << "fusion-segment\n";
  for (auto [name, value] : values)
    os << llvm::formatv("  {0,8} {1}\n", value, name);
  for (auto [scheduler, effort] :
       llvm::zip(oracle.getSchedulers(), oracle.getEfforts()))
    os << llvm::formatv("  {0}: {1} matches, {2} accepted, {3} us\n",
                        scheduler->getName(), effort.matches, effort.accepted,
                        effort.nanoseconds / 1000);
}

/// The microseconds since `begin`.
static unsigned getElapsed(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now() - begin)
      .count();
}

std::unique_ptr<SegmentGraph>
SegmentPass::createGraph(Block &block, const DimClasses &dims,
                         const SegmentGraph::Pins &pins) {
  ++times.graphs;
  PassInstrumentor *instrumentor = getAnalysisManager().getPassInstrumentor();
  auto id = TypeID::get<SegmentGraph>();
  if (instrumentor)
    instrumentor->runBeforeAnalysis("SegmentGraph", id, getOperation());
  auto begin = std::chrono::steady_clock::now();
  auto graph = std::make_unique<SegmentGraph>(block, dims, pins);
  times.factsMicroseconds += getElapsed(begin);
  if (instrumentor)
    instrumentor->runAfterAnalysis("SegmentGraph", id, getOperation());
  return graph;
}

void SegmentPass::runOnOperation() {
  auto begin = std::chrono::steady_clock::now();
  times = {};
  bool isCopied = false;
  getOperation()->walk([&](FunctionOpInterface function) {
    isCopied |= copyConstantsIntoBlocks(function);
  });
  if (isCopied)
    getAnalysisManager().clear();
  times.dimClasses = !getCachedAnalysis<DimClasses>();
  Facts facts{getAnalysis<DimClasses>(), deviceModel, plainLaunches};
  times.factsMicroseconds += getElapsed(begin);
  CandidateOracle oracle(facts, asked, getObserver());
  // All plans come before the first segment: the facts are of this program.
  std::vector<BlockPlan> plans;
  SegmentationOptions searchOptions;
  searchOptions.exactLimit = exactLimit;
  auto createGraph = [&](Block &block, const SegmentGraph::Pins &pins) {
    return this->createGraph(block, facts.dims, pins);
  };
  bool isComplete = true;
  getOperation()->walk([&](FunctionOpInterface function) {
    forEachBlock(function, [&](Block &block) {
      begin = std::chrono::steady_clock::now();
      plans.push_back(planBlock(block, oracle, searchOptions, createGraph));
      times.searchMicroseconds += getElapsed(begin);
      report(plans.back(), oracle);
      isComplete &= plans.back().segmentation.outside.empty();
    });
  });
  count(oracle, plans);
  for (const BlockPlan &plan : plans)
    applySegmentation(*plan.graph, plan.segmentation);
  if (!isComplete && refuseUnscheduled)
    signalPassFailure();
}
