//===- VerifySegmented.cpp - What holds after the segment phase -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_VERIFYSEGMENTEDPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Folders of operations on tensors of a dynamic shape may make constants that
/// no text can name and no buffer hold.
static LogicalResult verifyConstants(Operation *root) {
  WalkResult result = root->walk([](arith::ConstantOp constant) {
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    if (!type || type.hasStaticShape())
      return WalkResult::advance();
    constant.emitOpError("expected a constant of a static shape, but an "
                         "operation was folded to one of type ")
        << type;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Constants and views may stand outside: the host function makes them.
static bool belongsInSegment(Operation *op, const DimClasses &dims) {
  return isSchedulable(op) && !dims.regroups(op) &&
         !isa<arith::ConstantOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp>(op);
}

/// True if a host function of kernels can have `op` between its launches: one
/// without tensors, or one that can have buffers in their place.
static bool canStandBetweenKernels(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  bool hasTensors = llvm::any_of(op->getOperandTypes(), isTensor) ||
                    llvm::any_of(op->getResultTypes(), isTensor);
  return !hasTensors || isa<bufferization::BufferizableOpInterface>(op);
}

/// True if kernels can be launched from the regions of `op`, which run one
/// after the other, or not at all, and give their last values.
static bool mayHoldLaunches(Operation *op) {
  return isa<FunctionOpInterface, scf::ForOp, scf::IfOp>(op) ||
         op->hasTrait<OpTrait::SymbolTable>();
}

static bool holdsSegments(Operation *op) {
  return op->walk([](SegmentOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

namespace {

struct VerifySegmentedPass
    : fusion::impl::VerifySegmentedPassBase<VerifySegmentedPass> {
  using VerifySegmentedPassBase::VerifySegmentedPassBase;

  void runOnOperation() override {
    const auto &registry = SchedulerRegistry::get(&getContext());
    const auto &dims = getAnalysis<DimClasses>();
    if (failed(verifyConstants(getOperation())))
      return signalPassFailure();
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
          if (auto segment = dyn_cast<SegmentOp>(op)) {
            if (registry.lookup(segment.getScheduler()))
              return WalkResult::skip();
            segment.emitOpError("expected a registered scheduler, but got '")
                << segment.getScheduler() << "'";
            return WalkResult::interrupt();
          }
          return allowLeftovers || verifyOutside(op, dims)
                     ? WalkResult::advance()
                     : WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  /// Says what is wrong with `op`, which is in no segment.
  static bool verifyOutside(Operation *op, const DimClasses &dims) {
    if (belongsInSegment(op, dims)) {
      op->emitOpError("expected to be in a segment");
      return false;
    }
    if (!canStandBetweenKernels(op)) {
      op->emitOpError("expected to be part of a kernel, or an operation that "
                      "can stand between kernels");
      return false;
    }
    if (mayHoldLaunches(op) || !holdsSegments(op))
      return true;
    op->emitOpError("expected kernels in functions, 'scf.for' and 'scf.if' "
                    "only, but its body has some");
    return false;
  }
};

} // namespace
