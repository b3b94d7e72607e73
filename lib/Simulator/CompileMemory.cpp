//===- CompileMemory.cpp - Loads, stores and atomics ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Whether a pointer or memref may point to global and to shared memory.
static std::pair<bool, bool> getSpaces(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    unsigned space = pointer.getAddressSpace();
    // 3 is the block's shared memory, 7 the cluster's, 0 everything.
    bool shared = space == 3 || space == 7;
    return {!shared, space == 0 || shared};
  }
  Attribute space;
  if (auto memref = dyn_cast<MemRefType>(type))
    space = memref.getMemorySpace();
  if (!space)
    return {true, false};
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space)) {
    bool shared = gpuSpace.getValue() == gpu::AddressSpace::Workgroup;
    return {!shared, shared};
  }
  if (auto number = dyn_cast<IntegerAttr>(space)) {
    bool shared = number.getInt() == 3;
    return {!shared, shared};
  }
  return {true, true};
}

/// The value that `memref` is a view of, as far as that is plain to see.
static Value getRoot(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::SubViewOp, memref::CastOp, memref::ReinterpretCastOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp, memref::ViewOp,
             memref::AssumeAlignmentOp, memref::MemorySpaceCastOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

uint32_t Compiler::addAccess(MemoryAccess access, Value memref) {
  // Races are looked for at the largest unit that all accesses are whole
  // multiples of, in place and in size.
  uint32_t bytes = access.getBytes();
  uint32_t unit = std::min(access.alignment, bytes & (~bytes + 1));
  noteGranule(memref, unit);
  program.accesses.push_back(std::move(access));
  program.accessOps.push_back(currentOp);
  return program.accesses.size() - 1;
}

void Compiler::noteGranule(Value memref, uint32_t unit) {
  auto [global, shared] = getSpaces(memref.getType());
  // Memory without a stated space may be shared memory that was cast to it.
  shared |= global && castsShared;
  if (shared)
    program.sharedGranule = std::min(program.sharedGranule, unit);
  if (!global)
    return;
  uint32_t *granule = &program.globalGranule;
  auto arg = dyn_cast<BlockArgument>(getRoot(memref));
  if (arg && arg.getOwner() == &getKernel().getBody().front() &&
      arg.getArgNumber() < program.argumentGranules.size())
    granule = &program.argumentGranules[arg.getArgNumber()];
  *granule = std::min(*granule, unit);
}

FailureOr<uint32_t> Compiler::addAccess(Operation *op, Value memref,
                                        ValueRange indices, uint32_t count,
                                        std::optional<uint64_t> alignment) {
  auto type = cast<MemRefType>(memref.getType());
  RegisterShape element = *getRegisterShape(type.getElementType());
  MemRefParts parts = getParts(memref);
  MemoryAccess access;
  access.base = parts.pointer;
  // A memref of vectors counts in vectors.
  access.elementBytes = element.getElementBytes();
  for (auto [index, stride] : llvm::zip(indices, parts.strides)) {
    Operand scaled = stride;
    if (element.n != 1)
      scaled = multiply(stride, {kNoRegister, int64_t(element.n)});
    access.terms.push_back({getOperand(index), scaled});
  }
  access.count = count;
  access.alignment = alignment.value_or(element.getElementBytes());
  return addAccess(std::move(access), memref);
}

LogicalResult Compiler::compileLoad(Operation *op, Value result, Value memref,
                                    ValueRange indices,
                                    std::optional<uint64_t> alignment,
                                    Value mask, Value passThrough) {
  RegisterShape shape = *getRegisterShape(result.getType());
  if (shape.kind == ScalarKind::I1 && shape.n != 1)
    return refuse(op);
  uint32_t maskReg = mask ? useOne(mask) : kNoRegister;
  uint32_t otherReg = passThrough ? useOne(passThrough) : kNoRegister;
  FailureOr<uint32_t> access =
      addAccess(op, memref, indices, mask ? 1 : shape.n, alignment);
  if (failed(access))
    return failure();
  emit(getLoadHandler(shape.getElementBytes()), define(result).front(),
       kNoRegister, maskReg, otherReg, shape.n, 0, *access);
  return success();
}

LogicalResult Compiler::compileStore(Operation *op, Value stored, Value memref,
                                     ValueRange indices,
                                     std::optional<uint64_t> alignment,
                                     Value mask) {
  RegisterShape shape = *getRegisterShape(stored.getType());
  if (shape.kind == ScalarKind::I1 && shape.n != 1)
    return refuse(op);
  FailureOr<uint32_t> access =
      addAccess(op, memref, indices, mask ? 1 : shape.n, alignment);
  if (failed(access))
    return failure();
  emit(getStoreHandler(shape.getElementBytes()), kNoRegister, useOne(stored),
       mask ? useOne(mask) : kNoRegister, kNoRegister, shape.n, 0, *access);
  return success();
}

uint32_t Compiler::emitSpread(uint32_t scalar, uint32_t bytes, uint32_t n) {
  uint32_t reg = allocate(bytes * kLanes * n);
  Permutation permutation;
  permutation.rowBytes = bytes * kLanes;
  for (uint32_t i = 0; i < n; ++i)
    permutation.moves.push_back({reg + i * permutation.rowBytes, scalar});
  emit(getPermuteHandler(bytes)).aux = program.permutations.size();
  program.permutations.push_back(std::move(permutation));
  return reg;
}

uint32_t Compiler::emitInside(Operand index, Operand extent, uint32_t mask,
                              uint32_t n) {
  RegisterShape maskShape{ScalarKind::I1, n}, indexShape{ScalarKind::I64, n};
  uint32_t indices = emitSpread(getRegister(index), 8, n);
  uint32_t extents = emitSpread(getRegister(extent), 8, n);
  llvm::SmallVector<uint64_t> steps;
  for (uint32_t i = 0; i < n; ++i)
    steps.push_back(i);
  uint32_t sum = allocate(indexShape), inside = allocate(maskShape);
  emit(getBinaryHandler(BinaryOp::AddI, ScalarKind::I64), sum, indices,
       getConstant(indexShape, steps), kNoRegister, n);
  emit(getCompareHandler(ScalarKind::I64, true), inside, sum, extents,
       kNoRegister, n, Less);
  releaseAll({indices, extents, sum});
  if (mask == kNoRegister)
    return inside;
  uint32_t both = allocate(maskShape);
  emit(getBinaryHandler(BinaryOp::And, ScalarKind::I1), both, inside, mask,
       kNoRegister, n);
  release(inside);
  return both;
}

/// Transfers of one vector dimension along the last memref dimension, with an
/// optional mask; beyond the bounds elements are padding or not written.
LogicalResult Compiler::compileTransfer(Operation *op) {
  auto transfer = cast<VectorTransferOpInterface>(op);
  VectorType type = transfer.getVectorType();
  Value base = transfer.getBase();
  RegisterShape shape = *getRegisterShape(type);
  if (!isa<MemRefType>(base.getType()) || type.getRank() != 1 ||
      !transfer.getPermutationMap().isMinorIdentity() ||
      shape.kind == ScalarKind::I1)
    return refuse(op);
  MemRefParts parts = getParts(base);
  if (parts.strides.empty() || !parts.strides.back().isConstant() ||
      parts.strides.back().constant != 1)
    return refuse(op);
  auto indices = transfer.getIndices();
  llvm::SmallVector<uint32_t> temporaries;
  uint32_t mask = transfer.getMask() ? useOne(transfer.getMask()) : kNoRegister;
  if (!transfer.isDimInBounds(0)) {
    mask = emitInside(getOperand(indices.back()), parts.sizes.back(), mask,
                      shape.n);
    temporaries.push_back(mask);
  }
  bool masked = mask != kNoRegister;
  FailureOr<uint32_t> access =
      addAccess(op, base, indices, masked ? 1 : shape.n, std::nullopt);
  if (failed(access))
    return failure();
  uint32_t bytes = shape.getElementBytes();
  if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    uint32_t padding = kNoRegister;
    if (masked) {
      padding = emitSpread(useOne(read.getPadding()), bytes, shape.n);
      temporaries.push_back(padding);
    }
    emit(getLoadHandler(bytes), define(read.getResult()).front(), kNoRegister,
         mask, padding, shape.n, 0, *access);
  } else {
    auto write = cast<vector::TransferWriteOp>(op);
    emit(getStoreHandler(bytes), kNoRegister, useOne(write.getValueToStore()),
         mask, kNoRegister, shape.n, 0, *access);
  }
  releaseAll(temporaries);
  return success();
}

static std::optional<BinaryOp> getAtomicOp(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return BinaryOp::AddF;
  case arith::AtomicRMWKind::addi:
    return BinaryOp::AddI;
  case arith::AtomicRMWKind::mulf:
    return BinaryOp::MulF;
  case arith::AtomicRMWKind::muli:
    return BinaryOp::MulI;
  case arith::AtomicRMWKind::maximumf:
    return BinaryOp::MaximumF;
  case arith::AtomicRMWKind::minimumf:
    return BinaryOp::MinimumF;
  case arith::AtomicRMWKind::maxnumf:
    return BinaryOp::MaxNumF;
  case arith::AtomicRMWKind::minnumf:
    return BinaryOp::MinNumF;
  case arith::AtomicRMWKind::maxs:
    return BinaryOp::MaxSI;
  case arith::AtomicRMWKind::maxu:
    return BinaryOp::MaxUI;
  case arith::AtomicRMWKind::mins:
    return BinaryOp::MinSI;
  case arith::AtomicRMWKind::minu:
    return BinaryOp::MinUI;
  case arith::AtomicRMWKind::andi:
    return BinaryOp::And;
  case arith::AtomicRMWKind::ori:
    return BinaryOp::Or;
  case arith::AtomicRMWKind::xori:
    return BinaryOp::Xor;
  default:
    return std::nullopt;
  }
}

LogicalResult Compiler::compileAtomicRmw(Operation *op) {
  auto atomic = cast<memref::AtomicRMWOp>(op);
  RegisterShape shape = *getRegisterShape(atomic.getType());
  FailureOr<uint32_t> access =
      addAccess(op, atomic.getMemref(), atomic.getIndices(), 1, std::nullopt);
  if (failed(access))
    return failure();
  Handler handler = nullptr;
  std::optional<BinaryOp> combine = getAtomicOp(atomic.getKind());
  if (atomic.getKind() == arith::AtomicRMWKind::assign)
    handler = getAtomicExchangeHandler(shape.getElementBytes());
  else if (combine)
    handler = getAtomicHandler(*combine, shape.kind);
  if (!handler || shape.kind == ScalarKind::I1)
    return refuse(op);
  // The lowering to LLVM asks for acquire and release.
  int64_t order = isOneInstruction(combine, shape.kind) ? 0 : Acquire | Release;
  uint32_t value = useOne(atomic.getValue());
  emit(handler, define(atomic.getResult()).front(), value, kNoRegister,
       kNoRegister, 1, order, *access);
  return success();
}

Compiler::Result Compiler::compileMemory(Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<memref::LoadOp>([&](memref::LoadOp load) {
        return compileLoad(op, load.getResult(), load.getMemref(),
                           load.getIndices(), load.getAlignment());
      })
      .Case<memref::StoreOp>([&](memref::StoreOp store) {
        return compileStore(op, store.getValue(), store.getMemref(),
                            store.getIndices(), store.getAlignment());
      })
      .Case<vector::LoadOp>([&](vector::LoadOp load) {
        return compileLoad(op, load.getResult(), load.getBase(),
                           load.getIndices(), load.getAlignment());
      })
      .Case<vector::StoreOp>([&](vector::StoreOp store) {
        return compileStore(op, store.getValueToStore(), store.getBase(),
                            store.getIndices(), store.getAlignment());
      })
      .Case<vector::MaskedLoadOp>([&](vector::MaskedLoadOp load) {
        return compileLoad(op, load.getResult(), load.getBase(),
                           load.getIndices(), std::nullopt, load.getMask(),
                           load.getPassThru());
      })
      .Case<vector::MaskedStoreOp>([&](vector::MaskedStoreOp store) {
        return compileStore(op, store.getValueToStore(), store.getBase(),
                            store.getIndices(), std::nullopt, store.getMask());
      })
      .Case<vector::TransferReadOp, vector::TransferWriteOp>(
          [&](auto) { return compileTransfer(op); })
      .Case<memref::AtomicRMWOp>([&](auto) { return compileAtomicRmw(op); })
      .Case<memref::PrefetchOp>([](auto) { return success(); })
      .Default([](auto) { return std::nullopt; });
}
