//===- Graph.cpp - The demand graph of the reference ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "OpRegistry.h"
#include "SignedZeros.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

//===----------------------------------------------------------------------===//
// Node
//===----------------------------------------------------------------------===//

void Node::allocate(bool withErrors) {
  auto count = static_cast<size_t>(std::max<int64_t>(numElements, 1));
  // Not value-initialised: every element is written.
  if (isFloat())
    held.floats.reset(new double[count]);
  else
    held.integers.reset(new int64_t[count]);
  if (withErrors && !exact)
    held.errors.reset(new double[count]);
}

template <typename T>
static void copyStrided(const T *in, int64_t stride, int64_t count, T *out) {
  if (stride == 1)
    std::copy(in, in + count, out);
  else if (stride == 0)
    std::fill(out, out + count, *in);
  else
    for (int64_t i = 0; i < count; ++i)
      out[i] = in[i * stride];
}

/// Reads a strided range of typed elements.
static void loadTyped(const HostTensor &tensor, int64_t first, int64_t stride,
                      int64_t count, double *floats, int64_t *integers) {
  auto read = [&](int64_t at, int64_t size, int64_t to) {
    if (floats)
      tensor.readAsDouble(at, size, floats + to);
    else
      tensor.readAsInteger(at, size, integers + to);
  };
  if (stride == 1)
    return read(first, count, 0);
  if (stride != 0) {
    for (int64_t i = 0; i < count; ++i)
      read(first + i * stride, 1, i);
    return;
  }
  read(first, 1, 0);
  if (floats)
    std::fill(floats + 1, floats + count, floats[0]);
  else
    std::fill(integers + 1, integers + count, integers[0]);
}

void Node::load(int64_t first, int64_t stride, int64_t count, double *floats,
                int64_t *integers, double *errors) const {
  if (count == 0)
    return;
  if (kind == Kind::Splat) {
    if (isFloat())
      std::fill(floats, floats + count, splatFloat);
    else
      std::fill(integers, integers + count, splatInteger);
  } else if (kind == Kind::Source) {
    loadTyped(source, first, stride, count, floats, integers);
  } else if (isFloat()) {
    copyStrided(held.floats.get() + first, stride, count, floats);
  } else {
    copyStrided(held.integers.get() + first, stride, count, integers);
  }
  if (!errors)
    return;
  if (held.errors)
    copyStrided(held.errors.get() + first, stride, count, errors);
  else
    std::fill(errors, errors + count, 0.0);
}

SmallVector<int64_t> reference::getRowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

//===----------------------------------------------------------------------===//
// GraphBuilder: values
//===----------------------------------------------------------------------===//

SmallVector<Node *> GraphBuilder::lookup(ValueRange range) const {
  return llvm::map_to_vector(range, [&](Value v) { return lookup(v); });
}

/// More elements than a tensor of a correct program has; extents that are out
/// of range are an error instead of an endless evaluation.
static constexpr int64_t maxElements = int64_t(1) << 36;

/// The operation that an error about `value` is reported at.
static InFlightDiagnostic emitErrorAt(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op->emitOpError();
  return emitError(value.getLoc());
}

LogicalResult GraphBuilder::bind(Value value, Node *node) {
  Type type = value.getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if ((isa<ShapedType>(type) && !tensor) ||
      getStorageBytes(getElementTypeOrSelf(type)) == 0)
    return emitErrorAt(value)
           << "expected scalars and ranked tensors of the element types of the "
              "fusion dialect, but found "
           << type << " (reference interpreter)";
  assert(getElementTypeOrSelf(type) == node->elementType &&
         "the node has another element type");
  if (llvm::any_of(node->shape, [](int64_t extent) { return extent < 0; }))
    return emitErrorAt(value) << "expected extents of at least 0, but found ["
                              << ArrayRef<int64_t>(node->shape) << "]";
  if (node->numElements > maxElements)
    return emitErrorAt(value) << "the reference evaluates at most "
                              << maxElements << " elements, but found extents ["
                              << ArrayRef<int64_t>(node->shape) << "]";
  ArrayRef<int64_t> expected = tensor ? tensor.getShape() : ArrayRef<int64_t>();
  bool fits = expected.size() == node->shape.size();
  for (size_t i = 0; fits && i < expected.size(); ++i)
    fits = ShapedType::isDynamic(expected[i]) || expected[i] == node->shape[i];
  fits |= !tensor && space && node->shape == *space;
  if (!fits)
    return emitErrorAt(value)
           << "expected extents that fit " << type << ", but evaluation gives ["
           << ArrayRef<int64_t>(node->shape) << "]";
  values[value] = node;
  return success();
}

LogicalResult GraphBuilder::add(Operation *op) {
  const OpRegistry::Handler *handler =
      OpRegistry::get().lookup(op->getName().getStringRef());
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!handler && !structured)
    return op->emitError() << "the reference does not interpret '"
                           << op->getName() << "'";
  for (Value operand : op->getOperands())
    if (!lookup(operand))
      return op->emitError()
             << "expected operands that the reference can evaluate, but found "
             << operand.getType() << " from elsewhere";
  for (Type type : op->getResultTypes())
    if (getStorageBytes(getElementTypeOrSelf(type)) == 0)
      return op->emitError()
             << "the reference does not take values of type " << type;
  return handler ? (*handler)(op, *this) : addLinalgOp(structured, *this);
}

LogicalResult GraphBuilder::add(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(add(&op)))
      return failure();
  return success();
}

bool GraphBuilder::enterFunction(Operation *function) {
  if (llvm::is_contained(functions, function))
    return false;
  functions.push_back(function);
  return true;
}

FailureOr<Node *> GraphBuilder::addOn(Operation *op, ArrayRef<Node *> operands,
                                      ArrayRef<int64_t> space) {
  SmallVector<Node *> before = lookup(op->getOperands());
  Node *resultBefore = lookup(op->getResult(0));
  for (auto [operand, node] : llvm::zip(op->getOperands(), operands))
    values[operand] = node;
  enterSpace(space);
  LogicalResult added = add(op);
  leaveSpace();
  Node *result = lookup(op->getResult(0));
  for (auto [operand, node] : llvm::zip(op->getOperands(), before))
    values[operand] = node;
  values[op->getResult(0)] = resultBefore;
  if (failed(added))
    return failure();
  return result;
}

FailureOr<int64_t> GraphBuilder::getInteger(Operation *op, Value scalar) {
  return getInteger(op, lookup(scalar));
}

FailureOr<int64_t> GraphBuilder::getInteger(Operation *op, Node *scalar) {
  Node &node = scalar->core();
  assert(!node.isFloat() && node.numElements == 1 && "not an integer scalar");
  if (!node.isAvailable() && node.kind != Node::Kind::Splat) {
    node.mustHold = true;
    if (failed(evaluateNodes({&node}, {}, options, [](const ResultTile &) {})))
      return failure();
  }
  int64_t value;
  node.load(0, 1, 1, nullptr, &value, nullptr);
  return value;
}

FailureOr<SmallVector<int64_t>>
GraphBuilder::getIntegers(Operation *op, ArrayRef<int64_t> constants,
                          ValueRange dynamic) {
  SmallVector<int64_t> result(constants);
  size_t next = 0;
  for (int64_t &value : result) {
    if (!ShapedType::isDynamic(value))
      continue;
    FailureOr<int64_t> integer = getInteger(op, dynamic[next++]);
    if (failed(integer))
      return failure();
    value = *integer;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// GraphBuilder: nodes
//===----------------------------------------------------------------------===//

Node *GraphBuilder::create(Node::Kind kind, Operation *op, Type elementType,
                           ArrayRef<int64_t> shape) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->op = op;
  node->elementType = elementType;
  node->shape.assign(shape.begin(), shape.end());
  for (int64_t extent : shape)
    if (llvm::MulOverflow(node->numElements, extent, node->numElements))
      node->numElements = std::numeric_limits<int64_t>::max();
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

Node *GraphBuilder::createSource(HostTensor tensor, Operation *op) {
  Node *node = create(Node::Kind::Source, op, tensor.getElementType(),
                      tensor.getShape());
  node->source = std::move(tensor);
  return node;
}

Node *GraphBuilder::createSplat(Operation *op, Type elementType,
                                ArrayRef<int64_t> shape, const APFloat &value) {
  Node *node = create(Node::Kind::Splat, op, elementType, shape);
  APFloat converted = value;
  bool losesInfo;
  converted.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
  node->splatFloat = converted.convertToDouble();
  return node;
}

Node *GraphBuilder::createSplat(Operation *op, Type elementType,
                                ArrayRef<int64_t> shape, int64_t value) {
  Node *node = create(Node::Kind::Splat, op, elementType, shape);
  node->splatInteger = value;
  return node;
}

/// True for floats of at most 32 bits.
static bool isSingle(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 32;
}

FailureOr<Node *> GraphBuilder::createElementwise(Operation *op,
                                                  Type elementType,
                                                  ArrayRef<Node *> operands,
                                                  ElementwiseFunction function,
                                                  Rounding rounding) {
  Node *shaped = operands.front();
  for (Node *operand : operands)
    if (operand->shape.size() > shaped->shape.size())
      shaped = operand;
  SmallVector<Node *> aligned;
  for (Node *operand : operands) {
    if (operand->shape.empty() && !shaped->shape.empty()) {
      SmallVector<ViewDim> dims(shaped->shape.size(), ViewDim{-1, 0});
      operand = createView(op, operand, shaped->shape, dims, {});
    }
    if (operand->shape != shaped->shape)
      return op->emitOpError()
             << "expected operands of equal extents, but found ["
             << ArrayRef<int64_t>(shaped->shape) << "] and ["
             << ArrayRef<int64_t>(operand->shape) << "]";
    aligned.push_back(operand);
  }
  Node *node = create(Node::Kind::Elementwise, op, elementType, shaped->shape);
  node->operands = aligned;
  node->function = std::move(function);
  node->rounding = rounding;
  node->exact = rounding.units == 0.0 &&
                llvm::all_of(aligned, [](Node *n) { return n->exact; });
  // Operations on narrow types round to few bits, which the reference does not
  // do in double precision.
  bool isNarrow =
      rounding.units != 0.0 && elementType.getIntOrFloatBitWidth() < 32;
  node->hasSteps = isNarrow || (rounding.isStep && !node->exact) ||
                   llvm::any_of(aligned, [](Node *n) { return n->hasSteps; });
  node->roundsToSingle =
      (rounding.units != 0.0 && isSingle(elementType)) ||
      llvm::any_of(aligned, [](Node *n) { return n->roundsToSingle; });
  node->hasSignedZeros = hasIEEEZeros(op) && llvm::all_of(aligned, [](Node *n) {
                           return n->hasSignedZeros;
                         });
  node->rounding.keepsZeros = node->hasSignedZeros;
  return node;
}

Node *GraphBuilder::createReshape(Operation *op, Node *operand,
                                  ArrayRef<int64_t> shape) {
  Node *node = create(Node::Kind::Reshape, op, operand->elementType, shape);
  assert(node->numElements == operand->numElements && "not a reshape");
  node->operands = {&operand->core()};
  node->exact = operand->exact;
  node->hasSteps = operand->hasSteps;
  node->roundsToSingle = operand->roundsToSingle;
  node->hasSignedZeros = operand->hasSignedZeros;
  return node;
}

/// True if walking `shape` with `strides` visits consecutive elements.
static bool isRowMajor(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  SmallVector<int64_t> rowMajor = getRowMajorStrides(shape);
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1 && strides[i] != rowMajor[i])
      return false;
  return true;
}

Node *GraphBuilder::createView(Operation *op, Node *operand,
                               ArrayRef<int64_t> shape, ArrayRef<ViewDim> dims,
                               ArrayRef<int64_t> offsets) {
  size_t numIndices = shape.size();
  SmallVector<SmallVector<int64_t>> positions(
      operand->shape.size(), SmallVector<int64_t>(numIndices + 1, 0));
  for (auto [index, dim] : llvm::enumerate(dims))
    if (dim.operandDim >= 0)
      positions[dim.operandDim][index] = dim.step;
  for (auto [position, offset] : llvm::zip(positions, offsets))
    position[numIndices] = offset;
  return createLinearView(op, operand, shape, positions);
}

Node *GraphBuilder::createLinearView(Operation *op, Node *operand,
                                     ArrayRef<int64_t> shape,
                                     ArrayRef<SmallVector<int64_t>> positions) {
  // A view of a view is one view. A repeated value is repeated once more.
  bool isView = operand->kind == Node::Kind::View;
  Node *base = isView ? operand->operands.front() : &operand->core();
  SmallVector<int64_t> operandStrides =
      isView ? operand->strides : getRowMajorStrides(operand->shape);
  int64_t offset = isView ? operand->offset : 0;
  SmallVector<int64_t> strides(shape.size(), 0);
  for (auto [position, stride] : llvm::zip(positions, operandStrides)) {
    for (size_t index = 0; index < shape.size(); ++index)
      strides[index] += position[index] * stride;
    offset += position[shape.size()] * stride;
  }

  Node *node = create(Node::Kind::View, op, operand->elementType, shape);
  node->operands = {base};
  node->exact = operand->exact;
  node->hasSteps = operand->hasSteps;
  node->roundsToSingle = operand->roundsToSingle;
  node->hasSignedZeros = operand->hasSignedZeros;
  if (base->kind == Node::Kind::Splat) {
    node->kind = Node::Kind::Splat;
    node->operands.clear();
    node->splatFloat = base->splatFloat;
    node->splatInteger = base->splatInteger;
  } else if (offset == 0 && node->numElements == base->numElements &&
             isRowMajor(shape, strides)) {
    node->kind = Node::Kind::Reshape;
  } else {
    node->offset = offset;
    node->strides = strides;
    base->mustHold = base->kind != Node::Kind::Source;
  }
  return node;
}

Node *GraphBuilder::createReduce(Operation *op, ReductionKind kind,
                                 Type elementType, Type accumulatorType,
                                 Node *operand, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(operand->shape))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      shape.push_back(extent);
  Node *node = create(Node::Kind::Reduce, op, elementType, shape);
  node->operands = {operand};
  node->reductionKind = kind;
  node->reducedDims.assign(dims.begin(), dims.end());
  node->accumulatorType = accumulatorType;
  node->mustHold = true;
  bool rounds = isa<FloatType>(elementType) &&
                (kind == ReductionKind::Add || kind == ReductionKind::Mul);
  node->exact = operand->exact && !rounds;
  bool roundsTotal = elementType != accumulatorType && rounds;
  node->hasSteps = operand->hasSteps || roundsTotal;
  node->roundsToSingle =
      operand->roundsToSingle || (rounds && isSingle(elementType));
  node->hasSignedZeros = operand->hasSignedZeros && hasIEEEZeros(op);
  return node;
}

Node *GraphBuilder::createComputed(Operation *op, Type elementType,
                                   ArrayRef<int64_t> shape,
                                   ArrayRef<Node *> operands, Rounding rounding,
                                   std::function<void(Node &)> compute) {
  Node *node = create(Node::Kind::Computed, op, elementType, shape);
  node->exact = rounding.units == 0.0;
  node->hasSignedZeros = hasIEEEZeros(op);
  node->roundsToSingle = !node->exact && isSingle(elementType);
  for (Node *operand : operands) {
    Node &core = operand->core();
    if (core.kind != Node::Kind::Source && core.kind != Node::Kind::Splat)
      core.mustHold = true;
    node->operands.push_back(&core);
    node->exact &= operand->exact;
    node->hasSteps |= operand->hasSteps;
    node->roundsToSingle |= operand->roundsToSingle;
    node->hasSignedZeros &= operand->hasSignedZeros;
  }
  node->compute = std::move(compute);
  node->mustHold = true;
  return node;
}
