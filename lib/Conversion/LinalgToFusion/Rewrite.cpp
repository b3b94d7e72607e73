//===- Rewrite.cpp - Tensors for a structured operation -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "StructuredImport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::import;

namespace {

/// A value of the body at all indices: a number, a scalar, or a tensor over
/// loops.
struct BodyValue {
  TypedAttr number;
  Value value;
  Loops loops;

  bool isTensor() const {
    return value && isa<RankedTensorType>(value.getType());
  }
  Type getElementType() const {
    return number ? number.getType() : getElementTypeOrSelf(value.getType());
  }
};

class Rewriter {
public:
  Rewriter(linalg::LinalgOp op, const Plan &plan, RewriterBase &rewriter)
      : op(op), plan(plan), rewriter(rewriter), loc(op.getLoc()) {
    findExtents();
  }

  SmallVector<Value> run();

private:
  void findExtents();
  Value getSize(unsigned loop);
  SmallVector<Value> getDynamicSizes(const Loops &loops);
  RankedTensorType getType(const Loops &loops, Type element) const {
    SmallVector<int64_t> shape = llvm::map_to_vector(
        loops, [&](unsigned loop) { return extents[loop]; });
    return RankedTensorType::get(shape, element);
  }

  BodyValue load(unsigned operand);
  BodyValue lookup(Value value);
  Value spread(const BodyValue &value, const Loops &loops);
  void emit(Operation *nested);
  std::optional<BodyValue> foldNumbers(Operation *nested, Type resultType);

  BodyValue reduce(const ResultPlan &result, unsigned number);
  BodyValue extend(BodyValue value, Type type);
  BodyValue combineInit(const ResultPlan &result, BodyValue init,
                        BodyValue total);
  Value store(BodyValue value, const Layout &layout, RankedTensorType type);

  linalg::LinalgOp op;
  const Plan &plan;
  RewriterBase &rewriter;
  Location loc;
  /// The extents of the loops, and an operand's dimension that has it.
  SmallVector<int64_t> extents;
  SmallVector<std::pair<Value, int64_t>> origins;
  SmallVector<Value> sizes;
  llvm::DenseMap<Value, BodyValue> values;
};

} // namespace

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// The extent of a loop is static if that of any operand is.
void Rewriter::findExtents() {
  extents.assign(op.getNumLoops(), ShapedType::kDynamic);
  origins.resize(op.getNumLoops());
  sizes.resize(op.getNumLoops());
  for (auto [operand, layout] : llvm::zip(op->getOperands(), plan.layouts)) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    for (auto [dim, loop] : llvm::enumerate(layout)) {
      if (!loop)
        continue;
      if (!origins[*loop].first || !type.isDynamicDim(dim))
        origins[*loop] = {operand, static_cast<int64_t>(dim)};
      if (!type.isDynamicDim(dim))
        extents[*loop] = type.getDimSize(dim);
    }
  }
}

Value Rewriter::getSize(unsigned loop) {
  if (!sizes[loop])
    sizes[loop] = tensor::DimOp::create(rewriter, loc, origins[loop].first,
                                        origins[loop].second);
  return sizes[loop];
}

SmallVector<Value> Rewriter::getDynamicSizes(const Loops &loops) {
  SmallVector<Value> result;
  for (unsigned loop : loops)
    if (ShapedType::isDynamic(extents[loop]))
      result.push_back(getSize(loop));
  return result;
}

//===----------------------------------------------------------------------===//
// Values of the body
//===----------------------------------------------------------------------===//

/// Integers of 64 bits carry what the body computes in index.
static Type mapType(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 64) : type;
}

static TypedAttr mapNumber(TypedAttr number) {
  auto index = dyn_cast<IntegerAttr>(number);
  if (!index || !number.getType().isIndex())
    return number;
  return IntegerAttr::get(mapType(number.getType()),
                          index.getValue().sextOrTrunc(64));
}

/// `operand` over the loops of its layout: without unit dimensions at position
/// 0, its dimensions in the order of the loops.
BodyValue Rewriter::load(unsigned operand) {
  Value value = op->getOperand(operand);
  if (TypedAttr number = getSplatValue(value))
    return {mapNumber(number), {}, {}};
  const Layout &layout = plan.layouts[operand];
  if (!isa<RankedTensorType>(value.getType()))
    return lookup(value);
  SmallVector<int64_t> units, order;
  Loops walked;
  for (auto [dim, loop] : llvm::enumerate(layout)) {
    if (loop)
      walked.push_back(*loop);
    else
      units.push_back(static_cast<int64_t>(dim));
  }
  if (!units.empty())
    value = SqueezeOp::create(rewriter, loc, value, units);
  Loops loops = getLoops(layout);
  for (unsigned loop : loops)
    order.push_back(llvm::find(walked, loop) - walked.begin());
  if (!llvm::is_sorted(order))
    value = TransposeOp::create(rewriter, loc, value, order);
  RankedTensorType type = getType(loops, getElementTypeOrSelf(value.getType()));
  if (value.getType() != type)
    value = tensor::CastOp::create(rewriter, loc, type, value);
  return {{}, value, loops};
}

/// The value that stands for `value` of the body or from outside it.
BodyValue Rewriter::lookup(Value value) {
  if (auto it = values.find(value); it != values.end())
    return it->second;
  // From outside: a scalar.
  TypedAttr number;
  if (matchPattern(value, m_Constant(&number)))
    return values[value] = {mapNumber(number), {}, {}};
  Type type = mapType(value.getType());
  if (type != value.getType())
    value = arith::IndexCastOp::create(rewriter, loc, type, value);
  return {{}, value, {}};
}

/// `value` as a tensor over `loops`, which are at least its own.
Value Rewriter::spread(const BodyValue &value, const Loops &loops) {
  RankedTensorType type = getType(loops, value.getElementType());
  if (value.value && value.value.getType() == type)
    return value.value;
  SmallVector<Value> dynamicSizes = getDynamicSizes(loops);
  if (value.number) {
    if (type.hasStaticShape())
      return arith::ConstantOp::create(
          rewriter, loc, DenseElementsAttr::get(type, Attribute(value.number)));
    auto scalarType = RankedTensorType::get({}, type.getElementType());
    Value scalar = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(scalarType, Attribute(value.number)));
    return BroadcastOp::create(rewriter, loc, type, scalar, dynamicSizes,
                               ArrayRef<int64_t>());
  }
  if (!value.isTensor())
    return tensor::SplatOp::create(rewriter, loc, type, value.value,
                                   dynamicSizes);
  SmallVector<int64_t> dims;
  dynamicSizes.clear();
  for (auto [position, loop] : llvm::enumerate(loops)) {
    if (llvm::is_contained(value.loops, loop))
      dims.push_back(static_cast<int64_t>(position));
    else if (ShapedType::isDynamic(extents[loop]))
      dynamicSizes.push_back(getSize(loop));
  }
  return BroadcastOp::create(rewriter, loc, type, value.value, dynamicSizes,
                             dims);
}

//===----------------------------------------------------------------------===//
// Operations of the body
//===----------------------------------------------------------------------===//

/// The number that an operation on numbers gives, if it is known: by its
/// folder, and by the rounding of truncf, which the folder leaves alone.
std::optional<BodyValue> Rewriter::foldNumbers(Operation *nested,
                                               Type resultType) {
  SmallVector<Attribute> operands;
  for (Value operand : nested->getOperands()) {
    BodyValue value = lookup(operand);
    if (!value.number)
      return std::nullopt;
    operands.push_back(value.number);
  }
  if (auto truncf = dyn_cast<arith::TruncFOp>(nested);
      truncf && !truncf.getRoundingmode()) {
    APFloat rounded = cast<FloatAttr>(operands.front()).getValue();
    bool losesInfo;
    rounded.convert(cast<FloatType>(resultType).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &losesInfo);
    return BodyValue{FloatAttr::get(resultType, rounded), {}, {}};
  }
  // Types of operands differ from those that the folder expects.
  bool hasIndex = llvm::any_of(nested->getOperandTypes(),
                               [](Type type) { return type.isIndex(); });
  SmallVector<OpFoldResult> results;
  // A folder may change its operation: it is asked about a copy.
  Operation *copy = nested->clone();
  bool folds = !hasIndex && !nested->getResult(0).getType().isIndex() &&
               succeeded(copy->fold(operands, results)) && results.size() == 1;
  copy->destroy();
  if (!folds)
    return std::nullopt;
  if (auto number = dyn_cast<Attribute>(results.front()))
    if (auto typed = dyn_cast<TypedAttr>(number);
        typed && typed.getType() == resultType)
      return BodyValue{typed, {}, {}};
  return std::nullopt;
}

/// A conversion between index and integers, where index has 64 bits.
static Value createIndexCast(RewriterBase &rewriter, Location loc,
                             Operation *nested, Value operand, Type type) {
  unsigned from =
      getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (from == to)
    return operand;
  if (from > to)
    return arith::TruncIOp::create(rewriter, loc, type, operand);
  if (isa<arith::IndexCastUIOp>(nested))
    return arith::ExtUIOp::create(rewriter, loc, type, operand);
  return arith::ExtSIOp::create(rewriter, loc, type, operand);
}

/// The operation on tensors over the loops of its operands.
void Rewriter::emit(Operation *nested) {
  Value result = nested->getResult(0);
  Type element = mapType(result.getType());
  if (auto constant = dyn_cast<arith::ConstantOp>(nested)) {
    values[result] = {mapNumber(constant.getValue()), {}, {}};
    return;
  }
  if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
    Loops loops{static_cast<unsigned>(index.getDim())};
    values[result] = {{},
                      IotaOp::create(rewriter, nested->getLoc(),
                                     getType(loops, element),
                                     getDynamicSizes(loops)),
                      loops};
    return;
  }
  if (std::optional<BodyValue> folded = foldNumbers(nested, element)) {
    values[result] = *folded;
    return;
  }
  Loops loops;
  for (Value operand : nested->getOperands())
    llvm::append_range(loops, lookup(operand).loops);
  llvm::sort(loops);
  loops.erase(llvm::unique(loops), loops.end());
  SmallVector<Value> operands;
  for (Value operand : nested->getOperands())
    operands.push_back(spread(lookup(operand), loops));
  RankedTensorType type = getType(loops, element);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(nested)) {
    values[result] = {{},
                      createIndexCast(rewriter, nested->getLoc(), nested,
                                      operands.front(), type),
                      loops};
    return;
  }
  SmallVector<Type> types;
  for (Value other : nested->getResults())
    types.push_back(getType(loops, mapType(other.getType())));
  Operation *copy = mlir::clone(rewriter, nested, types, operands);
  for (auto [old, value] : llvm::zip(nested->getResults(), copy->getResults()))
    values[old] = {{}, value, loops};
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// True if combining `init` with `total`, a reduction of `element`, changes
/// nothing.
static bool isNeutralInit(const ResultPlan &result, TypedAttr init,
                          Value element, bool canBeEmpty) {
  if (!init)
    return false;
  Type type = init.getType();
  TypedAttr neutral = getNeutralElement(result.kind, type);
  auto number = dyn_cast<FloatAttr>(init);
  bool isNeutral = init == neutral;
  if (number && cast<FloatAttr>(neutral).getValue().isNaN())
    isNeutral = number.getValue().isNaN();
  bool isZero = number && number.getValue().isPosZero() &&
                result.kind == ReductionKind::Add;
  // A sum is -0.0 only if all its elements are; +0.0 is neutral otherwise, and
  // the sum of no elements.
  if (isZero)
    return isNeverNegativeZero(element);
  if (!isNeutral || !canBeEmpty)
    return isNeutral;
  return init == getEmptyValue(result.kind, type);
}

/// `value` in the wider float type `type`.
BodyValue Rewriter::extend(BodyValue value, Type type) {
  if (value.number) {
    APFloat wide = cast<FloatAttr>(value.number).getValue();
    bool losesInfo;
    wide.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &losesInfo);
    value.number = FloatAttr::get(type, wide);
    return value;
  }
  Type wideType = value.isTensor() ? getType(value.loops, type) : type;
  value.value = arith::ExtFOp::create(rewriter, loc, wideType, value.value);
  return value;
}

BodyValue Rewriter::combineInit(const ResultPlan &result, BodyValue init,
                                BodyValue total) {
  Loops loops = llvm::to_vector(init.loops);
  llvm::append_range(loops, total.loops);
  llvm::sort(loops);
  loops.erase(llvm::unique(loops), loops.end());
  return {{},
          createCombine(rewriter, loc, result.kind, spread(init, loops),
                        spread(total, loops), result.fastmath),
          loops};
}

/// combine(init, reduction of the elements).
BodyValue Rewriter::reduce(const ResultPlan &result, unsigned number) {
  Loops loops = result.reducedLoops;
  for (Value element : result.elements)
    llvm::append_range(loops, lookup(element).loops);
  llvm::sort(loops);
  loops.erase(llvm::unique(loops), loops.end());
  Value elements;
  for (Value element : result.elements) {
    Value next = spread(lookup(element), loops);
    elements = elements ? createCombine(rewriter, loc, result.kind, elements,
                                        next, result.fastmath)
                        : next;
  }
  SmallVector<int64_t> dims;
  Loops kept;
  bool canBeEmpty = false;
  for (auto [position, loop] : llvm::enumerate(loops)) {
    if (!llvm::is_contained(result.reducedLoops, loop)) {
      kept.push_back(loop);
      continue;
    }
    dims.push_back(static_cast<int64_t>(position));
    canBeEmpty |= extents[loop] == 0 || ShapedType::isDynamic(extents[loop]);
  }
  Type element = getElementTypeOrSelf(elements.getType());
  BodyValue total{{},
                  ReduceOp::create(rewriter, loc, getType(kept, element),
                                   result.kind, elements, dims,
                                   result.fastmath),
                  kept};
  BodyValue init = load(op.getNumDpsInputs() + number);
  if (result.wideType)
    init = extend(init, result.wideType);
  if (!isNeutralInit(result, init.number, elements, canBeEmpty))
    total = combineInit(result, init, total);
  if (result.wideType) {
    RankedTensorType type = getType(
        total.loops, getElementTypeOrSelf(op.getDpsInits()[number].getType()));
    total.value = arith::TruncFOp::create(rewriter, loc, type, total.value);
  }
  return total;
}

/// `value` as a tensor of `type`, whose dimensions walk along `layout`.
Value Rewriter::store(BodyValue value, const Layout &layout,
                      RankedTensorType type) {
  Loops loops = getLoops(layout);
  Value result = spread(value, loops);
  SmallVector<int64_t> order, dims;
  for (auto [dim, loop] : llvm::enumerate(layout)) {
    if (!loop)
      continue;
    order.push_back(llvm::find(loops, *loop) - loops.begin());
    dims.push_back(static_cast<int64_t>(dim));
  }
  if (!llvm::is_sorted(order))
    result = TransposeOp::create(rewriter, loc, result, order);
  if (dims.size() != layout.size()) {
    SmallVector<int64_t> shape(layout.size(), 1);
    auto narrow = cast<RankedTensorType>(result.getType());
    for (auto [position, dim] : llvm::enumerate(dims))
      shape[dim] = narrow.getDimSize(position);
    result = BroadcastOp::create(
        rewriter, loc, RankedTensorType::get(shape, narrow.getElementType()),
        result, dims);
  }
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  return result;
}

SmallVector<Value> Rewriter::run() {
  for (BlockArgument argument : op.getBlock()->getArguments())
    if (plan.arguments.contains(argument.getArgNumber()))
      values[argument] = load(argument.getArgNumber());
  for (Operation *nested : plan.body)
    emit(nested);
  SmallVector<Value> results;
  for (auto [number, result] : llvm::enumerate(plan.results)) {
    if (result.isUnused) {
      results.push_back({});
      continue;
    }
    BodyValue value = result.reducedLoops.empty()
                          ? lookup(result.elements.front())
                          : reduce(result, number);
    results.push_back(
        store(value, plan.layouts[op.getNumDpsInputs() + number],
              cast<RankedTensorType>(op->getResult(number).getType())));
  }
  return results;
}

SmallVector<Value> import::rewriteStructured(linalg::LinalgOp op,
                                             const Plan &plan,
                                             RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return Rewriter(op, plan, rewriter).run();
}
