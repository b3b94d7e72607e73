//===- ExecuteControl.cpp - Branches, barriers and fences -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Barriers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Backward branches after which another warp, or other lanes, get a turn.
static constexpr uint64_t kTurn = 1 << 16;

static uint32_t getIndex(const Warp &warp, const Instr &instr) {
  return &instr - warp.block->launch.program.code.data();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Called with `ip` at the target of a backward branch.
static void countBackEdge(Warp &warp, const Instr &instr) {
  ++warp.backEdges;
  bool polled = warp.polled;
  if (LLVM_LIKELY(!polled && warp.backEdges < kTurn))
    return;
  Launch &launch = warp.block->launch;
  uint64_t &sum = warp.block->cluster.backEdges;
  sum += warp.backEdges;
  warp.backEdges = 0;
  uint64_t most = launch.options.maxLoopIterations;
  if (most && sum >= most) {
    launch.report(FindingKind::Deadlock,
                  "the loops of the block's warps do not end within " +
                      std::to_string(most) + " iterations in all",
                  launch.describe(warp.block->linearId,
                                  warp.getThread(llvm::countr_zero(warp.mask)),
                                  instr.op, "loops here"));
    launch.stopped = true;
  }
  warp.polled = false;
  warp.spinning = polled;
  warp.waitsForCluster = false;
  warp.rotateGroups();
  warp.running = false;
}

static void branchTo(Warp &warp, const Instr &instr, uint32_t target) {
  const Instr *code = warp.block->launch.program.code.data();
  warp.ip = code + target;
  if (warp.ip > &instr)
    return;
  if (LLVM_UNLIKELY(warp.mask != warp.live || !warp.loopTurns.empty()))
    warp.countTurn(warp.mask, target, &instr - code);
  countBackEdge(warp, instr);
}

void mlir::fusion::sim::executeJump(Warp &warp, const Instr &instr) {
  branchTo(warp, instr, instr.imm);
}

void mlir::fusion::sim::executeBranch(Warp &warp, const Instr &instr) {
  const uint8_t *condition = warp.reg<uint8_t>(instr.a);
  uint32_t taken = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    taken |= uint32_t(condition[lane] & 1) << lane;
  taken &= warp.mask;
  if (taken == warp.mask)
    return branchTo(warp, instr, instr.imm);
  if (taken == 0)
    return branchTo(warp, instr, instr.aux);
  uint32_t pc = getIndex(warp, instr), left = warp.mask & ~taken;
  for (auto [target, lanes] :
       {std::pair(uint32_t(instr.imm), taken), std::pair(instr.aux, left)}) {
    warp.groups.push_back({target, lanes, 0});
    if (target <= pc)
      warp.countTurn(lanes, target, pc);
  }
  warp.schedule();
  if (warp.ip <= &instr)
    countBackEdge(warp, instr);
}

void mlir::fusion::sim::executeJoin(Warp &warp, const Instr &instr) {
  if (LLVM_LIKELY(warp.groups.empty()))
    return;
  uint32_t pc = getIndex(warp, instr);
  bool lower = false;
  llvm::erase_if(warp.groups, [&](const LaneGroup &group) {
    if (group.needed)
      return false;
    lower |= group.pc < pc;
    if (group.pc != pc)
      return false;
    warp.mask |= group.mask;
    return true;
  });
  if (!lower || warp.rotated)
    return;
  warp.groups.push_back({pc, warp.mask, 0});
  warp.schedule();
}

void mlir::fusion::sim::executeExit(Warp &warp, const Instr &instr) {
  Block &block = *warp.block;
  bool shares = block.cluster.blocks.size() > 1 || !block.mbarriers.empty();
  // What happens to the block's shared memory must happen before some thread
  // of it exits.
  if (shares)
    block.exitClock = joinClocks(block.exitClock, warp.release());
  warp.live &= ~warp.mask;
  warp.mask = 0;
  // The barrier of the cluster waits for the others only.
  block.cluster.completeBarrier();
  warp.schedule();
}

//===----------------------------------------------------------------------===//
// Barriers and fences
//===----------------------------------------------------------------------===//

static uint32_t getAllLanes(const Block &block) {
  return block.warps.size() * kLanes;
}

/// Lets the lanes of the warp come together; true once they are. They must come
/// in the same iteration of each loop around the barrier, which the device
/// executes for the warp as a whole.
static bool convergeAtBarrier(Warp &warp, const Instr &instr) {
  if (!warp.converge(instr, ~0u))
    return false;
  if (LLVM_LIKELY(warp.loopTurns.empty()))
    return true;
  if (auto lanes = warp.findDifferentTurns(getIndex(warp, instr))) {
    Launch &launch = warp.block->launch;
    auto describe = [&](unsigned lane) {
      return launch.describe(warp.block->linearId, warp.getThread(lane),
                             instr.op, "waits here");
    };
    launch.report(FindingKind::DivergentBarrier,
                  "threads of a warp wait at the barrier in different "
                  "iterations of a loop",
                  describe(lanes->first), describe(lanes->second));
  }
  return true;
}

void mlir::fusion::sim::executeBlockBarrier(Warp &warp, const Instr &instr) {
  if (convergeAtBarrier(warp, instr))
    warp.block->arrive(warp, 0, getAllLanes(*warp.block), instr.op,
                       /*wait=*/true, /*sameOp=*/true);
}

void mlir::fusion::sim::executeNamedBarrier(Warp &warp, const Instr &instr) {
  if (!convergeAtBarrier(warp, instr))
    return;
  unsigned first = llvm::countr_zero(warp.mask);
  uint32_t number =
      instr.a == kNoRegister ? 0 : warp.reg<uint32_t>(instr.a)[first];
  uint32_t expected = instr.b == kNoRegister
                          ? getAllLanes(*warp.block)
                          : warp.reg<uint32_t>(instr.b)[first];
  if (number < Block::kBarriers && expected && expected % kLanes == 0)
    return warp.block->arrive(warp, number, expected, instr.op, instr.imm,
                              /*sameOp=*/false);
  Launch &launch = warp.block->launch;
  launch.report(FindingKind::LimitExceeded,
                "expected a barrier number below 16 and a positive multiple of "
                "32 threads, but got number " +
                    std::to_string(number) + " and " +
                    std::to_string(expected) + " threads",
                launch.describe(warp.block->linearId, warp.getThread(first),
                                instr.op, "arrival at the barrier"));
  launch.stopped = true;
  warp.running = false;
}

void mlir::fusion::sim::reportLeftOut(Warp &warp, const Instr &instr,
                                      unsigned lane, uint32_t members) {
  Launch &launch = warp.block->launch;
  launch.report(FindingKind::InactiveLane,
                "lane " + std::to_string(lane) +
                    " takes part with the mask 0x" +
                    llvm::utohexstr(members, /*LowerCase=*/true) +
                    ", which leaves it out",
                launch.describe(warp.block->linearId, warp.getThread(lane),
                                instr.op, "execution"));
  launch.stopped = true;
  warp.running = false;
}

void mlir::fusion::sim::executeSyncWarp(Warp &warp, const Instr &instr) {
  const uint32_t *masks = warp.reg<uint32_t>(instr.a);
  uint32_t members = masks[llvm::countr_zero(warp.mask)], same = 0;
  forLanes(warp.mask, [&](unsigned lane) {
    same |= uint32_t(masks[lane] == members) << lane;
  });
  // Lanes with other masks synchronise apart.
  continueLanes(warp, instr, same);
  uint32_t outside = warp.mask & ~members;
  if (LLVM_LIKELY(!outside))
    return warp.synchronizeMembers(instr, members);
  reportLeftOut(warp, instr, llvm::countr_zero(outside), members);
}

void mlir::fusion::sim::executeFence(Warp &warp, const Instr &instr) {
  if (instr.imm & Acquire) {
    warp.acquire(warp.unfenced);
    warp.unfenced = nullptr;
  }
  if (instr.imm & Release)
    warp.fenced = warp.release();
}

//===----------------------------------------------------------------------===//
// Thread identity
//===----------------------------------------------------------------------===//

static int64_t getQuery(const Warp &warp, ThreadQuery query, unsigned lane) {
  const Block &block = *warp.block;
  switch (query) {
  case ThreadQuery::ThreadX:
    return block.launch.getThreadId(warp.getThread(lane)).x;
  case ThreadQuery::ThreadY:
    return block.launch.getThreadId(warp.getThread(lane)).y;
  case ThreadQuery::ThreadZ:
    return block.launch.getThreadId(warp.getThread(lane)).z;
  case ThreadQuery::BlockX:
    return block.id.x;
  case ThreadQuery::BlockY:
    return block.id.y;
  case ThreadQuery::BlockZ:
    return block.id.z;
  case ThreadQuery::ClusterX:
    return block.id.x / block.launch.cluster.x;
  case ThreadQuery::ClusterY:
    return block.id.y / block.launch.cluster.y;
  case ThreadQuery::ClusterZ:
    return block.id.z / block.launch.cluster.z;
  case ThreadQuery::ClusterBlockX:
    return block.id.x % block.launch.cluster.x;
  case ThreadQuery::ClusterBlockY:
    return block.id.y % block.launch.cluster.y;
  case ThreadQuery::ClusterBlockZ:
    return block.id.z % block.launch.cluster.z;
  case ThreadQuery::ClusterRank:
    return block.rank;
  case ThreadQuery::LaneId:
    return lane;
  case ThreadQuery::WarpId:
    return warp.id;
  }
  return 0;
}

void mlir::fusion::sim::executeThreadQuery(Warp &warp, const Instr &instr) {
  ThreadQuery query = static_cast<ThreadQuery>(instr.imm);
  forLanes(warp.mask, [&](unsigned lane) {
    int64_t value = getQuery(warp, query, lane);
    if (instr.aux == 4)
      warp.reg<uint32_t>(instr.dst)[lane] = value;
    else
      warp.reg<uint64_t>(instr.dst)[lane] = value;
  });
}
