//===- Recording.h - A run as a list of commands ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interpreting a host function on this device allocates on the device below and
// writes down its commands instead of executing them. Replaying them is the run
// without the host.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_RECORDING_H
#define FUSIONDIALECT_RUNTIME_RECORDING_H

#include "FusionDialect/Runtime/ForwardingDevice.h"

namespace mlir::fusion {

/// Records the commands of a run on `target`. Kernels are those already loaded
/// on `target`. Copies from the host happen at once; they are not commands.
/// Memory that the run frees stays until the recording is destroyed, since the
/// commands use it.
class Recording final : public ForwardingDevice {
public:
  using ForwardingDevice::ForwardingDevice;
  ~Recording() override;

  /// What was recorded, in order.
  llvm::ArrayRef<DeviceCommand> getCommands() const { return commands; }
  /// The number of launches among the commands.
  unsigned getNumLaunches() const;

  llvm::Error release(DevicePtr pointer) override {
    deferred.push_back(pointer);
    return llvm::Error::success();
  }
  llvm::Error loadKernels(Operation *) override {
    return llvm::Error::success();
  }
  llvm::Error execute(const DeviceCommand &command) override {
    commands.push_back(command);
    return llvm::Error::success();
  }
  llvm::Error synchronize() override { return llvm::Error::success(); }

private:
  std::vector<DeviceCommand> commands;
  llvm::SmallVector<DevicePtr> deferred;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_RECORDING_H
