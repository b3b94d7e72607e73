//===- Recompute.cpp - Compute again instead of storing -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recompute.h"
#include "Window.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

using Node = SegmentGraph::Node;

/// The most operations that are computed again to spare one store.
static constexpr size_t maxCone = 8;

/// Storing takes memory as well: what is computed again in a time, and with a
/// traffic, that differs by no more than this share is not stored. Predictions
/// are off by more.
static constexpr double equalShare = 0.01;

SmallVector<unsigned>
segmentation::getSegmentOfNode(const SegmentGraph &graph,
                               const Segmentation &segmentation) {
  SmallVector<unsigned> segmentOfNode(graph.getNodes().size(), noSegment);
  for (auto [number, segment] : llvm::enumerate(segmentation.segments))
    for (Node node : segment.nodes)
      segmentOfNode[node] = number;
  return segmentOfNode;
}

bool segmentation::isRecomputable(Operation *op) {
  return isSchedulable(op) && OpTrait::hasElementwiseMappableTraits(op) &&
         isPure(op);
}

namespace {

class Recomputation {
public:
  Recomputation(SegmentGraph &graph, CandidateOracle &oracle,
                Segmentation &segmentation)
      : graph(graph), oracle(oracle), segmentation(segmentation),
        segmentOfNode(getSegmentOfNode(graph, segmentation)) {}

  void run();

private:
  bool canRecompute(Node node) const;
  SmallVector<Node> getCone(Node node) const;
  SmallVector<unsigned> getAffected(ArrayRef<Node> cone) const;
  uint64_t getStoredBytes(ArrayRef<unsigned> segments) const;
  bool tryRecompute(ArrayRef<Node> cone);

  SegmentGraph &graph;
  CandidateOracle &oracle;
  Segmentation &segmentation;
  SmallVector<unsigned> segmentOfNode;
};

} // namespace

/// True if `node` is element-wise and only segments use it.
bool Recomputation::canRecompute(Node node) const {
  const SegmentGraph::NodeInfo &info = graph.getNodes()[node];
  if (segmentOfNode[node] == noSegment || !isRecomputable(info.operation))
    return false;
  return llvm::all_of(info.results, [&](unsigned result) {
    const SegmentGraph::Read &read = graph.getReads()[result];
    return !read.isUsedOutside && llvm::all_of(read.readers, [&](Node reader) {
      return segmentOfNode[reader] != noSegment;
    });
  });
}

/// `node` and what it needs of its segment, as far as that is element-wise.
SmallVector<Node> Recomputation::getCone(Node node) const {
  SmallVector<Node> cone{node};
  for (size_t i = 0; i < cone.size() && cone.size() <= maxCone; ++i)
    for (unsigned read : graph.getNodes()[cone[i]].reads)
      if (auto producer = graph.getReads()[read].producer)
        if (segmentOfNode[*producer] == segmentOfNode[node] &&
            canRecompute(*producer) && !llvm::is_contained(cone, *producer))
          cone.push_back(*producer);
  llvm::sort(cone);
  return cone;
}

/// The segments whose operations change if `cone` is recomputed.
SmallVector<unsigned> Recomputation::getAffected(ArrayRef<Node> cone) const {
  SmallVector<unsigned> affected;
  for (Node node : cone) {
    affected.push_back(segmentOfNode[node]);
    for (unsigned result : graph.getNodes()[node].results)
      for (Node reader : graph.getReads()[result].readers)
        affected.push_back(segmentOfNode[reader]);
  }
  llvm::sort(affected);
  affected.erase(llvm::unique(affected), affected.end());
  return affected;
}

/// Bytes that `segments` store for others alone.
uint64_t Recomputation::getStoredBytes(ArrayRef<unsigned> segments) const {
  uint64_t bytes = 0;
  for (unsigned number : segments)
    for (Node node : segmentation.segments[number].nodes)
      for (unsigned result : graph.getNodes()[node].results) {
        const SegmentGraph::Read &read = graph.getReads()[result];
        if (!read.isUsedOutside && llvm::any_of(read.readers, [&](Node reader) {
              return segmentOfNode[reader] != number;
            }))
          bytes += read.bytes;
      }
  return bytes;
}

bool Recomputation::tryRecompute(ArrayRef<Node> cone) {
  // What is saved if the segments not asked about yet cost the least they can.
  double saved = 0, lessTraffic = 0, time = 0;
  SmallVector<unsigned> affected = getAffected(cone);
  SmallVector<SegmentChoice> changed;
  SmallVector<double> bounds;
  uint64_t stored = getStoredBytes(affected);
  for (unsigned number : affected)
    lessTraffic +=
        oracle.getLowerBound(graph, segmentation.segments[number].nodes);
  double equalTraffic = equalShare * lessTraffic;
  graph.recompute(cone);
  for (unsigned number : affected) {
    const SegmentChoice &old = segmentation.segments[number];
    SegmentChoice choice;
    for (Node node : old.nodes)
      if (!llvm::is_contained(cone, node))
        choice.nodes.push_back(node);
    bounds.push_back(
        choice.nodes.empty() ? 0 : oracle.getLowerBound(graph, choice.nodes));
    time += old.answer.cost.microseconds;
    saved += old.answer.cost.microseconds - bounds.back();
    lessTraffic -= bounds.back();
    changed.push_back(std::move(choice));
  }
  // What is computed again must spare traffic, for it does not spare work, or
  // at least memory.
  bool sparesMemory =
      lessTraffic >= -equalTraffic && getStoredBytes(affected) < stored;
  double least = sparesMemory ? -equalShare * time : costTolerance;
  if (lessTraffic <= costTolerance && !sparesMemory)
    saved = 0;
  for (auto [choice, bound] : llvm::zip(changed, bounds)) {
    if (choice.nodes.empty() || saved <= least)
      continue;
    choice.answer = oracle.ask(graph, choice.nodes);
    saved += bound - (choice.answer.scheduler
                          ? choice.answer.cost.microseconds
                          : std::numeric_limits<double>::infinity());
  }
  if (!(saved > least)) {
    graph.undoRecompute();
    return false;
  }
  for (auto [number, choice] : llvm::zip(affected, changed))
    segmentation.segments[number] = std::move(choice);
  for (Node node : cone)
    segmentOfNode[node] = noSegment;
  return true;
}

void Recomputation::run() {
  for (Node node = 0; node < graph.getNodes().size(); ++node) {
    if (!canRecompute(node))
      continue;
    bool isStored =
        llvm::any_of(graph.getNodes()[node].results, [&](unsigned result) {
          return llvm::any_of(
              graph.getReads()[result].readers, [&](Node reader) {
                return segmentOfNode[reader] != segmentOfNode[node];
              });
        });
    if (!isStored || tryRecompute(node))
      continue;
    SmallVector<Node> cone = getCone(node);
    if (cone.size() > 1 && cone.size() <= maxCone)
      tryRecompute(cone);
  }
  llvm::erase_if(segmentation.segments, [](const SegmentChoice &segment) {
    return segment.nodes.empty();
  });
}

void segmentation::recomputeCheapNodes(SegmentGraph &graph,
                                       CandidateOracle &oracle,
                                       Segmentation &segmentation) {
  Recomputation(graph, oracle, segmentation).run();
}
