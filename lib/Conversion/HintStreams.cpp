//===- HintStreams.cpp - Loads of what a kernel reads once ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L2 keeps what was used last. Data that is read once and is too large to be
// found there again only pushes out what others wrote there, which then has to
// go to memory first.
//
// A kernel that writes little avoids that: its reads are the first to leave
// (`evict_first`). A kernel that writes about as much as it reads cannot, since
// its results push out as much; there `evict_first` makes it slower, and
// `evict_last`, with which what others wrote leaves at once, makes it faster
// (measured, docs/Rationale.md).
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

/// The policy of reads, and the inputs of `kernel` that it reads as a stream.
struct Streams {
  StringRef policy;
  SmallVector<Value> inputs;
};

static Streams findStreams(gpu::GPUFuncOp kernel, const DeviceModel &device) {
  uint64_t read = 0, written = 0;
  SmallVector<std::pair<Value, uint64_t>> inputs;
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
    if (isInput && !buffer.getMemorySpace() && buffer.getLayout().isIdentity())
      inputs.push_back({argument, bytes});
  }
  bool writesLittle = read >= leastReadsPerWrite * written;
  // What fits in L2 with all else is found there by the next kernel.
  if (!writesLittle && read + written <= device.l2Bytes)
    return {};
  Streams streams{writesLittle ? "evict_first" : "evict_last", {}};
  uint64_t least = device.l2Bytes / (writesLittle ? 2 : 8);
  for (auto [input, bytes] : inputs)
    if (bytes > least)
      streams.inputs.push_back(input);
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

static Value createPolicy(OpBuilder &builder, Location loc, StringRef policy) {
  std::string text =
      ("createpolicy.fractional.L2::" + policy + ".b64 $0, 1.0;").str();
  return createAsm(builder, loc, builder.getI64Type(), text, "=l", {});
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

/// The buffer that an address was made from, as schedulers make it; null if it
/// is another.
static Value findBuffer(Value address) {
  SmallVector<Value> pending{address};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (auto extract =
            dyn_cast_or_null<memref::ExtractAlignedPointerAsIndexOp>(op))
      return extract.getSource();
    if (isa_and_nonnull<LLVM::AddrSpaceCastOp, LLVM::IntToPtrOp,
                        arith::IndexCastOp, arith::AddIOp>(op))
      llvm::append_range(pending, op->getOperands());
  }
  return nullptr;
}

/// Gives `policy` to the bulk copies of `streams` in `kernel`. Only the thread
/// that copies needs it: it is made beside them.
static unsigned hintBulkCopies(gpu::GPUFuncOp kernel, const Streams &streams) {
  DenseMap<Block *, Value> policies;
  unsigned number = 0;
  kernel.walk([&](NVVM::CpAsyncBulkGlobalToSharedClusterOp copy) {
    if (copy.getL2CacheHint() ||
        !llvm::is_contained(streams.inputs, findBuffer(copy.getSrcMem())))
      return;
    Value &policy = policies[copy->getBlock()];
    if (!policy) {
      OpBuilder builder = OpBuilder::atBlockBegin(copy->getBlock());
      policy = createPolicy(builder, copy.getLoc(), streams.policy);
    }
    copy.getL2CacheHintMutable().assign(policy);
    ++number;
  });
  return number;
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
      Streams streams = findStreams(kernel, *model);
      numHinted += hintBulkCopies(kernel, streams);
      SmallVector<vector::LoadOp> loads;
      for (Value stream : streams.inputs)
        llvm::append_range(loads, findLoads(stream));
      if (loads.empty())
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
      Value policy = createPolicy(builder, kernel.getLoc(), streams.policy);
      for (vector::LoadOp load : loads)
        hint(load, policy);
      numHinted += loads.size();
    }
  }
};

} // namespace
