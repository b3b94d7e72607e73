//===- HostDevice.h - A device made of host memory --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device for tests: memory is malloc's, kernels are functions of the test.
// It counts what it holds and what it copies to the host, so that a test can
// see a leak and a detour, and it can be told to run out of memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_HOSTDEVICE_H
#define FUSION_UNITTESTS_RUNTIME_HOSTDEVICE_H

#include "FusionDialect/Runtime/Device.h"
#include "llvm/ADT/StringMap.h"
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

namespace mlir::fusion {

class HostDevice : public Device {
public:
  using Kernel = std::function<void(const LaunchRequest &)>;

  HostDevice() { description.kind = "host"; }
  ~HostDevice() override {
    for (auto &[pointer, bytes] : live)
      std::free(reinterpret_cast<void *>(pointer));
  }

  const DeviceDescription &getDescription() const override {
    return description;
  }
  bool takesBinaries() const override { return true; }

  llvm::Expected<DevicePtr> allocate(uint64_t bytes) override {
    uint64_t used = 0;
    for (auto &[pointer, size] : live)
      used += size;
    if (bytes > limit || bytes > capacity - used)
      return llvm::make_error<OutOfMemoryError>("out of memory");
    auto pointer = reinterpret_cast<DevicePtr>(
        std::aligned_alloc(256, (bytes + 256) / 256 * 256));
    live[pointer] = bytes;
    return pointer;
  }
  llvm::Error release(DevicePtr pointer) override {
    if (live.erase(pointer) == 0)
      return llvm::createStringError("not allocated");
    std::free(reinterpret_cast<void *>(pointer));
    return llvm::Error::success();
  }
  llvm::Error copyIn(DevicePtr destination, const void *source,
                     uint64_t bytes) override {
    std::memcpy(reinterpret_cast<void *>(destination), source, bytes);
    return llvm::Error::success();
  }
  llvm::Error copyOut(void *destination, DevicePtr source,
                      uint64_t bytes) override {
    std::memcpy(destination, reinterpret_cast<void *>(source), bytes);
    bytesOut += bytes;
    return llvm::Error::success();
  }

  llvm::Error loadKernels(Operation *) override {
    return llvm::Error::success();
  }
  llvm::Expected<KernelResources> getResources(llvm::StringRef,
                                               llvm::StringRef) override {
    return KernelResources();
  }

  llvm::Error execute(const DeviceCommand &command) override {
    if (const auto *copy = std::get_if<CopyCommand>(&command))
      return copyIn(copy->destination,
                    reinterpret_cast<const void *>(copy->source), copy->bytes);
    if (const auto *fill = std::get_if<FillCommand>(&command)) {
      auto *out = reinterpret_cast<char *>(fill->destination);
      for (uint64_t i = 0; i < fill->bytes; i += fill->patternBytes)
        std::memcpy(out + i, &fill->pattern, fill->patternBytes);
      return llvm::Error::success();
    }
    const auto &launch = std::get<LaunchRequest>(command);
    auto kernel = kernels.find(launch.kernel);
    if (kernel == kernels.end())
      return llvm::createStringError("no kernel '" + launch.kernel + "'");
    kernel->second(launch);
    return llvm::Error::success();
  }
  llvm::Error synchronize() override { return llvm::Error::success(); }

  /// The kernels by name.
  llvm::StringMap<Kernel> kernels;
  /// Live allocations and their bytes.
  std::map<DevicePtr, uint64_t> live;
  /// The largest allocation that succeeds.
  uint64_t limit = UINT64_MAX;
  /// The bytes of all allocations together that succeed.
  uint64_t capacity = UINT64_MAX;
  /// The bytes that were copied to the host.
  uint64_t bytesOut = 0;

private:
  DeviceDescription description;
};

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_RUNTIME_HOSTDEVICE_H
