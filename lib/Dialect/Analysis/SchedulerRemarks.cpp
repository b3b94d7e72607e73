//===- SchedulerRemarks.cpp - What users read about decisions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::areRemarksEnabled(MLIRContext *context, StringRef category) {
  // An engine is there even if no filter lets anything through. Its questions
  // about filters are private: it answers only who makes a remark, which is not
  // emitted if something takes its place.
  if (!context->getRemarkEngine())
    return false;
  auto isWanted = [&](auto make) {
    remark::detail::InFlightRemark probe =
        make(UnknownLoc::get(context),
             remark::RemarkOpts::name("probe").category(category));
    bool isActive = static_cast<bool>(probe);
    probe = remark::detail::InFlightRemark();
    return isActive;
  };
  return isWanted(remark::passed) || isWanted(remark::missed) ||
         isWanted(remark::analysis);
}

void fusion::remarkRejection(StringRef category, const Scheduler &scheduler,
                             const Rejection &rejection) {
  remark::missed(rejection.operation->getLoc(),
                 remark::RemarkOpts::name("rejected").category(category))
      << remark::metric("scheduler", scheduler.getName())
      << remark::reason("{0}", rejection.str());
}

void fusion::noteRejection(InFlightDiagnostic &diagnostic,
                           const Scheduler &scheduler,
                           const Rejection &rejection) {
  diagnostic.attachNote(rejection.operation->getLoc())
      << scheduler.getName() << ": " << rejection.str();
}
