//===- Kernels.cpp - Loops over tiles -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

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
    double least = units == 0.0 ? 0.0 : format.minNormal;
    for (int64_t i = 0; i < count; ++i) {
      double magnitude = std::fabs(values[i]);
      double rounding = scale * (magnitude > least ? magnitude : least);
      errors[i] = magnitude < from ? errors[i] + rounding : 0.0;
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
  for (int64_t i = 0; i < count; ++i) {
    double value = values[i], error = errors[i];
    double rounded = format.round(value);
    values[i] = rounded;
    if (error == 0.0)
      continue;
    double below = std::fabs(format.round(value - factor * error) - rounded);
    double above = std::fabs(format.round(value + factor * error) - rounded);
    // A neighbour beyond overflow leaves the value itself in doubt by a step.
    double moved = below > above ? below : above;
    errors[i] = std::isfinite(rounded) ? moved / factor : 0.0;
  }
}
