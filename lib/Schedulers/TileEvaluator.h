//===- TileEvaluator.h - Values of a row-column graph in a kernel -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread of a row kernel works on *tiles*: runs of `width` columns of a row.
// The evaluator turns a value of the graph, at one tile, into operations on
// scalars and 1-D vectors, on demand and each only once:
//
//     space        key            type of the emitted value
//     RowColumn    (row, tile)    vector<width x T>, or T for width 1
//     Column       (-, tile)      the same
//     Row          (row, -)       T
//     Scalar       (-, -)         T
//
// Leaves (inputs, positions and reductions) are bound by the kernel, or loaded
// by its callback when first needed.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_TILEEVALUATOR_H
#define LIB_SCHEDULERS_TILEEVALUATOR_H

#include "FusionDialect/Analysis/RowColumnGraph.h"
#include "mlir/IR/Builders.h"
#include <functional>

namespace mlir::fusion {

class TileEvaluator {
public:
  /// Loads leaf `value` at (row, tile); indices that the space of the leaf does
  /// not have are 0.
  using LeafLoader =
      llvm::function_ref<Value(Value leaf, unsigned row, unsigned tile)>;
  using Memo = llvm::DenseMap<std::tuple<Value, unsigned, unsigned>, Value>;

  using SpaceOf = std::function<Space(Value)>;

  /// Evaluates values of `candidate`, which live where `getSpace` says.
  TileEvaluator(OpBuilder &builder, const Candidate &candidate,
                SpaceOf getSpace, unsigned width)
      : builder(builder), candidate(candidate), getSpace(std::move(getSpace)),
        width(width) {}
  TileEvaluator(OpBuilder &builder, const RowColumnGraph &graph, unsigned width)
      : TileEvaluator(
            builder, graph.getCandidate(),
            [&graph](Value value) { return graph.getSpace(value); }, width) {}

  /// Makes leaves of the operations for which `isLeaf` holds as well: the
  /// callback computes what they give.
  void setLeafOperations(std::function<bool(Operation *)> isLeaf) {
    isLeafOperation = std::move(isLeaf);
  }

  /// A tile whose elements are all `scalar`.
  Value splat(Location loc, Value scalar);
  /// The scalar constant `value`.
  Value constant(Location loc, TypedAttr value);

  /// Operations that give `value` at (row, tile), at the builder's insertion
  /// point. What was evaluated before is used again: it must dominate.
  Value evaluate(Value value, unsigned row, unsigned tile, LeafLoader load);
  /// Says what `value` is at (row, tile).
  void bind(Value value, unsigned row, unsigned tile, Value emitted);

  /// What was evaluated so far; put it back to forget what came later, e.g. at
  /// the end of a loop.
  const Memo &getMemo() const { return memo; }
  void setMemo(Memo saved) { memo = std::move(saved); }
  /// Forgets all values of `space`, so that they are computed again.
  void forget(Space space);

private:
  std::tuple<Value, unsigned, unsigned> getKey(Value value, unsigned row,
                                               unsigned tile) const;
  Value emit(Operation *op, unsigned row, unsigned tile, LeafLoader load);
  Value emitElementwise(Operation *op, unsigned row, unsigned tile,
                        LeafLoader load);

  OpBuilder &builder;
  const Candidate &candidate;
  SpaceOf getSpace;
  std::function<bool(Operation *)> isLeafOperation;
  unsigned width;
  Memo memo;
};

/// True if a value of `space` has an index along columns (a tile).
inline bool hasColumns(Space space) {
  return space == Space::Column || space == Space::RowColumn;
}
/// True if a value of `space` has an index along rows.
inline bool hasRows(Space space) {
  return space == Space::Row || space == Space::RowColumn;
}

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_TILEEVALUATOR_H
