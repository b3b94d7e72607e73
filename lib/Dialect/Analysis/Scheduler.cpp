//===- Scheduler.cpp - The interface of schedulers ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

Match::~Match() = default;
Scheduler::~Scheduler() = default;

StringRef fusion::stringifyRejectionCode(RejectionCode code) {
  switch (code) {
  case RejectionCode::MissingReduction:
    return "missing-reduction";
  case RejectionCode::UnsupportedOperation:
    return "unsupported-operation";
  case RejectionCode::UnsupportedShape:
    return "unsupported-shape";
  case RejectionCode::UnsupportedElementType:
    return "unsupported-element-type";
  case RejectionCode::DynamicExtent:
    return "dynamic-extent";
  case RejectionCode::EmptyExtent:
    return "empty-extent";
  case RejectionCode::CrossColumnDependency:
    return "cross-column-dependency";
  case RejectionCode::OnChipCapacity:
    return "on-chip-capacity";
  }
  llvm_unreachable("unknown rejection code");
}

std::string Rejection::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << stringifyRejectionCode(code) << ": " << hint;
  if (dimension)
    os << " (dimension " << *dimension << ")";
  if (needed && available)
    os << " (needed " << *needed << ", available " << *available << ")";
  return text;
}

LogicalResult fusion::findDeviceModel(MLIRContext *context, StringRef chip,
                                      StringRef device, DeviceModel &model) {
  llvm::Expected<DeviceModel> found = lookupDeviceModel(chip, device);
  if (!found)
    return emitError(UnknownLoc::get(context))
           << llvm::toString(found.takeError());
  model = *found;
  return success();
}

LogicalResult
fusion::findSchedulers(MLIRContext *context, ArrayRef<std::string> names,
                       SmallVectorImpl<const Scheduler *> &found) {
  SchedulerRegistry &registry = SchedulerRegistry::get(context);
  for (const std::string &name : names)
    if (!registry.lookup(name))
      return emitError(UnknownLoc::get(context))
             << "expected a registered scheduler, but got '" << name << "'";
  for (const auto &scheduler : registry.getSchedulers())
    if (names.empty() || llvm::is_contained(names, scheduler->getName()))
      found.push_back(scheduler.get());
  return success();
}

SchedulerRegistry &SchedulerRegistry::get(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<FusionDialect>();
  if (auto *registry = dialect->getRegisteredInterface<SchedulerRegistry>())
    return *const_cast<SchedulerRegistry *>(registry);
  return dialect->addInterface<SchedulerRegistry>();
}

void SchedulerRegistry::add(std::unique_ptr<Scheduler> scheduler) {
  for (std::unique_ptr<Scheduler> &existing : schedulers) {
    if (existing->getName() == scheduler->getName()) {
      existing = std::move(scheduler);
      return;
    }
  }
  schedulers.push_back(std::move(scheduler));
}

const Scheduler *SchedulerRegistry::lookup(StringRef name) const {
  for (const std::unique_ptr<Scheduler> &scheduler : schedulers)
    if (scheduler->getName() == name)
      return scheduler.get();
  return nullptr;
}
