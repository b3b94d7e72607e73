//===- RescaledSum.h - Sums of exponentials below a maximum -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A softmax has two reductions, the second of which needs the first one:
//
//     m = max(x)        s = sum(e) with e = exp(x - m)
//
// A part w of the row can work with its own maximum m_w instead, and correct
// what it has when m is known (Milakov and Gimelshein, Online normalizer
// calculation for softmax, 2018):
//
//     s = sum over w of s_w exp(m_w - m)        e = e_w exp(m_w - m)
//
// So both reductions take one exchange among the warps of a row.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWS_RESCALEDSUM_H
#define LIB_SCHEDULERS_ROWS_RESCALEDSUM_H

#include "mlir/IR/Builders.h"
#include <optional>

namespace mlir::fusion::rows {

class RowGraph;

/// Such a pair of reductions.
struct RescaledSum {
  /// Their numbers among the reductions of the graph. They are the only ones of
  /// their levels, that of the sum being the next one.
  unsigned maximum, sum;
  /// math.exp or math.exp2, the operand of the sum.
  Operation *exponential;
};

/// The first pair of the graph that may be combined: that of the maxima of x
/// with the sum of the exponentials of x - m, all in one float type, with
/// `reassoc` on the difference, the exponential and the sum, `afn` on the
/// exponential, and an element for each column.
std::optional<RescaledSum> findRescaledSum(const RowGraph &graph);

/// True if `op` could be the difference or the exponential of such a pair.
bool mayBeRescaled(Operation *op);

/// What a part of a row is corrected by, exp(part - whole), for scalar maxima.
/// It is 1 where both are the same infinity, and 0 where only the part has
/// nothing above -infinity.
Value emitCorrection(OpBuilder &builder, Location loc, Operation *exponential,
                     Value part, Value whole);

/// The maximum that a part of a row works with: the lowest finite number where
/// it has nothing above -infinity, so that its exponentials are 0 and not NaN.
Value emitFiniteMaximum(OpBuilder &builder, Location loc, Value maximum);

} // namespace mlir::fusion::rows

#endif // LIB_SCHEDULERS_ROWS_RESCALEDSUM_H
