//===- Window.h - A part of a program as sets of a few items -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Search works on windows: at most 62 items that follow one another in an order
// in which each comes after what it needs. An item is a node, or a set of nodes
// that stay together. A set of items is the bits of a word.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SEGMENT_WINDOW_H
#define LIB_TRANSFORMS_SEGMENT_WINDOW_H

#include "FusionDialect/Analysis/CandidateOracle.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "llvm/ADT/bit.h"

namespace mlir::fusion::segmentation {

/// Bit i is item i of a window.
using ItemSet = uint64_t;

/// The set of item `item` alone.
inline ItemSet only(unsigned item) { return ItemSet(1) << item; }

/// Calls `visit` with each item of `set`, ascending.
template <typename Visit>
void forEachItem(ItemSet set, Visit visit) {
  for (; set; set &= set - 1)
    visit(static_cast<unsigned>(llvm::countr_zero(set)));
}

/// What stays together.
struct Item {
  /// Ascending.
  llvm::SmallVector<SegmentGraph::Node, 1> nodes;
  /// A fixed node: in no segment.
  bool isFixed = false;
};

/// A part of a plan: items that form a segment, a node outside, or a fixed
/// node.
struct Group {
  ItemSet items = 0;
  /// Items that its items need, and items that need them: its own are left out.
  ItemSet before = 0, after = 0;
  /// In microseconds; outsideCost for each node that no scheduler takes.
  double cost = 0;
};

/// Groups that hold each item of a window once, in an order in which each comes
/// after what it needs.
struct Partition {
  llvm::SmallVector<Group> groups;
  double getCost() const;
};

/// The cost of a node outside: more than any plan, so that plans with fewer
/// such nodes win.
constexpr double outsideCost = 1e9;

/// A smaller difference of costs is none: sums of the same terms in another
/// order must compare equal.
constexpr double costTolerance = 1e-6;

/// Answers about sets of nodes as long as their graph stays as it is: windows
/// ask about many of the same sets, and these need no key modulo renaming.
class Answers {
public:
  Answers(const SegmentGraph &graph, CandidateOracle &oracle)
      : graph(graph), oracle(oracle) {}

  const SegmentGraph &getGraph() const { return graph; }
  const DeviceModel &getDevice() const { return oracle.getFacts().device; }
  /// The oracle's answer about `set`, which is in ascending order.
  Answer ask(llvm::ArrayRef<SegmentGraph::Node> set);

private:
  const SegmentGraph &graph;
  CandidateOracle &oracle;
  /// By two halves of the hash of the set.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, Answer> answers;
};

class Window {
public:
  /// All items are a set whose bits are none that a hash table reserves.
  static constexpr unsigned capacity = 62;

  /// `items` come after what they need.
  Window(Answers &answers, llvm::ArrayRef<Item> items);

  llvm::ArrayRef<Item> getItems() const { return items; }
  unsigned size() const { return items.size(); }
  ItemSet getAll() const { return all; }
  ItemSet getFixed() const { return fixed; }
  double getLaunchMicroseconds() const { return launchMicroseconds; }
  ItemSet getPredecessors(unsigned item) const { return predecessors[item]; }
  ItemSet getSuccessors(unsigned item) const { return successors[item]; }
  /// Items that `item` needs through others, and those that need it.
  ItemSet getAncestors(unsigned item) const { return ancestors[item]; }
  ItemSet getDescendants(unsigned item) const { return descendants[item]; }
  /// Items that exchange a tensor with `item` or read the same one.
  ItemSet getNeighbors(unsigned item) const { return neighbors[item]; }
  /// Sets worth asking about beside pairs: the readers of one tensor,
  /// reductions of one signature, reductions of one space.
  llvm::ArrayRef<ItemSet> getFamilies() const { return families; }
  /// True if the items of `set` are all element-wise nodes.
  bool isElementwise(unsigned item) const { return elementwise & only(item); }

  /// The smallest convex set around `set`: with all that stands on a path
  /// between two of its items.
  ItemSet close(ItemSet set) const;
  /// The cost of the segment `set`; infinite if no scheduler takes it.
  double getCost(ItemSet set);
  /// The cost of the group `set`: as a segment, or of a node left outside.
  double getGroupCost(ItemSet set);
  /// The least that the segments which hold `set`, one or several, can cost:
  /// its traffic and a launch. `ignored` of it does not count, nor does what is
  /// stored for that alone.
  double getTrafficBound(ItemSet set, ItemSet ignored = 0) const;
  /// The same, with a launch for each of several items that no scheduler takes
  /// together.
  double getBoundOfSegments(ItemSet set, ItemSet ignored) const;
  /// The least that one segment `set` can cost: infinite if it is known that no
  /// scheduler takes it.
  double getLowerBound(ItemSet set, ItemSet ignored = 0) const;
  /// Items that can cost nothing: fixed ones, and those whose results are empty
  /// or needed by none but such. To be ignored in bounds on a whole partition.
  ItemSet getFree() const;
  /// The cost of the group `set` if it was asked about, else its lower bound.
  double getLeastGroupCost(ItemSet set);
  /// True if it is known that no scheduler takes any set that holds `set`.
  bool isHopeless(ItemSet set) const;
  /// Items of which it is known that no segment holds them and `item`: all, and
  /// `item` itself, if no scheduler takes that alone either.
  ItemSet getConflicts(unsigned item) const { return conflicts[item]; }
  /// The least that two or more segments which hold `set` together can cost, if
  /// `set` hangs together by tensors: one of those is moved once more.
  double getLowerBoundIfSplit(ItemSet set) const;

  /// The group `set`.
  Group makeGroup(ItemSet set);
  /// The same, its cost left out.
  Group makeUnpricedGroup(ItemSet set) const;
  /// Each item on its own.
  Partition makeSingletons();
  /// Brings groups into an order in which each comes after what it needs; false
  /// if there is none.
  bool sort(llvm::MutableArrayRef<Group> groups) const;
  /// The smallest union of groups around `set` that leaves the groups in an
  /// order when they become one.
  ItemSet close(const Partition &partition, ItemSet set) const;
  /// Makes the groups within `set`, a union that close returned, one group.
  void merge(Partition &partition, ItemSet set);

  llvm::SmallVector<SegmentGraph::Node> getNodes(ItemSet set) const;
  /// Questions that getCost asked; one about many nodes counts as several.
  uint64_t getNumQuestions() const { return numQuestions; }

private:
  /// A tensor that items of the window read or compute.
  struct Tensor {
    double microseconds;
    ItemSet producer = 0, readers = 0;
    /// Needed by something other than items of the window.
    bool isNeededOutside = false;
  };

  void connect();
  void findTensors();
  void findFamilies();
  void addHopeless(ItemSet set);

  const SegmentGraph &graph;
  Answers &answers;
  llvm::SmallVector<Item> items;
  ItemSet all = 0, fixed = 0, elementwise = 0;
  llvm::SmallVector<ItemSet> predecessors, successors, ancestors, descendants,
      neighbors;
  llvm::SmallVector<Tensor> tensors;
  llvm::SmallVector<ItemSet> families;
  llvm::DenseMap<SegmentGraph::Node, unsigned> itemOfNode;
  llvm::DenseMap<ItemSet, double> costs;
  /// Sets that no scheduler takes, not even as part of more: items alone and
  /// pairs, by item; larger ones, by last item.
  llvm::SmallVector<ItemSet> conflicts;
  llvm::SmallVector<llvm::SmallVector<ItemSet, 0>> hopeless;
  double launchMicroseconds;
  uint64_t numQuestions = 0;
};

/// What the exact solutions of a program's windows may take together: steps, of
/// which one window may take half of those left, and questions.
struct ExactLimits {
  uint64_t steps, questions;
};

/// The cheapest partition of the window, or none if `limits`, which are lowered
/// by what was used, do not suffice. `upperBound` is the cost of a partition
/// that is known.
std::optional<Partition> solveExactly(Window &window, double upperBound,
                                      ExactLimits &limits);

/// Merges groups of `partition` as long as that saves time, what saves most
/// first.
void mergeGreedily(Window &window, Partition &partition);

/// Moves items between neighbouring groups, splits and merges groups as long
/// as that saves time.
void refine(Window &window, Partition &partition);

/// Leaves local optima: for each two items of different groups, starts again
/// with these two together and their groups taken apart, and keeps what saves
/// time. For small windows.
void restart(Window &window, Partition &partition);

} // namespace mlir::fusion::segmentation

#endif // LIB_TRANSFORMS_SEGMENT_WINDOW_H
