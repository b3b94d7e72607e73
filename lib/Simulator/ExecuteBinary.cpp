//===- ExecuteBinary.cpp - Element-wise operations on two values ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled without contraction: each operation rounds on its own.
//
//===----------------------------------------------------------------------===//

#include "BinaryFunctions.h"
#include "Lanes.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

template <typename Tag, BinaryOp Op>
static void executeBinary(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  const S *b = warp.reg<S>(instr.b);
  forElements(warp, instr.n,
              [&](uint32_t i) { dst[i] = applyBinary<Tag, Op>(a[i], b[i]); });
}

Handler mlir::fusion::sim::getBinaryHandler(BinaryOp op, ScalarKind kind) {
  return visitBinary(op, kind, [](auto tag, auto which) -> Handler {
    return &executeBinary<decltype(tag), decltype(which)::value>;
  });
}

/// Combines the elements of a lane, first to last.
template <typename Tag, BinaryOp Op>
static void executeReduce(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  bool hasStart = instr.c != kNoRegister;
  const S *start = hasStart ? warp.reg<S>(instr.c) : a;
  forElements(warp, 1, [&](uint32_t lane) {
    S value = start[lane];
    for (uint32_t e = hasStart ? 0 : 1; e < instr.n; ++e)
      value = applyBinary<Tag, Op>(value, a[e * kLanes + lane]);
    dst[lane] = value;
  });
}

Handler mlir::fusion::sim::getReduceHandler(BinaryOp op, ScalarKind kind) {
  return visitBinary(op, kind, [](auto tag, auto which) -> Handler {
    return &executeReduce<decltype(tag), decltype(which)::value>;
  });
}

/// Combines lanes as upstream expands gpu.subgroup_reduce: a butterfly of
/// exclusive-or shuffles with growing distance.
template <typename Tag, BinaryOp Op>
static void executeSubgroupReduce(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  if (!warp.converge(instr, ~0u))
    return;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  unsigned size = instr.imm & 0xff, stride = instr.imm >> 8;
  unsigned distanceEnd = size * stride;
  uint32_t missing = 0;
  forLanes(warp.mask, [&](unsigned lane) {
    for (unsigned d = stride; d < distanceEnd; d *= 2)
      missing |= ~warp.mask & (1u << (lane ^ d));
  });
  if (missing) {
    Launch &launch = warp.block->launch;
    launch.report(FindingKind::InactiveLane,
                  "the reduction needs lane " +
                      std::to_string(llvm::countr_zero(missing)) +
                      ", which does not exist or has exited",
                  launch.describe(warp.block->linearId,
                                  warp.getThread(llvm::countr_zero(warp.mask)),
                                  instr.op, "reduction"));
  }
  for (uint32_t e = 0; e < instr.n; ++e) {
    S current[kLanes] = {}, next[kLanes];
    forLanes(warp.mask,
             [&](unsigned lane) { current[lane] = a[e * kLanes + lane]; });
    for (unsigned d = stride; d < distanceEnd; d *= 2) {
      for (unsigned lane = 0; lane < kLanes; ++lane)
        next[lane] =
            applyBinary<Tag, Op>(current[lane], current[(lane ^ d) % kLanes]);
      std::copy(next, next + kLanes, current);
    }
    forLanes(warp.mask,
             [&](unsigned lane) { dst[e * kLanes + lane] = current[lane]; });
  }
}

Handler mlir::fusion::sim::getSubgroupReduceHandler(BinaryOp op,
                                                    ScalarKind kind) {
  return visitBinary(op, kind, [](auto tag, auto which) -> Handler {
    return &executeSubgroupReduce<decltype(tag), decltype(which)::value>;
  });
}
