//===- RowColumnGraph.h - A candidate over rows and columns -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many programs live in one iteration space of rows and columns: normalisations
// and their gradients, softmax, bias gradients. Each of their values is uniform
// along rows, columns, both or neither, and stands behind a number of row
// reductions, its *level*:
//
//     level 0                     level 1                     ...
//     inputs -> element-wise ---> row reduction -> element-wise
//                            \--> column reduction -> after the columns
//
// Column totals are known only when all rows are done; what needs them stands
// *after the columns*.
//
// Rows and columns may be several dimensions each: the columns are those that a
// row reduction removes, innermost in memory; the rows are the others.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_ROWCOLUMNGRAPH_H
#define FUSIONDIALECT_ANALYSIS_ROWCOLUMNGRAPH_H

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Analysis/Scheduler.h"

namespace mlir::fusion {

/// A candidate whose values all live in one space of rows and columns.
class RowColumnGraph {
public:
  /// A reduction along a row or a column. Dropping an extent-1 row or column
  /// dimension, by squeeze or collapse_shape, is a sum of one element.
  struct Reduction {
    Operation *operation;
    Value operand, result;
    ReductionKind kind;
    arith::FastMathFlags fastmath;
    /// The element type of partial results.
    Type accumulatorType;
    /// The level of the operand.
    unsigned level;
  };

  /// The graph of `candidate`, or why its values are not of this form.
  static std::variant<RowColumnGraph, Rejection>
  build(const Candidate &candidate, const DimClasses &dims);

  /// The number of rows. With a dynamic extent, which only the outermost
  /// dimension of the rows may have, as many as assumedDynamicExtent gives.
  int64_t getRows() const { return rows; }
  /// The rows for each one of the dynamic extent; all without one.
  int64_t getRowsPerExtent() const { return rowsPerExtent; }
  /// The class of the dynamic extent, which an input has.
  std::optional<DimClasses::Class> getDynamicClass() const {
    return dynamicClass;
  }
  bool isDynamic() const { return dynamicClass.has_value(); }
  int64_t getColumns() const { return columns; }
  /// The number of levels: one more than the row reductions in a chain.
  unsigned getNumLevels() const { return numLevels; }
  llvm::ArrayRef<Reduction> getRowReductions() const { return rowReductions; }
  llvm::ArrayRef<Reduction> getColumnReductions() const {
    return columnReductions;
  }
  const Candidate &getCandidate() const { return candidate; }

  /// The space of a tensor of the candidate; scalars are Space::Scalar.
  Space getSpace(Value value) const { return spaces.lookup(value); }
  /// The number of row reductions in a chain before `value`.
  unsigned getLevel(Value value) const { return levels.lookup(value); }
  /// True if `value` depends on a column reduction.
  bool isAfterColumns(Value value) const {
    return afterColumns.contains(value);
  }

private:
  using Class = DimClasses::Class;

  explicit RowColumnGraph(Candidate candidate)
      : candidate(std::move(candidate)) {}

  std::optional<Rejection> findSplit(const DimClasses &dims);
  bool holdsForLarger(RejectionCode code) const;
  bool hasInputOf(Class dimClass, const DimClasses &dims) const;
  std::optional<Rejection> classify(Value value, const DimClasses &dims);
  std::optional<Rejection> visit(Operation *op);
  std::optional<Rejection> visitReduction(Operation *op, Value operand,
                                          ReductionKind kind,
                                          arith::FastMathFlags fastmath,
                                          Type accumulatorType);
  Operation *getOperationFor(Value value) const;

  Candidate candidate;
  llvm::SmallVector<Class> rowClasses, columnClasses;
  int64_t rows = 1, columns = 1, rowsPerExtent = 1;
  /// True if a fusion.reduce says where rows end, and no squeeze.
  bool isSplitByReduction = false;
  std::optional<Class> dynamicClass;
  unsigned numLevels = 1;
  llvm::SmallVector<Reduction> rowReductions, columnReductions;
  llvm::DenseMap<Value, Space> spaces;
  /// The space of all tensors of some classes and extents.
  struct Layout {
    llvm::SmallVector<Class> classes;
    llvm::ArrayRef<int64_t> shape;
    Space space;
  };
  llvm::SmallVector<Layout, 4> layouts;
  llvm::DenseMap<Value, unsigned> levels;
  llvm::DenseSet<Value> afterColumns;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_ROWCOLUMNGRAPH_H
