//===- VerifySegmented.cpp - What holds after the segment phase -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_VERIFYSEGMENTEDPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Folders of operations on tensors of a dynamic shape may make constants that
/// no text can name and no buffer hold.
static LogicalResult verifyConstants(Operation *root) {
  WalkResult result = root->walk([](arith::ConstantOp constant) {
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (!type || type.hasStaticShape())
      return WalkResult::advance();
    constant.emitOpError("expected a constant of a static shape, but an "
                         "operation was folded to one of type ")
        << type;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {

struct VerifySegmentedPass
    : fusion::impl::VerifySegmentedPassBase<VerifySegmentedPass> {
  void runOnOperation() override {
    if (failed(verifyConstants(getOperation())))
      return signalPassFailure();
    const auto &registry = SchedulerRegistry::get(&getContext());
    const auto &dims = getAnalysis<DimClasses>();
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (auto segment = dyn_cast<SegmentOp>(op)) {
            if (registry.lookup(segment.getScheduler()))
              return WalkResult::skip();
            segment.emitOpError("expected a registered scheduler, but got '")
                << segment.getScheduler() << "'";
            return WalkResult::interrupt();
          }
          if (!isSchedulable(op) || isa<arith::ConstantOp>(op) ||
              dims.regroups(op))
            return WalkResult::advance();
          op->emitOpError("expected to be in a segment");
          return WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
