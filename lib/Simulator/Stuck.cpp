//===- Stuck.cpp - Why threads wait for ever ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stops a cluster for ever, and what its blocks leave behind.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Operations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// A thread that waits, and where.
namespace {
struct WaitingThread {
  enum Kind { AtBarrier, ForLanes, ForMbarrier, ForCluster };
  Kind kind;
  uint32_t thread;
  const Instr *instr;
  uint32_t op;
  Warp *warp;
};
} // namespace

/// What keeps lanes at `instr`, if they are not in one of the barriers of their
/// block.
static WaitingThread::Kind getKind(const Instr &instr) {
  if (instr.handler == &executeMbarrierWait)
    return WaitingThread::ForMbarrier;
  if (instr.handler == &executeClusterWait)
    return WaitingThread::ForCluster;
  // Barriers need all lanes of a warp; shuffles have a result.
  return instr.dst == kNoRegister ? WaitingThread::AtBarrier
                                  : WaitingThread::ForLanes;
}

static std::vector<WaitingThread> collectWaiting(Block &block) {
  const Program &program = block.launch.program;
  std::vector<WaitingThread> waiting;
  for (Warp &warp : block.warps) {
    auto add = [&](WaitingThread::Kind kind, uint32_t mask, const Instr *instr,
                   uint32_t op) {
      waiting.push_back(
          {kind, warp.getThread(llvm::countr_zero(mask)), instr, op, &warp});
    };
    if (warp.state == Warp::AtBarrier && warp.mask)
      add(WaitingThread::AtBarrier, warp.mask, nullptr, warp.waitOp);
    else if (warp.state == Warp::Runnable && warp.mask)
      add(getKind(*warp.ip), warp.mask, warp.ip, warp.ip->op);
    for (const LaneGroup &group : warp.groups) {
      const Instr &instr = program.code[group.pc];
      add(getKind(instr), group.mask, &instr, instr.op);
    }
  }
  return waiting;
}

static FindingAccess describe(const Block &block, const WaitingThread &thread) {
  return block.launch.describe(block.linearId, thread.thread, thread.op,
                               "waits here");
}

/// A shuffle that some lane of its warp never comes to explains the rest.
static bool reportMissingLane(Block &block,
                              const std::vector<WaitingThread> &waiting) {
  for (const WaitingThread &first : waiting) {
    if (first.kind != WaitingThread::ForLanes)
      continue;
    std::optional<FindingAccess> other;
    for (const WaitingThread &second : waiting)
      if (&second != &first && second.warp == first.warp)
        other = describe(block, second);
    block.launch.report(FindingKind::InactiveLane,
                        "a lane that the operation needs never comes to it",
                        describe(block, first), other);
    return true;
  }
  return false;
}

/// A phase of an mbarrier that never ends, and what is missing.
static bool reportMbarrier(Block &block,
                           const std::vector<WaitingThread> &waiting) {
  for (const WaitingThread &thread : waiting) {
    if (thread.kind != WaitingThread::ForMbarrier)
      continue;
    uint64_t address =
        thread.warp->reg<uint64_t>(thread.instr->a)[thread.thread % kLanes];
    Block *owner = block.resolve(address);
    const Mbarrier *mbarrier = owner ? owner->findMbarrier(address) : nullptr;
    if (!mbarrier)
      continue;
    block.launch.report(
        FindingKind::Deadlock,
        "phase " + std::to_string(mbarrier->phase) + " of the mbarrier at " +
            owner->nameOf(address) + " never ends: it misses " +
            std::to_string(mbarrier->missing) + " of " +
            std::to_string(mbarrier->expected) + " arrivals and " +
            std::to_string(mbarrier->transactions) + " bytes",
        describe(block, thread));
    return true;
  }
  return false;
}

/// True if a thread waits at a barrier with a number, which need not be for all
/// threads of the block.
static bool isNumbered(const Block &block, const WaitingThread &thread) {
  for (const Barrier &barrier : block.barriers)
    for (const Barrier::Arrival &arrival : barrier.arrivals)
      if (arrival.warp == thread.warp && !arrival.published)
        return !arrival.sameOp;
  return false;
}

/// Threads of a block at different barriers, or at one that not all reach.
static bool reportBarrier(Block &block,
                          const std::vector<WaitingThread> &waiting) {
  if (waiting.empty())
    return false;
  const WaitingThread &first = waiting.front();
  Launch &launch = block.launch;
  auto numbered = llvm::find_if(waiting, [&](const WaitingThread &thread) {
    return isNumbered(block, thread);
  });
  if (numbered != waiting.end()) {
    // Who waits elsewhere, or has exited, need not have come here.
    launch.report(FindingKind::Deadlock,
                  "the barrier waits for more threads than ever reach it",
                  describe(block, *numbered));
    return true;
  }
  for (const WaitingThread &second : waiting)
    if (second.op != first.op) {
      launch.report(FindingKind::DivergentBarrier,
                    "threads of a block wait at different barriers",
                    describe(block, first), describe(block, second));
      return true;
    }
  if (first.kind == WaitingThread::ForCluster)
    return false;
  for (const Warp &warp : block.warps) {
    if (uint32_t exited = warp.existing & ~warp.live) {
      launch.report(
          FindingKind::DivergentBarrier,
          "threads wait at a barrier that others have exited without reaching",
          describe(block, first),
          launch.describe(block.linearId,
                          warp.getThread(llvm::countr_zero(exited)),
                          launch.program.code.back().op, "has exited"));
      return true;
    }
  }
  launch.report(FindingKind::Deadlock,
                "the barrier waits for more threads than ever reach it",
                describe(block, first));
  return true;
}

void Cluster::reportStuck() {
  launch.stopped = true;
  std::vector<std::vector<WaitingThread>> waiting;
  for (const auto &block : blocks)
    waiting.push_back(collectWaiting(*block));
  // The cause first: what only makes others wait comes later.
  for (auto report : {&reportMissingLane, &reportMbarrier, &reportBarrier})
    for (const auto &block : blocks)
      if (report(*block, waiting[block->rank]))
        return;
  // All wait for the cluster: some for a phase that others left out.
  for (const auto &block : blocks)
    for (const WaitingThread &thread : waiting[block->rank])
      launch.report(FindingKind::Deadlock,
                    "not all threads of the cluster arrive at its barrier",
                    describe(*block, thread));
}

void Block::reportLateAccess(const Range &range, size_t offset,
                             AccessRecord record) {
  uint32_t blockId = record.block(), thread = record.thread();
  std::string action = "access";
  if (record.isAsync()) {
    const Mbarrier &mbarrier = mbarriers[record.thread()];
    blockId = mbarrier.issuerBlock;
    thread = mbarrier.issuerThread;
    action = "asynchronous copy that has not been waited for";
  }
  uint32_t site = record.site();
  uint32_t op = site < AccessRecord::kMaxSite ? launch.program.accessOps[site]
                                              : launch.program.code.back().op;
  launch.report(
      FindingKind::ExitedBlock,
      "nothing orders an access to byte " + std::to_string(offset) + " of " +
          range.getName().str() + " before the block exits",
      launch.describe(linearId, 0, launch.program.code.back().op, "exit"),
      launch.describe(blockId, thread, op, std::move(action)));
}
