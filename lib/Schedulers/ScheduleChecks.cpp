//===- ScheduleChecks.cpp - Checks of schedules by hand -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleChecks.h"
#include "Traffic.h"

using namespace mlir;
using namespace mlir::fusion;

/// Bytes of the widest access.
static constexpr uint64_t widestAccess = 16;

static InFlightDiagnostic emitExpected(SegmentOp segment) {
  return segment.emitOpError("expected a schedule with ");
}

LogicalResult fusion::verifySharedBytes(SegmentOp segment, uint64_t given,
                                        uint64_t needed,
                                        const DeviceModel &device) {
  if (given >= needed && given <= device.sharedPerBlock)
    return success();
  return emitExpected(segment)
         << "shared_bytes of at least " << needed << " and at most "
         << device.sharedPerBlock << " on " << device.name << ", but got "
         << given;
}

LogicalResult fusion::verifyAccessWidth(SegmentOp segment, unsigned width,
                                        int64_t columns,
                                        unsigned elementBytes) {
  if (columns % width)
    return emitExpected(segment) << "a width that divides the " << columns
                                 << " columns, but got " << width;
  if (width > 1 && uint64_t(width) * elementBytes > widestAccess)
    return emitExpected(segment)
           << "a width of at most " << widestAccess
           << " bytes of the narrowest tensor, but got " << width;
  return success();
}

LogicalResult fusion::verifyThreadElements(SegmentOp segment, unsigned rows,
                                           unsigned vectors, unsigned width,
                                           const DeviceModel &device) {
  uint64_t available = 4 * uint64_t(device.registersPerThread);
  // Of three factors the product could overflow.
  uint64_t accesses = uint64_t(rows) * vectors;
  if (accesses <= available && accesses * width <= available)
    return success();
  return emitExpected(segment)
         << "at most " << available
         << " elements of its rows in each thread, but got " << rows
         << " rows of " << vectors << " vectors of " << width;
}

LogicalResult fusion::verifyUnrolledOperations(SegmentOp segment,
                                               uint64_t unrolled) {
  if (unrolled <= maxUnrolledOperations)
    return success();
  return emitExpected(segment)
         << "at most " << maxUnrolledOperations
         << " operations for the rows and columns of a thread, but got "
         << unrolled;
}
