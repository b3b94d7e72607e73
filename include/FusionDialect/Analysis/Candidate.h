//===- Candidate.h - A set of operations that may become a kernel -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What schedulers are asked about: operations of one block, and what they read
// and write together. Asking never changes IR. The body of a segment is a
// candidate too.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_CANDIDATE_H
#define FUSIONDIALECT_ANALYSIS_CANDIDATE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::fusion {
class SegmentOp;

/// Operations that would form one segment.
struct Candidate {
  /// The operations, in program order.
  llvm::SetVector<Operation *> operations;
  /// Values from outside that the operations use, in order of first use.
  llvm::SetVector<Value> inputs;
  /// Results that the segment gives, in program order. An operation whose
  /// result is used outside but not given is computed again there.
  llvm::SmallVector<Value> outputs;
  /// True if each operation is known to be a kernel operation (see
  /// isKernelOperation); false says nothing.
  bool isChecked = false;

  /// The candidate of `operations`, which stand in one block in this order.
  static Candidate get(llvm::ArrayRef<Operation *> operations);
  /// The candidate of a segment's body: its arguments are the inputs, what it
  /// yields the outputs, in the order of the segment's operands and results.
  static Candidate get(SegmentOp segment);
};

/// The candidates that stand in `root`, each with its scope: the body of each
/// segment, and, of a function without segments, all schedulable operations of
/// its first block, if there are any. In program order.
llvm::SmallVector<std::pair<Operation *, Candidate>>
getCandidates(Operation *root);

/// What a glance at a candidate tells. Constants are not counted.
struct CandidateSummary {
  unsigned operations = 0;
  /// Reductions of at least one dimension.
  unsigned reductions = 0;
  /// The most elements that a reduction makes one of; dynamic extents count as
  /// 1.
  uint64_t longestReduction = 0;
  unsigned transposes = 0;
  /// tensor.expand_shape, tensor.collapse_shape and fusion.squeeze; where a
  /// graph knows them, also reductions over extents of 1 alone.
  unsigned reshapes = 0;
  unsigned inputs = 0;
  unsigned outputs = 0;
  /// Bytes of one element of each input together.
  unsigned inputElementBytes = 0;
  /// Different iteration spaces of reductions, and different sets of reduced
  /// loops in them. Only a graph knows them (SegmentGraph::getSummary); else 0.
  unsigned spaces = 0;
  unsigned signatures = 0;
  /// Two reductions reduce different loops of one space, and neither reduces
  /// all that the other does. Only a graph knows; else false.
  bool crossesReductions = false;

  /// True if two reductions reduce different loops of one space.
  bool mixesReductions() const { return signatures > spaces; }

  static CandidateSummary get(const Candidate &candidate);
  /// Counts `op`.
  void add(Operation *op);
  /// Counts the operations that `part` counts.
  void add(const CandidateSummary &part);
};

/// True if `op` computes on tensors in a way that a kernel can: element-wise
/// arith and math (casts round to nearest even), the shape operations and
/// reductions of the dialect, constant splats, tensor.splat and reshapes.
bool isSchedulable(Operation *op);

/// True if `op` is schedulable, defined for all operands and has one result:
/// kernels have no others.
bool isKernelOperation(Operation *op);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_CANDIDATE_H
