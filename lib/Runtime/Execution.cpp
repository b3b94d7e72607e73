//===- Execution.cpp - Runs of one compiled function ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Execution.h"

#include "FusionDialect/Runtime/Recording.h"

using namespace mlir;
using namespace mlir::fusion;

void RunOutputs::forEach(
    llvm::function_ref<void(const std::string &, const HostTensor &)> visit)
    const {
  for (auto [number, tensor] : llvm::enumerate(results))
    visit("result" + std::to_string(number), tensor);
  for (const auto &[number, tensor] : arguments)
    visit("arg" + std::to_string(number), tensor);
}

Execution::Execution(func::FuncOp function, Device &target,
                     ArrayRef<HostArgument> arguments)
    : function(function), device(target), arguments(arguments),
      interpreter(function->getParentOfType<ModuleOp>(), device,
                  {/*poison=*/!device.findsUninitializedReads()}) {}

LogicalResult Execution::report(llvm::Error error) {
  if (!error)
    return success();
  status = ExitStatus::Failed;
  return function.emitError(llvm::toString(std::move(error)));
}

LogicalResult Execution::prepare() {
  if (succeeded(interpreter.loadKernels()))
    return success();
  status = interpreter.getFailure();
  return failure();
}

FailureOr<SmallVector<HostValue>> Execution::copyArguments(Device &target) {
  SmallVector<HostValue> values;
  for (auto [type, argument] :
       llvm::zip_equal(function.getArgumentTypes(), arguments)) {
    if (!isa<MemRefType>(type)) {
      values.push_back(getScalar(argument.tensor));
      continue;
    }
    llvm::Expected<MemRefValue> memref =
        copyToDevice(target, argument.tensor, argument.initialized);
    if (!memref)
      return report(memref.takeError());
    values.push_back(std::move(*memref));
  }
  return values;
}

std::optional<int64_t> Execution::findUnwritten(const MemRefValue &memref) {
  if (memref.buffer->isReleased())
    return std::nullopt; // an error of its own
  std::optional<uint64_t> offset = device.findUnwritten(
      memref.buffer->getPointer(), memref.getSizeInBytes());
  if (!offset)
    return std::nullopt;
  return static_cast<int64_t>(*offset / getStorageBytes(memref.elementType));
}

LogicalResult Execution::checkWritten(const MemRefValue &memref,
                                      size_t number) {
  std::optional<int64_t> element = findUnwritten(memref);
  if (!element)
    return success();
  status = ExitStatus::Failed;
  return function.front().getTerminator()->emitError(
             "uninitialised read: nothing has written element ")
         << *element << " of result " << number;
}

FailureOr<RunOutputs> Execution::copyOutputs(ArrayRef<HostValue> arguments,
                                             ArrayRef<HostValue> results) {
  RunOutputs outputs;
  for (const HostValue &value : results) {
    if (const auto *scalar = std::get_if<TypedAttr>(&value)) {
      outputs.results.push_back(getScalarTensor(*scalar));
      continue;
    }
    const auto &memref = std::get<MemRefValue>(value);
    if (failed(checkWritten(memref, outputs.results.size())))
      return failure();
    auto tensor = copyToHost(device, memref);
    if (!tensor)
      return report(tensor.takeError());
    outputs.results.push_back(std::move(*tensor));
  }
  for (auto [number, value] : llvm::enumerate(arguments)) {
    const auto *memref = std::get_if<MemRefValue>(&value);
    if (!memref)
      continue;
    auto tensor = copyToHost(device, *memref);
    if (!tensor)
      return report(tensor.takeError());
    outputs.arguments.emplace_back(number, std::move(*tensor));
    if (std::optional<int64_t> element = findUnwritten(*memref))
      outputs.unwritten.emplace_back(number, *element);
  }
  return outputs;
}

FailureOr<RunOutputs> Execution::run() {
  FailureOr<SmallVector<HostValue>> values = copyArguments(device);
  if (failed(values))
    return failure();
  FailureOr<SmallVector<HostValue>> results =
      interpreter.call(function, *values);
  if (failed(results)) {
    status = interpreter.getFailure();
    return failure();
  }
  return copyOutputs(*values, *results);
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

FailureOr<BenchmarkResult> Execution::benchmark(const ReplayOptions &options) {
  Recording recording(device);
  // Values that hold memory of the recording end before it does.
  FailureOr<SmallVector<HostValue>> values = copyArguments(device);
  if (failed(values))
    return failure();
  HostInterpreter recorder(function->getParentOfType<ModuleOp>(), recording);
  FailureOr<SmallVector<HostValue>> results = recorder.call(function, *values);
  if (failed(results)) {
    status = recorder.getFailure();
    return failure();
  }
  BenchmarkResult result;
  result.launches = recording.getNumLaunches();
  for (const HostArgument &argument : arguments)
    result.fewestBytes += argument.tensor.getSizeInBytes();
  for (const HostValue &value : *results)
    if (const auto *memref = std::get_if<MemRefValue>(&value))
      result.fewestBytes += memref->getSizeInBytes();
  auto times = device.timeReplays(recording.getCommands(), options);
  if (!times)
    return report(times.takeError());
  result.microseconds = std::move(*times);
  result.statistics = getStatistics(result.microseconds);
  auto bandwidth = device.measureCopyBandwidth();
  if (!bandwidth)
    return report(bandwidth.takeError());
  result.copyBandwidth = *bandwidth;
  return result;
}
