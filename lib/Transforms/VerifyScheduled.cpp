//===- VerifyScheduled.cpp - What holds after the schedule phase ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Transforms/Passes.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_VERIFYSCHEDULEDPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

struct VerifyScheduledPass
    : fusion::impl::VerifyScheduledPassBase<VerifyScheduledPass> {
  void runOnOperation() override {
    const auto &registry = SchedulerRegistry::get(&getContext());
    WalkResult result = getOperation()->walk([&](SegmentOp segment) {
      if (!registry.lookup(segment.getScheduler())) {
        segment.emitOpError("expected a registered scheduler, but got '")
            << segment.getScheduler() << "'";
        return WalkResult::interrupt();
      }
      if (!segment.getScheduleAttr()) {
        segment.emitOpError("expected a schedule");
        return WalkResult::interrupt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
