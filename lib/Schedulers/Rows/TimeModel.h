//===- TimeModel.h - What a row schedule is predicted to cost ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_ROWS_TIMEMODEL_H
#define LIB_SCHEDULERS_ROWS_TIMEMODEL_H

#include "FusionDialect/Target/DeviceModel.h"
#include "Rows.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

namespace mlir::fusion::rows {

/// Registers of a thread, estimated.
struct Registers {
  /// For its work, some params at a time. That these come near the limit costs
  /// time.
  unsigned working = 0;
  /// To spill nothing: ptxas moves the loads of more params to the front than
  /// the work has to wait for.
  unsigned needed = 0;
};

/// The registers that threads of `shape` take.
Registers estimateRegisters(const RowGraph &graph, const Footprint &footprint,
                            const Shape &shape);

/// What the time of a kernel comes from, in microseconds.
class TimeModel {
public:
  TimeModel(const RowGraph &graph, const Footprint &footprint,
            const Shape &shape, const DeviceModel &device)
      : graph(graph), footprint(footprint), shape(shape), device(device),
        blocks(std::max<uint64_t>(1, countBlocks(graph, shape))),
        occupancy(shape.occupancy), operations(getOperations()),
        blockTime(getBlockTime()), transferTime(getTransferTime()),
        loadLoss(getLoadLoss()), computeTime(getComputeTime()),
        memoryTime(getMemoryTime()) {}

  /// Prices the same blocks, so many at a time.
  void setOccupancy(unsigned value) {
    occupancy = value;
    if (getBytesAgain() > 0)
      memoryTime = getMemoryTime();
  }
  /// The time if threads take `registers`. Where it is certain to be no less
  /// than `enough`, any number that is not less either.
  double getTime(Registers registers,
                 double enough = std::numeric_limits<double>::infinity()) const;
  /// No occupancy takes less time than this.
  double getLeastTime() const {
    return (getStartTime() + 1.5 * blockTime +
            std::max(memoryTime * getCrowding(0), computeTime)) *
           (1 + loadLoss);
  }

private:
  bool isLooped() const { return shape.traversal == RowTraversal::Looped; }
  double getBlocksAtOnce() const {
    return std::min<double>(occupancy,
                            llvm::divideCeil(blocks, device.multiprocessors));
  }
  /// What a block reads and writes takes this long at its multiprocessor's
  /// share of the bandwidth.
  double getTransferTime() const {
    return double(shape.getRowsPerBlock()) *
           (footprint.rowInputBytes + footprint.rowOutputBytes) /
           shape.cluster * device.multiprocessors /
           device.copyBytesPerMicrosecond;
  }
  /// Bytes of a row that a looped kernel reads again.
  double getBytesAgain() const {
    return isLooped() ? footprint.passInputBytes - footprint.rowInputBytes : 0;
  }
  double getBlocksHeld(Registers registers) const;
  double getDemand(double atOnce) const;
  double getCrowding(double demand) const;
  double getStartTime() const;
  double getOperations() const;
  double getMemoryTime() const;
  double getExchangeTime() const;
  double getBlockTime() const;
  double getComputeTime() const;
  double getLoadLoss() const;

  const RowGraph &graph;
  const Footprint &footprint;
  const Shape &shape;
  const DeviceModel &device;
  uint64_t blocks;
  unsigned occupancy;
  /// Of a block, and of all of them: these do not depend on the occupancy.
  double operations, blockTime, transferTime, loadLoss, computeTime;
  double memoryTime;
};

} // namespace mlir::fusion::rows

#endif // LIB_SCHEDULERS_ROWS_TIMEMODEL_H
