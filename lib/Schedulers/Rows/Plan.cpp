//===- Plan.cpp - Which row schedule to use -------------------------------===//
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

#include "../SoftMaximum.h"
#include "../Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Rows.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

/// Tiles of a row that one thread holds, at most.
static constexpr unsigned maxVectors = 16;

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

namespace {

/// Registers of a thread, estimated.
struct Registers {
  /// For its work, some params at a time. That these come near the limit costs
  /// time.
  unsigned working = 0;
  /// To spill nothing: ptxas moves the loads of more params to the front than
  /// the work has to wait for.
  unsigned needed = 0;
};

} // namespace

/// A base, an address for each tensor, what a result of a row takes, and the
/// columns of the thread as they are loaded or as they wait between levels.
/// Params add to what is in work at a time, and those of resident tiles beyond
/// the fourth to what is needed. (Fitted to what ptxas needs to spill nothing.)
static Registers estimateRegisters(const RowGraph &graph,
                                   const Footprint &footprint,
                                   const Shape &shape) {
  constexpr uint64_t tilesInTurn = 4;
  const Candidate &candidate = graph.getCandidate();
  bool isLooped = shape.traversal == RowTraversal::Looped;
  double bytes = 0, earlyBytes = 0;
  for (unsigned columns = 0; columns < graph.getColumnSpaces().size();
       ++columns) {
    uint64_t tiles = countThreadTiles(graph, columns, shape);
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
  return {unsigned(std::ceil(registers)),
          unsigned(std::ceil(registers + exchange + earlyBytes / 4))};
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

namespace {

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
            std::max(memoryTime, computeTime)) *
           (1 + loadLoss);
  }

private:
  /// Rows of one warp need no barriers.
  bool hasBarriers() const {
    return shape.getThreadsPerRow() > device.warpSize;
  }
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

} // namespace

/// Of the launch, and of the blocks that each multiprocessor starts. Where a
/// warp has rows to itself it makes no difference how many share a block.
double TimeModel::getStartTime() const {
  double starts = double(blocks) / shape.cluster / device.multiprocessors;
  if (!hasBarriers())
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
  exchange *= shape.getThreadsPerRow() > device.warpSize
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
  double rows = hasBarriers() ? shape.groups : 1;
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
  double excess = double(registers.needed) / limit - 1;
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
  if (double least = getTotal(reread); least >= enough)
    return least;
  double demand = atOnce * transferTime / blockTime;
  // A block makes room for another when the last of its rows has ended.
  if (shape.groups > 1 && hasBarriers())
    demand *= 1 - 0.5 / atOnce;
  // Blocks do not ask evenly, which rounds the corner off.
  double starved =
      demand > 0 ? std::pow(1 + std::pow(demand, -7.5), 1 / 7.5) : 1;
  // Who waits for latencies does not feel what reading again costs.
  return getTotal(std::max(1 + (starved - 1) * (1 - 1 / waves), reread));
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

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {

/// The space of schedules, and the best one so far.
class Search {
public:
  Search(const RowsMatch &match, const DeviceModel &device)
      : graph(match.graph), footprint(match.footprint), device(device) {}

  std::optional<Shape> run();
  /// Why no schedule fits.
  Rejection getRejection() const;

private:
  void tryThreads(Shape shape, unsigned perRow);
  void tryCluster(Shape shape, unsigned cluster, uint64_t tiles);
  void tryOccupancies(Shape shape);

  const RowGraph &graph;
  const Footprint &footprint;
  const DeviceModel &device;
  std::optional<Shape> best;
  double bestTime = 0;
  /// The fewest blocks that any schedule would have, and the least operations
  /// that any of those which fit a grid would have unrolled.
  uint64_t leastBlocks = std::numeric_limits<uint64_t>::max();
  uint64_t leastUnrolled = std::numeric_limits<uint64_t>::max();
};

} // namespace

std::optional<Shape> Search::run() {
  Shape shape;
  shape.width = chooseWidth(graph);
  uint64_t tiles = 1;
  for (unsigned columns = 0; columns < graph.getColumnSpaces().size();
       ++columns)
    tiles = std::max(tiles, countTiles(graph, columns, shape.width));
  // As many threads as leave each `vectors` tiles of the row.
  SmallVector<unsigned> counts;
  auto addThreads = [&](uint64_t least) {
    uint64_t perRow = llvm::alignTo(least, device.warpSize);
    if (least <= device.warpSize)
      perRow = std::max<uint64_t>(4, llvm::PowerOf2Ceil(least));
    if (perRow <= device.threadsPerBlock &&
        !llvm::is_contained(counts, unsigned(perRow)))
      counts.push_back(perRow);
  };
  for (unsigned vectors : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16})
    addThreads(llvm::divideCeil(tiles, uint64_t(vectors)));
  for (unsigned perRow : counts)
    if (llvm::divideCeil(tiles, uint64_t(perRow)) <= maxVectors)
      tryThreads(shape, perRow);
  // A multiprocessor needs two rows at a time, one of which loads while the
  // other is reduced, in half of its registers: the rest is for the work. Rows
  // that are longer are shared by blocks. (The launch counts single blocks
  // where it finds out how many rows there are.)
  bool isLong = 2 * footprint.rowInputBytes >=
                uint64_t(device.registersPerMultiprocessor) * 4 / 2;
  unsigned largest = isLong && !graph.isDynamic() ? device.clusterBlocks : 1;
  for (unsigned cluster = 2; cluster <= largest; cluster *= 2)
    tryCluster(shape, cluster, llvm::divideCeil(tiles, uint64_t(cluster)));
  shape.traversal = RowTraversal::Looped;
  for (unsigned perRow : {32u, 64u, 128u, 256u, 512u, 1024u})
    if (perRow <= device.threadsPerBlock)
      tryThreads(shape, perRow);
  return best;
}

/// Blocks that share rows, each with `tiles` tiles of the longest set of
/// columns: only those that give every thread several loads, for small blocks
/// with little to do meet more often than they work.
void Search::tryCluster(Shape shape, unsigned cluster, uint64_t tiles) {
  shape.cluster = cluster;
  for (unsigned threads : {128u, 256u, 512u, 1024u}) {
    uint64_t vectors = llvm::divideCeil(tiles, uint64_t(threads));
    if (threads > device.threadsPerBlock || vectors < 4 || vectors > maxVectors)
      continue;
    shape.threads = threads;
    shape.vectors = countLongestTiles(graph, shape);
    for (unsigned rows : {1u, 2u}) {
      shape.rows = rows;
      tryOccupancies(shape);
    }
  }
}

void Search::tryThreads(Shape shape, unsigned perRow) {
  constexpr unsigned maxGroupedThreads = 512;
  // Rows of several warps come to their ends at different times: two long ones
  // in a block save its start (measured: up to 1 % faster), four of them or
  // short ones lose more than that (1 to 6 %).
  constexpr uint64_t leastBytes = 8 << 10;
  unsigned mostGroups = maxGroupedThreads;
  if (perRow > device.warpSize)
    mostGroups =
        footprint.rowInputBytes <
                leastBytes * std::max<size_t>(1, footprint.streamed.size())
            ? 1
            : 2;
  for (unsigned groups = 1;
       groups == 1 ||
       (groups <= mostGroups && groups * perRow <= maxGroupedThreads);
       groups *= 2) {
    shape.groups = groups;
    shape.threads = groups * perRow;
    if (shape.threads % device.warpSize)
      continue;
    uint64_t tiles = countLongestTiles(graph, shape);
    if (shape.traversal == RowTraversal::Resident) {
      shape.vectors = tiles;
      for (unsigned rows : {1u, 2u, 4u}) {
        shape.rows = rows;
        if (rows == 1 || perRow <= device.warpSize)
          tryOccupancies(shape);
      }
      continue;
    }
    for (unsigned vectors : {1u, 2u, 4u, 8u}) {
      shape.vectors = vectors;
      // LLVM unrolls a loop of two steps and keeps what it loads: that is the
      // resident row in other words.
      if (tiles > 2 * vectors)
        tryOccupancies(shape);
    }
  }
}

/// Fewer blocks at once leave more registers to each.
void Search::tryOccupancies(Shape shape) {
  // Of blocks with several rows of several warps it takes four.
  bool isCoupled =
      shape.groups > 1 && shape.getThreadsPerRow() > device.warpSize;
  if (graph.hasSpannedReductions() &&
      (!llvm::all_of(graph.getReductions(),
                     [&](const RowGraph::Reduction &reduction) {
                       return servesSpan(reduction, shape);
                     }) ||
       computeSharedLayout(graph, footprint, shape).bytes >
           device.sharedPerBlock))
    return;
  uint64_t blocks = countBlocks(graph, shape);
  leastBlocks = std::min(leastBlocks, blocks);
  if (blocks > device.blocksPerGrid)
    return;
  uint64_t unrolled = countUnrolledOperations(graph, footprint, shape);
  leastUnrolled = std::min(leastUnrolled, unrolled);
  if (unrolled > maxUnrolledOperations)
    return;
  bool isIdle = !blocks;
  shape.occupancy = isCoupled ? 4 : 1;
  TimeModel model(graph, footprint, shape, device);
  double leastTime = model.getLeastTime();
  if (best && !isIdle && leastTime >= bestTime)
    return;
  Registers registers = estimateRegisters(graph, footprint, shape);
  unsigned most = std::min(device.threadsPerMultiprocessor / shape.threads,
                           device.blocksPerMultiprocessor);
  for (shape.occupancy = isCoupled ? 4 : 1; shape.occupancy <= most;
       shape.occupancy += shape.occupancy < 8 ? 1 : 4) {
    model.setOccupancy(shape.occupancy);
    double enough = best ? bestTime : std::numeric_limits<double>::infinity();
    double time = isIdle ? 0 : model.getTime(registers, enough);
    assert((isIdle || time >= leastTime) && "expected a lower bound");
    if (best && time >= bestTime)
      continue;
    best = shape;
    bestTime = time;
  }
}

Rejection Search::getRejection() const {
  auto wide = llvm::find_if(graph.getReductions(),
                            [](const RowGraph::Reduction &reduction) {
                              return reduction.isSpanned() && reduction.waits;
                            });
  if (wide != graph.getReductions().end())
    return Rejection{RejectionCode::OnChipCapacity, wide->operation,
                     "expected rows that one block keeps, or reductions of "
                     "parts of a row that neighbouring lanes of a warp own"};
  Operation *first = graph.getReductions().front().operation;
  if (leastBlocks > device.blocksPerGrid)
    return Rejection{RejectionCode::OnChipCapacity,
                     first,
                     "expected fewer rows than the blocks of a grid",
                     std::nullopt,
                     leastBlocks,
                     device.blocksPerGrid};
  return Rejection{RejectionCode::OnChipCapacity,
                   first,
                   "expected fewer operations: a kernel repeats those of an "
                   "element for each column of a thread",
                   std::nullopt,
                   leastUnrolled,
                   maxUnrolledOperations};
}

std::variant<RowsScheduleAttr, Rejection>
rows::chooseSchedule(const RowsMatch &match, MLIRContext *context,
                     const DeviceModel &device) {
  Search search(match, device);
  std::optional<Shape> best = search.run();
  if (!best)
    return search.getRejection();
  return RowsScheduleAttr::get(
      context, match.getKind(), countBlocks(match.graph, *best), best->cluster,
      best->threads, best->groups, best->rows, best->width, best->vectors,
      best->traversal, best->occupancy,
      computeSharedLayout(match.graph, match.footprint, *best).bytes);
}
