//===- HintStreams.cpp - Policies of what a kernel reads once -------------===//
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
// its results push out as much; there `evict_first` makes it slower and
// `evict_last` faster (measured; why is not known: docs/Rationale.md).
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
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_HINTSTREAMSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The copy of a run of bytes to shared memory by one thread.
using BulkCopy = NVVM::CpAsyncBulkGlobalToSharedClusterOp;

/// Bytes of one load that the hint is worth its register for.
static constexpr unsigned accessBytes = 16;
/// A kernel that writes little reads so many times the bytes, at least.
static constexpr uint64_t leastReadsPerWrite = 8;
/// Only inputs larger than L2 over this number get a policy. Where reads are to
/// leave first: those of which the next kernel finds little in L2.
static constexpr uint64_t firstToLeaveShare = 2;
/// Where they are to leave last: all but what blocks share, such as params,
/// which is small and stays in L2 by being used again.
static constexpr uint64_t lastToLeaveShare = 8;

namespace {

/// What a kernel reads and writes, in bytes.
struct Accesses {
  uint64_t read = 0, written = 0;
  /// What can get a policy, with its size.
  SmallVector<std::pair<Value, uint64_t>> inputs;
};

/// The inputs that a kernel reads as streams, and the policy of these reads.
struct Streams {
  StringRef policy;
  SmallVector<Value> inputs;
};

/// The reads of streams to give a policy.
struct Reads {
  SmallVector<vector::LoadOp> loads;
  SmallVector<BulkCopy> copies;
};

} // namespace

/// None if a buffer has a dynamic shape: how much is read or written of it is
/// not known.
static std::optional<Accesses> countAccesses(gpu::GPUFuncOp kernel) {
  Accesses accesses;
  for (BlockArgument argument :
       kernel.getBody().getArguments().take_front(kernel.getNumArguments())) {
    auto buffer = dyn_cast<MemRefType>(argument.getType());
    if (!buffer)
      continue;
    if (!buffer.hasStaticShape())
      return std::nullopt;
    uint64_t bytes = buffer.getNumElements() * getElementBytes(buffer);
    // Nothing writes it while the kernel runs: the load may take another path.
    auto has = [&](StringRef name) {
      return kernel.getArgAttr(argument.getArgNumber(), name) != nullptr;
    };
    bool isInput = has(LLVM::LLVMDialect::getReadonlyAttrName()) &&
                   has(LLVM::LLVMDialect::getNoAliasAttrName());
    (isInput ? accesses.read : accesses.written) += bytes;
    if (isInput && !buffer.getMemorySpace() && buffer.getLayout().isIdentity())
      accesses.inputs.push_back({argument, bytes});
  }
  return accesses;
}

static Streams chooseStreams(const Accesses &accesses, uint64_t l2Bytes) {
  bool writesLittle = accesses.read >= leastReadsPerWrite * accesses.written;
  // What fits in L2 with all else is found there by the next kernel.
  if (!writesLittle && accesses.read + accesses.written <= l2Bytes)
    return {};
  Streams streams{writesLittle ? "evict_first" : "evict_last", {}};
  uint64_t least =
      l2Bytes / (writesLittle ? firstToLeaveShare : lastToLeaveShare);
  for (auto [input, bytes] : accesses.inputs)
    if (bytes > least)
      streams.inputs.push_back(input);
  return streams;
}

/// Whether one load gives four registers of whole elements, and its address
/// allows that.
static bool isWide(vector::LoadOp load) {
  VectorType type = load.getVectorType();
  return type.getRank() == 1 && type.getElementType().isIntOrFloat() &&
         type.getElementTypeBitWidth() % 8 == 0 &&
         type.getNumElements() * type.getElementTypeBitWidth() ==
             8 * accessBytes &&
         load.getAlignment().value_or(0) >= accessBytes;
}

/// Collects the bulk copies from addresses that are made of `address` as
/// schedulers make them. Fails if anything else uses it, which may read as
/// well, or if a copy has a policy.
static LogicalResult collectCopies(Value address,
                                   SmallVectorImpl<BulkCopy> &copies) {
  for (Operation *user : address.getUsers()) {
    if (auto copy = dyn_cast<BulkCopy>(user); copy && !copy.getL2CacheHint()) {
      copies.push_back(copy);
      continue;
    }
    if (!isa<arith::AddIOp, arith::IndexCastOp, LLVM::IntToPtrOp,
             LLVM::AddrSpaceCastOp>(user) ||
        failed(collectCopies(user->getResult(0), copies)))
      return failure();
  }
  return success();
}

/// The reads of `stream` that get a policy; none if it is read in several
/// places, as a row that does not fit is by each pass over it: those after the
/// first one are to find it in L2.
static Reads findReads(Value stream) {
  Reads reads;
  SmallPtrSet<Block *, 2> blocks;
  for (Operation *user : stream.getUsers()) {
    if (isa<memref::ExtractAlignedPointerAsIndexOp>(user)) {
      if (failed(collectCopies(user->getResult(0), reads.copies)))
        return {};
      continue;
    }
    // A view may be read anywhere.
    if (llvm::any_of(user->getResultTypes(), llvm::IsaPred<MemRefType>))
      return {};
    blocks.insert(user->getBlock());
    if (auto load = dyn_cast<vector::LoadOp>(user); load && isWide(load))
      reads.loads.push_back(load);
  }
  // Copies outside of the one loop with copies fill the ring that it goes on
  // filling.
  SmallPtrSet<Operation *, 2> loops;
  for (BulkCopy copy : reads.copies)
    if (auto loop = copy->getParentOfType<LoopLikeOpInterface>())
      loops.insert(loop);
  bool inOnePlace = reads.copies.empty() ? blocks.size() == 1
                                         : blocks.empty() && loops.size() <= 1;
  return inOnePlace ? reads : Reads();
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

/// Chips have policies from sm_80 on, the oldest that is known; PTX has them
/// from a version on that fusion-attach-target asks for.
static Value createPolicy(OpBuilder &builder, Location loc, StringRef policy) {
  std::string text =
      ("createpolicy.fractional.L2::" + policy + ".b64 $0, 1.0;").str();
  return createAsm(builder, loc, builder.getI64Type(), text, "=l", {});
}

/// The address in global memory that `load` reads.
static Value createPointer(OpBuilder &builder, vector::LoadOp load) {
  Location loc = load.getLoc();
  auto buffer = cast<MemRefType>(load.getBase().getType());
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value element;
  for (auto [extent, at] : llvm::zip(buffer.getShape(), load.getIndices())) {
    if (element)
      element = arith::MulIOp::create(builder, loc, element, index(extent));
    element =
        element ? arith::AddIOp::create(builder, loc, element, at) : Value(at);
  }
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, loc, load.getBase());
  if (element)
    address = arith::AddIOp::create(
        builder, loc, address,
        arith::MulIOp::create(builder, loc, element,
                              index(buffer.getElementTypeBitWidth() / 8)));
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  auto generic = LLVM::LLVMPointerType::get(builder.getContext());
  auto global = LLVM::LLVMPointerType::get(
      builder.getContext(), unsigned(NVVM::NVVMMemorySpace::Global));
  return LLVM::AddrSpaceCastOp::create(
      builder, loc, global,
      LLVM::IntToPtrOp::create(builder, loc, generic, address));
}

/// Replaces `load` by one of four registers that has `policy`.
static void hint(vector::LoadOp load, Value policy) {
  OpBuilder builder(load);
  Location loc = load.getLoc();
  Value pointer = createPointer(builder, load);
  Type i32 = builder.getI32Type();
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

static void hintLoads(gpu::GPUFuncOp kernel, ArrayRef<vector::LoadOp> loads,
                      StringRef policyName) {
  if (loads.empty())
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value policy = createPolicy(builder, kernel.getLoc(), policyName);
  for (vector::LoadOp load : loads)
    hint(load, policy);
}

/// Only the thread that copies needs the policy: it is made beside the copies.
static void hintCopies(ArrayRef<BulkCopy> copies, StringRef policyName) {
  DenseMap<Block *, Value> policies;
  for (BulkCopy copy : copies) {
    Value &policy = policies[copy->getBlock()];
    if (!policy) {
      OpBuilder builder = OpBuilder::atBlockBegin(copy->getBlock());
      policy = createPolicy(builder, copy.getLoc(), policyName);
    }
    copy.getL2CacheHintMutable().assign(policy);
  }
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
      std::optional<Accesses> accesses = countAccesses(kernel);
      if (!accesses)
        continue;
      Streams streams = chooseStreams(*accesses, model->l2Bytes);
      Reads reads;
      for (Value stream : streams.inputs) {
        Reads ofStream = findReads(stream);
        llvm::append_range(reads.loads, ofStream.loads);
        llvm::append_range(reads.copies, ofStream.copies);
      }
      hintLoads(kernel, reads.loads, streams.policy);
      hintCopies(reads.copies, streams.policy);
      numHinted += reads.loads.size() + reads.copies.size();
    }
  }
};

} // namespace
