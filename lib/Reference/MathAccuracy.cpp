//===- MathAccuracy.cpp - Error bounds of math operations -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are the maximal errors that the CUDA C++ Programming Guide,
// appendix "Mathematical Functions", publishes for the functions of the same
// names, the largest where they differ between releases. They come from
// extensive, not exhaustive tests.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/MathAccuracy.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr MathAccuracy accuracies[] = {
    {"math.acos", 3, 2},  {"math.acosh", 4, 3}, {"math.asin", 4, 2},
    {"math.asinh", 3, 3}, {"math.atan", 2, 2},  {"math.atan2", 3, 2},
    {"math.atanh", 3, 2}, {"math.cbrt", 1, 1},  {"math.cos", 2, 2},
    {"math.cosh", 2, 1},  {"math.erf", 2, 2},   {"math.erfc", 6, 5},
    {"math.exp", 2, 1},   {"math.exp2", 2, 1},  {"math.expm1", 1, 1},
    {"math.fma", 0, 0},   {"math.fpowi", 8, 2}, {"math.log", 1, 1},
    {"math.log10", 3, 1}, {"math.log1p", 2, 1}, {"math.log2", 3, 1},
    {"math.powf", 8, 2},  {"math.rsqrt", 2, 1}, {"math.sin", 2, 2},
    {"math.sinh", 3, 2},  {"math.sqrt", 0, 0},  {"math.tan", 4, 2},
    {"math.tanh", 2, 1},
};

llvm::ArrayRef<MathAccuracy> fusion::getMathAccuracies() { return accuracies; }

std::optional<double> fusion::getMathAccuracyUlps(llvm::StringRef operation,
                                                  FloatType type) {
  const auto *entry = llvm::find_if(accuracies, [&](const MathAccuracy &a) {
    return a.operation == operation;
  });
  if (entry == std::end(accuracies))
    return std::nullopt;
  if (isa<Float64Type>(type))
    return entry->ulpsF64;
  if (isa<Float32Type>(type))
    return entry->ulpsF32;
  return std::min(entry->ulpsF32, 1.0);
}
