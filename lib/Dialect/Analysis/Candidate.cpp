//===- Candidate.cpp - A set of operations that may become a kernel -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;

Candidate Candidate::get(ArrayRef<Operation *> operations) {
  Candidate candidate;
  candidate.operations.insert(operations.begin(), operations.end());
  for (Operation *op : operations)
    for (Value operand : op->getOperands())
      if (!candidate.operations.contains(operand.getDefiningOp()))
        candidate.inputs.insert(operand);
  for (Operation *op : operations)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            // A use inside a region counts for the operation that holds it.
            Operation *inBlock = op->getBlock()->findAncestorOpInBlock(*user);
            return !candidate.operations.contains(inBlock);
          }))
        candidate.outputs.push_back(result);
  return candidate;
}

Candidate Candidate::get(SegmentOp segment) {
  Candidate candidate;
  for (Operation &op : segment.getBodyBlock().without_terminator())
    candidate.operations.insert(&op);
  candidate.inputs.insert_range(segment.getBodyBlock().getArguments());
  llvm::append_range(candidate.outputs, segment.getYielded());
  return candidate;
}

SmallVector<std::pair<Operation *, Candidate>>
fusion::getCandidates(Operation *root) {
  SmallVector<std::pair<Operation *, Candidate>> candidates;
  root->walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    size_t before = candidates.size();
    function->walk([&](SegmentOp segment) {
      candidates.emplace_back(segment, Candidate::get(segment));
    });
    if (candidates.size() > before)
      return;
    SmallVector<Operation *> operations;
    for (Operation &op : function.getFunctionBody().front())
      if (isSchedulable(&op))
        operations.push_back(&op);
    if (!operations.empty())
      candidates.emplace_back(function, Candidate::get(operations));
  });
  return candidates;
}

CandidateSummary CandidateSummary::get(const Candidate &candidate) {
  CandidateSummary summary;
  for (Operation *op : candidate.operations)
    summary.add(op);
  summary.inputs = candidate.inputs.size();
  for (Value input : candidate.inputs)
    summary.inputElementBytes += getElementBytes(input.getType());
  summary.outputs = candidate.outputs.size();
  return summary;
}

void CandidateSummary::add(Operation *op) {
  if (isa<arith::ConstantOp>(op))
    return;
  ++operations;
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    reductions += !reduce.getDims().empty();
    uint64_t elements = 1;
    for (int64_t dim : reduce.getDims())
      if (!reduce.getInput().getType().isDynamicDim(dim))
        elements *= reduce.getInput().getType().getDimSize(dim);
    longestReduction = std::max(longestReduction, elements);
  }
  transposes += isa<TransposeOp>(op);
  reshapes +=
      isa<SqueezeOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

void CandidateSummary::add(const CandidateSummary &part) {
  operations += part.operations;
  reductions += part.reductions;
  longestReduction = std::max(longestReduction, part.longestReduction);
  transposes += part.transposes;
  reshapes += part.reshapes;
}

bool fusion::isKernelOperation(Operation *op) {
  return isSchedulable(op) && op->getNumResults() == 1 && isPure(op);
}

bool fusion::isSchedulable(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (isa<BroadcastOp, SqueezeOp, TransposeOp, IotaOp, ReduceOp,
          tensor::SplatOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return true;
  // Kernels round to nearest even.
  if (auto cast = dyn_cast<arith::TruncFOp>(op);
      cast &&
      cast.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
          arith::RoundingMode::to_nearest_even)
    return false;
  return OpTrait::hasElementwiseMappableTraits(op) &&
         isa_and_present<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}
