//===- CudaDeviceImpl.h - A GPU through the CUDA driver ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The device's state. Memory and launches are in CudaDevice.cpp, kernel modules
// in CudaModules.cpp, comparisons in CudaCompare.cpp, timing in CudaReplay.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CUDADEVICEIMPL_H
#define FUSION_LIB_RUNTIME_CUDADEVICEIMPL_H

#include "CudaDriver.h"
#include "FusionDialect/Runtime/Device.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::fusion {

/// One GPU: its primary context and one stream, on which everything runs in
/// order.
class CudaDevice final : public Device {
public:
  CudaDevice(std::unique_ptr<cuda::Driver> driver, bool isWatched)
      : driver(std::move(driver)), isWatched(isWatched) {}
  ~CudaDevice() override;

  /// Finds the GPU and makes its context current.
  llvm::Error initialize();

  const DeviceDescription &getDescription() const override {
    return description;
  }
  bool takesBinaries() const override { return true; }
  bool findsUninitializedReads() const override { return isWatched; }

  llvm::Expected<DevicePtr> allocate(uint64_t bytes) override;
  llvm::Error release(DevicePtr pointer) override;
  llvm::Error copyIn(DevicePtr destination, const void *source,
                     uint64_t bytes) override;
  llvm::Error copyOut(void *destination, DevicePtr source,
                      uint64_t bytes) override;
  llvm::Expected<bool> equals(DevicePtr a, DevicePtr b,
                              uint64_t bytes) override;
  llvm::Error loadKernels(Operation *kernelModule) override;
  llvm::Expected<KernelResources> getResources(llvm::StringRef module,
                                               llvm::StringRef kernel) override;
  llvm::Error execute(const DeviceCommand &command) override;
  llvm::Error synchronize() override;
  llvm::Expected<std::vector<double>>
  timeReplays(llvm::ArrayRef<DeviceCommand> commands,
              const ReplayOptions &options) override;
  llvm::Expected<double> measureCopyBandwidth() override;

private:
  llvm::Error describe();
  llvm::Expected<cuda::Function> getFunction(llvm::StringRef module,
                                             llvm::StringRef kernel);
  llvm::Error checkParameters(cuda::Function function,
                              const LaunchRequest &request);
  llvm::Error launch(const LaunchRequest &request);
  llvm::Error copy(const CopyCommand &command);
  llvm::Error fill(const FillCommand &command);

  /// Loads the kernel that compares memory when it is first asked for; false
  /// if it cannot be had.
  bool hasComparison();
  llvm::Error loadComparison();
  void unloadComparison();

  /// Captures `commands` as a graph.
  llvm::Expected<cuda::GraphExec>
  capture(llvm::ArrayRef<DeviceCommand> commands);
  /// Times `run` between two events on the stream, `repetitions` times, with
  /// `before` ahead of the first event. Microseconds.
  llvm::Expected<std::vector<double>>
  timeWithEvents(unsigned warmup, unsigned repetitions,
                 llvm::function_ref<llvm::Error()> before,
                 llvm::function_ref<llvm::Error()> run);

  std::unique_ptr<cuda::Driver> driver;
  bool isWatched;
  DeviceDescription description;
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  cuda::Stream stream = nullptr;
  llvm::StringMap<cuda::Module> modules;
  /// The PTX of the modules that were loaded as such.
  llvm::StringMap<std::string> texts;
  /// By "module::kernel".
  llvm::StringMap<cuda::Function> functions;
  /// The kernel that compares memory, and the word that it sets.
  struct {
    bool isTried = false;
    cuda::Module module = nullptr;
    cuda::Function kernel = nullptr;
    DevicePtr flag = 0;
  } comparison;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_RUNTIME_CUDADEVICEIMPL_H
