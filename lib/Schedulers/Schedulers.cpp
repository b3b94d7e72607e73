//===- Schedulers.cpp - The schedulers that come with the compiler --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Analysis/Scheduler.h"

using namespace mlir;
using namespace mlir::fusion;

void fusion::registerBuiltinSchedulers(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FusionDialect *dialect) {
    auto &schedulers = SchedulerRegistry::get(context);
    schedulers.add(createInnerOuterScheduler());
    schedulers.add(createInnerPersistentScheduler());
    schedulers.add(createInnerReductionScheduler());
    schedulers.add(createOuterReductionScheduler());
    schedulers.add(createFullReductionScheduler());
    schedulers.add(createOuterPersistentScheduler());
    schedulers.add(createTransposeScheduler());
    schedulers.add(createPointwiseScheduler());
  });
}
