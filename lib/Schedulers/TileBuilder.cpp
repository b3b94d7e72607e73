//===- TileBuilder.cpp - Small operations of row kernels ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;

/// The alignment that a tile of `width` elements has in memory, in bytes.
static llvm::MaybeAlign getAlignment(unsigned width, Type element) {
  return llvm::MaybeAlign(
      std::min<unsigned>(16, width * element.getIntOrFloatBitWidth() / 8));
}

Type fusion::getTileType(Type element, unsigned width) {
  if (width == 1)
    return element;
  return VectorType::get({static_cast<int64_t>(width)}, element);
}

Value TileBuilder::loadTile(Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (width == 1)
    return memref::LoadOp::create(builder, loc, memref, indices);
  return vector::LoadOp::create(
      builder, loc, cast<VectorType>(getTileType(element, width)), memref,
      indices,
      /*nontemporal=*/false, getAlignment(width, element));
}

void TileBuilder::storeTile(Value tile, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (width == 1)
    memref::StoreOp::create(builder, loc, tile, memref, indices);
  else
    vector::StoreOp::create(builder, loc, tile, memref, indices,
                            /*nontemporal=*/false,
                            getAlignment(width, element));
}

void TileBuilder::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto op = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  body();
}

Value TileBuilder::convert(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type =
      isa<VectorType>(value.getType()) ? getTileType(element, width) : element;
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}
