//===- ExternalizeShared.cpp - Dynamic shared memory is external ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_EXTERNALIZESHAREDPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

struct ExternalizeSharedPass
    : fusion::impl::ExternalizeSharedPassBase<ExternalizeSharedPass> {
  void runOnOperation() override {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (array && array.getNumElements() == 0 &&
          global.getAddrSpace() ==
              static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
        global.setLinkage(LLVM::Linkage::External);
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
