//===- Verify.h - Comparison with the reference -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides whether results are right. The reference gives every element and a
// bound on what rounding may do to it; docs/Numerics.md states the criterion
// and derives the bounds.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_REFERENCE_VERIFY_H
#define FUSIONDIALECT_REFERENCE_VERIFY_H

#include "FusionDialect/Reference/Reference.h"
#include <optional>
#include <string>

namespace mlir::fusion {

struct VerifyOptions {
  /// The greatest relative L2 error. Default: 1e-12 for f64, 1e-6 for f32,
  /// 1e-4 beyond the rounding of the result for narrower types.
  std::optional<double> rtol;
  Precision precision = Precision::Double;
  /// An element may be off by this many times its error bound, plus one unit in
  /// the last place.
  double errorFactor = defaultErrorFactor;
  /// A reduction may have added its elements one after another, as the
  /// reference does in Precision::Type: its relative L2 error may be that of
  /// any order. Kernels add in many accumulators.
  bool anyOrder = false;
};

/// What was found about one result.
struct ResultReport {
  bool passed = true;
  /// Why it failed, in one line; empty if it passed.
  std::string reason;
  Type elementType;
  SmallVector<int64_t> shape;
  int64_t numElements = 0;
  /// Elements beyond their bound, or of another kind (NaN, infinity).
  int64_t numFailed = 0;
  /// Elements that rounding errors may change beyond any bound, as behind a
  /// comparison of nearly equal numbers that selects an integer.
  int64_t numUndecided = 0;
  /// |actual - reference| / |reference| over all elements finite in both, as
  /// Euclidean norms; 0 if equal, infinity if only the reference is 0.
  double relativeL2 = 0.0;
  /// What `relativeL2` may be; infinity if it says nothing, since the result
  /// cancels down to its rounding errors, however many accumulators add. What
  /// an ill-conditioned result may be off by is found, and counts, only where
  /// the rest does not suffice.
  double acceptedL2 = 0.0;
  /// The greatest distance from the reference, in units in the last place of
  /// the result's type; for integers the greatest difference.
  double maxUlps = 0.0;
  /// The element with the greatest share of what was accepted: its index, both
  /// values, and what was accepted. The index is empty if there are no elements
  /// or the rank is 0.
  SmallVector<int64_t> worstIndex;
  double worstExpected = 0.0, worstActual = 0.0, worstAccepted = 0.0;
};

struct VerifyReport {
  bool passed = true;
  SmallVector<ResultReport> results;

  /// One line for each result, or one that says that there are none.
  void print(llvm::raw_ostream &os) const;
};

/// Compares `actual`, one tensor for each result of `function`, with what the
/// reference makes of `inputs`. The function may be another one than the one
/// that was run, as long as it means the same. Fails, with an error, only if
/// the reference can not be evaluated or `actual` has other types than it.
FailureOr<VerifyReport> verify(FunctionOpInterface function,
                               ArrayRef<HostTensor> inputs,
                               ArrayRef<HostTensor> actual,
                               const VerifyOptions &options = {});

} // namespace mlir::fusion

#endif // FUSIONDIALECT_REFERENCE_VERIFY_H
