//===- SimplifyReductions.cpp - Reduce before repeating -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Algebra.h"
#include "FusionDialect/IR/Fusion.h"
#include "Simplify.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// reduce(broadcast(x)) -> broadcast(reduce(x)), where what is repeated stays,
/// or is combined with itself by a kind for which that changes nothing (minima,
/// maxima, and, or). The same elements are combined, each once, so exact.
struct ReduceOfBroadcast final : ProducerPattern<ReduceOp, BroadcastOp> {
  using ProducerPattern::ProducerPattern;

  LogicalResult rewrite(ReduceOp op, BroadcastOp broadcast,
                        PatternRewriter &rewriter) const override {
    RankedTensorType repeated = broadcast.getType();
    bool isIdempotent =
        getCombinerTraits(op.getKind()).repetition == Repetition::Same;
    SmallVector<Value> sizes;
    auto size = broadcast.getDynamicSizes().begin();
    for (int64_t dim : broadcast.getRepeatedDims()) {
      bool isDynamic = repeated.isDynamicDim(dim);
      // No elements would be reduced to something else.
      bool hasElements = !isDynamic && repeated.getDimSize(dim) > 0;
      if (llvm::is_contained(op.getDims(), dim)) {
        if (!isIdempotent || !hasElements)
          return rewriter.notifyMatchFailure(
              op, "repeated elements are combined to another value");
        continue;
      }
      if (isDynamic)
        sizes.push_back(*size);
      size += isDynamic;
    }
    // What is reduced of x, and where its other dimensions come to stand.
    SmallVector<int64_t> reduced, places;
    SmallVector<int64_t> keptDims = op.getKeptDims();
    SmallVector<int64_t> shape;
    for (auto [from, to] : llvm::enumerate(broadcast.getDims())) {
      if (llvm::is_contained(op.getDims(), to)) {
        reduced.push_back(from);
        continue;
      }
      places.push_back(llvm::find(keptDims, to) - keptDims.begin());
      shape.push_back(broadcast.getInput().getType().getDimSize(from));
    }
    auto type = RankedTensorType::get(shape, op.getType().getElementType());
    Value narrow =
        ReduceOp::create(rewriter, op.getLoc(), type, op.getKind(),
                         broadcast.getInput(), reduced, op.getFastmath());
    if (static_cast<int64_t>(shape.size()) == op.getType().getRank() &&
        narrow.getType() == op.getType())
      rewriter.replaceOp(op, narrow);
    else
      rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), narrow, sizes,
                                               places);
    return success();
  }
};

} // namespace

void fusion::populateSimplifyReductionsPatterns(RewritePatternSet &patterns) {
  patterns.add<ReduceOfBroadcast>(patterns.getContext());
}
