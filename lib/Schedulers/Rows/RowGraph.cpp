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

SmallVector<Value> RowGraph::getLeaves(ArrayRef<Value> roots) const {
  const Candidate &candidate = getCandidate();
  DenseSet<Value> visited;
  SmallVector<Value> pending(roots);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    if (!visited.insert(value).second || candidate.inputs.contains(value))
      continue;
    if (Operation *op = value.getDefiningOp(); !waitsForTotals(op))
      llvm::append_range(pending, op->getOperands());
  }
  return llvm::filter_to_vector(
      candidate.inputs, [&](Value input) { return visited.contains(input); });
}

SmallVector<Value> RowGraph::getWork(unsigned level, unsigned columns) const {
  SmallVector<Value> work;
  for (const Reduction &reduction : getReductions()) {
    if (reduction.waits && reduction.level == level &&
        reduction.columns == columns)
      work.push_back(reduction.operation->getOperand(0));
  }
  for (Value output : getCandidate().outputs)
    if ((space.getLoops(output) & columnSpaces[columns].loops) &&
        getLevel(output) == level)
      work.push_back(output);
  return work;
}
