//===- LinalgSpace.cpp - The index space of a linalg operation ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgSpace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

std::optional<size_t> LinalgSpace::getLoop(ArrayRef<int64_t> row) {
  std::optional<size_t> loop;
  if (row.back() != 0)
    return std::nullopt;
  for (auto [index, coefficient] : llvm::enumerate(row.drop_back())) {
    if (coefficient == 0)
      continue;
    if (coefficient != 1 || loop)
      return std::nullopt;
    loop = index;
  }
  return loop;
}

/// Adds scale * `expression` to the coefficients and the constant in `row`.
/// False if the expression is not linear, or a number overflows.
static bool addLinear(AffineExpr expression, int64_t scale,
                      SmallVector<int64_t> &row) {
  auto addTo = [&](int64_t &entry, int64_t value) {
    return !llvm::MulOverflow(scale, value, value) &&
           !llvm::AddOverflow(entry, value, entry);
  };
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return addTo(row.back(), constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return addTo(row[dim.getPosition()], 1);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), scale, row) &&
           addLinear(binary.getRHS(), scale, row);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul && factor &&
         !llvm::MulOverflow(scale, factor.getValue(), scale) &&
         addLinear(binary.getLHS(), scale, row);
}

/// True if all positions of `row` lie in [0, extent).
static bool isInBounds(ArrayRef<int64_t> row, ArrayRef<int64_t> extents,
                       int64_t extent) {
  int64_t least = row.back(), most = row.back();
  for (auto [coefficient, loop] : llvm::zip(row, extents)) {
    int64_t span;
    int64_t &end = coefficient < 0 ? least : most;
    if (llvm::MulOverflow(coefficient, loop - 1, span) ||
        llvm::AddOverflow(end, span, end))
      return false;
  }
  return least >= 0 && most < extent;
}

/// The extents of the loops: each is that of an operand's dimension that it
/// walks along alone.
static LogicalResult findExtents(linalg::LinalgOp op, ArrayRef<AffineMap> maps,
                                 ArrayRef<Node *> operands,
                                 LinalgSpace &space) {
  space.extents.assign(op.getNumLoops(), -1);
  for (auto [map, operand] : llvm::zip(maps, operands)) {
    for (auto [expression, extent] :
         llvm::zip(map.getResults(), operand->shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expression);
      if (!dim)
        continue;
      int64_t &loop = space.extents[dim.getPosition()];
      if (loop >= 0 && loop != extent)
        return op.emitOpError()
               << "expected operands of equal extents along loop "
               << dim.getPosition() << ", but found " << loop << " and "
               << extent;
      loop = extent;
    }
  }
  for (auto [loop, extent] : llvm::enumerate(space.extents))
    if (extent < 0)
      return op.emitOpError() << "the reference needs an operand that loop "
                              << loop << " walks along alone";
  return success();
}

FailureOr<LinalgSpace> reference::getLinalgSpace(linalg::LinalgOp op,
                                                 GraphBuilder &graph) {
  LinalgSpace space;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Node *> operands = graph.lookup(op->getOperands());
  if (failed(findExtents(op, maps, operands, space)))
    return failure();
  bool isEmpty = llvm::is_contained(space.extents, 0);
  for (auto [map, operand] : llvm::zip(maps, operands)) {
    LinearPositions positions;
    for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
      SmallVector<int64_t> row(map.getNumDims() + 1, 0);
      if (map.getNumSymbols() != 0 || !addLinear(expression, 1, row))
        return op.emitOpError()
               << "the reference takes linear indexing maps, but found "
               << AffineMapAttr::get(map);
      if (!isEmpty && !isInBounds(row, space.extents, operand->shape[dim]))
        return op.emitOpError()
               << "expected an indexing map within the extent "
               << operand->shape[dim] << " of dimension " << dim
               << ", but found " << AffineMapAttr::get(map);
      positions.push_back(std::move(row));
    }
    space.positions.push_back(std::move(positions));
  }
  return space;
}

bool reference::isBodyOperation(Operation *op) {
  return isa<arith::ConstantOp, linalg::IndexOp, tensor::ExtractOp,
             cf::AssertOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}
