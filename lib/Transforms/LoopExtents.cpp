//===- LoopExtents.cpp - Extents that loops keep --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimistic: every extent is taken for that of the value that a loop starts
// with, until what an iteration gives to the next is found to have another one,
// or one that nobody knows. What then is left holds by induction over the
// iterations.
//
//===----------------------------------------------------------------------===//

#include "LoopExtents.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class LoopExtents {
public:
  LoopExtents(Operation *root, const DimClasses &dims)
      : dims(dims), rewriter(root->getContext()) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) { collect(op); });
    solve();
  }

  unsigned apply();

private:
  /// Values that are made of one of `incoming`: the argument and the result of
  /// a loop, or the result of a condition.
  struct Joined {
    SmallVector<Value, 2> values;
    SmallVector<OpOperand *, 2> incoming;
    /// By dimension: nothing is known yet, the extent, or ShapedType::kDynamic.
    SmallVector<std::optional<int64_t>> extents;
  };

  void collect(Operation *op);
  void collect(ValueRange values, ArrayRef<OpOperand *> incoming);
  void solve();
  std::optional<int64_t> getExtent(Value value, int64_t dim) const;
  std::optional<int64_t> getExtentOfClass(Value value, int64_t dim) const;
  RankedTensorType getRefined(const Joined &joined) const;
  void apply(const Joined &joined, RankedTensorType refined);

  const DimClasses &dims;
  IRRewriter rewriter;
  SmallVector<Joined> all;
  /// The dimensions of joined values that a class has: the index in `all`, the
  /// value and the dimension.
  using Member = std::tuple<size_t, Value, int64_t>;
  DenseMap<DimClasses::Class, SmallVector<Member, 1>> members;
};

} // namespace

void LoopExtents::collect(ValueRange values, ArrayRef<OpOperand *> incoming) {
  auto type = dyn_cast<RankedTensorType>(values.front().getType());
  if (!type || type.hasStaticShape())
    return;
  for (Value value : values)
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        members[dims.getClass(value, dim)].emplace_back(all.size(), value, dim);
  Joined &joined = all.emplace_back();
  joined.values.assign(values.begin(), values.end());
  joined.incoming.assign(incoming.begin(), incoming.end());
  joined.extents.resize(type.getRank());
}

void LoopExtents::collect(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (auto [argument, result, init, yielded] : llvm::zip_equal(
             loop.getRegionIterArgs(), loop.getResults(),
             loop.getInitArgsMutable(), *loop.getYieldedValuesMutable()))
      collect({argument, result}, {&init, &yielded});
    return;
  }
  auto condition = dyn_cast<scf::IfOp>(op);
  if (!condition || !condition.getNumResults())
    return;
  for (auto [result, then, otherwise] : llvm::zip_equal(
           condition.getResults(), condition.thenYield().getResultsMutable(),
           condition.elseYield().getResultsMutable()))
    collect(ValueRange(result), {&then, &otherwise});
}

/// What is known about the dimension from joined values of its class. They must
/// have been made whenever `value` has: a loop may have no iteration.
std::optional<int64_t> LoopExtents::getExtentOfClass(Value value,
                                                     int64_t dim) const {
  auto it = members.find(dims.getClass(value, dim));
  std::optional<int64_t> result = ShapedType::kDynamic;
  if (it == members.end())
    return result;
  Region *region = value.getParentRegion();
  for (auto [index, member, memberDim] : it->second) {
    if (!member.getParentRegion()->isAncestor(region))
      continue;
    std::optional<int64_t> extent = all[index].extents[memberDim];
    if (extent && ShapedType::isStatic(*extent))
      return extent;
    if (!extent)
      result = std::nullopt;
  }
  return result;
}

/// The extent as far as it is known; std::nullopt if nothing is yet.
std::optional<int64_t> LoopExtents::getExtent(Value value, int64_t dim) const {
  int64_t extent = dims.getExtent(dims.getClass(value, dim));
  if (ShapedType::isStatic(extent))
    return extent;
  std::optional<int64_t> found = getExtentOfClass(value, dim);
  if (!found || ShapedType::isStatic(*found))
    return found;
  // What is written into keeps its shape.
  if (auto op = value.getDefiningOp<DestinationStyleOpInterface>())
    return getExtent(op.getTiedOpOperand(cast<OpResult>(value))->get(), dim);
  return found;
}

void LoopExtents::solve() {
  // From what is not known, over an extent, to one that changes.
  auto meet = [](std::optional<int64_t> a, std::optional<int64_t> b) {
    if (!a || !b)
      return a ? a : b;
    return a == b ? a : ShapedType::kDynamic;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (Joined &joined : all)
      for (auto [dim, extent] : llvm::enumerate(joined.extents)) {
        std::optional<int64_t> next = extent;
        for (OpOperand *operand : joined.incoming)
          next = meet(next, getExtent(operand->get(), dim));
        changed |= next != extent;
        extent = next;
      }
  }
}

RankedTensorType LoopExtents::getRefined(const Joined &joined) const {
  auto type = cast<RankedTensorType>(joined.values.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  for (auto [extent, known] : llvm::zip_equal(shape, joined.extents))
    if (ShapedType::isDynamic(extent))
      extent = known.value_or(extent);
  return RankedTensorType::get(shape, type.getElementType(),
                               type.getEncoding());
}

void LoopExtents::apply(const Joined &joined, RankedTensorType refined) {
  for (OpOperand *operand : joined.incoming) {
    rewriter.setInsertionPoint(operand->getOwner());
    Location loc = operand->get().getLoc();
    operand->set(
        tensor::CastOp::create(rewriter, loc, refined, operand->get()));
  }
  for (Value value : joined.values) {
    Type type = value.getType();
    value.setType(refined);
    rewriter.setInsertionPointAfterValue(value);
    auto cast = tensor::CastOp::create(rewriter, value.getLoc(), type, value);
    rewriter.replaceAllUsesExcept(value, cast, cast);
  }
}

unsigned LoopExtents::apply() {
  unsigned numRefined = 0;
  for (const Joined &joined : all) {
    RankedTensorType refined = getRefined(joined);
    if (refined == joined.values.front().getType())
      continue;
    apply(joined, refined);
    numRefined += joined.values.size();
  }
  return numRefined;
}

unsigned fusion::refineLoopExtents(Operation *root, const DimClasses &dims) {
  return LoopExtents(root, dims).apply();
}
