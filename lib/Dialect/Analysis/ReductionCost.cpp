//===- ReductionCost.cpp - The price of an expression of reductions -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionPlanner.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::fusion;

struct ReductionPlanner::Count {
  SmallVector<LoopSet> nests;
  double work = 0;
  llvm::DenseMap<const void *, unsigned> levels;
  /// Values that are read, and totals that another nest reads.
  double bytes = 0;
};

static double getBytesPerElement(Type type) {
  return std::max(type.getIntOrFloatBitWidth() / 8u, 1u);
}

double ReductionPlanner::getVolume(LoopSet loops) const {
  double volume = 1;
  forEachLoop(loops, [&](unsigned loop) {
    const ReductionTree::Extent &extent = tree.getExtent(loop);
    volume *= static_cast<double>(extent.isStatic() ? extent.size
                                                    : context.dynamicExtent);
  });
  return volume;
}

/// Counts a part of the program that stays, and returns the reductions in a
/// chain up to it.
unsigned ReductionPlanner::countTree(const TreeNode *node, Count &seen) {
  auto [it, isNew] = seen.levels.try_emplace(node, 0);
  if (!isNew)
    return it->second;
  unsigned level = 0;
  if (node->isLeaf() || isShared(node)) {
    // What is needed anyway is computed anyway.
    if (!node->isSplat() && isa<RankedTensorType>(node->value.getType()))
      seen.bytes +=
          getVolume(node->deps) * getBytesPerElement(node->getElementType());
    level = context.getLevel(node->value);
  } else {
    LoopSet space = node->deps;
    for (const TreeNode *operand : node->operands) {
      level = std::max(level, countTree(operand, seen));
      space |= operand->deps & node->reduced;
    }
    seen.work += getVolume(space);
    if (isa<ReduceOp>(node->op)) {
      seen.nests.push_back(space | node->reduced);
      ++level;
    }
  }
  return seen.levels[node] = level;
}

unsigned ReductionPlanner::count(const Node *node, Count &seen) {
  if (node->kind == Node::Kind::Value)
    return countTree(node->source, seen);
  auto [it, isNew] = seen.levels.try_emplace(node, 0);
  if (!isNew)
    return it->second;
  unsigned level = 0;
  for (const Node *operand : node->operands)
    level = std::max(level, count(operand, seen));
  auto numOperands = static_cast<double>(node->operands.size());
  switch (node->kind) {
  case Node::Kind::Value:
    llvm_unreachable("counted as a part of the program");
  case Node::Kind::Reduce: {
    LoopSet nest = node->operands.front()->deps | node->loops;
    seen.nests.push_back(nest);
    seen.work += getVolume(nest);
    ++level;
    break;
  }
  case Node::Kind::Scale:
  case Node::Kind::Combine:
    seen.work += getVolume(node->deps) * (numOperands - 1);
    break;
  case Node::Kind::Apply:
  case Node::Kind::Divide:
  case Node::Kind::Negate:
  case Node::Kind::Subtract:
    seen.work += getVolume(node->deps);
    break;
  case Node::Kind::Repeat:
    if (node->repetition != Repetition::Same)
      seen.work += getVolume(node->deps);
    break;
  }
  // A total that an expression over other loops reads goes through memory.
  for (const Node *operand : node->operands)
    if (operand->kind == Node::Kind::Reduce &&
        (node->deps & ~(operand->operands.front()->deps | operand->loops)))
      seen.bytes += 2 * getVolume(operand->deps) *
                    getBytesPerElement(operand->elementType);
  return seen.levels[node] = level;
}

/// The points of the nests that are not within another.
double ReductionPlanner::finishNests(Count &seen,
                                     const ReductionPlanner &planner) {
  double points = 0;
  for (auto [i, nest] : llvm::enumerate(seen.nests)) {
    bool isWithin = false;
    for (auto [j, other] : llvm::enumerate(seen.nests))
      isWithin |= (nest & ~other) == 0 && (nest != other || j < i);
    if (!isWithin)
      points += planner.getVolume(nest);
  }
  return points;
}

ReductionCost ReductionPlanner::getCost(const Node *node) {
  auto it = costs.find(node);
  if (it != costs.end())
    return it->second;
  Count seen;
  ReductionCost cost;
  cost.levels = count(node, seen);
  if (node->kind != Node::Kind::Reduce)
    seen.nests.push_back(node->deps);
  cost.points = finishNests(seen, *this);
  cost.work = seen.work;
  cost.bytes = seen.bytes;
  costs[node] = cost;
  return cost;
}

/// The price of the program as it is: the reduction walks all loops.
ReductionCost ReductionPlanner::getCostBefore() {
  Count seen;
  ReductionCost cost;
  cost.levels = countTree(tree.getRoot(), seen) + 1;
  LoopSet all = tree.getKept() | tree.getReduced();
  seen.nests.push_back(all);
  cost.work = seen.work + getVolume(all);
  cost.points = finishNests(seen, *this);
  cost.bytes = seen.bytes;
  return cost;
}

/// Gathers what the plan says about itself.
void ReductionPlanner::finishPlan(ReductionPlan &plan) {
  llvm::DenseSet<const Node *> seen;
  llvm::DenseSet<Operation *> used;
  llvm::DenseSet<const TreeNode *> usedNodes;
  auto useTree = [&](auto &self, const TreeNode *node) -> void {
    if (!usedNodes.insert(node).second)
      return;
    for (Operation *op : node->operations)
      used.insert(op);
    for (const TreeNode *operand : node->operands)
      self(self, operand);
  };
  bool keepsEmpty = true;
  auto visit = [&](auto &self, Node *node) -> void {
    if (!seen.insert(node).second)
      return;
    if (!node->rule.empty() && !llvm::is_contained(plan.rules, node->rule))
      plan.rules.push_back(node->rule);
    llvm::append_range(plan.unmet, node->unmet);
    keepsEmpty &= node->keepsEmpty;
    if (node->kind == Node::Kind::Value && !node->source->isLeaf())
      useTree(useTree, node->source);
    for (Node *operand : node->operands)
      self(self, operand);
  };
  visit(visit, plan.root);
  if (tree.getKept() & ~tree.getRoot()->deps)
    plan.rules.push_back("broadcast");
  for (Operation *op : tree.getMembers())
    if (!used.contains(op))
      plan.bypassed.push_back(op);
  forEachLoop(tree.getReduced(), [&](unsigned loop) {
    plan.guard |= !keepsEmpty && !tree.getExtent(loop).isStatic();
  });
  plan.contraction = contraction;
  double resultBytes =
      getVolume(tree.getKept()) *
      getBytesPerElement(tree.getReduce().getType().getElementType());
  plan.cost.bytes += resultBytes;
  plan.costBefore.bytes += resultBytes;
}
