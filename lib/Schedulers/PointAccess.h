//===- PointAccess.h - Elements of tensors at points of a space -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread works on runs of `width` consecutive points of an iteration space:
//
//     indices = {(tiled loops, first), (other loops, i), ...}
//
// are the points first, ..., first + width - 1 over the tiled loops, with the
// others fixed. PointAccess loads and stores the elements of tensors there, in
// one access where they stand side by side:
//
//     a tile of ...                    is accessed
//     consecutive, aligned elements    as one vector
//     one element for all points       as a scalar
//     others                           one by one
//
// If `width` divides the extent of the innermost tiled loop, the points of a
// tile differ in that loop only. Otherwise tiles cross from one iteration of
// the outer loops to the next: tensors that have all tiled loops in their order
// are still accessed as vectors.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_POINTACCESS_H
#define LIB_SCHEDULERS_POINTACCESS_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "SpaceIndexer.h"
#include "TileBuilder.h"

namespace mlir::fusion {

class PointAccess {
public:
  /// The first point of a tile: a linear index over each of these disjoint sets
  /// of loops. The first set holds the tiled loops.
  using Indices = ArrayRef<std::pair<LoopSet, Value>>;

  PointAccess(OpBuilder &builder, Location loc, const IterationSpace &space,
              LoopSet tiled, unsigned width)
      : builder(builder), loc(loc), space(space), tiled(tiled), width(width),
        columns(getColumns(space, tiled, width)), indexer(builder, loc, space) {
  }

  /// Where `value` lives in a tile: a value of columns has an element for each
  /// point, others one for all of them.
  Space getSpace(Value value) const { return space.getSpace(value, columns); }

  /// The tile of `value`, an input, from its 1-D buffer; or of positions, which
  /// have none: `buffer` is null.
  Value load(Value value, Value buffer, Indices indices);

  /// Stores `tile` of `value`, an output, into its 1-D buffer if `condition`
  /// holds (null: always). An output that does not vary over a loop is stored
  /// at that loop's first iteration, so that it is stored once.
  void store(Value value, Value tile, Value buffer, Indices indices,
             Value condition);

  /// For each point of the tile: whether the loops of `indices` that `value`
  /// does not have are at their first iteration there. An i1 or a vector of
  /// them; null if that is certain for all points.
  Value getFirsts(Value value, Indices indices);

  /// Forgets computed indices, e.g. when a region that holds them ends.
  void clear() {
    indexer.clear();
    shifted.clear();
  }

  /// True if tiles of `value` are accessed as vectors or as one scalar.
  static bool isCoalesced(const IterationSpace &space, Value value,
                          LoopSet tiled, unsigned width);

private:
  static LoopSet getColumns(const IterationSpace &space, LoopSet tiled,
                            unsigned width);
  /// The offset of point number `point` of the tile.
  Value getOffset(Value value, Indices indices, unsigned point);
  /// The condition that loops which `value` does not have are at their first
  /// iteration at point number `point`; null if that is certain.
  Value isFirst(Value value, Indices indices, unsigned point);
  Value shift(Value index, int64_t distance);
  Value getPositions(Value value, Indices indices);
  /// `points`, one element for each point, as a tile.
  Value createTile(ArrayRef<Value> points);

  OpBuilder &builder;
  Location loc;
  const IterationSpace &space;
  LoopSet tiled;
  unsigned width;
  /// The loops in which the points of a tile differ.
  LoopSet columns;
  SpaceIndexer indexer;
  /// Shifted indices, so that what was computed for them is found again.
  DenseMap<std::pair<Value, int64_t>, Value> shifted;
};

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_POINTACCESS_H
