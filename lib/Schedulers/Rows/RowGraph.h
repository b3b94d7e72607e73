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
// of them. A value is at *level* l if l reductions stand in a chain before it.
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

/// A candidate whose values all live in rows that do not depend on one another.
class RowGraph {
public:
  using Reduction = IterationSpace::Reduction;

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
  ArrayRef<Reduction> getReductions() const { return space.getReductions(); }
  /// The number of levels at which the kernel has work.
  unsigned getNumLevels() const { return numLevels; }
  unsigned getLevel(Value value) const { return space.getLevel(value); }

  /// True for what getReductions lists: a reduction over no loop is none.
  bool isReduction(Operation *op) const;

  Space getSpace(Value value) const {
    return space.getSpace(value, columnLoops);
  }
  /// The number of the column space over which `value` varies. It must vary
  /// over columns.
  unsigned getColumnSpace(Value value) const;
  /// True if `value` has an element for each row and column: it is read once.
  /// What varies over columns but not over all rows is a parameter.
  bool isStreamed(Value value) const;

  /// The inputs from which the operations of the candidate compute `roots`
  /// without a reduction in between, in the order of the inputs.
  SmallVector<Value> getLeaves(ArrayRef<Value> roots) const;
  /// What the kernel computes at `level` for each column of space `columns`:
  /// the operands of reductions, and outputs.
  SmallVector<Value> getWork(unsigned level, unsigned columns) const;

private:
  explicit RowGraph(IterationSpace space) : space(std::move(space)) {}

  std::optional<Rejection> findColumns();
  std::optional<Rejection> findFreeColumns(ArrayRef<LoopSet> sets);
  std::optional<Rejection> checkValues() const;
  SmallVector<LoopSet> getLoopSets() const;

  IterationSpace space;
  LoopSet rowLoops = 0, columnLoops = 0;
  int64_t rows = 1, rowsPerExtent = 1;
  SmallVector<ColumnSpace> columnSpaces;
  unsigned numLevels = 1;
};

} // namespace mlir::fusion::rows

#endif // LIB_SCHEDULERS_ROWS_ROWGRAPH_H
