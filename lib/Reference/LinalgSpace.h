//===- LinalgSpace.h - The index space of a linalg operation ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linalg operation runs its body at each index of a space of loops:
//
//   for each (i0, ..., in):
//     yielded = body(operand0[map0(i)], ..., init0[...], ...)
//     result0[...], ... = yielded
//
// The maps of operands are linear here; a result starts as its init.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_LINALGSPACE_H
#define FUSION_LIB_REFERENCE_LINALGSPACE_H

#include "Graph.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion::reference {

/// Where an operand is read or written at an index of the loops: row d gives
/// the position in dimension d as the coefficients of the loops and a constant
/// (see GraphBuilder::createLinearView).
using LinearPositions = SmallVector<SmallVector<int64_t>>;

/// The loops of a linalg operation on operands of known extents.
struct LinalgSpace {
  /// The extents of the loops.
  SmallVector<int64_t> extents;
  /// The positions in each operand: inputs, then inits.
  SmallVector<LinearPositions> positions;

  /// The loop that walks along a dimension alone, from 0 in steps of 1; empty
  /// if the row says anything else.
  static std::optional<size_t> getLoop(ArrayRef<int64_t> row);
};

/// The space of `op`. Fails with an error if a map is not linear, the extents
/// contradict each other, or a position is out of bounds.
FailureOr<LinalgSpace> getLinalgSpace(linalg::LinalgOp op, GraphBuilder &graph);

/// Adds the results of `op` by running the loops one after the other, in
/// lexicographic order, as they are written: for bodies that are neither
/// element-wise nor one reduction, and for Precision::Type.
LogicalResult addLinalgLoops(linalg::LinalgOp op, const LinalgSpace &space,
                             GraphBuilder &graph);

/// True if the reference interprets `op` in the body of a linalg operation.
bool isBodyOperation(Operation *op);

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_LINALGSPACE_H
