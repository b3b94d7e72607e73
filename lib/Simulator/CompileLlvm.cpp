//===- CompileLlvm.cpp - Pointers and atomics of the LLVM dialect ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What memref has no words for: atomics with an order, fences, and pointers.
// All synchronisation scopes count as the whole device.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// What an access or fence of this order publishes and takes over. An access
/// that is sequentially consistent stands behind a fence of its own.
static int64_t getOrder(LLVM::AtomicOrdering ordering) {
  switch (ordering) {
  case LLVM::AtomicOrdering::acquire:
    return Acquire;
  case LLVM::AtomicOrdering::release:
    return Release;
  case LLVM::AtomicOrdering::acq_rel:
  case LLVM::AtomicOrdering::seq_cst:
    return Acquire | Release;
  default:
    return 0;
  }
}

/// LLVM puts fence.sc before what is sequentially consistent.
void Compiler::emitFenceBefore(LLVM::AtomicOrdering ordering) {
  if (ordering == LLVM::AtomicOrdering::seq_cst)
    emit(&executeFence).imm = Acquire | Release;
}

bool Compiler::isOneInstruction(std::optional<BinaryOp> combine,
                                ScalarKind kind) {
  bool isWord = kind == ScalarKind::I32 || kind == ScalarKind::I64;
  if (!combine)
    return isWord || kind == ScalarKind::F32 || kind == ScalarKind::F64;
  switch (*combine) {
  case BinaryOp::And:
  case BinaryOp::Or:
  case BinaryOp::Xor:
    return true;
  case BinaryOp::AddI:
  case BinaryOp::SubI:
  case BinaryOp::MaxSI:
  case BinaryOp::MinSI:
  case BinaryOp::MaxUI:
  case BinaryOp::MinUI:
    return isWord;
  case BinaryOp::AddF:
    return true;
  default:
    return false;
  }
}

static std::optional<BinaryOp> getCombineOp(LLVM::AtomicBinOp op) {
  switch (op) {
  case LLVM::AtomicBinOp::add:
    return BinaryOp::AddI;
  case LLVM::AtomicBinOp::sub:
    return BinaryOp::SubI;
  case LLVM::AtomicBinOp::_and:
    return BinaryOp::And;
  case LLVM::AtomicBinOp::_or:
    return BinaryOp::Or;
  case LLVM::AtomicBinOp::_xor:
    return BinaryOp::Xor;
  case LLVM::AtomicBinOp::max:
    return BinaryOp::MaxSI;
  case LLVM::AtomicBinOp::min:
    return BinaryOp::MinSI;
  case LLVM::AtomicBinOp::umax:
    return BinaryOp::MaxUI;
  case LLVM::AtomicBinOp::umin:
    return BinaryOp::MinUI;
  case LLVM::AtomicBinOp::fadd:
    return BinaryOp::AddF;
  case LLVM::AtomicBinOp::fsub:
    return BinaryOp::SubF;
  case LLVM::AtomicBinOp::fmax:
    return BinaryOp::MaxNumF;
  case LLVM::AtomicBinOp::fmin:
    return BinaryOp::MinNumF;
  case LLVM::AtomicBinOp::fmaximum:
    return BinaryOp::MaximumF;
  case LLVM::AtomicBinOp::fminimum:
    return BinaryOp::MinimumF;
  default:
    return std::nullopt;
  }
}

/// An access through a plain pointer; its alignment is the type's natural one
/// if none is stated.
uint32_t Compiler::addPointerAccess(Value pointer, RegisterShape shape,
                                    std::optional<uint64_t> alignment) {
  MemoryAccess access;
  access.base = useOne(pointer);
  access.elementBytes = shape.getElementBytes();
  access.count = shape.n;
  access.alignment = alignment.value_or(llvm::PowerOf2Ceil(access.getBytes()));
  return addAccess(std::move(access), pointer);
}

uint32_t Compiler::extendIndex(Value index) {
  RegisterShape shape = *getRegisterShape(index.getType());
  if (shape.kind == ScalarKind::I64) {
    retain(useOne(index));
    return useOne(index);
  }
  uint32_t wide = allocate(RegisterShape());
  emit(getCastHandler(shape.kind, ScalarKind::I64, IntegerSign::Signed), wide,
       useOne(index));
  return wide;
}

LogicalResult Compiler::compileGep(Operation *op) {
  auto gep = cast<LLVM::GEPOp>(op);
  std::optional<RegisterShape> element = getRegisterShape(gep.getElemType());
  if (!element || gep.getIndices().size() != 1 ||
      !isa<LLVM::LLVMPointerType>(gep.getType()))
    return refuse(op);
  MemoryAccess::Term term;
  term.stride.constant = 1;
  uint32_t owned = kNoRegister;
  if (gep.getDynamicIndices().empty()) {
    term.index.constant = gep.getRawConstantIndices().front();
  } else {
    owned = extendIndex(gep.getDynamicIndices().front());
    term.index.reg = owned;
  }
  uint32_t pointer = emitAddress(useOne(gep.getBase()), term,
                                 element->getElementBytes() * element->n);
  bind(gep.getResult(), pointer);
  release(pointer);
  if (owned != kNoRegister)
    release(owned);
  return success();
}

LogicalResult Compiler::compileLlvmLoad(Operation *op) {
  auto load = cast<LLVM::LoadOp>(op);
  RegisterShape shape = *getRegisterShape(load.getType());
  bool atomic = load.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if ((shape.kind == ScalarKind::I1 || atomic) && shape.n != 1)
    return refuse(op);
  uint32_t access =
      addPointerAccess(load.getAddr(), shape, load.getAlignment());
  uint32_t bytes = shape.getElementBytes();
  emitFenceBefore(load.getOrdering());
  emit(atomic ? getAtomicLoadHandler(bytes) : getLoadHandler(bytes),
       define(load.getResult()).front(), kNoRegister, kNoRegister, kNoRegister,
       shape.n, getOrder(load.getOrdering()) & Acquire, access);
  return success();
}

LogicalResult Compiler::compileLlvmStore(Operation *op) {
  auto store = cast<LLVM::StoreOp>(op);
  std::optional<RegisterShape> shape =
      getRegisterShape(store.getValue().getType());
  bool atomic = store.getOrdering() != LLVM::AtomicOrdering::not_atomic;
  if (!shape || ((shape->kind == ScalarKind::I1 || atomic) && shape->n != 1))
    return refuse(op);
  uint32_t access =
      addPointerAccess(store.getAddr(), *shape, store.getAlignment());
  uint32_t bytes = shape->getElementBytes();
  emitFenceBefore(store.getOrdering());
  emit(atomic ? getAtomicExchangeHandler(bytes) : getStoreHandler(bytes),
       kNoRegister, useOne(store.getValue()), kNoRegister, kNoRegister,
       shape->n, getOrder(store.getOrdering()) & Release, access);
  return success();
}

LogicalResult Compiler::compileLlvmAtomic(Operation *op) {
  if (auto compare = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    RegisterShape shape = *getRegisterShape(compare.getVal().getType());
    uint32_t access = addPointerAccess(compare.getPtr(), shape, std::nullopt);
    uint32_t expected = useOne(compare.getCmp());
    uint32_t desired = useOne(compare.getVal());
    llvm::ArrayRef<uint32_t> results = define(compare.getRes());
    bool isSequential =
        compare.getFailureOrdering() == LLVM::AtomicOrdering::seq_cst;
    emitFenceBefore(isSequential ? compare.getFailureOrdering()
                                 : compare.getSuccessOrdering());
    emit(getAtomicCompareHandler(shape.getElementBytes()), results[0], expected,
         desired, results[1], 1,
         getOrder(compare.getSuccessOrdering()) |
             getOrder(compare.getFailureOrdering()),
         access);
    return success();
  }
  auto atomic = cast<LLVM::AtomicRMWOp>(op);
  RegisterShape shape = *getRegisterShape(atomic.getVal().getType());
  Handler handler = nullptr;
  std::optional<BinaryOp> combine = getCombineOp(atomic.getBinOp());
  if (atomic.getBinOp() == LLVM::AtomicBinOp::xchg)
    handler = getAtomicExchangeHandler(shape.getElementBytes());
  else if (combine)
    handler = getAtomicHandler(*combine, shape.kind);
  if (!handler || shape.n != 1)
    return refuse(op);
  uint32_t access = addPointerAccess(atomic.getPtr(), shape, std::nullopt);
  uint32_t value = useOne(atomic.getVal());
  int64_t order = 0;
  if (!isOneInstruction(combine, shape.kind)) {
    emitFenceBefore(atomic.getOrdering());
    order = getOrder(atomic.getOrdering());
  }
  emit(handler, define(atomic.getRes()).front(), value, kNoRegister,
       kNoRegister, 1, order, access);
  return success();
}

Compiler::Result Compiler::compileLlvm(Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<LLVM::LoadOp>([&](auto) { return compileLlvmLoad(op); })
      .Case<LLVM::StoreOp>([&](auto) { return compileLlvmStore(op); })
      .Case<LLVM::AtomicRMWOp, LLVM::AtomicCmpXchgOp>(
          [&](auto) { return compileLlvmAtomic(op); })
      .Case<LLVM::GEPOp>([&](auto) { return compileGep(op); })
      .Case<LLVM::FenceOp>([&](LLVM::FenceOp fence) {
        emit(&executeFence).imm = getOrder(fence.getOrdering());
        return success();
      })
      // Pointers of all spaces are addresses in one space, but the cluster's
      // shared memory is seen from every block.
      .Case<LLVM::AddrSpaceCastOp>([&](LLVM::AddrSpaceCastOp cast) {
        auto type = dyn_cast<LLVM::LLVMPointerType>(cast.getType());
        if (type && type.getAddressSpace() == 7)
          emit(&executeMapAddress, define(cast.getRes()).front(),
               useOne(cast.getArg()));
        else
          bind(cast.getRes(), use(cast.getArg()));
        return success();
      })
      .Case<LLVM::IntToPtrOp>([&](LLVM::IntToPtrOp cast) -> LogicalResult {
        if (!cast.getArg().getType().isInteger(64))
          return refuse(op);
        bind(cast.getRes(), use(cast.getArg()));
        return success();
      })
      .Case<LLVM::PtrToIntOp>([&](LLVM::PtrToIntOp cast) -> LogicalResult {
        if (!cast.getRes().getType().isInteger(64))
          return refuse(op);
        bind(cast.getRes(), use(cast.getArg()));
        return success();
      })
      .Case<LLVM::ConstantOp>([&](LLVM::ConstantOp constant) {
        return compileConstant(op, constant.getValue());
      })
      .Case<LLVM::ExtractValueOp>(
          [&](LLVM::ExtractValueOp extract) -> LogicalResult {
            // A structure of scalars has one register for each.
            llvm::ArrayRef<uint32_t> regs = use(extract.getContainer());
            if (extract.getPosition().size() != 1 ||
                extract.getPosition()[0] >= int64_t(regs.size()))
              return refuse(op);
            uint32_t reg = regs[extract.getPosition()[0]];
            bind(extract.getRes(), reg);
            return success();
          })
      .Default([](auto) { return std::nullopt; });
}
