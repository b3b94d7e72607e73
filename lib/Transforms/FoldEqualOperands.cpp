//===- FoldEqualOperands.cpp - x ^ x of an extent that is not known -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FOLDEQUALOPERANDSPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// What each element of `op` is if its operands are equal; null if that depends
/// on them, or is no constant.
static TypedAttr getConstant(Operation *op) {
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (isa<arith::XOrIOp>(op))
    return IntegerAttr::get(element, 0);
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return IntegerAttr::get(element,
                            arith::applyCmpPredicate(compare.getPredicate(),
                                                     APInt(1, 0), APInt(1, 0)));
  return {};
}

namespace {

struct FoldEqualOperandsPass
    : fusion::impl::FoldEqualOperandsPassBase<FoldEqualOperandsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (!isa<arith::XOrIOp, arith::CmpIOp>(op) ||
          op->getOperand(0) != op->getOperand(1))
        return;
      auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
      if (!type || type.hasStaticShape())
        return;
      rewriter.setInsertionPoint(op);
      Location loc = op->getLoc();
      Value scalar = arith::ConstantOp::create(rewriter, loc, getConstant(op));
      SmallVector<Value> extents;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        if (type.isDynamicDim(dim))
          extents.push_back(
              tensor::DimOp::create(rewriter, loc, op->getOperand(0), dim));
      rewriter.replaceOpWithNewOp<tensor::SplatOp>(op, type, scalar, extents);
      ++numFolded;
    });
  }
};

} // namespace
