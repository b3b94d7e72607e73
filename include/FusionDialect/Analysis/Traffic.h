//===- Traffic.h - Bytes that a kernel moves --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fewest bytes of device memory that a candidate can move: each distinct
// input is read once, each output written once. Workspace is the scheduler's
// and comes on top.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_TRAFFIC_H
#define FUSIONDIALECT_ANALYSIS_TRAFFIC_H

#include "mlir/IR/Value.h"
#include <cstdint>

namespace mlir::fusion {
class DimClasses;
struct Candidate;

/// The extent that stands for a dimension of unknown size where sizes are
/// compared: large enough that what depends on it counts as a large tensor.
constexpr int64_t assumedDynamicExtent = 4096;

/// The bytes that `value` takes in memory. Elements of fewer than 8 bits take
/// one byte, scalars are kernel parameters of eight. A dynamic extent is that
/// of its class in `dims`, or assumedDynamicExtent. Saturates.
uint64_t getStoredBytes(Value value, const DimClasses &dims);

/// DRAM bytes of a candidate.
struct Traffic {
  uint64_t inputBytes = 0;
  uint64_t outputBytes = 0;

  static Traffic get(const Candidate &candidate, const DimClasses &dims);
  uint64_t getBytes() const { return inputBytes + outputBytes; }
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_TRAFFIC_H
