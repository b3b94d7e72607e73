//===- Cost.cpp - What an inner-outer schedule is predicted to cost -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predictions come from the device model and the footprint alone, so that the
// choice of a schedule is the same everywhere. (Fitted to 511 measured kernels,
// the gradients of two norms, and adjusted by hand:
// benchmarks/results/inner_outer_candidates-h200.json.)
//
//===----------------------------------------------------------------------===//

#include "../SoftMaximum.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "InnerOuter.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// Registers of params that are read again for `columns` columns: those of the
/// first one turn into results, the others are loaded with them and wait as
/// they are stored.
static unsigned getWaitingParams(const Footprint &footprint, unsigned columns) {
  unsigned bytes = 0, largest = 0;
  for (Value param : footprint.params) {
    unsigned element = getElementBytes(param.getType());
    bytes += element;
    largest = std::max(largest, element);
  }
  return llvm::divideCeil(columns * (bytes - largest), 4u);
}

unsigned innerouter::estimateRegisters(const RowColumnGraph &graph,
                                       const Footprint &footprint,
                                       const ScheduleShape &schedule) {
  unsigned width = schedule.width, rows = schedule.rows;
  unsigned columns = width * schedule.vectors;
  unsigned perColumn = footprint.accumulatorRegisters, inWork = 0;
  // ptxas moves the loads of a row together; they turn into what is kept.
  unsigned loaded = llvm::divideCeil(footprint.loadedBytes, 4u);
  if (schedule.keep == Residency::Registers)
    perColumn += rows * std::max(footprint.keptRegisters, loaded);
  else
    inWork += rows * (width * footprint.keptRegisters + columns * loaded);
  // With what they turn into while params wait for them.
  if (schedule.keep == Residency::Shared &&
      schedule.params == Residency::Registers && !footprint.params.empty())
    inWork += rows * columns;
  if (schedule.params == Residency::Registers)
    perColumn += footprint.paramRegisters;
  else if (schedule.keep == Residency::Registers)
    inWork += rows * width * footprint.paramRegisters +
              getWaitingParams(footprint, columns);
  else // Both levels read them: ptxas keeps what the first one read.
    inWork += columns * footprint.paramRegisters;
  // What is added to wide accumulators waits for it, and some of it has room in
  // the base. (Fitted to what ptxas needs to spill nothing.)
  constexpr unsigned wideInBase = 16;
  inWork += std::max(columns * footprint.wideAccumulatorRegisters, wideInBase) -
            wideInBase;
  inWork += rows * rowDistance * footprint.rowInputs.size();
  // Addresses and phases of the barriers of a cluster; numbers of groups, and
  // of their barriers, which a warp does without.
  if (schedule.cluster > 1)
    inWork += 8 + 16 * rows;
  if (schedule.groups > 1)
    inWork += std::max(16u, (schedule.getThreadsPerRow() > 32 ? 16 : 8) * rows);
  // Which of its columns a thread has. Where it has all of them, ptxas moves
  // more of the loads of a block's only row together, which takes as much.
  bool isRagged =
      graph.getColumns() != schedule.cluster * getPaddedColumns(schedule);
  if (isRagged || (schedule.cluster == 1 && rows == 1))
    inWork += 12;
  // Fitted to one kernel that spilled (RMS-norm backward of 6152 columns).
  if (isRagged && schedule.params == Residency::Shared && schedule.groups > 1)
    inWork += 2 * schedule.vectors;
  // Addresses of the copies and loads that each thread starts.
  if (schedule.loader != Loader::BulkCopy)
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

/// The latency of an exchange of `values` values in microseconds, as far as
/// nothing hides it. It waits for the slowest of the warps (fitted to measured
/// times; blocks of a cluster add to it where a warp has a row to itself).
static double getExchangeLatency(const ScheduleShape &schedule, size_t values,
                                 const DeviceModel &device) {
  double warps = schedule.threads / 256.0;
  double latency = 0;
  if (schedule.getThreadsPerRow() > device.warpSize)
    // The more groups there are, the less each has to fill its waits with.
    latency =
        0.166 * warps + 0.13 * (schedule.groups - 1) + 0.05 * (values - 1.0);
  else // A warp that has a row to itself has nothing.
    latency = schedule.cluster > 1 ? 1.33 : 0.93;
  return latency * device.blockReductionMicroseconds;
}

namespace {

/// Times of one tile of a cluster in microseconds. The longest of the first
/// three decides, and what comes near it shows as well.
struct TileTimes {
  /// Its traffic at the cluster's share of the bandwidth.
  double memory = 0;
  /// From the start of a stage's copies to the next ones, a stage's share: the
  /// ring moves no faster, however much bandwidth there is.
  double ring = 0;
  /// All its work and exchanges, its data being there.
  double chain = 0;
  /// What the copies for a tile that takes less than most of their latency come
  /// too late.
  double lateness = 0;
  /// What the first tile comes later because more is asked for than arrives at
  /// full speed; once.
  double fill = 0;

  /// The norm of power 16: power 8 makes too much of times that come near.
  double getTotal() const {
    return std::sqrt(
        getSoftMaximum({memory * memory, ring * ring, chain * chain}));
  }
};

} // namespace

/// How much longer memory traffic takes because of how a block asks for it.
static double getRequestPenalty(const RowColumnGraph &graph,
                                const Footprint &footprint,
                                const ScheduleShape &schedule,
                                const DeviceModel &device) {
  // Without a ring nothing is in flight during the work on a tile.
  if (schedule.loader == Loader::Direct)
    return 0.6;
  // The whole of a copy has to arrive before its part of a row is used.
  double copyBytes = double(getBlockColumns(graph, footprint, schedule)) *
                     footprint.minInputBytes;
  auto getDoublings = [&](double bytes) {
    return std::log2(std::max(1.0, copyBytes / bytes));
  };
  // Shorter ones lose a little already.
  return 0.0165 * getDoublings(device.bulkCopyBytes / 4) +
         device.bulkCopyLoss * getDoublings(device.bulkCopyBytes);
}

/// The time in which the rings fill beyond what full speed needs.
static double getFillTime(const Footprint &footprint,
                          const ScheduleShape &schedule,
                          const DeviceModel &device) {
  if (schedule.loader == Loader::Direct)
    return 0;
  double ring = double(footprint.rowInputBytes) * schedule.getRowsPerTile() *
                schedule.stages / schedule.cluster;
  double excess = std::max(0.0, ring - device.bytesInFlight);
  return 0.4 * excess * device.multiprocessors / device.copyBytesPerMicrosecond;
}

/// The traffic of a tile at the cluster's share of the bandwidth.
static double getMemoryTime(const RowColumnGraph &graph,
                            const Footprint &footprint,
                            const ScheduleShape &schedule,
                            const DeviceModel &device) {
  double bytesPerRow =
      double(footprint.inputBytes + footprint.outputBytes) / graph.getRows();
  // Idle multiprocessors leave their bandwidth to the others, as far as those
  // can take it.
  double active =
      std::max<double>(schedule.blocks, 0.6 * device.multiprocessors);
  double share = device.copyBytesPerMicrosecond / active * schedule.cluster;
  return schedule.getRowsPerTile() * bytesPerRow / share;
}

/// The time in which the pipelines of a multiprocessor do the work on a tile.
static double getComputeTime(const RowColumnGraph &graph,
                             const Footprint &footprint,
                             const ScheduleShape &schedule,
                             const DeviceModel &device) {
  // Threads without columns in the last vector work on others' all the same.
  double work = double(schedule.getRowsPerTile()) * getPaddedColumns(schedule) *
                footprint.operationsPerElement;
  // Values that are not kept are read, converted and computed again.
  if (schedule.keep == Residency::Shared)
    work *= 1.3;
  if (schedule.params == Residency::Shared && footprint.paramBytes)
    work *= 1.06;
  // Every thread takes part in the exchanges of its group: a packed butterfly,
  // the slots, and the totals of each value (about 20 instructions, and 6 a
  // value).
  double values = double(graph.getRowReductions().size()) * schedule.rows;
  work += schedule.threads * (20.0 * (graph.getNumLevels() - 1) + 6 * values);
  // Threads copy for themselves: an address and an instruction for each vector
  // of each input.
  if (schedule.loader == Loader::AsyncCopy)
    work *= 1 + 4.0 * footprint.rowColumnInputs.size() /
                    (schedule.width * footprint.operationsPerElement);
  // Few warps cannot fill the pipelines; eight a multiprocessor nearly do.
  double warps = schedule.threads / (8.0 * device.warpSize);
  double occupancy =
      warps < 1 ? warps * std::sqrt(warps) : 1 + 0.06 * (warps - 1);
  // Beside the operations there are addresses, conversions of pairs and waits.
  constexpr double instructionsPerOperation = 1.26;
  return work * instructionsPerOperation /
         (device.operationsPerMicrosecond * occupancy);
}

static TileTimes getTileTimes(const RowColumnGraph &graph,
                              const Footprint &footprint,
                              const ScheduleShape &schedule,
                              const DeviceModel &device,
                              double requestPenalty) {
  TileTimes times;
  double compute = getComputeTime(graph, footprint, schedule, device);
  double exchange = getExchangeLatency(
      schedule, graph.getRowReductions().size() * schedule.rows, device);
  unsigned exchanges = graph.getNumLevels() - 1;
  times.memory =
      getMemoryTime(graph, footprint, schedule, device) * (1 + requestPenalty);
  times.lateness =
      std::max(0.0, 0.8 * device.loadLatencyMicroseconds - times.memory);
  // Those after the first have less work between them to hide behind.
  times.chain = compute + (2.0 * exchanges - 1) * exchange;
  // The row copies of a group are started one after the other.
  if (schedule.loader == Loader::BulkCopy)
    times.chain += device.bulkCopyMicroseconds * schedule.rows *
                   footprint.rowColumnInputs.size();
  // A stage is free again after the first exchange, and before it stands less
  // than half of the work; values that are read again hold it to the end.
  bool holdsStage =
      schedule.keep == Residency::Shared || schedule.loader == Loader::Direct;
  double busy = holdsStage ? times.chain : 0.4 * compute + exchange;
  if (schedule.cluster > 1)
    busy += device.clusterStageMicroseconds;
  // Stages do not become free and fill at even distances; those of several
  // groups even out.
  double unevenness = 1 + 0.446 / schedule.groups;
  times.ring =
      unevenness * (device.loadLatencyMicroseconds + busy) / schedule.stages;
  times.fill = getFillTime(footprint, schedule, device);
  return times;
}

/// What slows the work on every tile down, as a factor.
static double getWorkFactor(const Footprint &footprint,
                            const ScheduleShape &schedule, unsigned registers,
                            const DeviceModel &device) {
  // Near the limit ptxas orders work by registers rather than by latency.
  unsigned limit = getRegisterLimit(schedule.threads, device);
  double pressure = double(registers) / limit;
  double factor = 1 + 0.03 * std::max(0.0, pressure - 0.9);
  // Reading again takes shared-memory bandwidth (measured: 1 to 4 %).
  if (schedule.keep == Residency::Shared)
    factor *= 1.02;
  if (schedule.params == Residency::Shared && footprint.paramBytes)
    factor *= 1.01;
  // Each thread asks for its own few bytes.
  if (schedule.loader == Loader::AsyncCopy)
    factor *= 1.035;
  // The barriers of wide blocks.
  if (schedule.threads > 256)
    factor *= 1.008;
  return factor;
}

/// The time from the last tile to the end, in microseconds.
static double getFinishTime(const ScheduleShape &schedule,
                            uint64_t partialBytes, size_t numPartials,
                            const DeviceModel &device) {
  if (!schedule.finishBlocks)
    return 0;
  // The partial results pass through the L2 cache, and each warp adds up its
  // share of them, one load after the other.
  double warps = schedule.finishThreads / double(device.warpSize);
  double loads = std::ceil(schedule.getClusters() / warps) * numPartials;
  double traffic = 2 * partialBytes / device.l2BytesPerMicrosecond +
                   device.partialResultMicroseconds * loads;
  switch (schedule.finish) {
  case FinishMode::GridBarrier:
    return traffic + device.gridBarrierMicroseconds;
  case FinishMode::Dependent:
    return traffic + device.dependentLaunchMicroseconds;
  case FinishMode::Plain:
    return traffic + device.launchMicroseconds;
  }
  llvm_unreachable("unknown finish mode");
}

/// Bytes of the partial results that the blocks leave in memory.
static uint64_t getPartialBytes(const RowColumnGraph &graph,
                                const Footprint &footprint,
                                const ScheduleShape &schedule) {
  return uint64_t(schedule.getClusters()) * graph.getColumns() *
         footprint.partialBytesPerColumn;
}

Cost innerouter::computeCost(const RowColumnGraph &graph,
                             const Footprint &footprint,
                             const ScheduleShape &schedule,
                             const DeviceModel &device) {
  Cost cost;
  cost.bytes = footprint.inputBytes + footprint.outputBytes +
               2 * getPartialBytes(graph, footprint, schedule);
  cost.sharedBytes = schedule.sharedBytes;
  cost.registersPerThread = estimateRegisters(graph, footprint, schedule);
  cost.microseconds =
      predictTime(graph, footprint, schedule, device, cost.registersPerThread);
  return cost;
}

/// The time of a kernel whose tiles take `times`, and the work on them
/// `workFactor` times that.
static double getTotalTime(const RowColumnGraph &graph,
                           const Footprint &footprint,
                           const ScheduleShape &schedule,
                           const DeviceModel &device, const TileTimes &times,
                           double workFactor) {
  double tiles =
      llvm::divideCeil(graph.getRows(), int64_t(schedule.getRowsPerTile()));
  double share = tiles / schedule.getClusters();
  // Clusters with a tile less leave their bandwidth to the others at the end.
  double iterations = (share + std::ceil(share)) / 2;
  // The loop itself and its barriers.
  double overhead =
      0.059 * device.blockReductionMicroseconds * (graph.getNumLevels() - 1) +
      0.4 * times.lateness;
  double tile = times.getTotal() * workFactor + overhead;
  // Every block reads its params first.
  double params = double(footprint.paramBytes) / schedule.cluster *
                  device.multiprocessors / device.copyBytesPerMicrosecond;
  // The work on the first tile and on the last one hides behind nothing.
  // Warps with rows of their own come to an end one by one.
  double exposedTiles =
      schedule.getThreadsPerRow() > device.warpSize ? 2.0 : 1.0;
  double launch = device.launchMicroseconds;
  if (schedule.cluster > 1)
    launch += device.clusterLaunchMicroseconds;
  return launch + device.loadLatencyMicroseconds + times.fill + params +
         iterations * tile + exposedTiles * times.chain +
         getFinishTime(schedule, getPartialBytes(graph, footprint, schedule),
                       graph.getColumnReductions().size(), device);
}

double innerouter::predictTime(const RowColumnGraph &graph,
                               const Footprint &footprint,
                               const ScheduleShape &schedule,
                               const DeviceModel &device, unsigned registers) {
  return getTotalTime(
      graph, footprint, schedule, device,
      getTileTimes(graph, footprint, schedule, device,
                   getRequestPenalty(graph, footprint, schedule, device)),
      getWorkFactor(footprint, schedule, registers, device));
}

double innerouter::predictLeastTime(const RowColumnGraph &graph,
                                    const Footprint &footprint,
                                    ScheduleShape schedule,
                                    const DeviceModel &device) {
  // More stages shorten the ring, and take longer to ask for.
  schedule.keep = schedule.params = Residency::Registers;
  schedule.stages = mostStages;
  TileTimes times = getTileTimes(graph, footprint, schedule, device,
                                 /*requestPenalty=*/0);
  times.lateness = times.fill = 0;
  return getTotalTime(
      graph, footprint, schedule, device, times,
      getWorkFactor(footprint, schedule, /*registers=*/0, device));
}
