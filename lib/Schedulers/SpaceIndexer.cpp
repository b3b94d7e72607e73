//===- SpaceIndexer.cpp - Offsets of elements in buffers ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceIndexer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

Value SpaceIndexer::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value SpaceIndexer::orZero(Value value) { return value ? value : index(0); }

Value SpaceIndexer::add(Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AddIOp::create(builder, loc, a, b);
}

std::optional<int64_t>
SpaceIndexer::getLinearStride(const IterationSpace &space, Value value,
                              LoopSet set) {
  ArrayRef<int64_t> strides = space.getStrides(value);
  LoopSet own = space.getLoops(value) & set;
  if (!own)
    return 0;
  if (own != set)
    return std::nullopt;
  std::optional<int64_t> innermost;
  int64_t expected = 0;
  for (unsigned loop = space.getLoops().size(); loop-- > 0;) {
    if (!(set >> loop & 1))
      continue;
    if (!innermost)
      innermost = strides[loop];
    else if (strides[loop] != expected)
      return std::nullopt;
    expected = strides[loop] * space.getLoops()[loop].extent;
  }
  return innermost;
}

ArrayRef<Value> SpaceIndexer::getCoordinates(LoopSet set, Value linear) {
  auto [it, isNew] = known.try_emplace({set, linear});
  SmallVector<Value> &coordinates = it->second;
  if (!isNew)
    return coordinates;
  coordinates.resize(space.getLoops().size());
  // 64-bit divisions are slow; few spaces need them.
  std::optional<int64_t> count = space.getNumIterations(set);
  bool isNarrow = count && *count <= std::numeric_limits<int32_t>::max();
  Type type =
      isNarrow ? Type(builder.getI32Type()) : Type(builder.getIndexType());
  auto cast = [&](Value value, Type to) -> Value {
    if (value.getType() == to)
      return value;
    return arith::IndexCastUIOp::create(builder, loc, to, value);
  };
  Value rest = cast(linear, type);
  LoopSet remaining = set;
  for (unsigned loop = space.getLoops().size(); loop-- > 0;) {
    if (!(set >> loop & 1))
      continue;
    remaining &= ~(LoopSet(1) << loop);
    if (!remaining) {
      coordinates[loop] = cast(rest, builder.getIndexType());
      break;
    }
    Value extent = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(type, space.getLoops()[loop].extent));
    Value coordinate = arith::RemUIOp::create(builder, loc, rest, extent);
    coordinates[loop] = cast(coordinate, builder.getIndexType());
    rest = arith::DivUIOp::create(builder, loc, rest, extent);
  }
  return coordinates;
}

Value SpaceIndexer::getOffset(Value value, LoopSet set, Value linear) {
  auto scaled = [&](Value coordinate, int64_t stride) -> Value {
    if (stride == 1)
      return coordinate;
    return arith::MulIOp::create(builder, loc, coordinate, index(stride));
  };
  if (std::optional<int64_t> stride = getLinearStride(space, value, set))
    return *stride ? scaled(linear, *stride) : Value();
  Value offset;
  ArrayRef<int64_t> strides = space.getStrides(value);
  ArrayRef<Value> coordinates = getCoordinates(set, linear);
  for (auto [coordinate, stride] : llvm::zip(coordinates, strides))
    if (coordinate && stride)
      offset = add(offset, scaled(coordinate, stride));
  return offset;
}
