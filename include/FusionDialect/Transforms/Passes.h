//===- Passes.h - Passes over programs and segments -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_TRANSFORMS_PASSES_H
#define FUSIONDIALECT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::fusion {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "FusionDialect/Transforms/Passes.h.inc"

/// Upstream's canonicalizer without what it gets wrong and nothing can preempt:
/// it takes for granted that what a loop carries keeps the static extents that
/// a `tensor.cast` before the loop hides. `fusion-refine-extents` finds those
/// that it keeps.
std::unique_ptr<Pass> createExactCanonicalizerPass();

} // namespace mlir::fusion

#endif // FUSIONDIALECT_TRANSFORMS_PASSES_H
