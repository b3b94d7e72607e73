//===- CudaDriver.h - The CUDA driver, opened at run time -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the driver's API that is used here, declared after the CUDA
// Driver API reference (docs.nvidia.com/cuda/cuda-driver-api), so that building
// needs no toolkit. Names and numbers are the API's own.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CUDADRIVER_H
#define FUSION_LIB_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace mlir::fusion::cuda {

using Result = int;
using Device = int;
using DevicePointer = uint64_t;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;

enum : Result {
  Success = 0,
  ErrorInvalidValue = 1,
  ErrorOutOfMemory = 2,
  ErrorNotSupported = 801
};

enum DeviceAttribute : int {
  MultiprocessorCount = 16,
  L2CacheSize = 38,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
};

enum FunctionAttribute : int {
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegs = 4,
  MaxDynamicSharedSizeBytes = 8,
  NonPortableClusterSizeAllowed = 14,
};

enum JitOption : int {
  ErrorLogBuffer = 5,
  ErrorLogBufferSizeBytes = 6,
};

enum : unsigned { StreamNonBlocking = 1, CaptureModeThreadLocal = 1 };

/// CUlaunchAttribute: an id and a union of 64 bytes.
struct LaunchAttribute {
  enum Id : int {
    Cooperative = 2,
    ClusterDimension = 4,
    ProgrammaticStreamSerialization = 6,
  };
  Id id;
  char pad[4];
  union {
    char bytes[64];
    int flag;
    struct {
      unsigned x, y, z;
    } cluster;
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72, "layout of CUlaunchAttribute");

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};
static_assert(sizeof(LaunchConfig) == 56, "layout of CUlaunchConfig");

// X(name, parameters): what every supported driver (CUDA 12.0 and later) has.
#define FUSION_CUDA_FUNCTIONS(X)                                               \
  X(cuInit, (unsigned flags))                                                  \
  X(cuDriverGetVersion, (int *version))                                        \
  X(cuDeviceGetCount, (int *count))                                            \
  X(cuDeviceGet, (Device * device, int ordinal))                               \
  X(cuDeviceGetName, (char *name, int bytes, Device device))                   \
  X(cuDeviceGetAttribute, (int *value, int attribute, Device device))          \
  X(cuDevicePrimaryCtxRetain, (Context * context, Device device))              \
  X(cuDevicePrimaryCtxRelease_v2, (Device device))                             \
  X(cuCtxSetCurrent, (Context context))                                        \
  X(cuCtxResetPersistingL2Cache, ())                                           \
  X(cuMemGetInfo_v2, (size_t *, size_t *))                                     \
  X(cuMemAlloc_v2, (DevicePointer * pointer, size_t bytes))                    \
  X(cuMemFree_v2, (DevicePointer pointer))                                     \
  X(cuMemcpyHtoDAsync_v2, (DevicePointer destination, const void *source,      \
                           size_t bytes, Stream stream))                       \
  X(cuMemcpyDtoHAsync_v2,                                                      \
    (void *destination, DevicePointer source, size_t bytes, Stream stream))    \
  X(cuMemcpyDtoDAsync_v2, (DevicePointer destination, DevicePointer source,    \
                           size_t bytes, Stream stream))                       \
  X(cuMemsetD8Async, (DevicePointer destination, unsigned char value,          \
                      size_t count, Stream stream))                            \
  X(cuMemsetD16Async, (DevicePointer destination, unsigned short value,        \
                       size_t count, Stream stream))                           \
  X(cuMemsetD32Async,                                                          \
    (DevicePointer destination, unsigned value, size_t count, Stream stream))  \
  X(cuModuleLoadDataEx, (Module * module, const void *image,                   \
                         unsigned numOptions, int *options, void **values))    \
  X(cuModuleUnload, (Module module))                                           \
  X(cuModuleGetFunction,                                                       \
    (Function * function, Module module, const char *name))                    \
  X(cuFuncGetAttribute, (int *value, int attribute, Function function))        \
  X(cuFuncSetAttribute, (Function function, int attribute, int value))         \
  X(cuLaunchKernelEx, (const LaunchConfig *config, Function function,          \
                       void **parameters, void **extra))                       \
  X(cuStreamCreate, (Stream * stream, unsigned flags))                         \
  X(cuStreamDestroy_v2, (Stream stream))                                       \
  X(cuStreamSynchronize, (Stream stream))                                      \
  X(cuStreamBeginCapture_v2, (Stream stream, unsigned mode))                   \
  X(cuStreamEndCapture, (Stream stream, Graph * graph))                        \
  X(cuGraphInstantiateWithFlags,                                               \
    (GraphExec * exec, Graph graph, unsigned long long flags))                 \
  X(cuGraphLaunch, (GraphExec exec, Stream stream))                            \
  X(cuGraphExecDestroy, (GraphExec exec))                                      \
  X(cuGraphDestroy, (Graph graph))                                             \
  X(cuEventCreate, (Event * event, unsigned flags))                            \
  X(cuEventRecord, (Event event, Stream stream))                               \
  X(cuEventElapsedTime, (float *milliseconds, Event start, Event end))         \
  X(cuEventDestroy_v2, (Event event))

/// The driver's functions as members of the same names.
class Driver {
public:
  /// Opens `library`; fails if it or one of the functions is missing.
  static llvm::Expected<std::unique_ptr<Driver>> open(llvm::StringRef library);

#define FUSION_CUDA_DECLARE(name, parameters)                                  \
  Result(*name) parameters = nullptr;
  // NOLINTNEXTLINE(readability-identifier-naming): the driver's own names.
  FUSION_CUDA_FUNCTIONS(FUSION_CUDA_DECLARE)
#undef FUSION_CUDA_DECLARE
  /// The size of a kernel parameter; null before CUDA 12.4.
  Result (*cuFuncGetParamInfo)(Function function, size_t index, size_t *offset,
                               size_t *bytes) = nullptr;

  /// Success, or an error that gives the call, the name of the error and what
  /// the driver says about it; an OutOfMemoryError if that is what it is.
  llvm::Error check(Result result, const llvm::Twine &call) const;

private:
  Result (*cuGetErrorName)(Result error, const char **text) = nullptr;
  Result (*cuGetErrorString)(Result error, const char **text) = nullptr;
};

} // namespace mlir::fusion::cuda

#endif // FUSION_LIB_RUNTIME_CUDADRIVER_H
