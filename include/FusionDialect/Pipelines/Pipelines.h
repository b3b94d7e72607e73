//===- Pipelines.h - From a program to kernels ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipelines of the compiler. `fusion-to-segments` ends with segments whose
// kernels are not planned yet, `fusion-to-gpu` ends with kernels in
// gpu.module operations and a host function on memrefs that launches them;
// `fusion-to-ptx` goes on to gpu.binary operations.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_PIPELINES_PIPELINES_H
#define FUSIONDIALECT_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace mlir::fusion {

/// Options of `fusion-to-gpu`.
struct FusionToGPUOptions : public PassPipelineOptions<FusionToGPUOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("The instruction set, e.g. sm_80, sm_90, sm_100"),
      llvm::cl::init("sm_90")};
  Option<std::string> device{
      *this, "device",
      llvm::cl::desc("The device model that schedules are made for, e.g. h200; "
                     "empty: the default of the chip")};
  Option<bool> plainLaunches{
      *this, "plain-launches",
      llvm::cl::desc("Launch kernels by gpu.launch_func only: no cooperative "
                     "or dependent launches"),
      llvm::cl::init(false)};
};

/// What `fusion-to-ptx` ends with.
enum class BinaryFormat { PTX, Cubin };

/// Options of `fusion-to-ptx`.
struct FusionToPTXOptions : public FusionToGPUOptions {
  Option<BinaryFormat> format{
      *this, "format", llvm::cl::desc("What the gpu.binary operations hold"),
      llvm::cl::init(BinaryFormat::PTX),
      llvm::cl::values(
          clEnumValN(BinaryFormat::PTX, "isa", "PTX text"),
          clEnumValN(BinaryFormat::Cubin, "bin", "a cubin, made by ptxas"))};
  Option<bool> verifyWithPtxas{
      *this, "verify-with-ptxas",
      llvm::cl::desc("Assemble the PTX with ptxas and fail if a kernel spills "
                     "registers; for format=isa"),
      llvm::cl::init(false)};
  Option<bool> l2Policies{
      *this, "l2-policies",
      llvm::cl::desc("Give reads of large inputs a policy of L2 "
                     "(fusion-hint-streams). Kernels are faster for it, but "
                     "what others leave in L2 may be gone sooner"),
      llvm::cl::init(true)};
};

/// What becomes of operations that no kernel takes: matrix products, foreign
/// operations, loops around others.
enum class Leftovers {
  /// They stay, and what stands around them is segmented.
  Keep,
  /// They are errors, as nothing could run them beside kernels. What a host
  /// function can hold (calls, slices, constants) is no leftover.
  Refuse
};

/// import: linalg, as front ends give it, becomes operations of the dialect.
void buildFusionImportPhase(OpPassManager &pm,
                            Leftovers leftovers = Leftovers::Refuse);
/// simplify: no chain of shape operations that a shorter one could say, no dead
/// or duplicate operation.
void buildFusionSimplifyPhase(OpPassManager &pm);
/// algebra: reductions where they cost least.
void buildFusionAlgebraPhase(OpPassManager &pm,
                             const FusionToGPUOptions &options);
/// segment: every schedulable operation is in a segment without a schedule, if
/// a scheduler takes it.
void buildFusionSegmentPhase(OpPassManager &pm,
                             const FusionToGPUOptions &options,
                             Leftovers leftovers = Leftovers::Refuse);
/// The phases on tensors, up to segments without a schedule: import, simplify,
/// algebra, segment.
void buildFusionTensorPhases(OpPassManager &pm,
                             const FusionToGPUOptions &options,
                             Leftovers leftovers = Leftovers::Refuse);
/// schedule: each segment gets its schedule. Expects no leftovers.
void buildFusionSchedulePhase(OpPassManager &pm,
                              const FusionToGPUOptions &options);
/// lower: kernels and a host function on memrefs.
void buildFusionLowerPhase(OpPassManager &pm,
                           const FusionToGPUOptions &options);
/// emit: the kernels become gpu.binary operations.
void buildFusionEmitPhase(OpPassManager &pm, const FusionToPTXOptions &options);

/// All phases through lower.
void buildFusionToGPUPipeline(OpPassManager &pm,
                              const FusionToGPUOptions &options);
/// All phases through emit.
void buildFusionToPTXPipeline(OpPassManager &pm,
                              const FusionToPTXOptions &options);

/// Registers what the pipelines need of upstream: the dialects of programs and
/// kernels, bufferization models, and the translations of the emit phase.
void registerFusionPipelineDependencies(DialectRegistry &registry);

/// Registers `fusion-to-segments`, `fusion-to-gpu` and `fusion-to-ptx`.
void registerFusionPipelines();

} // namespace mlir::fusion

#endif // FUSIONDIALECT_PIPELINES_PIPELINES_H
