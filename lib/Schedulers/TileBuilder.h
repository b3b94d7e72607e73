//===- TileBuilder.h - Small operations of row kernels ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index arithmetic, tile accesses and conversions that every row kernel needs.
// A tile is vector<width x T>, or T for width 1.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_TILEBUILDER_H
#define LIB_SCHEDULERS_TILEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// The type of a tile of `width` columns of `element`.
Type getTileType(Type element, unsigned width);

/// Keeps LLVM and ptxas from repeating the body of a loop.
void setNoUnroll(Operation *loop);

class TileBuilder {
public:
  TileBuilder(OpBuilder builder, Location loc, unsigned width)
      : builder(builder), loc(loc), width(width) {}

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value mul(Value a, int64_t b) {
    return b == 1 ? a : arith::MulIOp::create(builder, loc, a, index(b));
  }
  Value minimum(Value a, int64_t b) {
    return arith::MinUIOp::create(builder, loc, a, index(b));
  }
  /// a < b, as unsigned indices.
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value constant(TypedAttr value) {
    return arith::ConstantOp::create(builder, loc, value);
  }
  /// Both conditions; null stands for true.
  Value both(Value a, Value b) {
    if (!a || !b)
      return a ? a : b;
    return arith::AndIOp::create(builder, loc, a, b);
  }
  /// Runs `body` where `condition` holds; always if it is null.
  void emitIf(Value condition, llvm::function_ref<void()> body);

  /// The tile whose first element stands at `indices`. Rows start at multiples
  /// of a tile, so the access is as aligned as its size allows, up to 16 bytes.
  /// An i1 is a byte in memory.
  Value loadTile(Value memref, ValueRange indices);
  void storeTile(Value tile, Value memref, ValueRange indices);
  /// The tile first, first + stride, ... in the integer type `element`, which
  /// wraps around. `first` is an index.
  Value getPositions(Value first, int64_t stride, Type element);
  /// `value`, a scalar or tile, in another float type, or in an integer type of
  /// another width.
  Value convert(Value value, Type element, bool isSigned = false);

  OpBuilder builder;
  Location loc;

private:
  Value getBytes(Value memref, ValueRange indices);

  unsigned width;
};

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_TILEBUILDER_H
