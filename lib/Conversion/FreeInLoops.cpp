//===- FreeInLoops.cpp - Free what iterations leave behind ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer is *fresh* if whoever has its value is its only owner: nothing else
// names it. What a loop carries is fresh from the second iteration on where
// each iteration gives a fresh buffer to the next.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FREEINLOOPSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// What becomes of a buffer in a block.
struct Fate {
  /// The operations that use it, under any name.
  SmallVector<Operation *> users;
  /// The operands of the block's terminator that may be it.
  SmallVector<OpOperand *> leaves;
  /// It is freed already, or something that is not known here may keep it.
  bool isForeign = false;

  bool endsHere() const { return !isForeign && leaves.empty(); }
};

/// Which iterations own what they are given.
enum class Owned { Never, AfterFirst, Always };

/// A buffer to free behind an operation, or at the start of a block.
struct Free {
  Value buffer;
  Block *block;
  /// Null: at the start.
  Operation *after;
  /// The first iteration of this loop does not own it; null if all do.
  scf::ForOp exceptFirst;
};

class LoopBuffers {
public:
  SmallVector<Free> find(func::FuncOp function);

private:
  Fate follow(Value value, Block *block, OpOperand *ignored = nullptr);
  bool followUse(OpOperand &use, SmallVectorImpl<Value> &names);
  bool isFresh(Value value);
  bool isFreshYield(OpOperand &yielded);
  bool returnsFresh(func::CallOp call);
  Owned getOwned(scf::ForOp loop, unsigned index);
  bool isTakenOver(Value value);
  void findInBlock(Block &block);
  void findCarried(scf::ForOp loop);

  SymbolTableCollection symbols;
  SmallVector<Free> frees;
};

} // namespace

static bool runsAtLeastOnce(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  return count && !count->isZero();
}

/// Behind which operation of `block` all of `users` are done; null if none.
static Operation *getLast(Block *block, ArrayRef<Operation *> users) {
  Operation *last = nullptr;
  for (Operation *user : users) {
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!last || last->isBeforeInBlock(here))
      last = here;
  }
  return last;
}

/// Adds to `names` what has the buffer of `use`'s value by it. Returns false if
/// the use may keep the buffer in a way that is not known here.
bool LoopBuffers::followUse(OpOperand &use, SmallVectorImpl<Value> &names) {
  Operation *op = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    names.push_back(loop.getTiedLoopRegionIterArg(&use));
    if (!runsAtLeastOnce(loop))
      names.push_back(loop.getTiedLoopResult(&use));
    return true;
  }
  if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    if (!isa<scf::ForOp, scf::IfOp>(parent))
      return false;
    names.push_back(parent->getResult(use.getOperandNumber()));
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      names.push_back(loop.getRegionIterArg(use.getOperandNumber()));
    return true;
  }
  if (isa<ViewLikeOpInterface, arith::SelectOp, bufferization::CloneOp>(op)) {
    llvm::append_range(names, op->getResults());
    return true;
  }
  if (auto call = dyn_cast<func::CallOp>(op))
    return returnsFresh(call);
  return isa<gpu::LaunchFuncOp, LaunchFuncOp, gpu::MemsetOp, memref::CopyOp,
             memref::LoadOp, memref::DimOp,
             memref::ExtractAlignedPointerAsIndexOp>(op);
}

/// Follows the buffer of `value`, which `block` or an operation of it defines,
/// through all but the use `ignored`.
Fate LoopBuffers::follow(Value value, Block *block, OpOperand *ignored) {
  Fate fate;
  SmallVector<Value> names = {value};
  DenseSet<Value> visited;
  while (!names.empty()) {
    Value name = names.pop_back_val();
    if (!visited.insert(name).second)
      continue;
    for (OpOperand &use : name.getUses()) {
      if (&use == ignored)
        continue;
      if (use.getOwner() == block->getTerminator()) {
        fate.leaves.push_back(&use);
        continue;
      }
      fate.users.push_back(use.getOwner());
      fate.isForeign |= !followUse(use, names);
    }
  }
  return fate;
}

/// True if each buffer that the callee returns is one that it made for that.
/// Then it keeps no argument either.
bool LoopBuffers::returnsFresh(func::CallOp call) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr().getAttr());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return false;
  DenseSet<Value> returned;
  return llvm::all_of(callee.front().getTerminator()->getOperands(),
                      [&](Value value) {
                        return !isa<MemRefType>(value.getType()) ||
                               (value.getDefiningOp<memref::AllocOp>() &&
                                returned.insert(value).second);
                      });
}

/// True if an iteration, or a branch, gives a fresh buffer away by `yielded`
/// and by nothing else.
bool LoopBuffers::isFreshYield(OpOperand &yielded) {
  Value value = yielded.get();
  Block *block = yielded.getOwner()->getBlock();
  if (isa<BlockArgument>(value) || value.getParentBlock() != block ||
      !isFresh(value))
    return false;
  Fate fate = follow(value, block);
  return !fate.isForeign && fate.leaves.size() == 1;
}

bool LoopBuffers::isFresh(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<MemRefType>(value.getType()))
    return false;
  unsigned index = cast<OpResult>(value).getResultNumber();
  if (auto call = dyn_cast<func::CallOp>(op))
    return returnsFresh(call);
  if (auto condition = dyn_cast<scf::IfOp>(op))
    return isFreshYield(condition.thenYield()->getOpOperand(index)) &&
           isFreshYield(condition.elseYield()->getOpOperand(index));
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return isa<memref::AllocOp>(op);
  return isFreshYield((*loop.getYieldedValuesMutable())[index]) &&
         (runsAtLeastOnce(loop) || getOwned(loop, index) == Owned::Always);
}

/// Who owns what `loop` carries as number `index`: the iteration that gets it
/// may free it.
Owned LoopBuffers::getOwned(scf::ForOp loop, unsigned index) {
  if (!isFreshYield((*loop.getYieldedValuesMutable())[index]) ||
      !follow(loop.getRegionIterArg(index), loop.getBody()).endsHere())
    return Owned::Never;
  // The first iteration, too, if nothing else has what the loop starts with.
  OpOperand &init = loop.getInitArgsMutable()[index];
  if (!isFresh(init.get()) || init.get().getParentBlock() != loop->getBlock())
    return Owned::AfterFirst;
  Fate fate = follow(init.get(), loop->getBlock(), &init);
  bool isLast = llvm::all_of(fate.users, [&](Operation *user) {
    return loop->getBlock()->findAncestorOpInBlock(*user)->isBeforeInBlock(
        loop);
  });
  return fate.endsHere() && isLast ? Owned::Always : Owned::AfterFirst;
}

/// True if a loop frees the fresh `value`, which it starts with.
bool LoopBuffers::isTakenOver(Value value) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    return loop &&
           getOwned(loop, loop.getTiedLoopResult(&use).getResultNumber()) ==
               Owned::Always;
  });
}

/// Finds what an execution of `block` makes and leaves behind.
void LoopBuffers::findInBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    for (Value result : op.getResults()) {
      if (!isFresh(result) || isTakenOver(result))
        continue;
      Fate fate = follow(result, &block);
      Operation *last = getLast(&block, fate.users);
      if (fate.endsHere())
        frees.push_back({result, &block, last ? last : &op, {}});
    }
}

/// Finds what the iterations of `loop` get from those before.
void LoopBuffers::findCarried(scf::ForOp loop) {
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isa<MemRefType>(argument.getType()))
      continue;
    Owned owned = getOwned(loop, index);
    if (owned == Owned::Never)
      continue;
    Block *body = loop.getBody();
    Operation *last = getLast(body, follow(argument, body).users);
    frees.push_back(
        {argument, body, last, owned == Owned::Always ? scf::ForOp() : loop});
  }
}

SmallVector<Free> LoopBuffers::find(func::FuncOp function) {
  function.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    findCarried(loop);
    findInBlock(*loop.getBody());
    loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<scf::ForOp>(op))
        return WalkResult::skip(); // visited on its own
      if (auto condition = dyn_cast<scf::IfOp>(op))
        for (Region *region : condition.getRegions())
          for (Block &block : *region)
            findInBlock(block);
      return WalkResult::advance();
    });
  });
  return std::move(frees);
}

static void createFree(const Free &free, RewriterBase &rewriter) {
  if (free.after)
    rewriter.setInsertionPointAfter(free.after);
  else
    rewriter.setInsertionPointToStart(free.block);
  Location loc = free.buffer.getLoc();
  if (scf::ForOp loop = free.exceptFirst) {
    Value isOwned =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                              loop.getInductionVar(), loop.getLowerBound());
    rewriter.setInsertionPointToStart(
        scf::IfOp::create(rewriter, loc, isOwned).thenBlock());
  }
  memref::DeallocOp::create(rewriter, loc, free.buffer);
}

namespace {

struct FreeInLoopsPass : fusion::impl::FreeInLoopsPassBase<FreeInLoopsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // What is found of one function says what its callers may do.
    SmallVector<Free> frees;
    for (auto function : getOperation().getOps<func::FuncOp>())
      llvm::append_range(frees, LoopBuffers().find(function));
    for (const Free &free : frees)
      createFree(free, rewriter);
    numFreed += frees.size();
  }
};

} // namespace
