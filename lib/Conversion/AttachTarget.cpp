//===- AttachTarget.cpp - Attach the NVVM target of a chip ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

struct AttachTargetPass : fusion::impl::AttachTargetPassBase<AttachTargetPass> {
  using AttachTargetPassBase::AttachTargetPassBase;

  void runOnOperation() override {
    llvm::Expected<ChipInfo> info = lookupChip(chip);
    if (!info) {
      emitError(getOperation().getLoc()) << llvm::toString(info.takeError());
      return signalPassFailure();
    }
    auto target = NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/3,
                                            "nvptx64-nvidia-cuda", info->name,
                                            info->ptxFeature);
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>())
      kernels.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
    markAllAnalysesPreserved();
  }
};

} // namespace
