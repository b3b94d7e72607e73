//===- DataMovement.cpp - What moves elements between segments ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices are copied between segments. A pad is a splat with a slice inserted;
// what takes elements from computed places stays, and no kernel holds it.
//
//===----------------------------------------------------------------------===//

#include "StructuredImport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::import;

bool import::staysBetweenSegments(Operation *op) {
  // A scalar that is extracted folds where its tensor is a constant.
  return isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
             tensor::ExtractOp>(op);
}

bool import::movesData(Operation *op) {
  return staysBetweenSegments(op) ||
         isa<tensor::PadOp, tensor::GatherOp, tensor::ScatterOp,
             tensor::GenerateOp, tensor::InsertOp>(op);
}

/// A tensor of type `type` whose elements are all `value`; `sizes` are its
/// dynamic extents.
static Value createSplat(IRRewriter &rewriter, Location loc,
                         RankedTensorType type, Value value, ValueRange sizes) {
  Attribute constant;
  if (type.hasStaticShape() && matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(rewriter, loc,
                                     SplatElementsAttr::get(type, constant));
  return tensor::SplatOp::create(rewriter, loc, type, value, sizes);
}

std::optional<ImportRefusal> import::importPad(tensor::PadOp op,
                                               IRRewriter &rewriter) {
  auto refuse = [&](const Twine &hint) {
    return ImportRefusal{ImportObstacle::DataMovement, op, hint.str()};
  };
  Value padding = op.getConstantPaddingValue();
  if (!padding)
    return refuse("expected one value for all of the padding");
  auto isKnown = [](int64_t amount) { return amount >= 0; };
  if (!llvm::all_of(op.getStaticLow(), isKnown) ||
      !llvm::all_of(op.getStaticHigh(), isKnown))
    return refuse("expected constant amounts of padding, of at least 0");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Value extent = tensor::DimOp::create(rewriter, loc, op.getSource(), dim);
    Value amount = arith::ConstantIndexOp::create(
        rewriter, loc, op.getStaticLow()[dim] + op.getStaticHigh()[dim]);
    sizes.push_back(arith::AddIOp::create(rewriter, loc, extent, amount));
  }
  Value whole = createSplat(rewriter, loc, type, padding, sizes);
  SmallVector<OpFoldResult> steps(type.getRank(), rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
      op, op.getSource(), whole, op.getMixedLowPad(),
      tensor::getMixedSizes(rewriter, loc, op.getSource()), steps);
  return std::nullopt;
}
