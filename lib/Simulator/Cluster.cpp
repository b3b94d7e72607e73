//===- Cluster.cpp - Blocks that run together -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a cluster take turns on one host thread, so that nothing guards
// their shared memory.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Rounds in a row in which every block only waited, after which nothing will
/// happen any more: each round looks at another group of lanes of a warp.
static constexpr unsigned kIdleRounds = kLanes + 1;

Cluster::Cluster(Launch &launch) : launch(launch) {
  for (uint32_t rank = 0; rank < launch.clusterBlocks; ++rank)
    blocks.push_back(std::make_unique<Block>(launch, *this, rank));
}

void Cluster::start(uint32_t linear) {
  published = completed = nullptr;
  arrivals = 0;
  SimulatorExtents grid = launch.getClusterGrid(), size = launch.cluster;
  SimulatorExtents at{linear % grid.x, linear / grid.x % grid.y,
                      linear / (grid.x * grid.y)};
  for (auto &block : blocks) {
    int64_t rank = block->rank;
    block->start(launch.getLinear({at.x * size.x + rank % size.x,
                                   at.y * size.y + rank / size.x % size.y,
                                   at.z * size.z + rank / (size.x * size.y)}));
  }
}

Cluster::Progress Cluster::run() {
  for (unsigned idleRounds = 0;;) {
    bool advanced = false, polling = false, anyLive = false;
    for (auto &block : blocks) {
      if (block->exited)
        continue;
      Block::Step step = block->step();
      if (launch.stopped)
        return Failed;
      advanced |= step == Block::Advanced || step == Block::Exited;
      polling |= step == Block::Polling;
      if (llvm::any_of(block->warps, [](const Warp &warp) {
            return warp.state == Warp::Stuck;
          })) {
        reportStuck();
        return Failed;
      }
      if (step == Block::Exited) {
        block->exited = true;
        block->checkExit();
        continue;
      }
      anyLive = true;
    }
    if (!anyLive)
      return Done;
    if (advanced) {
      idleRounds = 0;
      continue;
    }
    if (polling)
      return Waiting;
    if (++idleRounds > kIdleRounds) {
      reportStuck();
      return Failed;
    }
  }
}

//===----------------------------------------------------------------------===//
// The barrier of the cluster
//===----------------------------------------------------------------------===//

void Cluster::completeBarrier() {
  if (!arrivals)
    return;
  for (const auto &block : blocks)
    for (const Warp &warp : block->warps)
      if (warp.live & ~warp.clusterArrived)
        return;
  for (auto &block : blocks)
    for (Warp &warp : block->warps) {
      warp.clusterPassed |= warp.clusterArrived;
      warp.clusterArrived = 0;
    }
  completed = std::move(published);
  published = nullptr;
  arrivals = 0;
}

//===----------------------------------------------------------------------===//
// The shared memory of the cluster
//===----------------------------------------------------------------------===//

Block *Block::resolve(uint64_t &address) {
  if (address < kClusterBase)
    return this;
  uint64_t owner = (address - kClusterBase) / kClusterStride;
  if (owner >= cluster.blocks.size())
    return nullptr;
  address = kSharedBase + (address - kClusterBase) % kClusterStride;
  return cluster.blocks[owner].get();
}

std::string Block::nameOf(uint64_t address) const {
  const Range *near = nullptr;
  for (const auto &range : shared)
    if (range->getBase() <= address)
      near = range.get();
  if (!near)
    return "an address outside shared memory";
  return "byte " + std::to_string(address - near->getBase()) + " of " +
         near->getName().str();
}

void Block::checkExit() {
  if (!exitClock)
    return;
  const BlockClock *own = nullptr;
  if (auto it = exitClock->blocks.find(linearId); it != exitClock->blocks.end())
    own = it->second.get();
  auto isOver = [&](AccessRecord record) {
    uint32_t entry = record.thread() / kLanes, lane = record.thread() % kLanes;
    if (record.isAsync()) {
      entry = warps.size() + record.thread();
      lane = 0;
    } else if (record.block() == linearId) {
      return true;
    }
    const BlockClock *clock = own;
    if (record.block() != linearId) {
      auto it = exitClock->blocks.find(record.block());
      clock = it == exitClock->blocks.end() ? nullptr : it->second.get();
    }
    return clock && entry < clock->size() &&
           (*clock)[entry].covers(lane, record.clock());
  };
  for (const auto &range : shared)
    range->forEachCell([&](size_t offset, const ShadowCell &cell) {
      for (AccessRecord record : {cell.write, cell.reads[0], cell.reads[1]})
        if (record && !record.isPending() && !isOver(record))
          reportLateAccess(*range, offset, record);
    });
}
