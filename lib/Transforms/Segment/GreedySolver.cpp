//===- GreedySolver.cpp - Merge what saves most ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Best-first merging. Acceptance is not monotone: two operations that no
// scheduler takes together may belong to a larger set that one does. So a move
// merges not only pairs: it takes the closure of a pair, all readers of a
// tensor, all reductions of a signature or a space, and, where a union is
// refused, the union with each of its neighbours.
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include <limits>
#include <queue>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

/// In windows of at most that many items all pairs of groups are tried, in
/// larger ones those that share a tensor.
static constexpr unsigned maxItemsForAllPairs = 24;

namespace {

/// The merge of the groups in `set`, and the most that it can save: what a
/// segment of that traffic would.
struct Move {
  double gain;
  ItemSet set;
  bool growIfRefused;

  /// Larger gains first, then earlier items.
  bool operator<(const Move &other) const {
    return gain != other.gain ? gain < other.gain : set > other.set;
  }
};

class GreedySolver {
public:
  GreedySolver(Window &window, Partition &partition)
      : window(window), partition(partition) {}

  void solve();

private:
  void propose(ItemSet seed, bool growIfRefused = true);
  void grow(ItemSet set);
  void proposePairs(const Group &group, size_t first = 0);
  ItemSet getNeighbors(ItemSet set) const;

  Window &window;
  Partition &partition;
  std::priority_queue<Move> moves;
};

} // namespace

ItemSet GreedySolver::getNeighbors(ItemSet set) const {
  ItemSet neighbors = 0;
  forEachItem(set,
              [&](unsigned item) { neighbors |= window.getNeighbors(item); });
  return neighbors & ~set;
}

/// Queues the merge of the groups around `seed` if it saves time.
void GreedySolver::propose(ItemSet seed, bool growIfRefused) {
  ItemSet set = window.close(partition, seed);
  if (set & window.getFixed())
    return;
  double parts = 0;
  unsigned count = 0;
  for (const Group &group : partition.groups)
    if (group.items & set) {
      parts += group.cost;
      ++count;
    }
  // No segment is cheaper than its traffic.
  double gain = parts - window.getLowerBound(set);
  if (count >= 2 && gain > costTolerance)
    moves.push({gain, set, growIfRefused});
}

void GreedySolver::grow(ItemSet set) {
  ItemSet neighbors = getNeighbors(set);
  for (const Group &group : partition.groups)
    if (group.items & neighbors)
      propose(set | group.items, /*growIfRefused=*/false);
}

/// Queues the pairs of `group` and another one from number `first` on.
void GreedySolver::proposePairs(const Group &group, size_t first) {
  if (group.items & window.getFixed())
    return;
  // What shares no tensor with the group can spare a launch.
  ItemSet others = window.size() <= maxItemsForAllPairs
                       ? ~(group.items | window.getFixed())
                       : getNeighbors(group.items);
  for (const Group &other : ArrayRef(partition.groups).drop_front(first))
    if (other.items & others)
      propose(group.items | other.items);
}

void GreedySolver::solve() {
  for (ItemSet family : window.getFamilies())
    propose(family);
  for (auto [number, group] : llvm::enumerate(partition.groups))
    proposePairs(group, number + 1);
  while (!moves.empty()) {
    Move move = moves.top();
    moves.pop();
    // Other merges may have changed what the move would merge, or its gain.
    ItemSet set = window.close(partition, move.set);
    double parts = 0;
    unsigned count = 0;
    for (const Group &group : partition.groups)
      if (group.items & set) {
        parts += group.cost;
        ++count;
      }
    if (count < 2 || (set & window.getFixed()))
      continue;
    double cost = window.getCost(set);
    if (cost == std::numeric_limits<double>::infinity() && move.growIfRefused &&
        !window.isHopeless(set))
      grow(set);
    double gain = parts - cost;
    if (gain <= costTolerance)
      continue;
    if (!moves.empty() && gain < moves.top().gain - costTolerance) {
      moves.push({gain, set, false});
      continue;
    }
    window.merge(partition, set);
    for (ItemSet family : window.getFamilies())
      if (family & set)
        propose(family);
    const Group *merged =
        llvm::find_if(partition.groups,
                      [&](const Group &group) { return group.items == set; });
    proposePairs(*merged);
  }
}

void segmentation::mergeGreedily(Window &window, Partition &partition) {
  GreedySolver(window, partition).solve();
}
