//===- ProgramFlow.h - What segments exchange through memory ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with segments as a graph: which tensors each segment reads and
// writes, where they come from and go to, and what the segments cost. For
// people and for tests; no decision rests on it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_PROGRAMFLOW_H
#define FUSIONDIALECT_ANALYSIS_PROGRAMFLOW_H

#include "FusionDialect/Analysis/Scheduler.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>
#include <vector>

namespace mlir::fusion {

/// What a segment is predicted to cost with its schedule.
struct SegmentPrice {
  /// Kernels launched.
  unsigned launches = 1;
  Cost cost;
};

/// The price of `segment` with its schedule, or with the one that its scheduler
/// would plan; none if no scheduler of its name is registered, or if that
/// refuses it.
std::optional<SegmentPrice> getSegmentPrice(SegmentOp segment,
                                            const Facts &facts);

/// A tensor that a segment reads from memory or writes to it.
struct FlowingTensor {
  Value value;
  /// Bytes in memory (see getStoredBytes).
  uint64_t bytes = 0;
  /// Where it comes from: "argument 0", "segment 1 result 0", or the name of an
  /// operation.
  std::string source;
  /// The number of the segment that writes it.
  std::optional<unsigned> writer;
  /// The numbers of the segments that read it, ascending.
  llvm::SmallVector<unsigned, 2> readers;
  /// What else uses it, in program order: "the function", which returns it, or
  /// the name of an operation outside segments; each once.
  llvm::SmallVector<std::string, 1> otherUsers;

  /// True if one segment writes it and another reads it.
  bool isEdge() const { return writer && !readers.empty(); }
};

/// The segments of a function and what they exchange.
struct ProgramFlow {
  /// In program order; their numbers are their places here.
  std::vector<SegmentOp> segments;
  /// Operations in no segment that compute a tensor, constants left out.
  std::vector<Operation *> outside;
  /// In the order in which the segments read and write them first.
  std::vector<FlowingTensor> tensors;

  static ProgramFlow get(FunctionOpInterface function, const DimClasses &dims);
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_PROGRAMFLOW_H
