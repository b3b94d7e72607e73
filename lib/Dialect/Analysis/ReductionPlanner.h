//===- ReductionPlanner.h - The search for a plan ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The recursion behind ReductionPlan. `reduce(kind, node, loops)` is the
// cheapest expression for the reduction of a tree node over some loops: the
// node's value reduced as it is, or what one of the rules makes of it. Rules
// that the program's flags do not allow give no expression.
//
// Three files: the rules (ReductionPlanner.cpp), products
// (ReductionProduct.cpp) and the price of an expression (ReductionCost.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_DIALECT_ANALYSIS_REDUCTIONPLANNER_H
#define FUSION_LIB_DIALECT_ANALYSIS_REDUCTIONPLANNER_H

#include "FusionDialect/Analysis/ReductionPlan.h"

namespace mlir::fusion {

class ReductionPlanner {
public:
  using TreeNode = ReductionTreeNode;
  using Node = ReductionPlanNode;

  ReductionPlanner(const ReductionTree &tree, const ReductionContext &context)
      : tree(tree), context(context) {}

  ReductionPlan plan();

private:
  //===--- ReductionPlanner.cpp ---===//

  /// The reduction of `node` over `loops`, which it need not vary over.
  Node *reduce(ReductionKind kind, TreeNode *node, LoopSet loops);
  Node *reduceVarying(ReductionKind kind, TreeNode *node, LoopSet loops);
  SmallVector<Node *> getAlternatives(ReductionKind kind, TreeNode *node,
                                      LoopSet loops);
  Node *moveThroughSelect(ReductionKind kind, TreeNode *node, LoopSet loops);
  Node *mergeReductions(ReductionKind kind, TreeNode *node, LoopSet loops);
  Node *moveThroughNegation(ReductionKind kind, TreeNode *node, LoopSet loops);
  Node *separate(ReductionKind kind, TreeNode *node, LoopSet loops);
  Node *moveThroughComplement(ReductionKind kind, TreeNode *node,
                              LoopSet loops);
  Node *repeat(ReductionKind kind, Node *operand, LoopSet loops);
  bool requireRepeat(Node *result, Node *operand);

  /// Expressions. Types and dependences follow from the operands.
  Node *create(Node::Kind kind, ArrayRef<Node *> operands, Type elementType,
               StringRef rule = {});
  Node *getValue(TreeNode *node);
  Node *getReduce(ReductionKind kind, Node *operand, LoopSet loops);
  Node *apply(TreeNode *node, ArrayRef<Node *> operands, Type elementType,
              StringRef rule);
  /// The element type of a reduction of elements of `type`.
  Type getReducedType(ReductionKind kind, Type type) const;

  /// True if `op` has all of `flags`; else notes what it lacks, which is an
  /// obstacle unless everything is assumed.
  bool require(Node *result, Operation *op, arith::FastMathFlags flags);
  /// The same for one of `flags`.
  bool requireAny(Node *result, Operation *op, arith::FastMathFlags flags);
  bool requireFact(Node *result, Operation *op, bool holds, StringRef fact);
  bool isShared(const TreeNode *node) const;
  /// The number of points, if it is static and fits.
  std::optional<int64_t> getStaticVolume(LoopSet loops) const;

  //===--- ReductionMonotone.cpp ---===//

  Node *moveThroughMonotone(ReductionKind kind, TreeNode *node, LoopSet loops);
  /// What an operand may be reduced to: one value, or the least and the
  /// greatest where its direction is not known. Empty if the operation is not
  /// monotone.
  SmallVector<Node *, 2> getExtremes(ReductionKind kind, TreeNode *operand,
                                     TreeNode *other, Direction direction,
                                     LoopSet loops);
  /// What moving a reduction over `moved` to the operands of `node` needs.
  bool requireMonotone(Node *result, ReductionKind kind, TreeNode *node,
                       LoopSet moved, const MonotoneTraits &traits);

  //===--- ReductionProduct.cpp ---===//

  /// The factors of a product, by the operation that distributes.
  struct Product {
    SmallVector<TreeNode *> factors;
    SmallVector<TreeNode *> denominators;
    bool isNegative = false;
    arith::FastMathFlags flags;
    SmallVector<Operation *> operations;
  };
  Node *distribute(ReductionKind kind, TreeNode *node, LoopSet loops);
  /// The extreme of a product whose factors are multiplied in another order:
  /// those that do not vary over `loops` last.
  Node *regroup(ReductionKind kind, TreeNode *node, LoopSet loops);
  unsigned getLevel(const TreeNode *node) const;
  Node *regroupOver(const Product &product, ReductionKind kind, TreeNode *node,
                    LoopSet loops, LoopSet inner);
  bool collectFactors(Product &product, ReductionKind kind, TreeNode *node,
                      LoopSet loops, bool isRoot);
  std::optional<SmallVector<LoopSet>>
  findEliminationOrder(ArrayRef<LoopSet> factors, LoopSet loops);
  Node *eliminate(const Product &product, ReductionKind kind, TreeNode *node,
                  ArrayRef<LoopSet> order);

  //===--- ReductionCost.cpp ---===//

  /// What counting has seen.
  struct Count;
  double getVolume(LoopSet loops) const;
  /// The price of an expression of its own.
  ReductionCost getCost(const Node *node);
  ReductionCost getCostBefore();
  unsigned count(const Node *node, Count &seen);
  unsigned countTree(const TreeNode *node, Count &seen);
  static double finishNests(Count &seen, const ReductionPlanner &planner);
  void finishPlan(ReductionPlan &plan);

  const ReductionTree &tree;
  const ReductionContext &context;
  std::vector<std::unique_ptr<Node>> nodes;
  llvm::DenseMap<std::pair<TreeNode *, std::pair<unsigned, LoopSet>>, Node *>
      known;
  llvm::DenseMap<TreeNode *, Node *> values;
  llvm::DenseMap<const Node *, ReductionCost> costs;
  Operation *contraction = nullptr;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_DIALECT_ANALYSIS_REDUCTIONPLANNER_H
