//===- ArithFloatOps.cpp - Floating-point operations of arith -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "OpRegistry.h"
#include "ScalarSemantics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// The error of the less or greater of two numbers: that of the chosen one
/// where the choice is clear, else the greater of both.
static auto makeChoiceError(double factor) {
  return [factor](double x, double y, double z, double ex, double ey) {
    double either = ex > ey ? ex : ey;
    bool isClear = std::fabs(x - y) > factor * (ex + ey);
    double chosen = z == x ? ex : ey;
    return isClear ? chosen : either;
  };
}

/// Registers a minimum or maximum.
template <typename OpT>
static void addChoice(OpRegistry &registry, double (*choose)(double, double)) {
  registry.addElementwise<OpT>(
      [=](OpT, const ReferenceOptions &options) {
        return makeBinary(choose, makeChoiceError(options.errorFactor));
      },
      Rounding::none());
}

/// The outcome of an ordered or unordered comparison.
static bool compare(arith::CmpFPredicate predicate, double x, double y) {
  using P = arith::CmpFPredicate;
  bool unordered = x != x || y != y;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return x == y;
  case P::OGT:
    return x > y;
  case P::OGE:
    return x >= y;
  case P::OLT:
    return x < y;
  case P::OLE:
    return x <= y;
  case P::ONE:
    return x < y || x > y;
  case P::ORD:
    return !unordered;
  case P::UEQ:
    return unordered || x == y;
  case P::UGT:
    return !(x <= y);
  case P::UGE:
    return !(x < y);
  case P::ULT:
    return !(x >= y);
  case P::ULE:
    return !(x > y);
  case P::UNE:
    return x != y;
  case P::UNO:
    return unordered;
  case P::AlwaysTrue:
    return true;
  }
  llvm_unreachable("unknown predicate");
}

/// A comparison is uncertain where the operands are closer than their errors,
/// and where one of them may be NaN or not. With a certain NaN it is certain.
static ElementwiseFunction makeCmpF(arith::CmpFOp op,
                                    const ReferenceOptions &options) {
  return [predicate = op.getPredicate(),
          factor = options.errorFactor](const Tile &tile) {
    const TileOperand &x = tile.operands[0], &y = tile.operands[1];
    for (int64_t i = 0; i < tile.count; ++i)
      tile.integers[i] = compare(predicate, x.floats[i], y.floats[i]);
    if (!tile.errors)
      return;
    for (int64_t i = 0; i < tile.count; ++i) {
      auto isCertainNaN = [i](const TileOperand &operand) {
        return operand.floats[i] != operand.floats[i] &&
               operand.errors[i] == 0.0;
      };
      double error = x.errors[i] + y.errors[i];
      double distance = std::fabs(x.floats[i] - y.floats[i]);
      bool isClear = error == 0.0 || distance > factor * error ||
                     isCertainNaN(x) || isCertainNaN(y);
      bool isDoubtful = mayBeFinite(x.floats[i], x.errors[i]) ||
                        mayBeFinite(y.floats[i], y.errors[i]);
      tile.errors[i] = isClear && !isDoubtful ? 0.0 : 1.0;
    }
  };
}

/// Fused multiply-add: one rounding of a * b + c. The product of two numbers of
/// at most 26 bits is exact in double; the sum is rounded to odd, so that a
/// later rounding to a narrower type is correct.
static double fuseMultiplyAdd(double a, double b, double c, bool isDouble) {
  if (isDouble)
    return std::fma(a, b, c);
  double product = a * b, sum = product + c;
  double part = sum - product;
  double lost = (product - (sum - part)) + (c - part);
  if (lost == 0.0 || !std::isfinite(sum) || lost != lost)
    return sum;
  bool isOdd = llvm::bit_cast<uint64_t>(sum) & 1;
  return isOdd
             ? sum
             : std::nextafter(
                   sum, lost > 0.0 ? std::numeric_limits<double>::infinity()
                                   : -std::numeric_limits<double>::infinity());
}

ElementwiseFunction reference::makeFma(Type elementType, double factor) {
  bool isDouble = isa<Float64Type>(elementType);
  return makeTernary(
      [=](double a, double b, double c) {
        return fuseMultiplyAdd(a, b, c, isDouble);
      },
      [=](double a, double b, double c, double, double ea, double eb,
          double ec) {
        return propagateSum(a * b, c, propagateProduct(a, b, ea, eb, factor),
                            ec);
      });
}

static void registerBinaryOps(OpRegistry &registry) {
  auto sumError = [](double x, double y, double, double ex, double ey) {
    return propagateSum(x, y, ex, ey);
  };
  registry.addElementwise<arith::AddFOp>(
      [=](arith::AddFOp, const ReferenceOptions &) {
        return makeBinary([](double x, double y) { return x + y; }, sumError);
      },
      Rounding{});
  registry.addElementwise<arith::SubFOp>(
      [=](arith::SubFOp, const ReferenceOptions &) {
        return makeBinary([](double x, double y) { return x - y; }, sumError);
      },
      Rounding{});
  registry.addElementwise<arith::MulFOp>(
      [](arith::MulFOp, const ReferenceOptions &options) {
        return makeBinary([](double x, double y) { return x * y; },
                          [factor = options.errorFactor](double x, double y,
                                                         double, double ex,
                                                         double ey) {
                            return propagateProduct(x, y, ex, ey, factor);
                          });
      },
      Rounding{});
  registry.addElementwise<arith::DivFOp>(
      [](arith::DivFOp, const ReferenceOptions &options) {
        return makeBinary([](double x, double y) { return x / y; },
                          [factor = options.errorFactor](double x, double y,
                                                         double z, double ex,
                                                         double ey) {
                            return propagateQuotient(x, y, z, ex, ey, factor);
                          });
      },
      Rounding{});
  // x - n y with n = trunc(x / y): a step where the quotient is nearly whole.
  registry.addElementwise<arith::RemFOp>(
      [](arith::RemFOp, const ReferenceOptions &options) {
        return makeBinary(
            [](double x, double y) { return std::fmod(x, y); },
            [factor = options.errorFactor](double x, double y, double,
                                           double ex, double ey) {
              if (ex == 0.0 && ey == 0.0)
                return 0.0;
              double quotient = std::fabs(x / y);
              double smooth = ex + propagate(std::trunc(quotient), ey);
              double moved = factor * (ex + propagate(quotient, ey));
              if (!(factor * ey < std::fabs(y)) || mayBeFinite(x, ex) ||
                  mayBeFinite(y, ey))
                return std::numeric_limits<double>::infinity();
              double reach = moved / (std::fabs(y) - factor * ey);
              bool isWhole =
                  std::floor(quotient - reach) != std::floor(quotient + reach);
              return isWhole ? smooth + std::fabs(y) + ey : smooth;
            });
      },
      Rounding{/*units=*/1.0, /*isStep=*/true});
}

void reference::registerArithFloatOps(OpRegistry &registry) {
  registerBinaryOps(registry);
  addChoice<arith::MaximumFOp>(registry, maximumF);
  addChoice<arith::MinimumFOp>(registry, minimumF);
  addChoice<arith::MaxNumFOp>(registry, maxNumF);
  addChoice<arith::MinNumFOp>(registry, minNumF);
  registry.addElementwise<arith::NegFOp>(
      [](arith::NegFOp, const ReferenceOptions &) {
        return makeUnary([](double x) { return -x; },
                         [](double, double, double ex) { return ex; });
      },
      Rounding::none());
  registry.addElementwise<arith::CmpFOp>(makeCmpF, Rounding::step());
}
