//===- Plan.cpp - Which inner-outer schedule to use -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every schedule that fits the device by estimate has a predicted time; the
// fastest wins, the first of equal ones. Predictions come from the device model
// and the footprint alone, so that the choice is the same everywhere.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Target/DeviceModel.h"
#include "InnerOuter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// Threads of a block of the finish kernel, if their sums fit.
static constexpr unsigned maxFinishThreads = 256;

/// Vectors of a row that one thread owns, at most.
static constexpr unsigned maxVectors = 32;

/// Registers of a thread, estimated: the values of its columns, and a base for
/// addresses, loop state and the work on one tile of each row (fitted to what
/// ptxas reports).
static unsigned estimateRegisters(const Footprint &footprint,
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
  inWork += rows * getRowDistance(schedule) * footprint.rowInputs.size();
  return columns * perColumn + inWork + 36 + 4 * rows + rows * rows;
}

/// The most registers that a thread of such a block can have.
static unsigned getRegisterLimit(unsigned threads, const DeviceModel &device) {
  // Warps are dealt to partitions that have their own registers, which warps
  // get in units of 8 a thread.
  unsigned warps = llvm::divideCeil(threads, device.warpSize);
  unsigned perPartition = llvm::divideCeil(warps, device.partitions);
  unsigned registers = device.registersPerMultiprocessor / device.partitions;
  unsigned limit = registers / (perPartition * device.warpSize) / 8 * 8;
  return std::min(limit, device.registersPerThread);
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// How much longer memory traffic takes because a multiprocessor has too little
/// or too much in flight. Too little starves it; too much lets some
/// multiprocessors take bandwidth from the others (measured: +17 % at half,
/// +2 to +4 % at two to three times the target).
static double getInFlightPenalty(const Footprint &footprint,
                                 InnerOuterScheduleAttr schedule,
                                 const DeviceModel &device) {
  double tile = double(footprint.rowInputBytes) * schedule.getRowsPerTile();
  // Without a ring, loads wait for the work on the tile before them.
  if (schedule.getLoader() == Loader::Direct)
    return 0.6;
  // Values that are read again hold their stage until the end of the tile.
  double stages = schedule.getStages() -
                  (schedule.getKeep() == Residency::Shared ? 0.75 : 0);
  double ratio = tile * stages / device.bytesInFlight;
  return ratio < 1 ? 0.17 * (1 / ratio - 1) : 0.02 * (ratio - 1);
}

Cost innerouter::computeCost(const RowColumnGraph &graph,
                             const Footprint &footprint,
                             InnerOuterScheduleAttr schedule,
                             const DeviceModel &device) {
  Cost cost;
  double blocks = schedule.getBlocks();
  uint64_t partialBytes = uint64_t(schedule.getBlocks()) * graph.getColumns() *
                          footprint.partialBytesPerColumn;
  cost.bytes = footprint.inputBytes + footprint.outputBytes + 2 * partialBytes;
  cost.sharedBytes = schedule.getSharedBytes();
  cost.registersPerThread = estimateRegisters(footprint, schedule);

  // One iteration of a block: its tile's traffic at the block's share of the
  // bandwidth, or its chain of work if that is longer.
  double tileRows = schedule.getRowsPerTile();
  double tiles = llvm::divideCeil(graph.getRows(), tileRows);
  double iterations = std::ceil(tiles / blocks);
  double bytesPerRow =
      double(footprint.inputBytes + footprint.outputBytes) / graph.getRows();
  double share = device.copyBytesPerMicrosecond / device.multiprocessors;
  double memory = tileRows * bytesPerRow / share *
                  (1 + getInFlightPenalty(footprint, schedule, device));
  // An exchange waits for the slowest of the warps (measured: linear in them);
  // within a warp it needs no barrier.
  double exchanges = graph.getNumLevels() - 1;
  double exchange = device.blockReductionMicroseconds;
  exchange *= schedule.getThreadsPerRow() > device.warpSize
                  ? 0.7 + 0.3 * schedule.getThreads() / 256.0
                  : 0.5;
  double work = tileRows * graph.getColumns() * footprint.operationsPerElement;
  // Values that are not kept are read, converted and computed again.
  if (schedule.getKeep() == Residency::Shared)
    work *= 2.2;
  if (schedule.getParams() == Residency::Shared)
    work *= 1.15;
  // A warp alone cannot fill the pipelines; eight a multiprocessor nearly do.
  double occupancy = std::min(1.0, schedule.getThreads() / 256.0);
  double compute = work / (device.operationsPerMicrosecond * 0.9 * occupancy);
  double iteration = std::max(memory, exchanges * exchange + compute);
  // Waiting for the ring and refilling it.
  iteration += 0.1 * device.blockReductionMicroseconds;
  // Near the limit ptxas orders work by registers rather than by latency;
  // beyond it values spill.
  unsigned limit = getRegisterLimit(schedule.getThreads(), device);
  double pressure = double(cost.registersPerThread) / limit;
  iteration *= 1 + 0.03 * std::max(0.0, pressure - 0.75) +
               (pressure > 1 ? 2 * (pressure - 1) + 0.1 : 0);
  // Idle threads of a ragged last tile, and barriers of wide blocks.
  double padded = double(getPaddedColumns(schedule)) / graph.getColumns();
  // Reading again takes shared-memory bandwidth (measured: 1 to 4 %).
  if (schedule.getKeep() == Residency::Shared)
    iteration *= 1.03;
  if (schedule.getParams() == Residency::Shared)
    iteration *= 1.01;
  iteration *=
      1 + 0.02 * (padded - 1) + (schedule.getThreads() > 512 ? 0.01 : 0);

  double finish = 0;
  if (schedule.getFinishBlocks())
    finish = 0.8 * device.launchMicroseconds +
             2 * partialBytes / device.copyBytesPerMicrosecond;
  cost.microseconds =
      device.launchMicroseconds + iterations * iteration + finish;
  return cost;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {

/// The space of schedules, and the best one so far.
class Search {
public:
  Search(const InnerOuterMatch &match, MLIRContext *context,
         const DeviceModel &device)
      : graph(match.graph), footprint(match.footprint), context(context),
        device(device) {}

  std::variant<InnerOuterScheduleAttr, Rejection> run();

private:
  void tryThreads(unsigned perRow, unsigned groups);
  void tryLoaders(unsigned perRow, unsigned groups, unsigned rows);
  void tryOne(unsigned perRow, unsigned groups, unsigned rows, Loader loader,
              unsigned stages, Residency keep, Residency params);

  const RowColumnGraph &graph;
  const Footprint &footprint;
  MLIRContext *context;
  const DeviceModel &device;
  unsigned width = 1;
  InnerOuterScheduleAttr best;
  double bestTime = 0;
  /// The least that any schedule asked for and did not get.
  std::optional<uint64_t> leastShared, leastRegisters, leastUnrolled;
  unsigned registersAvailable = 0;
};

} // namespace

std::variant<InnerOuterScheduleAttr, Rejection> Search::run() {
  // The widest access of at most 16 bytes of the narrowest tensor that every
  // row can start with: rows stand at multiples of it.
  while (graph.getColumns() % (2 * width) == 0 &&
         2 * width * footprint.minElementBytes <= 16)
    width *= 2;
  for (unsigned perRow : {8u, 16u})
    for (unsigned groups = 32 / perRow; groups * perRow <= 512; groups *= 2)
      tryThreads(perRow, groups);
  for (unsigned perRow = 32; perRow <= device.threadsPerBlock; perRow += 32)
    for (unsigned groups = 1; groups * perRow <= device.threadsPerBlock;
         groups *= 2)
      tryThreads(perRow, groups);
  if (best)
    return best;
  Operation *op = graph.getColumnReductions().front().operation;
  if (leastShared)
    return Rejection{RejectionCode::OnChipCapacity,
                     op,
                     "expected two stages of the rows of all inputs to fit in "
                     "the shared memory of a block, in bytes",
                     std::nullopt,
                     *leastShared,
                     device.sharedPerBlock};
  if (leastUnrolled && !leastRegisters)
    return Rejection{RejectionCode::OnChipCapacity,
                     op,
                     "expected fewer operations: a kernel repeats those of an "
                     "element for each column and row of a thread",
                     std::nullopt,
                     *leastUnrolled,
                     maxUnrolledOperations};
  if (!leastRegisters)
    return Rejection{RejectionCode::OnChipCapacity,
                     op,
                     "expected a row short enough for one block, in columns",
                     std::nullopt,
                     static_cast<uint64_t>(graph.getColumns()),
                     uint64_t(maxVectors) * device.threadsPerBlock * width};
  return Rejection{RejectionCode::OnChipCapacity,
                   op,
                   "expected the accumulators of the column reductions to fit "
                   "in the registers of a thread",
                   std::nullopt,
                   *leastRegisters,
                   registersAvailable};
}

void Search::tryThreads(unsigned perRow, unsigned groups) {
  uint64_t tiles = graph.getColumns() / width;
  // A row has work for its threads, and not too much for one.
  if (perRow > 8 && perRow >= 2 * tiles)
    return;
  if (llvm::divideCeil(tiles, perRow) > maxVectors)
    return;
  for (unsigned rows : {1u, 2u, 4u})
    if (int64_t(rows) * groups <= std::max<int64_t>(graph.getRows(), groups))
      tryLoaders(perRow, groups, rows);
}

void Search::tryLoaders(unsigned perRow, unsigned groups, unsigned rows) {
  bool canCopy = llvm::all_of(footprint.rowColumnInputs, [&](Value input) {
    Type element = getElementTypeOrSelf(input.getType());
    return canCopyAsync(width, element.getIntOrFloatBitWidth() / 8);
  });
  for (Residency params : {Residency::Registers, Residency::Shared}) {
    if (params == Residency::Shared && footprint.params.empty())
      continue;
    tryOne(perRow, groups, rows, Loader::Direct, 1, Residency::Registers,
           params);
    if (!canCopy)
      continue;
    for (Residency keep : {Residency::Registers, Residency::Shared})
      for (unsigned stages : {2u, 3u, 4u})
        tryOne(perRow, groups, rows, Loader::AsyncCopy, stages, keep, params);
  }
}

void Search::tryOne(unsigned perRow, unsigned groups, unsigned rows,
                    Loader loader, unsigned stages, Residency keep,
                    Residency params) {
  uint64_t tiles = llvm::divideCeil(graph.getRows(), uint64_t(groups) * rows);
  unsigned blocks = std::min<uint64_t>(device.multiprocessors, tiles);
  unsigned vectors =
      llvm::divideCeil(uint64_t(graph.getColumns()) / width, perRow);
  unsigned finishBlocks = llvm::divideCeil(graph.getColumns(), finishColumns);
  unsigned finishThreads = maxFinishThreads;
  while (finishThreads > finishColumns &&
         getFinishSharedBytes(footprint, finishThreads) >
             device.staticSharedPerBlock)
    finishThreads /= 2;
  auto make = [&](uint64_t sharedBytes) {
    return InnerOuterScheduleAttr::get(
        context, blocks, perRow * groups, groups, rows, width, vectors, loader,
        stages, keep, params, finishBlocks, finishThreads, sharedBytes);
  };
  InnerOuterScheduleAttr schedule = make(0);
  uint64_t unrolled = countUnrolledOperations(graph, footprint, schedule);
  if (unrolled > maxUnrolledOperations) {
    leastUnrolled = std::min(leastUnrolled.value_or(unrolled), unrolled);
    return;
  }
  unsigned registers = estimateRegisters(footprint, schedule);
  unsigned limit = getRegisterLimit(perRow * groups, device);
  // A few values may spill: that is slow, and counted, but better than nothing.
  if (registers > limit + limit / 4) {
    if (!leastRegisters ||
        registers - limit < *leastRegisters - registersAvailable) {
      leastRegisters = registers;
      registersAvailable = limit;
    }
    return;
  }
  uint64_t shared = computeSharedLayout(graph, footprint, schedule).bytes;
  if (shared > device.sharedPerBlock) {
    leastShared = std::min(leastShared.value_or(shared), shared);
    return;
  }
  schedule = make(shared);
  double time = computeCost(graph, footprint, schedule, device).microseconds;
  if (!best || time < bestTime) {
    best = schedule;
    bestTime = time;
  }
}

std::variant<InnerOuterScheduleAttr, Rejection>
innerouter::chooseSchedule(const InnerOuterMatch &match, MLIRContext *context,
                           const DeviceModel &device) {
  return Search(match, context, device).run();
}
