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
        segmentOfNode(getSegmentOfNode(graph, segmentation)),
        traffic(segmentation.segments.size()) {}

  void run();

private:
  bool canRecompute(Node node) const;
  SmallVector<Node> getCone(Node node) const;
  SmallVector<unsigned> getAffected(ArrayRef<Node> cone) const;
  /// What some reads contribute to some segments.
  struct Share {
    /// By segment, to the bytes of its inputs and outputs.
    SmallVector<uint64_t> traffic;
    /// To the bytes that all of them store for others alone.
    uint64_t stored = 0;
  };

  SmallVector<unsigned> getTouchedReads(ArrayRef<Node> cone) const;
  Share getShare(ArrayRef<unsigned> reads, ArrayRef<unsigned> segments) const;
  uint64_t getTraffic(unsigned number);
  void replace(ArrayRef<unsigned> numbers,
               MutableArrayRef<SegmentChoice> changed,
               ArrayRef<uint64_t> changedTraffic, ArrayRef<Node> cone);
  bool tryRecompute(ArrayRef<Node> cone);

  SegmentGraph &graph;
  CandidateOracle &oracle;
  Segmentation &segmentation;
  SmallVector<unsigned> segmentOfNode;
  /// By segment: the bytes of its inputs and outputs, if known.
  SmallVector<std::optional<uint64_t>> traffic;
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

/// The reads whose readers change if `cone` is recomputed.
SmallVector<unsigned>
Recomputation::getTouchedReads(ArrayRef<Node> cone) const {
  SmallVector<unsigned> touched;
  for (Node node : cone) {
    llvm::append_range(touched, graph.getNodes()[node].reads);
    llvm::append_range(touched, graph.getNodes()[node].results);
  }
  llvm::sort(touched);
  touched.erase(llvm::unique(touched), touched.end());
  return touched;
}

Recomputation::Share
Recomputation::getShare(ArrayRef<unsigned> reads,
                        ArrayRef<unsigned> segments) const {
  Share share;
  for (unsigned number : segments) {
    uint64_t &bytes = share.traffic.emplace_back(0);
    auto isInside = [&](Node node) { return segmentOfNode[node] == number; };
    for (unsigned touched : reads) {
      const SegmentGraph::Read &read = graph.getReads()[touched];
      bool isProduced = read.producer && isInside(*read.producer);
      bool isForOthers = isProduced && !llvm::all_of(read.readers, isInside);
      bool isMoved = isProduced ? isForOthers || read.isUsedOutside
                                : llvm::any_of(read.readers, isInside);
      if (isMoved)
        bytes += read.bytes;
      if (isForOthers && !read.isUsedOutside)
        share.stored += read.bytes;
    }
  }
  return share;
}

/// The bytes of the inputs and outputs of segment `number`.
uint64_t Recomputation::getTraffic(unsigned number) {
  std::optional<uint64_t> &bytes = traffic[number];
  if (!bytes)
    bytes = graph.getTrafficBytes(
        graph.getMembers(segmentation.segments[number].nodes));
  return *bytes;
}

/// Makes the segments `numbers` those of `changed`, which compute `cone` again.
void Recomputation::replace(ArrayRef<unsigned> numbers,
                            MutableArrayRef<SegmentChoice> changed,
                            ArrayRef<uint64_t> changedTraffic,
                            ArrayRef<Node> cone) {
  // Other segments read what the cone does from now on: its producers may have
  // to store less.
  for (Node node : cone)
    for (unsigned read : graph.getNodes()[node].reads)
      if (auto producer = graph.getReads()[read].producer;
          producer && segmentOfNode[*producer] != noSegment)
        traffic[segmentOfNode[*producer]].reset();
  for (auto [number, choice, bytes] :
       llvm::zip(numbers, changed, changedTraffic)) {
    segmentation.segments[number] = std::move(choice);
    traffic[number] = bytes;
  }
  for (Node node : cone)
    segmentOfNode[node] = noSegment;
}

bool Recomputation::tryRecompute(ArrayRef<Node> cone) {
  // What is saved if the segments not asked about yet cost the least they can.
  double saved = 0, lessTraffic = 0, time = 0;
  SmallVector<unsigned> affected = getAffected(cone);
  SmallVector<unsigned> touched = getTouchedReads(cone);
  for (unsigned number : affected)
    lessTraffic += oracle.getLowerBound(getTraffic(number));
  double equalTraffic = equalShare * lessTraffic;
  Share before = getShare(touched, affected);
  graph.recompute(cone);
  Share after = getShare(touched, affected);
  SmallVector<SegmentChoice> changed;
  SmallVector<uint64_t> changedTraffic;
  SmallVector<double> bounds;
  for (auto [index, number] : llvm::enumerate(affected)) {
    const SegmentChoice &old = segmentation.segments[number];
    SegmentChoice &choice = changed.emplace_back();
    llvm::copy_if(old.nodes, std::back_inserter(choice.nodes),
                  [&](Node node) { return !llvm::is_contained(cone, node); });
    changedTraffic.push_back(getTraffic(number) - before.traffic[index] +
                             after.traffic[index]);
    bounds.push_back(
        choice.nodes.empty() ? 0 : oracle.getLowerBound(changedTraffic.back()));
    time += old.answer.cost.microseconds;
    saved += old.answer.cost.microseconds - bounds.back();
    lessTraffic -= bounds.back();
  }
  // What is computed again must spare traffic, for it does not spare work, or
  // at least memory.
  bool sparesMemory =
      lessTraffic >= -equalTraffic && after.stored < before.stored;
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
  replace(affected, changed, changedTraffic, cone);
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
