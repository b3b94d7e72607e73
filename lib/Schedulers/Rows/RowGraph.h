//===- RowGraph.h - A candidate over rows -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels of this folder work on rows that are independent of one another.
// What a row is follows from the reductions of the candidate:
//
//   - The loops that a reduction reduces are the *columns* of a row.
//   - Loops that a tensor has together with such columns are the *rows*.
//   - Loops that no tensor has together with them are further columns: in
//     (sum over i of x[n, i]) * b[n, j] the row n has the columns i and, apart
//     from them, the columns j.
//
// So a row has one or more *column spaces*. Every value varies over at most one
// of them, or over some of its loops: then it has one element for all columns
// that differ in the others only.
//
// A reduction makes one of a whole row, or of each *span*, that is of a number
// of consecutive columns: the scale of each 32 elements, beside the root mean
// square of the row. Both leave on every column the total of its row or span.
// Spans that a few neighbouring lanes own are reduced within a warp,
// like any operation on a tile. Wider ones wait, as whole rows do, until all
// threads have what they add: a value is at *level* l if l such waits stand in
// a chain before it.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWS_ROWGRAPH_H
#define LIB_SCHEDULERS_ROWS_ROWGRAPH_H

#include "FusionDialect/Analysis/IterationSpace.h"

namespace mlir::fusion::rows {

/// Loops that the kernel walks together, as the columns of a row.
struct ColumnSpace {
  LoopSet loops = 0;
  /// The number of columns.
  int64_t extent = 1;
};

/// A reduction over at least one loop.
struct RowReductionInfo {
  ReduceOp operation;
  /// What it reduces; more columns follow from what its operand lacks.
  LoopSet loops;
  /// The number of its column space.
  unsigned columns;
  /// How many consecutive columns have one total; 0 for all of a row.
  int64_t span;
  /// The level of its operand.
  unsigned level = 0;
  /// Its totals need more than neighbouring lanes: they are known at the next
  /// level.
  bool waits = true;

  bool isSpanned() const { return span != 0; }
  /// The lanes that own a span if each has a tile of `width` columns.
  int64_t getLanes(unsigned width) const {
    return std::max<int64_t>(1, span / width);
  }
};

/// A candidate whose values all live in rows that do not depend on one another.
class RowGraph {
public:
  using Reduction = RowReductionInfo;

  /// The graph of `candidate`, or why it has none.
  static std::variant<RowGraph, Rejection> build(const Candidate &candidate,
                                                 const Facts &facts);

  const Candidate &getCandidate() const { return space.getCandidate(); }
  const IterationSpace &getIterationSpace() const { return space; }
  LoopSet getRowLoops() const { return rowLoops; }
  /// The number of rows; with a dynamic extent as many as assumedDynamicExtent
  /// gives.
  int64_t getRows() const { return rows; }
  /// The rows for each one of the dynamic extent; all without one.
  int64_t getRowsPerExtent() const { return rowsPerExtent; }
  bool isDynamic() const { return space.getDynamicClass().has_value(); }
  /// At least one: those that are reduced, then the others.
  ArrayRef<ColumnSpace> getColumnSpaces() const { return columnSpaces; }
  /// In program order. A reduction over extents of 1 is none.
  ArrayRef<Reduction> getReductions() const { return reductions; }
  /// The number of levels at which the kernel has work.
  unsigned getNumLevels() const { return numLevels; }
  unsigned getLevel(Value value) const {
    return hasSpans ? levels.lookup(value) : space.getLevel(value);
  }

  /// True for a reduction whose totals are known at the level after that of its
  /// operand.
  bool waitsForTotals(Operation *op) const;
  /// True if some reduction does not reduce whole rows.
  bool hasSpannedReductions() const { return hasSpans; }

  Space getSpace(Value value) const {
    return space.getSpace(value, columnLoops);
  }
  /// The number of the column space over which `value` varies. It must vary
  /// over columns.
  unsigned getColumnSpace(Value value) const;
  /// True if `value` has an element for each row and column: it is read once.
  /// What varies over columns but not over all rows is a parameter.
  bool isStreamed(Value value) const;

  /// For each list of `roots`, the inputs from which the operations of the
  /// candidate compute its values without a reduction in between, in the order
  /// of the inputs. Takes time linear in the candidate.
  SmallVector<SmallVector<Value>>
  getLeaves(ArrayRef<SmallVector<Value>> roots) const;
  /// What the kernel computes at each level for each column of each space: the
  /// operands of reductions that wait, and outputs. That of level l and space c
  /// is element l * (number of spaces) + c.
  SmallVector<SmallVector<Value>> getWork() const;

private:
  explicit RowGraph(IterationSpace space) : space(std::move(space)) {}

  std::optional<Rejection> findColumns();
  void findReducedColumns(ArrayRef<LoopSet> sets);
  std::optional<Rejection> findFreeColumns(ArrayRef<LoopSet> sets);
  std::optional<Rejection> findReductions();
  void findLevels();
  SmallVector<LoopSet> getLoopSets() const;

  IterationSpace space;
  LoopSet rowLoops = 0, columnLoops = 0;
  int64_t rows = 1, rowsPerExtent = 1;
  SmallVector<ColumnSpace> columnSpaces;
  SmallVector<Reduction> reductions;
  bool hasSpans = false;
  /// With spans only: else the levels of the space are those of the kernel.
  DenseMap<Value, unsigned> levels;
  unsigned numLevels = 1;
};

} // namespace mlir::fusion::rows

#endif // LIB_SCHEDULERS_ROWS_ROWGRAPH_H
