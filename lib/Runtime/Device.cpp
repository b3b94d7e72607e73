//===- Device.cpp - Where kernels run -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all devices share: memory with an owner, and the answers of a device
// that cannot compare memory and has no clock.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Device.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace mlir::fusion;

char OutOfMemoryError::ID = 0;

Device::~Device() = default;

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

// Memory is compared in pieces, so that the host needs little of its own.
static constexpr uint64_t kPieceBytes = uint64_t(4) << 20;

llvm::Expected<bool> Device::equals(DevicePtr a, DevicePtr b, uint64_t bytes) {
  llvm::OwningArrayRef<std::byte> piece(std::min(bytes, kPieceBytes));
  for (uint64_t offset = 0; offset < bytes; offset += piece.size()) {
    uint64_t count = std::min<uint64_t>(piece.size(), bytes - offset);
    if (llvm::Error error = copyOut(piece.data(), b + offset, count))
      return error;
    llvm::Expected<bool> equal = equalsHost(a + offset, piece.data(), count);
    if (!equal || !*equal)
      return equal;
  }
  return true;
}

llvm::Expected<bool> Device::equalsHost(DevicePtr pointer, const void *host,
                                        uint64_t bytes) {
  const auto *expected = static_cast<const std::byte *>(host);
  llvm::OwningArrayRef<std::byte> piece(std::min(bytes, kPieceBytes));
  for (uint64_t offset = 0; offset < bytes; offset += piece.size()) {
    uint64_t count = std::min<uint64_t>(piece.size(), bytes - offset);
    if (llvm::Error error = copyOut(piece.data(), pointer + offset, count))
      return error;
    if (std::memcmp(piece.data(), expected + offset, count) != 0)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

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
