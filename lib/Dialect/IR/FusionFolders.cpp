//===- FusionFolders.cpp - Folders and canonicalisation -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rewrite here is exact: the result is the same bit for bit.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// A splat constant of another shape; null if `operand` is no splat constant or
/// `type` is not static.
static OpFoldResult foldSplat(Attribute operand, RankedTensorType type) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(operand);
  if (!splat || !type.hasStaticShape())
    return {};
  return splat.resizeSplat(type);
}

/// `input` where an operation does nothing to it; null if the operation is its
/// own operand, as it may be in a graph region.
static OpFoldResult foldToInput(Value input, Operation *op) {
  return input.getDefiningOp() == op ? OpFoldResult() : OpFoldResult(input);
}

/// The OpTy that computes the operand of `op`, if its own operand stands before
/// it: in a graph region operations may form a cycle, and composing along one
/// would never end. This way each composition reaches further up.
template <typename OpTy>
static OpTy getProducer(OpTy op) {
  auto producer = op.getInput().template getDefiningOp<OpTy>();
  if (!producer)
    return {};
  Operation *source = producer.getInput().getDefiningOp();
  bool isCycle = source && source->getBlock() == producer->getBlock() &&
                 !source->isBeforeInBlock(producer);
  return isCycle ? OpTy() : producer;
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType() && getRepeatedDims().empty())
    return foldToInput(getInput(), *this);
  return foldSplat(adaptor.getInput(), getType());
}

namespace {

/// broadcast(broadcast(x)) -> broadcast(x)
struct ComposeBroadcasts final : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    BroadcastOp producer = getProducer(op);
    if (!producer)
      return rewriter.notifyMatchFailure(
          op, "operand is no broadcast to compose with");
    SmallVector<int64_t> dims;
    for (int64_t dim : producer.getDims())
      dims.push_back(op.getDims()[dim]);
    // Each repeated dynamic extent of the composition has its index operand in
    // one of the two operations.
    llvm::SmallDenseMap<int64_t, Value> sizes;
    auto addSizes = [&](BroadcastOp from, auto mapDim) {
      unsigned next = 0;
      for (int64_t dim : from.getRepeatedDims())
        if (from.getType().isDynamicDim(dim))
          sizes[mapDim(dim)] = from.getDynamicSizes()[next++];
    };
    addSizes(producer, [&](int64_t dim) { return op.getDims()[dim]; });
    addSizes(op, [](int64_t dim) { return dim; });
    SmallVector<Value> dynamicSizes;
    for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
      if (Value size = sizes.lookup(dim))
        dynamicSizes.push_back(size);
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, op.getType(), producer.getInput(), dynamicSizes, dims);
    return success();
  }
};

} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ComposeBroadcasts>(context);
}

//===----------------------------------------------------------------------===//
// SqueezeOp
//===----------------------------------------------------------------------===//

OpFoldResult SqueezeOp::fold(FoldAdaptor adaptor) {
  if (getDims().empty())
    return foldToInput(getInput(), *this);
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getInput()))
    if (getType().hasStaticShape())
      return dense.reshape(getType());
  // squeeze(squeeze(x)) -> squeeze(x)
  if (SqueezeOp producer = getProducer(*this)) {
    SmallVector<int64_t> kept;
    for (int64_t dim = 0; dim < producer.getInput().getType().getRank(); ++dim)
      if (!llvm::is_contained(producer.getDims(), dim))
        kept.push_back(dim);
    SmallVector<int64_t> dims(producer.getDims());
    for (int64_t dim : getDims())
      dims.push_back(kept[dim]);
    llvm::sort(dims);
    setDims(dims);
    getInputMutable().assign(producer.getInput());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getPermutation(), llvm::seq<int64_t>(0, getType().getRank())))
    return foldToInput(getInput(), *this);
  if (OpFoldResult splat = foldSplat(adaptor.getInput(), getType()))
    return splat;
  // transpose(transpose(x)) -> transpose(x)
  if (TransposeOp producer = getProducer(*this)) {
    SmallVector<int64_t> permutation;
    for (int64_t dim : getPermutation())
      permutation.push_back(producer.getPermutation()[dim]);
    setPermutation(permutation);
    getInputMutable().assign(producer.getInput());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

/// The one position of a unit dimension is 0.
OpFoldResult IotaOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getType());
  if (type.getDimSize(0) != 1)
    return {};
  return DenseElementsAttr::get(
      type, Attribute(IntegerAttr::get(type.getElementType(), 0)));
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

OpFoldResult ReduceOp::fold(FoldAdaptor adaptor) {
  if (getDims().empty() && getInput().getType() == getType())
    return foldToInput(getInput(), *this);
  bool isEmpty = llvm::any_of(getDims(), [&](int64_t dim) {
    return getInput().getType().getDimSize(dim) == 0;
  });
  if (isEmpty && getType().hasStaticShape())
    return SplatElementsAttr::get(
        getType(), getEmptyValue(getKind(), getType().getElementType()));
  return {};
}

namespace {

/// reduce over no dimension -> the conversion of each element.
struct ReduceNothing final : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getDims().empty())
      return rewriter.notifyMatchFailure(op, "reduces a dimension");
    if (op.getInput().getType() == op.getType())
      return rewriter.notifyMatchFailure(op, "folds to its operand");
    rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), op.getInput());
    return success();
  }
};

/// reduce over static unit dimensions -> squeeze, and reduce the others.
struct ReduceUnitDims final : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType input = op.getInput().getType();
    SmallVector<int64_t> unit, rest;
    int64_t dropped = 0;
    for (int64_t dim : op.getDims()) {
      if (input.getDimSize(dim) == 1) {
        unit.push_back(dim);
        ++dropped;
      } else {
        rest.push_back(dim - dropped);
      }
    }
    if (unit.empty())
      return rewriter.notifyMatchFailure(op, "no unit dimension is reduced");
    Value squeezed =
        SqueezeOp::create(rewriter, op.getLoc(), op.getInput(), unit);
    rewriter.replaceOpWithNewOp<ReduceOp>(op, op.getType(), op.getKind(),
                                          squeezed, rest, op.getFastmath());
    return success();
  }
};

} // namespace

void ReduceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<ReduceNothing, ReduceUnitDims>(context);
}

//===----------------------------------------------------------------------===//
// SegmentOp
//===----------------------------------------------------------------------===//

namespace {

/// Drops unused results and arguments, and binds each value only once. A
/// segment that has a schedule is left alone: the schedule counts its values.
struct DropUnusedSegmentValues final : OpRewritePattern<SegmentOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SegmentOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getScheduleAttr())
      return rewriter.notifyMatchFailure(op, "already scheduled");
    Block &body = op.getBodyBlock();
    llvm::BitVector deadArguments(body.getNumArguments());
    llvm::SmallDenseMap<Value, unsigned> firstUse;
    SmallVector<Value> inputs;
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      auto [it, isNew] = firstUse.try_emplace(input, i);
      if (!isNew)
        rewriter.replaceAllUsesWith(body.getArgument(i),
                                    body.getArgument(it->second));
    }
    SmallVector<OpResult> liveResults;
    SmallVector<Value> liveYields;
    for (OpResult result : op.getResults()) {
      if (result.use_empty())
        continue;
      liveResults.push_back(result);
      liveYields.push_back(op.getYielded()[result.getResultNumber()]);
    }
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      if (body.getArgument(i).use_empty())
        deadArguments.set(i);
      else
        inputs.push_back(input);
    }
    if (deadArguments.none() && liveResults.size() == op.getNumResults())
      return rewriter.notifyMatchFailure(op, "every value is used");
    auto replacement = SegmentOp::create(
        rewriter, op.getLoc(),
        llvm::map_to_vector(liveYields, [](Value v) { return v.getType(); }),
        inputs, op.getScheduler());
    replacement->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.modifyOpInPlace(op, [&] {
      Operation *yield = body.getTerminator();
      yield->setOperands(liveYields);
    });
    rewriter.eraseBlock(&replacement.getBodyBlock());
    rewriter.inlineRegionBefore(op.getBody(), replacement.getBody(),
                                replacement.getBody().end());
    replacement.getBodyBlock().eraseArguments(deadArguments);
    for (auto [from, to] : llvm::zip(liveResults, replacement.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void SegmentOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<DropUnusedSegmentValues>(context);
}
