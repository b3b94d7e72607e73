//===- AnyProgram.cpp - Programs of whatever the dialect allows -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/Sequence.h"
#include <deque>
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;

namespace {

class AnyProgram {
public:
  explicit AnyProgram(ProgramBuilder &builder)
      : builder(builder), random(builder.getRandom()) {}

  OwningOpRef<ModuleOp> build(ArrayRef<OperationPair> wanted);

private:
  /// An operation of that kind on values of that element type.
  void add(const OperationPair &pair);
  void addReduce(const OperationPair &pair);
  void addBroadcast(Type type);
  void addSqueeze(Type type);
  void addTranspose(Type type);
  void addExpand(Type type);
  void addCollapse(Type type);

  int64_t pickExtent();
  SmallVector<int64_t> pickShape(int64_t leastRank);
  /// The space of that shape; a new one if there is none.
  Space &getSpace(ArrayRef<int64_t> shape);
  /// A space of at least that rank: one that is there, or a new one.
  Space &pickSpace(int64_t leastRank = 0);
  void put(Value value) { getSpace(getShape(value)).values.push_back(value); }
  static ArrayRef<int64_t> getShape(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  }
  SmallVector<Value> pickResults();

  ProgramBuilder &builder;
  Random &random;
  /// Spaces stay where they are.
  std::deque<Space> spaces;
};

} // namespace

/// More elements would only take more time.
static constexpr int64_t mostElements = 2048;

int64_t AnyProgram::pickExtent() {
  static constexpr int64_t extents[] = {1,  2,  3,  4,  5,  7,  8,  11,  13,
                                        16, 17, 31, 32, 33, 64, 97, 127, 1025};
  if (random.chance(2))
    return 0;
  return random.pick<int64_t>(extents);
}

SmallVector<int64_t> AnyProgram::pickShape(int64_t leastRank) {
  SmallVector<int64_t> shape;
  for (int64_t rank = random.between(leastRank, 4); rank > 0; --rank) {
    shape.push_back(pickExtent());
    while (ShapedType::getNumElements(shape) > mostElements)
      shape.back() = random.between(1, 3);
  }
  return shape;
}

Space &AnyProgram::getSpace(ArrayRef<int64_t> shape) {
  for (Space &space : spaces)
    if (ArrayRef<int64_t>(space.shape) == shape)
      return space;
  Space &space = spaces.emplace_back();
  space.shape.assign(shape.begin(), shape.end());
  return space;
}

Space &AnyProgram::pickSpace(int64_t leastRank) {
  SmallVector<Space *> choices;
  for (Space &space : spaces)
    if (static_cast<int64_t>(space.shape.size()) >= leastRank)
      choices.push_back(&space);
  if (choices.empty() || random.chance(10))
    return getSpace(pickShape(leastRank));
  return *random.pick<Space *>(choices);
}

//===----------------------------------------------------------------------===//
// Operations between shapes
//===----------------------------------------------------------------------===//

void AnyProgram::addReduce(const OperationPair &pair) {
  Value input = builder.getValue(pickSpace(), pair.elementType);
  ArrayRef<int64_t> shape = getShape(input);
  SmallVector<int64_t> dims, kept;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (random.chance(50))
      dims.push_back(static_cast<int64_t>(dim));
    else
      kept.push_back(extent);
  }
  builder.reduce(pair.spec->name, input, dims, getSpace(kept));
}

void AnyProgram::addBroadcast(Type type) {
  Space &to = pickSpace();
  SmallVector<int64_t> dims, shape;
  for (auto [dim, extent] : llvm::enumerate(to.shape)) {
    if (random.chance(50))
      continue;
    dims.push_back(static_cast<int64_t>(dim));
    shape.push_back(random.chance(20) ? 1 : extent);
  }
  builder.broadcast(builder.getValue(getSpace(shape), type), dims, to);
}

void AnyProgram::addSqueeze(Type type) {
  SmallVector<int64_t> shape = pickSpace().shape;
  if (!llvm::is_contained(shape, 1))
    shape.insert(shape.begin() + random.between(0, shape.size()), 1);
  Value input = builder.getValue(getSpace(shape), type);
  SmallVector<int64_t> dims, kept;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (extent == 1 && (dims.empty() || random.chance(50)))
      dims.push_back(static_cast<int64_t>(dim));
    else
      kept.push_back(extent);
  }
  put(SqueezeOp::create(builder.getBuilder(), builder.getLoc(),
                        RankedTensorType::get(kept, type), input, dims));
}

void AnyProgram::addTranspose(Type type) {
  Value input = builder.getValue(pickSpace(/*leastRank=*/2), type);
  ArrayRef<int64_t> shape = getShape(input);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[random.below(i)]);
  SmallVector<int64_t> result;
  for (int64_t dim : permutation)
    result.push_back(shape[dim]);
  put(TransposeOp::create(builder.getBuilder(), builder.getLoc(),
                          RankedTensorType::get(result, type), input,
                          permutation));
}

void AnyProgram::addExpand(Type type) {
  Value input = builder.getValue(pickSpace(), type);
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  ArrayRef<int64_t> from = getShape(input);
  for (int64_t extent : from) {
    SmallVector<int64_t> factors{1};
    for (int64_t factor = 2; factor <= extent; ++factor)
      if (extent % factor == 0)
        factors.push_back(factor);
    ReassociationIndices &group = groups.emplace_back();
    if (random.chance(50)) {
      int64_t factor = random.pick<int64_t>(factors);
      group.push_back(static_cast<int64_t>(shape.size()));
      shape.push_back(factor);
      extent /= factor;
    }
    group.push_back(static_cast<int64_t>(shape.size()));
    shape.push_back(extent);
  }
  if (from.empty())
    shape.assign(random.between(1, 3), 1);
  if (shape.size() == from.size())
    return put(input); // nothing was expanded
  put(tensor::ExpandShapeOp::create(builder.getBuilder(), builder.getLoc(),
                                    RankedTensorType::get(shape, type), input,
                                    groups));
}

void AnyProgram::addCollapse(Type type) {
  Value input = builder.getValue(pickSpace(/*leastRank=*/2), type);
  ArrayRef<int64_t> from = getShape(input);
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  bool onlyUnits = llvm::all_of(from, [](int64_t e) { return e == 1; });
  if (!onlyUnits || random.chance(50)) {
    int64_t joined = random.between(1, from.size() - 1);
    for (auto [dim, extent] : llvm::enumerate(from)) {
      if (static_cast<int64_t>(dim) == joined ||
          (dim > 0 && random.chance(40))) {
        groups.back().push_back(static_cast<int64_t>(dim));
        shape.back() *= extent;
        continue;
      }
      groups.push_back({static_cast<int64_t>(dim)});
      shape.push_back(extent);
    }
  }
  put(tensor::CollapseShapeOp::create(builder.getBuilder(), builder.getLoc(),
                                      RankedTensorType::get(shape, type), input,
                                      groups));
}

void AnyProgram::add(const OperationPair &pair) {
  Type type = pair.elementType;
  switch (pair.spec->form) {
  case Form::Reduce:
    return addReduce(pair);
  case Form::Broadcast:
    return addBroadcast(type);
  case Form::Squeeze:
    return addSqueeze(type);
  case Form::Transpose:
    return addTranspose(type);
  case Form::Expand:
    return addExpand(type);
  case Form::Collapse:
    return addCollapse(type);
  case Form::Splat:
    builder.addSplat(pickSpace(), type);
    return;
  case Form::Constant:
    builder.addConstant(pickSpace(), type);
    return;
  default:
    builder.apply(*pair.spec, type, pickSpace());
  }
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// What nothing uses, and now and then something else as well.
SmallVector<Value> AnyProgram::pickResults() {
  SmallVector<Value> all = builder.getAllValues(), results;
  for (Value value : all)
    if (ProgramBuilder::isUnused(value) &&
        (!isa<BlockArgument>(value) || random.chance(10)))
      results.push_back(value);
  if (results.empty() || random.chance(30))
    results.push_back(random.pick<Value>(all));
  return results;
}

OwningOpRef<ModuleOp> AnyProgram::build(ArrayRef<OperationPair> wanted) {
  SmallVector<OperationPair> pairs = llvm::filter_to_vector(
      getOperationPairs(builder.getBuilder().getContext()),
      [&](const OperationPair &pair) {
        return builder.getRules().allows(pair);
      });
  getSpace(pickShape(0));
  int64_t others = random.between(0, 8);
  for (const OperationPair &pair : wanted) {
    for (; others > 0 && random.chance(60); --others)
      add(random.pick<OperationPair>(pairs));
    add(pair);
  }
  return builder.finish(pickResults());
}

OwningOpRef<ModuleOp>
fusion::generateAnyProgram(ProgramBuilder &builder,
                           ArrayRef<OperationPair> wanted) {
  return AnyProgram(builder).build(wanted);
}
