//===- Compile.cpp - From a file to what a device takes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Compile.h"

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/ProgramFlow.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

ModuleStage mlir::fusion::getStage(ModuleOp module) {
  if (!module.getOps<gpu::GPUModuleOp>().empty())
    return ModuleStage::Lowered;
  if (!module.getOps<gpu::BinaryOp>().empty())
    return ModuleStage::Emitted;
  bool onTensors = false, onMemory = false;
  auto note = [&](TypeRange types) {
    onTensors |= llvm::any_of(types, llvm::IsaPred<TensorType>);
    onMemory |= llvm::any_of(types, llvm::IsaPred<BaseMemRefType>);
  };
  module.walk([&](Operation *op) {
    note(op->getOperandTypes());
    note(op->getResultTypes());
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      note(function.getArgumentTypes());
      note(function.getResultTypes());
    }
    return onTensors ? WalkResult::interrupt() : WalkResult::advance();
  });
  // A host function on memrefs that launches nothing needs nothing more;
  // functions of scalars mean the same at every stage.
  return onMemory && !onTensors ? ModuleStage::Emitted : ModuleStage::Program;
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

// Adds what the schedulers expect of their schedules, and what the segments
// exchange.
static void addPredictions(func::FuncOp function, llvm::StringRef chip,
                           Plan &plan) {
  llvm::Expected<DeviceModel> model = lookupDeviceModel(chip);
  if (!model)
    return llvm::consumeError(model.takeError());
  DimClasses dims(function);
  Facts facts{dims, *model};
  ProgramFlow flow = ProgramFlow::get(
      cast<FunctionOpInterface>(function.getOperation()), dims);
  for (auto [planned, segment] : llvm::zip_equal(plan.segments, flow.segments))
    if (std::optional<SegmentPrice> price = getSegmentPrice(segment, facts)) {
      planned.predictedBytes = price->cost.bytes;
      planned.predictedMicroseconds = price->cost.microseconds;
    }
  for (const FlowingTensor &tensor : flow.tensors)
    if (tensor.isEdge())
      plan.edges.push_back({*tensor.writer,
                            {tensor.readers.begin(), tensor.readers.end()},
                            debugString(tensor.value.getType()),
                            tensor.bytes});
}

// Removes what the function `name` does not use, so that it need not compile.
static void addKeepOnly(OpPassManager &manager, ModuleOp module,
                        llvm::StringRef name) {
  for (auto function : module.getOps<func::FuncOp>())
    function.setVisibility(function.getName() == name
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  manager.addPass(createSymbolDCEPass());
}

// Compiled kernels get memrefs as bare pointers, so their types say the
// extents.
static LogicalResult checkParameters(ModuleOp module) {
  for (auto kernels : module.getOps<gpu::GPUModuleOp>())
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      for (BlockArgument argument : kernel.getArguments()) {
        auto type = dyn_cast<MemRefType>(argument.getType());
        if (kernel.isKernel() && type && !type.hasStaticShape())
          return emitError(argument.getLoc(),
                           "expected a kernel argument with static extents, as "
                           "only the simulator takes others, but got ")
                 << type;
      }
  return success();
}

ExitStatus mlir::fusion::compile(ModuleOp module, llvm::StringRef name,
                                 const CompileOptions &options, Plan &plan) {
  FusionToPTXOptions pipeline;
  pipeline.chip = options.chip;
  auto run = [&](llvm::function_ref<void(OpPassManager &)> build) {
    PassManager manager(module.getContext());
    build(manager);
    return succeeded(manager.run(module));
  };
  auto getFunction = [&] { return module.lookupSymbol<func::FuncOp>(name); };
  ModuleStage stage = getStage(module);
  if (stage == ModuleStage::Program) {
    if (!run([&](OpPassManager &pm) {
          addKeepOnly(pm, module, name);
          buildFusionTensorPhases(pm, pipeline);
        }))
      return ExitStatus::Rejected;
    if (!run(
            [&](OpPassManager &pm) { buildFusionSchedulePhase(pm, pipeline); }))
      return ExitStatus::Rejected;
    plan = collectSegments(getFunction());
    addPredictions(getFunction(), options.chip, plan);
    // What lowering refuses is a schedule that was written by hand.
    if (!run([&](OpPassManager &pm) { buildFusionLowerPhase(pm, pipeline); }))
      return ExitStatus::BadInput;
    stage = ModuleStage::Lowered;
  }
  if (stage == ModuleStage::Lowered && options.emitBinaries &&
      failed(checkParameters(module)))
    return ExitStatus::BadInput;
  if (stage == ModuleStage::Lowered && options.emitBinaries &&
      !run([&](OpPassManager &pm) { buildFusionEmitPhase(pm, pipeline); }))
    return ExitStatus::Failed;
  func::FuncOp function = getFunction();
  if (!function) {
    module.emitError("the compiler lost the function '") << name << "'";
    return ExitStatus::Failed;
  }
  collectLaunches(function, plan);
  return ExitStatus::Success;
}
