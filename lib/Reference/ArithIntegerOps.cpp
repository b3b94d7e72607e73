//===- ArithIntegerOps.cpp - Integer operations, constants, select --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers wrap around at their width. Where arith says "poison" the reference
// has a value that does not depend on the host: shifts by the width or more
// shift everything out. Division by zero is an error.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "OpRegistry.h"
#include "ScalarSemantics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

unsigned reference::getIntegerWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<IndexType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

//===----------------------------------------------------------------------===//
// Binary operations
//===----------------------------------------------------------------------===//

/// Registers an operation given by `value(a, b, width)` on carried integers.
template <typename OpT, typename ValueFn>
static void addBinary(OpRegistry &registry, ValueFn value) {
  registry.addElementwise<OpT>(
      [value](OpT op, const ReferenceOptions &) {
        unsigned width = getIntegerWidth(op.getType());
        return makeIntegerBinary(
            [=](int64_t a, int64_t b) { return value(a, b, width); },
            width == 1);
      },
      Rounding::none());
}

/// Registers a division given by `value(a, b, width)` for b != 0.
template <typename OpT, typename ValueFn>
static void addDivision(OpRegistry &registry, ValueFn value) {
  registry.addElementwise<OpT>(
      [value](OpT op, const ReferenceOptions &) -> ElementwiseFunction {
        unsigned width = getIntegerWidth(op.getType());
        return [=](const Tile &tile) {
          const int64_t *a = tile.operands[0].integers;
          const int64_t *b = tile.operands[1].integers;
          for (int64_t i = 0; i < tile.count; ++i) {
            if (b[i] == 0)
              tile.failure->store("expected divisors other than 0, but found 0 "
                                  "(reference interpreter)");
            tile.integers[i] = b[i] == 0 ? 0 : value(a[i], b[i], width);
          }
          propagateUncertainty(tile, width == 1);
        };
      },
      Rounding::none());
}

/// a / b rounded towards zero; the overflow of least / -1 wraps around.
static int64_t divideSigned(int64_t a, int64_t b) {
  if (b == -1)
    return static_cast<int64_t>(-static_cast<uint64_t>(a));
  return a / b;
}

static int64_t remainderSigned(int64_t a, int64_t b) {
  return b == -1 ? 0 : a % b;
}

static void registerDivisions(OpRegistry &registry) {
  addDivision<arith::DivUIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return wrap(asUnsigned(a, w) / asUnsigned(b, w), w);
  });
  addDivision<arith::RemUIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return wrap(asUnsigned(a, w) % asUnsigned(b, w), w);
  });
  addDivision<arith::CeilDivUIOp>(
      registry, [](int64_t a, int64_t b, unsigned w) {
        uint64_t x = asUnsigned(a, w), y = asUnsigned(b, w);
        return wrap(x / y + (x % y != 0), w);
      });
  addDivision<arith::DivSIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return wrap(divideSigned(asSigned(a, w), asSigned(b, w)), w);
  });
  addDivision<arith::RemSIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return wrap(remainderSigned(asSigned(a, w), asSigned(b, w)), w);
  });
  addDivision<arith::CeilDivSIOp>(
      registry, [](int64_t a, int64_t b, unsigned w) {
        int64_t x = asSigned(a, w), y = asSigned(b, w);
        bool up = remainderSigned(x, y) != 0 && (x < 0) == (y < 0);
        return wrap(static_cast<uint64_t>(divideSigned(x, y)) + up, w);
      });
  addDivision<arith::FloorDivSIOp>(
      registry, [](int64_t a, int64_t b, unsigned w) {
        int64_t x = asSigned(a, w), y = asSigned(b, w);
        bool down = remainderSigned(x, y) != 0 && (x < 0) != (y < 0);
        return wrap(static_cast<uint64_t>(divideSigned(x, y)) - down, w);
      });
}

static void registerBinaryOps(OpRegistry &registry) {
  addBinary<arith::AddIOp>(registry, [](uint64_t a, uint64_t b, unsigned w) {
    return wrap(a + b, w);
  });
  addBinary<arith::SubIOp>(registry, [](uint64_t a, uint64_t b, unsigned w) {
    return wrap(a - b, w);
  });
  addBinary<arith::MulIOp>(registry, [](uint64_t a, uint64_t b, unsigned w) {
    return wrap(a * b, w);
  });
  addBinary<arith::AndIOp>(
      registry, [](int64_t a, int64_t b, unsigned) { return a & b; });
  addBinary<arith::OrIOp>(registry,
                          [](int64_t a, int64_t b, unsigned) { return a | b; });
  addBinary<arith::XOrIOp>(
      registry, [](int64_t a, int64_t b, unsigned) { return a ^ b; });
  addBinary<arith::MaxSIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return asSigned(a, w) < asSigned(b, w) ? b : a;
  });
  addBinary<arith::MinSIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return asSigned(b, w) < asSigned(a, w) ? b : a;
  });
  addBinary<arith::MaxUIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return asUnsigned(a, w) < asUnsigned(b, w) ? b : a;
  });
  addBinary<arith::MinUIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    return asUnsigned(b, w) < asUnsigned(a, w) ? b : a;
  });
  addBinary<arith::ShLIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    uint64_t shift = asUnsigned(b, w);
    return shift >= w ? 0 : wrap(static_cast<uint64_t>(a) << shift, w);
  });
  addBinary<arith::ShRUIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    uint64_t shift = asUnsigned(b, w);
    return shift >= w ? 0 : wrap(asUnsigned(a, w) >> shift, w);
  });
  addBinary<arith::ShRSIOp>(registry, [](int64_t a, int64_t b, unsigned w) {
    uint64_t shift = std::min<uint64_t>(asUnsigned(b, w), w - 1);
    return wrap(asSigned(a, w) >> shift, w);
  });
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                    unsigned width) {
  using P = arith::CmpIPredicate;
  int64_t x = asSigned(a, width), y = asSigned(b, width);
  uint64_t ux = asUnsigned(a, width), uy = asUnsigned(b, width);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return x < y;
  case P::sle:
    return x <= y;
  case P::sgt:
    return x > y;
  case P::sge:
    return x >= y;
  case P::ult:
    return ux < uy;
  case P::ule:
    return ux <= uy;
  case P::ugt:
    return ux > uy;
  case P::uge:
    return ux >= uy;
  }
  llvm_unreachable("unknown predicate");
}

static ElementwiseFunction makeCmpI(arith::CmpIOp op,
                                    const ReferenceOptions &) {
  unsigned width = getIntegerWidth(op.getLhs().getType());
  return makeIntegerBinary(
      [predicate = op.getPredicate(), width](int64_t a, int64_t b) -> int64_t {
        return compare(predicate, a, b, width);
      },
      /*isBool=*/true);
}

/// The error of the branch taken; where the condition is uncertain the result
/// may also be the other branch.
static void selectErrors(const Tile &tile, bool isFloat) {
  const TileOperand &condition = tile.operands[0], &yes = tile.operands[1],
                    &no = tile.operands[2];
  for (int64_t i = 0; i < tile.count; ++i) {
    const TileOperand &taken = condition.integers[i] ? yes : no;
    tile.errors[i] = taken.errors[i];
    if (condition.errors[i] == 0.0)
      continue;
    double distance = isFloat ? std::fabs(yes.floats[i] - no.floats[i])
                              : std::fabs(static_cast<double>(yes.integers[i]) -
                                          static_cast<double>(no.integers[i]));
    const TileOperand &other = condition.integers[i] ? no : yes;
    // Of two zeros the sign is unknown.
    if (isFloat && yes.floats[i] == no.floats[i])
      distance = unknownSign;
    tile.errors[i] = std::max(taken.errors[i], distance + other.errors[i]);
  }
}

static ElementwiseFunction makeSelect(arith::SelectOp op,
                                      const ReferenceOptions &) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op.getType()));
  return [=](const Tile &tile) {
    const int64_t *condition = tile.operands[0].integers;
    const TileOperand &yes = tile.operands[1], &no = tile.operands[2];
    if (isFloat)
      for (int64_t i = 0; i < tile.count; ++i)
        tile.floats[i] = condition[i] ? yes.floats[i] : no.floats[i];
    else
      for (int64_t i = 0; i < tile.count; ++i)
        tile.integers[i] = condition[i] ? yes.integers[i] : no.integers[i];
    if (tile.errors)
      selectErrors(tile, isFloat);
  };
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The elements of a dense attribute that is no splat.
static HostTensor readDense(DenseElementsAttr dense, RankedTensorType type) {
  HostTensor tensor(type.getElementType(), type.getShape());
  int64_t at = 0;
  if (isa<FloatType>(type.getElementType())) {
    for (APFloat value : dense.getValues<APFloat>()) {
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      double number = value.convertToDouble();
      tensor.writeFromDouble(at++, 1, &number);
    }
    return tensor;
  }
  unsigned width = getIntegerWidth(type);
  for (const APInt &value : dense.getValues<APInt>()) {
    int64_t number = wrap(value.getZExtValue(), width);
    tensor.writeFromInteger(at++, 1, &number);
  }
  return tensor;
}

/// The elements of a resource.
static FailureOr<HostTensor> readResource(Operation *op,
                                          DenseResourceElementsAttr resource,
                                          RankedTensorType type) {
  HostTensor tensor(type.getElementType(), type.getShape());
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob || blob->getData().size() != tensor.getSizeInBytes())
    return op->emitOpError() << "expected " << tensor.getSizeInBytes()
                             << " bytes in the resource, but found "
                             << (blob ? blob->getData().size() : 0);
  std::memcpy(tensor.getData(), blob->getData().data(),
              tensor.getSizeInBytes());
  return tensor;
}

FailureOr<Node *> GraphBuilder::createConstant(Operation *op, Attribute value,
                                               Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  Type element = getElementTypeOrSelf(type);
  auto repeat = [&](Attribute number, ArrayRef<int64_t> shape) {
    if (auto real = dyn_cast<FloatAttr>(number))
      return createSplat(op, element, shape, real.getValue());
    return createSplat(op, element, shape,
                       wrap(cast<IntegerAttr>(number).getValue().getZExtValue(),
                            getIntegerWidth(type)));
  };
  if (isa<FloatAttr, IntegerAttr>(value))
    return repeat(value, {});
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && tensor) {
    if (dense.isSplat())
      return repeat(dense.getSplatValue<Attribute>(), tensor.getShape());
    return createSource(readDense(dense, tensor), op);
  }
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value);
      resource && tensor && !element.isInteger(1)) {
    FailureOr<HostTensor> elements = readResource(op, resource, tensor);
    if (failed(elements))
      return failure();
    return createSource(std::move(*elements), op);
  }
  return op->emitOpError() << "the reference does not read constants of type "
                           << type << " in this form";
}

static LogicalResult addConstant(arith::ConstantOp op, GraphBuilder &graph) {
  FailureOr<Node *> node =
      graph.createConstant(op, op.getValue(), op.getType());
  return failed(node) ? failure() : graph.bind(op, *node);
}

void reference::registerArithIntegerOps(OpRegistry &registry) {
  registerBinaryOps(registry);
  registerDivisions(registry);
  registry.addElementwise<arith::CmpIOp>(makeCmpI, Rounding::none());
  registry.addElementwise<arith::SelectOp>(makeSelect, Rounding::none());
  registry.add<arith::ConstantOp>(addConstant);
}
