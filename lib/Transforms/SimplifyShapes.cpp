//===- SimplifyShapes.cpp - Shorter chains of shape operations ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No element is computed here, so every rewrite is exact. They end because each
// drops an operation, moves a squeeze up, or moves a broadcast down.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "Simplify.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

static bool isUnit(RankedTensorType type, int64_t dim) {
  return type.getDimSize(dim) == 1;
}

/// Where dimension `dim` stands once the dimensions `dropped` are gone.
static int64_t shiftDim(int64_t dim, ArrayRef<int64_t> dropped) {
  return dim - llvm::count_if(dropped, [&](int64_t d) { return d < dim; });
}

/// `input` without the unit dimensions `dims`.
static Value squeeze(PatternRewriter &rewriter, Location loc, Value input,
                     ArrayRef<int64_t> dims) {
  if (dims.empty())
    return input;
  return SqueezeOp::create(rewriter, loc, input, dims);
}

/// For each group of a reshape, the dimensions of the wide side to keep where
/// units are dropped: those that are no units, or the first if all are. True if
/// that drops one.
static bool getKeptDims(ArrayRef<ReassociationIndices> groups,
                        RankedTensorType wide,
                        SmallVectorImpl<SmallVector<int64_t>> &kept) {
  bool dropsAny = false;
  for (const ReassociationIndices &group : groups) {
    SmallVector<int64_t> &dims = kept.emplace_back();
    for (int64_t dim : group)
      if (!isUnit(wide, dim))
        dims.push_back(dim);
    if (dims.empty())
      dims.push_back(group.front());
    dropsAny |= dims.size() != group.size();
  }
  return dropsAny;
}

/// The groups of `kept`, numbered as if nothing else were there.
static SmallVector<ReassociationIndices>
renumber(ArrayRef<SmallVector<int64_t>> kept) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (ArrayRef<int64_t> dims : kept) {
    ReassociationIndices &group = groups.emplace_back();
    for (size_t i = 0; i < dims.size(); ++i)
      group.push_back(next++);
  }
  return groups;
}

static bool isOneToOne(ArrayRef<SmallVector<int64_t>> kept) {
  return llvm::all_of(kept, [](auto &dims) { return dims.size() == 1; });
}

namespace {

/// expand_shape that adds unit dimensions -> expand_shape of the rest, then
/// broadcast.
struct ExpandUnitsToBroadcast final : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getResultType();
    SmallVector<SmallVector<int64_t>> kept;
    bool dropsAny = getKeptDims(op.getReassociationIndices(), type, kept);
    // A rank-0 operand has no groups: every dimension is new.
    SmallVector<int64_t> dims;
    for (ArrayRef<int64_t> group : kept)
      llvm::append_range(dims, group);
    dropsAny |= static_cast<int64_t>(dims.size()) != type.getRank();
    if (!dropsAny)
      return rewriter.notifyMatchFailure(op, "adds no unit dimension");
    Value input = op.getSrc();
    if (!isOneToOne(kept)) {
      SmallVector<int64_t> shape;
      SmallVector<OpFoldResult> sizes, allSizes = op.getMixedOutputShape();
      for (int64_t dim : dims) {
        shape.push_back(type.getDimSize(dim));
        sizes.push_back(allSizes[dim]);
      }
      input = tensor::ExpandShapeOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(shape, type.getElementType()), input,
          renumber(kept), sizes);
    }
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, type, input, dims);
    return success();
  }
};

/// collapse_shape that drops unit dimensions -> squeeze, then collapse_shape of
/// the rest.
struct CollapseUnitsToSqueeze final
    : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getSrcType();
    SmallVector<SmallVector<int64_t>> kept;
    getKeptDims(op.getReassociationIndices(), type, kept);
    SmallVector<int64_t> dropped;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (llvm::none_of(
              kept, [&](auto &dims) { return llvm::is_contained(dims, dim); }))
        dropped.push_back(dim);
    if (dropped.empty())
      return rewriter.notifyMatchFailure(op, "drops no unit dimension");
    Value input = squeeze(rewriter, op.getLoc(), op.getSrc(), dropped);
    if (isOneToOne(kept))
      rewriter.replaceOp(op, input);
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
          op, op.getResultType(), input, renumber(kept));
    return success();
  }
};

/// squeeze(broadcast(x)) -> broadcast(squeeze(x))
struct SqueezeOfBroadcast final : ProducerPattern<SqueezeOp, BroadcastOp> {
  using ProducerPattern::ProducerPattern;

  LogicalResult rewrite(SqueezeOp op, BroadcastOp broadcast,
                        PatternRewriter &rewriter) const override {
    SmallVector<int64_t> unitsOfInput, dims;
    for (auto [from, to] : llvm::enumerate(broadcast.getDims())) {
      if (llvm::is_contained(op.getDims(), to))
        unitsOfInput.push_back(from);
      else
        dims.push_back(shiftDim(to, op.getDims()));
    }
    Value input =
        squeeze(rewriter, op.getLoc(), broadcast.getInput(), unitsOfInput);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), input,
                                             broadcast.getDynamicSizes(), dims);
    return success();
  }
};

/// broadcast(squeeze(x)) -> broadcast(x), where each squeezed dimension has a
/// new dimension of the result to grow into.
struct BroadcastOfSqueeze final : ProducerPattern<BroadcastOp, SqueezeOp> {
  using ProducerPattern::ProducerPattern;

  LogicalResult rewrite(BroadcastOp op, SqueezeOp producer,
                        PatternRewriter &rewriter) const override {
    int64_t rank = producer.getInput().getType().getRank(), last = -1;
    size_t next = 0;
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < rank; ++dim) {
      int64_t limit = next < op.getDims().size() ? op.getDims()[next]
                                                 : op.getType().getRank();
      bool isSqueezed = llvm::is_contained(producer.getDims(), dim);
      // All dimensions between two mapped ones are new.
      last = isSqueezed ? last + 1 : op.getDims()[next++];
      if (isSqueezed && last >= limit)
        return rewriter.notifyMatchFailure(
            op, "a squeezed dimension has no new dimension to grow into");
      dims.push_back(last);
    }
    rewriter.replaceOpWithNewOp<BroadcastOp>(
        op, op.getType(), producer.getInput(), op.getDynamicSizes(), dims);
    return success();
  }
};

/// transpose(broadcast(x)) -> broadcast(transpose(x)), without the transpose
/// where the dimensions of x keep their order.
struct TransposeOfBroadcast final : ProducerPattern<TransposeOp, BroadcastOp> {
  using ProducerPattern::ProducerPattern;

  LogicalResult rewrite(TransposeOp op, BroadcastOp producer,
                        PatternRewriter &rewriter) const override {
    int64_t rank = op.getType().getRank();
    SmallVector<int64_t> newPlace(rank), dims, order;
    for (auto [to, from] : llvm::enumerate(op.getPermutation()))
      newPlace[from] = to;
    for (int64_t dim : producer.getDims())
      dims.push_back(newPlace[dim]);
    llvm::append_range(order, llvm::seq<int64_t>(0, dims.size()));
    llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
    llvm::sort(dims);
    // Index operands stand in the order of the result's dimensions.
    SmallVector<Value> sizeOf(rank), sizes;
    unsigned next = 0;
    for (int64_t dim : producer.getRepeatedDims())
      if (producer.getType().isDynamicDim(dim))
        sizeOf[newPlace[dim]] = producer.getDynamicSizes()[next++];
    for (Value size : sizeOf)
      if (size)
        sizes.push_back(size);
    Value input = producer.getInput();
    if (!llvm::is_sorted(order))
      input = TransposeOp::create(rewriter, op.getLoc(), input, order);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), input, sizes,
                                             dims);
    return success();
  }
};

/// transpose that moves unit dimensions only -> squeeze, then broadcast.
struct TransposeOfUnits final : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getInput().getType();
    SmallVector<int64_t> units, order, places;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (isUnit(type, dim))
        units.push_back(dim);
    for (auto [to, from] : llvm::enumerate(op.getPermutation()))
      if (!isUnit(type, from)) {
        order.push_back(from);
        places.push_back(to);
      }
    if (units.empty() || !llvm::is_sorted(order))
      return rewriter.notifyMatchFailure(op, "moves more than unit dimensions");
    Value input = squeeze(rewriter, op.getLoc(), op.getInput(), units);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), input, places);
    return success();
  }
};

/// squeeze(transpose(x)) -> transpose(squeeze(x))
struct SqueezeOfTranspose final : ProducerPattern<SqueezeOp, TransposeOp> {
  using ProducerPattern::ProducerPattern;

  LogicalResult rewrite(SqueezeOp op, TransposeOp producer,
                        PatternRewriter &rewriter) const override {
    SmallVector<int64_t> dropped, permutation;
    for (int64_t dim : op.getDims())
      dropped.push_back(producer.getPermutation()[dim]);
    llvm::sort(dropped);
    for (auto [to, from] : llvm::enumerate(producer.getPermutation()))
      if (!llvm::is_contained(op.getDims(), to))
        permutation.push_back(shiftDim(from, dropped));
    Value input = squeeze(rewriter, op.getLoc(), producer.getInput(), dropped);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, input, permutation);
    return success();
  }
};

/// concat(x, y) -> x, where y has no elements along the concatenated dimension;
/// of more operands, those with elements are left.
struct ConcatOfNothing final : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim();
    SmallVector<Value> inputs =
        llvm::filter_to_vector(op.getInputs(), [&](Value input) {
          return cast<RankedTensorType>(input.getType()).getDimSize(dim) != 0;
        });
    if (inputs.empty() || inputs.size() == op.getInputs().size())
      return rewriter.notifyMatchFailure(
          op, "all operands, or none, have elements along the dimension");
    if (inputs.size() > 1) {
      rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), dim,
                                                    inputs);
      return success();
    }
    if (inputs.front().getType() != op.getType())
      return rewriter.notifyMatchFailure(
          op, "the operand with elements has another type than the result");
    rewriter.replaceOp(op, inputs.front());
    return success();
  }
};

} // namespace

void fusion::populateSimplifyShapesPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandUnitsToBroadcast, CollapseUnitsToSqueeze,
               SqueezeOfBroadcast, BroadcastOfSqueeze, TransposeOfBroadcast,
               TransposeOfUnits, SqueezeOfTranspose, ConcatOfNothing>(
      patterns.getContext());
}
