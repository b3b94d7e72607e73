//===- ReorderReductions.cpp - Reduce before multiplying and broadcasting -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the plans of Analysis/ReductionPlan.h. A plan goes through an
// operation only if that disappears, so the reductions of a function decide
// together: all are planned as if all were rewritten, then again as if those
// that stayed stayed, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ReductionPlan.h"
#include "FusionDialect/Analysis/ReductionSplit.h"
#include "FusionDialect/Transforms/Passes.h"
#include "ReductionBuilder.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_REORDERREDUCTIONSPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

static constexpr llvm::StringLiteral remarkCategory =
    "fusion-reorder-reductions";

/// Rounds of planning; more are not wrong, only without use.
static constexpr unsigned maxPlanningRounds = 4;

/// Rounds of rewriting. A rewrite that goes through reductions writes those
/// before them as they were, so that each round ends one level of reductions
/// within reductions. Most functions need two.
static constexpr unsigned maxRewritingRounds = 64;

namespace {

/// How many reductions stand in a chain before each value.
class Levels {
public:
  explicit Levels(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        get(result);
    });
  }

  unsigned get(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return 0;
    auto it = levels.find(op);
    if (it != levels.end())
      return it->second;
    // In a graph region operations may form a cycle.
    levels[op] = 0;
    unsigned level = 0;
    for (Value operand : op->getOperands())
      level = std::max(level, get(operand));
    if (isa<ReduceOp>(op))
      ++level;
    return levels[op] = level;
  }

private:
  llvm::DenseMap<Operation *, unsigned> levels;
};

using OperationSet = llvm::DenseSet<Operation *>;

/// The members of `candidates` that nothing else uses: all of their users are
/// among them. `candidates` are in reverse program order.
OperationSet getDying(ArrayRef<Operation *> candidates,
                      llvm::function_ref<bool(Operation *)> isGone) {
  OperationSet dying;
  for (Operation *op : candidates)
    if (isGone(op) || llvm::all_of(op->getUsers(), [&](Operation *user) {
          return dying.contains(user) || isGone(user);
        }))
      dying.insert(op);
  return dying;
}

/// Unique, in reverse program order. All stand in one block.
void sortReversed(SmallVectorImpl<Operation *> &operations) {
  llvm::SetVector<Operation *> unique(operations.begin(), operations.end());
  operations.assign(unique.begin(), unique.end());
  llvm::sort(operations,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
}

struct Reduction {
  ReduceOp op;
  std::unique_ptr<ReductionTree> tree;
  /// The members of the tree, in reverse program order.
  SmallVector<Operation *> members;
  std::optional<ReductionPlan> plan;
};

/// The reductions of one block.
class BlockReorder {
public:
  BlockReorder(ArrayRef<ReduceOp> reduces, Levels &levels,
               const DimClasses &classes, int64_t dynamicExtent,
               bool appliesContested)
      : levels(levels), classes(classes), dynamicExtent(dynamicExtent),
        appliesContested(appliesContested) {
    for (ReduceOp op : reduces)
      if (std::unique_ptr<ReductionTree> tree = ReductionTree::build(op)) {
        SmallVector<Operation *> members(tree->getMembers());
        sortReversed(members);
        reductions.push_back(
            {op, std::move(tree), std::move(members), std::nullopt});
      }
  }

  ArrayRef<Reduction> getReductions() const { return reductions; }

  /// Plans all of them, each knowing what disappears with the others.
  void plan();
  /// One more plan for `reduction` alone.
  ReductionPlan planAgain(const Reduction &reduction, bool throughShared,
                          bool assumeAll);
  /// True if a plan is a rewrite.
  bool hasRewrite() const {
    return llvm::any_of(reductions, [](const Reduction &reduction) {
      return reduction.plan->isRewrite();
    });
  }
  /// Replaces the reductions whose plan is a rewrite. Plans name values that
  /// others replace: `replacements` holds those.
  void apply(IRRewriter &rewriter, llvm::DenseMap<Value, Value> &replacements,
             llvm::function_ref<void(const ReductionPlan &)> note);
  /// Erases what the rewrites left unused. Not before all blocks are done:
  /// their plans name it.
  void eraseDead(IRRewriter &rewriter);

private:
  bool isContested(ReduceOp op) const {
    return appliesContested && op->hasAttr(contestedAttrName);
  }

  bool isSplitOnPurpose(ReduceOp inner, ReduceOp outer) const;

  Levels &levels;
  const DimClasses &classes;
  int64_t dynamicExtent;
  bool appliesContested;
  std::vector<Reduction> reductions;
  OperationSet dying;
  SmallVector<Operation *> dead;
};

} // namespace

/// True if fusion-split-reductions would make the same two stages of one
/// reduction.
bool BlockReorder::isSplitOnPurpose(ReduceOp inner, ReduceOp outer) const {
  SmallVector<DimClasses::Class> reduced;
  for (int64_t dim : outer.getDims())
    reduced.push_back(classes.getClass(outer.getInput(), dim));
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < inner.getInput().getType().getRank(); ++dim)
    if (llvm::is_contained(inner.getDims(), dim) ||
        llvm::is_contained(reduced, classes.getClass(inner.getInput(), dim)))
      dims.push_back(dim);
  SplitResult result =
      findReductionSplit(inner.getInput(), dims, outer, classes, inner);
  auto *split = std::get_if<ReductionSplit>(&result);
  return split && llvm::equal(split->aligned, inner.getDims());
}

ReductionPlan BlockReorder::planAgain(const Reduction &reduction,
                                      bool throughShared, bool assumeAll) {
  OperationSet own = getDying(reduction.members, [&](Operation *op) {
    return op == reduction.op || dying.contains(op);
  });
  auto isNeeded = [&](Operation *op) {
    return op != reduction.op && !own.contains(op) && !dying.contains(op);
  };
  auto getLevel = [&](Value value) { return levels.get(value); };
  auto isOnPurpose = [&](ReduceOp inner, ReduceOp outer) {
    return isSplitOnPurpose(inner, outer);
  };
  ReductionContext context{getLevel,      isNeeded,      isOnPurpose,
                           dynamicExtent, throughShared, assumeAll};
  return ReductionPlan::get(*reduction.tree, context);
}

void BlockReorder::plan() {
  SmallVector<Operation *> candidates;
  OperationSet replaced;
  for (const Reduction &reduction : reductions) {
    candidates.append(reduction.members);
    candidates.push_back(reduction.op);
    replaced.insert(reduction.op);
  }
  auto isGone = [&](Operation *op) { return replaced.contains(op); };
  sortReversed(candidates);
  dying = getDying(candidates, isGone);
  for (unsigned round = 0; round < maxPlanningRounds; ++round) {
    candidates.clear();
    replaced.clear();
    for (Reduction &reduction : reductions) {
      reduction.plan =
          planAgain(reduction, isContested(reduction.op), /*assumeAll=*/false);
      if (!reduction.plan->isRewrite())
        continue;
      llvm::append_range(candidates, reduction.plan->getBypassed());
      candidates.push_back(reduction.op);
      replaced.insert(reduction.op);
    }
    sortReversed(candidates);
    OperationSet next = getDying(candidates, isGone);
    bool isStable = next == dying;
    dying = std::move(next);
    if (isStable)
      break;
  }
}

void BlockReorder::apply(IRRewriter &rewriter,
                         llvm::DenseMap<Value, Value> &replacements,
                         llvm::function_ref<void(const ReductionPlan &)> note) {
  auto getCurrent = [&](Value value) {
    for (auto it = replacements.find(value); it != replacements.end();
         it = replacements.find(value))
      value = it->second;
    return value;
  };
  // The last first: what only its old operands used need not be rewritten.
  OperationSet unused;
  auto isUnused = [&](Operation *op) {
    return llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return unused.contains(user); });
  };
  for (Reduction &reduction : llvm::reverse(reductions)) {
    if (!reduction.plan->isRewrite())
      continue;
    bool isReplaced = !reduction.op->use_empty() && isUnused(reduction.op);
    unused.insert(reduction.op);
    for (Operation *op : reduction.members)
      if (isUnused(op))
        unused.insert(op);
    dead.push_back(reduction.op);
    llvm::append_range(dead, reduction.members);
    if (isReplaced)
      continue;
    note(*reduction.plan);
    Value result =
        ReductionBuilder(rewriter, *reduction.plan, getCurrent).build();
    rewriter.replaceAllUsesWith(reduction.op.getResult(), result);
    replacements[reduction.op.getResult()] = result;
  }
}

void BlockReorder::eraseDead(IRRewriter &rewriter) {
  sortReversed(dead);
  for (Operation *op : dead)
    if (op->use_empty())
      rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static std::string joinRules(const ReductionPlan &plan) {
  return llvm::join(plan.getRules(), ", ");
}

static void remarkCosts(remark::detail::InFlightRemark &remark,
                        const ReductionPlan &plan) {
  auto count = [](double value) { return static_cast<uint64_t>(value); };
  remark << remark::metric("rules", joinRules(plan))
         << remark::metric("pointsBefore", count(plan.getCostBefore().points))
         << remark::metric("pointsAfter", count(plan.getCost().points))
         << remark::metric("bytesBefore", count(plan.getCostBefore().bytes))
         << remark::metric("bytesAfter", count(plan.getCost().bytes));
}

namespace {

struct ReorderReductionsPass
    : fusion::impl::ReorderReductionsPassBase<ReorderReductionsPass> {
  using ReorderReductionsPassBase::ReorderReductionsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (contested != "mark" && contested != "apply")
      return emitError(UnknownLoc::get(context))
             << "expected option 'contested' to be mark or apply, but got '"
             << contested << "'";
    if (dynamicExtent < 1)
      return emitError(UnknownLoc::get(context))
             << "expected option 'dynamic-extent' to be at least 1, but got "
             << static_cast<int64_t>(dynamicExtent);
    return success();
  }

  void runOnOperation() override {
    bool changed = false;
    for (unsigned round = 0; round < maxRewritingRounds; ++round) {
      bool applied = runOnce(/*isLast=*/round + 1 == maxRewritingRounds);
      changed |= applied;
      if (!applied)
        break;
    }
    if (!changed)
      markAllAnalysesPreserved();
  }

  /// Rewrites each reduction once; without a rewrite, or the last time, says
  /// why the others stay. True if something was rewritten.
  bool runOnce(bool isLast) {
    llvm::MapVector<Block *, SmallVector<ReduceOp>> blocks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<SegmentOp>(op))
        return WalkResult::skip();
      if (auto reduce = dyn_cast<ReduceOp>(op))
        blocks[op->getBlock()].push_back(reduce);
      return WalkResult::advance();
    });
    Levels levels(getOperation());
    DimClasses classes(getOperation());
    // All are planned before one is changed: the facts are those of now.
    std::vector<std::unique_ptr<BlockReorder>> reorders;
    for (auto &[block, reduces] : blocks) {
      reorders.push_back(std::make_unique<BlockReorder>(
          reduces, levels, classes, dynamicExtent, contested == "apply"));
      reorders.back()->plan();
    }
    bool changed = llvm::any_of(
        reorders, [](const auto &reorder) { return reorder->hasRewrite(); });
    if (!changed || isLast)
      for (const std::unique_ptr<BlockReorder> &reorder : reorders)
        for (const Reduction &reduction : reorder->getReductions())
          if (!reduction.plan->isRewrite())
            explain(*reorder, reduction);
    IRRewriter rewriter(&getContext());
    llvm::DenseMap<Value, Value> replacements;
    for (const std::unique_ptr<BlockReorder> &reorder : reorders)
      reorder->apply(rewriter, replacements, [&](const ReductionPlan &plan) {
        ++numApplied;
        if (!remarks)
          return;
        ReduceOp op = plan.getTree().getReduce();
        auto remark = remark::passed(
            op.getLoc(),
            remark::RemarkOpts::name("reorder").category(remarkCategory));
        remarkCosts(remark, plan);
      });
    // A block's operations may use those of the blocks before it.
    for (const std::unique_ptr<BlockReorder> &reorder : llvm::reverse(reorders))
      reorder->eraseDead(rewriter);
    return changed;
  }

  /// Marks a reduction that could be rewritten at a price, or says which flag
  /// or fact a rewrite lacks.
  void explain(BlockReorder &reorder, const Reduction &reduction) {
    ReduceOp op = reduction.op;
    ReductionPlan shared = reorder.planAgain(reduction, /*throughShared=*/true,
                                             /*assumeAll=*/false);
    if (shared.isRewrite() &&
        shared.getCost().points < shared.getCostBefore().points) {
      ++numContested;
      // Who applies marks has decided: those that are gone stay gone.
      if (contested == "mark")
        op->setAttr(contestedAttrName,
                    StringAttr::get(&getContext(), joinRules(shared)));
      if (!remarks)
        return;
      auto remark = remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("contested").category(remarkCategory));
      remarkCosts(remark, shared);
      remark << remark::reason("other operations use what is reduced, so it "
                               "stays beside the rewritten reduction");
      return;
    }
    op->removeAttr(contestedAttrName);
    ReductionPlan assumed = reorder.planAgain(
        reduction, /*throughShared=*/false, /*assumeAll=*/true);
    if (assumed.isRewrite()) {
      ++numDeclined;
      if (!remarks)
        return;
      auto remark = remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("declined").category(remarkCategory));
      remarkCosts(remark, assumed);
      remark << remark::reason("{0}", describe(assumed.getUnmet()));
      return;
    }
    if (Operation *product = assumed.getContraction(); product && remarks)
      remark::missed(
          product->getLoc(),
          remark::RemarkOpts::name("contraction").category(remarkCategory))
          << remark::reason("two factors share a reduced dimension and have "
                            "kept dimensions of their own");
  }

  /// "needs reassoc on 'arith.mulf', reassoc on 'fusion.reduce'"
  static std::string describe(ArrayRef<UnmetRequirement> unmet) {
    SmallVector<std::string> parts;
    for (const UnmetRequirement &requirement : unmet) {
      std::string part = llvm::formatv("{0} on '{1}'", requirement.needed,
                                       requirement.operation->getName());
      if (!llvm::is_contained(parts, part))
        parts.push_back(part);
    }
    return "needs " + llvm::join(parts, ", ");
  }
};

} // namespace
