//===- Ptxas.cpp - Registers and spills without a GPU ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Ptxas.h"
#include "FusionDialect/Conversion/CudaToolkit.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::fusion;
using llvm::StringRef;

std::string mlir::fusion::findPtxas() {
  std::string root = findCudaToolkit("bin/ptxas");
  if (!root.empty()) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, "bin", "ptxas");
    return path.str().str();
  }
  auto onPath = llvm::sys::findProgramByName("ptxas");
  return onPath ? *onPath : "";
}

// The number before the first occurrence of `unit` in `line`.
static std::optional<unsigned> getNumberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return std::nullopt;
  StringRef digits = line.take_front(end).rtrim();
  digits = digits.take_back(digits.size() -
                            digits.find_last_not_of("0123456789") - 1);
  unsigned number;
  if (digits.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

llvm::StringMap<KernelResources>
mlir::fusion::parsePtxasOutput(StringRef text) {
  llvm::StringMap<KernelResources> resources;
  KernelResources *current = nullptr;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function '")) {
      current = &resources[line.split('\'').second.split('\'').first];
      current->staticSharedBytes = 0;
    }
    if (!current)
      continue;
    if (auto bytes = getNumberBefore(line, " bytes stack frame"))
      current->localBytes = bytes;
    if (auto count = getNumberBefore(line, " registers"))
      current->registers = count;
    if (auto bytes = getNumberBefore(line, " bytes smem"))
      current->staticSharedBytes = *bytes;
  }
  return resources;
}

// Runs ptxas on `ptx`; its output.
static llvm::Expected<std::string> runPtxas(StringRef ptxas, StringRef chip,
                                            StringRef ptx) {
  llvm::SmallString<128> input, output;
  int fd;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("fusion", "ptx", fd, input))
    return llvm::createStringError("cannot make a temporary file: " +
                                   error.message());
  llvm::scope_exit removeInput([&] { llvm::sys::fs::remove(input); });
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << ptx;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("fusion", "log", output))
    return llvm::createStringError("cannot make a temporary file: " +
                                   error.message());
  llvm::scope_exit removeOutput([&] { llvm::sys::fs::remove(output); });
  std::string gpuName = ("--gpu-name=" + chip).str();
  StringRef arguments[] = {ptxas, "--verbose", gpuName,
                           input, "-o",        "/dev/null"};
  std::optional<StringRef> redirects[] = {"", StringRef(output),
                                          StringRef(output)};
  std::string reason;
  constexpr unsigned seconds = 120;
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                         redirects, seconds, 0, &reason);
  auto log = llvm::MemoryBuffer::getFile(output);
  StringRef text = log ? (*log)->getBuffer() : "";
  if (status != 0)
    return llvm::createStringError(
        "ptxas failed: " + (reason.empty() ? text.trim().str() : reason));
  return text.str();
}

llvm::Expected<llvm::StringMap<KernelResources>>
mlir::fusion::getResourcesFromPtxas(StringRef ptxas, gpu::BinaryOp binary) {
  for (Attribute attr : binary.getObjects()) {
    auto object = dyn_cast<gpu::ObjectAttr>(attr);
    if (!object || object.getFormat() != gpu::CompilationTarget::Assembly)
      continue;
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(object.getTarget());
    if (!target)
      continue;
    llvm::Expected<std::string> text =
        runPtxas(ptxas, target.getChip(), object.getObject().getValue());
    if (!text)
      return text.takeError();
    return parsePtxasOutput(*text);
  }
  return llvm::StringMap<KernelResources>();
}
