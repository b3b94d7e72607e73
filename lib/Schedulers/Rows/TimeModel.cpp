//===- TimeModel.cpp - What a row schedule is predicted to cost -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A multiprocessor holds `occupancy` blocks at a time, and each lives for
//
//     T = latency of its first loads + its exchanges + its arithmetic
//
// beside its transfers. With x = occupancy * bytes of a block / (T * share),
// where share is the multiprocessor's part of the bandwidth, the blocks
// together ask for x times the bandwidth: below 1 it is not used up. (Fitted to
// 110 measured kernels of 256 to 32768 columns, then adjusted by hand.)
//
//===----------------------------------------------------------------------===//

#include "TimeModel.h"
#include "../SoftMaximum.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

bool Shape::hasBarriers(const DeviceModel &device) const {
  return getThreadsPerRow() > device.warpSize;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// The tiles of a thread of a cluster that are known to be columns of the row
/// only when they are reached: all if the runs of the blocks reach beyond the
/// row, else the last one if the threads reach beyond the run.
static uint64_t countMaskedTiles(const RowGraph &graph, unsigned columns,
                                 const Shape &shape, uint64_t tiles) {
  if (shape.cluster == 1 || shape.traversal == RowTraversal::Looped)
    return 0;
  uint64_t inRow = countTiles(graph, columns, shape.width);
  uint64_t run = getClusterRun(inRow, shape.cluster);
  if (run * shape.cluster > inRow)
    return tiles;
  return tiles * shape.threads > run ? 1 : 0;
}

/// A base, an address for each tensor, what a result of a row takes, and the
/// columns of the thread as they are loaded or as they wait between levels.
/// Params add to what is in work at a time, and those of resident tiles beyond
/// the fourth to what is needed. A tile that may lie outside of the row has
/// addresses of its own and a predicate, which last from its loads to its
/// stores, and elements of less than 32 bits that are loaded one by one wait in
/// other registers than they are used in. (Fitted to what ptxas needs to spill
/// nothing.)
Registers rows::estimateRegisters(const RowGraph &graph,
                                  const Footprint &footprint,
                                  const Shape &shape) {
  constexpr uint64_t tilesInTurn = 4;
  constexpr double maskedTileRegisters = 6, narrowRegisters = 2;
  const Candidate &candidate = graph.getCandidate();
  bool isLooped = shape.traversal == RowTraversal::Looped;
  double bytes = 0, earlyBytes = 0, masks = 0;
  for (unsigned columns = 0; columns < graph.getColumnSpaces().size();
       ++columns) {
    uint64_t tiles = countThreadTiles(graph, columns, shape);
    masks +=
        maskedTileRegisters * countMaskedTiles(graph, columns, shape, tiles);
    unsigned perColumn = footprint.loadedBytes[columns];
    if (isLooped)
      tiles = std::min<uint64_t>(tiles, shape.vectors);
    else
      perColumn = std::max(perColumn, footprint.keptBytes[columns]);
    bytes += double(tiles * shape.width) *
             (shape.rows * perColumn + 0.25 * footprint.paramBytes[columns]);
    if (!isLooped && tiles > tilesInTurn)
      earlyBytes += double((tiles - tilesInTurn) * shape.width) * 0.7 *
                    footprint.paramBytes[columns];
  }
  auto rowOutputs = llvm::count_if(candidate.outputs, [&](Value output) {
    return graph.getSpace(output) == Space::Row;
  });
  double registers = 13.0 + candidate.inputs.size() + candidate.outputs.size() +
                     3.0 * rowOutputs + (shape.groups > 1 ? 3 : 0) +
                     (2.0 + footprint.rowInputs.size()) * (shape.rows - 1) +
                     bytes / 4;
  if (isLooped)
    registers = 1.2 * registers + shape.width;
  // Of other numbers of warps some lanes find no result to combine, and select
  // a neutral element.
  unsigned exchange = llvm::isPowerOf2_32(shape.getThreadsPerRow()) ? 0 : 4;
  double narrow =
      shape.width * footprint.minElementBytes < 4 ? narrowRegisters : 0;
  return {unsigned(std::ceil(registers)),
          unsigned(std::ceil(registers + exchange + narrow + masks +
                             earlyBytes / 4))};
}

/// The most registers that a thread can have if a multiprocessor holds
/// `occupancy` blocks.
static unsigned getRegisterLimit(unsigned threads, unsigned occupancy,
                                 const DeviceModel &device) {
  // Partitions have their own registers, which warps get in units of 8 a
  // thread.
  unsigned warps = occupancy * llvm::divideCeil(threads, device.warpSize);
  unsigned perPartition = llvm::divideCeil(warps, device.partitions);
  unsigned registers = device.registersPerMultiprocessor / device.partitions;
  unsigned limit = registers / (perPartition * device.warpSize) / 8 * 8;
  return std::min(limit, device.registersPerThread);
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Of the launch, and of the blocks that each multiprocessor starts. Where a
/// warp has rows to itself it makes no difference how many share a block.
double TimeModel::getStartTime() const {
  double starts = double(blocks) / shape.cluster / device.multiprocessors;
  if (!shape.hasBarriers(device))
    starts *= shape.getRowsPerBlock();
  return device.launchMicroseconds + device.blockStartMicroseconds * starts;
}

/// Operations of a block; threads without columns do as many.
double TimeModel::getOperations() const {
  double operations = 0;
  for (unsigned columns = 0; columns < graph.getColumnSpaces().size();
       ++columns)
    operations += double(countThreadTiles(graph, columns, shape)) *
                  shape.width * shape.threads * shape.rows *
                  footprint.operationsPerColumn[columns];
  return operations;
}

/// DRAM and L2 work side by side; near the limits of both they disturb one
/// another.
double TimeModel::getMemoryTime() const {
  double rows = graph.getRows();
  double reads = footprint.inputBytes;
  double l2 = reads + footprint.outputBytes;
  // Params stay in L1 beside the rows if they take at most half of it.
  if (footprint.paramBytesPerRow > device.sharedPerMultiprocessor / 2)
    l2 += rows / shape.rows * footprint.paramBytesPerRow;
  double again = rows * getBytesAgain();
  double resident = getBlocksAtOnce() * device.multiprocessors *
                    shape.getRowsPerBlock() * footprint.rowInputBytes /
                    shape.cluster;
  // Rows are found in L2 again as far as all of those at work fit.
  double missing = std::clamp(
      resident / std::max<double>(1, device.l2Bytes) - 0.5, 0.0, 1.0);
  l2 += again;
  reads += missing * again;
  double dram = device.getTransferMicroseconds(reads, footprint.outputBytes);
  return getSoftMaximum({dram, l2 / device.l2BytesPerMicrosecond});
}

/// Each level waits for the slowest of the warps; within a warp there is no
/// barrier.
double TimeModel::getExchangeTime() const {
  double exchange = device.blockReductionMicroseconds;
  exchange *= shape.hasBarriers(device)
                  ? 0.7 + 0.085 * shape.getThreadsPerRow() / 256.0
                  : 0.27;
  if (shape.cluster > 1)
    exchange += device.clusterMeetingBlockMicroseconds * (shape.cluster - 1);
  unsigned exchanges = graph.getNumLevels() - 1;
  if (getRescaledSum(footprint, shape))
    --exchanges;
  return exchanges * exchange;
}

/// How long one block lives beside its transfers if others share its
/// multiprocessor. Each pass over a row that is not kept waits again, and what
/// it reads again comes from L2.
double TimeModel::getBlockTime() const {
  double loads = 1;
  if (isLooped()) {
    loads = 0;
    for (const ColumnWork &work : footprint.work)
      loads += llvm::divideCeil(countThreadTiles(graph, work.columns, shape),
                                uint64_t(shape.vectors));
  }
  double again = shape.getRowsPerBlock() * getBytesAgain() / shape.cluster *
                 device.multiprocessors / device.l2BytesPerMicrosecond;
  // Issue slots go to what others wait for as well, be it the block's other
  // rows or another block.
  constexpr double slowdown = 1.2;
  double rows = shape.hasBarriers(device) ? shape.groups : 1;
  double compute =
      slowdown * operations / rows / device.operationsPerMicrosecond;
  // A thread starts one load after the other, of each input a vector.
  double starts =
      device.loadStartMicroseconds * shape.vectors * footprint.streamed.size();
  // The steps of a loop come closer together than blocks do, and compute while
  // others load.
  constexpr double nextStep = 0.3;
  return (1 + nextStep * (loads - 1)) * device.firstLoadMicroseconds +
         loads * starts + getExchangeTime() + std::max(again, compute);
}

/// The share of the time that is lost because the first level cannot use what
/// one load brings before others have arrived: all of them hold registers, so
/// that a thread starts few at a time (measured: 4 % with 8 vectors of two
/// inputs and a param, 11 % with 16).
double TimeModel::getLoadLoss() const {
  size_t together = footprint.streamed.size();
  for (const ColumnWork &work : footprint.work)
    if (work.level == 0)
      together += work.params.size();
  return together > 1 ? 0.002 * shape.vectors * (together - 1) : 0;
}

/// Arithmetic of all blocks, at what is reached beside memory accesses.
double TimeModel::getComputeTime() const {
  return operations * blocks /
         (0.67 * device.operationsPerMicrosecond *
          std::min<uint64_t>(blocks, device.multiprocessors));
}

/// Blocks that a multiprocessor holds: `registers` may leave room for more than
/// the schedule asks for.
double TimeModel::getBlocksHeld(Registers registers) const {
  unsigned warps = llvm::divideCeil(shape.threads, device.warpSize);
  unsigned perWarp = llvm::alignTo(registers.needed, 8) * device.warpSize;
  unsigned byRegisters = device.registersPerMultiprocessor / perWarp / warps;
  unsigned held = std::min(byRegisters, device.getBlocksPerMultiprocessor(
                                            shape.threads, /*sharedBytes=*/0));
  return std::min<double>(std::max(held, occupancy),
                          llvm::divideCeil(blocks, device.multiprocessors));
}

/// How much of the bandwidth `atOnce` blocks together ask for.
double TimeModel::getDemand(double atOnce) const {
  double demand = atOnce * transferTime / blockTime;
  // A block makes room for another when the last of its rows has ended.
  if (shape.groups > 1 && shape.hasBarriers(device))
    demand *= 1 - 0.5 / atOnce;
  return demand;
}

/// What the transfers take beside those of blocks that ask for twice the
/// bandwidth, as the kernels did that the rest is fitted to. More requests wait
/// for one another, and reads and writes alternate more often: of rows that
/// single blocks keep, 2 % slower at 2.1 times the bandwidth than at 1.5.
/// (Measured; blocks of shorter rows come and go too fast for it, so that fewer
/// of them at once only lose.)
double TimeModel::getCrowding(double demand) const {
  constexpr double enough = 1.5, usual = 2, loss = 0.03;
  if (!footprint.hasLongRows() || isLooped() || shape.cluster > 1)
    return 1;
  return 1 + loss * (std::max(demand, enough) - usual);
}

double TimeModel::getTime(Registers registers, double enough) const {
  double atOnce = getBlocksAtOnce();
  double waves = std::max(1.0, blocks / (atOnce * device.multiprocessors));
  double lost = 0;
  if (shape.cluster > 1 && !footprint.params.empty())
    lost += device.clusterParamsLoss;
  // Near the limit ptxas orders work by registers rather than by latency;
  // beyond it values spill. Few warps leave issue slots empty.
  unsigned limit = getRegisterLimit(shape.threads, occupancy, device);
  double warps = atOnce * shape.threads / device.warpSize;
  double pressure = double(registers.working) / limit;
  // Values in pairs of registers leave some between them free.
  unsigned needed = registers.needed + (device.hasPackedFloats ? 4 : 0);
  double excess = double(needed) / limit - 1;
  auto getTotal = [&](double slowdown) {
    double memory = memoryTime * (1 + lost) * slowdown;
    // A grid of few blocks is no faster than each of them, at twice its share
    // of the bandwidth.
    double steady =
        std::max({memory, computeTime, std::ceil(waves) * transferTime / 2});
    // The first blocks start together, and the last ones end at different
    // times.
    double time = getStartTime() + 1.5 * blockTime + steady;
    time *= 1 + 0.03 * std::max(0.0, pressure - 0.75) + loadLoss +
            0.02 * std::max(0.0, 1 - warps / 16);
    return time * (excess > 0 ? 1.1 + 2 * excess : 1);
  };
  double reread = getBytesAgain() > 0 ? 1 + device.rereadLoss : 1;
  if (double least = getTotal(reread * getCrowding(0)); least >= enough)
    return least;
  double demand = getDemand(atOnce);
  // Blocks do not ask evenly, which rounds the corner off.
  double starved =
      demand > 0 ? std::pow(1 + std::pow(demand, -7.5), 1 / 7.5) : 1;
  double held = getBlocksHeld(registers);
  // Who waits for latencies does not feel what reading again costs.
  return getTotal(std::max(1 + (starved - 1) * (1 - 1 / waves), reread) *
                  (held > 1 ? getCrowding(getDemand(held)) : 1));
}

Cost rows::computeCost(const RowGraph &graph, const Footprint &footprint,
                       const Shape &shape, const DeviceModel &device) {
  Cost cost;
  cost.bytes = footprint.inputBytes + footprint.outputBytes;
  cost.sharedBytes = computeSharedLayout(graph, footprint, shape).bytes;
  Registers registers = estimateRegisters(graph, footprint, shape);
  cost.registersPerThread = registers.needed;
  if (!countBlocks(graph, shape))
    return cost;
  cost.microseconds =
      TimeModel(graph, footprint, shape, device).getTime(registers);
  return cost;
}
