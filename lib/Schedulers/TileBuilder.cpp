//===- TileBuilder.cpp - Small operations of row kernels ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// The alignment that a tile of `width` elements has in memory, in bytes.
static llvm::MaybeAlign getAlignment(unsigned width, Type element) {
  unsigned bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u);
  return llvm::MaybeAlign(std::min<unsigned>(16, width * bytes));
}

Type fusion::getTileType(Type element, unsigned width) {
  if (width == 1)
    return element;
  return VectorType::get({static_cast<int64_t>(width)}, element);
}

void fusion::setNoUnroll(Operation *loop) {
  MLIRContext *context = loop->getContext();
  Builder builder(context);
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/builder.getBoolAttr(true), /*count=*/{},
      /*runtimeDisable=*/{}, /*full=*/{}, /*followupUnrolled=*/{},
      /*followupRemainder=*/{}, /*followupAll=*/{});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, /*disableNonforced=*/{}, /*vectorize=*/{}, /*interleave=*/{},
      unroll, /*unrollAndJam=*/{}, /*licm=*/{}, /*distribute=*/{},
      /*pipeline=*/{}, /*peeled=*/{}, /*unswitch=*/{}, /*mustProgress=*/{},
      /*isVectorized=*/{}, /*startLoc=*/{}, /*endLoc=*/{},
      /*parallelAccesses=*/{});
  loop->setDiscardableAttr("llvm.loop_annotation", annotation);
}

/// A pointer to the element at `indices` of a memref of i1, contiguous and
/// row-major. A vector of i1 would be accessed as packed bits, but a buffer has
/// a byte for each.
Value TileBuilder::getBytes(Value memref, ValueRange indices) {
  ArrayRef<int64_t> shape = cast<MemRefType>(memref.getType()).getShape();
  Value index = indices.front();
  for (auto [extent, inner] :
       llvm::zip(shape.drop_front(), indices.drop_front()))
    index = add(mul(index, extent), inner);
  Type i64 = builder.getI64Type();
  auto cast = [&](Value value) -> Value {
    return arith::IndexCastOp::create(builder, loc, i64, value);
  };
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value base = LLVM::IntToPtrOp::create(
      builder, loc, pointerType,
      cast(memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                          memref)));
  return LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(),
                             base, ValueRange{cast(index)});
}

Value TileBuilder::loadTile(Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (width == 1)
    return memref::LoadOp::create(builder, loc, memref, indices);
  if (element.isInteger(1)) {
    Type bytes = getTileType(builder.getI8Type(), width);
    Value loaded = LLVM::LoadOp::create(
        builder, loc, bytes, getBytes(memref, indices), std::min(16u, width));
    return arith::TruncIOp::create(builder, loc, getTileType(element, width),
                                   loaded);
  }
  return vector::LoadOp::create(
      builder, loc, cast<VectorType>(getTileType(element, width)), memref,
      indices,
      /*nontemporal=*/false, getAlignment(width, element));
}

void TileBuilder::storeTile(Value tile, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (width == 1) {
    memref::StoreOp::create(builder, loc, tile, memref, indices);
    return;
  }
  if (element.isInteger(1)) {
    Value bytes = arith::ExtUIOp::create(
        builder, loc, getTileType(builder.getI8Type(), width), tile);
    LLVM::StoreOp::create(builder, loc, bytes, getBytes(memref, indices),
                          std::min(16u, width));
    return;
  }
  vector::StoreOp::create(builder, loc, tile, memref, indices,
                          /*nontemporal=*/false, getAlignment(width, element));
}

void TileBuilder::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto op = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  body();
}

Value TileBuilder::getPositions(Value first, int64_t stride, Type element) {
  Value start = arith::IndexCastOp::create(builder, loc, element, first);
  if (width == 1)
    return start;
  auto type = cast<VectorType>(getTileType(element, width));
  SmallVector<APInt> steps;
  for (unsigned i = 0; i < width; ++i)
    steps.push_back(
        APInt(64, i * stride).trunc(element.getIntOrFloatBitWidth()));
  return arith::AddIOp::create(
      builder, loc, vector::BroadcastOp::create(builder, loc, type, start),
      constant(DenseElementsAttr::get(type, steps)));
}

Value TileBuilder::convert(Value value, Type element, bool isSigned) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type =
      isa<VectorType>(value.getType()) ? getTileType(element, width) : element;
  bool isWider = from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth();
  if (!isa<FloatType>(element)) {
    if (!isWider)
      return arith::TruncIOp::create(builder, loc, type, value);
    if (isSigned)
      return arith::ExtSIOp::create(builder, loc, type, value);
    return arith::ExtUIOp::create(builder, loc, type, value);
  }
  if (isWider)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}
