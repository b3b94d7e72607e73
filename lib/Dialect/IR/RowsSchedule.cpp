//===- RowsSchedule.cpp - Schedules of kernels over rows ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "ThreadGroups.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

LogicalResult RowsScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, RowsKind kind,
    unsigned blocks, unsigned cluster, unsigned threads, unsigned groups,
    unsigned rows, unsigned width, unsigned vectors, RowTraversal traversal,
    unsigned occupancy, uint64_t sharedBytes) {
  if (!cluster || !threads || !groups || !rows || !width || !vectors ||
      !occupancy)
    return emitError() << "expected positive counts of threads, groups, rows, "
                          "width, vectors, occupancy and cluster";
  // A negative count arrives here as a huge one.
  constexpr uint64_t maxCount = std::numeric_limits<int32_t>::max();
  for (uint64_t count : {uint64_t(blocks), uint64_t(cluster), uint64_t(threads),
                         uint64_t(groups), uint64_t(rows), uint64_t(width),
                         uint64_t(vectors), uint64_t(occupancy), sharedBytes})
    if (count > maxCount)
      return emitError() << "expected counts in [0, " << maxCount
                         << "], but got " << count;
  if (uint64_t(groups) * rows > maxCount)
    return emitError() << "expected at most " << maxCount
                       << " rows in a block, but got " << groups
                       << " groups of " << rows;
  if (failed(verifyThreadGroups(emitError, threads, groups)))
    return failure();
  // A lane of each warp sends to each block.
  if (cluster > 32 || blocks % cluster)
    return emitError() << "expected blocks in whole clusters of at most 32, "
                          "but got "
                       << blocks << " blocks in clusters of " << cluster;
  if (cluster > 1 && groups != 1)
    return emitError() << "expected one group in each block of a cluster, but "
                          "got "
                       << groups;
  if (!llvm::isPowerOf2_32(width))
    return emitError() << "expected width to be a power of two, but got "
                       << width;
  if (traversal == RowTraversal::Looped && rows != 1)
    return emitError() << "expected 1 row at a time for the looped traversal, "
                          "but got "
                       << rows;
  return success();
}

StringRef RowsScheduleAttr::getSchedulerName() const {
  switch (getKind()) {
  case RowsKind::InnerPersistent:
    return "inner-persistent";
  case RowsKind::InnerReduction:
    return "inner-reduction";
  }
  llvm_unreachable("unknown kind of row kernel");
}

unsigned RowsScheduleAttr::getLaunchCount() const {
  return getBlocks() ? 1 : 0;
}

unsigned RowsScheduleAttr::getThreadsPerBlock() const { return getThreads(); }

uint64_t RowsScheduleAttr::getSharedMemoryBytes() const {
  return getSharedBytes();
}
