//===- Components.cpp - Large parts of a program as one segment -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Components.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
#include <limits>
#include <queue>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

using Node = SegmentGraph::Node;

/// Kernels of more operations are not asked for: to compile them takes longer
/// than to run them.
static constexpr size_t maxNodes = 2048;

/// The nodes that hang together by tensors, fixed ones left out; in the order
/// of their first nodes.
static SmallVector<SmallVector<Node>> getComponents(const SegmentGraph &graph) {
  llvm::IntEqClasses classes(graph.getNodes().size());
  for (const SegmentGraph::Read &read : graph.getReads()) {
    if (!isa<RankedTensorType>(read.value.getType()))
      continue;
    std::optional<Node> first;
    auto add = [&](Node node) {
      if (graph.getNodes()[node].isFixed)
        return;
      if (first)
        classes.join(*first, node);
      first = first.value_or(node);
    };
    if (read.producer)
      add(*read.producer);
    llvm::for_each(read.readers, add);
  }
  llvm::MapVector<unsigned, SmallVector<Node>> components;
  for (auto [number, node] : llvm::enumerate(graph.getNodes()))
    if (!node.isFixed)
      components[classes.findLeader(number)].push_back(number);
  SmallVector<SmallVector<Node>> result;
  for (auto &[leader, component] : components)
    result.push_back(std::move(component));
  return result;
}

/// `items` in an order in which each comes after what it needs, the given one
/// where there is a choice; none if there is no such order.
static std::optional<SmallVector<Item>> sortItems(const SegmentGraph &graph,
                                                  ArrayRef<Item> items) {
  SmallVector<unsigned> itemOfNode(graph.getNodes().size());
  for (auto [number, item] : llvm::enumerate(items))
    for (Node node : item.nodes)
      itemOfNode[node] = number;
  SmallVector<unsigned> numOpen(items.size());
  SmallVector<SmallVector<unsigned>> users(items.size());
  for (auto [number, item] : llvm::enumerate(items))
    for (Node node : item.nodes)
      for (Node producer : graph.getNodes()[node].producers)
        if (itemOfNode[producer] != number) {
          users[itemOfNode[producer]].push_back(number);
          ++numOpen[number];
        }
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<unsigned>>
      ready;
  for (unsigned item = 0; item < items.size(); ++item)
    if (!numOpen[item])
      ready.push(item);
  SmallVector<Item> sorted;
  while (!ready.empty()) {
    unsigned item = ready.top();
    ready.pop();
    sorted.push_back(items[item]);
    for (unsigned user : users[item])
      if (!--numOpen[user])
        ready.push(user);
  }
  if (sorted.size() != items.size())
    return std::nullopt;
  return sorted;
}

void segmentation::mergeLargeComponents(const SegmentGraph &graph,
                                        Answers &answers,
                                        SmallVectorImpl<Item> &items) {
  if (graph.getNodes().size() <= Window::capacity)
    return;
  for (ArrayRef<Node> component : getComponents(graph)) {
    if (component.size() <= Window::capacity || component.size() > maxNodes ||
        graph.close(component).size() != component.size())
      continue;
    Answer whole = answers.ask(component);
    if (!whole.scheduler)
      continue;
    DenseSet<Node> members(component.begin(), component.end());
    SmallVector<Item> changed;
    double parts = 0;
    size_t numNodes = 0;
    for (const Item &item : items) {
      if (!members.contains(item.nodes.front())) {
        changed.push_back(item);
        continue;
      }
      numNodes += item.nodes.size();
      Answer part = answers.ask(item.nodes);
      parts += part.scheduler ? part.cost.microseconds
                              : outsideCost * item.nodes.size();
    }
    // An item that the component shares with others stays.
    if (numNodes != component.size() ||
        whole.cost.microseconds >= parts - costTolerance)
      continue;
    changed.push_back({{component.begin(), component.end()}, false});
    if (auto sorted = sortItems(graph, changed))
      items.assign(std::make_move_iterator(sorted->begin()),
                   std::make_move_iterator(sorted->end()));
  }
}
