//===- ReductionBuilder.h - Writing a reduction's plan down -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the expression of a ReductionPlan in front of the reduction. Every
// value on the way has one dimension for each loop that it varies over, in the
// order of the loops; what combines two values broadcasts them first.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_REDUCTIONBUILDER_H
#define FUSION_LIB_TRANSFORMS_REDUCTIONBUILDER_H

#include "FusionDialect/Analysis/ReductionPlan.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

class ReductionBuilder {
public:
  /// `getCurrent` gives what stands for a value of the plan by now.
  ReductionBuilder(RewriterBase &rewriter, const ReductionPlan &plan,
                   llvm::function_ref<Value(Value)> getCurrent);

  /// The value that replaces the result of the reduction.
  Value build();

private:
  using TreeNode = ReductionTreeNode;
  using Node = ReductionPlanNode;
  /// A tensor with the dimensions of `loops`, ascending; or a scalar.
  struct Placed {
    Value value;
    LoopSet loops = 0;
  };

  Placed build(const Node *node);
  Placed buildNode(const Node *node);
  Placed buildRepeat(const Node *node);
  Placed buildPower(const Node *node, Placed operand, uint64_t exponent);
  /// A tree node over its loops; computed anew if the program has it only over
  /// more loops.
  Placed place(const TreeNode *node);
  Placed placeLeaf(const TreeNode *node);
  Placed applyTo(const TreeNode *node, ArrayRef<Placed> operands, Type type);
  Placed combine(ReductionKind kind, ArrayRef<Placed> operands, bool scales,
                 Type type, arith::FastMathFlags flags);

  Value broadcast(Placed from, LoopSet loops);
  Placed convert(Placed from, Type elementType);
  /// Converts and broadcasts operands to one shape; returns its loops.
  LoopSet unify(ArrayRef<Placed> operands, Type elementType,
                SmallVectorImpl<Value> &values);
  RankedTensorType getType(LoopSet loops, Type elementType) const;
  Value getSize(unsigned loop);
  /// The number of points of `loops`, an index.
  Value getCount(LoopSet loops);
  /// A scalar as a tensor of rank 0.
  Value toTensor(Value scalar);
  Value shapeResult(Placed result);
  Value guard(Value result);

  RewriterBase &rewriter;
  const ReductionPlan &plan;
  const ReductionTree &tree;
  llvm::function_ref<Value(Value)> getCurrent;
  ReduceOp reduce;
  Location loc;
  llvm::DenseMap<const Node *, Placed> built;
  llvm::DenseMap<const TreeNode *, Placed> placed;
  llvm::DenseMap<unsigned, Value> sizes;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_TRANSFORMS_REDUCTIONBUILDER_H
