//===- CachingDevice.cpp - Host tensors in spare device memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/CachingDevice.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;

llvm::Error CachingDevice::keep(const HostTensor &tensor) {
  uint64_t bytes = tensor.getSizeInBytes();
  if (bytes == 0 || find(tensor.getData(), bytes))
    return llvm::Error::success();
  auto buffer = DeviceBuffer::create(target, bytes);
  if (!buffer)
    return llvm::handleErrors(buffer.takeError(),
                              [](const OutOfMemoryError &) {});
  if (llvm::Error error =
          target.copyIn((*buffer)->getPointer(), tensor.getData(), bytes))
    return error;
  copies.push_back({tensor, std::move(*buffer)});
  return llvm::Error::success();
}

const DeviceBuffer *CachingDevice::find(const void *host,
                                        uint64_t bytes) const {
  auto copy = llvm::find_if(copies, [&](const Copy &copy) {
    return copy.tensor.getData() == host &&
           copy.tensor.getSizeInBytes() == bytes;
  });
  return copy == copies.end() ? nullptr : copy->buffer.get();
}

llvm::Expected<DevicePtr> CachingDevice::allocate(uint64_t bytes) {
  llvm::Expected<DevicePtr> pointer = target.allocate(bytes);
  while (!pointer && !copies.empty() && pointer.errorIsA<OutOfMemoryError>()) {
    llvm::consumeError(pointer.takeError());
    copies.pop_back();
    pointer = target.allocate(bytes);
  }
  return pointer;
}

llvm::Error CachingDevice::execute(const DeviceCommand &command) {
  llvm::Error error = target.execute(command);
  while (error && !copies.empty() && error.isA<OutOfMemoryError>()) {
    llvm::consumeError(std::move(error));
    copies.pop_back();
    error = target.execute(command);
  }
  return error;
}

llvm::Error CachingDevice::copyIn(DevicePtr destination, const void *source,
                                  uint64_t bytes) {
  const DeviceBuffer *buffer = find(source, bytes);
  if (!buffer)
    return target.copyIn(destination, source, bytes);
  if (llvm::Error error =
          target.execute(CopyCommand{destination, buffer->getPointer(), bytes}))
    return error;
  // So the copy can go at any time.
  return target.synchronize();
}

llvm::Expected<bool>
CachingDevice::equalsHost(DevicePtr pointer, const void *host, uint64_t bytes) {
  const DeviceBuffer *buffer = find(host, bytes);
  return buffer ? target.equals(pointer, buffer->getPointer(), bytes)
                : target.equalsHost(pointer, host, bytes);
}
