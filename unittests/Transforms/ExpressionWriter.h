//===- ExpressionWriter.h - Programs with random reductions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that reduce random expressions of values over random loops: with
// broadcasts, views, conversions, selections and reductions in between, values
// that are used more than once, and extents that are dynamic or 1.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_EXPRESSIONWRITER_H
#define FUSION_UNITTESTS_TRANSFORMS_EXPRESSIONWRITER_H

#include <cstdint>
#include <string>

namespace mlir::fusion {

/// What the numbers of a program are, which decides how results before and
/// after a rewrite compare.
enum class ExpressionFamily {
  /// Minima and maxima of floats, and integers: all rules are exact.
  Exact,
  /// Small whole numbers as floats, with all flags: nothing is ever rounded, so
  /// that every rule gives the same bits, the sign of zero aside.
  Whole,
  /// Positive numbers near 1, with all flags: results agree up to roundings.
  Rounding
};

struct Expression {
  std::string program;
  /// An extent is dynamic; it may be 0 unless `needsElements`.
  bool isDynamic = false, needsElements = false;
  /// Exact: some flags promise finite floats and integers that do not wrap.
  bool hasPromises = false;
};

/// The program with that seed.
Expression writeExpression(ExpressionFamily family, uint64_t seed);

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_TRANSFORMS_EXPRESSIONWRITER_H
