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
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Rounds in a row in which every block only waited, after which nothing will
/// happen any more: each round looks at another group of lanes of a warp.
static constexpr unsigned kIdleRounds = kLanes + 1;

/// Idle turns in a row from which on states are compared; a power of two. Most
/// waits are shorter.
static constexpr uint64_t kTurnsBeforeDigests = 64;

Cluster::Cluster(Launch &launch) : launch(launch) {
  for (uint32_t rank = 0; rank < launch.clusterBlocks; ++rank)
    blocks.push_back(std::make_unique<Block>(launch, *this, rank));
}

void Cluster::start(uint32_t linear) {
  published = completed = nullptr;
  arrivals = 0;
  backEdges = idleSince = idleTurns = 0;
  repeats = false;
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
// Deadlock
//===----------------------------------------------------------------------===//

std::array<uint64_t, 2> Cluster::getDigest() const {
  std::vector<uint64_t> parts;
  auto add = [&](const void *data, size_t bytes) {
    llvm::XXH128_hash_t hash =
        llvm::xxh3_128bits({static_cast<const uint8_t *>(data), bytes});
    parts.insert(parts.end(), {hash.low64, hash.high64});
  };
  const Instr *code = launch.program.code.data();
  for (const auto &block : blocks)
    for (const Warp &warp : block->warps) {
      uint64_t flags = warp.state << 2 | warp.rotated << 1 | warp.polled;
      parts.insert(parts.end(), {uint64_t(warp.ip - code), warp.mask, warp.live,
                                 flags, warp.clusterArrived, warp.clusterPassed,
                                 warp.copies.size()});
      for (const LaneGroup &group : warp.groups)
        parts.insert(parts.end(), {group.pc, group.mask, group.needed});
      add(warp.committedGroups.data(), sizeof(warp.committedGroups));
      add(warp.regs, launch.program.registerBytes);
    }
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(parts.data()),
                          parts.size() * sizeof(uint64_t)});
  return {hash.low64, hash.high64};
}

void Cluster::noteIdleTurn(uint64_t changes) {
  if (idleSince != changes) {
    idleSince = changes;
    idleTurns = 0;
    repeats = false;
  }
  ++idleTurns;
  if (repeats || idleTurns < kTurnsBeforeDigests)
    return;
  // Lanes poll in turn, so it may take several turns to come back. Comparing
  // with the turn of the latest power of two finds any period (Brent, 1980).
  std::array<uint64_t, 2> digest = getDigest();
  repeats = idleTurns > kTurnsBeforeDigests && digest == earlier;
  if (llvm::isPowerOf2_64(idleTurns))
    earlier = digest;
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
  if (auto it = exitClock->blocks.find(getKey()); it != exitClock->blocks.end())
    own = it->second.get();
  auto isOver = [&](AccessRecord record) {
    uint32_t entry = record.thread() / kLanes, lane = record.thread() % kLanes;
    if (record.isAsync()) {
      entry = warps.size() + record.thread();
      lane = 0;
    } else if (record.block() == getKey()) {
      return true;
    }
    const BlockClock *clock = own;
    if (record.block() != getKey()) {
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
