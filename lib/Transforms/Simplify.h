//===- Simplify.h - The rewrites of fusion-simplify -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SIMPLIFY_H
#define LIB_TRANSFORMS_SIMPLIFY_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::fusion {

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
