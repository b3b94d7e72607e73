//===- Statistics.cpp - What many timings say -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Statistics.h"

#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <vector>

using namespace mlir::fusion;

Statistics mlir::fusion::getStatistics(llvm::ArrayRef<double> sample) {
  assert(!sample.empty() && "quantiles of nothing");
  std::vector<double> sorted(sample.begin(), sample.end());
  llvm::sort(sorted);
  auto getQuantile = [&](double q) {
    double position = q * (sorted.size() - 1);
    size_t below = static_cast<size_t>(position);
    size_t above = std::min(below + 1, sorted.size() - 1);
    double weight = position - below;
    return sorted[below] * (1 - weight) + sorted[above] * weight;
  };
  return {sorted.front(), getQuantile(0.1), getQuantile(0.5), getQuantile(0.9)};
}
