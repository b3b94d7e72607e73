//===- VerifyAlgebra.cpp - Check what holds after the algebra phase -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Algebra.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/IR/RegionKindInterface.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_VERIFYALGEBRAPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// A dimension of the operand of `reduce` that need not be there.
static std::optional<int64_t> getNeedlessDim(ReduceOp reduce) {
  auto broadcast = reduce.getInput().getDefiningOp<BroadcastOp>();
  if (!broadcast || broadcast->getBlock() != reduce->getBlock() ||
      !mayHaveSSADominance(*reduce->getParentRegion()))
    return std::nullopt;
  bool isIdempotent =
      getCombinerTraits(reduce.getKind()).repetition == Repetition::Same;
  for (int64_t dim : broadcast.getRepeatedDims())
    if (broadcast.getType().getDimSize(dim) > 1 &&
        (isIdempotent || !llvm::is_contained(reduce.getDims(), dim)))
      return dim;
  return std::nullopt;
}

namespace {

struct VerifyAlgebraPass
    : fusion::impl::VerifyAlgebraPassBase<VerifyAlgebraPass> {
  using VerifyAlgebraPassBase::VerifyAlgebraPassBase;

  void runOnOperation() override {
    WalkResult result =
        getOperation()->walk<WalkOrder::PreOrder>([](Operation *op) {
          if (isa<SegmentOp>(op))
            return WalkResult::skip();
          auto reduce = dyn_cast<ReduceOp>(op);
          std::optional<int64_t> dim =
              reduce ? getNeedlessDim(reduce) : std::nullopt;
          if (!dim)
            return WalkResult::advance();
          reduce.emitOpError("expected an operand that varies along dimension ")
              << *dim << ", but a broadcast repeats it";
          return WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
