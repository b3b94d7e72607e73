//===- Launch.cpp - Runs the blocks of a launch ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host threads take clusters (mostly of one block) from a queue. One that only
// polls is put back and another one started or continued, so that blocks that
// wait for one another all advance, as long as they fit on the device together.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

SimulatorExtents Launch::getThreadId(uint32_t thread) const {
  return {thread % block.x, thread / block.x % block.y,
          thread / (block.x * block.y)};
}

SimulatorExtents Launch::getBlockId(uint32_t linear) const {
  return {linear % grid.x, linear / grid.x % grid.y,
          linear / (grid.x * grid.y)};
}

uint32_t Launch::getLinear(SimulatorExtents blockId) const {
  return blockId.x + grid.x * (blockId.y + grid.y * blockId.z);
}

FindingAccess Launch::describe(uint32_t block, uint32_t thread, uint32_t op,
                               std::string action) const {
  return {program.locations[op], getBlockId(block), getThreadId(thread),
          std::move(action)};
}

void Launch::report(FindingKind kind, std::string message, FindingAccess access,
                    std::optional<FindingAccess> other) {
  std::lock_guard<std::mutex> guard(findingsMutex);
  // The same two operations in either order are one finding.
  auto isSame = [&](const Finding &known) {
    if (known.kind != kind || known.other.has_value() != other.has_value())
      return false;
    if (!other)
      return known.access.loc == access.loc;
    return (known.access.loc == access.loc && known.other->loc == other->loc) ||
           (known.access.loc == other->loc && known.other->loc == access.loc);
  };
  auto it = llvm::find_if(findings, isSame);
  if (it != findings.end()) {
    ++it->count;
    return;
  }
  if (stopped && findings.size() >= options.maxFindings)
    return;
  findings.push_back(
      {kind, std::move(message), std::move(access), std::move(other)});
  if (findings.size() >= options.maxFindings)
    stopped = true;
}

/// True if there is a cluster that has not started, and room for it.
bool Launch::canStart() const {
  return nextCluster != blocks / clusterBlocks &&
         (!residentClusters || resident < residentClusters);
}

std::unique_ptr<Cluster> Launch::takeCluster() {
  std::unique_ptr<Cluster> cluster;
  uint32_t linear = 0;
  {
    std::lock_guard<std::mutex> guard(queueMutex);
    if (stopped)
      return nullptr;
    if (!canStart()) {
      if (waiting.empty())
        return nullptr;
      cluster = std::move(waiting.front());
      waiting.pop_front();
      cluster->changed = false;
      running.push_back(cluster.get());
      return cluster;
    }
    linear = nextCluster++;
    ++resident;
    idleTurns = 0;
    if (!idle.empty()) {
      cluster = std::move(idle.back());
      idle.pop_back();
    }
  }
  if (!cluster)
    cluster = std::make_unique<Cluster>(*this);
  cluster->start(linear);
  cluster->changed = false;
  std::lock_guard<std::mutex> guard(queueMutex);
  running.push_back(cluster.get());
  return cluster;
}

void Launch::giveCluster(std::unique_ptr<Cluster> cluster,
                         Cluster::Progress progress) {
  std::lock_guard<std::mutex> guard(queueMutex);
  // Nothing happened if that is so of this turn and of those still going on.
  bool anyChange = llvm::any_of(
      running, [](const Cluster *other) { return other->changed.load(); });
  llvm::erase(running, cluster.get());
  ++idleTurns;
  if (anyChange || progress == Cluster::Done) {
    idleTurns = 0;
    ++changes;
  }
  if (progress == Cluster::Done) {
    --resident;
    idle.push_back(std::move(cluster));
    return;
  }
  if (progress == Cluster::Failed)
    return;
  cluster->noteIdleTurn(changes);
  Cluster &last = *cluster;
  waiting.push_back(std::move(cluster));
  uint64_t most = options.maxIdleTurns;
  if (last.repeats && isDeadlock())
    reportDeadlock(last, "every thread that runs polls memory that nobody "
                         "changes any more");
  else if (most && idleTurns >= most)
    reportDeadlock(last, "given up after " + std::to_string(most) +
                             " turns of blocks in which threads only polled "
                             "and nothing changed");
}

/// Every cluster repeats itself until something changes: nothing ever will.
bool Launch::isDeadlock() const {
  auto isStuck = [&](const Cluster &cluster) {
    return cluster.repeats && cluster.idleSince == changes &&
           !cluster.changed.load();
  };
  // One that is being started is neither running nor waiting yet.
  return !canStart() && running.size() + waiting.size() == resident &&
         llvm::all_of(running, [&](const Cluster *c) { return isStuck(*c); }) &&
         llvm::all_of(waiting, [&](const auto &c) { return isStuck(*c); });
}

void Launch::reportDeadlock(Cluster &cluster, std::string message) {
  stopped = true;
  if (nextCluster < blocks / clusterBlocks)
    message += "; " + std::to_string(resident * clusterBlocks) + " of " +
               std::to_string(blocks) +
               " blocks fit on the device at once, the others never start";
  for (const auto &block : cluster.blocks)
    for (const Warp &warp : block->warps)
      if (warp.state == Warp::Runnable && warp.mask && !warp.waitsForCluster) {
        report(FindingKind::Deadlock, message,
               describe(block->linearId,
                        warp.getThread(llvm::countr_zero(warp.mask)),
                        warp.waitOp, "waits here"));
        return;
      }
}

void Launch::work() {
  // A thread that finds nothing to do leaves; the clusters others hold are
  // theirs to finish. At least one thread holds or takes every one that waits.
  while (std::unique_ptr<Cluster> cluster = takeCluster()) {
    Cluster::Progress progress = cluster->run();
    giveCluster(std::move(cluster), progress);
  }
}

void Launch::run() {
  unsigned threads = std::min<uint64_t>(
      llvm::hardware_concurrency(options.hostThreads).compute_thread_count(),
      blocks / clusterBlocks);
  parallel = threads > 1;
  if (!parallel)
    return work();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (unsigned i = 0; i < threads; ++i)
    pool.async([this] { work(); });
  pool.wait();
}
