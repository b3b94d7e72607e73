//===- Cost.cpp - What an inner-outer schedule is predicted to cost -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predictions come from the device model and the footprint alone, so that the
// choice of a schedule is the same everywhere.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Target/DeviceModel.h"
#include "InnerOuter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

unsigned innerouter::estimateRegisters(const Footprint &footprint,
                                       InnerOuterScheduleAttr schedule) {
  unsigned width = schedule.getWidth(), rows = schedule.getRows();
  unsigned columns = width * schedule.getVectors();
  unsigned perColumn = footprint.accumulatorRegisters, inWork = 0;
  // ptxas moves the loads of a row together; they turn into what is kept.
  unsigned loaded = llvm::divideCeil(footprint.loadedBytes, 4u);
  if (schedule.getKeep() == Residency::Registers)
    perColumn += rows * std::max(footprint.keptRegisters, loaded);
  else
    inWork += rows * (width * footprint.keptRegisters + columns * loaded);
  if (schedule.getParams() == Residency::Registers)
    perColumn += footprint.paramRegisters;
  else
    inWork += width * footprint.paramRegisters;
  inWork += rows * rowDistance * footprint.rowInputs.size();
  if (schedule.getCluster() > 1)
    inWork += 8;
  // Addresses of the copies that each thread starts.
  if (schedule.getLoader() == Loader::AsyncCopy)
    inWork += 8 + 4 * footprint.rowColumnInputs.size();
  return columns * perColumn + inWork + 36 + 4 * rows + rows * rows;
}

unsigned innerouter::getRegisterLimit(unsigned threads,
                                      const DeviceModel &device) {
  // Warps are dealt to partitions that have their own registers, which warps
  // get in units of 8 a thread.
  unsigned warps = llvm::divideCeil(threads, device.warpSize);
  unsigned perPartition = llvm::divideCeil(warps, device.partitions);
  unsigned registers = device.registersPerMultiprocessor / device.partitions;
  unsigned limit = registers / (perPartition * device.warpSize) / 8 * 8;
  return std::min(limit, device.registersPerThread);
}

/// What the blocks of a cluster add to an exchange, in microseconds: it waits
/// for the slowest of them.
static double getClusterLatency(InnerOuterScheduleAttr schedule,
                                const DeviceModel &device) {
  return device.clusterBlockMicroseconds * (schedule.getCluster() - 1);
}

/// The latency of an exchange in microseconds. It waits for the slowest of the
/// warps (measured: linear in them); within a warp it needs no barrier.
static double getExchangeLatency(InnerOuterScheduleAttr schedule,
                                 const DeviceModel &device) {
  double latency = device.blockReductionMicroseconds;
  latency *= schedule.getThreadsPerRow() > device.warpSize
                 ? 0.7 + 0.3 * schedule.getThreads() / 256.0
                 : 0.5;
  return latency + getClusterLatency(schedule, device);
}

/// How much longer memory traffic takes because a multiprocessor has too little
/// or too much in flight. Too little starves it; too much lets some
/// multiprocessors take bandwidth from the others (measured: +17 % at half,
/// +2 to +4 % at two to three times the target).
static double getInFlightPenalty(const RowColumnGraph &graph,
                                 const Footprint &footprint,
                                 InnerOuterScheduleAttr schedule,
                                 const DeviceModel &device) {
  // Without a ring, loads wait for the work on the tile before them.
  if (schedule.getLoader() == Loader::Direct)
    return 0.6;
  double tile = double(footprint.rowInputBytes) * schedule.getRowsPerTile() /
                schedule.getCluster();
  // Values that are read again hold their stage until the end of the tile.
  double stages = schedule.getStages() -
                  (schedule.getKeep() == Residency::Shared ? 0.75 : 0);
  // A stage is refilled after the exchange: what arrives during its latency
  // must be in flight besides.
  double readShare = double(footprint.inputBytes) /
                     double(footprint.inputBytes + footprint.outputBytes) *
                     device.copyBytesPerMicrosecond / device.multiprocessors;
  double target =
      device.bytesInFlight + readShare * getClusterLatency(schedule, device);
  double ratio = tile * stages / target;
  return ratio < 1 ? 0.17 * (1 / ratio - 1) : 0.02 * (ratio - 1);
}

/// The time of one tile of a cluster in microseconds: its traffic at the
/// cluster's share of the bandwidth.
static double getMemoryTime(const RowColumnGraph &graph,
                            const Footprint &footprint,
                            InnerOuterScheduleAttr schedule,
                            const DeviceModel &device) {
  double bytesPerRow =
      double(footprint.inputBytes + footprint.outputBytes) / graph.getRows();
  // A few idle multiprocessors leave their bandwidth to the others.
  double active =
      std::max<double>(schedule.getBlocks(), 0.85 * device.multiprocessors);
  double share =
      device.copyBytesPerMicrosecond / active * schedule.getCluster();
  return schedule.getRowsPerTile() * bytesPerRow / share *
         (1 + getInFlightPenalty(graph, footprint, schedule, device));
}

/// The time of one tile in microseconds if all its data were there: the chain
/// of work and exchanges from its first load to its last store.
static double getChainTime(const RowColumnGraph &graph,
                           const Footprint &footprint,
                           InnerOuterScheduleAttr schedule,
                           const DeviceModel &device) {
  double work = double(schedule.getRowsPerTile()) * graph.getColumns() /
                schedule.getCluster() * footprint.operationsPerElement;
  // Values that are not kept are read, converted and computed again.
  if (schedule.getKeep() == Residency::Shared)
    work *= 2.2;
  if (schedule.getParams() == Residency::Shared)
    work *= 1.15;
  // Every thread takes part in the exchanges of its group: a packed butterfly,
  // the slots, and the totals of each value (about 20 instructions, and 6 a
  // value).
  double values = double(graph.getRowReductions().size()) * schedule.getRows();
  work +=
      schedule.getThreads() * (20.0 * (graph.getNumLevels() - 1) + 6 * values);
  // Threads copy for themselves: an address and an instruction for each vector
  // of each input.
  if (schedule.getLoader() == Loader::AsyncCopy)
    work *= 1 + 4.0 * footprint.rowColumnInputs.size() /
                    (schedule.getWidth() * footprint.operationsPerElement);
  // A warp alone cannot fill the pipelines; eight a multiprocessor nearly do.
  double occupancy = std::min(1.0, schedule.getThreads() / 256.0);
  double compute = work / (device.operationsPerMicrosecond * 0.9 * occupancy);
  double exchanges = graph.getNumLevels() - 1;
  double chain = exchanges * getExchangeLatency(schedule, device) + compute;
  // The row copies of a group are started one after the other.
  if (schedule.getLoader() == Loader::BulkCopy)
    chain += device.bulkCopyMicroseconds * schedule.getRows() *
             footprint.rowColumnInputs.size();
  return chain;
}

/// What slows the work on every tile down, as a factor.
static double getWorkFactor(const RowColumnGraph &graph,
                            const Footprint &footprint,
                            InnerOuterScheduleAttr schedule, unsigned registers,
                            const DeviceModel &device) {
  // Near the limit ptxas orders work by registers rather than by latency.
  unsigned limit = getRegisterLimit(schedule.getThreads(), device);
  double pressure = double(registers) / limit;
  double factor = 1 + 0.03 * std::max(0.0, pressure - 0.9);
  // With many columns a thread there are few warps to overlap, and ptxas has
  // little room to reorder.
  double columns = schedule.getVectors() * schedule.getWidth();
  factor += 0.005 * std::max(0.0, columns - 24);
  // Reading again takes shared-memory bandwidth (measured: 1 to 4 %).
  if (schedule.getKeep() == Residency::Shared)
    factor *= 1.03;
  if (schedule.getParams() == Residency::Shared)
    factor *= 1.01;
  // Idle threads of a ragged last vector, and barriers of wide blocks.
  double padded = double(getPaddedColumns(schedule)) /
                  getBlockColumns(graph, footprint, schedule);
  return factor *
         (1 + 0.02 * (padded - 1) + (schedule.getThreads() > 512 ? 0.01 : 0));
}

/// The time from the last tile to the end, in microseconds.
static double getFinishTime(InnerOuterScheduleAttr schedule,
                            uint64_t partialBytes, const DeviceModel &device) {
  if (!schedule.getFinishBlocks())
    return 0;
  // The partial results pass through the L2 cache.
  double traffic = 2 * partialBytes / device.l2BytesPerMicrosecond;
  switch (schedule.getFinish()) {
  case FinishMode::GridBarrier:
    return traffic + device.gridBarrierMicroseconds;
  case FinishMode::Dependent:
    return traffic + device.dependentLaunchMicroseconds;
  case FinishMode::Plain:
    return traffic + device.launchMicroseconds;
  }
  llvm_unreachable("unknown finish mode");
}

Cost innerouter::computeCost(const RowColumnGraph &graph,
                             const Footprint &footprint,
                             InnerOuterScheduleAttr schedule,
                             const DeviceModel &device) {
  Cost cost;
  uint64_t partialBytes = uint64_t(schedule.getClusters()) *
                          graph.getColumns() * footprint.partialBytesPerColumn;
  cost.bytes = footprint.inputBytes + footprint.outputBytes + 2 * partialBytes;
  cost.sharedBytes = schedule.getSharedBytes();
  cost.registersPerThread = estimateRegisters(footprint, schedule);

  double tiles =
      llvm::divideCeil(graph.getRows(), int64_t(schedule.getRowsPerTile()));
  double share = tiles / schedule.getClusters();
  // Clusters with a tile less leave their bandwidth to the others at the end.
  double iterations = (share + std::ceil(share)) / 2;
  double chain = getChainTime(graph, footprint, schedule, device);
  double memory = getMemoryTime(graph, footprint, schedule, device);
  // The shorter of the two does not hide completely behind the other.
  double tile = std::max(memory, chain) + 0.05 * std::min(memory, chain) +
                0.1 * device.blockReductionMicroseconds;
  tile *= getWorkFactor(graph, footprint, schedule, cost.registersPerThread,
                        device);
  // The first tile waits for its data, and the work on the last one hides
  // behind nothing.
  cost.microseconds =
      device.launchMicroseconds +
      (schedule.getCluster() > 1 ? device.clusterLaunchMicroseconds : 0) +
      device.loadLatencyMicroseconds + iterations * tile + chain +
      getFinishTime(schedule, partialBytes, device);
  return cost;
}
