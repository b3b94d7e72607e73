//===- CudaModules.cpp - Kernels on a GPU ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads PTX (compiled by the driver) and cubins from gpu.binary operations.
//
//===----------------------------------------------------------------------===//

#include "CudaDeviceImpl.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;

// The first object that the driver can load.
static llvm::Expected<gpu::ObjectAttr> selectObject(gpu::BinaryOp binary) {
  for (Attribute attr : binary.getObjects()) {
    auto object = dyn_cast<gpu::ObjectAttr>(attr);
    if (object && object.getFormat() != gpu::CompilationTarget::Offload)
      return object;
  }
  return llvm::createStringError("expected PTX or a cubin in gpu.binary '" +
                                 binary.getSymName() + "'");
}

llvm::Error CudaDevice::loadKernels(Operation *kernelModule) {
  auto binary = dyn_cast<gpu::BinaryOp>(kernelModule);
  if (!binary)
    return llvm::createStringError("expected a gpu.binary");
  llvm::Expected<gpu::ObjectAttr> object = selectObject(binary);
  if (!object)
    return object.takeError();
  // PTX must end with a zero byte; a cubin may have one after it.
  std::string image = object->getObject().getValue().str();
  char log[8192] = {};
  int options[] = {cuda::ErrorLogBuffer, cuda::ErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  cuda::Module module = nullptr;
  cuda::Result result =
      driver->cuModuleLoadDataEx(&module, image.c_str(), 2, options, values);
  llvm::StringRef name = binary.getSymName();
  if (llvm::Error error =
          driver->check(result, "loading the kernels of '" + name +
                                    "' (cuModuleLoadDataEx)")) {
    llvm::StringRef details = llvm::StringRef(log).trim("\n\t \0");
    if (details.empty())
      return error;
    return llvm::createStringError(llvm::toString(std::move(error)) + "; " +
                                   details);
  }
  auto [entry, inserted] = modules.try_emplace(name, module);
  if (!inserted) {
    driver->cuModuleUnload(module);
    return llvm::createStringError("the kernels of '" + name +
                                   "' are loaded already");
  }
  if (object->getFormat() == gpu::CompilationTarget::Assembly)
    texts[name] = std::move(image);
  return llvm::Error::success();
}

llvm::Expected<cuda::Function> CudaDevice::getFunction(llvm::StringRef module,
                                                       llvm::StringRef kernel) {
  std::string key = (module + "::" + kernel).str();
  auto known = functions.find(key);
  if (known != functions.end())
    return known->second;
  auto loaded = modules.find(module);
  if (loaded == modules.end())
    return llvm::createStringError("there is no gpu.binary '" + module + "'");
  cuda::Function function = nullptr;
  if (llvm::Error error = driver->check(
          driver->cuModuleGetFunction(&function, loaded->second,
                                      kernel.str().c_str()),
          "looking for the kernel '" + key + "' (cuModuleGetFunction)"))
    return error;
  functions[key] = function;
  return function;
}

llvm::Expected<KernelResources>
CudaDevice::getResources(llvm::StringRef module, llvm::StringRef kernel) {
  llvm::Expected<cuda::Function> function = getFunction(module, kernel);
  if (!function)
    return function.takeError();
  llvm::Error failure = llvm::Error::success();
  auto get = [&](cuda::FunctionAttribute attribute) {
    int value = 0;
    failure = llvm::joinErrors(
        std::move(failure),
        driver->check(driver->cuFuncGetAttribute(&value, attribute, *function),
                      "cuFuncGetAttribute"));
    return value;
  };
  KernelResources resources;
  resources.registers = get(cuda::NumRegs);
  resources.localBytes = get(cuda::LocalSizeBytes);
  resources.staticSharedBytes = get(cuda::SharedSizeBytes);
  if (failure)
    return failure;
  return resources;
}
