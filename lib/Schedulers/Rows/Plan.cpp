//===- Plan.cpp - Which row schedule to use -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Rows.h"
#include "TimeModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

/// Tiles of a row that one thread holds, at most.
static constexpr unsigned maxVectors = 16;

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
  unsigned mostGroups = maxGroupedThreads;
  if (perRow > device.warpSize)
    mostGroups = footprint.hasLongRows() ? 2 : 1;
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
  unsigned least = shape.groups > 1 && shape.hasBarriers(device) ? 4 : 1;
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
  shape.occupancy = least;
  TimeModel model(graph, footprint, shape, device);
  double leastTime = model.getLeastTime();
  if (best && !isIdle && leastTime >= bestTime)
    return;
  Registers registers = estimateRegisters(graph, footprint, shape);
  unsigned most = std::min(device.threadsPerMultiprocessor / shape.threads,
                           device.blocksPerMultiprocessor);
  for (shape.occupancy = least; shape.occupancy <= most;
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
