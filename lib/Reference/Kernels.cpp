//===- Kernels.cpp - Loops over tiles -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "ScalarSemantics.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// True if no error of a number is NaN or negative.
[[maybe_unused]] static bool areBounds(const double *values,
                                       const double *errors, int64_t count) {
  bool result = true;
  for (int64_t i = 0; i < count; ++i)
    result &= errors[i] >= 0.0 || !std::isfinite(values[i]);
  return result;
}

void reference::finishRounding(const FloatFormat &format,
                               const Rounding &operation,
                               const ReferenceOptions &options, int64_t count,
                               double *values, double *errors) {
  bool roundsToType = options.precision == Precision::Type;
  double from = format.overflowFrom, overflow = format.overflowValue;
  if (errors) {
    assert(areBounds(values, errors, count) && "not bounds");
    // Where the reference rounds too, two rounded values are compared.
    double units = operation.units;
    double scale = (roundsToType ? 2.0 : 1.0) * units * format.unitRoundoff;
    double reach = options.errorFactor;
    // In f64 the roundoff of the least number must not underflow.
    double least =
        units == 0.0 ? 0.0 : std::max(format.minNormal, unknownSign / scale);
    bool keepsZeros = operation.keepsZeros;
    // How far beyond the range of f64 doubles do not tell.
    for (int64_t i = 0; std::isinf(from) && i < count; ++i)
      errors[i] = mayBeFinite(values[i], errors[i])
                      ? std::numeric_limits<double>::infinity()
                      : errors[i];
    for (int64_t i = 0; i < count; ++i) {
      double magnitude = std::fabs(values[i]);
      // What a program rounds is the number that it has, which may be greater.
      double spread = reach * errors[i];
      bool isFar = spread > smallChange * magnitude && std::isfinite(spread);
      double most = isFar ? magnitude + spread : magnitude;
      // Of infinity that does not round, it is not NaN.
      double rounding =
          scale == 0.0 ? 0.0 : scale * (most > least ? most : least);
      double error = errors[i] + (keepsZeros && most == 0.0 ? 0.0 : rounding);
      // An overflow that the error could undo keeps it, and so does a number
      // that may be NaN or not.
      bool counts = magnitude < from || magnitude - reach * error < from ||
                    errors[i] > std::numeric_limits<double>::max();
      errors[i] = counts ? error : 0.0;
    }
  }
  if (roundsToType)
    return format.round(values, values, count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = std::fabs(values[i]) >= from
                    ? std::copysign(overflow, values[i])
                    : values[i];
}

void reference::roundToFormat(const FloatFormat &format, double factor,
                              int64_t count, double *values, double *errors) {
  if (!errors)
    return format.round(values, values, count);
  // Where an overflow would be without it: one step beyond the greatest number.
  double beyond = 2.0 * format.overflowFrom - format.maxFinite;
  auto roundFinite = [&](double value) {
    double rounded = format.round(value);
    return std::isfinite(rounded) ? rounded : std::copysign(beyond, value);
  };
  for (int64_t i = 0; i < count; ++i) {
    double value = values[i], error = errors[i];
    values[i] = format.round(value);
    if (error == 0.0)
      continue;
    double reach = factor * error, rounded = roundFinite(value);
    double below = std::fabs(roundFinite(value - reach) - rounded);
    double above = std::fabs(roundFinite(value + reach) - rounded);
    double moved = (below > above ? below : above) / factor;
    if (moved == 0.0 && mayHaveEitherSign(value, reach))
      moved = unknownSign;
    if (std::isfinite(error))
      errors[i] = std::isfinite(value) ? moved : 0.0;
  }
}

bool reference::doubtOverflows(double from, double factor, int64_t count,
                               const double *values, const double *errors,
                               double *doubtful) {
  auto mayOverflow = [=](double value, double error) {
    return error > 0.0 && std::fabs(value) + factor * error >= from;
  };
  bool any = false;
  for (int64_t i = 0; i < count; ++i)
    any |= mayOverflow(values[i], errors[i]);
  if (!any)
    return false;
  for (int64_t i = 0; i < count; ++i)
    doubtful[i] = mayOverflow(values[i], errors[i])
                      ? std::numeric_limits<double>::infinity()
                      : errors[i];
  return true;
}
