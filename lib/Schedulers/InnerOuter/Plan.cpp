//===- Plan.cpp - Which inner-outer schedule to use -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every schedule that fits the device by estimate has a predicted time; the
// fastest wins, of those that are about equal the one with smaller clusters.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Target/DeviceModel.h"
#include "InnerOuter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// Threads of a team of the finish, if their sums fit.
static constexpr unsigned maxFinishThreads = 256;

/// Vectors of a row that one thread owns, at most.
static constexpr unsigned maxVectors = 32;

/// Where whole rows can be copied in bulk, rows of so many bytes are: private
/// copies are only cheaper for short ones.
static constexpr uint64_t longRowBytes = 2048;

namespace {

/// The choices that are made together, before the rest follows from them.
struct Tile {
  unsigned cluster, perRow, groups, rows;
};

/// The space of schedules, and the best one so far.
class Search {
public:
  Search(const InnerOuterMatch &match, MLIRContext *context,
         const DeviceModel &device, bool plainLaunches)
      : graph(match.graph), footprint(match.footprint), context(context),
        device(device), plainLaunches(plainLaunches) {}

  /// Only schedules that have values wait where `keep` says.
  void restrictTo(Residency keep, bool toPortableClusters) {
    onlyKeep = keep;
    onlyPortableClusters = toPortableClusters;
  }

  std::variant<InnerOuterScheduleAttr, Rejection> run();

private:
  void tryCluster(unsigned cluster);
  void tryThreads(unsigned cluster, unsigned perRow);
  bool tryLoaders(Tile tile);
  bool tryResidencies(ScheduleShape schedule);
  bool tryStages(ScheduleShape schedule);
  void tryFinishes();
  double getTime(const ScheduleShape &schedule, unsigned registers) const;
  void keepBest(const ScheduleShape &schedule, double time);
  bool tryOne(ScheduleShape schedule);
  void findLoaders();
  unsigned getFinishThreads(unsigned blocks, unsigned threads, unsigned chunks,
                            FinishMode finish) const;
  std::optional<ScheduleShape> makeSchedule(Tile tile, Loader loader,
                                            FinishMode finish) const;
  void addSharedMemory(ScheduleShape &schedule) const;
  Rejection getRejection() const;

  const RowColumnGraph &graph;
  const Footprint &footprint;
  MLIRContext *context;
  const DeviceModel &device;
  bool plainLaunches;
  std::optional<Residency> onlyKeep;
  bool onlyPortableClusters = false;
  unsigned width = 1;
  /// The loaders that suit the rows.
  SmallVector<Loader, 3> loaders;
  std::optional<ScheduleShape> best;
  double bestTime = 0;
  /// What no schedule for the current tile and loader goes below.
  double leastTime = 0;
  /// The least that any schedule asked for and did not get.
  std::optional<uint64_t> leastShared, leastRegisters, leastUnrolled;
  unsigned registersAvailable = 0;
};

} // namespace

/// The time by which `schedule`, predicted to take `time`, is compared.
static double penalize(const ScheduleShape &schedule, double time) {
  // Blocks that wait for one another must gain more than predictions are off
  // by.
  constexpr double simplicity = 0.002;
  return time * (1 + simplicity * llvm::Log2_32(schedule.cluster));
}

std::variant<InnerOuterScheduleAttr, Rejection> Search::run() {
  // The widest access of at most 16 bytes of the narrowest tensor that every
  // row can start with: rows stand at multiples of it.
  while (graph.getColumns() % (2 * width) == 0 &&
         2 * width * footprint.minElementBytes <= 16)
    width *= 2;
  findLoaders();
  for (unsigned cluster = 1; cluster <= device.clusterBlocks; cluster *= 2)
    tryCluster(cluster);
  // Larger clusters leave many multiprocessors idle: only where nothing fits.
  for (unsigned cluster = 2 * device.clusterBlocks;
       !best && !onlyPortableClusters &&
       cluster <= device.nonPortableClusterBlocks;
       cluster *= 2)
    tryCluster(cluster);
  if (!best)
    return getRejection();
  tryFinishes();
  return best->getAttribute(context);
}

Rejection Search::getRejection() const {
  Operation *op = graph.getColumnReductions().empty()
                      ? graph.getRowReductions().front().operation
                      : graph.getColumnReductions().front().operation;
  auto reject = [&](const char *hint, uint64_t needed, uint64_t available) {
    return Rejection{RejectionCode::OnChipCapacity,
                     op,
                     hint,
                     std::nullopt,
                     needed,
                     available};
  };
  if (leastShared)
    return reject("expected two stages of the rows of all inputs to fit in "
                  "the shared memory of a block, in bytes",
                  *leastShared, device.sharedPerBlock);
  if (leastUnrolled && !leastRegisters)
    return reject("expected fewer operations: a kernel repeats those of an "
                  "element for each column and row of a thread",
                  *leastUnrolled, maxUnrolledOperations);
  if (!leastRegisters)
    return reject("expected a row short enough for the blocks that can share "
                  "it, in columns",
                  static_cast<uint64_t>(graph.getColumns()),
                  uint64_t(maxVectors) * device.threadsPerBlock * width *
                      device.nonPortableClusterBlocks);
  return reject("expected the accumulators of the column reductions to fit in "
                "the registers of a thread",
                *leastRegisters, registersAvailable);
}

void Search::tryCluster(unsigned cluster) {
  uint64_t vectors = llvm::divideCeil(
      llvm::divideCeil(uint64_t(graph.getColumns()), cluster), width);
  // Every block has work for a warp.
  if (cluster > 1 && vectors < device.warpSize)
    return;
  if (cluster == 1)
    for (unsigned perRow : {8u, 16u})
      if (perRow == 8 || perRow < 2 * vectors)
        if (llvm::divideCeil(vectors, perRow) <= maxVectors)
          tryThreads(cluster, perRow);
  unsigned previous = 0;
  for (unsigned perThread = 1; perThread <= maxVectors; ++perThread) {
    unsigned perRow =
        llvm::alignTo(llvm::divideCeil(vectors, perThread), device.warpSize);
    if (perRow > device.threadsPerBlock || perRow == previous)
      continue;
    tryThreads(cluster, previous = perRow);
  }
}

void Search::tryThreads(unsigned cluster, unsigned perRow) {
  unsigned firstGroups =
      perRow < device.warpSize ? device.warpSize / perRow : 1;
  for (unsigned groups = firstGroups; groups * perRow <= device.threadsPerBlock;
       groups *= 2) {
    // Barriers for groups of several warps: one each, and that of the block.
    if (perRow > device.warpSize && groups >= device.namedBarriers)
      break;
    // More rows at a time need more of everything.
    bool fits = false;
    for (unsigned rows : {1u, 2u, 4u}) {
      if (int64_t(rows) * groups > std::max<int64_t>(graph.getRows(), groups) ||
          !tryLoaders({cluster, perRow, groups, rows}))
        break;
      fits = true;
    }
    if (!fits)
      break;
  }
}

void Search::findLoaders() {
  bool canBulk = device.hasBulkCopy && canCopyBulk(graph, footprint);
  bool isLong = footprint.rowInputBytes >=
                longRowBytes * footprint.rowColumnInputs.size();
  if (canBulk)
    loaders.push_back(Loader::BulkCopy);
  if (canBulk && isLong)
    return;
  if (llvm::all_of(footprint.rowColumnInputs, [&](Value input) {
        Type element = getElementTypeOrSelf(input.getType());
        return canCopyAsync(width, element.getIntOrFloatBitWidth() / 8);
      }))
    loaders.push_back(Loader::AsyncCopy);
  loaders.push_back(Loader::Direct);
}

/// Returns false if no schedule for `tile` fits the device.
bool Search::tryLoaders(Tile tile) {
  FinishMode finish =
      plainLaunches ? FinishMode::Plain : FinishMode::GridBarrier;
  bool fits = false;
  for (Loader loader : loaders)
    if (auto schedule = makeSchedule(tile, loader, finish))
      fits |= tryResidencies(*schedule);
  return fits;
}

/// Values wait in registers, and params stay there, if they fit: to read them
/// again takes time, and no less shared memory. Returns false if nothing fits;
/// what cannot be better is not looked at.
bool Search::tryResidencies(ScheduleShape schedule) {
  bool hasRing = schedule.loader != Loader::Direct;
  leastTime = 0;
  if (hasRing && best) {
    leastTime = penalize(schedule,
                         predictLeastTime(graph, footprint, schedule, device));
    if (leastTime >= bestTime)
      return true;
  }
  bool hasParams = !footprint.params.empty();
  auto fits = [&](Residency keep, Residency params) {
    schedule.keep = keep;
    schedule.params = params;
    return tryStages(schedule);
  };
  if (fits(Residency::Registers, Residency::Registers))
    return true;
  bool isEnough = hasRing && fits(Residency::Shared, Residency::Registers);
  isEnough |= hasParams && fits(Residency::Registers, Residency::Shared);
  return isEnough ||
         (hasRing && hasParams && fits(Residency::Shared, Residency::Shared));
}

/// Returns false if `schedule` does not fit the device, however few stages it
/// has.
bool Search::tryStages(ScheduleShape schedule) {
  if (schedule.loader == Loader::Direct)
    return tryOne(schedule);
  bool fits = false;
  for (unsigned stages = fewestStages; stages <= mostStages; ++stages) {
    schedule.stages = stages;
    if (!tryOne(schedule))
      break;
    fits = true;
  }
  return fits;
}

/// The largest teams whose sums fit in memory, and for which the main kernel
/// has room in one round.
unsigned Search::getFinishThreads(unsigned blocks, unsigned threads,
                                  unsigned chunks, FinishMode finish) const {
  auto fits = [&](unsigned teamThreads) {
    if (finish != FinishMode::GridBarrier)
      return getFinishSharedBytes(footprint, teamThreads) <=
             device.staticSharedPerBlock;
    return threads % teamThreads == 0 &&
           chunks <= uint64_t(blocks) * (threads / teamThreads);
  };
  unsigned teamThreads = maxFinishThreads;
  while (teamThreads > finishColumns && !fits(teamThreads))
    teamThreads -= finishColumns;
  return teamThreads;
}

/// A schedule with one stage that keeps everything in registers, its shared
/// memory not counted; none if its blocks would have no work.
std::optional<ScheduleShape> Search::makeSchedule(Tile tile, Loader loader,
                                                  FinishMode finish) const {
  uint64_t tiles =
      llvm::divideCeil(graph.getRows(), uint64_t(tile.groups) * tile.rows);
  unsigned clusters =
      std::min<uint64_t>(device.getResidentClusters(tile.cluster), tiles);
  ScheduleShape schedule;
  schedule.blocks = clusters * tile.cluster;
  schedule.cluster = tile.cluster;
  schedule.threads = tile.perRow * tile.groups;
  schedule.groups = tile.groups;
  schedule.rows = tile.rows;
  schedule.width = width;
  schedule.loader = loader;
  schedule.finish = FinishMode::Plain;
  if (!graph.getColumnReductions().empty()) {
    schedule.finish = finish;
    schedule.finishBlocks = llvm::divideCeil(graph.getColumns(), finishColumns);
    schedule.finishThreads = getFinishThreads(schedule.blocks, schedule.threads,
                                              schedule.finishBlocks, finish);
  }
  int64_t columns = getBlockColumns(graph, footprint, schedule);
  // The last block of a cluster must have columns.
  if (!clusters || (tile.cluster - 1) * columns >= graph.getColumns())
    return std::nullopt;
  schedule.vectors = llvm::divideCeil(uint64_t(columns) / width, tile.perRow);
  return schedule;
}

/// Gives `schedule` the shared memory that it needs.
void Search::addSharedMemory(ScheduleShape &schedule) const {
  schedule.sharedBytes = computeSharedLayout(graph, footprint, schedule).bytes;
  // Two blocks of clusters on one multiprocessor would leave others idle: more
  // than half of its memory keeps a second one away.
  if (schedule.cluster > 1)
    schedule.sharedBytes =
        std::max(schedule.sharedBytes,
                 llvm::alignTo(device.sharedPerMultiprocessor / 2, 16));
}

/// Returns false if neither `schedule` nor one with more stages fits the
/// device.
bool Search::tryOne(ScheduleShape schedule) {
  if (onlyKeep && schedule.keep != *onlyKeep)
    return false;
  uint64_t unrolled = countUnrolledOperations(graph, footprint, schedule);
  if (unrolled > maxUnrolledOperations) {
    leastUnrolled = std::min(leastUnrolled.value_or(unrolled), unrolled);
    return false;
  }
  unsigned registers = estimateRegisters(graph, footprint, schedule);
  unsigned limit = getRegisterLimit(schedule.threads, device);
  if (registers > limit) {
    if (!leastRegisters ||
        registers - limit < *leastRegisters - registersAvailable) {
      leastRegisters = registers;
      registersAvailable = limit;
    }
    return false;
  }
  // Shared memory has no part in the time.
  double time = getTime(schedule, registers);
  assert(time >= leastTime && "expected a lower bound");
  if (best && time >= bestTime)
    return true;
  addSharedMemory(schedule);
  uint64_t shared = schedule.sharedBytes;
  if (shared > device.sharedPerBlock) {
    leastShared = std::min(leastShared.value_or(shared), shared);
    return false;
  }
  keepBest(schedule, time);
  return true;
}

/// The time by which `schedule`, whose threads have `registers` by estimate, is
/// compared.
double Search::getTime(const ScheduleShape &schedule,
                       unsigned registers) const {
  return penalize(schedule,
                  predictTime(graph, footprint, schedule, device, registers));
}

/// Keeps `schedule` if it is better than the best so far.
void Search::keepBest(const ScheduleShape &schedule, double time) {
  if (best && time >= bestTime)
    return;
  best = schedule;
  bestTime = time;
}

/// Tries the other ways to finish: what stands before them is the same.
void Search::tryFinishes() {
  if (plainLaunches || graph.getColumnReductions().empty())
    return;
  for (FinishMode finish : {FinishMode::Dependent, FinishMode::Plain}) {
    // Dependent launches came with clusters.
    if (finish == FinishMode::Dependent && device.clusterBlocks == 1)
      continue;
    Tile tile{best->cluster, best->getThreadsPerRow(), best->groups,
              best->rows};
    std::optional<ScheduleShape> schedule =
        makeSchedule(tile, best->loader, finish);
    if (!schedule)
      continue;
    schedule->stages = best->stages;
    schedule->keep = best->keep;
    schedule->params = best->params;
    addSharedMemory(*schedule);
    keepBest(*schedule, getTime(*schedule, estimateRegisters(graph, footprint,
                                                             *schedule)));
  }
}

std::variant<InnerOuterScheduleAttr, Rejection>
innerouter::chooseSchedule(const InnerOuterMatch &match, MLIRContext *context,
                           const DeviceModel &device, bool plainLaunches) {
  return Search(match, context, device, plainLaunches).run();
}

std::optional<double>
innerouter::priceProjection(const InnerOuterMatch &match, MLIRContext *context,
                            Residency keep, unsigned cluster,
                            const DeviceModel &device, bool plainLaunches) {
  Search search(match, context, device, plainLaunches);
  search.restrictTo(keep, cluster <= device.clusterBlocks);
  auto found = search.run();
  auto *schedule = std::get_if<InnerOuterScheduleAttr>(&found);
  if (!schedule)
    return std::nullopt;
  return computeCost(match.graph, match.footprint, *schedule, device)
      .microseconds;
}
