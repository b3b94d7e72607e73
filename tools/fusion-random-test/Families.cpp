//===- Families.cpp - The kinds of random programs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr bool yes = true, no = false;

//   name, scheduler, reductions of rows, columns, all; totals of rows, columns
//   are used again; reductions of parts of rows
static constexpr Family families[] = {
    {"pointwise", "pointwise", no, no, no, no, no},
    {"columns", "outer-reduction", no, yes, no, no, no},
    {"columns-reused", "outer-persistent", no, yes, no, no, yes},
    {"all", "full-reduction", no, no, yes, no, no},
    {"rows", "inner-reduction", yes, no, no, no, no},
    {"rows-reused", "inner-persistent", yes, no, no, yes, no},
    {"rows-and-columns", "inner-outer-persistent", yes, yes, no, yes, no},
    {"parts-of-rows", "inner-persistent", yes, no, no, yes, no, yes},
};

SmallVector<const Family *> fusion::getClaimedFamilies(MLIRContext *context) {
  const SchedulerRegistry &registry = SchedulerRegistry::get(context);
  SmallVector<const Family *> claimed;
  for (const Family &family : families)
    if (registry.lookup(family.scheduler))
      claimed.push_back(&family);
  return claimed;
}

//===----------------------------------------------------------------------===//
// Programs over rows and columns
//===----------------------------------------------------------------------===//

namespace {

/// Values of a space of rows and columns, of a row each, of a part of a row, of
/// a column each, and of all. What stands behind a reduction whose totals are
/// not used again is kept apart.
class RowColumnProgram {
public:
  RowColumnProgram(ProgramBuilder &builder, const Family &family);

  OwningOpRef<ModuleOp> build(ArrayRef<OperationPair> wanted);

private:
  void add(const OperationPair &pair);
  void addReduction(const OperationPair &pair);
  void addBroadcast(Type type);
  /// A reduction of the wanted kind: from the whole space.
  enum class Along { Rows, Parts, Columns, All };
  void reduce(StringRef kind, Type type, Along along);
  void addMissingReductions(ArrayRef<OperationPair> pairs);
  Value keepDims(Value value, ArrayRef<int64_t> dims);
  Space &pickSpace();
  SmallVector<Value> pickResults();

  ProgramBuilder &builder;
  Random &random;
  const Family &family;
  SmallVector<int64_t> rowDims, columnDims;
  /// The dimensions that tell parts apart: those of rows and the first columns.
  SmallVector<int64_t> partDims;
  Space whole, row, part, column, afterRow, afterColumn, total;
  bool hasRows = false, hasParts = false, hasColumns = false, hasTotal = false;
  Value root;
};

} // namespace

RowColumnProgram::RowColumnProgram(ProgramBuilder &builder,
                                   const Family &family)
    : builder(builder), random(builder.getRandom()), family(family) {
  static constexpr int64_t extents[] = {1,  2,   3,   4,   5,   6,    7,   8,
                                        12, 13,  16,  17,  31,  33,   40,  64,
                                        97, 128, 130, 256, 333, 1025, 4097};
  constexpr int64_t mostElements = 6000;
  int64_t rank = family.reducesParts ? random.between(3, 4)
                 : random.chance(60) ? 2
                                     : random.between(2, 4);
  int64_t split = random.between(1, rank - (family.reducesParts ? 2 : 1));
  for (int64_t dim = 0; dim < rank; ++dim) {
    whole.shape.push_back(random.pick<int64_t>(extents));
    while (ShapedType::getNumElements(whole.shape) > mostElements)
      whole.shape.back() = random.between(1, 5);
    (dim < split ? rowDims : columnDims).push_back(dim);
    (dim < split ? row : column).shape.push_back(whole.shape.back());
  }
  if (family.reducesParts)
    for (int64_t dim = 0, end = random.between(split + 1, rank - 1); dim < end;
         ++dim) {
      partDims.push_back(dim);
      part.shape.push_back(whole.shape[dim]);
    }
  part.takesArguments = false;
  afterRow.shape = row.shape;
  afterRow.earlier = &row;
  afterColumn.shape = column.shape;
  afterColumn.earlier = &column;
  // What stands behind reductions is connected with the rest only by them.
  afterRow.takesArguments = afterColumn.takesArguments = false;
  total.takesArguments = false;
}

/// `value` with unit dimensions in the place of those that `dims` leaves out.
Value RowColumnProgram::keepDims(Value value, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape(whole.shape.size(), 1);
  for (int64_t dim : dims)
    shape[dim] = whole.shape[dim];
  SmallVector<ReassociationIndices> groups(dims.size());
  for (size_t dim = 0, group = 0; dim < shape.size(); ++dim) {
    if (group + 1 < dims.size() && static_cast<int64_t>(dim) == dims[group + 1])
      ++group;
    groups[group].push_back(static_cast<int64_t>(dim));
  }
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(value));
  return tensor::ExpandShapeOp::create(builder.getBuilder(), builder.getLoc(),
                                       type, value, groups);
}

void RowColumnProgram::addBroadcast(Type type) {
  bool fromRow = random.chance(70);
  bool fromPart = hasParts && random.chance(50);
  Space &from = fromPart ? part : fromRow ? row : column;
  ArrayRef<int64_t> dims = fromPart ? partDims : fromRow ? rowDims : columnDims;
  Value value = builder.getValue(from, type);
  if (random.chance(75)) {
    builder.broadcast(value, dims, whole);
    return;
  }
  // The form with kept dimensions.
  SmallVector<int64_t> all(rowDims);
  llvm::append_range(all, columnDims);
  builder.broadcast(keepDims(value, dims), all, whole);
}

void RowColumnProgram::reduce(StringRef kind, Type type, Along along) {
  Value input = builder.getValue(whole, type);
  SmallVector<int64_t> all(rowDims);
  llvm::append_range(all, columnDims);
  Value result;
  if (along == Along::Rows) {
    result = builder.reduce(kind, input, columnDims,
                            family.reusesRows ? row : afterRow);
    hasRows = true;
  } else if (along == Along::Parts) {
    result = builder.reduce(kind, input,
                            ArrayRef(all).drop_front(partDims.size()), part);
    hasParts = true;
  } else if (along == Along::Columns) {
    result = builder.reduce(kind, input, rowDims,
                            family.reusesColumns ? column : afterColumn);
    hasColumns = true;
  } else {
    result = builder.reduce(kind, input, all, total);
    hasTotal = true;
  }
  if (!root)
    root = result;
}

void RowColumnProgram::addReduction(const OperationPair &pair) {
  SmallVector<Along> choices;
  if (family.reducesRows)
    choices.push_back(Along::Rows);
  if (family.reducesParts)
    choices.push_back(Along::Parts);
  if (family.reducesColumns)
    choices.push_back(Along::Columns);
  if (family.reducesAll)
    choices.push_back(Along::All);
  if (!choices.empty())
    reduce(pair.spec->name, pair.elementType, random.pick<Along>(choices));
}

Space &RowColumnProgram::pickSpace() {
  SmallVector<Space *> choices{&whole, &whole, &whole};
  if (!row.values.empty())
    choices.push_back(&row);
  if (!part.values.empty())
    choices.push_back(&part);
  if (!afterRow.values.empty())
    choices.push_back(&afterRow);
  if (!afterColumn.values.empty())
    choices.push_back(&afterColumn);
  if (!total.values.empty())
    choices.push_back(&total);
  return *random.pick<Space *>(choices);
}

void RowColumnProgram::add(const OperationPair &pair) {
  Type type = pair.elementType;
  switch (pair.spec->form) {
  case Form::Reduce:
    return addReduction(pair);
  case Form::Broadcast:
    return addBroadcast(type);
  case Form::Splat:
    builder.addSplat(whole, type);
    return;
  case Form::Constant:
    builder.addConstant(whole, type);
    return;
  default:
    if (pair.spec->isElementwise())
      builder.apply(*pair.spec, type, pickSpace());
  }
}

/// The reductions without which the program would be of another family.
void RowColumnProgram::addMissingReductions(ArrayRef<OperationPair> pairs) {
  SmallVector<OperationPair> kinds =
      llvm::filter_to_vector(pairs, [](const OperationPair &pair) {
        return pair.spec->form == Form::Reduce;
      });
  auto add = [&](Along along) {
    const OperationPair &pair = random.pick<OperationPair>(kinds);
    reduce(pair.spec->name, pair.elementType, along);
  };
  if (family.reducesRows && !hasRows)
    add(Along::Rows);
  if (family.reducesParts && !hasParts)
    add(Along::Parts);
  if (family.reducesColumns && !hasColumns)
    add(Along::Columns);
  if (family.reducesAll && !hasTotal)
    add(Along::All);
}

/// What nothing uses of all that is connected with the first reduction; now and
/// then a value that is used as well. The rest is dead code.
SmallVector<Value> RowColumnProgram::pickResults() {
  SmallVector<Value> connected = builder.getConnected(root), results, others;
  for (Value value : connected) {
    bool isResult =
        !isa<BlockArgument>(value) &&
        builder.getRules().allowsInMemory(getElementTypeOrSelf(value));
    if (isResult)
      (ProgramBuilder::isUnused(value) ? results : others).push_back(value);
  }
  if (!others.empty() && random.chance(40))
    results.push_back(random.pick<Value>(others));
  return results;
}

OwningOpRef<ModuleOp> RowColumnProgram::build(ArrayRef<OperationPair> wanted) {
  SmallVector<OperationPair> pairs = llvm::filter_to_vector(
      getOperationPairs(builder.getBuilder().getContext()),
      [&](const OperationPair &pair) {
        return builder.getRules().allows(pair);
      });
  // What the rest hangs on.
  builder.getValue(whole, builder.pickMemoryType());
  int64_t others = random.between(0, 8);
  for (const OperationPair &pair : wanted) {
    for (; others > 0 && random.chance(60); --others) {
      if (random.chance(30) && !part.values.empty())
        addBroadcast(getElementTypeOrSelf(part.values.back()));
      else if (random.chance(15) && !row.values.empty())
        addBroadcast(getElementTypeOrSelf(row.values.back()));
      else
        add(random.pick<OperationPair>(pairs));
    }
    add(pair);
  }
  addMissingReductions(pairs);
  if (!root)
    root = whole.values.back();
  return builder.finish(pickResults());
}

OwningOpRef<ModuleOp>
fusion::generateClaimedProgram(ProgramBuilder &builder, const Family &family,
                               ArrayRef<OperationPair> wanted) {
  return RowColumnProgram(builder, family).build(wanted);
}

//===----------------------------------------------------------------------===//
// Modes
//===----------------------------------------------------------------------===//

/// What kernels are claimed to hold, reductions of what warps exchange. No f8,
/// and i1 in registers only: they show decisions next to a discontinuity that
/// the reference, which does not round between operations, takes differently.
static ProgramRules getRules(MLIRContext *context,
                             const GenerateOptions &options) {
  ProgramRules rules;
  rules.exactOnly = options.exactOnly;
  if (options.mode == ProgramMode::Any)
    return rules;
  rules.joins = true;
  for (Type type : getElementTypes(context)) {
    bool isFloat = isa<FloatType>(type);
    unsigned width = type.getIntOrFloatBitWidth();
    if (isFloat && width == 8)
      continue;
    rules.types.push_back(type);
    if (width > 1)
      rules.memoryTypes.push_back(type);
    if (isFloat || width >= 32)
      rules.reducedTypes.push_back(type);
  }
  return rules;
}

static SmallVector<OperationPair>
getPairs(MLIRContext *context, const ProgramRules &rules, ProgramMode mode) {
  SmallVector<OperationPair> pairs = getOperationPairs(context);
  llvm::erase_if(pairs, [&](const OperationPair &pair) {
    Form form = pair.spec->form;
    // The families make what they need of these themselves.
    bool isMove = form == Form::Squeeze || form == Form::Transpose ||
                  form == Form::Expand || form == Form::Collapse;
    return !rules.allows(pair) || (mode == ProgramMode::Claimed && isMove);
  });
  return pairs;
}

SmallVector<OperationPair>
fusion::getGeneratedPairs(MLIRContext *context,
                          const GenerateOptions &options) {
  return getPairs(context, getRules(context, options), options.mode);
}

OwningOpRef<ModuleOp> fusion::generateProgram(MLIRContext *context,
                                              uint64_t seed,
                                              const GenerateOptions &options) {
  SmallVector<OperationPair> pairs = getGeneratedPairs(context, options);
  // In the order of the table a program would have one operation in all types.
  Random shuffle(0);
  for (size_t i = pairs.size(); i > 1; --i)
    std::swap(pairs[i - 1], pairs[shuffle.below(i)]);
  constexpr uint64_t wantedPerProgram = 4;
  SmallVector<OperationPair> wanted;
  for (uint64_t i = 0; i < wantedPerProgram; ++i)
    wanted.push_back(pairs[(seed * wantedPerProgram + i) % pairs.size()]);
  ProgramBuilder builder(context, seed, getRules(context, options));
  if (options.mode == ProgramMode::Any)
    return generateAnyProgram(builder, wanted);
  SmallVector<const Family *> claimed = getClaimedFamilies(context);
  return generateClaimedProgram(builder, *claimed[seed % claimed.size()],
                                wanted);
}
