//===- ReductionMonotone.cpp - Minima and maxima of monotone functions ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A maximum moves through every function that does not exchange two values:
// max f(x) = f(max x), and f(min x) where f decreases. IEEE rounding does not
// exchange values, so that this is exact; what is not are functions that make
// NaN of some numbers and functions that hardware approximates.
//
//===----------------------------------------------------------------------===//

#include "ReductionPlanner.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fusion;

using Flags = arith::FastMathFlags;
using PlanNode = ReductionPlanNode;

/// True if values of `type` overflow to NaN, so that rounding to it is not
/// monotone.
static bool overflowsToNaN(Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  return floatType && !APFloat::semanticsHasInf(floatType.getFloatSemantics());
}

/// True if `op` is declared not to wrap around in `order`.
static bool neverWraps(Operation *op, ValueOrder order) {
  auto iface = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (!iface)
    return false;
  return order == ValueOrder::Signed ? iface.hasNoSignedWrap()
                                     : iface.hasNoUnsignedWrap();
}

bool ReductionPlanner::requireMonotone(Node *result, ReductionKind kind,
                                       TreeNode *node,
                                       const MonotoneTraits &traits) {
  Operation *op = node->op;
  bool isRoot = isa<math::SqrtOp, math::LogOp, math::Log2Op, math::Log10Op,
                    math::Log1pOp>(op);
  bool isInDomain = isRoot && node->operands.front()->isNonNegative();
  if (!isInDomain && !requireAny(result, op, traits.anyFlagAgainstNaN))
    return false;
  if (traits.isApproximate && !require(result, op, Flags::afn))
    return false;
  if (traits.mayWrap &&
      !requireFact(result, op, neverWraps(op, traits.order),
                   traits.order == ValueOrder::Signed ? "nsw" : "nuw"))
    return false;
  // Too large magnitudes become NaN on either side: without negative values
  // the maximum decides.
  if (overflowsToNaN(node->getElementType()) &&
      !requireFact(result, op,
                   getCombinerTraits(kind).isMaximum &&
                       llvm::all_of(node->operands,
                                    [](TreeNode *operand) {
                                      return operand->isNonNegative();
                                    }),
                   "a type with infinities"))
    return false;
  return true;
}

SmallVector<PlanNode *, 2> ReductionPlanner::getExtremes(ReductionKind kind,
                                                         TreeNode *operand,
                                                         TreeNode *other,
                                                         Direction direction,
                                                         LoopSet loops) {
  ReductionKind dual = getCombinerTraits(kind).dual;
  switch (direction) {
  case Direction::None:
    return {};
  case Direction::Increasing:
    return {reduce(kind, operand, loops)};
  case Direction::Decreasing:
    return {reduce(dual, operand, loops)};
  case Direction::SignOfOther:
    if (other->isNonNegative())
      return {reduce(kind, operand, loops)};
    return {reduce(kind, operand, loops), reduce(dual, operand, loops)};
  }
  llvm_unreachable("unknown direction");
}

PlanNode *ReductionPlanner::moveThroughMonotone(ReductionKind kind,
                                                TreeNode *node, LoopSet loops) {
  const CombinerTraits &traits = getCombinerTraits(kind);
  const MonotoneTraits *monotone =
      traits.order == ValueOrder::None
          ? nullptr
          : getMonotoneTraits(node->op, traits.order);
  if (!monotone || node->operands.size() > 2)
    return nullptr;
  // Each operand is reduced over the loops that the other does not have.
  unsigned numOperands = node->operands.size();
  LoopSet moved = 0;
  SmallVector<SmallVector<Node *, 2>, 2> choices(numOperands);
  for (unsigned i = 0; i < numOperands; ++i) {
    TreeNode *operand = node->operands[i];
    TreeNode *other = numOperands == 2 ? node->operands[1 - i] : nullptr;
    LoopSet own = loops & operand->deps & ~(other ? other->deps : 0);
    if (!own) {
      choices[i] = {getValue(operand)};
      continue;
    }
    moved |= own;
    choices[i] =
        getExtremes(kind, operand, other, monotone->directions[i], own);
    if (choices[i].empty())
      return nullptr;
  }
  if (!moved)
    return nullptr;
  // Where the directions are not known, an extreme lies at a corner.
  SmallVector<Node *> corners;
  for (Node *left : choices[0]) {
    if (numOperands == 1)
      corners.push_back(apply(node, left, node->getElementType(), "monotone"));
    else
      for (Node *right : choices[1])
        corners.push_back(
            apply(node, {left, right}, node->getElementType(), "monotone"));
  }
  for (Node *corner : corners)
    corner->keepsEmpty = monotone->keepsEmpty;
  if (!requireMonotone(corners.front(), kind, node, *monotone))
    return nullptr;
  Node *result = corners.front();
  if (corners.size() > 1) {
    result =
        create(Node::Kind::Combine, corners, node->getElementType(), "corners");
    result->combiner = kind;
  }
  LoopSet rest = loops & ~moved;
  return rest ? getReduce(kind, result, rest) : result;
}
