//===- SegmentGraphSets.cpp - Sets of nodes as candidates -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/SegmentGraph.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Sets of nodes
//===----------------------------------------------------------------------===//

/// True if a node that is not marked with `stamp`, or anything outside, uses
/// what a marked node computes.
bool SegmentGraph::isNeededOutside(const Read &read, unsigned stamp) const {
  return read.isUsedOutside || llvm::any_of(read.readers, [&](Node reader) {
           return nodeStamps[reader] != stamp;
         });
}

SegmentGraph::Members SegmentGraph::getMembers(ArrayRef<Node> set) const {
  Members members;
  ++stamp;
  auto insert = [&](unsigned operation) {
    if (std::exchange(operationStamps[operation], stamp) != stamp)
      members.operations.push_back(operation);
  };
  members.operations.reserve(set.size());
  for (Node node : set) {
    nodeStamps[node] = stamp;
    insert(nodes[node].number);
  }
  // The list grows by what is recomputed.
  for (size_t i = 0; i < members.operations.size(); ++i) {
    const OperationInfo &info = operations[members.operations[i]];
    if (!info.mayReadRecomputed)
      continue;
    for (unsigned operand : info.operands) {
      unsigned producer = values[operand].producer;
      if (producer != none && operations[producer].kind == Kind::Recomputed)
        insert(producer);
    }
  }
  // Nodes are mostly in program order. Not llvm::sort(range): for numbers that
  // calls qsort.
  if (!llvm::is_sorted(members.operations))
    llvm::sort(members.operations, std::less<>());
  for (unsigned operation : members.operations) {
    const OperationInfo &info = operations[operation];
    for (unsigned operand : info.operands) {
      unsigned producer = values[operand].producer;
      if ((producer == none || operationStamps[producer] != stamp) &&
          std::exchange(valueStamps[operand], stamp) != stamp)
        members.inputs.push_back(operand);
    }
    if (info.node == none || nodeStamps[info.node] != stamp)
      continue;
    for (unsigned result : info.results)
      if (isNeededOutside(reads[values[result].read], stamp))
        members.outputs.push_back(result);
  }
  return members;
}

SmallVector<Operation *>
SegmentGraph::getRecomputedFor(ArrayRef<Node> set) const {
  SmallVector<Operation *> recomputed;
  for (unsigned number : getMembers(set).operations) {
    const OperationInfo &info = operations[number];
    if (info.kind == Kind::Recomputed &&
        !isa<arith::ConstantOp>(info.operation))
      recomputed.push_back(info.operation);
  }
  return recomputed;
}

SmallVector<SegmentGraph::Node> SegmentGraph::close(ArrayRef<Node> set) const {
  if (set.empty())
    return {};
  auto [first, last] = std::minmax_element(set.begin(), set.end());
  unsigned begin = *first, size = *last - *first + 1;
  // A path between two nodes of the set stays between the first and the last.
  SmallVector<bool> isMember(size), isAfter(size), isBefore(size);
  for (Node node : set)
    isMember[node - begin] = isAfter[node - begin] = isBefore[node - begin] =
        true;
  for (unsigned i = 0; i < size; ++i)
    for (Node producer : nodes[begin + i].producers)
      if (producer >= begin && isAfter[producer - begin])
        isAfter[i] = true;
  SmallVector<Node> closed;
  for (unsigned i = size; i-- > 0;) {
    for (Node consumer : nodes[begin + i].consumers)
      if (consumer < begin + size && isBefore[consumer - begin])
        isBefore[i] = true;
    if (isAfter[i] && isBefore[i])
      closed.push_back(begin + i);
  }
  std::reverse(closed.begin(), closed.end());
  return closed;
}

Candidate SegmentGraph::getCandidate(const Members &members) const {
  Candidate candidate;
  for (unsigned operation : members.operations)
    candidate.operations.insert(operations[operation].operation);
  for (unsigned input : members.inputs)
    candidate.inputs.insert(values[input].value);
  for (unsigned output : members.outputs)
    candidate.outputs.push_back(values[output].value);
  candidate.isChecked = llvm::all_of(members.operations, [&](unsigned number) {
    return operations[number].isKernelOperation;
  });
  return candidate;
}

uint64_t SegmentGraph::getTrafficBytes(const Members &members) const {
  uint64_t bytes = 0;
  for (ArrayRef<unsigned> numbers :
       {ArrayRef(members.inputs), ArrayRef(members.outputs)})
    for (unsigned number : numbers)
      if (unsigned read = values[number].read; read != none)
        bytes += reads[read].bytes;
  return bytes;
}

/// True if reductions of the two signatures reduce different loops of one
/// space, and neither all that the other does.
bool SegmentGraph::crosses(unsigned signature, unsigned other) const {
  const auto &[space, loops] = reducedLoops[signature];
  const auto &[otherSpace, otherLoops] = reducedLoops[other];
  return space == otherSpace && !llvm::includes(loops, otherLoops) &&
         !llvm::includes(otherLoops, loops);
}

CandidateSummary SegmentGraph::getSummary(const Members &members) const {
  CandidateSummary summary;
  SmallVector<unsigned, 8> spaces, signatures;
  auto addUnique = [](SmallVectorImpl<unsigned> &numbers, unsigned number) {
    if (!llvm::is_contained(numbers, number))
      numbers.push_back(number);
  };
  for (unsigned operation : members.operations) {
    const OperationInfo &info = operations[operation];
    summary.add(info.summary);
    if (info.node == none || !nodes[info.node].signature) {
      auto reduce = dyn_cast<ReduceOp>(info.operation);
      summary.reshapes += reduce && !reduce.getDims().empty();
      continue;
    }
    addUnique(spaces, *nodes[info.node].space);
    addUnique(signatures, *nodes[info.node].signature);
  }
  summary.spaces = spaces.size();
  summary.signatures = signatures.size();
  if (summary.mixesReductions())
    for (unsigned signature : signatures)
      summary.crossesReductions |=
          llvm::any_of(signatures, [&](unsigned other) {
            return crosses(signature, other);
          });
  summary.inputs = members.inputs.size();
  for (unsigned input : members.inputs)
    summary.inputElementBytes += values[input].elementBytes;
  summary.outputs = members.outputs.size();
  return summary;
}

/// Appends the number that `dimClass` has in the order of appearance and, where
/// it appears first, what it is.
void SegmentGraph::appendClass(unsigned dimClass, unsigned &numClasses,
                               SmallVectorImpl<uint64_t> &key) const {
  bool isNew = std::exchange(classStamps[dimClass], stamp) != stamp;
  if (isNew)
    classNumbers[dimClass] = numClasses++;
  key.push_back(classNumbers[dimClass]);
  if (!isNew)
    return;
  const ClassInfo &info = classInfos[dimClass];
  key.push_back(info.extent);
  key.push_back(info.factors.size());
  for (unsigned factor : info.factors)
    appendClass(factor, numClasses, key);
}

/// Appends the number that `layout` has in the order of appearance and, where
/// it appears first, its classes. Their number follows from the type of the
/// value.
void SegmentGraph::appendLayout(unsigned layout, unsigned &numLayouts,
                                unsigned &numClasses,
                                SmallVectorImpl<uint64_t> &key) const {
  bool isNew = std::exchange(layoutStamps[layout], stamp) != stamp;
  if (isNew)
    layoutNumbers[layout] = numLayouts++;
  key.push_back(layoutNumbers[layout]);
  if (isNew)
    for (unsigned dimClass : layouts[layout])
      appendClass(dimClass, numClasses, key);
}

void SegmentGraph::appendKey(const Members &members,
                             SmallVectorImpl<uint64_t> &key) const {
  // Values, layouts and classes get local numbers in the order of their
  // appearance. A value appears before it is used.
  ++stamp;
  // Two operands and a result of a known layout each.
  key.reserve(key.size() + 4 * members.inputs.size() +
              5 * members.operations.size());
  unsigned numValues = 0, numLayouts = 0, numClasses = 0;
  auto addValue = [&](unsigned number) {
    localNumbers[number] = numValues++;
    appendLayout(values[number].layout, numLayouts, numClasses, key);
  };
  key.push_back(members.inputs.size());
  for (unsigned input : members.inputs) {
    key.push_back(reinterpret_cast<uintptr_t>(
        values[input].value.getType().getAsOpaquePointer()));
    addValue(input);
  }
  for (unsigned operation : members.operations) {
    const OperationInfo &info = operations[operation];
    key.push_back(info.code);
    for (unsigned operand : info.operands)
      key.push_back(localNumbers[operand]);
    for (unsigned result : info.results)
      addValue(result);
  }
  key.push_back(members.outputs.size());
  for (unsigned output : members.outputs)
    key.push_back(localNumbers[output]);
}

void SegmentGraph::setOperationKeys(
    function_ref<std::optional<uint64_t>(Operation *)> getKey) {
  // Asked once for all operations that are equal.
  DenseMap<uint64_t, uint64_t> codes;
  for (OperationInfo &info : operations) {
    if (!info.isKernelOperation ||
        !OpTrait::hasElementwiseMappableTraits(info.operation))
      continue;
    auto [it, isNew] = codes.try_emplace(info.code, info.code);
    if (isNew)
      if (std::optional<uint64_t> key = getKey(info.operation))
        it->second = llvm::hash_combine(
            *key, info.operands.size(),
            llvm::hash_combine_range(info.operation->result_type_begin(),
                                     info.operation->result_type_end()));
    info.code = it->second;
  }
}

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

void SegmentGraph::recompute(ArrayRef<Node> set) {
  undo = {};
  for (Node node : set) {
    const NodeInfo &info = nodes[node];
    unsigned operation = info.number;
    undo.operations.push_back(operation);
    operations[operation].kind = Kind::Recomputed;
    for (Operation *user : info.operation->getUsers())
      if (auto it = operationNumbers.find(user); it != operationNumbers.end())
        operations[it->second].mayReadRecomputed = true;
  }
  // In order: what a recomputed node reads is final before its readers take it.
  for (Node node : set) {
    for (unsigned result : nodes[node].results) {
      undo.readers.push_back({result, reads[result].readers});
      for (Node reader : std::exchange(reads[result].readers, {}))
        replaceRead(reader, result, nodes[node].reads);
    }
    for (unsigned read : nodes[node].reads) {
      undo.readers.push_back({read, reads[read].readers});
      llvm::erase(reads[read].readers, node);
    }
  }
}

void SegmentGraph::replaceRead(Node reader, unsigned old,
                               ArrayRef<unsigned> replacements) {
  NodeInfo &info = nodes[reader];
  undo.reads.push_back({reader, info.reads});
  llvm::erase(info.reads, old);
  for (unsigned read : replacements) {
    if (llvm::is_contained(info.reads, read))
      continue;
    info.reads.push_back(read);
    undo.readers.push_back({read, reads[read].readers});
    auto &readers = reads[read].readers;
    readers.insert(llvm::lower_bound(readers, reader), reader);
  }
}

void SegmentGraph::undoRecompute() {
  for (unsigned operation : undo.operations)
    operations[operation].kind = Kind::Node;
  for (auto &[node, old] : llvm::reverse(undo.reads))
    nodes[node].reads = std::move(old);
  for (auto &[read, old] : llvm::reverse(undo.readers))
    reads[read].readers = std::move(old);
  undo = {};
}
