//===- Statistics.h - What many timings say ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_STATISTICS_H
#define FUSIONDIALECT_RUNTIME_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

namespace mlir::fusion {

/// Quantiles of a sample, in its unit.
struct Statistics {
  double minimum = 0, p10 = 0, median = 0, p90 = 0;
};

/// The quantiles of `sample`, which is not empty. The quantile q of n sorted
/// values is interpolated linearly at q * (n - 1).
Statistics getStatistics(llvm::ArrayRef<double> sample);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_STATISTICS_H
