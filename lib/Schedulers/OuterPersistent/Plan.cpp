//===- Plan.cpp - Which outer-persistent schedule to use ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each shape of blocks that has all rows in its registers has a predicted time;
// the fastest wins, the first of equal ones.
//
//===----------------------------------------------------------------------===//

#include "../PointAccess.h"
#include "../Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "OuterPersistent.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerpersistent;

static constexpr unsigned accessBytes = 16;

/// Registers of a thread, estimated: what its points keep, the tile in work, a
/// base for addresses.
static unsigned estimateRegisters(const OuterPersistentMatch &match,
                                  unsigned width, unsigned rows) {
  return 32 + llvm::divideCeil(width * rows * match.keptBytes, 4u) +
         width * llvm::divideCeil(match.levelBytes, uint64_t(2)) + rows;
}

/// Registers without which ptxas spills. Where a block may have fewer columns
/// than threads, one branch guards the stores of all rows: until then results
/// wait, narrow ones in f32, since LLVM moves conversions to their only use.
static unsigned estimateNeededRegisters(const OuterPersistentMatch &match,
                                        unsigned width, unsigned rows,
                                        uint64_t blockColumns) {
  unsigned registers = estimateRegisters(match, width, rows);
  if (!match.columnLoop.isDynamic() && match.columns % blockColumns == 0)
    return registers;
  // In place of the tile in work.
  unsigned inWork = width * llvm::divideCeil(match.levelBytes, uint64_t(2));
  unsigned waiting = width * rows * match.narrowOutputs;
  return registers + std::max(waiting, inWork) - inWork;
}

/// The most registers that a thread of a block of `threads` can have.
static unsigned getRegisterLimit(unsigned threads, const DeviceModel &device) {
  return std::min(device.registersPerMultiprocessor / threads / 8 * 8,
                  device.registersPerThread);
}

Cost outerpersistent::computeCost(const OuterPersistentMatch &match,
                                  OuterPersistentScheduleAttr schedule,
                                  const DeviceModel &device) {
  Cost cost;
  cost.bytes = getTrafficBytes(match.space.getCandidate());
  if (!schedule.getBlocks())
    return cost;
  cost.sharedBytes = schedule.getSharedBytes();
  cost.registersPerThread =
      estimateRegisters(match, schedule.getWidth(), schedule.getRows());
  double blocks = schedule.getBlocks();
  double perMultiprocessor = std::ceil(blocks / device.multiprocessors);
  double resident = std::max(
      1.0,
      std::min({perMultiprocessor,
                std::floor(double(device.registersPerMultiprocessor) /
                           (schedule.getThreads() * cost.registersPerThread)),
                std::floor(double(device.threadsPerMultiprocessor) /
                           schedule.getThreads())}));
  double waves = std::ceil(perMultiprocessor / resident);
  double uneven =
      waves > 4 ? 1 : perMultiprocessor * device.multiprocessors / blocks;
  // Short pieces of rows read parts of DRAM bursts (measured for outer
  // reductions: 2 % at 256 bytes).
  double pieceBytes = double(schedule.getColumnsPerBlock()) * match.widest;
  double pieces = 1 + 5 / pieceBytes + std::max(0.0, 64 / pieceBytes - 1);
  double memory = cost.bytes / device.copyBytesPerMicrosecond * pieces *
                  std::min<double>(uneven, device.multiprocessors);
  // A block alone on its multiprocessor moves nothing while it exchanges.
  double exchange = match.levels * 2 * device.blockReductionMicroseconds;
  cost.microseconds = device.launchMicroseconds + device.rampMicroseconds +
                      memory * (resident > 1 ? 1 : 1.3) + waves * exchange;
  return cost;
}

namespace {

/// The schedules to choose from, and the best one so far.
class Search {
public:
  Search(const OuterPersistentMatch &match, MLIRContext *context,
         const DeviceModel &device)
      : match(match), context(context), device(device) {}

  std::variant<OuterPersistentScheduleAttr, Rejection> run();

private:
  unsigned chooseWidth() const;
  void tryOne(unsigned width, unsigned threads, unsigned lanes);

  const OuterPersistentMatch &match;
  MLIRContext *context;
  const DeviceModel &device;
  OuterPersistentScheduleAttr best;
  double bestTime = 0;
  /// The least that a schedule asked for and did not get, in registers.
  std::optional<uint64_t> leastRegisters;
  uint64_t registersAvailable = 0;
};

} // namespace

/// The widest access of up to 16 bytes that divides the columns and with which
/// all tensors of the space are accessed side by side.
unsigned Search::chooseWidth() const {
  const Candidate &candidate = match.space.getCandidate();
  unsigned columns = std::max(1u, accessBytes / match.widest);
  auto isGood = [&](Value value) {
    return match.space.getLoops(value) != match.space.getAllLoops() ||
           PointAccess::isCoalesced(match.space, value, match.program.kept,
                                    columns);
  };
  while (columns > 1 && (match.columnLoop.extent % columns ||
                         !llvm::all_of(candidate.inputs, isGood) ||
                         !llvm::all_of(candidate.outputs, isGood)))
    columns /= 2;
  return columns;
}

std::variant<OuterPersistentScheduleAttr, Rejection> Search::run() {
  if (match.space.isEmpty())
    return OuterPersistentScheduleAttr::get(context, 0, 32, 32, 1, 1, 0);
  for (unsigned width = chooseWidth(); width; width /= 2)
    for (unsigned threads : {256u, 512u, 1024u})
      for (unsigned lanes : {32u, 16u, 8u, 4u, 2u, 1u})
        if (threads <= device.threadsPerBlock)
          tryOne(width, threads, lanes);
  if (best)
    return best;
  Operation *op = match.program.totals.front().operation;
  if (leastRegisters)
    return Rejection{RejectionCode::OnChipCapacity,
                     op,
                     "expected all rows of some columns to fit in the "
                     "registers of a block's threads",
                     std::nullopt,
                     *leastRegisters,
                     registersAvailable};
  return Rejection{RejectionCode::OnChipCapacity, op,
                   "expected fewer operations, and reductions whose sums fit "
                   "in the shared memory of a block"};
}

void Search::tryOne(unsigned width, unsigned threads, unsigned lanes) {
  unsigned threadRows = threads / lanes;
  uint64_t rows = llvm::divideCeil(uint64_t(match.rows), uint64_t(threadRows));
  uint64_t columns = uint64_t(lanes) * width;
  uint64_t blocks = llvm::divideCeil(uint64_t(match.columns), columns);
  uint64_t shared = getSharedBytes(match, threadRows, columns);
  unsigned limit = getRegisterLimit(threads, device);
  // Rows beyond any registers would overflow the estimate.
  uint64_t registers =
      rows > limit ? rows
                   : estimateNeededRegisters(match, width, rows, columns);
  if (registers > limit) {
    if (!leastRegisters || registers < *leastRegisters) {
      leastRegisters = registers;
      registersAvailable = limit;
    }
    return;
  }
  if (shared > device.sharedPerBlock || blocks > device.blocksPerGrid ||
      countUnrolledOperations(match, width, rows) > maxUnrolledOperations)
    return;
  auto schedule = OuterPersistentScheduleAttr::get(context, blocks, threads,
                                                   lanes, width, rows, shared);
  double time = computeCost(match, schedule, device).microseconds;
  if (!best || time < bestTime) {
    best = schedule;
    bestTime = time;
  }
}

std::variant<OuterPersistentScheduleAttr, Rejection>
outerpersistent::chooseSchedule(const OuterPersistentMatch &match,
                                MLIRContext *context,
                                const DeviceModel &device) {
  return Search(match, context, device).run();
}
