//===- SharedBarrier.cpp - Barriers in shared memory ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedBarrier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::fusion;

static Value createI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

static Type getPointerType(OpBuilder &builder, NVVM::NVVMMemorySpace space) {
  return LLVM::LLVMPointerType::get(builder.getContext(), unsigned(space));
}

Value fusion::emitSharedPointer(OpBuilder &builder, Location loc,
                                Value address) {
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, loc, getPointerType(builder, NVVM::NVVMMemorySpace::Shared),
      address);
}

void fusion::emitBarrierInit(OpBuilder &builder, Location loc, Value barrier) {
  NVVM::MBarrierInitOp::create(builder, loc, barrier,
                               createI32(builder, loc, 1), Value());
}

void fusion::emitBarrierExpect(OpBuilder &builder, Location loc, Value barrier,
                               Value bytes) {
  NVVM::MBarrierArriveExpectTxOp::create(
      builder, loc, Type(), barrier, bytes, NVVM::MemScopeKind::CTA,
      /*relaxed=*/false, /*predicate=*/Value());
}

void fusion::emitBarrierWait(OpBuilder &builder, Location loc, Value barrier,
                             Value parity) {
  // How long one try may suspend the thread, in nanoseconds; it tries again.
  constexpr int64_t patience = 10'000'000;
  NVVM::MBarrierTryWaitParityOp::create(builder, loc, barrier, parity,
                                        createI32(builder, loc, patience));
}

void fusion::emitClusterStore(OpBuilder &builder, Location loc, Value value,
                              Value pointer, Value barrier, Value peer) {
  Type type = getPointerType(builder, NVVM::NVVMMemorySpace::SharedCluster);
  Value remote = NVVM::MapaOp::create(builder, loc, type, pointer, peer);
  Value remoteBarrier = NVVM::MapaOp::create(builder, loc, type, barrier, peer);
  // LLVM has no intrinsic for it.
  std::string ptx =
      ("st.async.weak.shared::cluster.mbarrier::complete_tx::"
       "bytes.b" +
       Twine(value.getType().getIntOrFloatBitWidth()) + " [$0], $1, [$2];")
          .str();
  NVVM::InlinePtxOp::create(builder, loc, TypeRange(),
                            ValueRange{remote, value, remoteBarrier},
                            ValueRange(), builder.getStringAttr(ptx), Value());
}
