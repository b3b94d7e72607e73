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
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_LOWERSEGMENTSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Vector accesses of kernels need data that starts at a multiple of this.
static constexpr int64_t argumentAlignment = 16;

/// Checks at run time that the tensor arguments which segments read are
/// aligned as kernels assume.
static void assertAlignment(FunctionOpInterface function,
                            RewriterBase &rewriter) {
  Block &entry = function.getFunctionBody().front();
  rewriter.setInsertionPointToStart(&entry);
  for (BlockArgument argument : entry.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || llvm::none_of(argument.getUsers(), llvm::IsaPred<SegmentOp>))
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
      if (!type || isFresh || !type.hasStaticShape())
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
    for (auto [number, segment] : llvm::enumerate(segments))
      if (failed(lower(segment, number, {dims, deviceModel, plainLaunches},
                       rewriter, function, symbols)))
        return failure();
    copySharedResults(function, rewriter);
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
    SegmentLowering lowering(segment, rewriter, kernels);
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
