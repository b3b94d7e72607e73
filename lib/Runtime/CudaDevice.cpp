//===- CudaDevice.cpp - A GPU through the CUDA driver ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/CudaDevice.h"

#include "CudaDeviceImpl.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace mlir::fusion;

llvm::Expected<std::unique_ptr<Device>>
mlir::fusion::createCudaDevice(llvm::StringRef driverLibrary, bool isWatched) {
  auto driver = cuda::Driver::open(driverLibrary);
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDevice>(std::move(*driver), isWatched);
  if (llvm::Error error = device->initialize())
    return error;
  return device;
}

//===----------------------------------------------------------------------===//
// Lifetime
//===----------------------------------------------------------------------===//

llvm::Error CudaDevice::initialize() {
  int count = 0;
  if (llvm::Error error = driver->check(driver->cuInit(0), "cuInit"))
    return error;
  if (llvm::Error error =
          driver->check(driver->cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  if (count == 0)
    return llvm::createStringError("the CUDA driver shows no GPU");
  if (llvm::Error error =
          driver->check(driver->cuDeviceGet(&device, 0), "cuDeviceGet"))
    return error;
  if (llvm::Error error = describe())
    return error;
  if (llvm::Error error =
          driver->check(driver->cuDevicePrimaryCtxRetain(&context, device),
                        "cuDevicePrimaryCtxRetain")) {
    context = nullptr;
    return error;
  }
  if (llvm::Error error =
          driver->check(driver->cuCtxSetCurrent(context), "cuCtxSetCurrent"))
    return error;
  return driver->check(driver->cuStreamCreate(&stream, cuda::StreamNonBlocking),
                       "cuStreamCreate");
}

llvm::Error CudaDevice::describe() {
  char name[256] = {};
  if (llvm::Error error =
          driver->check(driver->cuDeviceGetName(name, sizeof(name) - 1, device),
                        "cuDeviceGetName"))
    return error;
  int version = 0;
  if (llvm::Error error = driver->check(driver->cuDriverGetVersion(&version),
                                        "cuDriverGetVersion"))
    return error;
  llvm::Error failure = llvm::Error::success();
  auto get = [&](cuda::DeviceAttribute attribute) {
    int value = 0;
    failure = llvm::joinErrors(
        std::move(failure),
        driver->check(driver->cuDeviceGetAttribute(&value, attribute, device),
                      "cuDeviceGetAttribute"));
    return value;
  };
  int major = get(cuda::ComputeCapabilityMajor);
  int minor = get(cuda::ComputeCapabilityMinor);
  description.kind = "cuda";
  description.name = name;
  // The version is 1000 * major + 10 * minor.
  description.driver =
      (llvm::Twine(version / 1000) + "." + llvm::Twine(version % 1000 / 10))
          .str();
  description.chip = ("sm_" + llvm::Twine(major * 10 + minor)).str();
  description.l2Bytes = get(cuda::L2CacheSize);
  description.multiprocessors = get(cuda::MultiprocessorCount);
  return failure;
}

CudaDevice::~CudaDevice() {
  // Nobody is left to hear of a failure here.
  unloadComparison();
  for (auto &entry : modules)
    driver->cuModuleUnload(entry.second);
  if (stream)
    driver->cuStreamDestroy_v2(stream);
  if (context)
    driver->cuDevicePrimaryCtxRelease_v2(device);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Expected<DevicePtr> CudaDevice::allocate(uint64_t bytes) {
  DevicePtr pointer = 0;
  cuda::Result result =
      driver->cuMemAlloc_v2(&pointer, std::max<uint64_t>(bytes, 1));
  if (result == cuda::ErrorOutOfMemory) {
    size_t free = 0, total = 0;
    if (llvm::Error error = driver->check(
            driver->cuMemGetInfo_v2(&free, &total), "cuMemGetInfo"))
      return error;
    return llvm::make_error<OutOfMemoryError>(
        "out of device memory: " + llvm::Twine(bytes) +
        " bytes were asked for, and " + llvm::Twine(free) + " of " +
        llvm::Twine(total) + " are free");
  }
  if (llvm::Error error = driver->check(
          result, "cuMemAlloc of " + llvm::Twine(bytes) + " bytes"))
    return error;
  return pointer;
}

llvm::Error CudaDevice::release(DevicePtr pointer) {
  return driver->check(driver->cuMemFree_v2(pointer), "cuMemFree");
}

llvm::Error CudaDevice::copyIn(DevicePtr destination, const void *source,
                               uint64_t bytes) {
  if (llvm::Error error = driver->check(
          driver->cuMemcpyHtoDAsync_v2(destination, source, bytes, stream),
          "cuMemcpyHtoDAsync"))
    return error;
  return synchronize();
}

llvm::Error CudaDevice::copyOut(void *destination, DevicePtr source,
                                uint64_t bytes) {
  if (llvm::Error error = driver->check(
          driver->cuMemcpyDtoHAsync_v2(destination, source, bytes, stream),
          "cuMemcpyDtoHAsync"))
    return error;
  return synchronize();
}

llvm::Error CudaDevice::copy(const CopyCommand &command) {
  return driver->check(driver->cuMemcpyDtoDAsync_v2(command.destination,
                                                    command.source,
                                                    command.bytes, stream),
                       "cuMemcpyDtoDAsync");
}

llvm::Error CudaDevice::fill(const FillCommand &command) {
  DevicePtr to = command.destination;
  uint64_t count = command.bytes / command.patternBytes;
  switch (command.patternBytes) {
  case 1:
    return driver->check(
        driver->cuMemsetD8Async(to, command.pattern, count, stream),
        "cuMemsetD8Async");
  case 2:
    return driver->check(
        driver->cuMemsetD16Async(to, command.pattern, count, stream),
        "cuMemsetD16Async");
  default:
    assert(command.patternBytes == 4 && "a fill repeats 1, 2 or 4 bytes");
    return driver->check(
        driver->cuMemsetD32Async(to, command.pattern, count, stream),
        "cuMemsetD32Async");
  }
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

llvm::Error CudaDevice::execute(const DeviceCommand &command) {
  if (const auto *request = std::get_if<LaunchRequest>(&command))
    return launch(*request);
  if (const auto *copyCommand = std::get_if<CopyCommand>(&command))
    return copy(*copyCommand);
  return fill(std::get<FillCommand>(command));
}

llvm::Error CudaDevice::synchronize() {
  return driver->check(driver->cuStreamSynchronize(stream),
                       "cuStreamSynchronize");
}

// The attributes that `request` needs beside grid, block and shared memory.
static llvm::SmallVector<cuda::LaunchAttribute, 3>
getAttributes(const LaunchRequest &request) {
  using Attribute = cuda::LaunchAttribute;
  llvm::SmallVector<Attribute, 3> attributes;
  auto add = [&](Attribute::Id id) -> Attribute & {
    Attribute attribute = {};
    attribute.id = id;
    return attributes.emplace_back(attribute);
  };
  if (request.cluster)
    add(Attribute::ClusterDimension).value.cluster = {
        static_cast<unsigned>(request.cluster->x),
        static_cast<unsigned>(request.cluster->y),
        static_cast<unsigned>(request.cluster->z)};
  if (request.cooperative)
    add(Attribute::Cooperative).value.flag = 1;
  if (request.programmaticDependent)
    add(Attribute::ProgrammaticStreamSerialization).value.flag = 1;
  return attributes;
}

// The number of parameters of `kernel` in `ptx`, if its entry is there:
//   .entry NAME( .param .u64 .ptr .align 16 NAME_param_0, .param .f32 ... )
static std::optional<size_t> countParameters(llvm::StringRef ptx,
                                             llvm::StringRef kernel) {
  size_t entry = ptx.find((".entry " + kernel + "(").str());
  if (entry == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef signature = ptx.substr(entry).split(')').first;
  return signature.count(".param ");
}

// A kernel reads its parameters by offset: too few or smaller ones would be
// read beyond their end. The driver has no call for their number, and asking
// for one too many is an error that tools such as compute-sanitizer report: it
// is counted in the PTX, and unknown for a cubin.
llvm::Error CudaDevice::checkParameters(cuda::Function function,
                                        const LaunchRequest &request) {
  if (!driver->cuFuncGetParamInfo)
    return llvm::Error::success();
  auto makeError = [&](const llvm::Twine &text) {
    return llvm::createStringError("the kernel '" + request.kernel + "' " +
                                   text);
  };
  size_t index = 0, offset = 0, bytes = 0;
  size_t count = request.arguments.size();
  if (auto ptx = texts.find(request.module); ptx != texts.end())
    if (auto parameters = countParameters(ptx->second, request.kernel);
        parameters && *parameters != count)
      return makeError("takes " + llvm::Twine(*parameters) +
                       " arguments, but the launch passes " +
                       llvm::Twine(count));
  for (; index < count && driver->cuFuncGetParamInfo(function, index, &offset,
                                                     &bytes) == cuda::Success;
       ++index) {
    if (bytes != request.arguments[index].size)
      return makeError("takes " + llvm::Twine(bytes) + " bytes as parameter " +
                       llvm::Twine(index) + ", but the launch passes " +
                       llvm::Twine(request.arguments[index].size));
  }
  if (index != request.arguments.size())
    return makeError("takes " + llvm::Twine(index) +
                     " arguments, but the launch passes " +
                     llvm::Twine(request.arguments.size()));
  return llvm::Error::success();
}

llvm::Error CudaDevice::launch(const LaunchRequest &request) {
  llvm::Expected<cuda::Function> function =
      getFunction(request.module, request.kernel);
  if (!function)
    return function.takeError();
  if (llvm::Error error = checkParameters(*function, request))
    return error;
  // Beyond 48 KiB dynamic shared memory must be asked for.
  constexpr uint64_t defaultSharedBytes = 48 << 10;
  if (request.sharedBytes > std::numeric_limits<int>::max())
    return llvm::createStringError(
        "expected less than 2 GiB of shared memory, but got " +
        llvm::Twine(request.sharedBytes) + " bytes");
  if (request.sharedBytes > defaultSharedBytes)
    if (llvm::Error error = driver->check(
            driver->cuFuncSetAttribute(*function,
                                       cuda::MaxDynamicSharedSizeBytes,
                                       request.sharedBytes),
            "asking for " + llvm::Twine(request.sharedBytes) +
                " bytes of dynamic shared memory (cuFuncSetAttribute)"))
      return error;
  // Every device has clusters of 8 blocks; larger ones must be asked for.
  constexpr int64_t portableClusterBlocks = 8;
  if (request.cluster &&
      request.cluster->x * request.cluster->y * request.cluster->z >
          portableClusterBlocks)
    if (llvm::Error error = driver->check(
            driver->cuFuncSetAttribute(*function,
                                       cuda::NonPortableClusterSizeAllowed, 1),
            "asking for clusters of more than 8 blocks (cuFuncSetAttribute)"))
      return error;

  llvm::SmallVector<cuda::LaunchAttribute, 3> attributes =
      getAttributes(request);
  cuda::LaunchConfig config = {};
  config.gridX = request.grid.x;
  config.gridY = request.grid.y;
  config.gridZ = request.grid.z;
  config.blockX = request.block.x;
  config.blockY = request.block.y;
  config.blockZ = request.block.z;
  config.sharedBytes = request.sharedBytes;
  config.stream = stream;
  config.attributes = attributes.data();
  config.numAttributes = attributes.size();
  // Little-endian: the low bytes of `bits` come first.
  llvm::SmallVector<void *> parameters;
  for (const KernelArgument &argument : request.arguments)
    parameters.push_back(const_cast<uint64_t *>(&argument.bits));
  return driver->check(
      driver->cuLaunchKernelEx(&config, *function, parameters.data(), nullptr),
      "launching '" + request.kernel + "' (cuLaunchKernelEx)");
}
