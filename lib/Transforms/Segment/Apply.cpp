//===- Apply.cpp - Build the segments of a plan ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Apply.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include <queue>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

namespace {

/// The operations of the block as the steps of its new order: one for each
/// segment, one for each operation in none.
class Application {
public:
  Application(const SegmentGraph &graph, const Segmentation &segmentation)
      : graph(graph), segmentation(segmentation) {
    for (Operation &op : graph.getBlock().without_terminator())
      operations.push_back(&op);
  }

  void run();

private:
  struct Step {
    /// Null for a segment.
    Operation *operation = nullptr;
    /// The operations of a segment, in order.
    SmallVector<Operation *> members;
    /// How many are in `outputs` of the graph.
    SmallVector<Value> outputs;
    StringRef scheduler;
    /// Where it stood, or its first operation.
    unsigned position = 0;
    unsigned numOpen = 0;
    SmallVector<unsigned> users;
  };

  void createSteps();
  void connect(unsigned step, Operation *needed);
  void connectSteps();
  SmallVector<unsigned> sortSteps();
  void createSegment(const Step &step, IRRewriter &rewriter);
  void eraseUnused(IRRewriter &rewriter);

  const SegmentGraph &graph;
  const Segmentation &segmentation;
  SmallVector<Operation *> operations;
  SmallVector<Step> steps;
  DenseMap<Operation *, unsigned> stepOfOperation;
  /// The results of segments that store the values of operations.
  llvm::MapVector<Value, Value> results;
};

} // namespace

void Application::createSteps() {
  DenseMap<Operation *, unsigned> positions;
  for (auto [position, op] : llvm::enumerate(operations))
    positions[op] = position;
  for (const SegmentChoice &segment : segmentation.segments) {
    Step step;
    step.scheduler = segment.answer.scheduler->getName();
    step.position = operations.size();
    for (SegmentGraph::Node node : segment.nodes) {
      Operation *op = graph.getNodes()[node].operation;
      stepOfOperation[op] = steps.size();
      step.position = std::min(step.position, positions.lookup(op));
    }
    SegmentGraph::Members members = graph.getMembers(segment.nodes);
    for (unsigned operation : members.operations)
      step.members.push_back(graph.getOperation(operation));
    for (unsigned output : members.outputs)
      step.outputs.push_back(graph.getValue(output));
    steps.push_back(std::move(step));
  }
  for (auto [position, op] : llvm::enumerate(operations))
    if (stepOfOperation.try_emplace(op, steps.size()).second) {
      Step step;
      step.operation = op;
      step.position = position;
      steps.push_back(std::move(step));
    }
}

/// Puts `step` after what computes `needed`.
void Application::connect(unsigned step, Operation *needed) {
  auto it = stepOfOperation.find(needed);
  if (it == stepOfOperation.end() || it->second == step)
    return;
  steps[it->second].users.push_back(step);
  ++steps[step].numOpen;
}

void Application::connectSteps() {
  for (unsigned number = 0; number < steps.size(); ++number) {
    if (Operation *op = steps[number].operation) {
      op->walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          connect(number, operand.getDefiningOp());
      });
      // The order of what has side effects.
      if (auto node = graph.getNode(op);
          node && graph.getNodes()[*node].isFixed)
        for (SegmentGraph::Node producer : graph.getNodes()[*node].producers)
          connect(number, graph.getNodes()[producer].operation);
      continue;
    }
    llvm::SmallPtrSet<Operation *, 16> members(llvm::from_range,
                                               steps[number].members);
    for (Operation *op : steps[number].members)
      for (Value operand : op->getOperands())
        if (!members.contains(operand.getDefiningOp()))
          connect(number, operand.getDefiningOp());
  }
}

SmallVector<unsigned> Application::sortSteps() {
  using Entry = std::pair<unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  auto push = [&](unsigned step) { ready.push({steps[step].position, step}); };
  for (unsigned step = 0; step < steps.size(); ++step)
    if (!steps[step].numOpen)
      push(step);
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned step = ready.top().second;
    ready.pop();
    order.push_back(step);
    for (unsigned user : steps[step].users)
      if (!--steps[user].numOpen)
        push(user);
  }
  assert(order.size() == steps.size() && "expected segments without a cycle");
  return order;
}

void Application::createSegment(const Step &step, IRRewriter &rewriter) {
  llvm::SmallPtrSet<Operation *, 16> members(llvm::from_range, step.members);
  // What is recomputed here is no input, even if another segment stores it.
  llvm::MapVector<Value, Value> stored;
  SmallVector<Location> locations;
  for (Operation *op : step.members) {
    locations.push_back(op->getLoc());
    for (Value operand : op->getOperands())
      if (!members.contains(operand.getDefiningOp()))
        stored[operand] =
            results.contains(operand) ? results.lookup(operand) : operand;
  }
  SmallVector<Value> inputs = llvm::map_to_vector(
      stored, [](const auto &entry) { return entry.second; });
  SmallVector<Type> types = llvm::map_to_vector(
      step.outputs, [](Value value) { return value.getType(); });
  auto segment = SegmentOp::create(rewriter, rewriter.getFusedLoc(locations),
                                   types, inputs, step.scheduler);
  OpBuilder::InsertionGuard guard(rewriter);
  IRMapping mapping;
  for (auto [entry, argument] :
       llvm::zip(stored, segment.getBodyBlock().getArguments()))
    mapping.map(entry.first, argument);
  rewriter.setInsertionPointToEnd(&segment.getBodyBlock());
  for (Operation *op : step.members)
    rewriter.clone(*op, mapping);
  YieldOp::create(rewriter, segment.getLoc(),
                  llvm::map_to_vector(step.outputs, [&](Value value) {
                    return mapping.lookup(value);
                  }));
  for (auto [output, result] : llvm::zip(step.outputs, segment.getResults()))
    results[output] = result;
}

/// Erases what segments hold now, and recomputed operations that nothing uses
/// outside of them.
void Application::eraseUnused(IRRewriter &rewriter) {
  for (Operation *op : llvm::reverse(operations)) {
    bool isInSegment = !steps[stepOfOperation.lookup(op)].operation;
    assert((!isInSegment || op->use_empty()) &&
           "expected a segment to give what is used outside");
    if (isInSegment || (graph.isRecomputed(op) && op->use_empty()))
      rewriter.eraseOp(op);
  }
}

void Application::run() {
  createSteps();
  connectSteps();
  Operation *terminator = graph.getBlock().getTerminator();
  IRRewriter rewriter(terminator);
  for (unsigned step : sortSteps()) {
    if (Operation *op = steps[step].operation)
      rewriter.moveOpBefore(op, terminator);
    else
      createSegment(steps[step], rewriter);
  }
  for (auto [output, result] : results)
    rewriter.replaceAllUsesWith(output, result);
  eraseUnused(rewriter);
}

void segmentation::applySegmentation(const SegmentGraph &graph,
                                     const Segmentation &segmentation) {
  if (!segmentation.segments.empty())
    Application(graph, segmentation).run();
}
