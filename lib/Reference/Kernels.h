//===- Kernels.h - Loops over tiles -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes element-wise functions from functions of single numbers. A function on
// floats comes in two parts, so that both loops stay simple: the value, and the
// error that follows from the errors of the operands. The error that the
// operation itself makes is added afterwards (finishRounding).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_KERNELS_H
#define FUSION_LIB_REFERENCE_KERNELS_H

#include "Graph.h"
#include "ScalarSemantics.h"
#include <cmath>
#include <limits>

namespace mlir::fusion::reference {

/// Ends an operation of `format`: adds its own rounding error to the errors,
/// lets the values overflow, and rounds them in Precision::Type.
///
///   error += units * roundoff * max(|value|, least normal)
///
/// where the value is taken as great as its accepted error lets it be, if that
/// is no small change. A zero without an error may keep none.
///
/// Infinities and NaN have no error: they are compared by kind. Only an
/// overflow so close to the range that the error could undo it keeps its error.
void finishRounding(const FloatFormat &format, const Rounding &operation,
                    const ReferenceOptions &options, int64_t count,
                    double *values, double *errors);

/// Rounds the values to `format`. With errors, whose multiples by `factor` are
/// accepted, an element's new error is how far the rounded value can move while
/// the value moves within them: 0 unless a rounding boundary is that close.
void roundToFormat(const FloatFormat &format, double factor, int64_t count,
                   double *values, double *errors);

/// What is computed from a number that may have overflowed is not known, on
/// either side of `from`, where the overflow of its type begins: writes to
/// `doubtful` the errors with which such numbers are operands. Returns false if
/// there are none; then nothing is written.
bool doubtOverflows(double from, double factor, int64_t count,
                    const double *values, const double *errors,
                    double *doubtful);

/// value(x), error(x, z, ex) where z = value(x).
template <typename ValueFn, typename ErrorFn>
ElementwiseFunction makeUnary(ValueFn value, ErrorFn error) {
  return [=](const Tile &tile) {
    const double *x = tile.operands[0].floats;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.floats[i] = value(x[i]);
    if (!tile.errors)
      return;
    const double *ex = tile.operands[0].errors;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.errors[i] = error(x[i], tile.floats[i], ex[i]);
  };
}

/// value(x, y), error(x, y, z, ex, ey) where z = value(x, y).
template <typename ValueFn, typename ErrorFn>
ElementwiseFunction makeBinary(ValueFn value, ErrorFn error) {
  return [=](const Tile &tile) {
    const double *x = tile.operands[0].floats, *y = tile.operands[1].floats;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.floats[i] = value(x[i], y[i]);
    if (!tile.errors)
      return;
    const double *ex = tile.operands[0].errors, *ey = tile.operands[1].errors;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.errors[i] = error(x[i], y[i], tile.floats[i], ex[i], ey[i]);
  };
}

/// value(a, b, c), error(a, b, c, z, ea, eb, ec).
template <typename ValueFn, typename ErrorFn>
ElementwiseFunction makeTernary(ValueFn value, ErrorFn error) {
  return [=](const Tile &tile) {
    const TileOperand &a = tile.operands[0], &b = tile.operands[1],
                      &c = tile.operands[2];
    for (int64_t i = 0; i < tile.count; ++i)
      tile.floats[i] = value(a.floats[i], b.floats[i], c.floats[i]);
    if (!tile.errors)
      return;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.errors[i] =
          error(a.floats[i], b.floats[i], c.floats[i], tile.floats[i],
                a.errors[i], b.errors[i], c.errors[i]);
  };
}

/// A function of one number that jumps, such as floor or a conversion to
/// integers: its error is how far the result can move while the operand moves
/// within its accepted error.
template <typename ValueFn>
ElementwiseFunction makeStep(ValueFn value, double factor) {
  return makeUnary(value, [=](double x, double z, double ex) {
    if (ex == 0.0 || std::isinf(ex) || std::isinf(x))
      return ex;
    double below = std::fabs(value(x - factor * ex) - z);
    double above = std::fabs(value(x + factor * ex) - z);
    double moved = (below > above ? below : above) / factor;
    return moved == 0.0 && mayHaveEitherSign(x, factor * ex) ? unknownSign
                                                             : moved;
  });
}

/// Says which results of an integer operation are uncertain: those with an
/// uncertain operand. How far they are off is known for i1 only.
inline void propagateUncertainty(const Tile &tile, bool isBool) {
  if (!tile.errors)
    return;
  double unknown = isBool ? 1.0 : std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < tile.count; ++i) {
    bool certain = true;
    for (const TileOperand &operand : tile.operands)
      certain &= operand.errors[i] == 0.0;
    tile.errors[i] = certain ? 0.0 : unknown;
  }
}

/// value(a) on carried integers (ScalarSemantics.h).
template <typename ValueFn>
ElementwiseFunction makeIntegerUnary(ValueFn value, bool isBool) {
  return [=](const Tile &tile) {
    const int64_t *a = tile.operands[0].integers;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.integers[i] = value(a[i]);
    propagateUncertainty(tile, isBool);
  };
}

/// value(a, b) on carried integers.
template <typename ValueFn>
ElementwiseFunction makeIntegerBinary(ValueFn value, bool isBool) {
  return [=](const Tile &tile) {
    const int64_t *a = tile.operands[0].integers;
    const int64_t *b = tile.operands[1].integers;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.integers[i] = value(a[i], b[i]);
    propagateUncertainty(tile, isBool);
  };
}

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_KERNELS_H
