//===- AttachTarget.cpp - Attach the NVVM target of a chip ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The PTX version that `op` needs beyond that of its chip, as ten times the
/// number; 0 if none. From the PTX ISA's "PTX ISA Notes" of each instruction;
/// text of unknown contents counts as st.async, which is the youngest that a
/// kernel of this compiler has.
static unsigned getPtxVersion(Operation *op) {
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case<NVVM::CpAsyncBulkGlobalToSharedClusterOp,
            NVVM::CpAsyncBulkSharedCTAToGlobalOp,
            NVVM::CpAsyncBulkSharedCTAToSharedClusterOp,
            NVVM::FenceMbarrierInitOp, NVVM::FenceProxyOp,
            NVVM::MBarrierArriveOp, NVVM::MBarrierArriveExpectTxOp,
            NVVM::MBarrierExpectTxOp>([](auto) { return 80; })
      .Case<NVVM::InlinePtxOp>([](auto) { return 81; })
      // Cache policies.
      .Case<LLVM::InlineAsmOp>([](auto) { return 74; })
      .Default([](auto) { return 0; });
}

/// The feature of the lowest PTX version that knows the chip and every
/// operation of `kernels`.
static std::string getPtxFeature(gpu::GPUModuleOp kernels,
                                 const ChipInfo &info) {
  unsigned version = 0;
  bool isNumber = llvm::to_integer(info.ptxFeature.substr(4), version);
  assert(isNumber && "features of chips are \"+ptx\" and a number");
  (void)isNumber;
  kernels.walk(
      [&](Operation *op) { version = std::max(version, getPtxVersion(op)); });
  return "+ptx" + std::to_string(version);
}

namespace {

struct AttachTargetPass : fusion::impl::AttachTargetPassBase<AttachTargetPass> {
  using AttachTargetPassBase::AttachTargetPassBase;

  void runOnOperation() override {
    llvm::Expected<ChipInfo> info = lookupChip(chip);
    if (!info) {
      emitError(getOperation().getLoc()) << llvm::toString(info.takeError());
      return signalPassFailure();
    }
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      auto target = NVVM::NVVMTargetAttr::get(&getContext(), /*optLevel=*/3,
                                              "nvptx64-nvidia-cuda", info->name,
                                              getPtxFeature(kernels, *info));
      kernels.setTargetsAttr(ArrayAttr::get(&getContext(), {target}));
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
