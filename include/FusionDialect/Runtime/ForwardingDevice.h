//===- ForwardingDevice.h - A device in front of another --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_FORWARDINGDEVICE_H
#define FUSIONDIALECT_RUNTIME_FORWARDINGDEVICE_H

#include "FusionDialect/Runtime/Device.h"

namespace mlir::fusion {

/// Does everything on another device, which outlives it. What is derived from
/// it overrides what it does in a way of its own.
class ForwardingDevice : public Device {
public:
  explicit ForwardingDevice(Device &target) : target(target) {}

  const DeviceDescription &getDescription() const override {
    return target.getDescription();
  }
  bool takesBinaries() const override { return target.takesBinaries(); }
  bool findsUninitializedReads() const override {
    return target.findsUninitializedReads();
  }
  std::optional<uint64_t> findUnwritten(DevicePtr pointer,
                                        uint64_t bytes) override {
    return target.findUnwritten(pointer, bytes);
  }

  llvm::Expected<DevicePtr> allocate(uint64_t bytes) override {
    return target.allocate(bytes);
  }
  llvm::Error release(DevicePtr pointer) override {
    return target.release(pointer);
  }
  llvm::Error copyIn(DevicePtr destination, const void *source,
                     uint64_t bytes) override {
    return target.copyIn(destination, source, bytes);
  }
  llvm::Error copyOut(void *destination, DevicePtr source,
                      uint64_t bytes) override {
    return target.copyOut(destination, source, bytes);
  }
  llvm::Expected<bool> equals(DevicePtr a, DevicePtr b,
                              uint64_t bytes) override {
    return target.equals(a, b, bytes);
  }
  llvm::Expected<bool> equalsHost(DevicePtr pointer, const void *host,
                                  uint64_t bytes) override {
    return target.equalsHost(pointer, host, bytes);
  }

  llvm::Error loadKernels(Operation *kernelModule) override {
    return target.loadKernels(kernelModule);
  }
  llvm::Expected<KernelResources>
  getResources(llvm::StringRef module, llvm::StringRef kernel) override {
    return target.getResources(module, kernel);
  }

  llvm::Error execute(const DeviceCommand &command) override {
    return target.execute(command);
  }
  llvm::Error synchronize() override { return target.synchronize(); }

  llvm::Expected<std::vector<double>>
  timeReplays(llvm::ArrayRef<DeviceCommand> commands,
              const ReplayOptions &options) override {
    return target.timeReplays(commands, options);
  }
  llvm::Expected<double> measureCopyBandwidth() override {
    return target.measureCopyBandwidth();
  }

protected:
  Device &target;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_FORWARDINGDEVICE_H
