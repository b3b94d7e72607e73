//===- PointAccess.cpp - Elements of tensors at points of a space ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointAccess.h"
#include "TileEvaluator.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

LoopSet PointAccess::getColumns(const IterationSpace &space, LoopSet tiled,
                                unsigned width) {
  if (!tiled)
    return 0;
  unsigned inner = llvm::Log2_64(tiled);
  if (space.getLoops()[inner].extent % width)
    return tiled;
  return LoopSet(1) << inner;
}

bool PointAccess::isCoalesced(const IterationSpace &space, Value value,
                              LoopSet tiled, unsigned width) {
  LoopSet columns = getColumns(space, tiled, width);
  if (width == 1 || !(space.getLoops(value) & columns))
    return true;
  if (SpaceIndexer::getLinearStride(space, value, columns) != 1)
    return false;
  // The rest of the offset has to keep the alignment of the tile.
  for (auto [loop, stride] : llvm::enumerate(space.getStrides(value)))
    if (!(columns >> loop & 1) && stride % width)
      return false;
  return true;
}

Value PointAccess::shift(Value index, int64_t distance) {
  if (!distance)
    return index;
  Value &result = shifted[{index, distance}];
  if (!result)
    result = arith::AddIOp::create(
        builder, loc, index,
        arith::ConstantIndexOp::create(builder, loc, distance));
  return result;
}

Value PointAccess::getOffset(Value value, Indices indices, unsigned point) {
  if (point && columns != tiled) {
    int64_t stride = space.getStrides(value)[llvm::Log2_64(columns)];
    return shift(getOffset(value, indices, 0), point * stride);
  }
  Value offset;
  for (auto [set, index] : indices) {
    bool shifts = set == tiled && (space.getLoops(value) & tiled);
    offset = indexer.add(
        offset,
        indexer.getOffset(value, set, shifts ? shift(index, point) : index));
  }
  return indexer.orZero(offset);
}

Value PointAccess::isFirst(Value value, Indices indices, unsigned point) {
  if (columns != tiled)
    point = 0;
  Value result;
  auto addZero = [&](Value index) {
    Value isZero =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index,
                              arith::ConstantIndexOp::create(builder, loc, 0));
    result =
        result ? arith::AndIOp::create(builder, loc, result, isZero) : isZero;
  };
  for (auto [set, index] : indices) {
    LoopSet missing = set & ~space.getLoops(value);
    Value linear = set == tiled && missing ? shift(index, point) : index;
    if (missing == set) {
      if (set)
        addZero(linear);
      continue;
    }
    if (!missing)
      continue;
    SmallVector<Value> coordinates(indexer.getCoordinates(set, linear));
    for (unsigned loop = 0; loop < coordinates.size(); ++loop)
      if (missing >> loop & 1)
        addZero(coordinates[loop]);
  }
  return result;
}

Value PointAccess::getFirsts(Value value, Indices indices) {
  SmallVector<Value> firsts;
  // Points that differ in one loop only have the other loops in common.
  bool isOne = columns != tiled && (columns & ~space.getLoops(value));
  Value no = isOne && width > 1
                 ? arith::ConstantIntOp::create(builder, loc, 0, 1).getResult()
                 : Value();
  for (unsigned point = 0; point < width; ++point) {
    Value first = point && isOne ? no : isFirst(value, indices, point);
    if (!first)
      return {};
    firsts.push_back(first);
  }
  return width == 1 ? firsts.front() : createTile(firsts);
}

Value PointAccess::createTile(ArrayRef<Value> points) {
  return vector::FromElementsOp::create(
      builder, loc,
      cast<VectorType>(getTileType(points.front().getType(), width)), points);
}

/// Positions are the offsets of a buffer that holds its own offsets.
Value PointAccess::getPositions(Value value, Indices indices) {
  Type element = getElementTypeOrSelf(value.getType());
  unsigned elements = hasColumns(getSpace(value)) ? width : 1;
  std::optional<int64_t> stride =
      SpaceIndexer::getLinearStride(space, value, columns);
  if (elements == 1 || stride)
    return TileBuilder(builder, loc, elements)
        .getPositions(getOffset(value, indices, 0), stride.value_or(0),
                      element);
  SmallVector<Value> points;
  for (unsigned point = 0; point < width; ++point)
    points.push_back(TileBuilder(builder, loc, 1)
                         .getPositions(getOffset(value, indices, point),
                                       /*stride=*/0, element));
  return createTile(points);
}

Value PointAccess::load(Value value, Value buffer, Indices indices) {
  if (!buffer)
    return getPositions(value, indices);
  // A scalar argument is its own element.
  if (!isa<MemRefType>(buffer.getType()))
    return buffer;
  unsigned elements = hasColumns(getSpace(value)) ? width : 1;
  if (elements == 1 || isCoalesced(space, value, tiled, width))
    return TileBuilder(builder, loc, elements)
        .loadTile(buffer, getOffset(value, indices, 0));
  SmallVector<Value> loaded;
  for (unsigned point = 0; point < width; ++point)
    loaded.push_back(TileBuilder(builder, loc, 1)
                         .loadTile(buffer, getOffset(value, indices, point)));
  return createTile(loaded);
}

void PointAccess::store(Value value, Value tile, Value buffer, Indices indices,
                        Value condition) {
  TileBuilder tiles(builder, loc, 1);
  unsigned elements = hasColumns(getSpace(value)) ? width : 1;
  bool hasPointConditions = elements > 1 && (columns & ~space.getLoops(value));
  if (elements == 1 ||
      (isCoalesced(space, value, tiled, width) && !hasPointConditions)) {
    Value offset = getOffset(value, indices, 0);
    Value stores = tiles.both(condition, isFirst(value, indices, 0));
    TileBuilder wide(builder, loc, elements);
    wide.emitIf(stores, [&] { wide.storeTile(tile, buffer, offset); });
    return;
  }
  for (unsigned point = 0; point < width; ++point) {
    Value element = vector::ExtractOp::create(builder, loc, tile, point);
    Value offset = getOffset(value, indices, point);
    Value stores = tiles.both(condition, isFirst(value, indices, point));
    tiles.emitIf(stores, [&] { tiles.storeTile(element, buffer, offset); });
  }
}
