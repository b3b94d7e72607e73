//===- FakeCudaDriver.h - What the fake driver saw --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_FAKECUDADRIVER_H
#define FUSION_UNITTESTS_RUNTIME_FAKECUDADRIVER_H

#include "CudaDriver.h"
#include <map>
#include <vector>

/// What was asked of the fake driver so far.
struct FakeCudaState {
  int liveAllocations = 0;
  int liveEvents = 0;
  unsigned fills = 0;
  unsigned kernelsRun = 0;
  unsigned graphLaunches = 0;
  /// Whether lines that a graph may have asked to keep are in the cache, and
  /// whether a graph may still run; fills that such lines outlived.
  bool linesKept = false, graphRuns = false;
  unsigned outlivedFills = 0;
  /// What a reset of the lines answers.
  mlir::fusion::cuda::Result resetResult = mlir::fusion::cuda::Success;
  /// Of the last comparison: its pieces of 16 bytes, and whether they are where
  /// it may load them.
  uint64_t comparedVectors = 0;
  bool comparesAligned = false;
  std::map<int, int> functionAttributes;
  mlir::fusion::cuda::LaunchConfig launch = {};
  std::vector<mlir::fusion::cuda::LaunchAttribute> attributes;
};

/// The name of the function that returns it: `FakeCudaState *()`.
constexpr const char *fakeCudaStateName = "fakeCudaState";

#endif // FUSION_UNITTESTS_RUNTIME_FAKECUDADRIVER_H
