//===- ReductionPlanner.cpp - The rules for moving reductions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionPlanner.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

using Flags = arith::FastMathFlags;
using PlanNode = ReductionPlanNode;

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

bool ReductionPlanner::requireFact(Node *result, Operation *op, bool holds,
                                   StringRef fact) {
  if (holds)
    return true;
  result->unmet.push_back({op, fact});
  return context.assumeAll;
}

bool ReductionPlanner::require(Node *result, Operation *op, Flags flags) {
  for (auto [flag, name] :
       {std::pair(Flags::reassoc, "reassoc"), std::pair(Flags::nnan, "nnan"),
        std::pair(Flags::ninf, "ninf"), std::pair(Flags::afn, "afn")})
    if (arith::bitEnumContainsAll(flags, flag) &&
        !requireFact(result, op,
                     arith::bitEnumContainsAll(getFastMathFlags(op), flag),
                     name))
      return false;
  return true;
}

bool ReductionPlanner::requireAny(Node *result, Operation *op, Flags flags) {
  if (flags == Flags::none)
    return true;
  StringRef names = "nnan or ninf";
  if (flags == Flags::nnan)
    names = "nnan";
  else if (flags == (Flags::nsz | Flags::reassoc))
    names = "nsz or reassoc";
  return requireFact(result, op,
                     arith::bitEnumContainsAny(getFastMathFlags(op), flags),
                     names);
}

bool ReductionPlanner::isShared(const TreeNode *node) const {
  return llvm::any_of(node->operations, [&](Operation *op) {
    return llvm::any_of(op->getUsers(), context.isNeeded);
  });
}

std::optional<int64_t> ReductionPlanner::getStaticVolume(LoopSet loops) const {
  int64_t volume = 1;
  bool isKnown = true;
  forEachLoop(loops, [&](unsigned loop) {
    const ReductionTree::Extent &extent = tree.getExtent(loop);
    isKnown = isKnown && extent.isStatic() &&
              !llvm::MulOverflow(volume, extent.size, volume);
  });
  return isKnown ? std::optional(volume) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

PlanNode *ReductionPlanner::create(Node::Kind kind, ArrayRef<Node *> operands,
                                   Type elementType, StringRef rule) {
  nodes.push_back(std::make_unique<Node>());
  Node *node = nodes.back().get();
  node->kind = kind;
  node->operands.assign(operands.begin(), operands.end());
  node->elementType = elementType;
  node->rule = rule;
  for (Node *operand : operands)
    node->deps |= operand->deps;
  return node;
}

PlanNode *ReductionPlanner::getValue(TreeNode *source) {
  Node *&node = values[source];
  if (!node) {
    node = create(Node::Kind::Value, {}, source->getElementType());
    node->source = source;
    node->deps = source->deps;
  }
  return node;
}

Type ReductionPlanner::getReducedType(ReductionKind kind, Type type) const {
  bool computes = kind == ReductionKind::Add || kind == ReductionKind::Mul;
  // The accumulator's type holds every partial result.
  return computes && isa<FloatType>(type)
             ? ReduceOp(tree.getReduce()).getAccumulatorType()
             : type;
}

PlanNode *ReductionPlanner::getReduce(ReductionKind kind, Node *operand,
                                      LoopSet loops) {
  Node *node = create(Node::Kind::Reduce, operand,
                      getReducedType(kind, operand->elementType));
  node->combiner = kind;
  node->loops = loops;
  node->deps &= ~loops;
  // What was promised about NaN and infinity was promised about other values.
  ReduceOp reduce = tree.getReduce();
  node->flags = reduce.getFastmath() & ~(Flags::nnan | Flags::ninf);
  return node;
}

PlanNode *ReductionPlanner::apply(TreeNode *source, ArrayRef<Node *> operands,
                                  Type elementType, StringRef rule) {
  Node *node = create(Node::Kind::Apply, operands, elementType, rule);
  node->source = source;
  return node;
}

//===----------------------------------------------------------------------===//
// The recursion
//===----------------------------------------------------------------------===//

PlanNode *ReductionPlanner::reduce(ReductionKind kind, TreeNode *node,
                                   LoopSet loops) {
  LoopSet varying = loops & node->deps, uniform = loops & ~node->deps;
  Node *inner = varying ? reduceVarying(kind, node, varying) : getValue(node);
  if (!uniform)
    return inner;
  if (Node *repeated = repeat(kind, inner, uniform))
    return repeated;
  // Equal values are combined one after the other, without what was reduced
  // already: another order of the same combinations.
  Node *total = getReduce(kind, inner, uniform);
  if (varying)
    total->rule = "stages";
  return total;
}

PlanNode *ReductionPlanner::reduceVarying(ReductionKind kind, TreeNode *node,
                                          LoopSet loops) {
  auto key = std::pair(node, std::pair(static_cast<unsigned>(kind), loops));
  if (Node *found = known.lookup(key))
    return found;
  Node *best = getReduce(kind, getValue(node), loops);
  ReductionCost bestCost = getCost(best);
  for (Node *alternative : getAlternatives(kind, node, loops)) {
    if (!alternative)
      continue;
    ReductionCost cost = getCost(alternative);
    if (cost < bestCost) {
      best = alternative;
      bestCost = cost;
    }
  }
  known[key] = best;
  return best;
}

SmallVector<PlanNode *> ReductionPlanner::getAlternatives(ReductionKind kind,
                                                          TreeNode *node,
                                                          LoopSet loops) {
  // A conversion to a wider type is exact and costs nothing twice.
  bool isWidening = node->op && isa<arith::ExtFOp>(node->op);
  if (node->isLeaf() ||
      (!isWidening && !context.throughShared && isShared(node)))
    return {};
  if (isWidening && getCombinerTraits(kind).order == ValueOrder::None) {
    // The accumulator is as wide as before.
    Node *inner = reduce(kind, node->operands.front(), loops);
    Node *result =
        create(Node::Kind::Combine, inner, inner->elementType, "widen");
    result->combiner = kind;
    return {result};
  }
  return {moveThroughSelect(kind, node, loops),
          mergeReductions(kind, node, loops),
          moveThroughNegation(kind, node, loops),
          separate(kind, node, loops),
          distribute(kind, node, loops),
          moveThroughMonotone(kind, node, loops),
          regroup(kind, node, loops),
          moveThroughComplement(kind, node, loops)};
}

//===----------------------------------------------------------------------===//
// Equal values
//===----------------------------------------------------------------------===//

/// The scalar that a tensor repeats, else the tensor.
static Value getSplatScalar(Value value) {
  auto splat = value.getDefiningOp<tensor::SplatOp>();
  return splat ? splat.getInput() : value;
}

static bool isZero(const PlanNode *node) {
  if (node->kind != PlanNode::Kind::Value || !node->source->value)
    return false;
  APFloat value(0.0);
  return matchPattern(getSplatScalar(node->source->value),
                      m_ConstantFloat(&value)) &&
         value.isPosZero();
}

/// True if n additions of one value are, in some order, one multiplication
/// without another rounding: n has at most two binary digits 1, so that
/// doublings, which are exact, leave one addition.
static bool isMultipleExact(std::optional<int64_t> n, Type type) {
  if (!n || llvm::popcount(static_cast<uint64_t>(*n)) > 2)
    return false;
  APFloat asFloat(cast<FloatType>(type).getFloatSemantics());
  return asFloat.convertFromAPInt(APInt(64, *n), /*IsSigned=*/true,
                                  APFloat::rmNearestTiesToEven) ==
         APFloat::opOK;
}

bool ReductionPlanner::requireRepeat(Node *result, Node *operand) {
  std::optional<int64_t> count = getStaticVolume(result->loops);
  ReduceOp reduce = tree.getReduce();
  bool isFloat = isa<FloatType>(result->elementType);
  switch (result->repetition) {
  case Repetition::Same:
    return true;
  case Repetition::Multiple:
    if (!isFloat || isMultipleExact(count, result->elementType))
      return true;
    return require(result, reduce, Flags::reassoc);
  case Repetition::Power:
    return requireFact(result, reduce, count.has_value(), "a static extent") &&
           (!isFloat || require(result, reduce,
                                Flags::reassoc | Flags::nnan | Flags::ninf));
  case Repetition::Parity:
    return requireFact(result, reduce, count.has_value(), "a static extent");
  }
  llvm_unreachable("unknown repetition");
}

PlanNode *ReductionPlanner::repeat(ReductionKind kind, Node *operand,
                                   LoopSet loops) {
  Node *node = create(Node::Kind::Repeat, operand,
                      getReducedType(kind, operand->elementType), "repeat");
  node->combiner = kind;
  node->loops = loops;
  node->repetition = getCombinerTraits(kind).repetition;
  bool isSumOfZeros = kind == ReductionKind::Add && isZero(operand);
  if (isSumOfZeros)
    node->repetition = Repetition::Same;
  node->flags = tree.getReduce().getFastmath() & ~(Flags::nnan | Flags::ninf);
  // Without elements an integer multiple is 0 as well, and so is a sum of 0.
  node->keepsEmpty =
      isSumOfZeros || (node->repetition == Repetition::Multiple &&
                       !isa<FloatType>(node->elementType));
  return requireRepeat(node, operand) ? node : nullptr;
}

//===----------------------------------------------------------------------===//
// Selection, reductions in a row, negation
//===----------------------------------------------------------------------===//

PlanNode *ReductionPlanner::moveThroughSelect(ReductionKind kind,
                                              TreeNode *node, LoopSet loops) {
  if (!isa<arith::SelectOp>(node->op))
    return nullptr;
  LoopSet decided = loops & node->operands[0]->deps;
  LoopSet moved = loops & ~decided;
  if (!moved)
    return nullptr;
  Node *result = apply(node,
                       {getValue(node->operands[0]),
                        reduce(kind, node->operands[1], moved),
                        reduce(kind, node->operands[2], moved)},
                       getReducedType(kind, node->getElementType()), "select");
  return decided ? getReduce(kind, result, decided) : result;
}

static bool keepsEmpty(const PlanNode *node) {
  return node->keepsEmpty && llvm::all_of(node->operands, keepsEmpty);
}

PlanNode *ReductionPlanner::mergeReductions(ReductionKind kind, TreeNode *node,
                                            LoopSet loops) {
  auto inner = dyn_cast<ReduceOp>(node->op);
  if (!inner || inner.getKind() != kind ||
      context.isSplitOnPurpose(inner, tree.getReduce()))
    return nullptr;
  LoopSet all = loops | node->reduced;
  Node *merged = reduce(kind, node->operands.front(), all);
  // The guard of the result tests the loops of the outer reduction alone: if
  // those of the inner one are empty, what stands between may not be.
  if (!getStaticVolume(node->reduced) && !keepsEmpty(merged))
    merged = getReduce(kind, getValue(node->operands.front()), all);
  Node *result =
      create(Node::Kind::Combine, merged, merged->elementType, "merge");
  result->combiner = kind;
  // No rounding may stand between the two: the inner total has the type in
  // which both accumulate.
  Type type = inner.getType().getElementType();
  bool isOrder = getCombinerTraits(kind).order != ValueOrder::None;
  bool isRounded = isOrder ? type != inner.getInput().getType().getElementType()
                           : type != inner.getAccumulatorType() ||
                                 type != getReducedType(kind, type);
  return requireFact(result, inner, !isRounded,
                     "no rounding before the next reduction")
             ? result
             : nullptr;
}

PlanNode *ReductionPlanner::moveThroughNegation(ReductionKind kind,
                                                TreeNode *node, LoopSet loops) {
  if (!isa<arith::NegFOp>(node->op) ||
      (kind != ReductionKind::Add && kind != ReductionKind::Mul))
    return nullptr;
  Node *inner = reduce(kind, node->operands.front(), loops);
  if (kind == ReductionKind::Mul) {
    std::optional<int64_t> count = getStaticVolume(loops);
    bool isOdd = !count || *count % 2 != 0;
    Node *result = create(isOdd ? Node::Kind::Negate : Node::Kind::Combine,
                          inner, inner->elementType, "negate");
    result->combiner = kind;
    return requireFact(result, tree.getReduce(), count.has_value(),
                       "a static extent")
               ? result
               : nullptr;
  }
  // A total of 0 changes its sign.
  Node *result =
      create(Node::Kind::Negate, inner, inner->elementType, "negate");
  Flags flags = Flags::nsz | Flags::reassoc;
  return requireAny(result, node->op, flags) &&
                 requireAny(result, tree.getReduce(), flags)
             ? result
             : nullptr;
}

/// not x, bit by bit: it exchanges and with or, and reverses the order of
/// integers.
PlanNode *ReductionPlanner::moveThroughComplement(ReductionKind kind,
                                                  TreeNode *node,
                                                  LoopSet loops) {
  const CombinerTraits &traits = getCombinerTraits(kind);
  if (!isa<arith::XOrIOp>(node->op) || traits.dual == kind)
    return nullptr;
  for (unsigned i : {0, 1}) {
    Value mask = node->operands[1 - i]->value;
    APInt bits;
    if (!mask || !matchPattern(getSplatScalar(mask), m_ConstantInt(&bits)) ||
        !bits.isAllOnes())
      continue;
    SmallVector<Node *, 2> operands(2);
    operands[i] = reduce(traits.dual, node->operands[i], loops);
    operands[1 - i] = getValue(node->operands[1 - i]);
    return apply(node, operands, node->getElementType(), "complement");
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Separation
//===----------------------------------------------------------------------===//

PlanNode *ReductionPlanner::separate(ReductionKind kind, TreeNode *node,
                                     LoopSet loops) {
  const CombinerTraits &traits = getCombinerTraits(kind);
  StringRef name = node->op->getName().getStringRef();
  bool isFloat = isa<FloatType>(node->getElementType());
  bool combines =
      name == (isFloat ? traits.floatCombine : traits.integerCombine);
  bool takes = name == (isFloat ? traits.floatInverse : traits.integerInverse);
  if (!combines && !takes)
    return nullptr;
  Node *left = reduce(kind, node->operands[0], loops);
  Node *right = reduce(kind, node->operands[1], loops);
  Node *result =
      create(takes ? Node::Kind::Subtract : Node::Kind::Combine, {left, right},
             getReducedType(kind, node->getElementType()), "separate");
  result->combiner = kind;
  result->flags = getFastMathFlags(node->op) & ~(Flags::nnan | Flags::ninf);
  if (!isFloat || traits.floatMerge == RewriteClass::Exact)
    return result;
  ReduceOp reduceOp = tree.getReduce();
  Flags needed = Flags::reassoc;
  if (kind == ReductionKind::Mul)
    needed = needed | Flags::nnan | Flags::ninf;
  if (!require(result, node->op, Flags::reassoc) ||
      !require(result, reduceOp, needed))
    return nullptr;
  // Deviations from a mean have small sums of large terms.
  bool isCentred =
      kind == ReductionKind::Add &&
      llvm::any_of(node->operands, [&](TreeNode *operand) {
        return operand->value && context.getLevel(operand->value) > 0;
      });
  return requireFact(result, node->op, !isCentred,
                     "operands that no reduction precedes, since their totals "
                     "could cancel,")
             ? result
             : nullptr;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

ReductionPlan ReductionPlanner::plan() {
  ReductionPlan plan;
  plan.tree = &tree;
  plan.root =
      reduce(tree.getReduce().getKind(), tree.getRoot(), tree.getReduced());
  plan.costBefore = getCostBefore();
  plan.cost = getCost(plan.root);
  finishPlan(plan);
  plan.nodes = std::move(nodes);
  return plan;
}

ReductionPlan ReductionPlan::get(const ReductionTree &tree,
                                 const ReductionContext &context) {
  return ReductionPlanner(tree, context).plan();
}
