//===- Device.cpp - Where kernels run -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all devices share: memory with an owner, and the answer of a device
// that has no clock.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Device.h"

using namespace mlir;
using namespace mlir::fusion;

Device::~Device() = default;

static llvm::Error makeUntimedError(const Device &device) {
  return llvm::createStringError("the device '" + device.getDescription().kind +
                                 "' cannot be timed");
}

llvm::Expected<std::vector<double>>
Device::timeReplays(llvm::ArrayRef<DeviceCommand>, const ReplayOptions &) {
  return makeUntimedError(*this);
}

llvm::Expected<double> Device::measureCopyBandwidth() {
  return makeUntimedError(*this);
}

llvm::Expected<std::shared_ptr<DeviceBuffer>>
DeviceBuffer::create(Device &device, uint64_t bytes) {
  llvm::Expected<DevicePtr> pointer = device.allocate(bytes);
  if (!pointer)
    return pointer.takeError();
  return std::shared_ptr<DeviceBuffer>(
      new DeviceBuffer(device, *pointer, bytes));
}

DeviceBuffer::~DeviceBuffer() {
  // A failed release has no one to report to here. The cause was reported by
  // the command that failed before it.
  llvm::consumeError(release());
}

llvm::Error DeviceBuffer::release() {
  if (released)
    return llvm::Error::success();
  released = true;
  return device.release(pointer);
}
