//===- Schedule.cpp - Give each segment its schedule ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

struct SchedulePass : fusion::impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return findDeviceModel(context, chip, device, deviceModel);
  }

  void runOnOperation() override {
    Facts facts{getAnalysis<DimClasses>(), deviceModel, plainLaunches};
    WalkResult result = getOperation()->walk([&](SegmentOp segment) {
      if (segment.getScheduleAttr())
        return WalkResult::skip();
      return schedule(segment, facts) ? WalkResult::skip()
                                      : WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    // Only an attribute was added.
    markAnalysesPreserved<DimClasses>();
  }

  static void remarkChoice(SegmentOp segment, const PricedChoice &choice) {
    auto remark = remark::analysis(
        segment.getLoc(),
        remark::RemarkOpts::name(choice.name).category(scheduleRemarks));
    remark << remark::metric("chosen", choice.chosen);
    for (const auto &[answer, microseconds] : choice.prices)
      if (microseconds)
        remark << remark::metric(answer, *microseconds);
      else
        remark << remark::metric(answer, "does not fit");
  }

  bool schedule(SegmentOp segment, const Facts &facts) {
    const Scheduler *scheduler =
        SchedulerRegistry::get(&getContext()).lookup(segment.getScheduler());
    if (!scheduler) {
      segment.emitOpError("expected a registered scheduler, but got '")
          << segment.getScheduler() << "'";
      return false;
    }
    if (segment.getBodyBlock().without_terminator().empty()) {
      segment.emitOpError("expected operations in the segment, but got none");
      return false;
    }
    MatchResult result = scheduler->match(Candidate::get(segment), facts);
    if (const auto *rejection = std::get_if<Rejection>(&result)) {
      ++numRejected;
      InFlightDiagnostic diagnostic =
          segment.emitOpError("is not accepted by its scheduler");
      noteRejection(diagnostic, *scheduler, *rejection);
      return false;
    }
    const Match &match = *std::get<std::unique_ptr<Match>>(result);
    ScheduleAttrInterface schedule =
        scheduler->plan(match, &getContext(), facts);
    segment.setScheduleAttr(schedule);
    ++numScheduled;
    Cost cost = scheduler->cost(match, schedule, facts);
    remark::analysis(
        segment.getLoc(),
        remark::RemarkOpts::name("schedule").category(scheduleRemarks))
        << remark::metric("scheduler", scheduler->getName())
        << remark::metric("bytes", cost.bytes)
        << remark::metric("microseconds", cost.microseconds)
        << remark::metric("sharedBytes", cost.sharedBytes)
        << remark::metric("registersPerThread", cost.registersPerThread);
    if (areRemarksEnabled(&getContext(), scheduleRemarks))
      for (const PricedChoice &choice :
           scheduler->explain(match, schedule, facts))
        remarkChoice(segment, choice);
    return true;
  }

  DeviceModel deviceModel;
};

} // namespace
