//===- CudaDriver.cpp - The CUDA driver, opened at run time ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "FusionDialect/Runtime/Device.h"
#include "llvm/Support/DynamicLibrary.h"

using namespace mlir::fusion::cuda;

// Sets `function` to the symbol; false if there is none.
template <typename F>
static bool find(llvm::sys::DynamicLibrary &library, const char *name,
                 F &function) {
  function = reinterpret_cast<F>(library.getAddressOfSymbol(name));
  return function != nullptr;
}

llvm::Expected<std::unique_ptr<Driver>> Driver::open(llvm::StringRef library) {
  std::string reason;
  llvm::sys::DynamicLibrary handle =
      llvm::sys::DynamicLibrary::getPermanentLibrary(library.str().c_str(),
                                                     &reason);
  if (!handle.isValid())
    return llvm::createStringError("no CUDA driver: " + reason);
  auto driver = std::make_unique<Driver>();
  const char *missing = nullptr;
  auto require = [&](const char *name, auto &function) {
    if (!find(handle, name, function))
      missing = name;
  };
#define FUSION_CUDA_FIND(name, parameters) require(#name, driver->name);
  FUSION_CUDA_FUNCTIONS(FUSION_CUDA_FIND)
#undef FUSION_CUDA_FIND
  require("cuGetErrorName", driver->cuGetErrorName);
  require("cuGetErrorString", driver->cuGetErrorString);
  find(handle, "cuFuncGetParamInfo", driver->cuFuncGetParamInfo);
  if (missing)
    return llvm::createStringError(
        "the CUDA driver is too old: it has no function " +
        llvm::Twine(missing));
  return driver;
}

llvm::Error Driver::check(Result result, const llvm::Twine &call) const {
  if (result == Success)
    return llvm::Error::success();
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(result, &name) != Success || !name)
    name = "unknown error";
  if (cuGetErrorString(result, &text) != Success || !text)
    text = "no description";
  std::string message = (call + " failed with " + name + " (" +
                         llvm::Twine(result) + "): " + text)
                            .str();
  if (result == ErrorOutOfMemory)
    return llvm::make_error<OutOfMemoryError>(message);
  return llvm::createStringError(message);
}
