//===- InitAll.h - Register everything --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one header that most embedders need.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_INITALL_H
#define FUSIONDIALECT_INITALL_H

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Transforms/Passes.h"

namespace mlir::fusion {

/// Registers the dialect, the schedulers, and all of upstream that the
/// pipelines need: dialects, bufferization models and translations.
inline void registerAllFusionDialects(DialectRegistry &registry) {
  registry.insert<FusionDialect>();
  registerBuiltinSchedulers(registry);
  registerFusionPipelineDependencies(registry);
}

/// Registers all passes and pipelines.
inline void registerAllFusionPasses() {
  registerFusionTransformsPasses();
  registerFusionConversionPasses();
  registerFusionPipelines();
}

} // namespace mlir::fusion

#endif // FUSIONDIALECT_INITALL_H
