//===- Plan.cpp - Which full-reduction schedule to use --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few shapes of blocks make sense; each with some numbers of splits has a
// predicted time, and the fastest wins, the first of equal ones.
//
//===----------------------------------------------------------------------===//

#include "../PointAccess.h"
#include "../Traffic.h"
#include "FullReduction.h"
#include "FusionDialect/Target/DeviceModel.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fullreduction;

static constexpr unsigned accessBytes = 16;

/// Vectors that a thread has loaded at once: measured for one input.
static constexpr unsigned maxLoadedVectors = 4;

/// Warps of a block of the finish kernel, each with a row.
static constexpr unsigned maxFinishWarps = 8;

/// Registers of a thread, estimated: accumulators, loaded vectors, addresses.
static unsigned estimateRegisters(const FullReductionMatch &match,
                                  SplitReductionScheduleAttr schedule) {
  unsigned loaded = llvm::divideCeil(match.widest * schedule.getWidth(), 4u) *
                    schedule.getVectors() * match.wholeInputs;
  unsigned sums =
      llvm::divideCeil(match.program.accumulatorBytes, uint64_t(4)) *
      schedule.getWidth();
  return 20 + loaded + sums;
}

/// Bytes that one access of all inputs reads together.
static double getAccessedBytes(const FullReductionMatch &match,
                               unsigned width) {
  bool isCoalesced =
      llvm::all_of(match.space.getCandidate().inputs, [&](Value input) {
        return match.space.getLoops(input) != match.space.getAllLoops() ||
               PointAccess::isCoalesced(match.space, input,
                                        match.program.reduced, width);
      });
  return std::min<double>(accessBytes,
                          (isCoalesced ? width : 1) * match.widest);
}

Cost fullreduction::computeCost(const FullReductionMatch &match,
                                SplitReductionScheduleAttr schedule,
                                const DeviceModel &device) {
  Cost cost;
  uint64_t partialBytes =
      schedule.getFinishBlocks()
          ? uint64_t(schedule.getBlocks()) * match.program.accumulatorBytes
          : 0;
  cost.bytes = match.trafficBytes + 2 * partialBytes;
  if (!schedule.getBlocks())
    return cost;
  cost.sharedBytes = getExchangeBytes(match, schedule.getThreads());
  cost.registersPerThread = estimateRegisters(match, schedule);

  // How many blocks are on one multiprocessor, and how evenly they are dealt.
  double blocks = schedule.getBlocks();
  double perMultiprocessor = std::ceil(blocks / device.multiprocessors);
  double fits =
      std::min<double>(device.threadsPerMultiprocessor / schedule.getThreads(),
                       device.registersPerMultiprocessor /
                           (schedule.getThreads() * cost.registersPerThread));
  double resident = std::max(1.0, std::min(perMultiprocessor, fits));
  double waves = std::ceil(perMultiprocessor / resident);
  double uneven =
      waves > 4 ? 1 : perMultiprocessor * device.multiprocessors / blocks;
  // Runs are dealt to the splits of a row whole.
  double runs = countRuns(match, schedule.getThreads(), schedule.getWidth(),
                          schedule.getVectors());
  double perRun = double(schedule.getThreads()) * schedule.getVectors() *
                  schedule.getWidth();
  double padding = std::ceil(std::max(1.0, runs) / schedule.getSplits()) *
                   schedule.getSplits() * perRun / match.columns;
  // Too little in flight starves a multiprocessor.
  double inFlight =
      resident * perRun * match.widest * std::max(1u, match.wholeInputs);
  double starved = std::max(1.0, device.bytesInFlight / inFlight);
  double accessed = getAccessedBytes(match, schedule.getWidth());
  double narrow = 1 + 0.1 * (accessBytes / accessed - 1);
  double memory = match.trafficBytes / device.copyBytesPerMicrosecond * narrow *
                  std::min<double>(uneven * starved * std::sqrt(padding),
                                   device.multiprocessors);
  double work = double(match.program.instructions) * match.rows *
                match.columns * padding /
                (device.operationsPerMicrosecond * device.multiprocessors);
  // Each block ends with an exchange; those of one wave overlap.
  cost.microseconds = device.launchMicroseconds + device.rampMicroseconds +
                      std::max(memory, work) +
                      waves * device.blockReductionMicroseconds;
  if (schedule.getFinishBlocks()) {
    // A dependent launch hides most of what a launch takes.
    double launch = device.launchMicroseconds *
                    (schedule.getFinish() == FinishMode::Plain ? 1.0 : 0.5);
    double chain = std::ceil(double(schedule.getSplits()) / (8 * warpSize));
    cost.microseconds += launch + chain * device.blockReductionMicroseconds +
                         2 * partialBytes / device.copyBytesPerMicrosecond;
  }
  return cost;
}

namespace {

/// The schedules to choose from, and the best one so far.
class Search {
public:
  Search(const FullReductionMatch &match, MLIRContext *context,
         const Facts &facts)
      : match(match), context(context), facts(facts), device(facts.device) {}

  std::variant<SplitReductionScheduleAttr, Rejection> run();

private:
  unsigned chooseWidth() const;
  void tryOne(unsigned threads, unsigned vectors, uint64_t splits);

  const FullReductionMatch &match;
  MLIRContext *context;
  const Facts &facts;
  const DeviceModel &device;
  unsigned width = 1;
  SplitReductionScheduleAttr best;
  double bestTime = 0;
};

} // namespace

/// The widest access of up to 16 bytes with which all tensors of the space are
/// read side by side.
unsigned Search::chooseWidth() const {
  unsigned columns = std::max(1u, accessBytes / match.widest);
  auto isGood = [&](Value value) {
    return match.space.getLoops(value) != match.space.getAllLoops() ||
           PointAccess::isCoalesced(match.space, value, match.program.reduced,
                                    columns);
  };
  while (columns > 1 &&
         (columns > match.columns ||
          (match.columnLoop.isDynamic() && match.columnLoop.extent % columns) ||
          !llvm::all_of(match.space.getCandidate().inputs, isGood) ||
          !llvm::all_of(match.space.getCandidate().outputs, isGood) ||
          countUnrolledOperations(match, columns, 1) > maxUnrolledOperations))
    columns /= 2;
  return columns;
}

std::variant<SplitReductionScheduleAttr, Rejection> Search::run() {
  if (match.space.isEmpty())
    return SplitReductionScheduleAttr::get(context, 0, 32, 1, 1, 1,
                                           FinishMode::Plain, 0, 0);
  width = chooseWidth();
  unsigned vectors =
      std::max(1u, maxLoadedVectors / std::max(1u, match.wholeInputs));
  while (vectors > 1 &&
         countUnrolledOperations(match, width, vectors) > maxUnrolledOperations)
    vectors /= 2;
  for (unsigned threads : {512u, 256u, 128u, 64u, 32u}) {
    if (threads > device.threadsPerBlock)
      continue;
    uint64_t runs =
        std::max<uint64_t>(1, countRuns(match, threads, width, vectors));
    // All blocks resident at once: one, two, ... for each multiprocessor.
    unsigned perMultiprocessor = device.threadsPerMultiprocessor / threads;
    tryOne(threads, vectors, 1);
    // Partial results take room that the host has to know before the launch.
    if (match.rowLoop.isDynamic())
      continue;
    for (unsigned blocks = 1; blocks <= perMultiprocessor; blocks *= 2)
      tryOne(threads, vectors,
             std::min(runs, llvm::divideCeil(uint64_t(blocks) *
                                                 device.multiprocessors,
                                             uint64_t(match.rows))));
  }
  if (best)
    return best;
  Operation *op = match.program.totals.front().operation;
  if (uint64_t(match.rows) > device.blocksPerGrid)
    return Rejection{RejectionCode::UnsupportedShape,
                     op,
                     "expected fewer rows than the blocks of a grid",
                     std::nullopt,
                     static_cast<uint64_t>(match.rows),
                     device.blocksPerGrid};
  return Rejection{RejectionCode::OnChipCapacity,
                   op,
                   "expected the sums of a warp to fit in static shared "
                   "memory, in bytes",
                   std::nullopt,
                   getExchangeBytes(match, warpSize),
                   device.staticSharedPerBlock};
}

void Search::tryOne(unsigned threads, unsigned vectors, uint64_t splits) {
  uint64_t blocks = match.rows * splits;
  if (!splits || blocks > device.blocksPerGrid ||
      getExchangeBytes(match, threads) > device.staticSharedPerBlock)
    return;
  // Dependent launches came with clusters.
  bool isDependent =
      splits > 1 && !facts.plainLaunches && device.clusterBlocks > 1;
  unsigned finishWarps =
      std::min<uint64_t>(maxFinishWarps, llvm::PowerOf2Ceil(match.rows));
  auto schedule = SplitReductionScheduleAttr::get(
      context, blocks, threads, width, vectors, splits,
      isDependent ? FinishMode::Dependent : FinishMode::Plain,
      splits > 1 ? llvm::divideCeil(uint64_t(match.rows), finishWarps) : 0,
      splits > 1 ? finishWarps * warpSize : 0);
  double time = computeCost(match, schedule, device).microseconds;
  if (!best || time < bestTime) {
    best = schedule;
    bestTime = time;
  }
}

std::variant<SplitReductionScheduleAttr, Rejection>
fullreduction::chooseSchedule(const FullReductionMatch &match,
                              MLIRContext *context, const Facts &facts) {
  return Search(match, context, facts).run();
}
