//===- ReductionLevels.cpp - Which reductions wait for which --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ReductionLevels.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;

using Classes = SmallVector<DimClasses::Class>;

/// The loops that dimensions are.
static Classes getLoops(ArrayRef<DimClasses::Class> classes,
                        const DimClasses &dims) {
  Classes loops;
  for (DimClasses::Class dimClass : classes)
    for (DimClasses::Class factor : dims.getFactors(dimClass))
      if (dims.getExtent(factor) != 1)
        loops.push_back(factor);
  llvm::sort(loops);
  loops.erase(llvm::unique(loops), loops.end());
  return loops;
}

ReductionSignature ReductionSignature::get(ReduceOp reduce,
                                           const DimClasses &dims) {
  ArrayRef<DimClasses::Class> classes = dims.getClasses(reduce.getInput());
  Classes reduced;
  for (int64_t dim : reduce.getDims())
    reduced.push_back(classes[dim]);
  return {getLoops(classes, dims), getLoops(reduced, dims)};
}

bool fusion::reducesLoops(ReduceOp reduce, const DimClasses &dims) {
  ArrayRef<DimClasses::Class> classes = dims.getClasses(reduce.getInput());
  return llvm::any_of(reduce.getDims(), [&](int64_t dim) {
    return llvm::any_of(
        dims.getFactors(classes[dim]),
        [&](DimClasses::Class factor) { return dims.getExtent(factor) != 1; });
  });
}

void ReductionLevels::add(Operation *op, const DimClasses &dims) {
  unsigned level = 0;
  for (Value operand : op->getOperands())
    level = std::max(level, levels.lookup(operand));
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && reducesLoops(reduce, dims))
    reductions.push_back(
        {reduce, level++, ReductionSignature::get(reduce, dims)});
  for (Value result : op->getResults())
    levels[result] = level;
}

void ReductionLevels::addRegions(Operation *op, const DimClasses &dims) {
  auto segment = dyn_cast<SegmentOp>(op);
  if (segment)
    for (auto [input, argument] :
         llvm::zip(segment.getInputs(), segment.getBodyBlock().getArguments()))
      levels[argument] = levels.lookup(input);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block) {
        add(&nested, dims);
        addRegions(&nested, dims);
      }
  if (segment)
    for (auto [yielded, result] :
         llvm::zip(segment.getYielded(), segment.getResults()))
      levels[result] = levels.lookup(yielded);
}

ReductionLevels::ReductionLevels(Operation *root, AnalysisManager &analyses) {
  addRegions(root, analyses.getAnalysis<DimClasses>());
}
