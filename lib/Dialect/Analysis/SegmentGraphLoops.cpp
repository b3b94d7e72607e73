//===- SegmentGraphLoops.cpp - What a set knows about its loops -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classes of dimensions are those of a whole program, in which an operation is
// there once. In a plan, each segment has a copy of what is recomputed: two of
// them that use one broadcast do not know any more that its new dimension is
// one loop. All else holds for every plan, as it relates values that are
// stored, or that are in one segment.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/SegmentGraph.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// Disjoint sets of loops, and lists of them for values; values of the same
/// loops may share a list.
class SegmentGraph::LoopSets {
public:
  /// The place where a list starts that is appended now.
  unsigned start() const { return lists.size(); }
  unsigned addLoop() {
    parents.push_back(parents.size());
    ++count;
    return parents.size() - 1;
  }
  void append(unsigned loop) { lists.push_back(loop); }
  unsigned at(unsigned list, unsigned dim) const { return lists[list + dim]; }

  /// Makes one loop of each two at the same place of two lists.
  void unite(unsigned list, unsigned other, unsigned rank) {
    for (unsigned dim = 0; list != other && dim < rank; ++dim) {
      unsigned a = find(at(list, dim)), b = find(at(other, dim));
      if (a == b)
        continue;
      parents[std::max(a, b)] = std::min(a, b);
      --count;
    }
  }

  unsigned find(unsigned loop) {
    while (parents[loop] != loop)
      loop = parents[loop] = parents[parents[loop]];
    return loop;
  }

  unsigned getNumLoops() const { return count; }

private:
  SmallVector<unsigned, 64> lists, parents;
  unsigned count = 0;
};

/// For each dimension of the result of an operation, which is not element-wise,
/// the dimension of its operand that is the same loop, or -1.
SmallVector<int64_t, 4>
SegmentGraph::getOperandDims(const OperationInfo &info) const {
  Operation *op = info.operation;
  SmallVector<int64_t, 4> from;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    llvm::append_range(from, transpose.getPermutation());
    return from;
  }
  if (isa<ReduceOp, SqueezeOp>(op)) {
    ArrayRef<int64_t> removed = isa<ReduceOp>(op)
                                    ? cast<ReduceOp>(op).getDims()
                                    : cast<SqueezeOp>(op).getDims();
    for (int64_t dim = 0, rank = getRank(info.operands.front()); dim < rank;
         ++dim)
      if (!llvm::is_contained(removed, dim))
        from.push_back(dim);
    return from;
  }
  from.assign(getRank(info.results.front()), -1);
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    for (auto [dim, to] : llvm::enumerate(broadcast.getDims()))
      if (!broadcast.growsDim(dim))
        from[to] = dim;
  } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 tensor::CastOp>(op)) {
    ArrayRef<unsigned> operand = layouts[values[info.operands.front()].layout],
                       result = layouts[values[info.results.front()].layout];
    for (auto [dim, dimClass] : llvm::enumerate(result))
      if (const auto *it = llvm::find(operand, dimClass); it != operand.end())
        from[dim] = it - operand.begin();
  }
  return from;
}

/// The list of the loops of the results of an operation as its operands, which
/// have lists, have them.
unsigned SegmentGraph::deriveLoops(const OperationInfo &info,
                                   LoopSets &loops) const {
  unsigned rank = getRank(info.results.front());
  if (!info.isElementwise) {
    SmallVector<int64_t, 4> from = getOperandDims(info);
    unsigned list = loops.start();
    for (int64_t dim : from)
      loops.append(dim < 0 ? loops.addLoop()
                           : loops.at(listOfValue[info.operands.front()], dim));
    return list;
  }
  std::optional<unsigned> list;
  for (unsigned operand : info.operands) {
    if (values[operand].isUniform || getRank(operand) != rank)
      continue;
    if (list)
      loops.unite(*list, listOfValue[operand], rank);
    else
      list = listOfValue[operand];
  }
  if (list)
    return *list;
  list = loops.start();
  for (unsigned dim = 0; dim < rank; ++dim)
    loops.append(loops.addLoop());
  return *list;
}

/// Gives the results of an operation the loops that follow from its operands.
void SegmentGraph::relateResults(const OperationInfo &info,
                                 LoopSets &loops) const {
  unsigned list = deriveLoops(info, loops);
  for (unsigned result : info.results)
    if (isStored(result))
      loops.unite(list, listOfValue[result], getRank(result));
    else
      listOfValue[result] = list;
}

/// Relates what an operation reads to what it computes, with a copy of its own
/// of what is recomputed for it.
void SegmentGraph::relateOperation(unsigned operation, LoopSets &loops) const {
  const OperationInfo &info = operations[operation];
  for (unsigned operand : info.operands) {
    unsigned producer = values[operand].producer;
    if (isStored(operand) || values[operand].isUniform || producer == none ||
        std::exchange(operationStamps[producer], stamp) == stamp)
      continue;
    relateOperation(producer, loops);
  }
  relateResults(info, loops);
}

/// True if each segment that uses an operation has loops of its own for it. One
/// that parts the dimensions of a stored value does so alike everywhere.
bool SegmentGraph::isCopied(unsigned operation) const {
  const OperationInfo &info = operations[operation];
  return info.kind == Kind::Recomputed &&
         !(isa<tensor::ExpandShapeOp>(info.operation) &&
           isStored(info.operands.front()));
}

void SegmentGraph::relateStoredValues() {
  LoopSets loops;
  listOfValue.resize(values.size());
  for (auto [number, value] : llvm::enumerate(values)) {
    if (value.producer != none && isCopied(value.producer))
      continue;
    value.firstStoredLoop = listOfValue[number] = loops.start();
    for (unsigned dim = 0; dim < getRank(number); ++dim)
      loops.append(loops.addLoop());
  }
  unsigned size = loops.start();
  for (auto [number, info] : llvm::enumerate(operations)) {
    bool relates =
        isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            info.operation);
    if (info.kind == Kind::External || isCopied(number) ||
        (info.isFixed && !relates))
      continue;
    ++stamp;
    relateOperation(number, loops);
  }
  for (unsigned place = 0; place < size; ++place)
    storedLoops.push_back(loops.find(loops.at(place, 0)));
  loopStamps.assign(size, 0);
  loopNumbers.resize(size);
}

ArrayRef<unsigned> SegmentGraph::getStoredLoops(Value value) const {
  auto it = valueNumbers.find(value);
  if (it == valueNumbers.end() || !isStored(it->second))
    return {};
  return ArrayRef(storedLoops)
      .slice(values[it->second].firstStoredLoop, getRank(it->second));
}

bool SegmentGraph::knowsItsLoops(const Members &members) const {
  LoopSets loops;
  unsigned numClasses = 0;
  ++stamp;
  // Counts the classes that the program has for a value, and lists its loops if
  // it is stored. Returns false if they say something else, too.
  auto visit = [&](unsigned number) {
    const ValueInfo &value = values[number];
    if (value.hasMoreFacts)
      return false;
    if (value.isUniform)
      return true;
    for (unsigned dimClass : layouts[value.layout])
      numClasses += std::exchange(classStamps[dimClass], stamp) != stamp;
    if (!isStored(number))
      return true;
    listOfValue[number] = loops.start();
    for (unsigned dim = 0; dim < getRank(number); ++dim) {
      unsigned loop = storedLoops[value.firstStoredLoop + dim];
      if (std::exchange(loopStamps[loop], stamp) != stamp)
        loopNumbers[loop] = loops.addLoop();
      loops.append(loopNumbers[loop]);
    }
    return true;
  };
  if (!llvm::all_of(members.inputs, visit))
    return false;
  for (unsigned number : members.operations) {
    const OperationInfo &info = operations[number];
    if (!llvm::all_of(info.results, visit))
      return false;
    if (values[info.results.front()].isUniform)
      continue;
    // What only reads stored values is known to relate them.
    if (isStored(info.results.front()) &&
        llvm::all_of(info.operands,
                     [&](unsigned operand) { return isStored(operand); }))
      continue;
    relateResults(info, loops);
  }
  return loops.getNumLoops() == numClasses;
}
