//===- CudaReplay.cpp - Timing on a GPU -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commands are captured once as a CUDA graph, so that a replay costs no host
// work per kernel, and timed with events around each replay. A large fill
// before the first event evicts the program's data from the L2 cache, once no
// line is asked to stay there; it also gives the host time to enqueue the
// replay, so that no launch gap is timed.
//
//===----------------------------------------------------------------------===//

#include "CudaDeviceImpl.h"
#include "FusionDialect/Runtime/Statistics.h"
#include "llvm/ADT/ScopeExit.h"
#include <random>

using namespace mlir;
using namespace mlir::fusion;

llvm::Expected<cuda::GraphExec>
CudaDevice::capture(llvm::ArrayRef<DeviceCommand> commands) {
  if (llvm::Error error = driver->check(
          driver->cuStreamBeginCapture_v2(stream, cuda::CaptureModeThreadLocal),
          "cuStreamBeginCapture"))
    return error;
  llvm::Error failure = llvm::Error::success();
  for (const DeviceCommand &command : commands) {
    failure = execute(command);
    if (failure)
      break;
  }
  // The capture ends in any case: the stream is of no use within one.
  cuda::Graph graph = nullptr;
  failure =
      llvm::joinErrors(std::move(failure),
                       driver->check(driver->cuStreamEndCapture(stream, &graph),
                                     "cuStreamEndCapture"));
  cuda::GraphExec exec = nullptr;
  if (!failure)
    failure =
        driver->check(driver->cuGraphInstantiateWithFlags(&exec, graph, 0),
                      "cuGraphInstantiate");
  if (graph)
    driver->cuGraphDestroy(graph);
  if (failure)
    return failure;
  return exec;
}

llvm::Expected<std::vector<double>>
CudaDevice::timeWithEvents(unsigned warmup, unsigned repetitions,
                           llvm::function_ref<llvm::Error()> before,
                           llvm::function_ref<llvm::Error()> run) {
  std::vector<cuda::Event> events(2 * repetitions, nullptr);
  llvm::scope_exit destroy([&] {
    for (cuda::Event event : events)
      if (event)
        driver->cuEventDestroy_v2(event);
  });
  for (cuda::Event &event : events)
    if (llvm::Error error =
            driver->check(driver->cuEventCreate(&event, 0), "cuEventCreate"))
      return error;
  auto record = [&](cuda::Event event) {
    return driver->check(driver->cuEventRecord(event, stream), "cuEventRecord");
  };
  for (unsigned i = 0; i < warmup + repetitions; ++i) {
    bool timed = i >= warmup;
    if (llvm::Error error = before())
      return error;
    if (timed)
      if (llvm::Error error = record(events[2 * (i - warmup)]))
        return error;
    if (llvm::Error error = run())
      return error;
    if (timed)
      if (llvm::Error error = record(events[2 * (i - warmup) + 1]))
        return error;
  }
  if (llvm::Error error = synchronize())
    return error;
  std::vector<double> microseconds;
  for (unsigned i = 0; i < repetitions; ++i) {
    float milliseconds = 0;
    if (llvm::Error error =
            driver->check(driver->cuEventElapsedTime(
                              &milliseconds, events[2 * i], events[2 * i + 1]),
                          "cuEventElapsedTime"))
      return error;
    microseconds.push_back(1e3 * milliseconds);
  }
  return microseconds;
}

llvm::Expected<std::vector<double>>
CudaDevice::timeReplays(llvm::ArrayRef<DeviceCommand> commands,
                        const ReplayOptions &options) {
  uint64_t flushBytes = std::max(options.flushBytes, 2 * description.l2Bytes);
  auto flush = DeviceBuffer::create(*this, flushBytes);
  if (!flush)
    return flush.takeError();
  llvm::Expected<cuda::GraphExec> exec = capture(commands);
  if (!exec)
    return exec.takeError();
  llvm::scope_exit destroy([&] { driver->cuGraphExecDestroy(*exec); });
  FillCommand overwrite{(*flush)->getPointer(), 0, 4, flushBytes / 4 * 4};
  // Lines that the replay before asked to keep would outlive the fill: they
  // are reset, after the replay, which would go on asking. GPUs that keep no
  // lines do not support that.
  auto empty = [&]() -> llvm::Error {
    if (llvm::Error error = synchronize())
      return error;
    cuda::Result result = driver->cuCtxResetPersistingL2Cache();
    if (result != cuda::ErrorNotSupported)
      if (llvm::Error error =
              driver->check(result, "cuCtxResetPersistingL2Cache"))
        return error;
    return fill(overwrite);
  };
  return timeWithEvents(options.warmup, options.repetitions, empty, [&] {
    return driver->check(driver->cuGraphLaunch(*exec, stream), "cuGraphLaunch");
  });
}

// Random bits: the power that a copy takes, and with it the clock, depends on
// the data.
static std::vector<uint64_t> makeRandomWords(size_t count) {
  std::mt19937_64 generator(0);
  std::vector<uint64_t> words(count);
  for (uint64_t &word : words)
    word = generator();
  return words;
}

llvm::Expected<double> CudaDevice::measureCopyBandwidth() {
  size_t free = 0, total = 0;
  if (llvm::Error error =
          driver->check(driver->cuMemGetInfo_v2(&free, &total), "cuMemGetInfo"))
    return error;
  // Large enough that starting a copy and the L2 cache do not count.
  constexpr uint64_t chunk = uint64_t(32) << 20, wanted = uint64_t(4) << 30;
  uint64_t bytes = std::min<uint64_t>(wanted, free / 3) / chunk * chunk;
  if (2 * bytes < (uint64_t(2) << 30))
    return llvm::createStringError(
        "a copy of 1 GiB does not fit in the free device memory: " +
        llvm::Twine(free) + " bytes");
  auto source = DeviceBuffer::create(*this, bytes);
  if (!source)
    return source.takeError();
  auto target = DeviceBuffer::create(*this, bytes);
  if (!target)
    return target.takeError();
  DevicePtr from = (*source)->getPointer(), to = (*target)->getPointer();
  std::vector<uint64_t> words = makeRandomWords(chunk / sizeof(uint64_t));
  if (llvm::Error error = copyIn(from, words.data(), chunk))
    return error;
  for (uint64_t offset = chunk; offset < bytes; offset += chunk)
    if (llvm::Error error = copy({from + offset, from, chunk}))
      return error;
  CopyCommand whole{to, from, bytes};
  auto times = timeWithEvents(
      /*warmup=*/5, /*repetitions=*/30, [] { return llvm::Error::success(); },
      [&] { return copy(whole); });
  if (!times)
    return times.takeError();
  double seconds = getStatistics(*times).median * 1e-6;
  return seconds > 0 ? 2.0 * bytes / seconds : 0.0;
}
