//===- ReductionBuilder.cpp - Writing a reduction's plan down -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionBuilder.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

using Flags = arith::FastMathFlags;

ReductionBuilder::ReductionBuilder(RewriterBase &rewriter,
                                   const ReductionPlan &plan,
                                   llvm::function_ref<Value(Value)> getCurrent)
    : rewriter(rewriter), plan(plan), tree(plan.getTree()),
      getCurrent(getCurrent), reduce(tree.getReduce()), loc(reduce.getLoc()) {
  rewriter.setInsertionPoint(reduce);
}

Value ReductionBuilder::build() { return shapeResult(build(&plan.getRoot())); }

//===----------------------------------------------------------------------===//
// Shapes and types
//===----------------------------------------------------------------------===//

RankedTensorType ReductionBuilder::getType(LoopSet loops,
                                           Type elementType) const {
  SmallVector<int64_t> shape;
  forEachLoop(loops, [&](unsigned loop) {
    shape.push_back(tree.getExtent(loop).size);
  });
  return RankedTensorType::get(shape, elementType);
}

Value ReductionBuilder::getSize(unsigned loop) {
  Value &size = sizes[loop];
  if (size)
    return size;
  const ReductionTree::Extent &extent = tree.getExtent(loop);
  if (extent.isStatic())
    size = arith::ConstantIndexOp::create(rewriter, loc, extent.size);
  else if (extent.value.getType().isIndex())
    size = extent.value;
  else
    size = rewriter.createOrFold<tensor::DimOp>(loc, getCurrent(extent.value),
                                                extent.dim);
  return size;
}

Value ReductionBuilder::getCount(LoopSet loops) {
  Value count;
  forEachLoop(loops, [&](unsigned loop) {
    Value size = getSize(loop);
    count =
        count ? rewriter.createOrFold<arith::MulIOp>(loc, count, size) : size;
  });
  return count;
}

Value ReductionBuilder::toTensor(Value scalar) {
  return tensor::SplatOp::create(rewriter, loc, scalar,
                                 RankedTensorType::get({}, scalar.getType()));
}

Value ReductionBuilder::broadcast(Placed from, LoopSet loops) {
  if (!isa<RankedTensorType>(from.value.getType()))
    from.value = toTensor(from.value);
  if (from.loops == loops)
    return from.value;
  SmallVector<int64_t> dims;
  SmallVector<Value> dynamicSizes;
  int64_t position = 0;
  forEachLoop(loops, [&](unsigned loop) {
    if (from.loops >> loop & 1)
      dims.push_back(position);
    else if (!tree.getExtent(loop).isStatic())
      dynamicSizes.push_back(getSize(loop));
    ++position;
  });
  Type elementType = getElementTypeOrSelf(from.value.getType());
  return rewriter.createOrFold<BroadcastOp>(loc, getType(loops, elementType),
                                            from.value, dynamicSizes, dims);
}

ReductionBuilder::Placed ReductionBuilder::convert(Placed from,
                                                   Type elementType) {
  Type type = getElementTypeOrSelf(from.value.getType());
  if (type == elementType)
    return from;
  Value tensor = broadcast(from, from.loops);
  RankedTensorType target = getType(from.loops, elementType);
  bool widens =
      type.getIntOrFloatBitWidth() < elementType.getIntOrFloatBitWidth();
  Value converted =
      widens ? rewriter.createOrFold<arith::ExtFOp>(loc, target, tensor)
             : rewriter.createOrFold<arith::TruncFOp>(loc, target, tensor);
  return {converted, from.loops};
}

LoopSet ReductionBuilder::unify(ArrayRef<Placed> operands, Type elementType,
                                SmallVectorImpl<Value> &values) {
  LoopSet loops = 0;
  for (const Placed &operand : operands)
    loops |= operand.loops;
  for (const Placed &operand : operands)
    values.push_back(broadcast(convert(operand, elementType), loops));
  return loops;
}

//===----------------------------------------------------------------------===//
// Values of the program
//===----------------------------------------------------------------------===//

ReductionBuilder::Placed ReductionBuilder::placeLeaf(const TreeNode *node) {
  Value value = getCurrent(node->value);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return {value, 0};
  if (node->isSplat()) {
    if (auto splat = value.getDefiningOp<tensor::SplatOp>())
      return {toTensor(splat.getInput()), 0};
    DenseElementsAttr constant;
    matchPattern(value, m_Constant(&constant));
    auto scalar =
        constant.resizeSplat(RankedTensorType::get({}, type.getElementType()));
    return {arith::ConstantOp::create(rewriter, loc, scalar), 0};
  }
  // Drop what does not vary, take collapsed loops apart, and sort.
  SmallVector<int64_t> units, shape;
  SmallVector<unsigned> order;
  SmallVector<ReassociationIndices> groups;
  for (auto [dim, list] : llvm::enumerate(node->dimLoops)) {
    if (list.empty()) {
      units.push_back(dim);
      continue;
    }
    groups.emplace_back();
    for (unsigned loop : list) {
      groups.back().push_back(order.size());
      order.push_back(loop);
      shape.push_back(tree.getExtent(loop).size);
    }
  }
  if (!units.empty())
    value = rewriter.createOrFold<SqueezeOp>(loc, value, units);
  if (groups.size() != order.size())
    value = tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
        value, groups);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, order.size()));
  llvm::sort(permutation,
             [&](int64_t a, int64_t b) { return order[a] < order[b]; });
  if (!llvm::is_sorted(permutation))
    value = rewriter.createOrFold<TransposeOp>(loc, value, permutation);
  LoopSet loops = 0;
  for (unsigned loop : order)
    loops |= LoopSet(1) << loop;
  return {value, loops};
}

ReductionBuilder::Placed ReductionBuilder::place(const TreeNode *node) {
  auto it = placed.find(node);
  if (it != placed.end())
    return it->second;
  LoopSet loops = 0;
  for (const DimLoops &list : node->dimLoops)
    for (unsigned loop : list)
      loops |= LoopSet(1) << loop;
  Placed result;
  if (node->value && (node->isLeaf() || loops == node->deps)) {
    result = placeLeaf(node);
  } else {
    SmallVector<Placed> operands;
    for (const TreeNode *operand : node->operands)
      operands.push_back(place(operand));
    result = applyTo(node, operands, node->getElementType());
  }
  return placed[node] = result;
}

/// Takes back what `op` promises about its operands and result: it was promised
/// for others.
static void dropPromises(Operation *op) {
  MLIRContext *context = op->getContext();
  if (auto iface = dyn_cast<arith::ArithFastMathInterface>(op))
    if (arith::FastMathFlagsAttr flags = iface.getFastMathFlagsAttr())
      op->setAttr(
          iface.getFastMathAttrName(),
          arith::FastMathFlagsAttr::get(
              context, flags.getValue() & ~(Flags::nnan | Flags::ninf)));
  if (auto iface = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    op->setAttr(iface.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    context, arith::IntegerOverflowFlags::none));
}

ReductionBuilder::Placed ReductionBuilder::applyTo(const TreeNode *node,
                                                   ArrayRef<Placed> operands,
                                                   Type type) {
  Operation *op = node->op;
  if (auto inner = dyn_cast<ReduceOp>(op)) {
    LoopSet loops = operands.front().loops | node->reduced;
    Value input = broadcast(operands.front(), loops);
    SmallVector<int64_t> dims;
    int64_t position = 0;
    forEachLoop(loops, [&](unsigned loop) {
      if (node->reduced >> loop & 1)
        dims.push_back(position);
      ++position;
    });
    loops &= ~node->reduced;
    return {ReduceOp::create(rewriter, loc, getType(loops, type),
                             inner.getKind(), input, dims, inner.getFastmath()),
            loops};
  }
  LoopSet loops = 0;
  for (const Placed &operand : operands)
    loops |= operand.loops;
  IRMapping mapping;
  bool isSelect = isa<arith::SelectOp>(op);
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value old = op->getOperand(i);
    // The condition of a selection may be a scalar, and stays one.
    bool isScalar = !isa<RankedTensorType>(operand.value.getType());
    Placed converted = isSelect && i != 0 ? convert(operand, type) : operand;
    mapping.map(old, isScalar ? operand.value : broadcast(converted, loops));
  }
  Operation *clone = rewriter.clone(*op, mapping);
  clone->getResult(0).setType(getType(loops, type));
  clone->setLoc(loc);
  dropPromises(clone);
  return {clone->getResult(0), loops};
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Creates the operation `name` of the tables on operands of one type.
static Value createByName(OpBuilder &builder, Location loc, StringRef name,
                          ArrayRef<Value> operands, Flags flags) {
  OperationState state(loc, name, operands, operands.front().getType());
  if (isa<FloatType>(getElementTypeOrSelf(operands.front().getType())))
    state.addAttribute(
        "fastmath", arith::FastMathFlagsAttr::get(builder.getContext(), flags));
  return builder.create(state)->getResult(0);
}

ReductionBuilder::Placed ReductionBuilder::combine(ReductionKind kind,
                                                   ArrayRef<Placed> operands,
                                                   bool scales, Type type,
                                                   Flags flags) {
  const CombinerTraits &traits = getCombinerTraits(kind);
  StringRef scale =
      isa<FloatType>(type) ? traits.floatScale : traits.integerScale;
  Placed result = convert(operands.front(), type);
  for (const Placed &operand : operands.drop_front()) {
    SmallVector<Value> values;
    LoopSet loops = unify({result, operand}, type, values);
    result = {scales ? createByName(rewriter, loc, scale, values, flags)
                     : createCombine(rewriter, loc, kind, values[0], values[1],
                                     flags),
              loops};
  }
  return result;
}

/// operand to the power of `exponent`, by squaring.
ReductionBuilder::Placed ReductionBuilder::buildPower(const Node *node,
                                                      Placed operand,
                                                      uint64_t exponent) {
  std::optional<Placed> result;
  Placed square = convert(operand, node->elementType);
  auto multiply = [&](Placed a, Placed b) {
    return combine(ReductionKind::Mul, {a, b}, /*scales=*/false,
                   node->elementType, node->flags);
  };
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0)
      result = result ? multiply(*result, square) : square;
    if (exponent > 1)
      square = multiply(square, square);
  }
  return *result;
}

ReductionBuilder::Placed ReductionBuilder::buildRepeat(const Node *node) {
  Placed operand = convert(build(node->operands.front()), node->elementType);
  // Integers need the count up to their width, floats its magnitude: a repeated
  // value may have more points than an index counts.
  bool isStatic = true;
  uint64_t count = 1;
  double magnitude = 1;
  forEachLoop(node->loops, [&](unsigned loop) {
    const ReductionTree::Extent &extent = tree.getExtent(loop);
    isStatic &= extent.isStatic();
    count *= static_cast<uint64_t>(extent.size);
    magnitude *= static_cast<double>(extent.size);
  });
  Type type = node->elementType;
  auto createScalar = [&](TypedAttr attribute) -> Placed {
    auto tensor = RankedTensorType::get({}, type);
    return {arith::ConstantOp::create(
                rewriter, loc, SplatElementsAttr::get(tensor, attribute)),
            0};
  };
  switch (node->repetition) {
  case Repetition::Same:
    return operand;
  case Repetition::Power:
    return buildPower(node, operand, count);
  case Repetition::Parity:
    return count % 2 != 0 ? operand
                          : createScalar(rewriter.getIntegerAttr(type, 0));
  case Repetition::Multiple:
    break;
  }
  // n in the accumulator's type, which holds it or rounds it once; f16 does
  // not reach beyond 65504.
  Placed number;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    if (isStatic) {
      number = createScalar(rewriter.getFloatAttr(type, magnitude));
    } else {
      Value integer = arith::IndexCastOp::create(
          rewriter, loc, rewriter.getI64Type(), getCount(node->loops));
      number = {toTensor(arith::SIToFPOp::create(rewriter, loc, type, integer)),
                0};
    }
  } else if (isStatic) {
    unsigned width = type.getIntOrFloatBitWidth();
    number = createScalar(
        rewriter.getIntegerAttr(type, APInt(64, count).zextOrTrunc(width)));
  } else {
    number = {toTensor(arith::IndexCastOp::create(rewriter, loc, type,
                                                  getCount(node->loops))),
              0};
  }
  return combine(ReductionKind::Add, {operand, number}, /*scales=*/true, type,
                 node->flags);
}

ReductionBuilder::Placed ReductionBuilder::build(const Node *node) {
  auto it = built.find(node);
  if (it != built.end())
    return it->second;
  Placed result = buildNode(node);
  return built[node] = result;
}

ReductionBuilder::Placed ReductionBuilder::buildNode(const Node *node) {
  SmallVector<Placed> operands;
  if (node->kind != Node::Kind::Repeat)
    for (const Node *operand : node->operands)
      operands.push_back(build(operand));
  Type type = node->elementType;
  switch (node->kind) {
  case Node::Kind::Value:
    return place(node->source);
  case Node::Kind::Apply:
    return applyTo(node->source, operands, type);
  case Node::Kind::Scale:
    return combine(node->combiner, operands, /*scales=*/true, type,
                   node->flags);
  case Node::Kind::Combine:
    return combine(node->combiner, operands, /*scales=*/false, type,
                   node->flags);
  case Node::Kind::Repeat:
    return buildRepeat(node);
  case Node::Kind::Divide:
  case Node::Kind::Subtract: {
    const CombinerTraits &traits = getCombinerTraits(node->combiner);
    StringRef name = "arith.divf";
    if (node->kind == Node::Kind::Subtract)
      name = isa<FloatType>(type) ? traits.floatInverse : traits.integerInverse;
    SmallVector<Value> values;
    LoopSet loops = unify(operands, type, values);
    return {createByName(rewriter, loc, name, values, node->flags), loops};
  }
  case Node::Kind::Negate: {
    Placed operand = convert(operands.front(), type);
    return {createByName(rewriter, loc, "arith.negf",
                         {broadcast(operand, operand.loops)}, node->flags),
            operand.loops};
  }
  case Node::Kind::Reduce: {
    LoopSet loops = operands.front().loops | node->loops;
    Value input = broadcast(operands.front(), loops);
    SmallVector<int64_t> dims;
    int64_t position = 0;
    forEachLoop(loops, [&](unsigned loop) {
      if (node->loops >> loop & 1)
        dims.push_back(position);
      ++position;
    });
    loops &= ~node->loops;
    return {ReduceOp::create(rewriter, loc, getType(loops, type),
                             node->combiner, input, dims, node->flags),
            loops};
  }
  }
  llvm_unreachable("unknown expression");
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// The value without elements where a reduced dimension has none.
Value ReductionBuilder::guard(Value result) {
  Value isEmpty;
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  forEachLoop(tree.getReduced(), [&](unsigned loop) {
    if (tree.getExtent(loop).isStatic())
      return;
    Value isZero = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, getSize(loop), zero);
    isEmpty =
        isEmpty
            ? arith::OrIOp::create(rewriter, loc, isEmpty, isZero).getResult()
            : isZero;
  });
  Type type = reduce.getType().getElementType();
  auto scalarType = RankedTensorType::get({}, type);
  Value empty = arith::ConstantOp::create(
      rewriter, loc,
      SplatElementsAttr::get(scalarType,
                             getEmptyValue(reduce.getKind(), type)));
  return arith::SelectOp::create(rewriter, loc,
                                 broadcast({isEmpty, 0}, tree.getKept()),
                                 broadcast({empty, 0}, tree.getKept()), result);
}

Value ReductionBuilder::shapeResult(Placed placed) {
  Value result = broadcast(convert(placed, reduce.getType().getElementType()),
                           tree.getKept());
  if (plan.needsGuard())
    result = guard(result);
  if (result.getType() == reduce.getType())
    return result;
  SmallVector<ReassociationIndices> groups;
  int64_t position = 0;
  for (const DimLoops &list : tree.getResultLoops()) {
    groups.emplace_back();
    for (size_t i = 0; i < list.size(); ++i)
      groups.back().push_back(position++);
  }
  return tensor::CollapseShapeOp::create(rewriter, loc, reduce.getType(),
                                         result, groups);
}
