//===- RowGraph.cpp - A candidate over rows -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowGraph.h"
#include "../Traffic.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "llvm/ADT/SmallVectorExtras.h"

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

/// Each set of reduced loops is a column space; loops that a value has beside
/// them are the rows.
std::optional<Rejection> RowGraph::findColumns() {
  SmallVector<LoopSet> sets = getLoopSets();
  for (const Reduction &reduction : getReductions()) {
    if (llvm::any_of(columnSpaces, [&](const ColumnSpace &columns) {
          return columns.loops == reduction.loops;
        }))
      continue;
    if (columnLoops & reduction.loops)
      return Rejection{RejectionCode::UnsupportedShape, reduction.operation,
                       "expected reductions over the same dimensions, or over "
                       "dimensions that have nothing in common"};
    columnSpaces.push_back({reduction.loops});
    columnLoops |= reduction.loops;
  }
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

std::optional<Rejection> RowGraph::checkValues() const {
  auto isTwofold = [&](Value value) {
    LoopSet set = space.getLoops(value) & columnLoops;
    return set && llvm::none_of(columnSpaces, [&](const ColumnSpace &columns) {
             return (set & ~columns.loops) == 0;
           });
  };
  for (Operation *op : getCandidate().operations) {
    bool isBad = isTwofold(op->getResult(0)) ||
                 llvm::any_of(op->getOperands(), isTwofold);
    if (isBad)
      return Rejection{RejectionCode::UnsupportedShape, op,
                       "expected no tensor over the dimensions of two "
                       "reductions that reduce different ones"};
  }
  return std::nullopt;
}

std::variant<RowGraph, Rejection> RowGraph::build(const Candidate &candidate,
                                                  const Facts &facts) {
  auto built = IterationSpace::get(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  RowGraph graph(std::move(std::get<IterationSpace>(built)));
  if (graph.getReductions().empty())
    return Rejection{RejectionCode::MissingReduction,
                     candidate.operations.front(),
                     "expected a reduction of each row"};
  if (auto rejection = graph.findColumns())
    return *rejection;
  if (auto rejection = graph.checkValues())
    return *rejection;
  if (auto rejection = checkDynamicExtent(graph.space, facts.dims))
    return *rejection;
  unsigned last = 0;
  for (const Reduction &reduction : graph.getReductions())
    last = std::max(last, reduction.level);
  for (Value output : candidate.outputs)
    last = std::max(last, graph.getLevel(output));
  graph.numLevels = last + 1;
  return graph;
}

bool RowGraph::isReduction(Operation *op) const {
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
    if (Operation *op = value.getDefiningOp(); !isReduction(op))
      llvm::append_range(pending, op->getOperands());
  }
  return llvm::filter_to_vector(
      candidate.inputs, [&](Value input) { return visited.contains(input); });
}

SmallVector<Value> RowGraph::getWork(unsigned level, unsigned columns) const {
  SmallVector<Value> work;
  for (const Reduction &reduction : getReductions()) {
    Value operand = reduction.operation->getOperand(0);
    if (reduction.level == level &&
        columnSpaces[columns].loops == reduction.loops)
      work.push_back(operand);
  }
  for (Value output : getCandidate().outputs)
    if ((space.getLoops(output) & columnSpaces[columns].loops) &&
        getLevel(output) == level)
      work.push_back(output);
  return work;
}
