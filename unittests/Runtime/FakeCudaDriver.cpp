//===- FakeCudaDriver.cpp - A CUDA driver without a GPU -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so.1 for tests on machines without a GPU: memory is the host's, and
// kernels are chosen by name from a few written here. It shows that the device
// calls the driver as it should and says what the driver reports. It says
// nothing about real kernels or times.
//
// FAKE_CUDA_DEVICES=0 shows no device; FAKE_CUDA_MEMORY=N is the largest
// allocation.
//
//===----------------------------------------------------------------------===//

#include "FakeCudaDriver.h"
#include "CudaCompare.h"
#include "CudaDriver.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

using namespace mlir::fusion::cuda;

namespace {
struct FakeFunction {
  std::string name;
  std::vector<size_t> parameters;
};
struct FakeGraph {
  std::vector<std::function<void()>> work;
};
} // namespace

static FakeCudaState state;
// Errors of kernels show up at the next synchronisation, and stay.
static Result sticky = Success;
static FakeGraph *capturing = nullptr;
static unsigned launchCounter = 0;

// Large transfers are left out: they only flush caches or measure bandwidth.
static constexpr size_t kLarge = size_t(16) << 20;

template <typename T>
static T *at(DevicePointer pointer) {
  return reinterpret_cast<T *>(pointer);
}

// Runs `work`, or adds it to the graph that is being captured.
template <typename F>
static Result enqueue(F work) {
  if (capturing)
    capturing->work.push_back(work);
  else
    work();
  return Success;
}

template <typename T>
static Result enqueueFill(DevicePointer to, T value, size_t count) {
  ++state.fills;
  state.outlivedFills += state.linesKept;
  return enqueue([=] {
    if (count * sizeof(T) < kLarge)
      std::fill_n(at<T>(to), count, value);
  });
}

static size_t getLimit() {
  const char *text = std::getenv("FAKE_CUDA_MEMORY");
  return text ? std::strtoull(text, nullptr, 10) : size_t(4) << 30;
}

static void runKernel(const std::string &name,
                      const std::vector<uint64_t> &arguments) {
  if (name == "scale") {
    float factor;
    std::memcpy(&factor, &arguments[3], sizeof(factor));
    for (uint64_t i = 0; i < arguments[2]; ++i)
      at<float>(arguments[1])[i] = factor * at<float>(arguments[0])[i];
  } else if (name == "count") {
    // A kernel whose result changes from run to run.
    at<float>(arguments[0])[0] = static_cast<float>(launchCounter);
  } else if (name == compareKernelName) {
    uint64_t a = arguments[0], b = arguments[1], head = arguments[2];
    uint64_t vectors = arguments[3], rest = arguments[4];
    state.comparedVectors = vectors;
    state.comparesAligned =
        vectors == 0 || ((a + head) % 16 == 0 && (b + head) % 16 == 0);
    if (std::memcmp(at<char>(a), at<char>(b), 16 * vectors + rest) != 0)
      *at<uint32_t>(arguments[5]) = 1;
  } else if (name == "fault") {
    sticky = 700;
  }
}

extern "C" {

FakeCudaState *fakeCudaState() { return &state; }

Result cuGetErrorName(Result error, const char **text) {
  *text = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 218 ? "CUDA_ERROR_INVALID_PTX"
          : error == 500 ? "CUDA_ERROR_NOT_FOUND"
          : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
          : error == 801 ? "CUDA_ERROR_NOT_SUPPORTED"
                         : "CUDA_ERROR_INVALID_VALUE";
  return Success;
}
Result cuGetErrorString(Result, const char **text) {
  *text = "as the fake driver describes it";
  return Success;
}

Result cuInit(unsigned) { return Success; }
Result cuDriverGetVersion(int *version) {
  *version = 12080;
  return Success;
}
Result cuDeviceGetCount(int *count) {
  const char *text = std::getenv("FAKE_CUDA_DEVICES");
  *count = text ? std::atoi(text) : 1;
  return Success;
}
Result cuDeviceGet(Device *device, int) {
  *device = 0;
  return Success;
}
Result cuDeviceGetName(char *name, int bytes, Device) {
  std::strncpy(name, "Fake GPU", bytes);
  return Success;
}
Result cuDeviceGetAttribute(int *value, int attribute, Device) {
  *value = attribute == ComputeCapabilityMajor   ? 9
           : attribute == ComputeCapabilityMinor ? 0
           : attribute == L2CacheSize            ? 1 << 20
                                                 : 4;
  return Success;
}
Result cuDevicePrimaryCtxRetain(Context *context, Device) {
  *context = reinterpret_cast<Context>(&state);
  return Success;
}
Result cuDevicePrimaryCtxRelease_v2(Device) { return Success; }
Result cuCtxSetCurrent(Context) { return Success; }
Result cuCtxResetPersistingL2Cache() {
  state.linesKept = state.graphRuns;
  return state.resetResult;
}

Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  *free = *total = getLimit();
  return Success;
}
Result cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  if (bytes > getLimit())
    return ErrorOutOfMemory;
  *pointer = reinterpret_cast<DevicePointer>(
      std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  ++state.liveAllocations;
  return Success;
}
Result cuMemFree_v2(DevicePointer pointer) {
  std::free(at<void>(pointer));
  --state.liveAllocations;
  return Success;
}
Result cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes,
                            Stream) {
  std::memcpy(at<void>(to), from, bytes);
  return Success;
}
Result cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes,
                            Stream) {
  std::memcpy(to, at<void>(from), bytes);
  return Success;
}
Result cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes,
                            Stream) {
  return enqueue([=] {
    if (bytes < kLarge)
      std::memcpy(at<void>(to), at<void>(from), bytes);
  });
}
Result cuMemsetD8Async(DevicePointer to, unsigned char value, size_t count,
                       Stream) {
  return enqueueFill(to, value, count);
}
Result cuMemsetD16Async(DevicePointer to, unsigned short value, size_t count,
                        Stream) {
  return enqueueFill(to, value, count);
}
Result cuMemsetD32Async(DevicePointer to, unsigned value, size_t count,
                        Stream) {
  return enqueueFill(to, value, count);
}

Result cuModuleLoadDataEx(Module *module, const void *image,
                          unsigned numOptions, int *options, void **values) {
  if (std::strstr(static_cast<const char *>(image), "broken")) {
    for (unsigned i = 0; i < numOptions; ++i)
      if (options[i] == ErrorLogBuffer)
        std::strcpy(static_cast<char *>(values[i]),
                    "ptxas fatal: line 1 is broken\n");
    return 218;
  }
  *module = reinterpret_cast<Module>(new int(0));
  return Success;
}
Result cuModuleUnload(Module module) {
  delete reinterpret_cast<int *>(module);
  return Success;
}
Result cuModuleGetFunction(Function *function, Module, const char *name) {
  static FakeFunction functions[] = {
      {"scale", {8, 8, 8, 4}},
      {"count", {8}},
      {"fault", {}},
      {"empty", {}},
      {compareKernelName, std::vector<size_t>(6, 8)}};
  for (FakeFunction &known : functions)
    if (known.name == name) {
      *function = reinterpret_cast<Function>(&known);
      return Success;
    }
  return 500;
}
Result cuFuncGetParamInfo(Function function, size_t index, size_t *offset,
                          size_t *bytes) {
  const auto &parameters =
      reinterpret_cast<FakeFunction *>(function)->parameters;
  if (index >= parameters.size())
    return ErrorInvalidValue;
  *offset = 8 * index;
  *bytes = parameters[index];
  return Success;
}
Result cuFuncGetAttribute(int *value, int attribute, Function) {
  *value = attribute == NumRegs ? 42 : attribute == LocalSizeBytes ? 16 : 128;
  return Success;
}
Result cuFuncSetAttribute(Function, int attribute, int value) {
  if (attribute == MaxDynamicSharedSizeBytes && value > (227 << 10))
    return ErrorInvalidValue;
  state.functionAttributes[attribute] = value;
  return Success;
}

Result cuLaunchKernelEx(const LaunchConfig *config, Function function,
                        void **parameters, void **) {
  const auto *kernel = reinterpret_cast<FakeFunction *>(function);
  state.launch = *config;
  state.attributes.assign(config->attributes,
                          config->attributes + config->numAttributes);
  std::vector<uint64_t> arguments;
  for (size_t i = 0; i < kernel->parameters.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, parameters[i], kernel->parameters[i]);
    arguments.push_back(bits);
  }
  ++launchCounter;
  return enqueue([name = kernel->name, arguments] {
    ++state.kernelsRun;
    runKernel(name, arguments);
  });
}

Result cuStreamCreate(Stream *stream, unsigned) {
  *stream = reinterpret_cast<Stream>(&state);
  return Success;
}
Result cuStreamDestroy_v2(Stream) { return Success; }
Result cuStreamSynchronize(Stream) {
  state.graphRuns = false;
  return sticky;
}
Result cuStreamBeginCapture_v2(Stream, unsigned) {
  capturing = new FakeGraph();
  return Success;
}
Result cuStreamEndCapture(Stream, Graph *graph) {
  *graph = reinterpret_cast<Graph>(capturing);
  capturing = nullptr;
  return Success;
}
Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph,
                                   unsigned long long) {
  *exec = reinterpret_cast<GraphExec>(
      new FakeGraph(*reinterpret_cast<FakeGraph *>(graph)));
  return Success;
}
Result cuGraphLaunch(GraphExec exec, Stream) {
  ++state.graphLaunches;
  state.linesKept = state.graphRuns = true;
  for (const auto &work : reinterpret_cast<FakeGraph *>(exec)->work)
    work();
  return Success;
}
Result cuGraphExecDestroy(GraphExec exec) {
  delete reinterpret_cast<FakeGraph *>(exec);
  return Success;
}
Result cuGraphDestroy(Graph graph) {
  delete reinterpret_cast<FakeGraph *>(graph);
  return Success;
}
Result cuEventCreate(Event *event, unsigned) {
  *event = reinterpret_cast<Event>(new int(0));
  ++state.liveEvents;
  return Success;
}
Result cuEventRecord(Event, Stream) { return Success; }
Result cuEventElapsedTime(float *milliseconds, Event, Event) {
  *milliseconds = 0.25f;
  return Success;
}
Result cuEventDestroy_v2(Event event) {
  delete reinterpret_cast<int *>(event);
  --state.liveEvents;
  return Success;
}

} // extern "C"
