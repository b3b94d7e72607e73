//===- RowColumnGraph.cpp - A candidate over rows and columns -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/RowColumnGraph.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

std::variant<RowColumnGraph, Rejection>
RowColumnGraph::build(const Candidate &candidate, const DimClasses &dims) {
  RowColumnGraph graph(candidate);
  if (std::optional<Rejection> rejection = graph.findSplit(dims))
    return *rejection;
  auto reject = [&](Rejection rejection) {
    rejection.holdsForLarger = graph.holdsForLarger(rejection.code);
    return rejection;
  };
  graph.spaces.reserve(candidate.inputs.size() + candidate.operations.size());
  for (Value input : candidate.inputs)
    if (std::optional<Rejection> rejection = graph.classify(input, dims))
      return reject(*rejection);
  for (Operation *op : candidate.operations) {
    for (Value result : op->getResults())
      if (std::optional<Rejection> rejection = graph.classify(result, dims))
        return reject(*rejection);
    if (std::optional<Rejection> rejection = graph.visit(op))
      return reject(*rejection);
  }
  return graph;
}

/// Whether a rejection of a value or operation holds for larger candidates. In
/// each of them the reduction that gave rows and columns must run along the
/// rows or the columns of the whole space. So the space is the same; and where
/// rows end it is too, since rows come first in every tensor, unless one of
/// both has no extents but 1.
bool RowColumnGraph::holdsForLarger(RejectionCode code) const {
  switch (code) {
  case RejectionCode::UnsupportedOperation:
    return true;
  case RejectionCode::UnsupportedShape:
  case RejectionCode::CrossColumnDependency:
    return isSplitByReduction && rows > 1 && columns > 1;
  default:
    return false;
  }
}

Operation *RowColumnGraph::getOperationFor(Value value) const {
  if (Operation *op = value.getDefiningOp())
    if (candidate.operations.contains(op))
      return op;
  for (Operation *op : candidate.operations)
    if (llvm::is_contained(op->getOperands(), value))
      return op;
  return candidate.operations.front();
}

//===----------------------------------------------------------------------===//
// Rows and columns
//===----------------------------------------------------------------------===//

/// The operand and the dimensions that `op` removes by combining elements.
static std::pair<Value, ArrayRef<int64_t>> getReducedDims(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return {reduce.getInput(), reduce.getDims()};
  if (auto squeeze = dyn_cast<SqueezeOp>(op))
    return {squeeze.getInput(), squeeze.getDims()};
  return {};
}

/// True if a dimension of an input has class `dimClass`.
bool RowColumnGraph::hasInputOf(Class dimClass, const DimClasses &dims) const {
  return llvm::any_of(candidate.inputs, [&](Value input) {
    return isa<RankedTensorType>(input.getType()) &&
           llvm::is_contained(dims.getClasses(input), dimClass);
  });
}

/// Finds the dimension at which rows end and columns begin: from a reduction of
/// an operand of the highest rank, reductions before squeezes.
std::optional<Rejection> RowColumnGraph::findSplit(const DimClasses &dims) {
  Operation *best = nullptr;
  auto rankOf = [](Operation *op) {
    return cast<RankedTensorType>(getReducedDims(op).first.getType()).getRank();
  };
  auto isBetter = [&](Operation *op) {
    if (!best || isa<ReduceOp>(op) != isa<ReduceOp>(best))
      return !best || isa<ReduceOp>(op);
    return rankOf(op) > rankOf(best);
  };
  for (Operation *op : candidate.operations)
    if (!getReducedDims(op).second.empty() && isBetter(op))
      best = op;
  if (!best)
    return Rejection{RejectionCode::MissingReduction,
                     candidate.operations.front(),
                     "expected a reduction along the rows or the columns"};

  isSplitByReduction = isa<ReduceOp>(best);
  auto [operand, reduced] = getReducedDims(best);
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t rank = type.getRank(), count = reduced.size();
  bool isSuffix = reduced.front() == rank - count;
  bool isPrefix = reduced.back() == count - 1;
  if (count == rank && rank > 0)
    return Rejection{RejectionCode::UnsupportedShape, best,
                     "expected a reduction that keeps the rows or the columns, "
                     "but it removes every dimension"};
  if (!isSuffix && !isPrefix)
    return Rejection{RejectionCode::UnsupportedShape, best,
                     "expected the reduced dimensions to be the innermost or "
                     "the outermost ones",
                     reduced.front()};
  int64_t split = isSuffix ? rank - count : count, elements = 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    Class dimClass = dims.getClass(operand, dim);
    int64_t extent = dims.getExtent(dimClass);
    bool isDynamic = ShapedType::isDynamic(extent);
    // The rows may be counted at the launch, if no stride depends on them.
    if (isDynamic && (dim > 0 || split == 0 || !hasInputOf(dimClass, dims)))
      return Rejection{RejectionCode::DynamicExtent, best,
                       "expected an extent that is known at compile time", dim};
    if (isDynamic) {
      dynamicClass = dimClass;
      extent = assumedDynamicExtent;
    }
    if (extent == 0)
      return Rejection{RejectionCode::EmptyExtent, best,
                       "expected at least one element", dim};
    if (llvm::MulOverflow(elements, extent, elements))
      return Rejection{RejectionCode::UnsupportedShape, best,
                       "expected fewer than 2^63 elements", dim};
    if (llvm::is_contained(rowClasses, dimClass) ||
        llvm::is_contained(columnClasses, dimClass))
      return Rejection{RejectionCode::UnsupportedShape, best,
                       "expected each dimension to be a loop of its own", dim};
    (dim < split ? rowClasses : columnClasses).push_back(dimClass);
    (dim < split ? rows : columns) *= extent;
    if (dim < split && !isDynamic)
      rowsPerExtent *= extent;
  }
  return std::nullopt;
}

/// How a value covers the classes of the rows or of the columns.
enum class Coverage { None, All, Partial };

static Coverage getCoverage(ArrayRef<DimClasses::Class> present,
                            ArrayRef<DimClasses::Class> wanted,
                            const DimClasses &dims) {
  // A unit dimension says nothing beside others: a value that is broadcast
  // along them may have it.
  auto isUnit = [&](DimClasses::Class dimClass) {
    return dims.getExtent(dimClass) == 1;
  };
  bool onlyUnits = llvm::all_of(wanted, isUnit);
  bool any = false, all = true;
  for (DimClasses::Class dimClass : wanted) {
    if (llvm::is_contained(present, dimClass))
      any |= onlyUnits || !isUnit(dimClass);
    else if (!isUnit(dimClass))
      all = false;
  }
  if (!any)
    return Coverage::None;
  return all ? Coverage::All : Coverage::Partial;
}

std::optional<Rejection> RowColumnGraph::classify(Value value,
                                                  const DimClasses &dims) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || dims.isUniform(value)) {
    spaces[value] = Space::Scalar;
    return std::nullopt;
  }
  auto reject = [&](RejectionCode code, std::string hint,
                    std::optional<int64_t> dim = std::nullopt) {
    return Rejection{code, getOperationFor(value), std::move(hint), dim};
  };
  // Most tensors lie as one before them does.
  ArrayRef<Class> classes = dims.getClasses(value);
  for (const Layout &layout : layouts)
    if (layout.shape == type.getShape() &&
        classes == ArrayRef(layout.classes)) {
      spaces[value] = layout.space;
      return std::nullopt;
    }
  SmallVector<Class> order(rowClasses);
  llvm::append_range(order, columnClasses);
  SmallVector<Class> present;
  size_t position = 0;
  for (auto [dim, dimClass] : llvm::enumerate(classes)) {
    if (type.isDynamicDim(dim) && dynamicClass != dimClass)
      return reject(RejectionCode::DynamicExtent,
                    "expected an extent that is known at compile time", dim);
    if (dims.getConflict(dimClass))
      return reject(RejectionCode::UnsupportedShape,
                    "expected dimensions that meet to have one extent", dim);
    auto *it = llvm::find(order, dimClass);
    if (it == order.end()) {
      if (type.getDimSize(dim) == 1)
        continue;
      return reject(RejectionCode::UnsupportedShape,
                    "expected only the dimensions of the rows and columns, but "
                    "a tensor of type " +
                        debugString(type) + " has another",
                    dim);
    }
    size_t found = it - order.begin();
    if (!present.empty() && found <= position)
      return reject(RejectionCode::UnsupportedShape,
                    "expected the dimensions of the rows before those of the "
                    "columns, each once and in one order",
                    dim);
    position = found;
    present.push_back(dimClass);
  }
  Coverage inRows = getCoverage(present, rowClasses, dims);
  Coverage inColumns = getCoverage(present, columnClasses, dims);
  if (inRows == Coverage::Partial || inColumns == Coverage::Partial)
    return reject(RejectionCode::UnsupportedShape,
                  "expected all dimensions of the rows or of the columns or "
                  "none of them, but a tensor of type " +
                      debugString(type) + " has some");
  bool hasRows = inRows == Coverage::All,
       hasColumns = inColumns == Coverage::All;
  Space space = hasRows ? (hasColumns ? Space::RowColumn : Space::Row)
                        : (hasColumns ? Space::Column : Space::Scalar);
  spaces[value] = space;
  layouts.push_back({SmallVector<Class>(classes), type.getShape(), space});
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

std::optional<Rejection> RowColumnGraph::visit(Operation *op) {
  bool isUnknown = !candidate.isChecked;
  if (isa<TransposeOp>(op) ||
      (isUnknown && (!isSchedulable(op) || op->getNumResults() != 1)))
    return Rejection{RejectionCode::UnsupportedOperation, op,
                     "expected element-wise operations with one result, "
                     "broadcasts, squeezes, positions and reductions, but got "
                     "'" +
                         op->getName().getStringRef().str() + "'"};
  if (isUnknown && !isPure(op))
    return Rejection{RejectionCode::UnsupportedOperation, op,
                     "expected operations that are defined for all operands, "
                     "but '" +
                         op->getName().getStringRef().str() +
                         "' is not: a divisor may be zero"};
  if (auto reduce = dyn_cast<ReduceOp>(op); reduce && !reduce.getDims().empty())
    return visitReduction(op, reduce.getInput(), reduce.getKind(),
                          reduce.getFastmath(),
                          getExchangeType(reduce.getAccumulatorType()));
  Value result = op->getResult(0);
  if (isa<SqueezeOp, tensor::CollapseShapeOp>(op) &&
      getSpace(op->getOperand(0)) != getSpace(result)) {
    // A sum over one element: -0.0 is neutral, so the value stays bit for bit.
    Type type = getElementTypeOrSelf(result);
    if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
      type = Float32Type::get(op->getContext());
    return visitReduction(op, op->getOperand(0), ReductionKind::Add,
                          arith::FastMathFlags::none, getExchangeType(type));
  }

  unsigned level = 0;
  bool after = false;
  for (Value operand : op->getOperands()) {
    level = std::max(level, getLevel(operand));
    after |= isAfterColumns(operand);
  }
  if (level)
    levels[result] = level;
  if (!after)
    return std::nullopt;
  afterColumns.insert(result);
  Space space = getSpace(result);
  if (space == Space::Row || space == Space::RowColumn)
    return Rejection{
        RejectionCode::CrossColumnDependency, op,
        "expected no value of a row to need the total of a column, "
        "which is known only when all rows are done"};
  return std::nullopt;
}

std::optional<Rejection>
RowColumnGraph::visitReduction(Operation *op, Value operand, ReductionKind kind,
                               arith::FastMathFlags fastmath,
                               Type accumulatorType) {
  Value result = op->getResult(0);
  Space from = getSpace(operand), to = getSpace(result);
  bool isRow = from == Space::RowColumn && to == Space::Row;
  bool isColumn = from == Space::RowColumn && to == Space::Column;
  if (!isRow && !isColumn)
    return Rejection{RejectionCode::UnsupportedShape, op,
                     "expected a reduction along the rows or along the columns "
                     "of the whole space"};
  if (isAfterColumns(operand))
    return Rejection{RejectionCode::CrossColumnDependency, op,
                     "expected no reduction of a value that needs the total of "
                     "a column"};
  unsigned level = getLevel(operand);
  Reduction reduction{op,       operand,         result, kind,
                      fastmath, accumulatorType, level};
  if (isRow) {
    rowReductions.push_back(reduction);
    levels[result] = level + 1;
    numLevels = std::max(numLevels, level + 2);
  } else {
    columnReductions.push_back(reduction);
    if (level)
      levels[result] = level;
    afterColumns.insert(result);
  }
  return std::nullopt;
}
