//===- MathOps.cpp - Operations of the math dialect -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are evaluated by the host's library in double. Their propagated
// errors are |f'(x)| ex; the error of the function itself is that of the table
// in MathAccuracy.cpp.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/MathAccuracy.h"
#include "Kernels.h"
#include "OpRegistry.h"
#include "ScalarSemantics.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

//===----------------------------------------------------------------------===//
// Functions that round
//===----------------------------------------------------------------------===//

/// Adds the node of a function with an entry in the table of accuracies. The
/// published errors count from the correctly rounded result, which is half a
/// unit in the last place, or one unit of roundoff, from the exact one.
static LogicalResult addRounding(Operation *op, GraphBuilder &graph,
                                 ElementwiseFunction function) {
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  std::optional<double> ulps =
      getMathAccuracyUlps(op->getName().getStringRef(), type);
  assert(ulps && "the operation is not in the table of accuracies");
  return OpRegistry::addElementwiseNode(
      op, graph, std::move(function),
      Rounding{1.0 + 2.0 * *ulps, /*isStep=*/false});
}

/// Registers a function of one number and its derivative(x, z) at z = f(x).
template <typename OpT, typename ValueFn, typename DerivativeFn>
static void addFunction(OpRegistry &registry, ValueFn value,
                        DerivativeFn derivative) {
  registry.add<OpT>([=](OpT op, GraphBuilder &graph) {
    double factor = graph.getOptions().errorFactor;
    return addRounding(
        op, graph, makeUnary(value, [=](double x, double z, double ex) {
          return propagateThrough(value, x, z, derivative(x, z), ex, factor);
        }));
  });
}

static constexpr double pi = 3.14159265358979323846;
static constexpr double ln2 = 0.69314718055994530942;
static constexpr double ln10 = 2.30258509299404568402;
static constexpr double twoOverSqrtPi = 1.12837916709551257390;

/// exp, with `afn` 2^(x log2(e)) in f32: the error of the product counts, which
/// the CUDA C++ Programming Guide gives for __expf as 1.173 |x| units in the
/// last place, and subnormal results become 0.
static LogicalResult addExp(math::ExpOp op, GraphBuilder &graph) {
  constexpr double ulpsOfOperand = 1.173;
  auto value = [](double x) { return std::exp(x); };
  double factor = graph.getOptions().errorFactor;
  const FloatFormat &f32 = FloatFormat::get(Float32Type::get(op.getContext()));
  bool isApproximate =
      bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn) &&
      !getElementTypeOrSelf(op.getType()).isF64();
  double relative =
      isApproximate ? ulpsOfOperand * 2.0 * f32.unitRoundoff : 0.0;
  double absolute = isApproximate ? f32.minNormal : 0.0;
  return addRounding(
      op, graph, makeUnary(value, [=](double x, double z, double ex) {
        double error = propagateThrough(value, x, z, z, ex, factor);
        // What is infinite or 0 there is so in f32 too.
        if (std::isinf(x) || !std::isfinite(z))
          return error;
        return error + relative * std::fabs(x) * z + absolute;
      }));
}

static void registerExponentials(OpRegistry &registry) {
  registry.add<math::ExpOp>(addExp);
  addFunction<math::Exp2Op>(
      registry, [](double x) { return std::exp2(x); },
      [](double, double z) { return z * ln2; });
  addFunction<math::ExpM1Op>(
      registry, [](double x) { return std::expm1(x); },
      [](double, double z) { return z + 1.0; });
  addFunction<math::LogOp>(
      registry, [](double x) { return std::log(x); },
      [](double x, double) { return 1.0 / x; });
  addFunction<math::Log2Op>(
      registry, [](double x) { return std::log2(x); },
      [](double x, double) { return 1.0 / (x * ln2); });
  addFunction<math::Log10Op>(
      registry, [](double x) { return std::log10(x); },
      [](double x, double) { return 1.0 / (x * ln10); });
  addFunction<math::Log1pOp>(
      registry, [](double x) { return std::log1p(x); },
      [](double x, double) { return 1.0 / (1.0 + x); });
}

static void registerRoots(OpRegistry &registry) {
  // What underflow alone may make negative, as a sum of squares, is not taken
  // for a number whose root may be NaN.
  registry.add<math::SqrtOp>([](math::SqrtOp op, GraphBuilder &graph) {
    auto value = [](double x) { return std::sqrt(x); };
    auto clamped = [](double x) { return x > 0.0 ? std::sqrt(x) : 0.0; };
    double factor = graph.getOptions().errorFactor;
    auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
    double underflow = FloatFormat::get(type).minNormal;
    return addRounding(
        op, graph, makeUnary(value, [=](double x, double z, double ex) {
          bool isPositive = x >= 0.0 && factor * ex - x <= underflow;
          return isPositive
                     ? propagateThrough(clamped, x, z, 0.5 / z, ex, factor)
                     : propagateThrough(value, x, z, 0.5 / z, ex, factor);
        }));
  });
  addFunction<math::RsqrtOp>(
      registry, [](double x) { return 1.0 / std::sqrt(x); },
      [](double x, double z) { return 0.5 * z / x; });
  addFunction<math::CbrtOp>(
      registry, [](double x) { return std::cbrt(x); },
      [](double, double z) { return 1.0 / (3.0 * z * z); });
}

/// Registers a function with period 2 pi or, with poles between, pi. An operand
/// that may be anywhere in a period says nothing but the range.
template <typename OpT, typename ValueFn, typename DerivativeFn>
static void addPeriodic(OpRegistry &registry, ValueFn value,
                        DerivativeFn derivative, bool hasPoles) {
  registry.add<OpT>([=](OpT op, GraphBuilder &graph) {
    double factor = graph.getOptions().errorFactor;
    return addRounding(
        op, graph, makeUnary(value, [=](double x, double z, double ex) {
          double reach = factor * ex;
          if (hasPoles && ex != 0.0 &&
              std::floor((x - reach) / pi + 0.5) !=
                  std::floor((x + reach) / pi + 0.5))
            return std::numeric_limits<double>::infinity();
          if (!hasPoles && reach > 1.0 && std::isfinite(reach))
            return std::isfinite(x) ? (1.0 + std::fabs(z)) / factor : 0.0;
          return propagateThrough(value, x, z, derivative(x, z), ex, factor);
        }));
  });
}

/// Beside the negative numbers the angle jumps from pi to -pi: where y may have
/// either sign there, its error is the distance to the farther of the two.
static double propagateThroughAtan2(double y, double x, double z, double ey,
                                    double ex, double factor) {
  auto value = [](double y, double x) { return std::atan2(y, x); };
  double norm = x * x + y * y;
  double first =
      propagate(std::fabs(x) / norm, ey) + propagate(std::fabs(y) / norm, ex);
  double error = propagateThrough(value, y, x, z, first, ey, ex, factor);
  bool mayCross =
      ey > 0.0 && std::fabs(y) <= factor * ey && x - factor * ex <= 0.0;
  return mayCross ? std::fmax(error, (pi + std::fabs(z)) / factor) : error;
}

static void registerTrigonometric(OpRegistry &registry) {
  addPeriodic<math::SinOp>(
      registry, [](double x) { return std::sin(x); },
      [](double x, double) { return std::cos(x); }, /*hasPoles=*/false);
  addPeriodic<math::CosOp>(
      registry, [](double x) { return std::cos(x); },
      [](double x, double) { return std::sin(x); }, /*hasPoles=*/false);
  addPeriodic<math::TanOp>(
      registry, [](double x) { return std::tan(x); },
      [](double, double z) { return 1.0 + z * z; }, /*hasPoles=*/true);
  addFunction<math::AsinOp>(
      registry, [](double x) { return std::asin(x); },
      [](double x, double) { return 1.0 / std::sqrt(1.0 - x * x); });
  addFunction<math::AcosOp>(
      registry, [](double x) { return std::acos(x); },
      [](double x, double) { return 1.0 / std::sqrt(1.0 - x * x); });
  addFunction<math::AtanOp>(
      registry, [](double x) { return std::atan(x); },
      [](double x, double) { return 1.0 / (1.0 + x * x); });
  registry.add<math::Atan2Op>([](math::Atan2Op op, GraphBuilder &graph) {
    auto value = [](double y, double x) { return std::atan2(y, x); };
    double factor = graph.getOptions().errorFactor;
    return addRounding(op, graph,
                       makeBinary(value, [=](double y, double x, double z,
                                             double ey, double ex) {
                         return propagateThroughAtan2(y, x, z, ey, ex, factor);
                       }));
  });
}

static void registerHyperbolic(OpRegistry &registry) {
  addFunction<math::SinhOp>(
      registry, [](double x) { return std::sinh(x); },
      [](double x, double) { return std::cosh(x); });
  addFunction<math::CoshOp>(
      registry, [](double x) { return std::cosh(x); },
      [](double x, double) { return std::sinh(x); });
  addFunction<math::TanhOp>(
      registry, [](double x) { return std::tanh(x); },
      [](double, double z) { return 1.0 - z * z; });
  addFunction<math::AsinhOp>(
      registry, [](double x) { return std::asinh(x); },
      [](double x, double) { return 1.0 / std::sqrt(1.0 + x * x); });
  addFunction<math::AcoshOp>(
      registry, [](double x) { return std::acosh(x); },
      [](double x, double) { return 1.0 / std::sqrt(x * x - 1.0); });
  addFunction<math::AtanhOp>(
      registry, [](double x) { return std::atanh(x); },
      [](double x, double) { return 1.0 / (1.0 - x * x); });
  addFunction<math::ErfOp>(
      registry, [](double x) { return std::erf(x); },
      [](double x, double) { return twoOverSqrtPi * std::exp(-x * x); });
  addFunction<math::ErfcOp>(
      registry, [](double x) { return std::erfc(x); },
      [](double x, double) { return twoOverSqrtPi * std::exp(-x * x); });
}

/// True if x to a negative power has its pole within the accepted error.
static bool mayMeetPole(double x, double power, double ex, double factor) {
  return power < 0.0 && ex != 0.0 && std::fabs(x) <= factor * ex;
}

static void registerPowers(OpRegistry &registry) {
  registry.add<math::PowFOp>([](math::PowFOp op, GraphBuilder &graph) {
    auto value = [](double x, double y) { return std::pow(x, y); };
    double factor = graph.getOptions().errorFactor;
    return addRounding(
        op, graph,
        makeBinary(value, [=](double x, double y, double z, double ex,
                              double ey) {
          // A negative number has whole powers only; -0 has other odd ones.
          if ((x <= 0.0 && std::signbit(x) && ey != 0.0) ||
              mayMeetPole(x, y - factor * ey, ex, factor))
            return std::numeric_limits<double>::infinity();
          double first = propagate(std::fabs(y * std::pow(x, y - 1.0)), ex) +
                         propagate(std::fabs(z * std::log(std::fabs(x))), ey);
          return propagateThrough(value, x, y, z, first, ex, ey, factor);
        }));
  });
  registry.add<math::FPowIOp>([](math::FPowIOp op, GraphBuilder &graph) {
    unsigned width = getIntegerWidth(op.getRhs().getType());
    double factor = graph.getOptions().errorFactor;
    return addRounding(op, graph, [width, factor](const Tile &tile) {
      const TileOperand &x = tile.operands[0], &n = tile.operands[1];
      for (int64_t i = 0; i < tile.count; ++i) {
        auto power = static_cast<double>(asSigned(n.integers[i], width));
        tile.floats[i] = std::pow(x.floats[i], power);
        if (!tile.errors)
          continue;
        auto value = [=](double x) { return std::pow(x, power); };
        double derivative = power * std::pow(x.floats[i], power - 1.0);
        tile.errors[i] =
            n.errors[i] != 0.0 ||
                    mayMeetPole(x.floats[i], power, x.errors[i], factor)
                ? std::numeric_limits<double>::infinity()
                : propagateThrough(value, x.floats[i], tile.floats[i],
                                   derivative, x.errors[i], factor);
      }
    });
  });
  registry.add<math::FmaOp>([](math::FmaOp op, GraphBuilder &graph) {
    return addRounding(op, graph,
                       makeFma(getElementTypeOrSelf(op.getType()),
                               graph.getOptions().errorFactor));
  });
}

//===----------------------------------------------------------------------===//
// Exact functions
//===----------------------------------------------------------------------===//

/// Registers a function from floats to whole numbers.
template <typename OpT>
static void addToWhole(OpRegistry &registry, double (*value)(double)) {
  registry.addElementwise<OpT>(
      [=](OpT, const ReferenceOptions &options) {
        return makeStep(value, options.errorFactor);
      },
      Rounding::step());
}

/// True if x may be of another kind while it moves by `reach`: if nothing is
/// known of it; where an overflow may happen or not; and, for a question that
/// depends on how small a number is, where it may be normal or not.
static bool isUndecided(double x, double reach, const FloatFormat &format,
                        bool dependsOnSize) {
  if (reach == 0.0)
    return false;
  double magnitude = std::fabs(x);
  if (!std::isfinite(reach) || std::isinf(x))
    return true;
  auto isNear = [&](double limit) {
    return magnitude - reach < limit && limit <= magnitude + reach;
  };
  return isNear(format.overflowFrom) ||
         (dependsOnSize && isNear(format.minNormal));
}

/// Registers a question about a float.
template <typename OpT, typename ValueFn>
static void addQuestion(OpRegistry &registry, ValueFn value) {
  registry.addElementwise<OpT>(
      [=](OpT op, const ReferenceOptions &options) -> ElementwiseFunction {
        auto type =
            cast<FloatType>(getElementTypeOrSelf(op.getOperand().getType()));
        return [value, format = FloatFormat::get(type),
                factor = options.errorFactor](const Tile &tile) {
          const TileOperand &x = tile.operands[0];
          for (int64_t i = 0; i < tile.count; ++i)
            tile.integers[i] = value(x.floats[i], format);
          for (int64_t i = 0; tile.errors && i < tile.count; ++i)
            tile.errors[i] =
                isUndecided(x.floats[i], factor * x.errors[i], format,
                            std::is_same_v<OpT, math::IsNormalOp>);
        };
      },
      Rounding::none());
}

static void registerExactFunctions(OpRegistry &registry) {
  registry.addElementwise<math::AbsFOp>(
      [](math::AbsFOp, const ReferenceOptions &) {
        return makeUnary([](double x) { return std::fabs(x); },
                         [](double, double, double ex) { return ex; });
      },
      Rounding::none());
  // Where the sign is uncertain the result may be negated.
  registry.addElementwise<math::CopySignOp>(
      [](math::CopySignOp, const ReferenceOptions &options) {
        return makeBinary(
            [](double x, double y) { return std::copysign(x, y); },
            [factor = options.errorFactor](double x, double y, double,
                                           double ex, double ey) {
              // The sign of a NaN is clear only if nothing computed it.
              bool isClear =
                  y == y ? ey == 0.0 || std::fabs(y) > factor * ey : false;
              return isClear ? ex : ex + 2.0 * std::fabs(x) + unknownSign;
            });
      },
      Rounding::none());
  addToWhole<math::CeilOp>(registry, [](double x) { return std::ceil(x); });
  addToWhole<math::FloorOp>(registry, [](double x) { return std::floor(x); });
  addToWhole<math::TruncOp>(registry, [](double x) { return std::trunc(x); });
  addToWhole<math::RoundOp>(registry, [](double x) { return std::round(x); });
  addToWhole<math::RoundEvenOp>(registry,
                                [](double x) { return std::nearbyint(x); });
  addQuestion<math::IsNaNOp>(
      registry, [](double x, const FloatFormat &) { return x != x; });
  addQuestion<math::IsInfOp>(
      registry, [](double x, const FloatFormat &) { return std::isinf(x); });
  addQuestion<math::IsFiniteOp>(
      registry, [](double x, const FloatFormat &) { return std::isfinite(x); });
  addQuestion<math::IsNormalOp>(
      registry, [](double x, const FloatFormat &format) {
        return std::isfinite(x) && std::fabs(x) >= format.minNormal;
      });
  // min(max(x, low), high); NaN goes through.
  registry.addElementwise<math::ClampFOp>(
      [](math::ClampFOp, const ReferenceOptions &) {
        return makeTernary(
            [](double x, double low, double high) {
              return minimumF(maximumF(x, low), high);
            },
            [](double, double, double, double, double ex, double el,
               double eh) { return std::fmax(ex, std::fmax(el, eh)); });
      },
      Rounding::none());
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Registers a function given by `value(a, width)` on carried integers.
template <typename OpT, typename ValueFn>
static void addIntegerUnary(OpRegistry &registry, ValueFn value) {
  registry.addElementwise<OpT>(
      [value](OpT op, const ReferenceOptions &) {
        unsigned width = getIntegerWidth(op.getType());
        return makeIntegerUnary([=](int64_t a) { return value(a, width); },
                                width == 1);
      },
      Rounding::none());
}

/// a to the power b, wrapping around; 0 to a negative power is 0.
static int64_t powerOfIntegers(int64_t a, int64_t b, unsigned width) {
  int64_t base = asSigned(a, width), exponent = asSigned(b, width);
  if (exponent < 0) {
    if (base == 1)
      return wrap(1, width);
    return base == -1 ? wrap(exponent % 2 ? -1 : 1, width) : 0;
  }
  uint64_t result = 1, factor = base;
  for (; exponent != 0; exponent >>= 1, factor *= factor)
    if (exponent & 1)
      result *= factor;
  return wrap(result, width);
}

static void registerIntegerFunctions(OpRegistry &registry) {
  addIntegerUnary<math::AbsIOp>(registry, [](int64_t a, unsigned width) {
    int64_t value = asSigned(a, width);
    return wrap(value < 0 ? -static_cast<uint64_t>(value) : value, width);
  });
  addIntegerUnary<math::CtPopOp>(registry, [](int64_t a, unsigned width) {
    return wrap(llvm::popcount(asUnsigned(a, width)), width);
  });
  addIntegerUnary<math::CountLeadingZerosOp>(registry, [](int64_t a,
                                                          unsigned width) {
    return wrap(llvm::countl_zero(asUnsigned(a, width)) - (64 - width), width);
  });
  addIntegerUnary<math::CountTrailingZerosOp>(
      registry, [](int64_t a, unsigned width) {
        uint64_t bits = asUnsigned(a, width);
        return wrap(bits == 0 ? width : llvm::countr_zero(bits), width);
      });
  registry.addElementwise<math::IPowIOp>(
      [](math::IPowIOp op, const ReferenceOptions &) {
        unsigned width = getIntegerWidth(op.getType());
        return makeIntegerBinary(
            [=](int64_t a, int64_t b) { return powerOfIntegers(a, b, width); },
            width == 1);
      },
      Rounding::none());
}

void reference::registerMathOps(OpRegistry &registry) {
  registerExponentials(registry);
  registerRoots(registry);
  registerTrigonometric(registry);
  registerHyperbolic(registry);
  registerPowers(registry);
  registerExactFunctions(registry);
  registerIntegerFunctions(registry);
}
