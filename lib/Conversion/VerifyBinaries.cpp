//===- VerifyBinaries.cpp - Check that the PTX stands alone ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
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

namespace {

struct VerifyBinariesPass
    : fusion::impl::VerifyBinariesPassBase<VerifyBinariesPass> {
  void runOnOperation() override {
    for (auto binary : getOperation().getOps<gpu::BinaryOp>()) {
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
        if (object.getFormat() != gpu::CompilationTarget::Assembly)
          continue;
        StringRef name = getExternalFunction(object.getObject().getValue());
        if (name.empty())
          continue;
        binary.emitOpError("expected PTX without external functions, but '")
            << name
            << "' is unresolved: a math function needs libdevice, which a CUDA "
               "Toolkit holds in nvvm/libdevice (set CUDA_HOME to it)";
        return signalPassFailure();
      }
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
