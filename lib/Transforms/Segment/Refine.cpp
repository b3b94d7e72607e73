//===- Refine.cpp - Move items between groups -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local search in the manner of Kernighan and Lin (1970): an item at the border
// of a group, alone or with all that it needs or that needs it within the
// group, goes to a neighbouring group or becomes a group of its own. Whatever
// saves time is done at once; the search ends when nothing does.
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

namespace {

class Refinement {
public:
  Refinement(Window &window, Partition &partition)
      : window(window), partition(partition) {}

  void run();
  void restart();

private:
  bool tryTogether(ItemSet seed);
  bool improveAt(unsigned item);
  bool tryMove(ItemSet moved, ItemSet from, ItemSet to);
  bool accept(ArrayRef<ItemSet> oldSets, ArrayRef<ItemSet> newSets);
  ItemSet getGroup(unsigned item) const;

  Window &window;
  Partition &partition;
};

} // namespace

ItemSet Refinement::getGroup(unsigned item) const {
  for (const Group &group : partition.groups)
    if (group.items & only(item))
      return group.items;
  llvm_unreachable("expected each item in a group");
}

/// Replaces groups if that saves time and leaves an order.
bool Refinement::accept(ArrayRef<ItemSet> oldSets, ArrayRef<ItemSet> newSets) {
  // What is saved if the sets not asked about yet cost the least they can.
  double left = 0;
  ItemSet replaced = 0;
  for (ItemSet set : oldSets)
    replaced |= set;
  for (const Group &group : partition.groups)
    if (group.items & replaced)
      left += group.cost;
  for (ItemSet set : newSets)
    left -= window.getLeastGroupCost(set);
  if (left <= costTolerance)
    return false;
  for (ItemSet set : newSets)
    if (window.close(set) != set)
      return false;
  // Questions come last: most changes leave no order, or cannot save enough.
  Partition changed;
  for (const Group &group : partition.groups)
    if (!(group.items & replaced))
      changed.groups.push_back(group);
  for (ItemSet set : newSets)
    changed.groups.push_back(window.makeUnpricedGroup(set));
  if (!window.sort(changed.groups))
    return false;
  for (Group &group : changed.groups) {
    if (!(group.items & replaced))
      continue;
    left += window.getLeastGroupCost(group.items);
    group.cost = window.getGroupCost(group.items);
    left -= group.cost;
    if (left <= costTolerance)
      return false;
  }
  partition = std::move(changed);
  return true;
}

bool Refinement::tryMove(ItemSet moved, ItemSet from, ItemSet to) {
  ItemSet rest = from & ~moved;
  SmallVector<ItemSet, 3> oldSets{from}, newSets;
  if (rest)
    newSets.push_back(rest);
  if (to)
    oldSets.push_back(to);
  newSets.push_back(to | moved);
  return (rest || to) && accept(oldSets, newSets);
}

bool Refinement::improveAt(unsigned item) {
  ItemSet from = getGroup(item);
  // An item, or with it all that it needs or that needs it in its group.
  ItemSet moves[] = {only(item),
                     only(item) | (window.getAncestors(item) & from),
                     only(item) | (window.getDescendants(item) & from)};
  for (ItemSet moved : moves) {
    ItemSet neighbors = 0;
    forEachItem(moved, [&](unsigned member) {
      neighbors |= window.getNeighbors(member);
    });
    neighbors &= ~(from | window.getFixed());
    for (size_t i = 0; i < partition.groups.size(); ++i)
      if (partition.groups[i].items & neighbors)
        if (tryMove(moved, from, partition.groups[i].items))
          return true;
    if (tryMove(moved, from, 0))
      return true;
  }
  return false;
}

void Refinement::run() {
  // Each improvement lowers the cost, so that this ends; a round without one is
  // the last.
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned item = 0; item < window.size(); ++item)
      if (!(window.getFixed() & only(item)))
        while (improveAt(item))
          changed = true;
    double before = partition.getCost();
    mergeGreedily(window, partition);
    changed |= partition.getCost() < before - costTolerance;
  }
}

/// Takes the groups around `seed` apart, puts `seed` together, and merges anew.
bool Refinement::tryTogether(ItemSet seed) {
  seed = window.close(seed);
  if (seed & window.getFixed() ||
      window.getCost(seed) == std::numeric_limits<double>::infinity())
    return false;
  Partition changed;
  for (const Group &group : partition.groups) {
    if (!(group.items & seed)) {
      changed.groups.push_back(group);
      continue;
    }
    forEachItem(group.items & ~seed, [&](unsigned item) {
      changed.groups.push_back(window.makeGroup(only(item)));
    });
  }
  changed.groups.push_back(window.makeGroup(seed));
  if (!window.sort(changed.groups))
    return false;
  mergeGreedily(window, changed);
  Refinement(window, changed).run();
  if (changed.getCost() >= partition.getCost() - costTolerance)
    return false;
  partition = std::move(changed);
  return true;
}

void Refinement::restart() {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned a = 0; a < window.size(); ++a)
      for (unsigned b = a + 1; b < window.size(); ++b)
        if (!(getGroup(a) & only(b)) &&
            !((only(a) | only(b)) & window.getFixed()))
          changed |= tryTogether(only(a) | only(b));
  }
}

void segmentation::restart(Window &window, Partition &partition) {
  Refinement(window, partition).restart();
}

void segmentation::refine(Window &window, Partition &partition) {
  Refinement(window, partition).run();
}
