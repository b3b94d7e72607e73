//===- RefineExtents.cpp - Static extents where the facts prove them ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types change in place, from the arguments to the results; operations that
// this file does not know keep theirs, with casts around them.
//
//===----------------------------------------------------------------------===//

#include "LoopExtents.h"

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_REFINEEXTENTSPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Lets `function`, if nothing calls it, return what it casts to less static
/// types.
static void refineSignature(func::FuncOp function) {
  auto parent = function->getParentOfType<ModuleOp>();
  if (!parent || !SymbolTable::symbolKnownUseEmpty(function, parent) ||
      !function.getBody().hasOneBlock())
    return;
  Operation *terminator = function.front().getTerminator();
  if (!isa<func::ReturnOp>(terminator))
    return;
  for (OpOperand &operand : terminator->getOpOperands())
    if (auto cast = operand.get().getDefiningOp<tensor::CastOp>())
      if (cast.getType().getRank() && !cast.getType().hasStaticShape())
        operand.set(cast.getSource());
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     terminator->getOperandTypes()));
}

/// Checks that no two extents of one loop in `function` differ: no run of such
/// a program can be right.
static LogicalResult checkConflicts(FunctionOpInterface function,
                                    const DimClasses &dims) {
  auto check = [&](Value value) -> LogicalResult {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      int64_t expected = dims.getExtent(dims.getClass(value, dim));
      if (type.isDynamicDim(dim) || type.getDimSize(dim) == expected)
        continue;
      return emitError(value.getLoc(), "expected dimension ")
             << dim << " to have the extent " << expected
             << " of the dimensions that it meets, but it has "
             << type.getDimSize(dim);
    }
    return success();
  };
  WalkResult result = function->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (failed(check(argument)))
          return WalkResult::interrupt();
    for (Value value : op->getResults())
      if (failed(check(value)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

/// Refines the tensors of one function.
class Refiner {
public:
  Refiner(FunctionOpInterface function, const DimClasses &dims)
      : function(function), dims(dims), rewriter(function.getContext()) {}

  /// The number of values that got another type.
  unsigned run();

private:
  /// The type of `value` with the extents of its classes.
  RankedTensorType getRefined(Value value) const;
  /// Notes the types that operations which are not ours take, also in the
  /// bodies of loops and conditions.
  void noteForeign(Region &region);
  void refineRegion(Region &region);
  void refineArguments(Block &block);
  void refineOperation(Operation *op);
  void refineForeign(Operation *op);
  /// Gives every result its refined type.
  void refineResults(Operation *op);
  void refineBroadcast(BroadcastOp op);
  void refineSplat(tensor::SplatOp op);
  void refineExpand(tensor::ExpandShapeOp op);
  /// Casts `value` to its refined type and lets its uses take the result; what
  /// the cast assumes is asserted.
  void refineByCast(Value value, RankedTensorType refined, const Twine &name);
  void assertExtent(Location loc, Value size, int64_t extent,
                    const Twine &name);

  FunctionOpInterface function;
  const DimClasses &dims;
  IRRewriter rewriter;
  /// What operations that are not ours take.
  DenseMap<OpOperand *, Type> takes;
  /// The dimensions that broadcasts repeat, as they were written: an operand
  /// whose extent turns out to be 1 does not grow.
  DenseMap<Operation *, SmallVector<int64_t>> repeats;
  unsigned numRefined = 0;
};

struct RefineExtentsPass
    : fusion::impl::RefineExtentsPassBase<RefineExtentsPass> {
  using RefineExtentsPassBase::RefineExtentsPassBase;

  void runOnOperation() override {
    std::optional<DimClasses> made;
    auto getClasses = [&]() -> const DimClasses & {
      return made ? *made : getAnalysis<DimClasses>();
    };
    // What one loop keeps may be what the next one starts with.
    while (unsigned refined = refineLoopExtents(getOperation(), getClasses())) {
      numRefined += refined;
      made.emplace(getOperation());
    }
    const DimClasses &dims = getClasses();
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      if (failed(checkConflicts(function, dims)))
        return signalPassFailure();
      numRefined += Refiner(function, dims).run();
      if (auto func = dyn_cast<func::FuncOp>(function.getOperation());
          func && refineResults)
        refineSignature(func);
    });
  }
};

} // namespace

RankedTensorType Refiner::getRefined(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.hasStaticShape())
    return type;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (ShapedType::isDynamic(extent))
      extent = dims.getExtent(dims.getClass(value, dim));
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

void Refiner::assertExtent(Location loc, Value size, int64_t extent,
                           const Twine &name) {
  Value expected = arith::ConstantIndexOp::create(rewriter, loc, extent);
  Value isEqual = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        size, expected);
  cf::AssertOp::create(rewriter, loc, isEqual,
                       ("expected " + name + " to be " + Twine(extent)).str());
}

void Refiner::refineByCast(Value value, RankedTensorType refined,
                           const Twine &name) {
  auto type = cast<RankedTensorType>(value.getType());
  // It was done before if nothing else is left to do with the value.
  if (llvm::all_of(value.getUsers(), [&](Operation *user) {
        auto cast = dyn_cast<tensor::CastOp>(user);
        return isa<tensor::DimOp>(user) || (cast && cast.getType() == refined);
      }))
    return;
  rewriter.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  SmallPtrSet<Operation *, 4> keep;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.getDimSize(dim) == refined.getDimSize(dim))
      continue;
    auto size = tensor::DimOp::create(rewriter, loc, value, dim);
    keep.insert(size);
    assertExtent(loc, size, refined.getDimSize(dim),
                 "dimension " + Twine(dim) + " of " + name);
  }
  auto cast = tensor::CastOp::create(rewriter, loc, refined, value);
  keep.insert(cast);
  rewriter.replaceAllUsesExcept(value, cast, keep);
  ++numRefined;
}

void Refiner::refineArguments(Block &block) {
  bool isEntry =
      block.isEntryBlock() && block.getParentOp() == function.getOperation();
  for (BlockArgument argument : block.getArguments()) {
    RankedTensorType refined = getRefined(argument);
    if (refined && refined != argument.getType())
      refineByCast(argument, refined,
                   (isEntry ? "argument " : "block argument ") +
                       Twine(argument.getArgNumber()));
  }
}

void Refiner::refineResults(Operation *op) {
  for (Value result : op->getResults()) {
    RankedTensorType refined = getRefined(result);
    if (!refined || refined == result.getType())
      continue;
    ++numRefined;
    rewriter.modifyOpInPlace(op, [&] { result.setType(refined); });
  }
}

void Refiner::refineBroadcast(BroadcastOp op) {
  RankedTensorType before = op.getType();
  RankedTensorType refined = getRefined(op.getResult());
  rewriter.setInsertionPoint(op);
  SmallVector<Value> sizes;
  unsigned next = 0;
  for (int64_t dim : repeats.lookup(op)) {
    if (!before.isDynamicDim(dim))
      continue;
    Value size = op.getDynamicSizes()[next++];
    if (refined.isDynamicDim(dim))
      sizes.push_back(size);
    else
      assertExtent(op.getLoc(), size, refined.getDimSize(dim),
                   "the size of dimension " + Twine(dim) + " of a broadcast");
  }
  rewriter.modifyOpInPlace(op,
                           [&] { op.getDynamicSizesMutable().assign(sizes); });
  refineResults(op);
}

void Refiner::refineSplat(tensor::SplatOp op) {
  RankedTensorType before = op.getType(), refined = getRefined(op.getResult());
  rewriter.setInsertionPoint(op);
  SmallVector<Value> sizes;
  unsigned next = 0;
  for (int64_t dim = 0; dim < before.getRank(); ++dim) {
    if (!before.isDynamicDim(dim))
      continue;
    Value size = op.getDynamicSizes()[next++];
    if (refined.isDynamicDim(dim))
      sizes.push_back(size);
    else
      assertExtent(op.getLoc(), size, refined.getDimSize(dim),
                   "the size of dimension " + Twine(dim) + " of a splat");
  }
  rewriter.modifyOpInPlace(op,
                           [&] { op.getDynamicSizesMutable().assign(sizes); });
  refineResults(op);
}

/// The extents of the result are written down beside its type.
void Refiner::refineExpand(tensor::ExpandShapeOp op) {
  RankedTensorType refined = getRefined(op.getResult());
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (refined.isDynamicDim(dim))
      continue;
    if (auto value = dyn_cast<Value>(size))
      assertExtent(op.getLoc(), value, refined.getDimSize(dim),
                   "the size of dimension " + Twine(dim) + " of a reshape");
    size = rewriter.getIndexAttr(refined.getDimSize(dim));
  }
  auto expanded =
      tensor::ExpandShapeOp::create(rewriter, op.getLoc(), refined, op.getSrc(),
                                    op.getReassociationIndices(), sizes);
  ++numRefined;
  rewriter.replaceOp(op, expanded);
}

/// An operation that is not ours takes and gives what it did; what stands in
/// the body of a loop or condition is ours again.
void Refiner::refineForeign(Operation *op) {
  rewriter.setInsertionPoint(op);
  auto castBack = [&](Operation *taker) {
    for (OpOperand &operand : taker->getOpOperands()) {
      auto it = takes.find(&operand);
      if (it == takes.end() || operand.get().getType() == it->second)
        continue;
      Value cast = tensor::CastOp::create(rewriter, op->getLoc(), it->second,
                                          operand.get());
      rewriter.modifyOpInPlace(taker, [&] { operand.set(cast); });
    }
  };
  if (isa<RegionBranchOpInterface>(op)) {
    castBack(op);
    for (Region &region : op->getRegions())
      refineRegion(region);
  } else {
    op->walk(castBack);
  }
  for (OpResult result : op->getResults()) {
    RankedTensorType refined = getRefined(result);
    if (refined && refined != result.getType())
      refineByCast(result, refined,
                   "result " + Twine(result.getResultNumber()) + " of '" +
                       op->getName().getStringRef() + "'");
  }
}

/// True if the types of `op` are not ours to change.
static bool isForeign(Operation *op) {
  return !isa<tensor::DimOp, tensor::CastOp>(op) &&
         (!isSchedulable(op) || op->getNumRegions());
}

void Refiner::noteForeign(Region &region) {
  auto note = [&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      takes[&operand] = operand.get().getType();
  };
  for (Operation &op : region.getOps()) {
    if (!isForeign(&op))
      continue;
    if (!isa<RegionBranchOpInterface>(op)) {
      op.walk(note);
      continue;
    }
    note(&op);
    for (Region &nested : op.getRegions())
      noteForeign(nested);
  }
}

void Refiner::refineRegion(Region &region) {
  for (Block &block : region) {
    // What was there: casts and checks come in between.
    SmallVector<Operation *> operations;
    for (Operation &op : block)
      operations.push_back(&op);
    refineArguments(block);
    for (Operation *op : operations)
      refineOperation(op);
  }
}

void Refiner::refineOperation(Operation *op) {
  if (isa<tensor::DimOp>(op))
    return;
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (getRefined(cast.getResult()) != cast.getSource().getType())
      return refineResults(op);
    rewriter.replaceOp(op, cast.getSource());
    return;
  }
  if (isForeign(op))
    return refineForeign(op);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return refineBroadcast(broadcast);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return refineSplat(splat);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    if (getRefined(expand.getResult()) != expand.getType())
      refineExpand(expand);
    return;
  }
  refineResults(op);
}

unsigned Refiner::run() {
  noteForeign(function.getFunctionBody());
  function.getFunctionBody().walk(
      [&](BroadcastOp op) { repeats[op] = op.getRepeatedDims(); });
  refineRegion(function.getFunctionBody());
  return numRefined;
}
