//===- Report.cpp - Tell what segmentation decided ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

using Node = SegmentGraph::Node;

/// Sets of more nodes are not told about: the reason is within a part.
static constexpr size_t maxReported = 2048;

static remark::RemarkOpts getOptions(StringRef name) {
  return remark::RemarkOpts::name(name).category(segmentRemarks);
}

/// The first fixed node of `set`, or null.
static Operation *getObstacle(const SegmentGraph &graph, ArrayRef<Node> set) {
  for (Node node : set)
    if (graph.getNodes()[node].isFixed)
      return graph.getNodes()[node].operation;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

static void remarkSegment(const SegmentGraph &graph,
                          const SegmentChoice &segment) {
  const Cost &cost = segment.answer.cost;
  remark::passed(graph.getNodes()[segment.nodes.front()].operation->getLoc(),
                 getOptions("segment"))
      << remark::metric("scheduler", segment.answer.scheduler->getName())
      << remark::metric("operations", segment.nodes.size())
      << remark::metric("launches", segment.answer.launches)
      << remark::metric("bytes", cost.bytes)
      << remark::metric("microseconds", cost.microseconds)
      << remark::metric("sharedBytes", cost.sharedBytes)
      << remark::metric("registersPerThread", cost.registersPerThread);
}

/// A remark for each two nodes of one segment that exchange a tensor.
static void remarkMerges(const SegmentGraph &graph,
                         ArrayRef<unsigned> segmentOfNode) {
  for (const SegmentGraph::Read &read : graph.getReads()) {
    if (!read.producer || segmentOfNode[*read.producer] == ~0u)
      continue;
    for (Node reader : read.readers)
      if (segmentOfNode[reader] == segmentOfNode[*read.producer])
        remark::passed(graph.getNodes()[reader].operation->getLoc(),
                       getOptions("merge"))
            << remark::metric("with", graph.getNodes()[*read.producer]
                                          .operation->getName()
                                          .getStringRef())
            << remark::metric("bytesKeptOnChip", read.bytes);
  }
}

/// Why `a` and `b` are not one segment.
static void remarkRefusedMerge(const SegmentGraph &graph,
                               const SegmentChoice &a, const SegmentChoice &b,
                               CandidateOracle &oracle) {
  SmallVector<Node> both(a.nodes);
  llvm::append_range(both, b.nodes);
  SmallVector<Node> set = graph.close(both);
  Operation *first = graph.getNodes()[b.nodes.front()].operation;
  if (Operation *obstacle = getObstacle(graph, set)) {
    remark::missed(first->getLoc(), getOptions("refused"))
        << remark::reason("'{0}', which is in no segment, stands between this "
                          "operation and those it shares a tensor with",
                          obstacle->getName().getStringRef());
    return;
  }
  double apart = a.answer.cost.microseconds + b.answer.cost.microseconds;
  Candidate candidate = graph.getCandidate(graph.getMembers(set));
  for (auto [scheduler, answer] :
       llvm::zip(oracle.getSchedulers(), oracle.askEach(candidate))) {
    if (const auto *rejection = std::get_if<Rejection>(&answer)) {
      remarkRejection(segmentRemarks, *scheduler, *rejection);
      continue;
    }
    // What else the set holds is not counted: the remark errs to the safe side.
    remark::missed(first->getLoc(), getOptions("costlier"))
        << remark::metric("scheduler", scheduler->getName())
        << remark::metric("microsecondsTogether",
                          std::get<Answer>(answer).cost.microseconds)
        << remark::metric("microsecondsApart", apart);
  }
}

static SmallVector<unsigned>
getSegmentOfNode(const SegmentGraph &graph, const Segmentation &segmentation) {
  SmallVector<unsigned> segmentOfNode(graph.getNodes().size(), ~0u);
  for (auto [number, segment] : llvm::enumerate(segmentation.segments))
    for (Node node : segment.nodes)
      segmentOfNode[node] = number;
  return segmentOfNode;
}

/// Pairs of different segments that share a tensor, each once, in the order of
/// their first shared tensor.
static llvm::SetVector<std::pair<unsigned, unsigned>>
getNeighbors(const SegmentGraph &graph, ArrayRef<unsigned> segmentOfNode) {
  llvm::SetVector<std::pair<unsigned, unsigned>> pairs;
  for (const SegmentGraph::Read &read : graph.getReads()) {
    SmallVector<unsigned> users;
    auto add = [&](Node node) {
      if (segmentOfNode[node] != ~0u &&
          !llvm::is_contained(users, segmentOfNode[node]))
        users.push_back(segmentOfNode[node]);
    };
    if (read.producer)
      add(*read.producer);
    llvm::for_each(read.readers, add);
    for (size_t i = 1; i < users.size(); ++i)
      pairs.insert(std::minmax(users[0], users[i]));
  }
  return pairs;
}

void segmentation::remarkSegments(const SegmentGraph &graph,
                                  const Segmentation &segmentation,
                                  CandidateOracle &oracle) {
  SmallVector<unsigned> segmentOfNode = getSegmentOfNode(graph, segmentation);
  for (const SegmentChoice &segment : segmentation.segments)
    remarkSegment(graph, segment);
  remarkMerges(graph, segmentOfNode);
  for (auto [a, b] : getNeighbors(graph, segmentOfNode))
    remarkRefusedMerge(graph, segmentation.segments[a],
                       segmentation.segments[b], oracle);
}

//===----------------------------------------------------------------------===//
// Operations outside
//===----------------------------------------------------------------------===//

/// `node` and all nodes for which `isWanted` holds that hang together with it
/// by tensors and can be in one set with it, ascending.
static SmallVector<Node> getConnected(const SegmentGraph &graph, Node node,
                                      llvm::function_ref<bool(Node)> isWanted) {
  SmallVector<Node> set{node};
  DenseSet<Node> members{node};
  auto add = [&](Node other) {
    if (members.contains(other) || !isWanted(other))
      return;
    SmallVector<Node> both(set);
    both.push_back(other);
    SmallVector<Node> closed = graph.close(both);
    if (!llvm::all_of(closed, [&](Node member) {
          return members.contains(member) || isWanted(member);
        }))
      return;
    for (Node member : closed)
      if (members.insert(member).second)
        set.push_back(member);
  };
  for (size_t i = 0; i < set.size() && set.size() < maxReported; ++i) {
    const SegmentGraph::NodeInfo &info = graph.getNodes()[set[i]];
    SmallVector<unsigned> tensors(info.reads.begin(), info.reads.end());
    llvm::append_range(tensors, info.results);
    for (unsigned number : tensors) {
      const SegmentGraph::Read &read = graph.getReads()[number];
      if (!isa<RankedTensorType>(read.value.getType()))
        continue;
      if (read.producer)
        add(*read.producer);
      llvm::for_each(read.readers, add);
    }
  }
  llvm::sort(set);
  return set;
}

/// Sets of nodes outside that hang together, in the order of their first nodes.
static SmallVector<SmallVector<Node>>
getOutsideSets(const SegmentGraph &graph, const Segmentation &segmentation) {
  DenseSet<Node> left(segmentation.outside.begin(), segmentation.outside.end());
  SmallVector<SmallVector<Node>> sets;
  for (Node first : segmentation.outside) {
    if (!left.contains(first))
      continue;
    sets.push_back(getConnected(
        graph, first, [&](Node node) { return left.contains(node); }));
    for (Node node : sets.back())
      left.erase(node);
  }
  return sets;
}

using Rejections = SmallVector<std::pair<const Scheduler *, Rejection>>;

static Rejections getRejections(const SegmentGraph &graph, ArrayRef<Node> set,
                                CandidateOracle &oracle) {
  Candidate candidate = graph.getCandidate(graph.getMembers(set));
  Rejections rejections;
  for (auto [scheduler, answer] :
       llvm::zip(oracle.getSchedulers(), oracle.askEach(candidate)))
    if (const auto *rejection = std::get_if<Rejection>(&answer))
      rejections.push_back({scheduler, *rejection});
  return rejections;
}

/// The operation that most schedulers name as the reason; of several the one
/// that is named first.
static Operation *getMostNamed(const Rejections &rejections) {
  llvm::MapVector<Operation *, unsigned> named;
  for (const auto &[scheduler, rejection] : rejections)
    ++named[rejection.operation];
  return llvm::max_element(named, llvm::less_second())->first;
}

void segmentation::reportOutside(const SegmentGraph &graph,
                                 const Segmentation &segmentation,
                                 CandidateOracle &oracle, bool isError) {
  for (ArrayRef<Node> set : getOutsideSets(graph, segmentation)) {
    Rejections alone = getRejections(graph, set, oracle);
    // What keeps it from those that it shares tensors with.
    SmallVector<Node> with = getConnected(graph, set.front(), [&](Node node) {
      return !graph.getNodes()[node].isFixed;
    });
    Rejections together;
    if (with.size() > set.size())
      together = getRejections(graph, with, oracle);
    if (!isError) {
      for (const Rejections &rejections : {alone, together})
        for (const auto &[scheduler, rejection] : rejections)
          remarkRejection(segmentRemarks, *scheduler, rejection);
      continue;
    }
    Operation *first = graph.getNodes()[set.front()].operation;
    if (alone.empty()) {
      first->emitOpError("is accepted by no scheduler: none was asked");
      continue;
    }
    InFlightDiagnostic diagnostic =
        getMostNamed(alone)->emitOpError("is accepted by no scheduler");
    for (const auto &[scheduler, rejection] : alone)
      noteRejection(diagnostic, *scheduler, rejection);
    for (const auto &[scheduler, rejection] : together)
      diagnostic.attachNote(rejection.operation->getLoc())
          << "with what it shares tensors with, " << scheduler->getName()
          << ": " << rejection.str();
  }
}
