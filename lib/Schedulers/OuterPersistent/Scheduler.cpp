//===- Scheduler.cpp - The outer-persistent scheduler ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes programs whose reductions all run over the same loops, but not over the
// innermost one, and which need the same elements again when the totals are
// known: normalisation along columns. All rows of some columns have to fit in
// the registers of a block.
//
//===----------------------------------------------------------------------===//

#include "../PlannedScheduler.h"
#include "../ScheduleChecks.h"
#include "../Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "OuterPersistent.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerpersistent;

namespace {

class OuterPersistentScheduler final
    : public PlannedScheduler<OuterPersistentMatch,
                              OuterPersistentScheduleAttr> {
public:
  StringRef getName() const override { return "outer-persistent"; }

  bool mayAccept(const CandidateSummary &summary) const override {
    return summary.reductions && summary.signatures <= 1;
  }
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return summary.signatures <= 1;
  }

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<OuterPersistentScheduleAttr, Rejection>
  choose(const OuterPersistentMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts.device);
  }
  Cost price(const OuterPersistentMatch &match,
             OuterPersistentScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const OuterPersistentMatch &match,
                       OuterPersistentScheduleAttr schedule,
                       const Facts &facts) const override;
  void emitKernels(SegmentOp segment, const OuterPersistentMatch &match,
                   OuterPersistentScheduleAttr schedule,
                   SegmentLowering &lowering,
                   const Facts &facts) const override;
};

} // namespace

/// Bytes in which a point waits at the only level of reductions. Each sum
/// evaluates its operands for all rows, which other sums and the outputs use
/// again.
static unsigned computeBytesBetweenSums(const OuterPersistentMatch &match) {
  const IterationSpace &space = match.space;
  const Candidate &candidate = space.getCandidate();
  // The number of the sum that first needs a value; none needs the others.
  size_t numSums = match.program.totals.size();
  DenseMap<Value, size_t> evaluated;
  for (auto [number, total] : llvm::enumerate(match.program.totals)) {
    SmallVector<Value> work{total.operand};
    evaluated.try_emplace(total.result, number);
    while (!work.empty()) {
      Value value = work.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (evaluated.try_emplace(value, number).second && op &&
          candidate.operations.contains(op))
        llvm::append_range(work, op->getOperands());
    }
  }
  DenseSet<Value> outputs(candidate.outputs.begin(), candidate.outputs.end());
  // What each sum adds to the bytes that wait, and what ends with it.
  SmallVector<int64_t> changes(numSums + 1, 0);
  auto add = [&](Value value, size_t first) {
    if (!(space.getLoops(value) & match.program.reduced))
      return;
    // Waits until all users are evaluated.
    size_t last = outputs.contains(value) ? numSums : first;
    for (Operation *user : value.getUsers())
      if (candidate.operations.contains(user)) {
        auto it = evaluated.find(user->getResult(0));
        last = std::max(last, it == evaluated.end() ? numSums : it->second);
      }
    changes[first] += getElementBytes(value.getType());
    changes[last] -= getElementBytes(value.getType());
  };
  for (Value input : candidate.inputs)
    add(input, 0);
  for (Operation *op : candidate.operations)
    if (auto it = evaluated.find(op->getResult(0));
        it != evaluated.end() && !isa<BroadcastOp>(op))
      add(it->first, it->second);
  int64_t bytes = 0, most = 0;
  for (int64_t change : changes) {
    bytes += change;
    most = std::max(most, bytes);
  }
  return most;
}

/// Bytes of a point's values between one level and the next, where they are
/// most: what it was loaded as, or what later levels use.
static unsigned computeKeptBytes(const OuterPersistentMatch &match) {
  const IterationSpace &space = match.space;
  const Candidate &candidate = space.getCandidate();
  SmallVector<Value> values(candidate.inputs.begin(), candidate.inputs.end());
  for (Operation *op : candidate.operations)
    values.push_back(op->getResult(0));
  unsigned loaded = 0;
  SmallVector<unsigned> kept(match.levels, 0);
  for (Value value : values) {
    if (!(space.getLoops(value) & match.program.reduced))
      continue;
    unsigned bytes = getElementBytes(value.getType());
    if (candidate.inputs.contains(value))
      loaded += bytes;
    unsigned lastUse = 0;
    for (Operation *user : value.getUsers())
      if (candidate.operations.contains(user) && !isa<ReduceOp>(user))
        lastUse = std::max(lastUse, space.getLevel(user->getResult(0)));
    for (unsigned level = space.getLevel(value); level < lastUse; ++level)
      kept[level] += bytes;
  }
  if (match.levels == 1)
    return std::max(loaded, computeBytesBetweenSums(match));
  for (unsigned bytes : kept)
    loaded = std::max(loaded, bytes);
  return loaded;
}

/// Gathers what plan and cost need to know.
static void summarize(OuterPersistentMatch &match) {
  const IterationSpace &space = match.space;
  const Candidate &candidate = space.getCandidate();
  match.rows = space.getProduct(match.program.reduced).extent;
  match.columnLoop = space.getProduct(match.program.kept);
  match.columns = match.columnLoop.estimate();
  for (const Total &total : match.program.totals)
    match.levels = std::max(match.levels, total.level + 1);
  SmallVector<uint64_t> levelBytes(match.levels, 0);
  for (const Total &total : match.program.totals)
    levelBytes[total.level] += getElementBytes(total.accumulator);
  for (uint64_t bytes : levelBytes)
    match.levelBytes = std::max(match.levelBytes, bytes);
  for (Value input : candidate.inputs)
    if (space.getLoops(input) == space.getAllLoops())
      match.widest = std::max(match.widest, getElementBytes(input.getType()));
  for (Value output : candidate.outputs)
    match.narrowOutputs += space.getLoops(output) == space.getAllLoops() &&
                           getElementBytes(output.getType()) < 4;
  match.keptBytes = computeKeptBytes(match);
}

OuterPersistentScheduler::Built
OuterPersistentScheduler::build(const Candidate &candidate,
                                const Facts &facts) const {
  if (std::optional<Rejection> rejection = checkElementTypes(candidate))
    return *rejection;
  if (std::optional<Rejection> rejection =
          checkParameters(candidate, /*workspaces=*/0, facts.device))
    return *rejection;
  auto built = IterationSpace::get(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto &space = std::get<IterationSpace>(built);
  auto program =
      ReductionProgram::build(space, facts.dims, /*allowsLevels=*/true);
  if (auto *rejection = std::get_if<Rejection>(&program))
    return *rejection;
  auto match = std::make_unique<OuterPersistentMatch>(
      std::move(space), std::move(std::get<ReductionProgram>(program)));
  if (!match->program.kept)
    return Rejection{RejectionCode::UnsupportedShape,
                     match->program.totals.front().operation,
                     "expected a loop that is not reduced"};
  if (match->space.getProduct(match->program.reduced).isDynamic())
    return Rejection{RejectionCode::DynamicExtent,
                     match->program.totals.front().operation,
                     "expected rows whose number is known when the program is "
                     "compiled: all of them have to fit in registers"};
  if (std::optional<Rejection> rejection =
          checkKeepsInnermost(match->space, match->program.reduced,
                              match->program.totals.front().operation))
    return *rejection;
  if (match->space.isEmpty())
    if (std::optional<Rejection> rejection = checkNothingToWrite(candidate))
      return *rejection;
  summarize(*match);
  return match;
}

/// Checks that a schedule, which may be written by hand, covers the segment.
LogicalResult OuterPersistentScheduler::verify(
    SegmentOp segment, const OuterPersistentMatch &match,
    OuterPersistentScheduleAttr schedule, const Facts &facts) const {
  const DeviceModel &device = facts.device;
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  unsigned width = schedule.getWidth();
  if (match.columnLoop.extent % width ||
      (width > 1 && width * match.widest > 64))
    return error() << "a width that divides the " << match.columnLoop.extent
                   << " columns, of at most 64 bytes, but got " << width;
  if (schedule.getThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads();
  uint64_t unrolled = countUnrolledOperations(match, width, schedule.getRows());
  if (unrolled > maxUnrolledOperations)
    return error() << "at most " << maxUnrolledOperations
                   << " operations for the rows of a thread, but got "
                   << unrolled;
  uint64_t blocks =
      match.space.isEmpty()
          ? 0
          : llvm::divideCeil(uint64_t(match.columns),
                             uint64_t(schedule.getColumnsPerBlock()));
  if (schedule.getBlocks() != blocks)
    return error() << blocks << " blocks of " << schedule.getColumnsPerBlock()
                   << " of the " << match.columns << " columns, but got "
                   << schedule.getBlocks();
  if (!blocks)
    return success();
  uint64_t rows = llvm::divideCeil(uint64_t(match.rows),
                                   uint64_t(schedule.getThreadRows()));
  if (schedule.getRows() != rows)
    return error() << rows << " rows a thread, which cover the " << match.rows
                   << " rows, but got " << schedule.getRows();
  uint64_t bytes = getSharedBytes(match, schedule.getThreadRows(),
                                  schedule.getColumnsPerBlock());
  return verifySharedBytes(segment, schedule.getSharedBytes(), bytes, device);
}

void OuterPersistentScheduler::emitKernels(SegmentOp segment,
                                           const OuterPersistentMatch &match,
                                           OuterPersistentScheduleAttr schedule,
                                           SegmentLowering &lowering,
                                           const Facts &facts) const {
  if (schedule.getBlocks())
    emitKernel(lowering, match, schedule, segment.getLoc());
}

std::unique_ptr<Scheduler> fusion::createOuterPersistentScheduler() {
  return std::make_unique<OuterPersistentScheduler>();
}
