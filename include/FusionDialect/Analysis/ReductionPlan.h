//===- ReductionPlan.h - How a reduction is computed cheapest ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides how a reduction is rewritten, and changes nothing. The rules of
// algebra that the flags allow (IR/Algebra.h) make a reduction of an expression
// into an expression of reductions; of all such expressions the cheapest is
// chosen: the fewest points of iteration, then the shortest chain of
// reductions, then the fewest element-wise operations. docs/Algebra.md lists
// the rules.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_REDUCTIONPLAN_H
#define FUSIONDIALECT_ANALYSIS_REDUCTIONPLAN_H

#include "FusionDialect/Analysis/ReductionTree.h"
#include "FusionDialect/IR/Algebra.h"
#include <tuple>

namespace mlir::fusion {

/// A flag or fact that a rewrite needs and the program does not give.
struct UnmetRequirement {
  Operation *operation;
  /// What it lacks, e.g. "reassoc".
  llvm::StringRef needed;
};

/// One value of the expression that replaces a reduction.
struct ReductionPlanNode {
  enum class Kind {
    /// A node of the tree as it is.
    Value,
    /// The operation of a tree node on other operands.
    Apply,
    /// The product of all operands, by the operation that distributes.
    Scale,
    /// The first operand divided by the second.
    Divide,
    Negate,
    /// All operands combined, or the second taken from the first.
    Combine,
    Subtract,
    /// A reduction of the operand over `loops`.
    Reduce,
    /// The operand combined with itself, once for each point of `loops`.
    Repeat
  };

  Kind kind;
  /// Value: the node. Apply: the node whose operation is applied.
  ReductionTreeNode *source = nullptr;
  SmallVector<ReductionPlanNode *, 2> operands;
  /// The combining kind of Scale, Combine, Subtract, Reduce and Repeat.
  ReductionKind combiner = ReductionKind::Add;
  /// What Repeat makes of its operand.
  Repetition repetition = Repetition::Same;
  /// Reduce, Repeat: the loops that vanish.
  LoopSet loops = 0;
  /// The loops over which the value varies.
  LoopSet deps = 0;
  /// The element type; operands that are narrower are converted to it.
  Type elementType;
  arith::FastMathFlags flags = arith::FastMathFlags::none;
  /// The rule that made it; empty for parts of the program.
  llvm::StringRef rule;
  /// Without elements, the value is that of the reduction it stands for.
  bool keepsEmpty = true;
  SmallVector<UnmetRequirement, 0> unmet;
};

/// What an expression costs, in the order of importance.
struct ReductionCost {
  /// Points of the loop nests: one nest for each reduction and one for what
  /// follows; a nest within the loops of another rides along.
  double points = 0;
  /// The longest chain of reductions, those before the tree included.
  unsigned levels = 0;
  /// Element-wise operations and combinations.
  double work = 0;
  /// DRAM bytes if each nest is a kernel: distinct operands and results, and
  /// twice each total that another nest reads.
  double bytes = 0;

  bool operator<(const ReductionCost &other) const {
    return std::tie(points, levels, work) <
           std::tie(other.points, other.levels, other.work);
  }
};

/// What the planner is told about the program around a reduction.
struct ReductionContext {
  /// The number of reductions in a chain before a value.
  llvm::function_ref<unsigned(Value)> getLevel;
  /// True if the operation stays whatever becomes of the reduction.
  llvm::function_ref<bool(Operation *)> isNeeded;
  /// True if the two reductions in a row, the second of the first, are wanted
  /// as they are.
  llvm::function_ref<bool(ReduceOp, ReduceOp)> isSplitOnPurpose;
  /// The extent that counts for a dynamic dimension.
  int64_t dynamicExtent = 1024;
  /// Go through values that are needed anyway.
  bool throughShared = false;
  /// Assume every flag and fact; the plan lists those that are missing.
  bool assumeAll = false;
};

/// The cheapest expression for one reduction.
class ReductionPlan {
public:
  using Node = ReductionPlanNode;

  /// The plan for the reduction of `tree`, which must outlive it.
  static ReductionPlan get(const ReductionTree &tree,
                           const ReductionContext &context);

  const ReductionTree &getTree() const { return *tree; }
  const Node &getRoot() const { return *root; }
  /// True if the plan costs less than the program as it is.
  bool isRewrite() const { return cost < costBefore; }
  const ReductionCost &getCostBefore() const { return costBefore; }
  const ReductionCost &getCost() const { return cost; }
  /// The rules that it applies, in order of first use, each once.
  llvm::ArrayRef<llvm::StringRef> getRules() const { return rules; }
  /// What it assumed.
  llvm::ArrayRef<UnmetRequirement> getUnmet() const { return unmet; }
  /// An operation that multiplies two factors of a contraction, if the plan
  /// left one alone.
  Operation *getContraction() const { return contraction; }
  /// The operations whose results the plan does not use.
  llvm::ArrayRef<Operation *> getBypassed() const { return bypassed; }
  /// True if the result must be replaced where a dynamic loop is empty.
  bool needsGuard() const { return guard; }

private:
  friend class ReductionPlanner;

  const ReductionTree *tree = nullptr;
  std::vector<std::unique_ptr<Node>> nodes;
  Node *root = nullptr;
  ReductionCost costBefore, cost;
  SmallVector<llvm::StringRef> rules;
  SmallVector<UnmetRequirement> unmet;
  SmallVector<Operation *> bypassed;
  Operation *contraction = nullptr;
  bool guard = false;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_REDUCTIONPLAN_H
