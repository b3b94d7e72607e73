//===- SimulatorDevice.cpp - The simulator as a device --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/SimulatorDevice.h"
#include "FusionDialect/Simulator/Simulator.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class SimulatorDevice final : public Device {
public:
  explicit SimulatorDevice(const DeviceModel &model) {
    description.kind = "sim";
    description.chip = model.chip;
    description.name = "simulator of " + model.name;
    description.multiprocessors = model.multiprocessors;
    description.l2Bytes = model.l2Bytes;
    options.limits.maxThreadsPerBlock = model.threadsPerBlock;
    options.limits.maxSharedBytesPerBlock = model.sharedPerBlock;
    options.limits.maxClusterBlocks = model.nonPortableClusterBlocks;
    options.limits.getResidentClusters =
        [model](int64_t threads, int64_t sharedBytes, int64_t blocks) {
          return model.getResidentClusters(
              blocks, model.getBlocksPerMultiprocessor(threads, sharedBytes));
        };
    options.limits.maxStaticSharedBytesPerBlock = model.staticSharedPerBlock;
  }

  const DeviceDescription &getDescription() const override {
    return description;
  }
  bool takesBinaries() const override { return false; }
  bool findsUninitializedReads() const override { return true; }

  std::optional<uint64_t> findUnwritten(DevicePtr pointer,
                                        uint64_t bytes) override;
  llvm::Expected<DevicePtr> allocate(uint64_t bytes) override;
  llvm::Error release(DevicePtr pointer) override;
  llvm::Error copyIn(DevicePtr destination, const void *source,
                     uint64_t bytes) override;
  llvm::Error copyOut(void *destination, DevicePtr source,
                      uint64_t bytes) override;
  llvm::Error loadKernels(Operation *kernelModule) override;
  llvm::Expected<KernelResources> getResources(StringRef module,
                                               StringRef kernel) override;
  llvm::Error execute(const DeviceCommand &command) override;
  llvm::Error synchronize() override { return llvm::Error::success(); }

private:
  llvm::Error execute(const LaunchRequest &request);
  llvm::Error execute(const CopyCommand &copy);
  llvm::Error execute(const FillCommand &fill);
  Simulator &getSimulator();

  DeviceDescription description;
  SimulatorOptions options;
  /// The module of the kernels; memory is the simulator's, made with it.
  Operation *module = nullptr;
  std::unique_ptr<Simulator> simulator;
};

} // namespace

static llvm::Error toError(LogicalResult result, const Twine &message) {
  if (succeeded(result))
    return llvm::Error::success();
  return llvm::createStringError(message);
}

Simulator &SimulatorDevice::getSimulator() {
  // A program that folds away has memory, but no kernels.
  if (!simulator)
    simulator = std::make_unique<Simulator>(nullptr, options);
  return *simulator;
}

llvm::Error SimulatorDevice::loadKernels(Operation *kernelModule) {
  Operation *parent = kernelModule->getParentOp();
  if (!simulator) {
    module = parent;
    simulator = std::make_unique<Simulator>(parent, options);
  }
  if (module != parent)
    return llvm::createStringError(
        "the simulator takes the kernels of one module only, and before its "
        "memory is used");
  return llvm::Error::success();
}

llvm::Expected<DevicePtr> SimulatorDevice::allocate(uint64_t bytes) {
  FailureOr<uint64_t> address = getSimulator().allocate(bytes);
  if (failed(address))
    return llvm::make_error<OutOfMemoryError>(
        "out of memory: the simulator cannot allocate " + Twine(bytes) +
        " bytes");
  return *address;
}

llvm::Error SimulatorDevice::release(DevicePtr pointer) {
  return toError(getSimulator().free(pointer),
                 "the address to free was not allocated");
}

llvm::Error SimulatorDevice::copyIn(DevicePtr destination, const void *source,
                                    uint64_t bytes) {
  return toError(
      getSimulator().copyToDevice(
          destination, {static_cast<const std::byte *>(source), bytes}),
      "a copy to the device is out of bounds");
}

llvm::Error SimulatorDevice::copyOut(void *destination, DevicePtr source,
                                     uint64_t bytes) {
  return toError(getSimulator().copyToHost(
                     {static_cast<std::byte *>(destination), bytes}, source),
                 "a copy from the device is out of bounds");
}

std::optional<uint64_t> SimulatorDevice::findUnwritten(DevicePtr pointer,
                                                       uint64_t bytes) {
  uint64_t offset = getSimulator().findUnwritten(pointer, bytes);
  return offset == bytes ? std::nullopt : std::optional(offset);
}

llvm::Expected<KernelResources>
SimulatorDevice::getResources(StringRef module, StringRef kernel) {
  return KernelResources(); // registers are the compiler's, which did not run
}

llvm::Error SimulatorDevice::execute(const DeviceCommand &command) {
  return std::visit([&](const auto &concrete) { return execute(concrete); },
                    command);
}

llvm::Error SimulatorDevice::execute(const LaunchRequest &request) {
  if (!module)
    return llvm::createStringError("no kernel is loaded");
  MLIRContext *context = module->getContext();
  SmallVector<SimulatorArgument> arguments;
  for (const KernelArgument &argument : request.arguments)
    arguments.push_back({argument.bits, argument.dynamicSizes});
  auto toExtents = [](const Dim3 &dim) {
    return SimulatorExtents{dim.x, dim.y, dim.z};
  };
  SimulatorLaunch launch;
  launch.kernel = SymbolRefAttr::get(
      context, request.module, FlatSymbolRefAttr::get(context, request.kernel));
  launch.grid = toExtents(request.grid);
  launch.block = toExtents(request.block);
  if (request.cluster)
    launch.cluster = toExtents(*request.cluster);
  if (request.cooperative)
    launch.mode = SimulatorLaunchMode::Cooperative;
  else if (request.programmaticDependent)
    launch.mode = SimulatorLaunchMode::Dependent;
  launch.dynamicSharedBytes = request.sharedBytes;
  launch.arguments = arguments;
  Location loc =
      request.location ? Location(request.location) : module->getLoc();
  return toError(getSimulator().launch(launch, loc),
                 "kernel '" + request.kernel + "' failed in the simulator");
}

llvm::Error SimulatorDevice::execute(const CopyCommand &copy) {
  return toError(getSimulator().copy(copy.destination, copy.source, copy.bytes),
                 "a copy inside the device is out of bounds");
}

llvm::Error SimulatorDevice::execute(const FillCommand &fill) {
  std::vector<std::byte> bytes(fill.bytes);
  for (uint64_t i = 0; i < fill.bytes; ++i)
    bytes[i] = std::byte(fill.pattern >> (8 * (i % fill.patternBytes)));
  return copyIn(fill.destination, bytes.data(), fill.bytes);
}

std::unique_ptr<Device>
fusion::createSimulatorDevice(const DeviceModel &model) {
  return std::make_unique<SimulatorDevice>(model);
}
