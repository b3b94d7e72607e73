//===- ExitStatus.h - How a run ended ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_EXITSTATUS_H
#define FUSIONDIALECT_RUNTIME_EXITSTATUS_H

namespace mlir::fusion {

/// The exit statuses of fusion-runner.
enum class ExitStatus {
  Success = 0,
  /// A wrong result, or a run that failed.
  Failed = 1,
  /// Bad input or usage: the program, a file, an option, a missing device.
  BadInput = 2,
  /// A valid program that no scheduler accepts.
  Rejected = 3
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_EXITSTATUS_H
