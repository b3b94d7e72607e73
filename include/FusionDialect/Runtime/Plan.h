//===- Plan.h - What the compiler decided, for people -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The segments of a function with their schedules, taken from the program
// before it is lowered, and the launches of its host function, taken
// afterwards. Printed as text and as JSON.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_PLAN_H
#define FUSIONDIALECT_RUNTIME_PLAN_H

#include "FusionDialect/Runtime/Device.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace mlir::fusion {

/// Extents of a grid or block; without a value where they depend on the input.
using PlannedExtents = std::array<std::optional<int64_t>, 3>;

/// One launch of the host function.
struct PlannedLaunch {
  std::string module;
  std::string kernel;
  /// plain, cooperative or dependent.
  std::string mode = "plain";
  PlannedExtents grid, block;
  std::optional<PlannedExtents> cluster;
  /// Dynamic shared memory of a block, in bytes; without a value if it depends
  /// on the input.
  std::optional<int64_t> sharedBytes;
  KernelResources resources;
};

/// One fusion.segment.
struct PlannedSegment {
  std::string name;
  std::string location;
  std::string scheduler;
  /// The schedule attribute as text; empty if the segment has none.
  std::string schedule;
  unsigned launchCount = 0;
  unsigned threads = 0;
  unsigned blocks = 0;
  uint64_t sharedBytes = 0;
  /// What the cost model expects: bytes moved to and from device memory, and
  /// microseconds.
  std::optional<uint64_t> predictedBytes;
  std::optional<double> predictedMicroseconds;
  std::vector<PlannedLaunch> launches;
};

/// An operation that is in no segment.
struct PlannedOutside {
  std::string operation;
  std::string location;
};

/// A tensor that one segment writes to memory and others read.
struct PlannedEdge {
  unsigned from = 0;
  std::vector<unsigned> to;
  std::string type;
  /// Of the tensor; each reader moves them again.
  uint64_t bytes = 0;
};

/// The plan of one function.
struct Plan {
  std::vector<PlannedSegment> segments;
  std::vector<PlannedOutside> outside;
  std::vector<PlannedEdge> edges;
  /// Launches that cannot be assigned to a segment: all of them where the file
  /// was lowered already.
  std::vector<PlannedLaunch> launches;

  /// Calls `visit` on every launch.
  void forEachLaunch(llvm::function_ref<void(PlannedLaunch &)> visit);
};

/// Reads the segments of `function`, and the operations outside of them that
/// compute something.
Plan collectSegments(func::FuncOp function);

/// Adds the launches of the lowered `function` and of the functions it calls.
/// Each segment takes as many as its schedule says, in order; if the numbers do
/// not add up, the launches are listed on their own.
void collectLaunches(func::FuncOp function, Plan &plan);

/// Prints the plan, one fact a line.
void printPlan(const Plan &plan, llvm::raw_ostream &os);

/// The plan as JSON; unknown facts are null.
llvm::json::Value toJSON(const Plan &plan);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_PLAN_H
