//===- ReductionProduct.cpp - Reductions of products ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction over several loops of a product whose factors vary over different
// loops is variable elimination: for one loop after the other, only the factors
// that vary over it are multiplied and reduced, and what comes out is a factor
// over their other loops. The order decides the number of points; all orders
// are compared (dynamic programming over the sets of loops that are eliminated
// already), loops that occur in the same factors being taken as one.
//
//===----------------------------------------------------------------------===//

#include "ReductionPlanner.h"

using namespace mlir;
using namespace mlir::fusion;

using Flags = arith::FastMathFlags;
using PlanNode = ReductionPlanNode;

/// Groups of loops up to which all orders are compared: 3 to the power of it
/// steps are looked at.
static constexpr unsigned maxGroups = 6;

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

bool ReductionPlanner::collectFactors(Product &product, ReductionKind kind,
                                      TreeNode *node, LoopSet loops,
                                      bool isRoot) {
  const CombinerTraits &traits = getCombinerTraits(kind);
  Operation *op = node->op;
  bool isFloat = isa<FloatType>(node->getElementType());
  StringRef name = op ? op->getName().getStringRef() : StringRef();
  StringRef scale = isFloat ? traits.floatScale : traits.integerScale;
  if (traits.order == ValueOrder::Float)
    scale = getCombinerTraits(ReductionKind::Add).floatScale;
  bool isSum = kind == ReductionKind::Add && isFloat;
  bool isProduct = op && !scale.empty() && name == scale;
  bool isQuotient = isSum && op && isa<arith::DivFOp>(op) &&
                    !(node->operands[1]->deps & loops);
  bool isNegation = isSum && op && isa<arith::NegFOp>(op);
  // An operation without the flag is one factor.
  auto isAllowed = [&] {
    if (isRoot)
      return true;
    if (!context.throughShared && isShared(node))
      return false;
    return !isFloat || isNegation || context.assumeAll ||
           arith::bitEnumContainsAll(getFastMathFlags(op), Flags::reassoc);
  };
  if (!(isProduct || isQuotient || isNegation) || !isAllowed()) {
    product.factors.push_back(node);
    return false;
  }
  if (isNegation) {
    product.isNegative = !product.isNegative;
    collectFactors(product, kind, node->operands[0], loops, false);
    return true;
  }
  product.operations.push_back(op);
  product.flags = product.flags & getFastMathFlags(op);
  collectFactors(product, kind, node->operands[0], loops, false);
  if (isQuotient)
    product.denominators.push_back(node->operands[1]);
  else
    collectFactors(product, kind, node->operands[1], loops, false);
  return true;
}

//===----------------------------------------------------------------------===//
// The order of elimination
//===----------------------------------------------------------------------===//

/// True if two of the factors make a contraction when `loops` are eliminated:
/// both vary over such a loop, and each over another that stays and that the
/// other does not have. That is a matrix product, which is not for reordering.
static bool isContraction(ArrayRef<LoopSet> factors, LoopSet loops) {
  for (auto [i, a] : llvm::enumerate(factors))
    for (LoopSet b : factors.drop_front(i + 1))
      if ((a & b & loops) && (a & ~b & ~loops) && (b & ~a & ~loops))
        return true;
  return false;
}

namespace {
/// What is left after some groups are eliminated, and how it was reached.
struct Eliminated {
  bool isReached = false;
  double points = 0;
  unsigned numSteps = 0;
  SmallVector<LoopSet> factors;
  unsigned previous = 0;
};
} // namespace

/// The loops of `loops`, those that occur in the same factors together.
static SmallVector<LoopSet> groupLoops(ArrayRef<LoopSet> factors,
                                       LoopSet loops) {
  SmallVector<LoopSet> groups;
  SmallVector<SmallVector<bool>> signatures;
  forEachLoop(loops, [&](unsigned loop) {
    SmallVector<bool> signature = llvm::map_to_vector(
        factors, [&](LoopSet factor) { return bool(factor >> loop & 1); });
    auto *found = llvm::find(signatures, signature);
    if (found == signatures.end()) {
      signatures.push_back(signature);
      groups.push_back(LoopSet(1) << loop);
    } else {
      groups[found - signatures.begin()] |= LoopSet(1) << loop;
    }
  });
  return groups;
}

std::optional<SmallVector<LoopSet>>
ReductionPlanner::findEliminationOrder(ArrayRef<LoopSet> factors,
                                       LoopSet loops) {
  SmallVector<LoopSet> groups = groupLoops(factors, loops);
  if (groups.size() > maxGroups) {
    if (isContraction(factors, loops))
      return std::nullopt;
    return SmallVector<LoopSet>{loops};
  }
  unsigned all = (1u << groups.size()) - 1;
  auto getLoops = [&](unsigned mask) {
    LoopSet set = 0;
    for (auto [i, group] : llvm::enumerate(groups))
      if (mask >> i & 1)
        set |= group;
    return set;
  };
  SmallVector<Eliminated> states(all + 1);
  states[0].isReached = true;
  states[0].factors.assign(factors.begin(), factors.end());
  for (unsigned mask = 0; mask < all; ++mask) {
    if (!states[mask].isReached)
      continue;
    for (unsigned step = 1; step <= all; ++step) {
      if (step & mask)
        continue;
      LoopSet eliminated = getLoops(step), scope = 0;
      SmallVector<LoopSet> bucket, rest;
      for (LoopSet factor : states[mask].factors) {
        bool isTouched = factor & eliminated;
        (isTouched ? bucket : rest).push_back(factor);
        scope |= isTouched ? factor : 0;
      }
      if (isContraction(bucket, eliminated))
        continue;
      double points = states[mask].points + getVolume(scope);
      unsigned numSteps = states[mask].numSteps + 1;
      Eliminated &next = states[mask | step];
      if (next.isReached &&
          std::tie(next.points, next.numSteps) <= std::tie(points, numSteps))
        continue;
      rest.push_back(scope & ~eliminated);
      next = {true, points, numSteps, rest, mask};
    }
  }
  if (!states[all].isReached)
    return std::nullopt;
  SmallVector<LoopSet> order;
  for (unsigned mask = all; mask != 0; mask = states[mask].previous)
    order.push_back(getLoops(mask & ~states[mask].previous));
  return llvm::to_vector(llvm::reverse(order));
}

//===----------------------------------------------------------------------===//
// The expression
//===----------------------------------------------------------------------===//

PlanNode *ReductionPlanner::eliminate(const Product &product,
                                      ReductionKind kind, TreeNode *node,
                                      ArrayRef<LoopSet> order) {
  Type type = getReducedType(kind, node->getElementType());
  auto multiply = [&](ArrayRef<Node *> factors, StringRef rule) {
    if (factors.size() == 1)
      return factors.front();
    Node *result = create(Node::Kind::Scale, factors, type, rule);
    result->combiner = kind;
    result->flags = product.flags & ~(Flags::nnan | Flags::ninf);
    // Infinity times the empty sum, which is 0, is NaN.
    result->keepsEmpty = !isa<FloatType>(type);
    return result;
  };
  struct Item {
    Node *value;
    /// The factor, unless it is a total.
    TreeNode *factor;
  };
  SmallVector<Item> items;
  for (TreeNode *factor : product.factors)
    items.push_back({getValue(factor), factor});
  for (LoopSet loops : order) {
    SmallVector<Item> rest;
    SmallVector<Node *> bucket;
    TreeNode *single = nullptr;
    std::optional<unsigned> position;
    for (const Item &item : items) {
      if (!(item.value->deps & loops)) {
        rest.push_back(item);
        continue;
      }
      if (!position)
        position = rest.size();
      single = item.factor;
      bucket.push_back(item.value);
    }
    Node *total;
    if (bucket.size() == 1 && single) {
      total = reduce(kind, single, loops);
    } else {
      total = getReduce(kind, multiply(bucket, {}), loops);
      total->rule = "distribute";
    }
    rest.insert(rest.begin() + *position, Item{total, nullptr});
    items = rest;
  }
  Node *result = multiply(
      llvm::map_to_vector(items, [](const Item &item) { return item.value; }),
      "distribute");
  for (TreeNode *denominator : product.denominators) {
    result = create(Node::Kind::Divide, {result, getValue(denominator)}, type,
                    "distribute");
    result->flags = product.flags & ~(Flags::nnan | Flags::ninf);
    result->keepsEmpty = false;
  }
  if (product.isNegative)
    result = create(Node::Kind::Negate, result, type, "distribute");
  return result;
}

PlanNode *ReductionPlanner::distribute(ReductionKind kind, TreeNode *node,
                                       LoopSet loops) {
  Product product;
  product.flags = Flags::fast;
  if (isa<arith::NegFOp>(node->op) ||
      getCombinerTraits(kind).order != ValueOrder::None ||
      !collectFactors(product, kind, node, loops, /*isRoot=*/true))
    return nullptr;
  SmallVector<LoopSet> factors = llvm::map_to_vector(
      product.factors, [](TreeNode *factor) { return factor->deps; });
  auto order = findEliminationOrder(factors, loops);
  if (!order) {
    contraction = node->op;
    return nullptr;
  }
  bool isWhole = order->size() == 1 &&
                 llvm::all_of(factors, [&](LoopSet f) { return f & loops; });
  if (isWhole && product.denominators.empty() && !product.isNegative)
    return nullptr;
  Node *result = eliminate(product, kind, node, *order);
  if (!isa<FloatType>(node->getElementType()) ||
      getCombinerTraits(kind).floatScaleClass == RewriteClass::Exact)
    return result;
  if (!require(result, tree.getReduce(), Flags::reassoc))
    return nullptr;
  for (Operation *op : product.operations)
    if (!require(result, op, Flags::reassoc))
      return nullptr;
  return result;
}

//===----------------------------------------------------------------------===//
// Extremes of products
//===----------------------------------------------------------------------===//

/// The extreme over `loops`, those of `inner` first: over them only the factors
/// that vary along one of them are multiplied.
PlanNode *ReductionPlanner::regroupOver(const Product &product,
                                        ReductionKind kind, TreeNode *node,
                                        LoopSet loops, LoopSet inner) {
  SmallVector<Node *> varying, uniform;
  TreeNode *single = nullptr;
  bool isUniformPositive = true;
  for (TreeNode *factor : product.factors) {
    bool varies = factor->deps & inner;
    (varies ? varying : uniform).push_back(getValue(factor));
    if (varies)
      single = factor;
    else
      isUniformPositive &= factor->isNonNegative();
  }
  auto multiply = [&](ArrayRef<Node *> factors, StringRef rule) {
    Node *result =
        create(Node::Kind::Scale, factors, node->getElementType(), rule);
    result->flags = product.flags & ~(Flags::nnan | Flags::ninf);
    result->keepsEmpty = false;
    return result;
  };
  auto scale = [&](ReductionKind extreme) {
    Node *total = varying.size() == 1
                      ? reduce(extreme, single, inner)
                      : getReduce(extreme, multiply(varying, {}), inner);
    SmallVector<Node *> factors = {total};
    factors.append(uniform);
    return multiply(factors, "regroup");
  };
  Node *result = scale(kind);
  if (!isUniformPositive) {
    Node *other = scale(getCombinerTraits(kind).dual);
    result = create(Node::Kind::Combine, {result, other},
                    node->getElementType(), "regroup");
    result->combiner = kind;
  }
  LoopSet rest = loops & ~inner;
  return rest ? getReduce(kind, result, rest) : result;
}

/// The number of reductions in a chain before a value of the program or a
/// magnitude of one.
unsigned ReductionPlanner::getLevel(const TreeNode *node) const {
  if (node->value)
    return context.getLevel(node->value);
  unsigned level = 0;
  for (const TreeNode *operand : node->operands)
    level = std::max(level, getLevel(operand));
  return level;
}

/// max((x b) y) = b max(x y), up to roundings: x y need not wait for b. Where b
/// is the other operand of the last multiplication, that is monotone already.
PlanNode *ReductionPlanner::regroup(ReductionKind kind, TreeNode *node,
                                    LoopSet loops) {
  Product product;
  product.flags = Flags::fast;
  if (getCombinerTraits(kind).order != ValueOrder::Float ||
      !llvm::all_of(
          node->operands,
          [&](TreeNode *operand) { return (operand->deps & loops) != 0; }) ||
      !collectFactors(product, kind, node, loops, /*isRoot=*/true))
    return nullptr;
  Node *result = nullptr;
  for (TreeNode *factor : product.factors) {
    LoopSet inner = loops & ~factor->deps;
    if (!inner)
      continue;
    // Two reductions for one, unless what is taken out waits for a reduction
    // and what stays does not.
    auto waitsLonger = [&](TreeNode *other) {
      return !(other->deps & inner) || getLevel(factor) > getLevel(other);
    };
    if ((loops & ~inner) && !llvm::all_of(product.factors, waitsLonger))
      continue;
    Node *candidate = regroupOver(product, kind, node, loops, inner);
    if (!result || getCost(candidate) < getCost(result))
      result = candidate;
  }
  if (!result || !require(result, tree.getReduce(), Flags::reassoc))
    return nullptr;
  for (Operation *op : product.operations)
    if (!require(result, op, Flags::reassoc) ||
        !requireAny(result, op, Flags::nnan | Flags::ninf))
      return nullptr;
  return result;
}
