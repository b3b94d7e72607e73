//===- SchedulerRemarks.cpp - What users read about decisions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::areRemarksEnabled(MLIRContext *context) {
  return context->getRemarkEngine() != nullptr;
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
