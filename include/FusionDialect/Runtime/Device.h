//===- Device.h - Where kernels run -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one interface between the host interpreter and what executes kernels: a
// GPU through its driver, or a simulator. Everything that can be replayed (a
// launch, a copy, a fill) is a command, a plain value, so that a run can be
// recorded once and timed many times.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_DEVICE_H
#define FUSIONDIALECT_RUNTIME_DEVICE_H

#include "FusionDialect/Target/KernelResources.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mlir::fusion {

/// An address in device memory.
using DevicePtr = uint64_t;

/// Extents of a grid, a block or a cluster.
struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
};

/// One kernel parameter as the kernel sees it: the low `size` bytes of `bits`.
/// Memrefs are bare pointers, index and i64 take 8 bytes, i1 takes 1.
struct KernelArgument {
  uint64_t bits = 0;
  unsigned size = 8;
  /// The extents that a memref's type leaves open, in order; compiled kernels
  /// do not get them.
  llvm::SmallVector<int64_t, 2> dynamicSizes = {};
};

/// One launch. The symbol names are those of the host's launch.
struct LaunchRequest {
  std::string module;
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  /// Blocks of a cluster, if the kernel is launched with clusters.
  std::optional<Dim3> cluster;
  /// Dynamic shared memory of a block, in bytes.
  uint64_t sharedBytes = 0;
  /// All blocks must be resident at once, for grid-wide barriers.
  bool cooperative = false;
  /// The launch may begin before the one before it has ended; the kernel waits
  /// itself where it needs the results (griddepcontrol).
  bool programmaticDependent = false;
  llvm::SmallVector<KernelArgument> arguments;
  /// Where errors about the launch point to; may be null.
  LocationAttr location;
};

/// Copies `bytes` bytes between two places of device memory. What nothing has
/// written stays so in the copy.
struct CopyCommand {
  DevicePtr destination = 0;
  DevicePtr source = 0;
  uint64_t bytes = 0;
};

/// Repeats the low `patternBytes` (1, 2 or 4) bytes of `pattern` over `bytes`
/// bytes, a multiple of `patternBytes`.
struct FillCommand {
  DevicePtr destination = 0;
  uint32_t pattern = 0;
  unsigned patternBytes = 1;
  uint64_t bytes = 0;
};

/// What a device executes in order.
using DeviceCommand = std::variant<LaunchRequest, CopyCommand, FillCommand>;

/// Names a device in reports.
struct DeviceDescription {
  /// cuda, sim or ref.
  std::string kind;
  /// The product's name, e.g. "NVIDIA H200".
  std::string name;
  /// The version of the driver, e.g. "13.0"; empty if there is none.
  std::string driver;
  /// The instruction set, e.g. "sm_90"; empty if it is not tied to one.
  std::string chip;
  /// The size of the L2 cache in bytes; 0 if unknown.
  uint64_t l2Bytes = 0;
  /// The number of multiprocessors; 0 if unknown.
  unsigned multiprocessors = 0;
};

/// How a replay is timed.
struct ReplayOptions {
  /// Timed replays.
  unsigned repetitions = 100;
  /// Replays before the first timed one.
  unsigned warmup = 10;
  /// Bytes written before each replay, so that the L2 cache holds none of the
  /// program's data. At least twice the L2 cache is written in any case. Lines
  /// that a program asked to keep there are reset before.
  uint64_t flushBytes = uint64_t(256) << 20;
};

/// A device has too little free memory for what it was asked to do. It has done
/// nothing, and goes on working.
class OutOfMemoryError final
    : public llvm::ErrorInfo<OutOfMemoryError, llvm::StringError> {
public:
  explicit OutOfMemoryError(const llvm::Twine &message)
      : ErrorInfo(message, llvm::inconvertibleErrorCode()) {}
  // NOLINTNEXTLINE(readability-identifier-naming): ErrorInfo's name.
  static char ID;
};

/// Executes commands in order on memory of its own. Errors say which call
/// failed and why; after an error the device only releases memory.
class Device {
public:
  virtual ~Device();

  virtual const DeviceDescription &getDescription() const = 0;
  /// True if kernels are loaded from gpu.binary operations; false if the
  /// device executes the operations of a gpu.module itself.
  virtual bool takesBinaries() const = 0;
  /// True if the device reports reads of memory that nothing has written: then
  /// memory is not filled with a pattern before a run.
  virtual bool findsUninitializedReads() const { return false; }

  /// The offset of the first of the `bytes` bytes at `pointer` that nothing has
  /// written since their allocation; none if there is none or the device does
  /// not know.
  virtual std::optional<uint64_t> findUnwritten(DevicePtr pointer,
                                                uint64_t bytes) {
    return std::nullopt;
  }

  /// At least 256-byte aligned memory of `bytes` bytes with undefined contents.
  /// The address is never 0, also for 0 bytes. An OutOfMemoryError if there is
  /// not enough.
  virtual llvm::Expected<DevicePtr> allocate(uint64_t bytes) = 0;
  /// Frees what `allocate` returned. Commands that use it have ended.
  virtual llvm::Error release(DevicePtr pointer) = 0;
  /// Copies from the host, after all commands before it.
  virtual llvm::Error copyIn(DevicePtr destination, const void *source,
                             uint64_t bytes) = 0;
  /// Copies to the host, after all commands before it.
  virtual llvm::Error copyOut(void *destination, DevicePtr source,
                              uint64_t bytes) = 0;

  /// True if the `bytes` bytes at `a` and at `b`, at any alignment, are the
  /// same, after all commands before. The default copies both to the host.
  virtual llvm::Expected<bool> equals(DevicePtr a, DevicePtr b, uint64_t bytes);
  /// True if the `bytes` bytes at `pointer` are those at `host`, after all
  /// commands before.
  virtual llvm::Expected<bool> equalsHost(DevicePtr pointer, const void *host,
                                          uint64_t bytes);

  /// Makes the kernels of a gpu.binary (or gpu.module) known under its symbol
  /// name, until the device is destroyed.
  virtual llvm::Error loadKernels(Operation *kernelModule) = 0;
  /// The resources of a kernel that was loaded.
  virtual llvm::Expected<KernelResources>
  getResources(llvm::StringRef module, llvm::StringRef kernel) = 0;

  /// Executes or enqueues one command.
  virtual llvm::Error execute(const DeviceCommand &command) = 0;
  /// Waits until all commands have ended; reports what failed in them.
  virtual llvm::Error synchronize() = 0;

  /// The microseconds that each replay of `commands` took. The default says
  /// that the device cannot be timed.
  virtual llvm::Expected<std::vector<double>>
  timeReplays(llvm::ArrayRef<DeviceCommand> commands,
              const ReplayOptions &options);
  /// Bytes per second of a large copy in device memory, bytes read plus bytes
  /// written. The default says that the device cannot be timed.
  virtual llvm::Expected<double> measureCopyBandwidth();
};

/// Device memory that is released with the last reference to it.
class DeviceBuffer {
public:
  static llvm::Expected<std::shared_ptr<DeviceBuffer>> create(Device &device,
                                                              uint64_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  DevicePtr getPointer() const { return pointer; }
  uint64_t getSizeInBytes() const { return bytes; }
  /// True after `release`.
  bool isReleased() const { return released; }
  /// Releases the memory before the last reference is gone.
  llvm::Error release();

private:
  DeviceBuffer(Device &device, DevicePtr pointer, uint64_t bytes)
      : device(device), pointer(pointer), bytes(bytes) {}

  Device &device;
  DevicePtr pointer;
  uint64_t bytes;
  bool released = false;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_DEVICE_H
