//===- Footprint.h - What a kernel must keep on chip ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that reads its inputs once keeps what a later level of reductions
// needs again. For rows of columns, where the columns are what a row reduction
// removes, that is
//
//     elements   values of a row and column that wait for a later level; or the
//                inputs behind them, if they are computed again (projection)
//     totals     values of a row that wait for a later level
//     partials   sums over the rows, of which every column has one until the
//                last row is done
//     shared     inputs that all rows have in common, such as weights
//
// Sizes are those of the types in the program: a kernel may take more for them.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_FOOTPRINT_H
#define FUSIONDIALECT_ANALYSIS_FOOTPRINT_H

#include "FusionDialect/Analysis/IterationSpace.h"

namespace mlir {
class AsmState;
} // namespace mlir

namespace mlir::fusion {

/// When a kernel computes a value: as soon as its operands are known, or not
/// before a level needs it.
enum class Evaluation { Early, Late };

/// True if `op` gives its operand's elements unchanged.
bool isPassThrough(Operation *op);

/// The level that computes a value, and the last one that uses it.
struct LiveRange {
  unsigned first = 0, last = 0;

  /// True if the value waits for a later level.
  bool waits() const { return last > first; }
};

/// The live ranges of the values of `candidate`. `getLevel` says how many
/// reductions stand before a value; a reduction works at the level of its
/// operand. What `isPassThrough` names gives its operand's elements, which live
/// as long as those of its result.
llvm::DenseMap<Value, LiveRange> findLiveRanges(
    const Candidate &candidate, llvm::function_ref<unsigned(Value)> getLevel,
    llvm::function_ref<bool(Operation *)> isPassThrough, Evaluation evaluation);

/// What a kernel for a candidate keeps.
struct CandidateFootprint {
  struct Waiting {
    Value value;
    LiveRange range;
  };

  /// The loops of a row: those of the first reduction that reduces the
  /// innermost loop, or of the first reduction, if none does.
  LoopSet columns = 0;
  /// The columns of a row; std::nullopt if only the launch knows.
  std::optional<int64_t> numColumns;
  /// Values that wait for a later level, of each row and column, and of a row.
  llvm::SmallVector<Waiting> elements, totals;
  /// The inputs of each row and column from which `elements` are computed
  /// without a reduction in between, and the operations that this takes.
  llvm::SmallVector<Value> projectedInputs;
  unsigned projectedOperations = 0;
  /// Reductions over rows: they have a partial result of each column.
  llvm::SmallVector<ReduceOp> partials;
  /// Inputs that vary over columns alone.
  llvm::SmallVector<Value> shared;

  /// Bytes of one element: of the values that wait, where most do at once, and
  /// of the inputs behind them.
  unsigned elementBytes = 0, projectedBytes = 0;
  /// Bytes of a row's totals, of a column's partial results in the type of
  /// their accumulators, and of a column's shared inputs.
  unsigned totalBytes = 0, partialBytes = 0, sharedBytes = 0;

  static CandidateFootprint get(const IterationSpace &space);
  void print(llvm::raw_ostream &os, AsmState &state) const;
};

/// The footprints of what getCandidates gives. An analysis: get it from an
/// AnalysisManager.
class FootprintAnalysis {
public:
  using Result = std::variant<CandidateFootprint, Rejection>;

  FootprintAnalysis(Operation *root, AnalysisManager &analyses);

  /// The footprint of `scope` (see getCandidates); null if it is none.
  const Result *lookup(Operation *scope) const;

  bool
  isInvalidated(const AnalysisManager::PreservedAnalyses &preserved) const {
    return !preserved.isPreserved<FootprintAnalysis>() ||
           !preserved.isPreserved<DimClasses>();
  }

private:
  llvm::DenseMap<Operation *, Result> results;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_FOOTPRINT_H
