//===- Plan.cpp - Which outer-reduction schedule to use -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few shapes of blocks make sense; each with each number of splits has a
// predicted time, and the fastest wins, the first of equal ones.
//
//===----------------------------------------------------------------------===//

#include "../PointAccess.h"
#include "../Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "OuterReduction.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerreduction;

static constexpr unsigned accessBytes = 16;

/// Vectors that a thread has loaded at once: measured for one input.
static constexpr unsigned maxLoadedVectors = 8;

static constexpr unsigned maxSplits = 1024, maxFinishThreads = 256;

/// Registers of a thread, estimated: accumulators, loaded vectors, addresses.
static unsigned estimateRegisters(const OuterReductionMatch &match,
                                  OuterReductionScheduleAttr schedule) {
  unsigned loaded = llvm::divideCeil(match.widest * schedule.getWidth(), 4u) *
                    schedule.getUnroll() * match.wholeInputs;
  unsigned sums =
      llvm::divideCeil(match.program.accumulatorBytes, uint64_t(4)) *
      schedule.getWidth();
  return 20 + loaded + sums;
}

Cost outerreduction::computeCost(const OuterReductionMatch &match,
                                 OuterReductionScheduleAttr schedule,
                                 const DeviceModel &device) {
  Cost cost;
  uint64_t partialBytes = schedule.getFinishBlocks()
                              ? uint64_t(schedule.getSplits()) * match.columns *
                                    match.program.accumulatorBytes
                              : 0;
  cost.bytes = match.trafficBytes + 2 * partialBytes;
  if (!schedule.getBlocks())
    return cost;
  cost.sharedBytes = schedule.getSharedBytes();
  cost.registersPerThread = estimateRegisters(match, schedule);

  // How many blocks are on one multiprocessor, and how evenly they are dealt.
  double blocks = schedule.getBlocks();
  double perMultiprocessor = std::ceil(blocks / device.multiprocessors);
  double resident =
      std::min(perMultiprocessor,
               std::floor(double(device.registersPerMultiprocessor) /
                          (schedule.getThreads() * cost.registersPerThread)));
  resident = std::max(1.0, resident);
  double waves = std::ceil(perMultiprocessor / resident);
  double uneven =
      waves > 4 ? 1 : perMultiprocessor * device.multiprocessors / blocks;
  // Too little in flight starves a multiprocessor.
  double inFlight = resident * schedule.getThreads() * schedule.getUnroll() *
                    match.wholeInputs * schedule.getWidth() * match.widest;
  double starved = std::max(1.0, device.bytesInFlight / (inFlight + 1));
  // Rows and columns that blocks have beyond those of the space.
  double rowsPerSplits =
      double(schedule.getRowsPerTile()) * schedule.getSplits();
  double padding = std::ceil(match.rows / rowsPerSplits) * rowsPerSplits /
                   match.rows *
                   (blocks / schedule.getSplits() *
                    schedule.getColumnsPerBlock() / match.columns);
  // Short pieces of rows make poor use of DRAM pages and of narrow accesses
  // (measured: 1 % at 512 bytes, 2 % at 256).
  double pieceBytes = double(schedule.getColumnsPerBlock()) * match.widest;
  double accessed =
      std::min<double>(accessBytes, schedule.getWidth() * match.widest);
  double pieces =
      (1 + 5 / pieceBytes) * (1 + 0.1 * (accessBytes / accessed - 1));

  double memory = match.trafficBytes / device.copyBytesPerMicrosecond * pieces *
                  std::min(uneven * starved * std::sqrt(padding),
                           1.0 * device.multiprocessors);
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
    cost.microseconds +=
        launch + 2 * partialBytes / device.copyBytesPerMicrosecond;
    // The finish kernel adds up with few threads: its loads follow one another.
    double chain = std::ceil(double(schedule.getSplits()) /
                             (schedule.getFinishThreads() / finishColumns) / 8);
    cost.microseconds += chain * device.blockReductionMicroseconds;
  }
  return cost;
}

namespace {

/// The schedules to choose from, and the best one so far.
class Search {
public:
  Search(const OuterReductionMatch &match, MLIRContext *context,
         const Facts &facts)
      : match(match), context(context), facts(facts), device(facts.device) {}

  std::variant<OuterReductionScheduleAttr, Rejection> run();

private:
  unsigned chooseWidth() const;
  void tryLanes(unsigned lanes);
  void tryOne(unsigned lanes, unsigned unroll, unsigned splits);

  const OuterReductionMatch &match;
  MLIRContext *context;
  const Facts &facts;
  const DeviceModel &device;
  unsigned width = 1, threads = 256, finishThreads = maxFinishThreads;
  OuterReductionScheduleAttr best;
  double bestTime = 0;
};

} // namespace

/// The widest access of up to 16 bytes that divides the columns and with which
/// all tensors of the space are read side by side.
unsigned Search::chooseWidth() const {
  const Candidate &candidate = match.space.getCandidate();
  auto isGood = [&](unsigned columns) {
    if (match.columnLoop.extent % columns)
      return false;
    auto isCoalesced = [&](Value value) {
      return match.space.getLoops(value) != match.space.getAllLoops() ||
             PointAccess::isCoalesced(match.space, value, match.program.kept,
                                      columns);
    };
    return llvm::all_of(candidate.inputs, isCoalesced) &&
           llvm::all_of(candidate.outputs, isCoalesced);
  };
  unsigned columns = std::max(1u, accessBytes / match.widest);
  while (columns > 1 &&
         (!isGood(columns) ||
          countUnrolledOperations(match, columns, 1) > maxUnrolledOperations))
    columns /= 2;
  return columns;
}

std::variant<OuterReductionScheduleAttr, Rejection> Search::run() {
  if (match.space.isEmpty())
    return OuterReductionScheduleAttr::get(context, 0, 32, 32, 1, 1, 1,
                                           FinishMode::Plain, 0, 0, 0);
  width = chooseWidth();
  threads = std::min(threads, device.threadsPerBlock);
  while (finishThreads > finishColumns &&
         getFinishSharedBytes(match, finishThreads) >
             device.staticSharedPerBlock)
    finishThreads /= 2;
  for (unsigned lanes : {64u, 32u, 16u, 8u})
    tryLanes(lanes);
  if (best)
    return best;
  Operation *op = match.program.totals.front().operation;
  return Rejection{RejectionCode::OnChipCapacity,
                   op,
                   "expected the sums of a block's columns to fit in shared "
                   "memory, in bytes",
                   std::nullopt,
                   getSharedBytes(match, threads, 8, width),
                   device.sharedPerBlock};
}

void Search::tryLanes(unsigned lanes) {
  unsigned unroll =
      std::max(1u, maxLoadedVectors / std::max(1u, match.wholeInputs));
  unsigned threadRows = threads / lanes;
  while (unroll > 1 && (int64_t(unroll) * threadRows > match.rows ||
                        countUnrolledOperations(match, width, unroll) >
                            maxUnrolledOperations))
    unroll /= 2;
  uint64_t tiles =
      llvm::divideCeil(uint64_t(match.rows), uint64_t(unroll) * threadRows);
  // Partial results take room that the host has to know before the launch.
  uint64_t most = match.columnLoop.isDynamic() ? 1 : maxSplits;
  for (unsigned splits = 1; splits <= most && splits <= tiles; splits *= 2)
    tryOne(lanes, unroll, splits);
}

void Search::tryOne(unsigned lanes, unsigned unroll, unsigned splits) {
  uint64_t blocks = countStrips(match, uint64_t(lanes) * width) * splits;
  uint64_t shared = getSharedBytes(match, threads, lanes, width);
  if (blocks > device.blocksPerGrid || shared > device.sharedPerBlock)
    return;
  // Dependent launches came with clusters.
  bool isDependent =
      splits > 1 && !facts.plainLaunches && device.clusterBlocks > 1;
  unsigned finishBlocks = splits > 1 ? countStrips(match, finishColumns) : 0;
  auto schedule = OuterReductionScheduleAttr::get(
      context, blocks, threads, lanes, width, unroll, splits,
      isDependent ? FinishMode::Dependent : FinishMode::Plain, finishBlocks,
      splits > 1 ? finishThreads : 0, shared);
  double time = computeCost(match, schedule, device).microseconds;
  if (!best || time < bestTime) {
    best = schedule;
    bestTime = time;
  }
}

std::variant<OuterReductionScheduleAttr, Rejection>
outerreduction::chooseSchedule(const OuterReductionMatch &match,
                               MLIRContext *context, const Facts &facts) {
  return Search(match, context, facts).run();
}
