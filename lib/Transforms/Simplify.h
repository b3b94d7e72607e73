//===- Simplify.h - The rewrites of fusion-simplify -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SIMPLIFY_H
#define LIB_TRANSFORMS_SIMPLIFY_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Rewrites an `OpT` whose input a `ProducerT` computes.
template <typename OpT, typename ProducerT>
struct ProducerPattern : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const final {
    if (auto producer = op.getInput().template getDefiningOp<ProducerT>())
      return rewrite(op, producer, rewriter);
    return rewriter.notifyMatchFailure(op, [](Diagnostic &note) {
      note << "input is no " << ProducerT::getOperationName();
    });
  }

  /// Replaces `op`, or says why not.
  virtual LogicalResult rewrite(OpT op, ProducerT producer,
                                PatternRewriter &rewriter) const = 0;
};

/// Chains of broadcast, squeeze, transpose and unit reshapes become one
/// broadcast, or less.
void populateSimplifyShapesPatterns(RewritePatternSet &patterns);

/// Element-wise operations on repeated values move before the repetition, and
/// values without elements become constants.
void populateSimplifyElementwisePatterns(RewritePatternSet &patterns);

/// Shifts and casts of constants that are out of range get the value of the
/// reference.
void populateSimplifyOutOfRangePatterns(RewritePatternSet &patterns);

/// Reductions of repeated values move before the repetition.
void populateSimplifyReductionsPatterns(RewritePatternSet &patterns);

} // namespace mlir::fusion

#endif // LIB_TRANSFORMS_SIMPLIFY_H
