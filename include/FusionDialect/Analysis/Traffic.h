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

#include "FusionDialect/Analysis/DimClasses.h"
#include "mlir/Pass/AnalysisManager.h"
#include <map>

namespace mlir::fusion {
struct Candidate;

/// The extent that stands for a dimension of unknown size where sizes are
/// compared: large enough that what depends on it counts as a large tensor.
constexpr int64_t assumedDynamicExtent = 4096;

/// A number of bytes: a sum of products of a constant and extents that only the
/// launch knows. Saturates.
class ByteCount {
public:
  /// Classes whose extents are multiplied, ascending; one for each dimension.
  using Product = llvm::SmallVector<DimClasses::Class>;

  ByteCount() = default;
  /// What `value` takes in memory: see getStoredBytes.
  ByteCount(Value value, const DimClasses &dims);

  ByteCount &operator+=(const ByteCount &other);
  /// The bytes where each unknown extent is assumedDynamicExtent.
  uint64_t estimate() const;
  /// "16384 x extent(3) + 256".
  void print(llvm::raw_ostream &os) const;

private:
  /// Factors of products; that of the empty product is the constant.
  std::map<Product, uint64_t> terms;
};

/// The bytes that an element of `type`, a tensor's or a scalar's, takes in
/// memory: at least one.
unsigned getElementBytes(Type type);

/// The bytes that `value` takes in memory. Elements of fewer than 8 bits take
/// one byte, scalars are kernel parameters of eight. A dynamic extent is that
/// of its class in `dims`, or assumedDynamicExtent. Saturates.
uint64_t getStoredBytes(Value value, const DimClasses &dims);
/// The same, where only the type says what an extent is.
uint64_t getStoredBytes(Value value);

/// DRAM bytes of a candidate, with assumedDynamicExtent for unknown extents.
struct Traffic {
  uint64_t inputBytes = 0;
  uint64_t outputBytes = 0;

  static Traffic get(const Candidate &candidate, const DimClasses &dims);
  uint64_t getBytes() const { return inputBytes + outputBytes; }
};

/// The bytes of each tensor in an operation, symbolic in the extents that only
/// the launch knows. An analysis: get it from an AnalysisManager.
class TrafficAnalysis {
public:
  TrafficAnalysis(Operation *root, AnalysisManager &analyses);

  /// The bytes of `value`, a tensor or scalar under the root.
  ByteCount getBytes(Value value) const;
  /// The bytes of all inputs of `candidate`, and of all outputs, each once.
  ByteCount getInputBytes(const Candidate &candidate) const;
  ByteCount getOutputBytes(const Candidate &candidate) const;

  bool
  isInvalidated(const AnalysisManager::PreservedAnalyses &preserved) const {
    return !preserved.isPreserved<TrafficAnalysis>() ||
           !preserved.isPreserved<DimClasses>();
  }

private:
  llvm::DenseMap<Value, ByteCount> bytes;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_TRAFFIC_H
