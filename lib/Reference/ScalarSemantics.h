//===- ScalarSemantics.h - Operations on single numbers ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What element-wise operations and reductions do to one or two numbers, where
// C++ has no operator for it. Integers are carried as int64_t: sign-extended
// from their width, except that i1 is 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_SCALARSEMANTICS_H
#define FUSION_LIB_REFERENCE_SCALARSEMANTICS_H

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdint>

namespace mlir::fusion::reference {

/// The greater number, or NaN if either is; +0 is greater than -0.
inline double maximumF(double a, double b) {
  double greater = a > b ? a : b;
  double equal = std::signbit(a) ? b : a;
  double result = a == b ? equal : greater;
  return a != a || b != b ? a + b : result;
}

/// The less number, or NaN if either is; -0 is less than +0.
inline double minimumF(double a, double b) {
  double less = a < b ? a : b;
  double equal = std::signbit(a) ? a : b;
  double result = a == b ? equal : less;
  return a != a || b != b ? a + b : result;
}

/// The greater number; NaN only if both are.
inline double maxNumF(double a, double b) {
  return a != a ? b : b != b ? a : maximumF(a, b);
}

/// The less number; NaN only if both are.
inline double minNumF(double a, double b) {
  return a != a ? b : b != b ? a : minimumF(a, b);
}

/// The carried form of the low `width` bits.
inline int64_t wrap(uint64_t bits, unsigned width) {
  if (width == 1)
    return static_cast<int64_t>(bits & 1);
  return width == 64 ? static_cast<int64_t>(bits)
                     : llvm::SignExtend64(bits, width);
}

/// A carried integer read as signed: i1 is 0 or -1.
inline int64_t asSigned(int64_t value, unsigned width) {
  return width == 1 ? -value : value;
}

/// A carried integer read as unsigned.
inline uint64_t asUnsigned(int64_t value, unsigned width) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
}

/// derivative * error, where an exact operand (error 0) contributes nothing
/// even at a singularity.
inline double propagate(double derivative, double error) {
  return error == 0.0 ? 0.0 : derivative * error;
}

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_SCALARSEMANTICS_H
