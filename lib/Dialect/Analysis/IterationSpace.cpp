//===- IterationSpace.cpp - The loops of a candidate ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most tensors of a candidate have the same dimensions as many others. What
// depends on the dimensions alone is found out once for each such *layout*.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Analysis/CandidateMemo.h"
#include "FusionDialect/Analysis/ReductionLevels.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

class IterationSpace::Builder {
public:
  Builder(const Candidate &original, const DimClasses &dims)
      : data(std::make_shared<Data>()), candidate(data->candidate), dims(dims) {
    data->candidate = original;
    data->values.reserve(candidate.inputs.size() + candidate.operations.size());
  }

  std::variant<IterationSpace, Rejection> run();

private:
  using Class = DimClasses::Class;

  struct Layout {
    /// The classes of the dimensions, factored, without units.
    SmallVector<Class> classes;
    LoopSet loops = 0;
    /// That of an input, an output, or positions, which count as the offsets of
    /// a tensor do.
    bool isInMemory = false;
  };

  std::optional<Rejection> addValues();
  std::optional<Rejection> addValue(Value value, unsigned level = 0);
  std::optional<Rejection> addLayout(Value value);
  std::optional<Rejection> visit(Operation *op);
  std::optional<Rejection> checkReshape(Operation *op);
  Layout &getLayout(Value value) {
    return layouts[data->values.find(value)->second.layout];
  }
  void orderClasses();
  bool canCoalesce(Class outer, Class inner) const;
  void coalesce();
  std::optional<Rejection> checkSize() const;
  std::optional<Rejection> computeStrides(Value value);
  Rejection reject(RejectionCode code, Value value, std::string hint,
                   std::optional<int64_t> dim = std::nullopt) const;

  std::shared_ptr<Data> data;
  const Candidate &candidate;
  const DimClasses &dims;
  /// The first is that of what has no loops.
  SmallVector<Layout> layouts{Layout()};
  DenseMap<ArrayRef<Class>, unsigned> layoutOfClasses;
  /// The classes of the last value that has any, and their layout: most values
  /// lie as the one before does.
  std::pair<ArrayRef<Class>, unsigned> lastLayout;
  /// The classes of all values, in the order of the loops.
  SmallVector<Class> order;
  /// The loop that each class is part of.
  DenseMap<Class, unsigned> loopOfClass;
};

std::variant<IterationSpace, Rejection>
IterationSpace::build(const Candidate &candidate, const DimClasses &dims) {
  return Builder(candidate, dims).run();
}

std::variant<IterationSpace, Rejection>
IterationSpace::get(const Candidate &candidate, const Facts &facts) {
  using Built = std::variant<IterationSpace, Rejection>;
  return *CandidateMemo::get<Built>(
      candidate, facts, [&] { return build(candidate, facts.dims); });
}

std::variant<IterationSpace, Rejection> IterationSpace::Builder::run() {
  // A larger candidate has the same values and operations, and no fewer
  // classes; what is read and written may be other tensors.
  auto rejectForGood = [](Rejection rejection) {
    rejection.holdsForLarger = true;
    return rejection;
  };
  if (std::optional<Rejection> rejection = addValues())
    return rejectForGood(*rejection);
  orderClasses();
  if (order.size() > 8 * sizeof(LoopSet) - 1)
    return reject(RejectionCode::UnsupportedShape,
                  candidate.outputs.empty() ? Value()
                                            : candidate.outputs.front(),
                  "expected fewer than 64 loops");
  coalesce();
  if (std::optional<Rejection> rejection = checkSize())
    return rejectForGood(*rejection);
  data->strides.resize(layouts.size());
  for (Value input : candidate.inputs)
    if (std::optional<Rejection> rejection = computeStrides(input))
      return *rejection;
  for (Value output : candidate.outputs)
    if (std::optional<Rejection> rejection = computeStrides(output))
      return *rejection;
  for (Operation *op : candidate.operations)
    if (isa<IotaOp>(op))
      if (std::optional<Rejection> rejection = computeStrides(op->getResult(0)))
        return *rejection;
  return IterationSpace(std::move(data));
}

Rejection IterationSpace::Builder::reject(RejectionCode code, Value value,
                                          std::string hint,
                                          std::optional<int64_t> dim) const {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  if (!op || !candidate.operations.contains(op)) {
    auto *user = llvm::find_if(candidate.operations, [&](Operation *user) {
      return llvm::is_contained(user->getOperands(), value);
    });
    op = user == candidate.operations.end() ? candidate.operations.front()
                                            : *user;
  }
  return Rejection{code, op, std::move(hint), dim};
}

//===----------------------------------------------------------------------===//
// Values and operations
//===----------------------------------------------------------------------===//

std::optional<Rejection> IterationSpace::Builder::addValues() {
  for (Value input : candidate.inputs) {
    if (std::optional<Rejection> rejection = addValue(input))
      return rejection;
    getLayout(input).isInMemory = true;
  }
  for (Operation *op : candidate.operations)
    if (std::optional<Rejection> rejection = visit(op))
      return rejection;
  for (Value output : candidate.outputs)
    getLayout(output).isInMemory = true;
  return std::nullopt;
}

std::optional<Rejection> IterationSpace::Builder::addValue(Value value,
                                                           unsigned level) {
  ValueInfo &info = data->values[value];
  info.level = level;
  if (!isa<RankedTensorType>(value.getType()) || dims.isUniform(value))
    return std::nullopt;
  ArrayRef<Class> classes = dims.getClasses(value);
  if (classes.empty())
    return std::nullopt;
  if (classes == lastLayout.first) {
    info.layout = lastLayout.second;
    return std::nullopt;
  }
  auto [it, isNew] = layoutOfClasses.try_emplace(classes, layouts.size());
  info.layout = it->second;
  lastLayout = {classes, it->second};
  return isNew ? addLayout(value) : std::nullopt;
}

std::optional<Rejection> IterationSpace::Builder::addLayout(Value value) {
  SmallVector<Class> &classes = layouts.emplace_back().classes;
  for (auto [dim, dimClass] : llvm::enumerate(dims.getClasses(value))) {
    if (dims.getConflict(dimClass))
      return reject(RejectionCode::UnsupportedShape, value,
                    "expected dimensions that meet to have one extent", dim);
    for (Class factor : dims.getFactors(dimClass)) {
      if (dims.getExtent(factor) == 1)
        continue;
      if (llvm::is_contained(classes, factor))
        return reject(RejectionCode::UnsupportedShape, value,
                      "expected each dimension of a tensor to be a loop of its "
                      "own",
                      dim);
      classes.push_back(factor);
    }
  }
  return std::nullopt;
}

/// Checks that a reshape only groups dimensions, as the factors of the classes
/// say: then both sides vary over the same loops.
std::optional<Rejection> IterationSpace::Builder::checkReshape(Operation *op) {
  if (getLayout(op->getOperand(0)).classes ==
      getLayout(op->getResult(0)).classes)
    return std::nullopt;
  return Rejection{RejectionCode::UnsupportedShape, op,
                   "expected a reshape that groups dimensions in one way only, "
                   "but another reshape groups them differently"};
}

/// Checks that `op` is a kernel operation.
static std::optional<Rejection> checkOperation(Operation *op) {
  if (!isSchedulable(op) || op->getNumResults() != 1)
    return Rejection{RejectionCode::UnsupportedOperation, op,
                     "expected element-wise operations with one result, "
                     "broadcasts, squeezes, transposes, reshapes, positions "
                     "and reductions, but got '" +
                         op->getName().getStringRef().str() + "'"};
  if (!isPure(op))
    return Rejection{RejectionCode::UnsupportedOperation, op,
                     "expected operations that are defined for all operands, "
                     "but '" +
                         op->getName().getStringRef().str() +
                         "' is not: a divisor may be zero"};
  return std::nullopt;
}

std::optional<Rejection> IterationSpace::Builder::visit(Operation *op) {
  if (!candidate.isChecked)
    if (std::optional<Rejection> rejection = checkOperation(op))
      return rejection;
  // The first reductions are at level 0, as is all before them.
  unsigned level = 0;
  if (!data->reductions.empty())
    for (Value operand : op->getOperands())
      level = std::max(level, data->values.lookup(operand).level);
  if (auto reduce = dyn_cast<ReduceOp>(op);
      reduce && reducesLoops(reduce, dims))
    data->reductions.push_back({reduce, /*loops=*/0, level++});
  Value result = op->getResult(0);
  if (std::optional<Rejection> rejection = addValue(result, level))
    return rejection;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    if (std::optional<Rejection> rejection = checkReshape(op))
      return rejection;
  if (isa<IotaOp>(op))
    getLayout(result).isInMemory = true;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Orders the classes as the values with most of them do. A class that such a
/// value does not have stands after the one before it in its own value.
void IterationSpace::Builder::orderClasses() {
  SmallVector<const Layout *> listed;
  // Most classes first, then those of outputs, inputs and operations.
  SmallVector<std::pair<size_t, size_t>> byRank;
  SmallVector<bool> isListed(layouts.size(), false);
  auto add = [&](Value value) {
    unsigned number = data->values.find(value)->second.layout;
    if (std::exchange(isListed[number], true))
      return;
    byRank.emplace_back(~layouts[number].classes.size(), listed.size());
    listed.push_back(&layouts[number]);
  };
  llvm::for_each(candidate.outputs, add);
  llvm::for_each(candidate.inputs, add);
  for (Operation *op : candidate.operations)
    add(op->getResult(0));
  llvm::sort(byRank);
  llvm::SmallDenseSet<Class> seen;
  for (auto [rank, index] : byRank) {
    size_t position = 0;
    for (Class dimClass : listed[index]->classes) {
      if (seen.insert(dimClass).second) {
        order.insert(order.begin() + position, dimClass);
        ++position;
        continue;
      }
      position = llvm::find(order, dimClass) - order.begin() + 1;
    }
  }
}

/// True if no tensor and no reduction tells the two loops apart, `inner` being
/// the one after `outer`.
bool IterationSpace::Builder::canCoalesce(Class outer, Class inner) const {
  if (ShapedType::isDynamic(dims.getExtent(inner)))
    return false;
  return llvm::all_of(layouts, [&](const Layout &layout) {
    const auto *outerIt = llvm::find(layout.classes, outer);
    const auto *innerIt = llvm::find(layout.classes, inner);
    bool hasOuter = outerIt != layout.classes.end(),
         hasInner = innerIt != layout.classes.end();
    // What never lies in memory only has to have both loops or none of them.
    return hasOuter == hasInner &&
           (!hasOuter || !layout.isInMemory || outerIt + 1 == innerIt);
  });
}

void IterationSpace::Builder::coalesce() {
  SmallVector<Loop> &loops = data->loops;
  for (auto [position, dimClass] : llvm::enumerate(order)) {
    if (!position || !canCoalesce(order[position - 1], dimClass))
      loops.emplace_back();
    loopOfClass[dimClass] = loops.size() - 1;
    int64_t extent = dims.getExtent(dimClass);
    if (ShapedType::isDynamic(extent))
      loops.back().dynamicClass = dimClass;
    else
      loops.back().extent *= extent;
  }
  for (Layout &layout : layouts)
    for (Class dimClass : layout.classes)
      layout.loops |= LoopSet(1) << loopOfClass.lookup(dimClass);
  for (auto &[value, info] : data->values)
    info.loops = layouts[info.layout].loops;
  for (Reduction &reduction : data->reductions) {
    ArrayRef<Class> classes = dims.getClasses(reduction.operation.getInput());
    for (int64_t dim : reduction.operation.getDims())
      for (Class factor : dims.getFactors(classes[dim]))
        if (dims.getExtent(factor) != 1)
          reduction.loops |= LoopSet(1) << loopOfClass.lookup(factor);
  }
}

/// Offsets into a space are 64-bit: it must have fewer points than that, even
/// where no tensor has them all.
std::optional<Rejection> IterationSpace::Builder::checkSize() const {
  int64_t product = 1;
  for (const Loop &loop : data->loops)
    if (llvm::MulOverflow(product, std::max<int64_t>(1, loop.extent), product))
      return Rejection{RejectionCode::UnsupportedShape,
                       candidate.operations.front(),
                       "expected fewer than 2^63 iterations"};
  return std::nullopt;
}

std::optional<Rejection> IterationSpace::Builder::computeStrides(Value value) {
  unsigned layout = data->values.find(value)->second.layout;
  if (data->strides[layout])
    return std::nullopt;
  SmallVector<int64_t> result(data->loops.size(), 0);
  int64_t stride = 1;
  bool isDynamic = false;
  LoopSet seen = 0;
  for (Class dimClass : llvm::reverse(layouts[layout].classes)) {
    if (isDynamic)
      return reject(RejectionCode::DynamicExtent, value,
                    "expected only the outermost dimension of a tensor to have "
                    "an extent that is not known at compile time");
    // The classes of a loop follow one another: the innermost comes first.
    unsigned loop = loopOfClass.lookup(dimClass);
    if (!(seen >> loop & 1))
      result[loop] = stride;
    seen |= LoopSet(1) << loop;
    int64_t extent = dims.getExtent(dimClass);
    isDynamic = ShapedType::isDynamic(extent);
    if (!isDynamic && llvm::MulOverflow(stride, extent, stride))
      return reject(RejectionCode::UnsupportedShape, value,
                    "expected fewer than 2^63 elements");
  }
  data->strides[layout] = std::move(result);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> IterationSpace::getStrides(Value value) const {
  const auto &strides = data->strides[data->values.lookup(value).layout];
  assert(strides && "expected an input or output");
  return *strides;
}

Space IterationSpace::getSpace(Value value, LoopSet columns) const {
  LoopSet set = getLoops(value);
  bool hasRows = set & ~columns, hasColumns = set & columns;
  if (hasRows)
    return hasColumns ? Space::RowColumn : Space::Row;
  return hasColumns ? Space::Column : Space::Scalar;
}

std::optional<int64_t> IterationSpace::getNumIterations(LoopSet set) const {
  int64_t product = 1;
  for (auto [index, loop] : llvm::enumerate(data->loops)) {
    if (!(set >> index & 1))
      continue;
    if (loop.isDynamic())
      return std::nullopt;
    product *= loop.extent;
  }
  return product;
}

int64_t Loop::estimate() const {
  return isDynamic() ? extent * assumedDynamicExtent : extent;
}

Loop IterationSpace::getProduct(LoopSet set) const {
  Loop product;
  for (auto [index, loop] : llvm::enumerate(data->loops)) {
    if (!(set >> index & 1))
      continue;
    product.extent *= loop.extent;
    if (loop.isDynamic())
      product.dynamicClass = loop.dynamicClass;
  }
  return product;
}

std::optional<DimClasses::Class> IterationSpace::getDynamicClass() const {
  for (const Loop &loop : data->loops)
    if (loop.isDynamic())
      return loop.dynamicClass;
  return std::nullopt;
}

int64_t IterationSpace::getNumElementsPerExtent(Value value) const {
  int64_t product = 1;
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    for (int64_t extent : type.getShape())
      product *= ShapedType::isDynamic(extent) ? 1 : extent;
  return product;
}

bool IterationSpace::isEmpty() const {
  return llvm::any_of(data->loops,
                      [](const Loop &loop) { return loop.extent == 0; });
}

void IterationSpace::print(raw_ostream &os) const {
  auto printSet = [&](LoopSet set) {
    os << '{';
    llvm::ListSeparator separator(", ");
    for (unsigned loop = 0; loop < data->loops.size(); ++loop)
      if (set >> loop & 1)
        os << separator << loop;
    os << '}';
  };
  for (auto [index, loop] : llvm::enumerate(data->loops)) {
    os << "loop " << index << ": ";
    if (loop.isDynamic())
      os << "? x ";
    os << loop.extent << '\n';
  }
  auto printBuffer = [&](StringRef kind, size_t index, Value value) {
    os << kind << ' ' << index << ": strides [";
    llvm::interleaveComma(getStrides(value), os);
    os << "]\n";
  };
  for (auto [index, input] : llvm::enumerate(data->candidate.inputs))
    printBuffer("input", index, input);
  for (auto [index, output] : llvm::enumerate(data->candidate.outputs))
    printBuffer("output", index, output);
  for (auto [index, reduction] : llvm::enumerate(data->reductions)) {
    os << "reduction " << index << ": loops ";
    printSet(reduction.loops);
    os << ", level " << reduction.level << '\n';
  }
}
