//===- ExecuteCluster.cpp - Barriers and addresses of a cluster ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also what concerns the launch as a whole, and elections in a warp.
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

//===----------------------------------------------------------------------===//
// The barrier of the cluster
//===----------------------------------------------------------------------===//

void mlir::fusion::sim::executeClusterArrive(Warp &warp, const Instr &instr) {
  if ((instr.imm & ClusterAligned) && !warp.converge(instr, ~0u))
    return;
  Cluster &cluster = warp.block->cluster;
  uint32_t arrived = warp.clusterArrived | warp.clusterPassed;
  if (uint32_t twice = warp.mask & arrived)
    return reportMisuse(warp, instr, llvm::countr_zero(twice),
                        "the thread arrives at the cluster's barrier twice "
                        "without waiting in between");
  cluster.published =
      joinClocks(cluster.published,
                 instr.imm & ClusterRelaxed ? warp.fenced : warp.release());
  warp.clusterArrived |= warp.mask;
  cluster.arrivals += llvm::popcount(warp.mask);
  warp.block->noteChange();
  cluster.completeBarrier();
}

void mlir::fusion::sim::executeClusterWait(Warp &warp, const Instr &instr) {
  if ((instr.imm & ClusterAligned) && !warp.converge(instr, ~0u))
    return;
  uint32_t arrived = warp.clusterArrived | warp.clusterPassed;
  if (uint32_t absent = warp.mask & ~arrived)
    return reportMisuse(warp, instr, llvm::countr_zero(absent),
                        "the thread waits at the cluster's barrier without "
                        "having arrived");
  uint32_t ready = warp.mask & warp.clusterPassed;
  if (!ready)
    return warp.waitAgain(instr);
  continueLanes(warp, instr, ready);
  warp.clusterPassed &= ~ready;
  warp.acquire(warp.block->cluster.completed);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

void mlir::fusion::sim::executeMapAddress(Warp &warp, const Instr &instr) {
  const uint64_t *address = warp.reg<uint64_t>(instr.a);
  uint64_t *dst = warp.reg<uint64_t>(instr.dst);
  Launch &launch = warp.block->launch;
  size_t blocks = warp.block->cluster.blocks.size();
  forLanes(warp.mask, [&](unsigned lane) {
    uint32_t rank = instr.b == kNoRegister ? warp.block->rank
                                           : warp.reg<uint32_t>(instr.b)[lane];
    uint64_t own = address[lane];
    if (own >= kClusterBase)
      own = kSharedBase + (own - kClusterBase) % kClusterStride;
    if (own < kSharedBase || rank >= blocks)
      launch.report(FindingKind::OutOfBounds,
                    own < kSharedBase ? "the address is not in shared memory"
                                      : "the cluster has no block with rank " +
                                            std::to_string(rank) + ", but " +
                                            std::to_string(blocks) + " blocks",
                    launch.describe(warp.block->linearId, warp.getThread(lane),
                                    instr.op, "address in the cluster"));
    dst[lane] = kClusterBase + rank * kClusterStride + (own - kSharedBase);
  });
}

//===----------------------------------------------------------------------===//
// The launch before
//===----------------------------------------------------------------------===//

void mlir::fusion::sim::executeGridWait(Warp &warp, const Instr &instr) {
  if (!warp.block->launch.previous.program)
    return;
  auto clocks = std::make_shared<ForeignClock>();
  clocks->blocks[kPreviousGrid] =
      std::make_shared<BlockClock>(1, ClockEntry{1, 0, 0});
  warp.acquire(clocks);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// The lanes that take part, by the mask in `mask` (i32) if there is one.
static uint32_t getMembers(const Warp &warp, uint32_t mask) {
  return mask == kNoRegister
             ? ~0u
             : warp.reg<uint32_t>(mask)[llvm::countr_zero(warp.mask)];
}

void mlir::fusion::sim::executeElect(Warp &warp, const Instr &instr) {
  uint32_t members = getMembers(warp, instr.a);
  if (uint32_t outside = warp.mask & ~members)
    return reportLeftOut(warp, instr, llvm::countr_zero(outside), members);
  if (!warp.converge(instr, members))
    return;
  // Which lane it is, is the hardware's choice; always the same one.
  unsigned leader = llvm::countr_zero(warp.mask & members);
  uint8_t *dst = warp.reg<uint8_t>(instr.dst);
  forLanes(warp.mask, [&](unsigned lane) { dst[lane] = lane == leader; });
}
