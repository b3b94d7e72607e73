//===- ExecutionRepeat.cpp - Runs that must agree -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copying gigabytes to and from the host takes far longer than a run. So the
// arguments and what the first run left are copied to the device once, and runs
// are compared there.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Execution.h"

#include "llvm/ADT/ScopeExit.h"
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

static bool hasSameBits(const HostTensor &a, const HostTensor &b) {
  return a.getShape() == b.getShape() &&
         std::memcmp(a.getData(), b.getData(), a.getSizeInBytes()) == 0;
}

FailureOr<llvm::BitVector> Execution::keepForRepeats(const RunOutputs &first) {
  llvm::Error error = llvm::Error::success();
  auto keep = [&](const HostTensor &tensor) {
    error = llvm::joinErrors(std::move(error), device.keep(tensor));
  };
  first.forEach(
      [&](const std::string &, const HostTensor &tensor) { keep(tensor); });
  llvm::BitVector changed(arguments.size());
  for (const auto &[number, after] : first.arguments) {
    const HostArgument &before = arguments[number];
    if (!before.initialized || hasSameBits(before.tensor, after))
      continue;
    changed.set(number);
    keep(before.tensor);
  }
  if (failed(report(std::move(error))))
    return failure();
  return changed;
}

LogicalResult Execution::restoreArguments(MutableArrayRef<HostValue> values,
                                          const llvm::BitVector &changed) {
  for (auto [number, value] : llvm::enumerate(values)) {
    auto *memref = std::get_if<MemRefValue>(&value);
    if (!memref)
      continue;
    const HostTensor &tensor = arguments[number].tensor;
    // New memory, since a device may know what nothing has written.
    if (!arguments[number].initialized) {
      *memref = MemRefValue();
      auto fresh = copyToDevice(device, tensor, /*initialized=*/false);
      if (!fresh)
        return report(fresh.takeError());
      *memref = std::move(*fresh);
      continue;
    }
    // The comparison has shown that the others are what they were.
    if (changed.test(number) &&
        failed(
            report(device.copyIn(memref->buffer->getPointer(), tensor.getData(),
                                 tensor.getSizeInBytes()))))
      return failure();
  }
  return success();
}

static llvm::Expected<bool> isEqual(Device &device, const HostValue &value,
                                    const HostTensor &expected) {
  if (const auto *scalar = std::get_if<TypedAttr>(&value))
    return hasSameBits(getScalarTensor(*scalar), expected);
  const auto &memref = std::get<MemRefValue>(value);
  assert(!memref.buffer->isReleased() &&
         "a function neither returns freed memory nor frees its arguments");
  if (expected.getShape() != ArrayRef<int64_t>(memref.shape))
    return false;
  return device.equalsHost(memref.buffer->getPointer(), expected.getData(),
                           expected.getSizeInBytes());
}

FailureOr<std::string> Execution::runAndCompare(ArrayRef<HostValue> values,
                                                const RunOutputs &first) {
  FailureOr<SmallVector<HostValue>> results =
      interpreter.call(function, values);
  if (failed(results)) {
    status = interpreter.getFailure();
    return failure();
  }
  for (auto [number, value] : llvm::enumerate(*results))
    if (const auto *memref = std::get_if<MemRefValue>(&value))
      if (failed(checkWritten(*memref, number)))
        return failure();

  // In the order of RunOutputs::forEach.
  SmallVector<const HostValue *> outputs;
  for (const HostValue &value : *results)
    outputs.push_back(&value);
  for (const HostValue &value : values)
    if (std::holds_alternative<MemRefValue>(value))
      outputs.push_back(&value);
  std::string different;
  llvm::Error error = llvm::Error::success();
  const HostValue *const *next = outputs.begin();
  first.forEach([&](const std::string &name, const HostTensor &expected) {
    const HostValue &value = **next++;
    if (error || !different.empty())
      return;
    llvm::Expected<bool> equal = isEqual(device, value, expected);
    if (!equal)
      error = equal.takeError();
    else if (!*equal)
      different = name;
  });
  if (failed(report(std::move(error))))
    return failure();
  return different;
}

FailureOr<RepeatResult> Execution::repeat(unsigned runs,
                                          const RunOutputs &first) {
  RepeatResult result;
  result.runs = 1;
  if (runs <= 1)
    return result;
  FailureOr<SmallVector<HostValue>> values = copyArguments(device);
  if (failed(values))
    return failure();
  llvm::scope_exit forget([&] { device.forget(); });
  FailureOr<llvm::BitVector> changed = keepForRepeats(first);
  if (failed(changed))
    return failure();
  while (true) {
    FailureOr<std::string> different = runAndCompare(*values, first);
    if (failed(different))
      return failure();
    unsigned run = result.runs++;
    if (!different->empty()) {
      result.differentRun = run;
      result.differentOutput = std::move(*different);
      return result;
    }
    if (result.runs == runs)
      return result;
    if (failed(restoreArguments(*values, *changed)))
      return failure();
  }
}
