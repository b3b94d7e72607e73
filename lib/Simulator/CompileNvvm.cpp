//===- CompileNvvm.cpp - NVVM operations ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// What a special register holds for a thread.
static std::optional<ThreadQuery> getRegisterQuery(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ThreadQuery>>(name)
      .Case("nvvm.read.ptx.sreg.tid.x", ThreadQuery::ThreadX)
      .Case("nvvm.read.ptx.sreg.tid.y", ThreadQuery::ThreadY)
      .Case("nvvm.read.ptx.sreg.tid.z", ThreadQuery::ThreadZ)
      .Case("nvvm.read.ptx.sreg.ctaid.x", ThreadQuery::BlockX)
      .Case("nvvm.read.ptx.sreg.ctaid.y", ThreadQuery::BlockY)
      .Case("nvvm.read.ptx.sreg.ctaid.z", ThreadQuery::BlockZ)
      .Case("nvvm.read.ptx.sreg.clusterid.x", ThreadQuery::ClusterX)
      .Case("nvvm.read.ptx.sreg.clusterid.y", ThreadQuery::ClusterY)
      .Case("nvvm.read.ptx.sreg.clusterid.z", ThreadQuery::ClusterZ)
      .Case("nvvm.read.ptx.sreg.cluster.ctaid.x", ThreadQuery::ClusterBlockX)
      .Case("nvvm.read.ptx.sreg.cluster.ctaid.y", ThreadQuery::ClusterBlockY)
      .Case("nvvm.read.ptx.sreg.cluster.ctaid.z", ThreadQuery::ClusterBlockZ)
      .Case("nvvm.read.ptx.sreg.cluster.ctarank", ThreadQuery::ClusterRank)
      .Case("nvvm.read.ptx.sreg.laneid", ThreadQuery::LaneId)
      .Default(std::nullopt);
}

/// What a special register holds for the whole launch.
static std::optional<LaunchValue> getRegisterValue(llvm::StringRef name) {
  using Value = std::optional<LaunchValue>;
  auto make = [](LaunchValue::Kind kind, unsigned dim) {
    return LaunchValue{kind, dim, 0, kNoRegister, 4};
  };
  return llvm::StringSwitch<Value>(name)
      .Case("nvvm.read.ptx.sreg.ntid.x", make(LaunchValue::BlockDim, 0))
      .Case("nvvm.read.ptx.sreg.ntid.y", make(LaunchValue::BlockDim, 1))
      .Case("nvvm.read.ptx.sreg.ntid.z", make(LaunchValue::BlockDim, 2))
      .Case("nvvm.read.ptx.sreg.nctaid.x", make(LaunchValue::GridDim, 0))
      .Case("nvvm.read.ptx.sreg.nctaid.y", make(LaunchValue::GridDim, 1))
      .Case("nvvm.read.ptx.sreg.nctaid.z", make(LaunchValue::GridDim, 2))
      .Case("nvvm.read.ptx.sreg.nclusterid.x",
            make(LaunchValue::ClusterGridDim, 0))
      .Case("nvvm.read.ptx.sreg.nclusterid.y",
            make(LaunchValue::ClusterGridDim, 1))
      .Case("nvvm.read.ptx.sreg.nclusterid.z",
            make(LaunchValue::ClusterGridDim, 2))
      .Case("nvvm.read.ptx.sreg.cluster.nctaid.x",
            make(LaunchValue::ClusterDim, 0))
      .Case("nvvm.read.ptx.sreg.cluster.nctaid.y",
            make(LaunchValue::ClusterDim, 1))
      .Case("nvvm.read.ptx.sreg.cluster.nctaid.z",
            make(LaunchValue::ClusterDim, 2))
      .Case("nvvm.read.ptx.sreg.cluster.nctarank",
            make(LaunchValue::ClusterBlocks, 0))
      // The driver's convention for cooperative launches, which the headers of
      // cooperative groups rely on: environment register 1 is the high half.
      .Case("nvvm.read.ptx.sreg.envreg1",
            make(LaunchValue::CooperativeWorkspace, 1))
      .Case("nvvm.read.ptx.sreg.envreg2",
            make(LaunchValue::CooperativeWorkspace, 0))
      .Default(std::nullopt);
}

LogicalResult Compiler::compileCpAsync(Operation *op) {
  auto copy = cast<NVVM::CpAsyncOp>(op);
  RegisterShape shape{ScalarKind::I8, copy.getSize()};
  if (shape.n != 4 && shape.n != 8 && shape.n != 16)
    return refuse(op);
  uint32_t target = addPointerAccess(copy.getDst(), shape, shape.n);
  addPointerAccess(copy.getSrc(), shape, shape.n);
  uint32_t count = kNoRegister;
  if (copy.getCpSize()) {
    noteGranule(copy.getSrc(), 1);
    count = extendIndex(copy.getCpSize());
  }
  emit(&executeAsyncCopy, kNoRegister, count).aux = target;
  if (copy.getCpSize())
    release(count);
  return success();
}

Compiler::Result Compiler::compileNvvm(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger(32)) {
    if (std::optional<ThreadQuery> query = getRegisterQuery(name)) {
      emit(&executeThreadQuery, define(op->getResult(0)).front(), kNoRegister,
           kNoRegister, kNoRegister, 1, int64_t(*query), /*aux=*/4);
      return success();
    }
    if (std::optional<LaunchValue> value = getRegisterValue(name)) {
      values[op->getResult(0)] = {addLaunchValue(*value)};
      return success();
    }
  }
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<NVVM::CpAsyncOp>([&](auto) { return compileCpAsync(op); })
      .Case<NVVM::CpAsyncCommitGroupOp>([&](auto) {
        emit(&executeAsyncCommit);
        return success();
      })
      .Case<NVVM::CpAsyncWaitGroupOp>([&](NVVM::CpAsyncWaitGroupOp wait) {
        emit(&executeAsyncWait).imm = wait.getN();
        return success();
      })
      .Case<NVVM::Barrier0Op>([&](auto) {
        emit(&executeBlockBarrier);
        return success();
      })
      .Case<NVVM::BarrierOp>([&](NVVM::BarrierOp barrier) -> LogicalResult {
        if (op->getNumResults())
          return refuse(op);
        Value number = barrier.getBarrierId();
        Value threads = barrier.getNumberOfThreads();
        if (!number && !threads) {
          emit(&executeBlockBarrier);
          return success();
        }
        emit(&executeNamedBarrier, kNoRegister,
             number ? useOne(number) : kNoRegister,
             threads ? useOne(threads) : kNoRegister)
            .imm = 1;
        return success();
      })
      .Case<NVVM::BarrierArriveOp>([&](NVVM::BarrierArriveOp barrier) {
        Value number = barrier.getBarrierId();
        emit(&executeNamedBarrier, kNoRegister,
             number ? useOne(number) : kNoRegister,
             useOne(barrier.getNumberOfThreads()));
        return success();
      })
      .Case<NVVM::SyncWarpOp>([&](NVVM::SyncWarpOp sync) {
        emit(&executeSyncWarp, kNoRegister, useOne(sync.getMask()));
        return success();
      })
      .Case<NVVM::MembarOp>([&](auto) {
        emit(&executeFence).imm = Acquire | Release;
        return success();
      })
      .Case<NVVM::FenceScClusterOp>([&](auto) {
        emit(&executeFence).imm = Acquire | Release;
        return success();
      })
      .Default([&](auto) { return compileCluster(op); });
}
