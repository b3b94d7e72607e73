//===- ThreadGroups.cpp - Checks that schedules share ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadGroups.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

LogicalResult
fusion::verifyThreadGroups(function_ref<InFlightDiagnostic()> emitError,
                           unsigned threads, unsigned groups) {
  if (threads % groups)
    return emitError() << "expected groups to divide threads, but got "
                       << groups << " and " << threads;
  // A group is whole warps, or a part of one warp that shuffles can address.
  unsigned perRow = threads / groups;
  if (perRow % 32 && !(perRow < 32 && llvm::isPowerOf2_32(perRow)))
    return emitError() << "expected a group of whole warps or of a power of "
                          "two below 32 threads, but got "
                       << perRow << " threads";
  if (threads % 32)
    return emitError() << "expected threads to be a multiple of 32, but got "
                       << threads;
  return success();
}
