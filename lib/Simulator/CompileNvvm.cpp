//===- CompileNvvm.cpp - NVVM operations ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

Compiler::Result Compiler::compileNvvm(Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
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
      .Default([](auto) { return std::nullopt; });
}
