//===- SharedBarrier.h - Barriers in shared memory --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers that count bytes, which arrive by copies or from other blocks of a
// cluster. A barrier is its pointer to shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_SHAREDBARRIER_H
#define LIB_SCHEDULERS_SHAREDBARRIER_H

#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// Bytes of a barrier.
inline constexpr unsigned barrierBytes = 8;

/// The pointer to shared memory for `address`, an index.
Value emitSharedPointer(OpBuilder &builder, Location loc, Value address);

/// Initialises the barrier for one arrival a phase.
void emitBarrierInit(OpBuilder &builder, Location loc, Value barrier);

/// The one arrival of a phase, which expects `bytes` (an i32).
void emitBarrierExpect(OpBuilder &builder, Location loc, Value barrier,
                       Value bytes);

/// Waits until phase `parity` (0 or 1, an i32) of the barrier is complete.
void emitBarrierWait(OpBuilder &builder, Location loc, Value barrier,
                     Value parity);

/// Stores `value` at `pointer` in the shared memory of block `peer` (an i32) of
/// the cluster instead of this one's, where `barrier` then counts its bytes.
void emitClusterStore(OpBuilder &builder, Location loc, Value value,
                      Value pointer, Value barrier, Value peer);

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_SHAREDBARRIER_H
