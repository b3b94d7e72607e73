//===- TileEvaluator.cpp - Values of a row-column graph in a kernel -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileEvaluator.h"
#include "TileBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

Value TileEvaluator::splat(Location loc, Value scalar) {
  if (width == 1)
    return scalar;
  return vector::BroadcastOp::create(
      builder, loc, getTileType(scalar.getType(), width), scalar);
}

Value TileEvaluator::constant(Location loc, TypedAttr value) {
  return arith::ConstantOp::create(builder, loc, value);
}

std::tuple<Value, unsigned, unsigned>
TileEvaluator::getKey(Value value, unsigned row, unsigned tile) const {
  Space space = getSpace(value);
  return {value, hasRows(space) ? row : 0, hasColumns(space) ? tile : 0};
}

void TileEvaluator::bind(Value value, unsigned row, unsigned tile,
                         Value emitted) {
  memo[getKey(value, row, tile)] = emitted;
}

void TileEvaluator::forget(Space space) {
  for (auto &entry : llvm::make_early_inc_range(memo))
    if (getSpace(std::get<0>(entry.first)) == space)
      memo.erase(entry.first);
}

Value TileEvaluator::evaluate(Value value, unsigned row, unsigned tile,
                              LeafLoader load) {
  // A constant is emitted where it is needed: it need not dominate other uses.
  auto isConstant = [&](Value operand) {
    auto op = operand.getDefiningOp<arith::ConstantOp>();
    return op && candidate.operations.contains(op);
  };
  if (isConstant(value))
    return emit(value.getDefiningOp(), row, tile, load);
  auto isKnown = [&](Value operand) {
    return isConstant(operand) || memo.contains(getKey(operand, row, tile));
  };
  // Operands come first, by a stack of our own: chains can be long.
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.back();
    auto key = getKey(next, row, tile);
    Operation *op = next.getDefiningOp();
    bool isLeaf = !op || !candidate.operations.contains(op) ||
                  (isa<IotaOp>(op) && getSpace(next) != Space::Scalar) ||
                  (isLeafOperation && isLeafOperation(op));
    if (!isLeaf && !memo.contains(key)) {
      auto unknown = llvm::find_if_not(op->getOperands(), isKnown);
      if (unknown != op->operand_end()) {
        pending.push_back(*unknown);
        continue;
      }
    }
    pending.pop_back();
    if (memo.contains(key))
      continue;
    Value emitted = isLeaf ? load(next, std::get<1>(key), std::get<2>(key))
                           : emit(op, row, tile, load);
    memo[key] = emitted;
  }
  return memo.lookup(getKey(value, row, tile));
}

Value TileEvaluator::emit(Operation *op, unsigned row, unsigned tile,
                          LeafLoader load) {
  Location loc = op->getLoc();
  Value result = op->getResult(0);
  Space space = getSpace(result);
  if (auto constantOp = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = cast<SplatElementsAttr>(constantOp.getValue());
    Value scalar =
        constant(loc, cast<TypedAttr>(elements.getSplatValue<Attribute>()));
    return hasColumns(space) ? splat(loc, scalar) : scalar;
  }
  // The one position along an extent of 1.
  if (isa<IotaOp>(op))
    return constant(loc, builder.getZeroAttr(getElementTypeOrSelf(result)));
  if (isa<BroadcastOp, SqueezeOp, TransposeOp, tensor::SplatOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)) {
    Value operand = op->getOperand(0);
    Value emitted = evaluate(operand, row, tile, load);
    return hasColumns(space) && !hasColumns(getSpace(operand))
               ? splat(loc, emitted)
               : emitted;
  }
  // Reductions are leaves or bound by the kernel, but for those over no
  // dimension or extents of 1: they convert their elements.
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    Value emitted = evaluate(reduce.getInput(), row, tile, load);
    Type element = reduce.getType().getElementType();
    if (getElementTypeOrSelf(emitted.getType()) == element)
      return emitted;
    Type type = hasColumns(space) ? getTileType(element, width) : element;
    return arith::ExtFOp::create(builder, loc, type, emitted);
  }
  return emitElementwise(op, row, tile, load);
}

Value TileEvaluator::emitElementwise(Operation *op, unsigned row, unsigned tile,
                                     LeafLoader load) {
  Value result = op->getResult(0);
  bool isTile = hasColumns(getSpace(result));
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value emitted = evaluate(operand, row, tile, load);
    // Constants have no columns.
    operands.push_back(isTile && !hasColumns(getSpace(operand))
                           ? splat(op->getLoc(), emitted)
                           : emitted);
  }
  Type type = getElementTypeOrSelf(result.getType());
  if (isTile)
    type = getTileType(type, width);
  // The same operation with the same flags, on other types.
  Operation *emitted = Operation::create(
      op->getLoc(), op->getName(), type, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      /*successors=*/{}, /*numRegions=*/0);
  builder.insert(emitted);
  return emitted->getResult(0);
}
