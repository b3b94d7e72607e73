//===- FusionAttrs.cpp - Attributes of the fusion dialect -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "ThreadGroups.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

#define GET_ATTRDEF_CLASSES
#include "FusionDialect/IR/FusionAttrs.cpp.inc"

void FusionDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "FusionDialect/IR/FusionAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// InnerOuterScheduleAttr
//===----------------------------------------------------------------------===//

LogicalResult InnerOuterScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, unsigned blocks,
    unsigned cluster, unsigned threads, unsigned groups, unsigned rows,
    unsigned width, unsigned vectors, Loader loader, unsigned stages,
    Residency keep, Residency params, FinishMode finish, unsigned finishBlocks,
    unsigned finishThreads, uint64_t sharedBytes) {
  if (!blocks || !threads || !groups || !rows || !width || !vectors || !stages)
    return emitError() << "expected positive counts of blocks, threads, "
                          "groups, rows, width, vectors and stages";
  // A negative count arrives here as a huge one.
  constexpr uint64_t maxCount = std::numeric_limits<int32_t>::max();
  for (uint64_t count :
       {uint64_t(blocks), uint64_t(threads), uint64_t(groups), uint64_t(rows),
        uint64_t(width), uint64_t(vectors), uint64_t(stages),
        uint64_t(finishBlocks), uint64_t(finishThreads), sharedBytes})
    if (count > maxCount)
      return emitError() << "expected counts in [0, " << maxCount
                         << "], but got " << count;
  if (uint64_t(groups) * rows > maxCount)
    return emitError() << "expected at most " << maxCount
                       << " rows in a tile, but got " << groups << " groups of "
                       << rows;
  if (!llvm::isPowerOf2_32(cluster))
    return emitError() << "expected cluster to be a power of two, but got "
                       << cluster;
  if (blocks % cluster)
    return emitError() << "expected whole clusters, but got " << blocks
                       << " blocks in clusters of " << cluster;
  if (failed(verifyThreadGroups(emitError, threads, groups)))
    return failure();
  if (cluster > 1 && threads / groups % 32)
    return emitError() << "expected groups of whole warps in a cluster, but "
                          "got "
                       << threads / groups << " threads";
  if (!llvm::isPowerOf2_32(width))
    return emitError() << "expected width to be a power of two, but got "
                       << width;
  if (loader == Loader::Direct && stages != 1)
    return emitError() << "expected 1 stage for the direct loader, but got "
                       << stages;
  if (loader == Loader::AsyncCopy && stages < 2)
    return emitError() << "expected at least 2 stages for the async_copy "
                          "loader, but got "
                       << stages;
  if (loader == Loader::Direct && keep == Residency::Shared)
    return emitError() << "expected keep = registers for the direct loader: "
                          "it has no ring to read again";
  if (finishBlocks && (!finishThreads || finishThreads % 32))
    return emitError() << "expected finish_threads to be a positive multiple "
                          "of 32, but got "
                       << finishThreads;
  if (finish == FinishMode::GridBarrier && finishBlocks &&
      threads % finishThreads)
    return emitError() << "expected finish_threads that divide threads for a "
                          "grid_barrier, but got "
                       << finishThreads << " and " << threads;
  return success();
}

StringRef InnerOuterScheduleAttr::getSchedulerName() const {
  return "inner-outer-persistent";
}

unsigned InnerOuterScheduleAttr::getLaunchCount() const {
  return getFinishBlocks() && getFinish() != FinishMode::GridBarrier ? 2 : 1;
}

unsigned InnerOuterScheduleAttr::getThreadsPerBlock() const {
  return getThreads();
}

uint64_t InnerOuterScheduleAttr::getSharedMemoryBytes() const {
  return getSharedBytes();
}
