//===- IterationSpace.cpp - The loops of a candidate ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Analysis/CandidateMemo.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

std::variant<IterationSpace, Rejection>
IterationSpace::build(const Candidate &candidate, const DimClasses &dims) {
  IterationSpace space(candidate, dims);
  // A larger candidate has the same values and operations, and no fewer
  // classes; what is read and written may be other tensors.
  auto rejectForGood = [](Rejection rejection) {
    rejection.holdsForLarger = true;
    return rejection;
  };
  for (Value input : candidate.inputs)
    if (std::optional<Rejection> rejection = space.addValue(input))
      return rejectForGood(*rejection);
  for (Operation *op : candidate.operations)
    if (std::optional<Rejection> rejection = space.visit(op))
      return rejectForGood(*rejection);
  space.orderClasses();
  if (space.order.size() > 8 * sizeof(LoopSet) - 1)
    return space.reject(RejectionCode::UnsupportedShape,
                        candidate.outputs.empty() ? Value()
                                                  : candidate.outputs.front(),
                        "expected fewer than 64 loops");
  space.coalesce();
  if (std::optional<Rejection> rejection = space.checkSize())
    return rejectForGood(*rejection);
  for (Value input : candidate.inputs)
    if (std::optional<Rejection> rejection = space.computeStrides(input))
      return *rejection;
  for (Value output : candidate.outputs)
    if (std::optional<Rejection> rejection = space.computeStrides(output))
      return *rejection;
  for (Operation *op : candidate.operations)
    if (auto iota = dyn_cast<IotaOp>(op))
      if (std::optional<Rejection> rejection = space.computeStrides(iota))
        return *rejection;
  // What only the steps above need is not kept, nor copied.
  space.dims = nullptr;
  space.classesOf.clear();
  space.order.clear();
  space.loopOfClass.clear();
  return space;
}

std::variant<IterationSpace, Rejection>
IterationSpace::get(const Candidate &candidate, const Facts &facts) {
  using Built = std::variant<IterationSpace, Rejection>;
  return *CandidateMemo::get<Built>(
      candidate, facts, [&] { return build(candidate, facts.dims); });
}

Rejection IterationSpace::reject(RejectionCode code, Value value,
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

std::optional<Rejection> IterationSpace::addValue(Value value) {
  SmallVector<Class> &classes = classesOf[value];
  if (!isa<RankedTensorType>(value.getType()) || dims->isUniform(value))
    return std::nullopt;
  for (auto [dim, dimClass] : llvm::enumerate(dims->getClasses(value))) {
    if (dims->getConflict(dimClass))
      return reject(RejectionCode::UnsupportedShape, value,
                    "expected dimensions that meet to have one extent", dim);
    for (Class factor : dims->getFactors(dimClass)) {
      if (dims->getExtent(factor) == 1)
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
std::optional<Rejection> IterationSpace::checkReshape(Operation *op) {
  SmallVector<Class> from = classesOf.lookup(op->getOperand(0));
  SmallVector<Class> to = classesOf.lookup(op->getResult(0));
  if (from == to)
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

std::optional<Rejection> IterationSpace::visit(Operation *op) {
  if (!candidate.isChecked)
    if (std::optional<Rejection> rejection = checkOperation(op))
      return rejection;
  Value result = op->getResult(0);
  if (std::optional<Rejection> rejection = addValue(result))
    return rejection;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    if (std::optional<Rejection> rejection = checkReshape(op))
      return rejection;
  levels.add(op, *dims);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Orders the classes as the values with most of them do. A class that such a
/// value does not have stands after the one before it in its own value.
void IterationSpace::orderClasses() {
  SmallVector<Value> values(candidate.outputs);
  llvm::append_range(values, candidate.inputs);
  for (Operation *op : candidate.operations)
    values.push_back(op->getResult(0));
  // Most classes first, then in the order above.
  SmallVector<std::pair<size_t, size_t>> byRank;
  for (auto [index, value] : llvm::enumerate(values))
    byRank.emplace_back(~classesOf.find(value)->second.size(), index);
  llvm::sort(byRank);
  llvm::SmallDenseSet<Class> seen;
  for (auto [rank, index] : byRank) {
    size_t position = 0;
    for (Class dimClass : classesOf.find(values[index])->second) {
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
bool IterationSpace::canCoalesce(Class outer, Class inner) const {
  if (ShapedType::isDynamic(dims->getExtent(inner)))
    return false;
  auto isOneLoop = [&](Value value) {
    const SmallVector<Class> &classes = classesOf.find(value)->second;
    const auto *outerIt = llvm::find(classes, outer);
    const auto *innerIt = llvm::find(classes, inner);
    if (outerIt == classes.end() || innerIt == classes.end())
      return outerIt == innerIt;
    return outerIt + 1 == innerIt;
  };
  if (!llvm::all_of(candidate.inputs, isOneLoop) ||
      !llvm::all_of(candidate.outputs, isOneLoop))
    return false;
  // What never lies in memory only has to have both loops or none of them;
  // positions count as the offsets of a tensor do.
  return llvm::all_of(candidate.operations, [&](Operation *op) {
    if (isa<IotaOp>(op))
      return isOneLoop(op->getResult(0));
    const SmallVector<Class> &classes =
        classesOf.find(op->getResult(0))->second;
    return llvm::is_contained(classes, outer) ==
           llvm::is_contained(classes, inner);
  });
}

void IterationSpace::coalesce() {
  for (auto [position, dimClass] : llvm::enumerate(order)) {
    if (!position || !canCoalesce(order[position - 1], dimClass))
      loops.emplace_back();
    loopOfClass[dimClass] = loops.size() - 1;
    int64_t extent = dims->getExtent(dimClass);
    if (ShapedType::isDynamic(extent))
      loops.back().dynamicClass = dimClass;
    else
      loops.back().extent *= extent;
  }
  for (auto &[value, classes] : classesOf) {
    LoopSet &set = loopsOf[value];
    for (Class dimClass : classes)
      set |= LoopSet(1) << loopOfClass.lookup(dimClass);
  }
  for (const ReductionLevels::Reduction &found : levels.getReductions()) {
    Reduction &reduction =
        reductions.emplace_back(Reduction{found.operation, 0, found.level});
    for (Class dimClass : found.signature.reduced)
      reduction.loops |= LoopSet(1) << loopOfClass.lookup(dimClass);
  }
}

std::optional<Rejection> IterationSpace::computeStrides(Value value) {
  SmallVector<int64_t> result(loops.size(), 0);
  int64_t stride = 1;
  bool isDynamic = false;
  LoopSet seen = 0;
  for (Class dimClass : llvm::reverse(classesOf.find(value)->second)) {
    if (isDynamic)
      return reject(RejectionCode::DynamicExtent, value,
                    "expected only the outermost dimension of a tensor to have "
                    "an extent that is not known at compile time");
    // The classes of a loop follow one another: the innermost comes first.
    unsigned loop = loopOfClass.lookup(dimClass);
    if (!(seen >> loop & 1))
      result[loop] = stride;
    seen |= LoopSet(1) << loop;
    int64_t extent = dims->getExtent(dimClass);
    isDynamic = ShapedType::isDynamic(extent);
    if (!isDynamic && llvm::MulOverflow(stride, extent, stride))
      return reject(RejectionCode::UnsupportedShape, value,
                    "expected fewer than 2^63 elements");
  }
  strides[value] = std::move(result);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> IterationSpace::getStrides(Value value) const {
  auto it = strides.find(value);
  assert(it != strides.end() && "expected an input or output");
  return it->second;
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
  for (auto [index, loop] : llvm::enumerate(loops)) {
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
  for (auto [index, loop] : llvm::enumerate(loops)) {
    if (!(set >> index & 1))
      continue;
    product.extent *= loop.extent;
    if (loop.isDynamic())
      product.dynamicClass = loop.dynamicClass;
  }
  return product;
}

std::optional<DimClasses::Class> IterationSpace::getDynamicClass() const {
  for (const Loop &loop : loops)
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
  return llvm::any_of(loops, [](const Loop &loop) { return loop.extent == 0; });
}

/// Offsets into a space are 64-bit: it must have fewer points than that, even
/// where no tensor has them all.
std::optional<Rejection> IterationSpace::checkSize() const {
  int64_t product = 1;
  for (const Loop &loop : loops)
    if (llvm::MulOverflow(product, std::max<int64_t>(1, loop.extent), product))
      return Rejection{RejectionCode::UnsupportedShape,
                       candidate.operations.front(),
                       "expected fewer than 2^63 iterations"};
  return std::nullopt;
}

void IterationSpace::print(raw_ostream &os) const {
  auto printSet = [&](LoopSet set) {
    os << '{';
    llvm::ListSeparator separator(", ");
    for (unsigned loop = 0; loop < loops.size(); ++loop)
      if (set >> loop & 1)
        os << separator << loop;
    os << '}';
  };
  for (auto [index, loop] : llvm::enumerate(loops)) {
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
  for (auto [index, input] : llvm::enumerate(candidate.inputs))
    printBuffer("input", index, input);
  for (auto [index, output] : llvm::enumerate(candidate.outputs))
    printBuffer("output", index, output);
  for (auto [index, reduction] : llvm::enumerate(reductions)) {
    os << "reduction " << index << ": loops ";
    printSet(reduction.loops);
    os << ", level " << reduction.level << '\n';
  }
}
