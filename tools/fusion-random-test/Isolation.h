//===- Isolation.h - Work in processes of its own ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_ISOLATION_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_ISOLATION_H

#include "Check.h"

namespace mlir::fusion {

struct IsolationOptions {
  /// Processes at once.
  unsigned jobs = 1;
  /// Items that one process works on, one after the other.
  unsigned batch = 20;
  /// Seconds that one item may take.
  unsigned timeLimit = 60;
};

/// Does one item; calls `enter` with the name of each step.
using IsolatedWork = llvm::function_ref<CheckResult(
    size_t item, llvm::function_ref<void(StringRef)> enter)>;

/// Does the items 0 to `count` - 1 in child processes and returns their
/// results in order. An item whose process dies is a crash, one that takes too
/// long is a hang; the message names the step. The caller has no threads.
std::vector<CheckResult>
runIsolated(size_t count, const IsolationOptions &options, IsolatedWork work);

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_ISOLATION_H
