//===- Evaluate.cpp - Evaluation of the demand graph ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that are held become available level by level: a held value is one
// level above everything that it needs, and a streamed value is on the highest
// level of its operands. Everything on one level with equally many elements is
// one sweep, so that reductions of the same data read it once.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "Sweep.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

namespace {
/// The nodes that an evaluation needs and does not have, operands first.
class Demand {
public:
  explicit Demand(ArrayRef<Node *> wanted);

  ArrayRef<Node *> getNodes() const { return nodes; }
  /// The level on which a node is available.
  int getLevel(const Node &node) const { return levels.lookup(&node); }

private:
  SmallVector<Node *> nodes;
  llvm::DenseMap<const Node *, int> levels;
};
} // namespace

Demand::Demand(ArrayRef<Node *> wanted) {
  SmallVector<std::pair<Node *, size_t>> stack;
  for (Node *node : wanted) {
    stack.push_back({&node->core(), 0});
    while (!stack.empty()) {
      auto &[top, next] = stack.back();
      bool known = levels.contains(top) || top->isAvailable();
      if (!known && next < top->operands.size()) {
        stack.push_back({&top->operands[next++]->core(), 0});
        continue;
      }
      Node *done = top;
      stack.pop_back();
      if (known)
        continue;
      int level = 0;
      for (Node *operand : done->operands)
        level = std::max(level, levels.lookup(&operand->core()));
      levels[done] = level + (done->mustHold ? 1 : 0);
      nodes.push_back(done);
    }
  }
}

/// Runs the Computed nodes and the sweeps of one level.
static void runLevel(ArrayRef<Node *> holds, ArrayRef<SweepRoot> sinks,
                     const ReferenceOptions &options, ResultSink sink) {
  llvm::MapVector<int64_t, SmallVector<SweepRoot>> sweeps;
  for (Node *node : holds) {
    if (node->kind == Node::Kind::Computed) {
      node->allocate(options.errors);
      node->compute(*node);
      node->isHeld = true;
      continue;
    }
    bool isReduce = node->kind == Node::Kind::Reduce;
    SweepRoot root{isReduce ? SweepRoot::Use::Reduce : SweepRoot::Use::Hold,
                   node};
    sweeps[root.getValue().numElements].push_back(root);
  }
  for (const SweepRoot &root : sinks)
    sweeps[root.getValue().numElements].push_back(root);
  for (auto &[numElements, roots] : sweeps)
    runSweep(numElements, roots, options, sink);
}

LogicalResult reference::evaluateNodes(ArrayRef<Node *> holds,
                                       ArrayRef<Node *> results,
                                       const ReferenceOptions &options,
                                       ResultSink sink) {
  SmallVector<Node *> wanted(holds);
  wanted.append(results.begin(), results.end());
  Demand demand(wanted);
  // Levels from 1 on; a result is given out on the level after its own.
  std::map<int, std::pair<SmallVector<Node *>, SmallVector<SweepRoot>>> levels;
  for (Node *node : demand.getNodes())
    if (node->mustHold)
      levels[demand.getLevel(*node)].first.push_back(node);
  for (auto [index, node] : llvm::enumerate(results))
    levels[demand.getLevel(node->core()) + 1].second.push_back(
        {SweepRoot::Use::Sink, node, static_cast<unsigned>(index)});
  for (auto &[level, work] : levels) {
    runLevel(work.first, work.second, options, sink);
    for (Node *node : demand.getNodes())
      if (const char *message = node->failure.load())
        return node->op->emitOpError() << message;
  }
  return success();
}
