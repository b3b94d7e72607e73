//===- ThreadGroups.h - Checks that schedules share -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_DIALECT_IR_THREADGROUPS_H
#define LIB_DIALECT_IR_THREADGROUPS_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::fusion {

/// Checks that `threads` threads of a block are whole warps, and that each of
/// `groups` groups of them has whole warps or a part of one warp that shuffles
/// can address. Neither may be 0.
LogicalResult
verifyThreadGroups(llvm::function_ref<InFlightDiagnostic()> emitError,
                   unsigned threads, unsigned groups);

} // namespace mlir::fusion

#endif // LIB_DIALECT_IR_THREADGROUPS_H
