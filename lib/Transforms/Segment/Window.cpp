//===- Window.cpp - A part of a program as sets of a few items ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <limits>
#include <map>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::segmentation;

/// A question about more nodes counts as several, one for each `nodesOfMore`.
static constexpr size_t nodesOfOne = 24, nodesOfMore = 8;

double Partition::getCost() const {
  double cost = 0;
  for (const Group &group : groups)
    cost += group.cost;
  return cost;
}

Answer Answers::ask(ArrayRef<SegmentGraph::Node> set) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(ArrayRef(reinterpret_cast<const uint8_t *>(set.data()),
                                  set.size() * sizeof(SegmentGraph::Node)));
  auto [it, isNew] = answers.try_emplace({hash.low64, hash.high64});
  if (isNew)
    it->second = oracle.ask(graph, set);
  return it->second;
}

Window::Window(Answers &answers, ArrayRef<Item> list)
    : graph(answers.getGraph()), answers(answers),
      items(list.begin(), list.end()),
      launchMicroseconds(answers.getDevice().launchMicroseconds) {
  assert(size() <= capacity && "expected items that fit in a word");
  for (auto [number, item] : llvm::enumerate(items)) {
    all |= only(number);
    if (item.isFixed)
      fixed |= only(number);
    for (SegmentGraph::Node node : item.nodes)
      itemOfNode[node] = number;
    if (llvm::all_of(item.nodes, [&](SegmentGraph::Node node) {
          return OpTrait::hasElementwiseMappableTraits(
              graph.getNodes()[node].operation);
        }))
      elementwise |= only(number);
  }
  connect();
  findTensors();
  findFamilies();
}

void Window::connect() {
  for (auto *sets : {&predecessors, &successors, &ancestors, &descendants,
                     &neighbors, &conflicts})
    sets->assign(size(), 0);
  hopeless.resize(size());
  for (auto [number, item] : llvm::enumerate(items)) {
    for (SegmentGraph::Node node : item.nodes)
      for (SegmentGraph::Node producer : graph.getNodes()[node].producers)
        if (auto it = itemOfNode.find(producer);
            it != itemOfNode.end() && it->second != number)
          predecessors[number] |= only(it->second);
    ancestors[number] = predecessors[number];
    forEachItem(predecessors[number], [&, number = number](unsigned before) {
      successors[before] |= only(number);
      ancestors[number] |= ancestors[before];
    });
  }
  for (unsigned number = size(); number-- > 0;) {
    descendants[number] = successors[number];
    forEachItem(successors[number], [&](unsigned after) {
      descendants[number] |= descendants[after];
    });
  }
}

void Window::findTensors() {
  double bytesPerMicrosecond = answers.getDevice().copyBytesPerMicrosecond;
  llvm::DenseMap<unsigned, unsigned> tensorOfRead;
  auto add = [&](unsigned number) {
    auto [it, isNew] = tensorOfRead.try_emplace(number, tensors.size());
    if (!isNew)
      return;
    const SegmentGraph::Read &read = graph.getReads()[number];
    Tensor tensor{read.bytes / bytesPerMicrosecond};
    tensor.isNeededOutside = read.isUsedOutside;
    if (read.producer)
      if (auto item = itemOfNode.find(*read.producer); item != itemOfNode.end())
        tensor.producer = only(item->second);
    for (SegmentGraph::Node reader : read.readers) {
      auto item = itemOfNode.find(reader);
      if (item == itemOfNode.end())
        tensor.isNeededOutside = true;
      else
        tensor.readers |= only(item->second);
    }
    tensors.push_back(tensor);
    ItemSet users = (tensor.producer | tensor.readers) & ~fixed;
    forEachItem(users, [&](unsigned user) { neighbors[user] |= users; });
    if (llvm::popcount(users) > 2)
      families.push_back(users);
  };
  for (const Item &item : items)
    for (SegmentGraph::Node node : item.nodes) {
      llvm::for_each(graph.getNodes()[node].reads, add);
      llvm::for_each(graph.getNodes()[node].results, add);
    }
  for (unsigned number = 0; number < size(); ++number)
    neighbors[number] &= ~only(number);
}

void Window::findFamilies() {
  std::map<unsigned, ItemSet> spaces, signatures;
  for (auto [number, item] : llvm::enumerate(items))
    for (SegmentGraph::Node node : item.nodes)
      if (const auto &info = graph.getNodes()[node]; info.space) {
        spaces[*info.space] |= only(number);
        signatures[*info.signature] |= only(number);
      }
  for (const auto &sets : {signatures, spaces})
    for (auto [number, set] : sets)
      if (llvm::popcount(set) > 1)
        families.push_back(set);
  llvm::sort(families);
  families.erase(llvm::unique(families), families.end());
}

ItemSet Window::close(ItemSet set) const {
  ItemSet before = 0, after = 0;
  forEachItem(set, [&](unsigned item) {
    before |= ancestors[item];
    after |= descendants[item];
  });
  return set | (before & after);
}

SmallVector<SegmentGraph::Node> Window::getNodes(ItemSet set) const {
  SmallVector<SegmentGraph::Node> nodes;
  forEachItem(set, [&](unsigned item) {
    llvm::append_range(nodes, items[item].nodes);
  });
  // Not llvm::sort(range): for numbers that calls qsort.
  if (!llvm::is_sorted(nodes))
    llvm::sort(nodes, std::less<>());
  return nodes;
}

double Window::getCost(ItemSet set) {
  auto [it, isNew] = costs.try_emplace(set, 0);
  if (!isNew)
    return it->second;
  if (isHopeless(set))
    return it->second = std::numeric_limits<double>::infinity();
  SmallVector<SegmentGraph::Node> nodes = getNodes(set);
  numQuestions += nodes.size() > nodesOfOne ? nodes.size() / nodesOfMore : 1;
  Answer answer = answers.ask(nodes);
  if (answer.isHopeless)
    addHopeless(set);
  return it->second = answer.scheduler
                          ? answer.cost.microseconds
                          : std::numeric_limits<double>::infinity();
}

void Window::addHopeless(ItemSet set) {
  unsigned first = llvm::countr_zero(set), last = llvm::Log2_64(set);
  if (first == last) {
    conflicts[first] = all;
    for (ItemSet &others : conflicts)
      others |= set;
  } else if (set == (only(first) | only(last))) {
    conflicts[first] |= only(last);
    conflicts[last] |= only(first);
  } else {
    hopeless[last].push_back(set);
  }
}

bool Window::isHopeless(ItemSet set) const {
  for (ItemSet left = set; left; left &= left - 1) {
    unsigned item = llvm::countr_zero(left);
    if (conflicts[item] & set)
      return true;
    for (ItemSet part : hopeless[item])
      if (!(part & ~set))
        return true;
  }
  return false;
}

double Window::getGroupCost(ItemSet set) {
  if (set & fixed)
    return llvm::popcount(set) == 1 ? 0
                                    : std::numeric_limits<double>::infinity();
  double cost = getCost(set);
  if (cost == std::numeric_limits<double>::infinity() &&
      llvm::popcount(set) == 1 &&
      items[llvm::countr_zero(set)].nodes.size() == 1)
    return outsideCost;
  return cost;
}

double Window::getLowerBound(ItemSet set, ItemSet ignored) const {
  // A node that no scheduler takes can still stay outside.
  if (llvm::popcount(set) > 1 && isHopeless(set))
    return std::numeric_limits<double>::infinity();
  return getTrafficBound(set, ignored);
}

double Window::getLeastGroupCost(ItemSet set) {
  return costs.contains(set) ? getGroupCost(set) : getLowerBound(set);
}

double Window::getTrafficBound(ItemSet set, ItemSet ignored) const {
  set &= ~ignored;
  if (!set)
    return 0;
  double cost = launchMicroseconds;
  for (const Tensor &tensor : tensors) {
    bool isInside = tensor.producer & set;
    if (isInside ? tensor.isNeededOutside || (tensor.readers & ~(set | ignored))
                 : (tensor.readers & set) != 0)
      cost += tensor.microseconds;
  }
  return cost;
}

double Window::getBoundOfSegments(ItemSet set, ItemSet ignored) const {
  double cost = getTrafficBound(set, ignored);
  // Of items each of which is in conflict with all others each needs a launch.
  unsigned count = 0;
  for (ItemSet open = set & ~ignored; open; ++count) {
    unsigned item = llvm::countr_zero(open);
    open &= conflicts[item] & ~only(item);
  }
  return count > 1 ? cost + (count - 1) * launchMicroseconds : cost;
}

ItemSet Window::getFree() const {
  ItemSet free = fixed;
  for (unsigned item = size(); item-- > 0;) {
    auto known = costs.find(only(item));
    bool isNeeded = llvm::any_of(tensors, [&](const Tensor &tensor) {
      return tensor.producer == only(item) &&
             (tensor.isNeededOutside || (tensor.readers & ~free));
    });
    if (!isNeeded || (known != costs.end() && known->second == 0))
      free |= only(item);
  }
  return free;
}

double Window::getLowerBoundIfSplit(ItemSet set) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Tensor &tensor : tensors) {
    ItemSet users = (tensor.producer | tensor.readers) & set;
    if (llvm::popcount(users) < 2)
      continue;
    // A tensor that only the set knows would be written and read, another one
    // read once more.
    bool isHidden = (tensor.producer & set) && !tensor.isNeededOutside &&
                    !(tensor.readers & ~set);
    least = std::min(least, (isHidden ? 2 : 1) * tensor.microseconds);
  }
  return getTrafficBound(set) + launchMicroseconds + least;
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

Group Window::makeUnpricedGroup(ItemSet set) const {
  Group group{set};
  forEachItem(set, [&](unsigned item) {
    group.before |= predecessors[item];
    group.after |= successors[item];
  });
  group.before &= ~set;
  group.after &= ~set;
  return group;
}

Group Window::makeGroup(ItemSet set) {
  Group group = makeUnpricedGroup(set);
  group.cost = getGroupCost(set);
  return group;
}

Partition Window::makeSingletons() {
  Partition partition;
  for (unsigned item = 0; item < size(); ++item)
    partition.groups.push_back(makeGroup(only(item)));
  return partition;
}

bool Window::sort(MutableArrayRef<Group> groups) const {
  // By first items where there is a choice: a group often stands in place.
  llvm::sort(groups, [](const Group &a, const Group &b) {
    return llvm::countr_zero(a.items) < llvm::countr_zero(b.items);
  });
  ItemSet done = 0;
  for (auto next = groups.begin(); next != groups.end(); ++next) {
    auto ready = std::find_if(next, groups.end(), [&](const Group &group) {
      return !(group.before & ~done);
    });
    if (ready == groups.end())
      return false;
    std::rotate(next, ready, ready + 1);
    done |= next->items;
  }
  return true;
}

ItemSet Window::close(const Partition &partition, ItemSet set) const {
  ItemSet after = set, before = set;
  for (const Group &group : partition.groups)
    if ((group.before & after) || (group.items & set))
      after |= group.items;
  for (const Group &group : llvm::reverse(partition.groups))
    if ((group.after & before) || (group.items & set))
      before |= group.items;
  return after & before;
}

void Window::merge(Partition &partition, ItemSet set) {
  llvm::erase_if(partition.groups,
                 [&](const Group &group) { return group.items & set; });
  partition.groups.push_back(makeGroup(set));
  [[maybe_unused]] bool isOrdered = sort(partition.groups);
  assert(isOrdered && "expected a closed union of groups");
}
