//===- SoftMaximum.h - The time of what works side by side ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_SOFTMAXIMUM_H
#define LIB_SCHEDULERS_SOFTMAXIMUM_H

#include <cmath>
#include <initializer_list>

namespace mlir::fusion {

/// The norm of power 8 of `times`: a little more than the longest one, since
/// what comes near it shows as well. (Fitted; searches price thousands of
/// schedules, and std::pow takes ten times as long.)
inline double getSoftMaximum(std::initializer_list<double> times) {
  auto square = [](double value) { return value * value; };
  double sum = 0;
  for (double time : times)
    sum += square(square(square(time)));
  return std::sqrt(std::sqrt(std::sqrt(sum)));
}

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_SOFTMAXIMUM_H
