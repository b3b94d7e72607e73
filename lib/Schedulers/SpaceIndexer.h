//===- SpaceIndexer.h - Offsets of elements in buffers ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel numbers the points of some loops, for example its rows, by one
// index. The indexer turns that index into the offset of a value's element:
//
//     offset = sum over the loops of coordinate * stride
//
// It divides only where it must: for a tensor in which the loops follow one
// another the offset is index * innermost stride. What was computed for one
// index is used again.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_SPACEINDEXER_H
#define LIB_SCHEDULERS_SPACEINDEXER_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

class SpaceIndexer {
public:
  SpaceIndexer(OpBuilder &builder, Location loc, const IterationSpace &space)
      : builder(builder), loc(loc), space(space) {}

  /// The part of the offset of `value` (an input or output) that iteration
  /// number `linear` (an index) over the loops of `set` gives; the last loop of
  /// `set` counts fastest. Null for 0.
  Value getOffset(Value value, LoopSet set, Value linear);
  /// The coordinates of iteration `linear` over `set`, by loop of the space;
  /// null for loops outside `set`.
  ArrayRef<Value> getCoordinates(LoopSet set, Value linear);
  /// a + b, where null stands for 0.
  Value add(Value a, Value b);
  /// `value` itself, or the constant 0 for null.
  Value orZero(Value value);
  /// The stride of `value` over the loops of `set` together, if one index over
  /// them has one: 0 if it varies over none of them.
  static std::optional<int64_t> getLinearStride(const IterationSpace &space,
                                                Value value, LoopSet set);
  /// Forgets what was computed, e.g. when a block that held it is left.
  void clear() { known.clear(); }

private:
  Value index(int64_t value);

  OpBuilder &builder;
  Location loc;
  const IterationSpace &space;
  DenseMap<std::pair<LoopSet, Value>, SmallVector<Value>> known;
};

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_SPACEINDEXER_H
