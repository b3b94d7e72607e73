//===- SerializeKernels.cpp - From kernels to PTX or a cubin --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/CudaToolkit.h"
#include "FusionDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_SERIALIZEKERNELSPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Where a toolkit holds the functions that math functions are lowered to.
static constexpr StringLiteral libdevice = "nvvm/libdevice/libdevice.10.bc";

/// Upstream looks for a toolkit through variables of the environment, reports
/// an error with all of the module if what they name is not there, and goes on.
/// Kernels that need nothing of it are right without; for others
/// fusion-verify-binaries names the function.
static bool saysToolkitIsMissing(Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  return StringRef(text).starts_with("CUDA path: ") ||
         StringRef(text).starts_with("LibDevice path: ");
}

namespace {

struct SerializeKernelsPass
    : fusion::impl::SerializeKernelsPassBase<SerializeKernelsPass> {
  using SerializeKernelsPassBase::SerializeKernelsPassBase;

  void runOnOperation() override {
    bool isBinary = format == "bin";
    if (!isBinary && format != "isa") {
      getOperation().emitError("expected the format isa or bin, but got '")
          << format << "'";
      return signalPassFailure();
    }
    std::string root = toolkit.empty() ? findCudaToolkit(libdevice) : toolkit;
    SmallString<128> path(root);
    llvm::sys::path::append(path, libdevice);
    if (!llvm::sys::fs::is_regular_file(path))
      root.clear();
    std::optional<SymbolTable> symbols;
    auto getSymbols = [&]() -> SymbolTable * {
      if (!symbols)
        symbols.emplace(getOperation());
      return &*symbols;
    };
    gpu::TargetOptions options(root, /*librariesToLink=*/{}, /*cmdOptions=*/"",
                               /*elfSection=*/"",
                               isBinary ? gpu::CompilationTarget::Binary
                                        : gpu::CompilationTarget::Assembly,
                               getSymbols);
    ScopedDiagnosticHandler handler(&getContext(), [](Diagnostic &diagnostic) {
      return success(saysToolkitIsMissing(diagnostic));
    });
    if (failed(gpu::transformGpuModulesToBinaries(
            getOperation(), gpu::OffloadingLLVMTranslationAttrInterface(),
            options)))
      signalPassFailure();
  }
};

} // namespace
