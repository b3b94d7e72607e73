//===- HintStreams.cpp - Loads of what a kernel reads once ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L2 keeps what was used last. Data that is read once and is too large to be
// found there again would only push out what others wrote there, which then has
// to go to memory first. `evict_first` says so. Where a kernel writes about as
// much as it reads, the hint makes it slower instead (measured): its own
// results are what gets pushed out.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_HINTSTREAMSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Bytes of one access that the hint is worth its register for.
static constexpr unsigned accessBytes = 16;
/// A kernel reads so many times the bytes that it writes, at least.
static constexpr uint64_t leastReadsPerWrite = 8;

/// The inputs of `kernel` that it reads as a stream.
static SmallVector<Value> findStreams(gpu::GPUFuncOp kernel,
                                      const DeviceModel &device) {
  uint64_t read = 0, written = 0;
  SmallVector<Value> streams;
  for (BlockArgument argument :
       kernel.getBody().getArguments().take_front(kernel.getNumArguments())) {
    auto buffer = dyn_cast<MemRefType>(argument.getType());
    if (!buffer)
      continue;
    // What is written of a buffer of dynamic shape is not known.
    if (!buffer.hasStaticShape())
      return {};
    uint64_t bytes = buffer.getNumElements() * getElementBytes(buffer);
    // Nothing writes it while the kernel runs: the load may take another path.
    auto has = [&](StringRef name) {
      return kernel.getArgAttr(argument.getArgNumber(), name) != nullptr;
    };
    bool isInput = has(LLVM::LLVMDialect::getReadonlyAttrName()) &&
                   has(LLVM::LLVMDialect::getNoAliasAttrName());
    (isInput ? read : written) += bytes;
    if (isInput && bytes > device.l2Bytes / 2 && !buffer.getMemorySpace() &&
        buffer.getLayout().isIdentity())
      streams.push_back(argument);
  }
  if (read < leastReadsPerWrite * written)
    return {};
  return streams;
}

/// The loads of `stream` to replace; none if it is read in several places, as a
/// row that does not fit is by each pass over it: those after the first one are
/// to find it in L2.
static SmallVector<vector::LoadOp> findLoads(Value stream) {
  SmallVector<vector::LoadOp> loads;
  Block *block = nullptr;
  for (Operation *user : stream.getUsers()) {
    if (block && block != user->getBlock())
      return {};
    block = user->getBlock();
    auto load = dyn_cast<vector::LoadOp>(user);
    if (!load)
      continue;
    VectorType type = load.getVectorType();
    if (type.getRank() == 1 && type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() % 8 == 0 &&
        type.getNumElements() * type.getElementTypeBitWidth() ==
            8 * accessBytes &&
        load.getAlignment().value_or(0) >= accessBytes)
      loads.push_back(load);
  }
  return loads;
}

static Value createAsm(OpBuilder &builder, Location loc, Type result,
                       StringRef text, StringRef constraints,
                       ValueRange operands) {
  return LLVM::InlineAsmOp::create(
             builder, loc, result, operands, text, constraints,
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr::get(builder.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             /*operand_attrs=*/ArrayAttr())
      .getRes();
}

/// Replaces `load` by one of four registers that has `policy`.
static void hint(vector::LoadOp load, Value policy) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  auto buffer = cast<MemRefType>(load.getBase().getType());
  unsigned bytes = buffer.getElementTypeBitWidth() / 8;
  Value element;
  for (auto [extent, index] : llvm::zip(buffer.getShape(), load.getIndices())) {
    if (element)
      element = arith::MulIOp::create(
          builder, loc, element,
          arith::ConstantIndexOp::create(builder, loc, extent));
    element = element ? arith::AddIOp::create(builder, loc, element, index)
                      : Value(index);
  }
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, loc, load.getBase());
  if (element)
    address = arith::AddIOp::create(
        builder, loc, address,
        arith::MulIOp::create(
            builder, loc, element,
            arith::ConstantIndexOp::create(builder, loc, bytes)));
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  address = arith::IndexCastOp::create(builder, loc, i64, address);
  auto generic = LLVM::LLVMPointerType::get(builder.getContext());
  auto global = LLVM::LLVMPointerType::get(
      builder.getContext(), unsigned(NVVM::NVVMMemorySpace::Global));
  Value pointer = LLVM::AddrSpaceCastOp::create(
      builder, loc, global,
      LLVM::IntToPtrOp::create(builder, loc, generic, address));
  auto four = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                               {i32, i32, i32, i32});
  Value loaded = createAsm(
      builder, loc, four,
      "ld.global.nc.L2::cache_hint.v4.b32 {$0, $1, $2, $3}, [$4], $5;",
      "=r,=r,=r,=r,l,l", {pointer, policy});
  auto words = VectorType::get({4}, i32);
  Value vector = LLVM::PoisonOp::create(builder, loc, words);
  for (int64_t i = 0; i < 4; ++i)
    vector = vector::InsertOp::create(
        builder, loc, LLVM::ExtractValueOp::create(builder, loc, loaded, i),
        vector, i);
  load.replaceAllUsesWith(Value(
      vector::BitCastOp::create(builder, loc, load.getVectorType(), vector)));
  load.erase();
}

namespace {

struct HintStreamsPass : fusion::impl::HintStreamsPassBase<HintStreamsPass> {
  using HintStreamsPassBase::HintStreamsPassBase;

  void runOnOperation() override {
    llvm::Expected<DeviceModel> model = lookupDeviceModel(chip, device);
    if (!model) {
      emitError(getOperation().getLoc()) << llvm::toString(model.takeError());
      return signalPassFailure();
    }
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel())
        continue;
      SmallVector<vector::LoadOp> loads;
      for (Value stream : findStreams(kernel, *model))
        llvm::append_range(loads, findLoads(stream));
      if (loads.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
      Value policy = createAsm(
          builder, kernel.getLoc(), builder.getI64Type(),
          "createpolicy.fractional.L2::evict_first.b64 $0, 1.0;", "=l", {});
      for (vector::LoadOp load : loads)
        hint(load, policy);
      numHinted += loads.size();
    }
  }
};

} // namespace
