//===- ExactSolver.cpp - The cheapest partition of a window ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic programming over the sets of items that can be done first (downsets
// of the order). A partition whose groups have an order is a chain of such
// sets, each the one before plus a group:
//
//     best(D + S) = min over D, S of best(D) + cost(S)
//
// A set whose cost so far, plus the least that the rest can cost, is no less
// than that of a known partition is not followed. Parts of the rest that no
// segment can hold together are done one after the other, and a group that
// nothing needs waits while one of an earlier item is missing: what is
// independent comes in one order, not in all.
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

namespace {

class ExactSolver {
public:
  ExactSolver(Window &window, double upperBound, ExactLimits &limits)
      : window(window), upperBound(upperBound), limits(limits),
        leastSteps(limits.steps / 2), oldQuestions(window.getNumQuestions()),
        free(window.getFree()) {}

  std::optional<Partition> solve();

private:
  /// The cheapest way to have done a set of items first.
  struct State {
    double cost;
    /// The last group, of which the set without it was done before.
    ItemSet last;
  };

  void reach(ItemSet done, ItemSet last, double cost);
  ItemSet getReadyFixed(ItemSet done) const;
  ItemSet getPart(ItemSet done) const;
  bool extend(ItemSet done, double cost);
  bool choose(ItemSet done, double cost, ItemSet chosen, ItemSet next);
  void consider(ItemSet done, double cost, ItemSet chosen);
  double getBoundOfRest(ItemSet rest);
  Partition getPartition();

  Window &window;
  double upperBound;
  ExactLimits &limits;
  /// The steps that are left to other windows, and the questions asked before.
  uint64_t leastSteps, oldQuestions;
  /// Bounds ignore them.
  ItemSet free;
  /// Of the state that is extended: a group of none of these can wait.
  ItemSet required = 0;
  /// In ascending order each set comes after its subsets.
  std::map<ItemSet, State> states;
  llvm::DenseMap<ItemSet, double> boundsOfRest;
};

} // namespace

void ExactSolver::reach(ItemSet done, ItemSet last, double cost) {
  auto [it, isNew] = states.try_emplace(done, State{cost, last});
  if (!isNew && cost < it->second.cost - costTolerance)
    it->second = {cost, last};
}

/// Fixed items that can be done next. They cost nothing, so nothing is lost by
/// doing them at once.
ItemSet ExactSolver::getReadyFixed(ItemSet done) const {
  ItemSet ready = 0;
  forEachItem(window.getFixed() & ~done, [&](unsigned item) {
    if (!(window.getPredecessors(item) & ~done))
      ready |= only(item);
  });
  return ready;
}

double ExactSolver::getBoundOfRest(ItemSet rest) {
  auto [it, isNew] = boundsOfRest.try_emplace(rest, 0);
  if (isNew)
    it->second = window.getBoundOfSegments(rest, free);
  return it->second;
}

/// Tries the group `chosen` after `done`.
void ExactSolver::consider(ItemSet done, double cost, ItemSet chosen) {
  ItemSet after = done | chosen;
  double rest = cost + getBoundOfRest(window.getAll() & ~after);
  if (rest + window.getLowerBound(chosen, free) > upperBound + costTolerance)
    return;
  double group = window.getGroupCost(chosen);
  if (rest + group <= upperBound + costTolerance)
    reach(after, chosen, cost + group);
}

/// Extends `chosen` by items of `next` in every way in which all that the group
/// needs is done. False if the limits are reached.
bool ExactSolver::choose(ItemSet done, double cost, ItemSet chosen,
                         ItemSet next) {
  for (; next && (chosen | next) & required; next &= next - 1) {
    unsigned item = llvm::countr_zero(next);
    if (window.getPredecessors(item) & ~(done | chosen))
      continue;
    if (limits.steps <= leastSteps ||
        window.getNumQuestions() - oldQuestions > limits.questions)
      return false;
    --limits.steps;
    ItemSet set = chosen | only(item), others = next & (next - 1);
    if (set & required)
      consider(done, cost, set);
    if (!window.isHopeless(set) &&
        !choose(done, cost, set, others & ~window.getConflicts(item)))
      return false;
  }
  return true;
}

/// What is not done and can be done before the rest: the smallest set that
/// needs nothing of the rest and of which no segment holds a part together with
/// some of the rest.
ItemSet ExactSolver::getPart(ItemSet done) const {
  ItemSet rest = window.getAll() & ~done, open = rest, smallest = rest;
  while (open) {
    ItemSet part = 0, frontier = open & -open;
    while (frontier) {
      part |= frontier;
      ItemSet next = 0;
      forEachItem(frontier, [&](unsigned item) {
        next |= window.getPredecessors(item);
        if (!(window.getFixed() & only(item)))
          next |= ~(window.getConflicts(item) | window.getFixed());
      });
      frontier = next & rest & ~part;
    }
    if (llvm::popcount(part) < llvm::popcount(smallest))
      smallest = part;
    open &= ~part;
  }
  return smallest;
}

bool ExactSolver::extend(ItemSet done, double cost) {
  if (ItemSet ready = getReadyFixed(done)) {
    reach(done | ready, ready, cost);
    return true;
  }
  // Two segments cost a launch more than one: if there is no time for that, the
  // rest is one.
  ItemSet rest = window.getAll() & ~done;
  double leastOfTwo =
      window.getTrafficBound(rest, free) + window.getLaunchMicroseconds();
  if (!(rest & free) && cost + leastOfTwo > upperBound + costTolerance) {
    consider(done, cost, rest);
    return true;
  }
  ItemSet part = getPart(done), items = part & ~window.getFixed();
  required = items & -items;
  forEachItem(items, [&](unsigned item) {
    if (window.getSuccessors(item) & part)
      required |= only(item);
  });
  return choose(done, cost, 0, items);
}

Partition ExactSolver::getPartition() {
  Partition partition;
  for (ItemSet done = window.getAll(); done;) {
    ItemSet last = states.at(done).last;
    if (last & window.getFixed())
      forEachItem(last, [&](unsigned item) {
        partition.groups.push_back(window.makeGroup(only(item)));
      });
    else
      partition.groups.push_back(window.makeGroup(last));
    done &= ~last;
  }
  std::reverse(partition.groups.begin(), partition.groups.end());
  return partition;
}

std::optional<Partition> ExactSolver::solve() {
  reach(0, 0, 0);
  bool isComplete = true;
  for (auto it = states.begin(); it != states.end() && isComplete; ++it)
    isComplete =
        it->first == window.getAll() || extend(it->first, it->second.cost);
  limits.questions -=
      std::min(limits.questions, window.getNumQuestions() - oldQuestions);
  if (!isComplete)
    return std::nullopt;
  // The bound lets through at least the partition that it is the cost of.
  if (!states.count(window.getAll()))
    return std::nullopt;
  return getPartition();
}

std::optional<Partition> segmentation::solveExactly(Window &window,
                                                    double upperBound,
                                                    ExactLimits &limits) {
  return ExactSolver(window, upperBound, limits).solve();
}
