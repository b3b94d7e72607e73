//===- Operations.h - Handlers of the simulator's instructions --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instruction set. Element-wise handlers compute `n` elements per lane.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_OPERATIONS_H
#define FUSION_LIB_SIMULATOR_OPERATIONS_H

#include "Program.h"
#include "Scalars.h"

namespace mlir::fusion::sim {

enum class BinaryOp {
  AddF,
  SubF,
  MulF,
  DivF,
  RemF,
  MaximumF,
  MinimumF,
  MaxNumF,
  MinNumF,
  PowF,
  Atan2,
  CopySign,
  AddI,
  SubI,
  MulI,
  DivSI,
  DivUI,
  RemSI,
  RemUI,
  FloorDivSI,
  CeilDivSI,
  CeilDivUI,
  And,
  Or,
  Xor,
  ShL,
  ShRS,
  ShRU,
  MaxSI,
  MaxUI,
  MinSI,
  MinUI
};
enum class UnaryOp {
  NegF,
  AbsF,
  AbsI,
  Sqrt,
  Rsqrt,
  Cbrt,
  Exp,
  Exp2,
  ExpM1,
  Log,
  Log2,
  Log10,
  Log1p,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Erf,
  Erfc,
  Ceil,
  Floor,
  Trunc,
  Round,
  RoundEven,
  CtPop,
  Ctlz,
  Cttz
};

/// dst = a op b. Null if `op` does not apply to `kind`.
Handler getBinaryHandler(BinaryOp op, ScalarKind kind);
/// dst = op a. Null if `op` does not apply to `kind`.
Handler getUnaryHandler(UnaryOp op, ScalarKind kind);
/// dst = a * b + c, rounded once.
Handler getFmaHandler(ScalarKind kind);
/// dst (i1) = a relation b; `imm` is a set of RelationBits.
Handler getCompareHandler(ScalarKind kind, bool isSigned);
enum RelationBits { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };
/// dst = a (i1) ? b : c; `imm` is nonzero if a has one element for all.
Handler getSelectHandler(uint32_t bytes);
enum class IntegerSign { Signed, Unsigned };
/// dst = a in another type, rounded to nearest even, truncated, or extended.
/// An integer operand or result counts as `sign`.
Handler getCastHandler(ScalarKind from, ScalarKind to, IntegerSign sign);
/// dst = a in the same number of bits for all elements together: `n` elements
/// of `imm` bytes each into elements of `aux` bytes.
Handler getBitcastHandler();

/// dst = a; rows of `imm` bytes per lane and element.
Handler getCopyHandler(uint32_t bytes);
/// Moves element rows by the table Program::permutations[aux].
Handler getPermuteHandler(uint32_t bytes);
/// dst = the element of vector a at the index b (i64).
Handler getDynamicExtractHandler(uint32_t bytes);
/// dst = vector a with the element at the index c (i64) replaced by b.
Handler getDynamicInsertHandler(uint32_t bytes);
/// dst = the elements of a combined by op in order, starting from c.
/// If c is no register, starts from the first element.
Handler getReduceHandler(BinaryOp op, ScalarKind kind);

/// Memory access Program::accesses[aux] into dst, or from a. If b is a register
/// it is an i1 mask of the elements: masked-off elements are not accessed; for
/// loads they are taken from c.
Handler getLoadHandler(uint32_t bytes);
Handler getStoreHandler(uint32_t bytes);
/// dst = the old element at Program::accesses[aux]; the new one is old op a.
/// `imm` is a set of AtomicOrder bits.
Handler getAtomicHandler(BinaryOp op, ScalarKind kind);
/// The new element is a (also for stores).
Handler getAtomicExchangeHandler(uint32_t bytes);
/// Loads atomically.
Handler getAtomicLoadHandler(uint32_t bytes);
/// dst = the old element; the new one is b where the old one equals a; c (i1)
/// says whether it did.
Handler getAtomicCompareHandler(uint32_t bytes);
enum AtomicOrder { Acquire = 1, Release = 2 };
/// An asynchronous copy from Program::accesses[aux + 1] to accesses[aux];
/// if a is a register it holds the number of elements to read (i64).
void executeAsyncCopy(Warp &warp, const Instr &instr);
void executeAsyncCommit(Warp &warp, const Instr &instr);
/// Waits until at most `imm` groups are pending.
void executeAsyncWait(Warp &warp, const Instr &instr);
/// dst (i64) = base + sum of terms of Program::accesses[aux], no access.
void executeAddress(Warp &warp, const Instr &instr);

/// Goes to the instruction `imm`.
void executeJump(Warp &warp, const Instr &instr);
/// Goes to the instruction `imm` where a (i1) holds, else to `aux`.
void executeBranch(Warp &warp, const Instr &instr);
/// A place where lanes may meet.
void executeJoin(Warp &warp, const Instr &instr);
void executeExit(Warp &warp, const Instr &instr);
/// Waits at barrier 0 for all threads of the block.
void executeBlockBarrier(Warp &warp, const Instr &instr);
/// Waits at (`imm` nonzero) or only arrives at the barrier with number a for b
/// threads (i32); no register means 0 and all threads.
void executeNamedBarrier(Warp &warp, const Instr &instr);
/// Waits for the lanes of the mask a (i32); no register means all.
void executeSyncWarp(Warp &warp, const Instr &instr);
/// `imm` is a set of AtomicOrder bits.
void executeFence(Warp &warp, const Instr &instr);
/// dst = a of the lane that b (i32) and the mode `imm` say, within width c
/// (i32); `aux` is the byte offset of the i1 result, elements have
/// Instr::n * rows.
enum class ShuffleMode { Xor, Up, Down, Idx };
Handler getShuffleHandler(uint32_t bytes);
/// dst = a combined over clusters of lanes; `imm` is cluster size | stride <<
/// 8.
Handler getSubgroupReduceHandler(BinaryOp op, ScalarKind kind);
enum class ThreadQuery {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  /// The cluster in the grid, and the block in the cluster.
  ClusterX,
  ClusterY,
  ClusterZ,
  ClusterBlockX,
  ClusterBlockY,
  ClusterBlockZ,
  ClusterRank,
  LaneId,
  WarpId
};
/// dst (i64, or i32 if aux is 4) = what `imm` asks for.
void executeThreadQuery(Warp &warp, const Instr &instr);

/// Operations on the mbarrier at the address in a (i64),
/// Program::accesses[aux]. Init makes one for b arrivals (i32).
void executeMbarrierInit(Warp &warp, const Instr &instr);
void executeMbarrierInvalidate(Warp &warp, const Instr &instr);
/// Makes the thread's initialisations visible to asynchronous copies, and with
/// `imm` Release to what a relaxed arrival orders.
void executeMbarrierFence(Warp &warp, const Instr &instr);
enum MbarrierFlags {
  /// Counts arrivals: b (i32), or one.
  MbarrierArrives = 1,
  /// They are no longer expected in later phases.
  MbarrierDrops = 2,
  /// c are bytes that have come, not bytes to expect.
  MbarrierCompletes = 4,
  MbarrierRelaxed = 8,
  /// b is the result of an arrival (i64), not a parity (i32).
  MbarrierState = 16
};
/// Expects c (i32) more bytes, arrives; `imm` is a set of MbarrierFlags; dst
/// (i64) = the phase.
void executeMbarrierArrive(Warp &warp, const Instr &instr);
/// dst (i1) = the phase that b names has ended; then takes over what it orders.
void executeMbarrierTest(Warp &warp, const Instr &instr);
/// Waits until the phase of parity b has ended.
void executeMbarrierWait(Warp &warp, const Instr &instr);
/// Copies a (i32) bytes from Program::accesses[aux + 1] to accesses[aux] as a
/// transaction of the mbarrier at accesses[aux + 2].
void executeBulkCopy(Warp &warp, const Instr &instr);
/// Stores a to Program::accesses[aux] as a transaction of the mbarrier at
/// accesses[aux + 1].
void executeAsyncStore(Warp &warp, const Instr &instr);

/// The barrier of the cluster; `imm` is a set of ClusterFlags.
enum ClusterFlags { ClusterAligned = 1, ClusterRelaxed = 2 };
void executeClusterArrive(Warp &warp, const Instr &instr);
void executeClusterWait(Warp &warp, const Instr &instr);
/// dst = the address of the same place as a (both i64) in the block with rank b
/// (i32), or in this one, for all blocks of the cluster.
void executeMapAddress(Warp &warp, const Instr &instr);
/// Waits for the launch before.
void executeGridWait(Warp &warp, const Instr &instr);
/// dst (i1) = one lane of the mask a (i32; no register: all) is chosen.
void executeElect(Warp &warp, const Instr &instr);

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_OPERATIONS_H
