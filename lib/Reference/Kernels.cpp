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

void reference::finishRounding(const FloatFormat &format, double units,
                               const ReferenceOptions &options, int64_t count,
                               double *values, double *errors) {
  bool roundsToType = options.precision == Precision::Type;
  double from = format.overflowFrom, overflow = format.overflowValue;
  if (errors) {
    // Where the reference rounds too, two rounded values are compared.
    double scale = (roundsToType ? 2.0 : 1.0) * units * format.unitRoundoff;
    double reach = options.errorFactor;
    double least = units == 0.0 ? 0.0 : format.minNormal;
    for (int64_t i = 0; i < count; ++i) {
      assert((errors[i] >= 0.0 || !std::isfinite(values[i])) && "not a bound");
      double magnitude = std::fabs(values[i]);
      // What a program rounds is the number that it has, which may be greater.
      double spread = reach * errors[i];
      bool isFar = spread > smallChange * magnitude && std::isfinite(spread);
      double most = isFar ? magnitude + spread : magnitude;
      double rounding = scale * (most > least ? most : least);
      double error = errors[i] + rounding;
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
    if (std::isfinite(error))
      errors[i] = std::isfinite(value) ? moved : 0.0;
  }
}
