//===- LowerSegments.cpp - Turn segments into kernels and launches --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_LOWERSEGMENTSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Vector accesses of kernels need data that starts at a multiple of this.
static constexpr int64_t argumentAlignment = 16;

/// The values that may have the buffer of `use`'s value where its owner has
/// buffers: views, and what loops and conditions pass on.
static SmallVector<Value> getAliases(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::ExtractSliceOp>(op))
    return {op->getResult(0)};
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (BlockArgument argument = loop.getTiedLoopRegionIterArg(&use))
      return {argument, loop.getTiedLoopResult(&use)};
    return {};
  }
  if (!isa<scf::YieldOp>(op))
    return {};
  unsigned index = use.getOperandNumber();
  SmallVector<Value> aliases = {op->getParentOp()->getResult(index)};
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    aliases.push_back(loop.getRegionIterArg(index));
  return aliases;
}

/// True if a segment may read the buffer of `argument`.
static bool mayReachSegment(BlockArgument argument) {
  SmallVector<Value> work = {argument};
  DenseSet<Value> visited;
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      if (isa<SegmentOp>(use.getOwner()))
        return true;
      llvm::append_range(work, getAliases(use));
    }
  }
  return false;
}

/// Checks at run time that the tensor arguments which segments read are
/// aligned as kernels assume.
static void assertAlignment(FunctionOpInterface function,
                            RewriterBase &rewriter) {
  Block &entry = function.getFunctionBody().front();
  rewriter.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !mayReachSegment(argument))
      continue;
    Location loc = argument.getLoc();
    Value buffer = bufferization::ToBufferOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        argument, /*read_only=*/true);
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(rewriter, loc, buffer);
    Value rest = arith::RemUIOp::create(
        rewriter, loc, address,
        arith::ConstantIndexOp::create(rewriter, loc, argumentAlignment));
    Value isAligned =
        arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, rest,
                              arith::ConstantIndexOp::create(rewriter, loc, 0));
    cf::AssertOp::create(
        rewriter, loc, isAligned,
        ("expected argument " + Twine(argument.getArgNumber()) +
         " to start at a multiple of " + Twine(argumentAlignment) + " bytes")
            .str());
  }
}

/// Checks at run time what the program assumes about the extents of its
/// arguments: dynamic ones of one class are equal.
static void assertExtents(FunctionOpInterface function, const DimClasses &dims,
                          RewriterBase &rewriter) {
  Block &entry = function.getFunctionBody().front();
  rewriter.setInsertionPointToStart(&entry);
  DenseMap<DimClasses::Class, std::pair<BlockArgument, int64_t>> firstOfClass;
  auto getDim = [&](BlockArgument argument, int64_t dim) -> Value {
    return tensor::DimOp::create(rewriter, argument.getLoc(), argument, dim);
  };
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      auto [it, isNew] =
          firstOfClass.try_emplace(dims.getClass(argument, dim), argument, dim);
      if (isNew)
        continue;
      auto [first, firstDim] = it->second;
      Value isEqual = arith::CmpIOp::create(
          rewriter, argument.getLoc(), arith::CmpIPredicate::eq,
          getDim(argument, dim), getDim(first, firstDim));
      cf::AssertOp::create(rewriter, argument.getLoc(), isEqual,
                           ("expected dimension " + Twine(dim) +
                            " of argument " + Twine(argument.getArgNumber()) +
                            " to be as large as dimension " + Twine(firstDim) +
                            " of argument " + Twine(first.getArgNumber()))
                               .str());
    }
  }
}

/// True if `size` is known to be the extent of a dimension of class `dimClass`;
/// of what lowering made in place of a segment's results nothing is known.
static bool isExtentOf(Value size, DimClasses::Class dimClass,
                       const DimClasses &dims) {
  auto dim = size.getDefiningOp<tensor::DimOp>();
  if (!dim || !dims.hasClasses(dim.getSource()))
    return false;
  std::optional<int64_t> index = dim.getConstantIndex();
  return index && dims.getClass(dim.getSource(), *index) == dimClass;
}

/// Checks at run time that extents which the body of a segment is given are
/// those of the dimensions that it uses as the same loop.
static void assertSizes(SegmentOp segment, SegmentLowering &lowering,
                        const DimClasses &dims) {
  OpBuilder &builder = lowering.getHostBuilder();
  auto check = [&](Operation *op, ValueRange sizes) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto size = sizes.begin();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      // A broadcast has no operand for what it copies.
      auto argument = size == sizes.end() ? BlockArgument()
                                          : dyn_cast<BlockArgument>(*size);
      if (!type.isDynamicDim(dim) || !argument)
        continue;
      if (auto broadcast = dyn_cast<BroadcastOp>(op))
        if (llvm::is_contained(broadcast.getDims(), dim))
          continue;
      ++size;
      Value given = segment.getInputs()[argument.getArgNumber()];
      DimClasses::Class dimClass = dims.getClass(op->getResult(0), dim);
      if (isExtentOf(given, dimClass, dims))
        continue;
      Value isEqual =
          arith::CmpIOp::create(builder, op->getLoc(), arith::CmpIPredicate::eq,
                                given, lowering.getExtent(dimClass));
      cf::AssertOp::create(builder, op->getLoc(), isEqual,
                           ("expected dimension " + Twine(dim) + " of '" +
                            op->getName().getStringRef() +
                            "' to be as large as the dimensions that it meets")
                               .str());
    }
  };
  for (Operation &op : segment.getBodyBlock().without_terminator()) {
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
      check(&op, broadcast.getDynamicSizes());
    else if (auto iota = dyn_cast<IotaOp>(op))
      check(&op, iota.getDynamicSizes());
    else if (auto splat = dyn_cast<tensor::SplatOp>(op))
      check(&op, splat.getDynamicSizes());
  }
}

/// Nothing may write to what the caller gives: where slices are inserted, they
/// go into copies.
static void protectArguments(FunctionOpInterface function) {
  WalkResult writes = function->walk(
      [](DestinationStyleOpInterface op) { return WalkResult::interrupt(); });
  if (!writes.wasInterrupted())
    return;
  StringRef name = bufferization::BufferizationDialect::kWritableAttrName;
  for (BlockArgument argument : function.getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      function.setArgAttr(argument.getArgNumber(), name,
                          BoolAttr::get(function.getContext(), false));
}

/// True if `value` has a part of another tensor's buffer.
static bool isPartOfBuffer(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<tensor::ExtractSliceOp>(op);
}

/// Copies slices that loops start with, and that an iteration or a branch
/// gives: whatever a loop carries or a condition gives then lies in a buffer of
/// its own. Otherwise all of it would have the layout of a slice, and kernels
/// would need a copy in every iteration.
static void copyPassedSlices(FunctionOpInterface function,
                             RewriterBase &rewriter) {
  function->walk([&](Operation *op) {
    MutableArrayRef<OpOperand> passed;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      passed = loop.getInitArgsMutable();
    else if (auto yield = dyn_cast<scf::YieldOp>(op))
      passed = yield.getResultsMutable();
    for (OpOperand &operand : passed) {
      if (!isPartOfBuffer(operand.get()))
        continue;
      rewriter.setInsertionPoint(op);
      operand.set(bufferization::AllocTensorOp::create(
          rewriter, op->getLoc(),
          cast<RankedTensorType>(operand.get().getType()), ValueRange(),
          operand.get()));
    }
  });
}

/// Copies returned values that the caller would not own alone: arguments, what
/// is no fresh tensor, and what is returned twice.
static void copySharedResults(FunctionOpInterface function,
                              RewriterBase &rewriter) {
  function->walk([&](Operation *op) {
    if (!op->hasTrait<OpTrait::ReturnLike>() ||
        op->getParentOp() != function.getOperation())
      return;
    rewriter.setInsertionPoint(op);
    DenseSet<Value> returned;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      auto type = dyn_cast<RankedTensorType>(value.getType());
      auto made = value.getDefiningOp<bufferization::ToTensorOp>();
      bool isFresh = made &&
                     made.getBuffer().getDefiningOp<memref::AllocOp>() &&
                     returned.insert(value).second;
      if (!type || isFresh)
        continue;
      operand.set(bufferization::AllocTensorOp::create(
          rewriter, op->getLoc(), type, ValueRange(), value));
    }
  });
}

/// The name of the kernels of segment `number` of `function`. PTX identifiers
/// hold letters, digits and underscores, and start with no digit; a symbol of a
/// module may hold anything.
static std::string getKernelsName(StringRef function, unsigned number) {
  std::string name;
  if (function.empty() || llvm::isDigit(function.front()))
    name = "_";
  for (char c : function)
    name += llvm::isAlnum(c) ? c : '_';
  return name + "_" + std::to_string(number);
}

namespace {

struct LowerSegmentsPass
    : fusion::impl::LowerSegmentsPassBase<LowerSegmentsPass> {
  using LowerSegmentsPassBase::LowerSegmentsPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return findDeviceModel(context, chip, device, deviceModel);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<FunctionOpInterface>()))
      if (!function.isExternal() && failed(lower(function, symbols)))
        return signalPassFailure();
    // Kernels and their host function stand side by side in this module.
    WalkResult rest = module.walk([&](SegmentOp segment) {
      segment.emitOpError("expected to be in a function of the outermost "
                          "module, but it is in another module");
      return WalkResult::interrupt();
    });
    if (rest.wasInterrupted())
      return signalPassFailure();
  }

  LogicalResult lower(FunctionOpInterface function, SymbolTable &symbols) {
    SmallVector<SegmentOp> segments;
    WalkResult outside =
        function->walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (auto segment = dyn_cast<SegmentOp>(op)) {
            segments.push_back(segment);
            return WalkResult::skip();
          }
          if (!isa_and_present<FusionDialect>(op->getDialect()) ||
              isa<LaunchFuncOp>(op))
            return WalkResult::advance();
          op->emitOpError("expected to be in a segment");
          return WalkResult::interrupt();
        });
    if (outside.wasInterrupted())
      return failure();
    IRRewriter rewriter(&getContext());
    if (!segments.empty()) {
      getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                              UnitAttr::get(&getContext()));
      assertAlignment(function, rewriter);
    }
    // The facts hold for every segment: lowering one changes no tensor.
    DimClasses dims(function);
    if (!segments.empty())
      assertExtents(function, dims, rewriter);
    for (auto [number, segment] : llvm::enumerate(segments))
      if (failed(lower(segment, number, {dims, deviceModel, plainLaunches},
                       rewriter, function, symbols)))
        return failure();
    copyPassedSlices(function, rewriter);
    copySharedResults(function, rewriter);
    protectArguments(function);
    return success();
  }

  LogicalResult lower(SegmentOp segment, unsigned number, const Facts &facts,
                      RewriterBase &rewriter, FunctionOpInterface function,
                      SymbolTable &symbols) {
    const Scheduler *scheduler =
        SchedulerRegistry::get(&getContext()).lookup(segment.getScheduler());
    if (!scheduler)
      return segment.emitOpError("expected a registered scheduler, but got '")
             << segment.getScheduler() << "'";
    if (!segment.getScheduleAttr())
      return segment.emitOpError("expected a schedule");
    if (segment.getBodyBlock().without_terminator().empty())
      return segment.emitOpError(
          "expected operations in the segment, but got none");
    OpBuilder builder(&getContext());
    auto kernels = gpu::GPUModuleOp::create(
        builder, segment.getLoc(), getKernelsName(function.getName(), number));
    symbols.insert(kernels, Block::iterator(function));
    SegmentLowering lowering(segment, rewriter, kernels, facts.dims);
    assertSizes(segment, lowering, facts.dims);
    if (failed(scheduler->emit(segment, lowering, facts))) {
      ++numRejected;
      return failure();
    }
    if (plainLaunches && lowering.getLaunchMode() != LaunchMode::Plain) {
      ++numRejected;
      return segment.emitOpError("expected a schedule with plain launches "
                                 "only, but got a ")
             << stringifyLaunchMode(lowering.getLaunchMode()) << " launch";
    }
    lowering.finish();
    ++numLowered;
    return success();
  }

  DeviceModel deviceModel;
};

} // namespace
