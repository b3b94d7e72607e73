//===- Search.cpp - Which operations become one kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of at most a window's size is one problem. A larger one is cut into
// windows where few bytes cross; the groups that come out are the items of the
// next round, whose windows lie across the cuts of the last.
//
//===----------------------------------------------------------------------===//

#include "Components.h"
#include "FusionDialect/Transforms/Segmentation.h"
#include "Recompute.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

/// Programs of at most that many nodes are searched again from other starts.
static constexpr unsigned maxNodesToRestart = 32;

/// Each round can make one segment of a whole window's items.
static constexpr unsigned maxRounds = 6;

namespace {

class Search {
public:
  Search(SegmentGraph &graph, CandidateOracle &oracle,
         const SegmentationOptions &options)
      : graph(graph), oracle(oracle), answers(graph, oracle), options(options) {
    exactLimits = {options.exactSteps, options.exactQuestions};
  }

  Segmentation run();

private:
  using Items = SmallVector<Item>;

  Items getNodesAsItems() const;
  SmallVector<size_t> getCuts(ArrayRef<Item> items, size_t offset) const;
  Items solveAll(ArrayRef<Item> items, ArrayRef<size_t> cuts);
  Items solveWindow(ArrayRef<Item> items);
  Items contractComplete(ArrayRef<Item> items);
  Items getItems(const Window &window, const Partition &partition) const;

  SegmentGraph &graph;
  CandidateOracle &oracle;
  /// Until nodes become recomputed.
  Answers answers;
  SegmentationOptions options;
  ExactLimits exactLimits;
  Segmentation result;
};

} // namespace

//===----------------------------------------------------------------------===//
// One window
//===----------------------------------------------------------------------===//

Search::Items Search::getItems(const Window &window,
                               const Partition &partition) const {
  Items items;
  for (const Group &group : partition.groups)
    items.push_back(
        {window.getNodes(group.items), (group.items & window.getFixed()) != 0});
  return items;
}

/// The sets of items that hang together by tensors, where nothing fixed stands
/// between.
static SmallVector<ItemSet> getComponents(const Window &window) {
  SmallVector<ItemSet> components;
  ItemSet left = window.getAll() & ~window.getFixed();
  while (left) {
    ItemSet component = 0, frontier = left & -left;
    while (frontier) {
      component |= frontier;
      ItemSet next = 0;
      forEachItem(frontier, [&](unsigned item) {
        forEachItem(window.getNeighbors(item) & left & ~component,
                    [&](unsigned neighbor) {
                      if (!(window.close(only(item) | only(neighbor)) &
                            window.getFixed()))
                        next |= only(neighbor);
                    });
      });
      frontier = next;
    }
    components.push_back(component);
    left &= ~component;
  }
  return components;
}

/// Makes one item of each component that is cheapest as one segment. That takes
/// one question, and most programs are of this kind.
Search::Items Search::contractComplete(ArrayRef<Item> items) {
  Window window(answers, items);
  Partition partition;
  for (unsigned item = 0; item < window.size(); ++item)
    partition.groups.push_back(window.makeUnpricedGroup(only(item)));
  for (ItemSet component : getComponents(window)) {
    if (llvm::popcount(component) < 2 ||
        window.close(partition, component) != component)
      continue;
    double cost = window.getCost(component);
    if (cost <= window.getLowerBoundIfSplit(component))
      window.merge(partition, component);
  }
  return getItems(window, partition);
}

Search::Items Search::solveWindow(ArrayRef<Item> list) {
  Items items = contractComplete(list);
  Window window(answers, items);
  unsigned numMovable = llvm::popcount(window.getAll() & ~window.getFixed());
  if (numMovable <= 1)
    return items;
  Partition partition = window.makeSingletons();
  mergeGreedily(window, partition);
  refine(window, partition);
  // What a whole program spends on exactness does not grow with it.
  if (numMovable <= options.exactLimit && exactLimits.questions > 0) {
    auto exact = solveExactly(window, partition.getCost(), exactLimits);
    if (exact) {
      ++result.numExact;
      return getItems(window, *exact);
    }
  }
  if (graph.getNodes().size() <= maxNodesToRestart)
    restart(window, partition);
  ++result.numGreedy;
  return getItems(window, partition);
}

//===----------------------------------------------------------------------===//
// Many windows
//===----------------------------------------------------------------------===//

Search::Items Search::getNodesAsItems() const {
  Items items;
  for (auto [number, node] : llvm::enumerate(graph.getNodes()))
    items.push_back({{static_cast<unsigned>(number)}, node.isFixed});
  return items;
}

/// Where windows end: after at most `capacity` items, where the fewest bytes
/// cross. The first window has at most `offset` items.
SmallVector<size_t> Search::getCuts(ArrayRef<Item> items, size_t offset) const {
  SmallVector<unsigned> itemOfNode(graph.getNodes().size());
  for (auto [number, item] : llvm::enumerate(items))
    for (SegmentGraph::Node node : item.nodes)
      itemOfNode[node] = number;
  // Bytes that are live between item i - 1 and item i.
  SmallVector<double> crossing(items.size() + 1);
  for (const SegmentGraph::Read &read : graph.getReads()) {
    if (!read.producer || read.readers.empty())
      continue;
    unsigned first = itemOfNode[*read.producer], last = first;
    for (SegmentGraph::Node reader : read.readers)
      last = std::max(last, itemOfNode[reader]);
    crossing[first + 1] += read.bytes;
    crossing[last + 1] -= read.bytes;
  }
  for (size_t i = 1; i < crossing.size(); ++i)
    crossing[i] += crossing[i - 1];

  SmallVector<size_t> cuts;
  size_t begin = 0, length = offset;
  while (items.size() - begin > length) {
    size_t best = begin + length;
    for (size_t cut = best; cut > begin + length / 2; --cut)
      if (crossing[cut] < crossing[best])
        best = cut;
    cuts.push_back(best);
    begin = best;
    length = Window::capacity;
  }
  cuts.push_back(items.size());
  return cuts;
}

Search::Items Search::solveAll(ArrayRef<Item> items, ArrayRef<size_t> cuts) {
  Items groups;
  size_t begin = 0;
  for (size_t end : cuts) {
    llvm::append_range(groups, solveWindow(items.slice(begin, end - begin)));
    begin = end;
  }
  return groups;
}

Segmentation Search::run() {
  Items items = getNodesAsItems();
  // Ends when neither the windows nor those across their cuts merge anything,
  // or after so many rounds that more would merge little.
  unsigned rounds = 0, idleRounds = 0;
  while (!items.empty() && idleRounds < 2 && rounds < maxRounds) {
    size_t offset = rounds++ % 2 == 0 ? Window::capacity : Window::capacity / 2;
    bool isOne = items.size() <= Window::capacity;
    SmallVector<size_t> cuts =
        isOne ? SmallVector<size_t>{items.size()} : getCuts(items, offset);
    Items groups = solveAll(items, cuts);
    idleRounds = groups.size() < items.size() ? 0 : idleRounds + 1;
    items = std::move(groups);
    if (isOne)
      break;
  }
  mergeLargeComponents(graph, answers, items);
  for (Item &item : items) {
    if (item.isFixed)
      continue;
    Answer answer = answers.ask(item.nodes);
    if (answer.scheduler)
      result.segments.push_back(
          {{item.nodes.begin(), item.nodes.end()}, answer});
    else
      llvm::append_range(result.outside, item.nodes);
  }
  llvm::sort(result.outside);
  recomputeCheapNodes(graph, oracle, result);
  for (const SegmentChoice &segment : result.segments)
    result.microseconds += segment.answer.cost.microseconds;
  return std::move(result);
}

Segmentation fusion::findSegmentation(SegmentGraph &graph,
                                      CandidateOracle &oracle,
                                      const SegmentationOptions &options) {
  return Search(graph, oracle, options).run();
}
