//===- ProgramBuilder.cpp - Builds random programs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

bool ProgramRules::allows(const OperationPair &pair) const {
  if (exactOnly && !pair.spec->isExact)
    return false;
  switch (pair.spec->form) {
  case Form::Reduce:
    return allowsReduced(pair.elementType);
  case Form::Cast:
    return allows(pair.elementType) &&
           llvm::any_of(getCastResults(*pair.spec, pair.elementType),
                        [&](Type type) { return allows(type); });
  default:
    return allows(pair.elementType);
  }
}

ProgramBuilder::ProgramBuilder(MLIRContext *context, uint64_t seed,
                               ProgramRules rules)
    : random(seed), rules(std::move(rules)),
      module(ModuleOp::create(UnknownLoc::get(context))), builder(context) {
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, getLoc(), "program",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

Type ProgramBuilder::pickMemoryType() {
  SmallVector<Type> types = rules.memoryTypes;
  if (types.empty())
    types = getElementTypes(builder.getContext());
  return random.pick<Type>(types);
}

//===----------------------------------------------------------------------===//
// New values
//===----------------------------------------------------------------------===//

Value ProgramBuilder::create(StringRef name, ValueRange operands,
                             Type elementType, ArrayRef<int64_t> shape,
                             ArrayRef<NamedAttribute> attributes) {
  OperationState state(getLoc(), name);
  state.addOperands(operands);
  state.addTypes(RankedTensorType::get(shape, elementType));
  state.addAttributes(attributes);
  return builder.create(state)->getResult(0);
}

/// A number that is exact in every type, or one at the edge of the type.
TypedAttr ProgramBuilder::pickNumber(Type elementType) {
  auto type = dyn_cast<FloatType>(elementType);
  if (!type)
    return builder.getIntegerAttr(elementType, elementType.isInteger(1)
                                                   ? random.below(2)
                                                   : random.between(-8, 7));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  if (random.chance(15)) {
    bool negative = random.chance(50);
    switch (random.below(5)) {
    case 0:
      return FloatAttr::get(type, APFloat::getNaN(semantics));
    case 1:
      if (APFloat::semanticsHasInf(semantics))
        return FloatAttr::get(type, APFloat::getInf(semantics, negative));
      break;
    case 2:
      return FloatAttr::get(type, APFloat::getZero(semantics, negative));
    case 3:
      return FloatAttr::get(type, APFloat::getLargest(semantics, negative));
    default:
      return FloatAttr::get(type, APFloat::getSmallest(semantics, negative));
    }
  }
  static constexpr double numbers[] = {0.0, 0.5,  1.0, -1.0,
                                       2.0, -1.5, 3.0, -0.25};
  return FloatAttr::get(type, random.pick<double>(numbers));
}

Value ProgramBuilder::addSplatConstant(ArrayRef<int64_t> shape,
                                       TypedAttr value) {
  auto type = RankedTensorType::get(shape, value.getType());
  return arith::ConstantOp::create(builder, getLoc(),
                                   DenseElementsAttr::get(type, value));
}

Value ProgramBuilder::makeConstant(const Space &space, Type elementType) {
  constexpr int64_t mostElements = 16;
  int64_t count = ShapedType::getNumElements(space.shape);
  if (count == 0 || count > mostElements || random.chance(70))
    return addSplatConstant(space.shape, pickNumber(elementType));
  SmallVector<Attribute> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(pickNumber(elementType));
  auto type = RankedTensorType::get(space.shape, elementType);
  return arith::ConstantOp::create(builder, getLoc(),
                                   DenseElementsAttr::get(type, elements));
}

Value ProgramBuilder::makeSplat(const Space &space, Type elementType) {
  Value scalar =
      random.chance(50)
          ? Value(function.getBody().addArgument(elementType, getLoc()))
          : Value(arith::ConstantOp::create(builder, getLoc(),
                                            pickNumber(elementType)));
  return create("tensor.splat", scalar, elementType, space.shape);
}

Value ProgramBuilder::addConstant(Space &space, Type elementType) {
  return join(makeConstant(space, elementType), space);
}

Value ProgramBuilder::addSplat(Space &space, Type elementType) {
  return join(makeSplat(space, elementType), space);
}

/// The element type of a value of the space, but not i1; if there is none, one
/// for an argument.
Type ProgramBuilder::pickPresentType(const Space &space) {
  SmallVector<Type> present;
  for (const Space *from = &space; from; from = from->earlier)
    for (Value value : from->values)
      if (Type type = getElementTypeOrSelf(value); !type.isInteger(1))
        present.push_back(type);
  if (!present.empty())
    return random.pick<Type>(present);
  Type type = pickMemoryType();
  while (type.isInteger(1))
    type = pickMemoryType();
  return type;
}

/// A comparison of two values.
Value ProgramBuilder::makeCondition(Space &space) {
  Type type = pickPresentType(space);
  for (const OperationSpec &spec : getOperationSpecs())
    if (spec.form ==
        (isa<FloatType>(type) ? Form::FloatCompare : Form::IntegerCompare))
      return apply(spec, type, space);
  llvm_unreachable("the table has comparisons");
}

/// Directly, or by way of f32.
Value ProgramBuilder::convert(Value value, Type to, Space &space) {
  auto cast = [&](Value from, Type to) -> Value {
    SmallVector<const OperationSpec *> casts;
    for (const OperationSpec &spec : getOperationSpecs())
      if (spec.form == Form::Cast && spec.name != "arith.bitcast" &&
          llvm::is_contained(getCastResults(spec, getElementTypeOrSelf(from)),
                             to))
        casts.push_back(&spec);
    if (casts.empty())
      return nullptr;
    return applyCast(*random.pick<const OperationSpec *>(casts), from, to,
                     space);
  };
  if (getElementTypeOrSelf(value) == to)
    return value;
  if (Value direct = cast(value, to))
    return direct;
  Value single = convert(value, builder.getF32Type(), space);
  return single ? cast(single, to) : nullptr;
}

/// A cast of a value that is there, or of a new one.
Value ProgramBuilder::makeByCast(Space &space, Type elementType) {
  Type from = pickPresentType(space);
  if (from == elementType || (elementType.isInteger(1)))
    return nullptr;
  return convert(getValue(space, from), elementType, space);
}

/// Puts `value` into the space; where the program must hang together, a
/// combination with what was there before instead.
Value ProgramBuilder::join(Value value, Space &space) {
  Type type = getElementTypeOrSelf(value);
  SmallVector<Value> others =
      llvm::filter_to_vector(space.values, [](Value other) {
        return !getElementTypeOrSelf(other).isInteger(1);
      });
  if (!rules.joins || others.empty() || type.isInteger(1))
    return put(space, value);
  Value other = convert(random.pick<Value>(others), type, space);
  static constexpr StringLiteral ofFloats[] = {"arith.addf", "arith.subf",
                                               "arith.mulf", "arith.maximumf"};
  static constexpr StringLiteral ofIntegers[] = {"arith.addi", "arith.xori",
                                                 "arith.minsi"};
  StringRef name = isa<FloatType>(type)
                       ? random.pick<StringLiteral>(ofFloats)
                       : random.pick<StringLiteral>(ofIntegers);
  return put(space, create(name, {value, other}, type, space.shape));
}

Value ProgramBuilder::makeValue(Space &space, Type elementType) {
  bool inMemory = rules.allowsInMemory(elementType) && space.takesArguments;
  if (elementType.isInteger(1) && (!inMemory || random.chance(60)))
    return makeCondition(space);
  bool isEmpty = space.values.empty() && !space.earlier;
  if (!inMemory || (!isEmpty && random.chance(40)))
    if (Value cast = makeByCast(space, elementType))
      return cast;
  // Without an argument everything would fold.
  bool wantsArgument = rules.joins && isEmpty;
  if (!inMemory || (random.chance(15) && !wantsArgument))
    return addConstant(space, elementType);
  if (random.chance(10) && !wantsArgument)
    return addSplat(space, elementType);
  return join(function.getBody().addArgument(
                  RankedTensorType::get(space.shape, elementType), getLoc()),
              space);
}

/// A value for a second operand: equal ones fold.
Value ProgramBuilder::getOther(Space &space, Type elementType, Value than) {
  Value value = getValue(space, elementType);
  for (int attempt = 0; attempt < 3 && value == than; ++attempt)
    value = getValue(space, elementType);
  return value;
}

Value ProgramBuilder::getValue(Space &space, Type elementType) {
  SmallVector<Value> choices;
  for (Space *from = &space; from; from = from->earlier)
    for (Value value : from->values)
      if (getElementTypeOrSelf(value) == elementType)
        choices.push_back(value);
  if (choices.empty() || random.chance(15))
    return makeValue(space, elementType);
  // Later values more often, so that programs become deep.
  size_t first = random.chance(50) ? choices.size() / 2 : 0;
  return choices[random.between(first, choices.size() - 1)];
}

//===----------------------------------------------------------------------===//
// Element-wise operations
//===----------------------------------------------------------------------===//

/// Flags that change no result beyond its bounds.
void ProgramBuilder::addFlags(StringRef name,
                              SmallVectorImpl<NamedAttribute> &attributes) {
  RegisteredOperationName registered =
      *RegisteredOperationName::lookup(name, builder.getContext());
  if (rules.exactOnly || !random.chance(15) ||
      !registered.hasInterface<arith::ArithFastMathInterface>())
    return;
  auto flags = random.chance(50) ? arith::FastMathFlags::contract
                                 : arith::FastMathFlags::reassoc |
                                       arith::FastMathFlags::contract;
  attributes.push_back(builder.getNamedAttr(
      "fastmath", arith::FastMathFlagsAttr::get(builder.getContext(), flags)));
}

/// `value` within the range of every integer type; NaN becomes a number.
Value ProgramBuilder::clamp(Value value, bool isSigned) {
  auto type = cast<RankedTensorType>(value.getType());
  auto bound = [&](double number) {
    return addSplatConstant(type.getShape(),
                            FloatAttr::get(type.getElementType(), number));
  };
  constexpr double most = 96.0; // 1.5 * 2^6: exact in every type
  Value low = create("arith.maxnumf", {value, bound(isSigned ? -most : 0.0)},
                     type.getElementType(), type.getShape());
  return create("arith.minnumf", {low, bound(most)}, type.getElementType(),
                type.getShape());
}

Value ProgramBuilder::applyCast(const OperationSpec &spec, Value value, Type to,
                                Space &space) {
  Type from = getElementTypeOrSelf(value);
  // Out of the range of the integer the result is undefined, and of a NaN only
  // that it is one.
  if (isa<FloatType>(from) && isa<IntegerType>(to))
    value = clamp(value, spec.name != "arith.fptoui");
  return put(space, create(spec.name, value, to, space.shape));
}

Value ProgramBuilder::applyInteger(const OperationSpec &spec, Type elementType,
                                   Space &space) {
  Value left = getValue(space, elementType), right;
  auto constant = [&](int64_t number) {
    return addSplatConstant(space.shape,
                            builder.getIntegerAttr(elementType, number));
  };
  if (spec.form == Form::IntegerDivision) {
    static constexpr int64_t divisors[] = {2, 3, 5, 7, 64};
    right = constant(random.pick<int64_t>(divisors));
  } else if (spec.form == Form::IntegerShift) {
    int64_t last = elementType.getIntOrFloatBitWidth() - 1;
    right = random.chance(50)
                ? constant(random.between(0, last))
                : create("arith.andi",
                         {getValue(space, elementType), constant(last)},
                         elementType, space.shape);
  } else {
    right = getOther(space, elementType, left);
  }
  return put(space, create(spec.name, {left, right}, elementType, space.shape));
}

Value ProgramBuilder::apply(const OperationSpec &spec, Type elementType,
                            Space &space) {
  SmallVector<NamedAttribute> attributes;
  addFlags(spec.name, attributes);
  auto get = [&] { return getValue(space, elementType); };
  Type result = elementType;
  SmallVector<Value> operands;
  switch (spec.form) {
  case Form::IntegerBinary:
  case Form::IntegerDivision:
  case Form::IntegerShift:
    return applyInteger(spec, elementType, space);
  case Form::Cast: {
    SmallVector<Type> results = getCastResults(spec, elementType);
    llvm::erase_if(results, [&](Type type) { return !rules.allows(type); });
    return applyCast(spec, get(), random.pick<Type>(results), space);
  }
  case Form::FloatTernary:
    if (spec.name == "math.clampf")
      // Bounds in the wrong order, or NaN, say nothing.
      operands = {
          get(),
          addSplatConstant(space.shape, FloatAttr::get(elementType, -1.0)),
          addSplatConstant(space.shape, FloatAttr::get(elementType, 1.5))};
    else
      operands = {get(), get(), get()};
    break;
  case Form::FloatPower:
    operands = {get(),
                addSplatConstant(space.shape, builder.getI32IntegerAttr(
                                                  random.between(-3, 4)))};
    break;
  case Form::FloatPredicate:
    operands = {get()};
    result = builder.getI1Type();
    break;
  case Form::FloatCompare:
  case Form::IntegerCompare: {
    bool isFloat = spec.form == Form::FloatCompare;
    operands = {get()};
    operands.push_back(getOther(space, elementType, operands[0]));
    result = builder.getI1Type();
    attributes.push_back(builder.getNamedAttr(
        "predicate",
        builder.getI64IntegerAttr(random.below(isFloat ? 16 : 10))));
    break;
  }
  case Form::Select:
    operands = {getValue(space, builder.getI1Type()), get(), get()};
    break;
  case Form::FloatUnary:
  case Form::IntegerUnary:
    operands = {get()};
    break;
  default:
    operands = {get()};
    operands.push_back(getOther(space, elementType, operands[0]));
    break;
  }
  if (spec.wantsPositive && random.chance(80))
    operands[0] = create("math.absf", operands[0], elementType, space.shape);
  return put(space,
             create(spec.name, operands, result, space.shape, attributes));
}

//===----------------------------------------------------------------------===//
// Between spaces
//===----------------------------------------------------------------------===//

Value ProgramBuilder::reduce(StringRef kind, Value input,
                             ArrayRef<int64_t> dims, Space &space) {
  Type type = getElementTypeOrSelf(input);
  SmallVector<Type> wider{type};
  if (isa<FloatType>(type))
    for (Type other : getElementTypes(builder.getContext()))
      if (isa<FloatType>(other) && rules.allowsInMemory(other) &&
          other.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
        wider.push_back(other);
  Type result = random.chance(60) ? type : random.pick<Type>(wider);
  auto flags = !rules.exactOnly && random.chance(15)
                   ? arith::FastMathFlags::reassoc
                   : arith::FastMathFlags::none;
  return put(space, ReduceOp::create(builder, getLoc(),
                                     RankedTensorType::get(space.shape, result),
                                     *symbolizeReductionKind(kind), input, dims,
                                     flags));
}

Value ProgramBuilder::broadcast(Value input, ArrayRef<int64_t> dims,
                                Space &space) {
  Type type = getElementTypeOrSelf(input);
  return join(BroadcastOp::create(builder, getLoc(),
                                  RankedTensorType::get(space.shape, type),
                                  input, dims),
              space);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

SmallVector<Value> ProgramBuilder::getAllValues() {
  SmallVector<Value> values;
  for (BlockArgument argument : function.getBody().getArguments())
    if (isa<RankedTensorType>(argument.getType()))
      values.push_back(argument);
  for (Operation &op : function.getBody().front())
    for (Value result : op.getResults())
      if (isa<RankedTensorType>(result.getType()))
        values.push_back(result);
  return values;
}

SmallVector<Value> ProgramBuilder::getConnected(Value root) {
  llvm::SetVector<Value> found;
  found.insert(root);
  // Constants are copied to whoever uses them.
  auto add = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()) &&
        !value.getDefiningOp<arith::ConstantOp>())
      found.insert(value);
  };
  for (size_t next = 0; next < found.size(); ++next) {
    Value value = found[next];
    if (Operation *op = value.getDefiningOp())
      llvm::for_each(op->getOperands(), add);
    for (Operation *user : value.getUsers())
      llvm::for_each(user->getResults(), add);
  }
  return llvm::filter_to_vector(
      getAllValues(), [&](Value value) { return found.contains(value); });
}

OwningOpRef<ModuleOp> ProgramBuilder::finish(ArrayRef<Value> results) {
  func::ReturnOp::create(builder, getLoc(), results);
  function.setFunctionType(builder.getFunctionType(
      function.getBody().getArgumentTypes(), ValueRange(results).getTypes()));
  return std::move(module);
}
