//===- VerifyBinaries.cpp - Check that the PTX stands alone ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Conversion/Ptxas.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_VERIFYBINARIESPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The name of the first external function that `ptx` declares; empty if none.
static StringRef getExternalFunction(StringRef ptx) {
  size_t position = ptx.find(".extern .func");
  if (position == StringRef::npos)
    return {};
  // ".extern .func (.param .b32 func_retval0) __nv_expf(" or without a result.
  StringRef rest = ptx.substr(position + strlen(".extern .func")).ltrim();
  if (rest.consume_front("("))
    rest = rest.split(')').second.ltrim();
  return rest.take_until([](char c) { return c == '(' || isspace(c); });
}

/// Checks that the object stands alone; reports an error if not.
static LogicalResult verifyObject(gpu::BinaryOp binary,
                                  gpu::ObjectAttr object) {
  if (object.getFormat() != gpu::CompilationTarget::Assembly)
    return success();
  StringRef name = getExternalFunction(object.getObject().getValue());
  if (name.empty())
    return success();
  return binary.emitOpError("expected PTX without external functions, but '")
         << name
         << "' is unresolved: a math function needs libdevice, which a CUDA "
            "Toolkit holds in nvvm/libdevice (set CUDA_HOME to it)";
}

/// Assembles the binary's PTX; reports an error for kernels that spill.
static LogicalResult verifyWithPtxas(gpu::BinaryOp binary, StringRef ptxas) {
  llvm::Expected<llvm::StringMap<KernelResources>> found =
      getResourcesFromPtxas(ptxas, binary);
  if (!found)
    return binary.emitOpError() << llvm::toString(found.takeError());
  if (found->empty())
    return binary.emitOpError("expected PTX with a kernel for ptxas, but found "
                              "none");
  // By name: the map has no order of its own.
  SmallVector<StringRef> kernels(found->keys());
  llvm::sort(kernels);
  for (StringRef kernel : kernels) {
    KernelResources resources = found->lookup(kernel);
    unsigned bytes = resources.localBytes.value_or(0);
    if (bytes)
      return binary.emitOpError("expected kernels without spilled registers, "
                                "but '")
             << kernel << "' has " << bytes
             << " bytes of local memory a thread beside its "
             << resources.registers.value_or(0) << " registers";
  }
  return success();
}

namespace {

struct VerifyBinariesPass
    : fusion::impl::VerifyBinariesPassBase<VerifyBinariesPass> {
  using VerifyBinariesPassBase::VerifyBinariesPassBase;

  void runOnOperation() override {
    std::string ptxas = withPtxas ? findPtxas() : "";
    if (withPtxas && ptxas.empty()) {
      getOperation().emitError(
          "expected ptxas to verify with, but found none: a CUDA Toolkit holds "
          "it in bin (set CUDA_HOME to it)");
      return signalPassFailure();
    }
    for (auto binary : getOperation().getOps<gpu::BinaryOp>()) {
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
        if (failed(verifyObject(binary, object)))
          return signalPassFailure();
      if (withPtxas && failed(verifyWithPtxas(binary, ptxas)))
        return signalPassFailure();
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
