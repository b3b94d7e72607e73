//===- ReductionLevels.h - Which reductions wait for which ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The level of a value is the number of reductions in the longest chain before
// it: what is at level 1 can only be computed when a total is known. Reductions
// of one signature reduce the same loops of the same iteration space, whatever
// the places of those in the tensors' shapes:
//
//     %m = reduce maximumf %x dims = [1]      level 0, reduces class 1 of 0, 1
//     %t = transpose %e                       level 1
//     %s = reduce add %t dims = [0]           level 1, the same signature
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_REDUCTIONLEVELS_H
#define FUSIONDIALECT_ANALYSIS_REDUCTIONLEVELS_H

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Pass/AnalysisManager.h"

namespace mlir::fusion {

/// The loops of a reduction as classes: factored, without extents of 1,
/// ascending and unique.
struct ReductionSignature {
  /// Those of the operand, and those of them that are reduced.
  llvm::SmallVector<DimClasses::Class> space, reduced;

  static ReductionSignature get(ReduceOp reduce, const DimClasses &dims);

  bool operator<(const ReductionSignature &other) const {
    return std::tie(space, reduced) < std::tie(other.space, other.reduced);
  }
};

/// True if `reduce` reduces at least one loop. One over extents of 1 gives its
/// operand, converted.
bool reducesLoops(ReduceOp reduce, const DimClasses &dims);

/// Levels of values and signatures of reductions of everything in an operation,
/// segments included. An analysis: get it from an AnalysisManager. Levels count
/// from the arguments of functions.
class ReductionLevels {
public:
  /// A reduction over at least one loop.
  struct Reduction {
    ReduceOp operation;
    /// The number of reductions in a chain before its operand.
    unsigned level;
    ReductionSignature signature;
  };

  ReductionLevels(Operation *root, AnalysisManager &analyses);

  /// The number of reductions in a chain before `value`.
  unsigned getLevel(Value value) const { return levels.lookup(value); }
  /// In program order.
  llvm::ArrayRef<Reduction> getReductions() const { return reductions; }

  bool
  isInvalidated(const AnalysisManager::PreservedAnalyses &preserved) const {
    return !preserved.isPreserved<ReductionLevels>() ||
           !preserved.isPreserved<DimClasses>();
  }

private:
  void add(Operation *op, const DimClasses &dims);
  void addRegions(Operation *op, const DimClasses &dims);

  llvm::DenseMap<Value, unsigned> levels;
  llvm::SmallVector<Reduction> reductions;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_REDUCTIONLEVELS_H
