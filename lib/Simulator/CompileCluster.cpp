//===- CompileCluster.cpp - Clusters, mbarriers, bulk copies --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

/// The 8 bytes of an mbarrier.
static constexpr RegisterShape mbarrierShape{ScalarKind::I64, 1};

Instr &Compiler::emitMbarrier(Handler handler, Value address, uint32_t dst,
                              uint32_t b, uint32_t c, int64_t flags) {
  uint32_t access = addPointerAccess(address, mbarrierShape, std::nullopt);
  return emit(handler, dst, useOne(address), b, c, 1, flags, access);
}

LogicalResult Compiler::compileArrive(Operation *op, Value address, Value count,
                                      Value bytes, int64_t flags) {
  uint32_t b = count ? useOne(count) : kNoRegister;
  uint32_t c = bytes ? useOne(bytes) : kNoRegister;
  uint32_t dst =
      op->getNumResults() ? define(op->getResult(0)).front() : kNoRegister;
  emitMbarrier(&executeMbarrierArrive, address, dst, b, c, flags);
  return success();
}

LogicalResult Compiler::compileTest(Operation *op, Value address, Value phase,
                                    bool relaxed) {
  int64_t flags = phase.getType().isInteger(64) ? MbarrierState : 0;
  if (relaxed)
    flags |= MbarrierRelaxed;
  uint32_t b = useOne(phase);
  emitMbarrier(&executeMbarrierTest, address, define(op->getResult(0)).front(),
               b, kNoRegister, flags);
  return success();
}

Compiler::Result Compiler::compileMbarrier(Operation *op) {
  auto relaxed = [](bool isRelaxed) { return isRelaxed ? MbarrierRelaxed : 0; };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](NVVM::MBarrierInitOp init) -> LogicalResult {
        if (init.getPredicate())
          return refuse(op);
        emitMbarrier(&executeMbarrierInit, init.getAddr(), kNoRegister,
                     useOne(init.getCount()));
        return success();
      })
      .Case([&](NVVM::MBarrierInvalOp inval) {
        emitMbarrier(&executeMbarrierInvalidate, inval.getAddr(), kNoRegister);
        return success();
      })
      .Case([&](NVVM::MBarrierExpectTxOp expect) {
        return compileArrive(op, expect.getAddr(), nullptr, expect.getTxcount(),
                             0);
      })
      .Case([&](NVVM::MBarrierCompleteTxOp complete) {
        return compileArrive(op, complete.getAddr(), nullptr,
                             complete.getTxcount(), MbarrierCompletes);
      })
      .Case([&](NVVM::MBarrierArriveOp arrive) {
        return compileArrive(op, arrive.getAddr(), arrive.getCount(), nullptr,
                             MbarrierArrives | relaxed(arrive.getRelaxed()));
      })
      .Case([&](NVVM::MBarrierArriveDropOp arrive) {
        return compileArrive(op, arrive.getAddr(), arrive.getCount(), nullptr,
                             MbarrierArrives | MbarrierDrops |
                                 relaxed(arrive.getRelaxed()));
      })
      .Case([&](NVVM::MBarrierArriveExpectTxOp arrive) -> LogicalResult {
        if (arrive.getPredicate())
          return refuse(op);
        return compileArrive(op, arrive.getAddr(), nullptr, arrive.getTxcount(),
                             MbarrierArrives | relaxed(arrive.getRelaxed()));
      })
      .Case([&](NVVM::MBarrierArriveDropExpectTxOp arrive) {
        return compileArrive(op, arrive.getAddr(), nullptr, arrive.getTxcount(),
                             MbarrierArrives | MbarrierDrops |
                                 relaxed(arrive.getRelaxed()));
      })
      .Case([&](NVVM::MBarrierTestWaitOp test) {
        return compileTest(op, test.getAddr(), test.getStateOrPhase(),
                           test.getRelaxed());
      })
      // Its time limit may be over at once.
      .Case([&](NVVM::MBarrierTryWaitOp test) {
        return compileTest(op, test.getAddr(), test.getStateOrPhase(),
                           test.getRelaxed());
      })
      .Case([&](NVVM::MBarrierTryWaitParityOp wait) {
        emitMbarrier(&executeMbarrierWait, wait.getAddr(), kNoRegister,
                     useOne(wait.getPhase()));
        return success();
      })
      .Case([&](NVVM::FenceMbarrierInitOp) {
        emit(&executeMbarrierFence).imm = Release;
        return success();
      })
      // Of what it orders only mbarriers are modelled.
      .Case([&](NVVM::FenceProxyOp fence) {
        if (fence.getKind() == NVVM::ProxyKind::async ||
            fence.getKind() == NVVM::ProxyKind::async_shared)
          emit(&executeMbarrierFence);
        return success();
      })
      .Default([](auto) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Transactions
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileBulkCopy(Operation *op) {
  auto copy = cast<NVVM::CpAsyncBulkGlobalToSharedClusterOp>(op);
  if (copy.getMulticastMask())
    return refuse(op);
  // In units of 16 bytes.
  RegisterShape unit{ScalarKind::I8, 16};
  uint32_t target = addPointerAccess(copy.getDstMem(), unit, 16);
  addPointerAccess(copy.getSrcMem(), unit, 16);
  addPointerAccess(copy.getMbar(), mbarrierShape, std::nullopt);
  emit(&executeBulkCopy, kNoRegister, useOne(copy.getSize())).aux = target;
  return success();
}

/// The one instruction that is taken from PTX text, since the dialect has no
/// operation for it: st.async with an mbarrier.
LogicalResult Compiler::compileInlinePtx(Operation *op) {
  auto ptx = cast<NVVM::InlinePtxOp>(op);
  static const char *const pattern =
      "^st\\.async(\\.weak)?\\.shared::cluster\\.mbarrier::complete_tx::bytes"
      "(\\.v2|\\.v4)?\\.([busf](32|64)) *\\[[$%]0\\], *"
      "(\\{ *)?([$%][0-9]( *, *[$%][0-9])*)( *\\})?, *\\[[$%]([0-9])\\];?$";
  llvm::SmallVector<llvm::StringRef> matches;
  llvm::StringRef text = ptx.getPtxCode().trim();
  if (!llvm::Regex(pattern).match(text, &matches) || ptx.getPredicate() ||
      !ptx.getReadWriteArgs().empty() || op->getNumResults())
    return op->emitError("the simulator executes st.async with an mbarrier "
                         "only, but got the PTX '")
           << text << "'";
  uint32_t count = llvm::StringSwitch<uint32_t>(matches[2])
                       .Case(".v2", 2)
                       .Case(".v4", 4)
                       .Default(1);
  llvm::SmallVector<llvm::StringRef, 4> sources;
  matches[6].split(sources, ',');
  auto args = ptx.getReadOnlyArgs();
  // The operands in the order of the text: address, values, mbarrier.
  bool inOrder = args.size() == count + 2 && sources.size() == count &&
                 matches[9] == std::to_string(count + 1);
  for (auto [i, source] : llvm::enumerate(sources))
    inOrder &= source.trim().drop_front() == std::to_string(i + 1);
  if (!inOrder)
    return refuse(op);
  uint32_t bits = 0;
  matches[4].getAsInteger(10, bits);
  RegisterShape shape = *getRegisterShape(args[1].getType());
  for (Value value : args.slice(1, count))
    if (value.getType() != args[1].getType() || shape.n != 1 ||
        shape.getElementBytes() * 8 != bits)
      return refuse(op);
  shape.n = count;
  uint32_t values = allocate(shape);
  for (uint32_t i = 0; i < count; ++i)
    emitCopy({shape.kind, 1}, values + i * shape.getRowBytes(),
             useOne(args[i + 1]));
  uint32_t target = addPointerAccess(args.front(), shape, std::nullopt);
  addPointerAccess(args.back(), mbarrierShape, std::nullopt);
  emit(&executeAsyncStore, kNoRegister, values, kNoRegister, kNoRegister, count)
      .aux = target;
  release(values);
  return success();
}

//===----------------------------------------------------------------------===//
// Clusters and launches
//===----------------------------------------------------------------------===//

Compiler::Result Compiler::compileCluster(Operation *op) {
  auto aligned = [](bool isAligned) { return isAligned ? ClusterAligned : 0; };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](NVVM::ClusterArriveOp arrive) {
        emit(&executeClusterArrive).imm =
            aligned(arrive.getAligned().value_or(false));
        return success();
      })
      .Case([&](NVVM::ClusterArriveRelaxedOp arrive) {
        emit(&executeClusterArrive).imm =
            aligned(arrive.getAligned().value_or(false)) | ClusterRelaxed;
        return success();
      })
      .Case([&](NVVM::ClusterWaitOp wait) {
        emit(&executeClusterWait).imm =
            aligned(wait.getAligned().value_or(false));
        return success();
      })
      .Case([&](NVVM::MapaOp map) {
        uint32_t address = useOne(map.getA()), rank = useOne(map.getB());
        emit(&executeMapAddress, define(map.getRes()).front(), address, rank);
        return success();
      })
      .Case([&](NVVM::CpAsyncBulkGlobalToSharedClusterOp) {
        return compileBulkCopy(op);
      })
      .Case([&](NVVM::InlinePtxOp) { return compileInlinePtx(op); })
      .Case([&](NVVM::GriddepcontrolOp control) {
        // That dependents may start is nothing to wait for here.
        if (control.getKind() == NVVM::GridDepActionKind::wait)
          emit(&executeGridWait);
        return success();
      })
      .Case([&](NVVM::ElectSyncOp elect) {
        uint32_t mask =
            elect.getMembermask() ? useOne(elect.getMembermask()) : kNoRegister;
        emit(&executeElect, define(elect.getPred()).front(), mask);
        return success();
      })
      .Default([&](auto) { return compileMbarrier(op); });
}
