//===- CompileControl.cpp - Loops, conditions and branches ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

LogicalResult Compiler::compileFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  Type ivType = loop.getInductionVar().getType();
  RegisterShape shape = *getRegisterShape(ivType);
  FailureOr<llvm::SmallVector<uint32_t>> args =
      allocateAll(op, loop.getInitArgs().getTypes());
  if (failed(args))
    return failure();
  uint32_t iv = allocate(shape), next = allocate(shape);
  uint32_t condition = allocate(RegisterShape{ScalarKind::I1, 1});
  TypeRange types = loop.getInitArgs().getTypes();
  if (failed(emitCopies(types, *args, useAll(loop.getInitArgs()))))
    return failure();
  emitCopy(shape, iv, useOne(loop.getLowerBound()));
  uint32_t head = emitLabel();
  emit(getCompareHandler(shape.kind, !loop.getUnsignedCmp()), condition, iv,
       useOne(loop.getUpperBound()), kNoRegister, 1, Less);
  uint32_t branch = program.code.size();
  emit(&executeBranch, kNoRegister, condition);
  program.code[branch].imm = branch + 1;

  bind(loop.getInductionVar(), iv);
  bindAll(loop.getRegionIterArgs(), *args);
  uint32_t loopOp = currentOp;
  if (failed(compileBlock(*loop.getBody())))
    return failure();
  currentOp = loopOp;
  Operation *yield = loop.getBody()->getTerminator();
  if (failed(emitCopies(types, *args, useAll(yield->getOperands()))))
    return failure();
  releaseDead(yield);
  emit(getBinaryHandler(BinaryOp::AddI, shape.kind), next, iv,
       useOne(loop.getStep()));
  emitCopy(shape, iv, next);
  emit(&executeJump, kNoRegister, kNoRegister).imm = head;
  program.code[branch].aux = emitLabel();
  bindAll(loop.getResults(), *args);
  releaseAll(*args);
  releaseAll({iv, next, condition});
  return success();
}

LogicalResult Compiler::compileIf(Operation *op) {
  auto ifOp = cast<scf::IfOp>(op);
  FailureOr<llvm::SmallVector<uint32_t>> results =
      allocateAll(op, ifOp.getResultTypes());
  if (failed(results))
    return failure();
  uint32_t ifIndex = currentOp;
  auto compileRegion = [&](Region &region) -> LogicalResult {
    if (failed(compileBlock(region.front())))
      return failure();
    Operation *yield = region.front().getTerminator();
    currentOp = ifIndex;
    LogicalResult copied = emitCopies(ifOp.getResultTypes(), *results,
                                      useAll(yield->getOperands()));
    releaseDead(yield);
    return copied;
  };
  uint32_t branch = program.code.size();
  emit(&executeBranch, kNoRegister, useOne(ifOp.getCondition()));
  program.code[branch].imm = branch + 1;
  if (failed(compileRegion(ifOp.getThenRegion())))
    return failure();
  if (ifOp.getElseRegion().empty()) {
    program.code[branch].aux = emitLabel();
  } else {
    uint32_t jump = program.code.size();
    emit(&executeJump, kNoRegister, kNoRegister);
    program.code[branch].aux = emitLabel();
    if (failed(compileRegion(ifOp.getElseRegion())))
      return failure();
    program.code[jump].imm = emitLabel();
  }
  bindAll(ifOp.getResults(), *results);
  releaseAll(*results);
  return success();
}

LogicalResult Compiler::compileWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  FailureOr<llvm::SmallVector<uint32_t>> before =
      allocateAll(op, loop.getInits().getTypes());
  FailureOr<llvm::SmallVector<uint32_t>> after =
      allocateAll(op, loop.getResultTypes());
  if (failed(before) || failed(after))
    return failure();
  if (failed(emitCopies(loop.getInits().getTypes(), *before,
                        useAll(loop.getInits()))))
    return failure();
  uint32_t loopIndex = currentOp;
  uint32_t head = emitLabel();
  bindAll(loop.getBeforeArguments(), *before);
  if (failed(compileBlock(*loop.getBeforeBody())))
    return failure();
  currentOp = loopIndex;
  scf::ConditionOp condition = loop.getConditionOp();
  // The lanes that leave find the results where the others find their
  // arguments; what those overwrite later is their own.
  if (failed(emitCopies(loop.getResultTypes(), *after,
                        useAll(condition.getArgs()))))
    return failure();
  uint32_t branch = program.code.size();
  emit(&executeBranch, kNoRegister, useOne(condition.getCondition()));
  program.code[branch].imm = branch + 1;
  releaseDead(condition);
  bindAll(loop.getAfterArguments(), *after);
  if (failed(compileBlock(*loop.getAfterBody())))
    return failure();
  currentOp = loopIndex;
  scf::YieldOp yield = loop.getYieldOp();
  if (failed(emitCopies(loop.getInits().getTypes(), *before,
                        useAll(yield.getOperands()))))
    return failure();
  releaseDead(yield);
  emit(&executeJump, kNoRegister, kNoRegister).imm = head;
  program.code[branch].aux = emitLabel();
  bindAll(loop.getResults(), *after);
  releaseAll(*before);
  releaseAll(*after);
  return success();
}

/// Copies the operands to the target's arguments and goes there.
LogicalResult Compiler::emitEdge(Operation *op, mlir::Block *target,
                                 ValueRange operands) {
  if (failed(emitCopies(operands.getTypes(), blockArguments[target],
                        useAll(operands))))
    return failure();
  pendingJumps[target].push_back(program.code.size());
  emit(&executeJump, kNoRegister, kNoRegister);
  return success();
}

LogicalResult Compiler::compileCfg(Region &region) {
  // In reverse post-order, so that lanes meet at the lowest program counter.
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (mlir::Block *block : order) {
    if (block->isEntryBlock())
      continue;
    FailureOr<llvm::SmallVector<uint32_t>> args =
        allocateAll(region.getParentOp(), block->getArgumentTypes());
    if (failed(args))
      return failure();
    blockArguments[block] = *args;
  }
  for (mlir::Block *block : order) {
    blockLabels[block] = emitLabel();
    // Arguments stay in place: edges from anywhere write them.
    llvm::ArrayRef<uint32_t> regs = blockArguments[block];
    if (!block->isEntryBlock())
      for (Value arg : block->getArguments()) {
        size_t count = getComponents(arg.getType())->size();
        values[arg].assign(regs.begin(), regs.begin() + count);
        regs = regs.drop_front(count);
      }
    if (failed(compileBlock(*block)))
      return failure();
  }
  for (auto &[block, jumps] : pendingJumps)
    for (uint32_t jump : jumps)
      program.code[jump].imm = blockLabels[block];
  return success();
}

Compiler::Result Compiler::compileControl(Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<scf::ForOp>([&](auto) { return compileFor(op); })
      .Case<scf::IfOp>([&](auto) { return compileIf(op); })
      .Case<scf::WhileOp>([&](auto) { return compileWhile(op); })
      .Case<scf::YieldOp, scf::ConditionOp>([&](auto) {
        // The enclosing operation copies the operands, then lets them go.
        return success();
      })
      .Case<cf::BranchOp>([&](cf::BranchOp branch) {
        return emitEdge(op, branch.getDest(), branch.getDestOperands());
      })
      .Case<cf::CondBranchOp>([&](cf::CondBranchOp branch) -> LogicalResult {
        uint32_t index = program.code.size();
        emit(&executeBranch, kNoRegister, useOne(branch.getCondition()));
        program.code[index].imm = index + 1;
        if (failed(emitEdge(op, branch.getTrueDest(),
                            branch.getTrueDestOperands())))
          return failure();
        program.code[index].aux = program.code.size();
        return emitEdge(op, branch.getFalseDest(),
                        branch.getFalseDestOperands());
      })
      .Case<gpu::ReturnOp>([&](auto) {
        emit(&executeExit);
        return success();
      })
      .Default([](auto) { return std::nullopt; });
}
