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
// than that of a known partition is not followed.
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
  ExactSolver(Window &window, double upperBound, uint64_t maxSteps,
              uint64_t maxQuestions)
      : window(window), upperBound(upperBound), maxSteps(maxSteps),
        maxQuestions(window.getNumQuestions() + maxQuestions) {}

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
  bool extend(ItemSet done, double cost);
  bool choose(ItemSet done, double cost, ItemSet chosen, unsigned next);
  bool consider(ItemSet done, double cost, ItemSet chosen);
  double getBoundOfRest(ItemSet rest);
  Partition getPartition();

  Window &window;
  double upperBound;
  uint64_t maxSteps, maxQuestions;
  uint64_t steps = 0;
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
    it->second = window.getTrafficBound(rest & ~window.getFixed());
  return it->second;
}

/// Tries the group `chosen` after `done`. False if the limits are reached.
bool ExactSolver::consider(ItemSet done, double cost, ItemSet chosen) {
  if (++steps > maxSteps || window.getNumQuestions() > maxQuestions)
    return false;
  ItemSet after = done | chosen;
  double rest = cost + getBoundOfRest(window.getAll() & ~after);
  if (rest + window.getLowerBound(chosen) > upperBound + costTolerance)
    return true;
  double group = window.getGroupCost(chosen);
  if (rest + group <= upperBound + costTolerance)
    reach(after, chosen, cost + group);
  return true;
}

/// Extends `chosen` by items from `next` on in every way in which all that the
/// group needs is done.
bool ExactSolver::choose(ItemSet done, double cost, ItemSet chosen,
                         unsigned next) {
  for (; next < window.size(); ++next) {
    ItemSet item = only(next);
    if ((item & (done | window.getFixed())) ||
        (window.getPredecessors(next) & ~(done | chosen)))
      continue;
    if (!consider(done, cost, chosen | item) ||
        !choose(done, cost, chosen | item, next + 1))
      return false;
  }
  return true;
}

bool ExactSolver::extend(ItemSet done, double cost) {
  if (ItemSet ready = getReadyFixed(done)) {
    reach(done | ready, ready, cost);
    return true;
  }
  return choose(done, cost, 0, 0);
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
  for (auto it = states.begin(); it != states.end(); ++it)
    if (it->first != window.getAll() && !extend(it->first, it->second.cost))
      return std::nullopt;
  // The bound lets through at least the partition that it is the cost of.
  if (!states.count(window.getAll()))
    return std::nullopt;
  return getPartition();
}

std::optional<Partition> segmentation::solveExactly(Window &window,
                                                    double upperBound,
                                                    uint64_t maxSteps,
                                                    uint64_t maxQuestions) {
  return ExactSolver(window, upperBound, maxSteps, maxQuestions).solve();
}
