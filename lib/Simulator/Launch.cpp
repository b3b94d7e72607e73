//===- Launch.cpp - Runs the blocks of a launch ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host threads take blocks from a queue. A block that only polls is put back
// and another one started or continued, so that blocks that wait for one
// another all advance, as long as they fit on the device together.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Turns in a row in which blocks only polled and nothing changed, per resident
/// block, after which they are taken to wait for ever. Generous, because a
/// kernel may count a bounded number of polls.
static constexpr uint64_t kIdleTurnsPerBlock = 4096;

SimulatorExtents Launch::getThreadId(uint32_t thread) const {
  return {thread % block.x, thread / block.x % block.y,
          thread / (block.x * block.y)};
}

SimulatorExtents Launch::getBlockId(uint32_t linear) const {
  return {linear % grid.x, linear / grid.x % grid.y,
          linear / (grid.x * grid.y)};
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

std::unique_ptr<Block> Launch::takeBlock() {
  std::unique_ptr<Block> block;
  uint32_t linear = 0;
  int64_t limit = options.limits.maxResidentBlocks;
  {
    std::lock_guard<std::mutex> guard(queueMutex);
    if (stopped)
      return nullptr;
    if (nextBlock == blocks || (limit > 0 && resident >= limit)) {
      if (waiting.empty())
        return nullptr;
      block = std::move(waiting.front());
      waiting.pop_front();
      block->changed = false;
      running.push_back(block.get());
      return block;
    }
    linear = nextBlock++;
    ++resident;
    idleTurns = 0;
    if (!idle.empty()) {
      block = std::move(idle.back());
      idle.pop_back();
    }
  }
  if (!block)
    block = std::make_unique<Block>(*this);
  block->start(linear);
  block->changed = false;
  std::lock_guard<std::mutex> guard(queueMutex);
  running.push_back(block.get());
  return block;
}

void Launch::giveBlock(std::unique_ptr<Block> block, Block::Progress progress) {
  std::lock_guard<std::mutex> guard(queueMutex);
  // Nothing happened if that is so of this turn and of those still going on.
  bool anyChange = llvm::any_of(
      running, [](const Block *other) { return other->changed.load(); });
  llvm::erase(running, block.get());
  idleTurns = anyChange || progress == Block::Done ? 0 : idleTurns + 1;
  if (progress == Block::Done) {
    --resident;
    idle.push_back(std::move(block));
    return;
  }
  if (progress == Block::Failed)
    return;
  if (idleTurns > kIdleTurnsPerBlock * (uint64_t(resident) + 1))
    reportDeadlock(*block);
  waiting.push_back(std::move(block));
}

void Launch::reportDeadlock(Block &block) {
  stopped = true;
  std::string message = "every thread that runs polls memory that nobody "
                        "changes any more";
  if (nextBlock < blocks)
    message += "; " + std::to_string(resident) + " of " +
               std::to_string(blocks) +
               " blocks fit on the device at once, the others never start";
  for (const Warp &warp : block.warps)
    if (warp.state == Warp::Runnable && warp.mask) {
      report(FindingKind::Deadlock, message,
             describe(block.linearId,
                      warp.getThread(llvm::countr_zero(warp.mask)), warp.waitOp,
                      "waits here"));
      return;
    }
}

void Launch::work() {
  // A thread that finds nothing to do leaves; the blocks others hold are theirs
  // to finish. At least one thread holds or takes every block that waits.
  while (std::unique_ptr<Block> block = takeBlock()) {
    Block::Progress progress = block->run();
    giveBlock(std::move(block), progress);
  }
}

void Launch::run() {
  unsigned threads = std::min<uint64_t>(
      llvm::hardware_concurrency(options.hostThreads).compute_thread_count(),
      blocks);
  parallel = threads > 1;
  if (!parallel)
    return work();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (unsigned i = 0; i < threads; ++i)
    pool.async([this] { work(); });
  pool.wait();
}
