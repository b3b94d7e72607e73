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

/// True for operands that have an order only without sign bit.
static bool isOrderedWithoutSign(Direction direction) {
  return direction == Direction::DivisorWithoutSign ||
         direction == Direction::DecreasingWithoutSign;
}

bool ReductionPlanner::requireMonotone(Node *result, ReductionKind kind,
                                       TreeNode *node, LoopSet moved,
                                       const MonotoneTraits &traits) {
  Operation *op = node->op;
  bool isNumber =
      traits.isNumberWithoutSign && node->operands.front()->isNonNegative();
  if (!isNumber && !requireAny(result, op, traits.anyFlagAgainstNaN))
    return false;
  if (traits.isApproximate && !require(result, op, Flags::afn))
    return false;
  if (traits.mayWrap &&
      !requireFact(result, op, neverWraps(op, traits.order),
                   traits.order == ValueOrder::Signed ? "nsw" : "nuw"))
    return false;
  // Too large magnitudes become NaN on either side: without negative values
  // the maximum decides, unless it is the largest of the other numbers.
  const CombinerTraits &combiner = getCombinerTraits(kind);
  if (overflowsToNaN(node->getElementType()) &&
      !requireFact(result, op,
                   combiner.isMaximum && !combiner.skipsNaN &&
                       llvm::all_of(node->operands,
                                    [](TreeNode *operand) {
                                      return operand->isNonNegative();
                                    }),
                   "a type with infinities"))
    return false;
  for (auto [operand, direction] : llvm::zip(node->operands, traits.directions))
    if (isOrderedWithoutSign(direction) && (operand->deps & moved) &&
        !requireFact(result, op, operand->isNonNegative(),
                     "an operand without sign"))
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
  case Direction::DecreasingWithoutSign:
    return {reduce(dual, operand, loops)};
  case Direction::SignOfOther:
    if (other->isNonNegative())
      return {reduce(kind, operand, loops)};
    return {reduce(kind, operand, loops), reduce(dual, operand, loops)};
  case Direction::DivisorWithoutSign:
    if (other->isNonNegative())
      return {reduce(dual, operand, loops)};
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
  // Between types without and with infinities the empty value changes.
  auto hasInfinities = [](Type type) { return !overflowsToNaN(type); };
  bool keepsEmpty = monotone->keepsEmpty &&
                    hasInfinities(node->getElementType()) ==
                        hasInfinities(node->operands[0]->getElementType());
  for (Node *corner : corners)
    corner->keepsEmpty = keepsEmpty;
  if (!requireMonotone(corners.front(), kind, node, moved, *monotone))
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
