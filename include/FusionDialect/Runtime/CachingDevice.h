//===- CachingDevice.h - Host tensors in spare device memory ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_CACHINGDEVICE_H
#define FUSIONDIALECT_RUNTIME_CACHINGDEVICE_H

#include "FusionDialect/Reference/HostTensor.h"
#include "FusionDialect/Runtime/ForwardingDevice.h"

namespace mlir::fusion {

/// A device whose spare memory holds copies of host tensors: copies of these
/// tensors to the device, and comparisons with them, then stay on the device.
/// A copy never costs anyone memory: what does not fit is not copied, and what
/// finds no memory later is tried again without the copy that was made last.
/// Without a copy the tensor itself is read, which is only slower.
class CachingDevice final : public ForwardingDevice {
public:
  using ForwardingDevice::ForwardingDevice;

  /// Copies `tensor` to the device if there is memory for it. Its elements do
  /// not change until `forget`.
  llvm::Error keep(const HostTensor &tensor);
  /// Releases all copies.
  void forget() { copies.clear(); }
  /// The number of copies that there are.
  size_t getNumCopies() const { return copies.size(); }

  llvm::Expected<DevicePtr> allocate(uint64_t bytes) override;
  llvm::Error copyIn(DevicePtr destination, const void *source,
                     uint64_t bytes) override;
  llvm::Expected<bool> equalsHost(DevicePtr pointer, const void *host,
                                  uint64_t bytes) override;
  /// Launches need memory too, for what threads spill.
  llvm::Error execute(const DeviceCommand &command) override;

private:
  struct Copy {
    HostTensor tensor;
    std::shared_ptr<DeviceBuffer> buffer;
  };

  /// The copy of the `bytes` bytes at `host`; null if there is none.
  const DeviceBuffer *find(const void *host, uint64_t bytes) const;

  std::vector<Copy> copies;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_CACHINGDEVICE_H
