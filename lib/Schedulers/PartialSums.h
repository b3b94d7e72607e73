//===- PartialSums.h - Totals from partial results of blocks ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_PARTIALSUMS_H
#define LIB_SCHEDULERS_PARTIALSUMS_H

#include "FusionDialect/Conversion/SegmentLowering.h"
#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace mlir::fusion {

class KernelBuffers;
class TileBuilder;
struct ReductionProgram;

/// Adds to the `buffers` of a kernel that adds up `partials`, the workspaces of
/// the totals, these and what comes after the totals. Returns how it is
/// launched.
LaunchMode addFinishBuffers(KernelBuffers &buffers,
                            const ReductionProgram &program,
                            ValueRange partials, FinishMode finish);

/// Emits a walk over the partial results first, first + stride, ... below
/// `count` of every total, in this order, with several loads in flight.
/// `load(total, place)` emits a load of one partial result of the total with
/// that number; places are below `count`. `first` may be any value below
/// `stride`. Returns a sum in the accumulator's type for each total, the
/// neutral element where there was nothing to add.
SmallVector<Value>
emitPartialSums(TileBuilder &tiles, const ReductionProgram &program,
                Value first, int64_t stride, int64_t count,
                llvm::function_ref<Value(unsigned, Value)> load);

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_PARTIALSUMS_H
