//===- RowGraph.cpp - A candidate over rows -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../RowReduction.h"
#include "../Traffic.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "Rows.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

/// The loops of every value of the candidate.
SmallVector<LoopSet> RowGraph::getLoopSets() const {
  SmallVector<LoopSet> sets;
  for (Value input : getCandidate().inputs)
    sets.push_back(space.getLoops(input));
  for (Operation *op : getCandidate().operations)
    sets.push_back(space.getLoops(op->getResult(0)));
  return sets;
}

/// Reduced loops that a reduction or a value has together are one column space.
void RowGraph::findReducedColumns(ArrayRef<LoopSet> sets) {
  for (const IterationSpace::Reduction &reduction : space.getReductions())
    columnLoops |= reduction.loops;
  auto join = [&](LoopSet set) {
    LoopSet joined = set & columnLoops;
    if (!joined)
      return;
    auto meets = [&](const ColumnSpace &columns) {
      return (columns.loops & joined) != 0;
    };
    auto *first = llvm::find_if(columnSpaces, meets);
    if (first == columnSpaces.end()) {
      columnSpaces.push_back({joined});
      return;
    }
    first->loops |= joined;
    for (const ColumnSpace &columns : ArrayRef(first + 1, columnSpaces.end()))
      if (meets(columns))
        first->loops |= columns.loops;
    joined = first->loops;
    columnSpaces.erase(std::remove_if(first + 1, columnSpaces.end(), meets),
                       columnSpaces.end());
  };
  for (const IterationSpace::Reduction &reduction : space.getReductions())
    join(reduction.loops);
  for (LoopSet set : sets)
    join(set);
}

/// Finds the column spaces; loops that a value has beside reduced ones are the
/// rows.
std::optional<Rejection> RowGraph::findColumns() {
  SmallVector<LoopSet> sets = getLoopSets();
  findReducedColumns(sets);
  for (LoopSet set : sets)
    if (set & columnLoops)
      rowLoops |= set & ~columnLoops;
  if (auto rejection = findFreeColumns(sets))
    return rejection;
  for (ColumnSpace &columns : columnSpaces) {
    std::optional<int64_t> extent = space.getNumIterations(columns.loops);
    if (!extent)
      return Rejection{
          RejectionCode::DynamicExtent, getCandidate().operations.front(),
          "expected columns whose number is known when the program "
          "is compiled"};
    columns.extent = *extent;
  }
  for (auto [number, loop] : llvm::enumerate(space.getLoops()))
    if (rowLoops >> number & 1)
      rowsPerExtent *= loop.extent;
  rows = isDynamic() ? rowsPerExtent * assumedDynamicExtent : rowsPerExtent;
  return std::nullopt;
}

/// Makes column spaces of the loops that are neither reduced nor rows: those
/// that a value has together stand in one space.
std::optional<Rejection> RowGraph::findFreeColumns(ArrayRef<LoopSet> sets) {
  LoopSet free = space.getAllLoops() & ~(rowLoops | columnLoops);
  while (free) {
    LoopSet component = free & -free, before = 0;
    bool meetsRows = false;
    while (component != before) {
      before = component;
      for (LoopSet set : sets) {
        if (!(set & component))
          continue;
        component |= set & free;
        meetsRows |= (set & rowLoops) != 0;
      }
    }
    // Every row would compute the same.
    if (rowLoops && !meetsRows)
      return Rejection{RejectionCode::UnsupportedShape,
                       getCandidate().operations.front(),
                       "expected tensors that depend on the rows of the "
                       "reductions, but some have none of their dimensions"};
    columnSpaces.push_back({component});
    columnLoops |= component;
    free &= ~component;
  }
  return std::nullopt;
}

/// Finds out which columns each reduction makes one of: those that differ in
/// the loops that its result does not have.
std::optional<Rejection> RowGraph::findReductions() {
  SmallVector<LoopSet> sets = getLoopSets();
  for (const IterationSpace::Reduction &found : space.getReductions()) {
    Reduction reduction{found.operation, found.loops, /*columns=*/0,
                        /*span=*/0, found.level};
    Value operand = reduction.operation.getInput();
    reduction.columns = getColumnSpace(operand);
    const ColumnSpace &columns = columnSpaces[reduction.columns];
    LoopSet kept = space.getLoops(operand) & columns.loops & ~reduction.loops;
    if (columns.extent == 0 && reduction.loops != columns.loops)
      return Rejection{RejectionCode::EmptyExtent, reduction.operation,
                       "expected rows with elements where a part of a row is "
                       "reduced"};
    LoopSet spanned = columns.loops & ~kept;
    if (kept) {
      if (kept > (spanned & -spanned))
        return Rejection{RejectionCode::UnsupportedShape, reduction.operation,
                         "expected a reduction of whole rows or of consecutive "
                         "columns of a row, but it reduces columns that lie "
                         "apart"};
      // Else rows or columns would compute the same.
      if (!llvm::is_contained(sets, rowLoops | columns.loops))
        return Rejection{RejectionCode::UnsupportedShape, reduction.operation,
                         "expected a tensor with all rows and columns of those "
                         "of which a part is reduced"};
      reduction.span = *space.getNumIterations(spanned);
      hasSpans = true;
    }
    reductions.push_back(reduction);
  }
  return std::nullopt;
}

/// Counts the levels where only some reductions end one.
void RowGraph::findLevels() {
  unsigned width = chooseWidth(*this);
  auto *next = reductions.begin();
  for (Operation *op : getCandidate().operations) {
    unsigned level = 0;
    for (Value operand : op->getOperands())
      level = std::max(level, levels.lookup(operand));
    if (next != reductions.end() && next->operation == op) {
      next->level = level;
      int64_t lanes = next->getLanes(width);
      next->waits =
          !next->isSpanned() || lanes > warpSize || !llvm::isPowerOf2_64(lanes);
      level += next->waits;
      ++next;
    }
    levels[op->getResult(0)] = level;
  }
}

std::variant<RowGraph, Rejection> RowGraph::build(const Candidate &candidate,
                                                  const Facts &facts) {
  auto built = IterationSpace::get(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  RowGraph graph(std::move(std::get<IterationSpace>(built)));
  if (graph.space.getReductions().empty())
    return Rejection{RejectionCode::MissingReduction,
                     candidate.operations.front(),
                     "expected a reduction of each row"};
  if (auto rejection = graph.findColumns())
    return *rejection;
  if (auto rejection = graph.findReductions())
    return *rejection;
  if (auto rejection = checkDynamicExtent(graph.space, facts.dims))
    return *rejection;
  if (auto rejection = checkWritesDynamicLoop(graph.space))
    return *rejection;
  if (graph.hasSpans)
    graph.findLevels();
  unsigned last = 0;
  for (const Reduction &reduction : graph.reductions)
    last = std::max(last, reduction.level);
  for (Value output : candidate.outputs)
    last = std::max(last, graph.getLevel(output));
  graph.numLevels = last + 1;
  return graph;
}

bool RowGraph::waitsForTotals(Operation *op) const {
  return isa<ReduceOp>(op) &&
         getLevel(op->getResult(0)) > getLevel(op->getOperand(0));
}

unsigned RowGraph::getColumnSpace(Value value) const {
  LoopSet set = space.getLoops(value) & columnLoops;
  const auto *it = llvm::find_if(columnSpaces, [&](const ColumnSpace &columns) {
    return (set & columns.loops) != 0;
  });
  assert(it != columnSpaces.end() && "expected a value over columns");
  return it - columnSpaces.begin();
}

bool RowGraph::isStreamed(Value value) const {
  LoopSet set = space.getLoops(value);
  if (!(set & columnLoops))
    return false;
  return set == (rowLoops | columnSpaces[getColumnSpace(value)].loops);
}

SmallVector<SmallVector<Value>>
RowGraph::getLeaves(ArrayRef<SmallVector<Value>> roots) const {
  const Candidate &candidate = getCandidate();
  // A set of inputs is the bits of some words.
  size_t numWords = llvm::divideCeil(candidate.inputs.size(), 64);
  DenseMap<Value, unsigned> numbers;
  SmallVector<uint64_t> sets;
  auto addSet = [&](Value value) {
    numbers[value] = sets.size();
    sets.resize(sets.size() + numWords, 0);
    return sets.end() - numWords;
  };
  auto join = [&](uint64_t *set, Value value) {
    for (size_t word = 0; word < numWords; ++word)
      set[word] |= sets[numbers.lookup(value) + word];
  };
  for (auto [number, input] : llvm::enumerate(candidate.inputs))
    addSet(input)[number / 64] |= uint64_t(1) << number % 64;
  for (Operation *op : candidate.operations) {
    uint64_t *set = addSet(op->getResult(0));
    if (!waitsForTotals(op))
      for (Value operand : op->getOperands())
        join(set, operand);
  }
  return llvm::map_to_vector(roots, [&](ArrayRef<Value> values) {
    SmallVector<uint64_t> set(numWords, 0);
    for (Value value : values)
      join(set.data(), value);
    SmallVector<Value> leaves;
    for (auto [number, input] : llvm::enumerate(candidate.inputs))
      if (set[number / 64] >> number % 64 & 1)
        leaves.push_back(input);
    return leaves;
  });
}

SmallVector<SmallVector<Value>> RowGraph::getWork() const {
  SmallVector<SmallVector<Value>> work(numLevels * columnSpaces.size());
  for (const Reduction &reduction : getReductions())
    if (reduction.waits)
      work[reduction.level * columnSpaces.size() + reduction.columns].push_back(
          reduction.operation->getOperand(0));
  for (Value output : getCandidate().outputs)
    for (auto [number, columns] : llvm::enumerate(columnSpaces))
      if (space.getLoops(output) & columns.loops)
        work[getLevel(output) * columnSpaces.size() + number].push_back(output);
  return work;
}
