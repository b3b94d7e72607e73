//===- SplitReductions.cpp - Reduce in two stages where one stage waits ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ReductionSplit.h"
#include "FusionDialect/IR/Algebra.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

static constexpr llvm::StringLiteral remarkCategory = "fusion-split-reductions";

/// The bytes of a tensor whose dynamic extents count as 1.
static uint64_t getBytes(RankedTensorType type) {
  uint64_t bytes = std::max(type.getElementTypeBitWidth() / 8u, 1u);
  for (int64_t extent : type.getShape())
    bytes *= ShapedType::isDynamic(extent) ? 1 : extent;
  return bytes;
}

/// The type of partial results: minima and maxima are elements of the operand,
/// everything else is rounded only once, at the end.
static Type getPartialType(ReduceOp op) {
  bool chooses = getCombinerTraits(op.getKind()).order != ValueOrder::None;
  return chooses ? op.getInput().getType().getElementType()
                 : op.getAccumulatorType();
}

/// Replaces `op` by its two stages; returns the partial results.
static Value split(ReduceOp op, const ReductionSplit &split,
                   IRRewriter &rewriter) {
  rewriter.setInsertionPoint(op);
  RankedTensorType input = op.getInput().getType();
  SmallVector<int64_t> shape, finishDims;
  for (int64_t dim = 0; dim < input.getRank(); ++dim) {
    if (llvm::is_contained(split.aligned, dim))
      continue;
    if (llvm::is_contained(split.rest, dim))
      finishDims.push_back(shape.size());
    shape.push_back(input.getDimSize(dim));
  }
  Type partialType = getPartialType(op);
  Value partials = ReduceOp::create(
      rewriter, op.getLoc(), RankedTensorType::get(shape, partialType),
      op.getKind(), op.getInput(), split.aligned, op.getFastmath());
  Type resultType = op.getType().getElementType();
  bool narrows =
      resultType.getIntOrFloatBitWidth() < partialType.getIntOrFloatBitWidth();
  RankedTensorType totalType =
      narrows ? op.getType().clone(partialType) : op.getType();
  Value total = ReduceOp::create(rewriter, op.getLoc(), totalType, op.getKind(),
                                 partials, finishDims, op.getFastmath());
  if (narrows)
    total = arith::TruncFOp::create(rewriter, op.getLoc(), op.getType(), total);
  rewriter.replaceOp(op, total);
  return partials;
}

namespace {

struct SplitReductionsPass
    : fusion::impl::SplitReductionsPassBase<SplitReductionsPass> {
  using SplitReductionsPassBase::SplitReductionsPassBase;

  void runOnOperation() override {
    SmallVector<ReduceOp> reduces;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<SegmentOp>(op))
        return WalkResult::skip();
      if (auto reduce = dyn_cast<ReduceOp>(op))
        reduces.push_back(reduce);
      return WalkResult::advance();
    });
    // All are decided before one is changed: partial results are no
    // references.
    const auto &classes = getAnalysis<DimClasses>();
    SmallVector<std::pair<ReduceOp, ReductionSplit>> splits;
    for (ReduceOp op : reduces) {
      SplitResult result =
          findReductionSplit(op.getInput(), op.getDims(), op, classes);
      if (auto *split = std::get_if<ReductionSplit>(&result)) {
        splits.emplace_back(op, *split);
      } else if (auto *refusal = std::get_if<SplitRefusal>(&result)) {
        ++numDeclined;
        if (remarks)
          remark::missed(
              op.getLoc(),
              remark::RemarkOpts::name("declined").category(remarkCategory))
              << remark::reason("{0}", refusal->reason);
      }
    }
    if (splits.empty())
      return markAllAnalysesPreserved();
    IRRewriter rewriter(&getContext());
    for (auto &[op, decision] : splits)
      apply(op, decision, rewriter);
  }

  void apply(ReduceOp op, const ReductionSplit &decision,
             IRRewriter &rewriter) {
    ++numSplit;
    Location loc = op.getLoc();
    uint64_t points = 1;
    for (int64_t extent : op.getInput().getType().getShape())
      points *= ShapedType::isDynamic(extent) ? 1 : extent;
    uint64_t operandBytes = getBytes(op.getInput().getType());
    uint64_t resultBytes = getBytes(op.getType());
    Value partials = split(op, decision, rewriter);
    if (!remarks)
      return;
    auto partialType = cast<RankedTensorType>(partials.getType());
    // The operand is read by the reference's loop anyway.
    remark::passed(loc,
                   remark::RemarkOpts::name("split").category(remarkCategory))
        << remark::metric("partials", partialType)
        << remark::metric("pointsBefore", points)
        << remark::metric(
               "pointsAfter",
               points +
                   getBytes(partialType) /
                       std::max(partialType.getElementTypeBitWidth() / 8u, 1u))
        << remark::metric("bytesBefore", operandBytes + resultBytes)
        << remark::metric("bytesAfter",
                          2 * getBytes(partialType) + resultBytes);
  }
};

} // namespace
