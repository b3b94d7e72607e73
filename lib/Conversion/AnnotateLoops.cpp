//===- AnnotateLoops.cpp - Loop annotations become branch metadata --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_ANNOTATELOOPSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Turns the discardable annotation of a branch into the branch's own.
template <typename BranchOp>
static void adoptAnnotation(BranchOp branch) {
  constexpr llvm::StringLiteral name = "llvm.loop_annotation";
  auto annotation =
      branch->template getAttrOfType<LLVM::LoopAnnotationAttr>(name);
  if (!annotation)
    return;
  branch->removeDiscardableAttr(name);
  branch.setLoopAnnotationAttr(annotation);
}

namespace {

struct AnnotateLoopsPass
    : fusion::impl::AnnotateLoopsPassBase<AnnotateLoopsPass> {
  void runOnOperation() override {
    getOperation().walk([](LLVM::BrOp branch) { adoptAnnotation(branch); });
    getOperation().walk([](LLVM::CondBrOp branch) { adoptAnnotation(branch); });
    markAllAnalysesPreserved();
  }
};

} // namespace
