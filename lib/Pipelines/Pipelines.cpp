//===- Pipelines.cpp - From a program to kernels --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::buildFusionImportPhase(OpPassManager &pm, Leftovers leftovers) {
  // Front ends give linalg; nothing later knows it.
  ConvertLinalgToFusionPassOptions import;
  import.refuseUnimported = leftovers == Leftovers::Refuse;
  pm.addPass(createConvertLinalgToFusionPass(import));
}

/// Upstream's folders, kept from what they get wrong.
static void addFolders(OpPassManager &pm) {
  pm.addPass(createPreemptFoldersPass());
  pm.addPass(createExactCanonicalizerPass());
}

void fusion::buildFusionSimplifyPhase(OpPassManager &pm) {
  // Upstream's folders first: they see reshapes before these become broadcasts.
  addFolders(pm);
  pm.addPass(createRefineExtentsPass());
  pm.addPass(createSimplifyPass());
  // Equal operations become one before the schedulers count them; what folds
  // only then is folded now, and not in a segment that is read back.
  pm.addPass(createCSEPass());
  addFolders(pm);
}

void fusion::buildFusionAlgebraPhase(OpPassManager &pm,
                                     const FusionToGPUOptions &options) {
  pm.addPass(createReorderReductionsPass());
  // Trades are decided by the price of the kernels that come out.
  DecideContestedPassOptions decide;
  decide.chip = options.chip;
  decide.device = options.device;
  decide.plainLaunches = options.plainLaunches;
  pm.addPass(createDecideContestedPass(decide));
  // Equal totals that several rewrites made are one before they are references.
  pm.addPass(createCSEPass());
  // After the reordering, which would take stages without a reference for one.
  pm.addPass(createSplitReductionsPass());
  pm.addPass(createVerifyAlgebraPass());
  // Rewrites leave squeezes and broadcasts that fold.
  addFolders(pm);
}

void fusion::buildFusionSegmentPhase(OpPassManager &pm,
                                     const FusionToGPUOptions &options,
                                     Leftovers leftovers) {
  // After all folders, for which a slice of the whole is what it is part of.
  pm.addPass(createSeparateLoopsPass());
  SegmentPassOptions segment;
  segment.chip = options.chip;
  segment.device = options.device;
  segment.plainLaunches = options.plainLaunches;
  segment.refuseUnscheduled = leftovers == Leftovers::Refuse;
  pm.addPass(createSegmentPass(segment));
  VerifySegmentedPassOptions verify;
  verify.allowLeftovers = leftovers == Leftovers::Keep;
  pm.addPass(createVerifySegmentedPass(verify));
}

void fusion::buildFusionTensorPhases(OpPassManager &pm,
                                     const FusionToGPUOptions &options,
                                     Leftovers leftovers) {
  buildFusionImportPhase(pm, leftovers);
  buildFusionSimplifyPhase(pm);
  buildFusionAlgebraPhase(pm, options);
  buildFusionSegmentPhase(pm, options, leftovers);
}

void fusion::buildFusionSchedulePhase(OpPassManager &pm,
                                      const FusionToGPUOptions &options) {
  SchedulePassOptions schedule;
  schedule.chip = options.chip;
  schedule.device = options.device;
  schedule.plainLaunches = options.plainLaunches;
  pm.addPass(createSchedulePass(schedule));
  pm.addPass(createVerifyScheduledPass());
}

void fusion::buildFusionLowerPhase(OpPassManager &pm,
                                   const FusionToGPUOptions &options) {
  LowerSegmentsPassOptions lower;
  lower.chip = options.chip;
  lower.device = options.device;
  lower.plainLaunches = options.plainLaunches;
  pm.addPass(createLowerSegmentsPass(lower));
  // What is left of the function are copies of tensors and constants.
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // Each iteration of a loop gives a buffer of its own to the next one.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // Constants that each use made for itself become one.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  // Nothing merges or drops buffers any more.
  pm.addPass(createFreeInLoopsPass());
}

void fusion::buildFusionEmitPhase(OpPassManager &pm,
                                  const FusionToPTXOptions &options) {
  if (options.l2Policies) {
    HintStreamsPassOptions hint;
    hint.chip = options.chip;
    hint.device = options.device;
    pm.addNestedPass<gpu::GPUModuleOp>(createHintStreamsPass(hint));
  }
  AttachTargetPassOptions target;
  target.chip = options.chip;
  pm.addPass(createAttachTargetPass(target));

  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createLowerFloat8Pass());
  kernels.addPass(createLowerMathPass());
  kernels.addPass(createConvertNVGPUToNVVMPass());
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions convert;
  convert.useBarePtrCallConv = true;
  convert.indexBitwidth = 64;
  kernels.addPass(createConvertGpuOpsToNVVMOps(convert));
  kernels.addPass(createExternalizeSharedPass());
  kernels.addPass(createAnnotateLoopsPass());
  kernels.addPass(createConvertNVVMToLLVMPass());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(createCanonicalizerPass());
  kernels.addPass(createCSEPass());

  SerializeKernelsPassOptions serialize;
  serialize.format = options.format == BinaryFormat::Cubin ? "bin" : "isa";
  pm.addPass(createSerializeKernelsPass(serialize));
  VerifyBinariesPassOptions verify;
  verify.withPtxas = options.verifyWithPtxas;
  pm.addPass(createVerifyBinariesPass(verify));
}

void fusion::buildFusionToGPUPipeline(OpPassManager &pm,
                                      const FusionToGPUOptions &options) {
  buildFusionTensorPhases(pm, options);
  buildFusionSchedulePhase(pm, options);
  buildFusionLowerPhase(pm, options);
}

void fusion::buildFusionToPTXPipeline(OpPassManager &pm,
                                      const FusionToPTXOptions &options) {
  buildFusionToGPUPipeline(pm, options);
  buildFusionEmitPhase(pm, options);
}

void fusion::registerFusionPipelines() {
  PassPipelineRegistration<FusionToGPUOptions>(
      "fusion-to-segments",
      "From tensors to segments without schedules: import, simplify, algebra, "
      "segment; what no kernel takes stays between the segments",
      [](OpPassManager &pm, const FusionToGPUOptions &options) {
        buildFusionTensorPhases(pm, options, Leftovers::Keep);
      });
  PassPipelineRegistration<FusionToGPUOptions>(
      "fusion-to-gpu",
      "From tensors to gpu.module kernels and a host function that launches "
      "them",
      buildFusionToGPUPipeline);
  PassPipelineRegistration<FusionToPTXOptions>(
      "fusion-to-ptx", "From tensors to gpu.binary with PTX or a cubin",
      buildFusionToPTXPipeline);
}
