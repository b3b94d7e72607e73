//===- PlanBlock.cpp - The best of several searches -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search groups the nodes of one graph. Which operations are nodes, and which
// are recomputed wherever they are used, is decided before: by what they are,
// and then by what the first plan stores or leaves outside.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Segmentation.h"
#include "Recompute.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

/// Storing what is no result takes memory as large as the program's tensors: a
/// plan that does not may take longer by the share of the bytes that this
/// spares, and at most by this one.
static constexpr double storedShare = 0.2;

/// Blocks of at most that many nodes are searched again.
static constexpr size_t maxNodesToReplan = 4 * Window::capacity;

namespace {

/// What segments store for others alone.
struct StoredValues {
  /// Of all of it: of reductions too, which a plan may store instead.
  uint64_t bytes = 0;
  /// The operations that compute it where it is element-wise, with the
  /// element-wise ones before them.
  DenseSet<Operation *> operations;
};

} // namespace

static StoredValues findStoredValues(const BlockPlan &plan) {
  const SegmentGraph &graph = *plan.graph;
  SmallVector<unsigned> segmentOfNode =
      getSegmentOfNode(graph, plan.segmentation);
  StoredValues stored;
  SmallVector<Operation *> worklist;
  auto add = [&](Operation *op) {
    if (op && op->getBlock() == &graph.getBlock() && isRecomputable(op) &&
        stored.operations.insert(op).second)
      worklist.push_back(op);
  };
  for (const SegmentGraph::Read &read : graph.getReads()) {
    if (!read.producer || segmentOfNode[*read.producer] == noSegment ||
        read.isUsedOutside)
      continue;
    bool isStored = llvm::any_of(read.readers, [&](SegmentGraph::Node reader) {
      return segmentOfNode[reader] != segmentOfNode[*read.producer];
    });
    Operation *producer = graph.getNodes()[*read.producer].operation;
    if (!isStored || graph.isRecomputed(producer))
      continue;
    stored.bytes += read.bytes;
    add(producer);
  }
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands())
      add(operand.getDefiningOp());
  return stored;
}

/// What no scheduler takes, and what would be computed again outside for it.
static size_t countOutside(const BlockPlan &plan) {
  const auto &outside = plan.segmentation.outside;
  return outside.size() + plan.graph->getRecomputedFor(outside).size();
}

/// By how much longer than `best` a plan may take that stores `spared` bytes
/// less, which `best` writes and reads.
static double getAllowedShare(const Segmentation &best, uint64_t spared) {
  uint64_t bytes = 0;
  for (const SegmentChoice &segment : best.segments)
    bytes += segment.answer.cost.bytes;
  return bytes ? std::min(storedShare, 2.0 * spared / bytes) : storedShare;
}

/// True if `plan` leaves no more outside than `best` and takes less time, or
/// hardly more and stores fewer bytes for segments alone.
static bool isBetter(const BlockPlan &plan, uint64_t stored,
                     const BlockPlan &best, uint64_t bestStored) {
  const Segmentation &a = plan.segmentation, &b = best.segmentation;
  size_t outside = countOutside(plan), bestOutside = countOutside(best);
  if (outside != bestOutside)
    return outside < bestOutside;
  double longest = b.microseconds - costTolerance;
  if (stored < bestStored)
    longest += getAllowedShare(b, bestStored - stored) * b.microseconds;
  return a.microseconds < longest;
}

BlockPlan fusion::planBlock(Block &block, CandidateOracle &oracle,
                            const SegmentationOptions &options,
                            GraphFactory createGraph) {
  auto plan = [&](const SegmentGraph::Pins &pins) {
    BlockPlan plan{createGraph ? createGraph(block, pins)
                               : std::make_unique<SegmentGraph>(
                                     block, oracle.getFacts().dims, pins),
                   {}};
    plan.graph->setOperationKeys(
        [&](Operation *op) { return oracle.getOperationKey(op); });
    plan.segmentation = findSegmentation(*plan.graph, oracle, options);
    return plan;
  };
  BlockPlan best = plan({});
  // What is refused may be accepted if what is cheap is computed apart from it:
  // a scheduler that does not read a type takes the result of a cast.
  SegmentGraph::Pins pins;
  pins.nodes.insert_range(
      best.graph->getRecomputedFor(best.segmentation.outside));
  if (!pins.nodes.empty()) {
    BlockPlan other = plan(pins);
    if (other.segmentation.outside.size() < best.segmentation.outside.size())
      best = std::move(other);
    else
      pins.nodes.clear();
  }
  if (best.graph->getNodes().size() > maxNodesToReplan ||
      best.segmentation.segments.size() < 2)
    return best;
  StoredValues stored = findStoredValues(best);
  auto tryRecomputing = [&](const DenseSet<Operation *> &recomputed) {
    pins.recomputed = recomputed;
    BlockPlan other = plan(pins);
    StoredValues otherStored = findStoredValues(other);
    if (isBetter(other, otherStored.bytes, best, stored.bytes)) {
      best = std::move(other);
      stored = otherStored;
    }
    return otherStored.operations;
  };
  // Another plan may store other values: until none does.
  DenseSet<Operation *> recomputed, next = stored.operations;
  while (!next.empty()) {
    recomputed.insert_range(next);
    next = tryRecomputing(recomputed);
  }
  DenseSet<Operation *> all;
  for (Operation &op : block)
    if (isRecomputable(&op))
      all.insert(&op);
  if (all.size() > recomputed.size())
    tryRecomputing(all);
  return best;
}

bool fusion::hasSchedulable(Block &block) {
  return llvm::any_of(block, [](Operation &op) { return isSchedulable(&op); });
}
