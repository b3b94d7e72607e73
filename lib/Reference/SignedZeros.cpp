//===- SignedZeros.cpp - Which zeros have a sign --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignedZeros.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

bool reference::hasIEEEZeros(Operation *op) {
  if (!op)
    return true;
  using Flags = arith::FastMathFlags;
  arith::FastMathFlagsAttr flags;
  if (auto flagged = dyn_cast<arith::ArithFastMathInterface>(op))
    flags = flagged.getFastMathFlagsAttr();
  if (flags && bitEnumContainsAny(flags.getValue(),
                                  Flags::nsz | Flags::reassoc | Flags::afn))
    return false;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getKind() == ReductionKind::Add ||
           reduce.getKind() == ReductionKind::Mul;
  if (isa<math::MathDialect>(op->getDialect()))
    return isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
               math::FmaOp, math::RoundEvenOp, math::RoundOp, math::SqrtOp,
               math::TruncOp>(op);
  return isa<arith::ArithDialect, FusionDialect, tensor::TensorDialect>(
             op->getDialect()) &&
         !isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
              arith::MinNumFOp>(op);
}
