//===- ScheduleChecks.h - Checks of schedules by hand -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the numbers of a schedule, which may be written by hand, must hold on a
// device, as far as it is the same for several schedulers. Each check reports
// an error at the segment that says what was expected and what was found.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_SCHEDULECHECKS_H
#define LIB_SCHEDULERS_SCHEDULECHECKS_H

#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Target/DeviceModel.h"

namespace mlir::fusion {

/// Checks that `given` bytes of shared memory hold the `needed` ones, and that
/// a block can have them.
LogicalResult verifySharedBytes(SegmentOp segment, uint64_t given,
                                uint64_t needed, const DeviceModel &device);

/// Checks that accesses of `width` elements divide rows of `columns`, and take
/// at most 16 bytes of a tensor whose elements have `elementBytes`.
LogicalResult verifyAccessWidth(SegmentOp segment, unsigned width,
                                int64_t columns, unsigned elementBytes);

/// Checks that a thread which holds `rows` rows of `vectors` vectors of `width`
/// elements has registers for a good part of them: the rest could only spill.
LogicalResult verifyThreadElements(SegmentOp segment, unsigned rows,
                                   unsigned vectors, unsigned width,
                                   const DeviceModel &device);

/// Checks that the code of a thread repeats no more operations than compilers
/// and instruction caches take (maxUnrolledOperations).
LogicalResult verifyUnrolledOperations(SegmentOp segment, uint64_t unrolled);

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_SCHEDULECHECKS_H
