//===- Scheduler.cpp - The full-reduction scheduler -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes programs whose reductions all run over the same loops, the innermost
// among them: sums of everything, and sums of few rows that several blocks
// share, as the statistics of the channels of images.
//
//===----------------------------------------------------------------------===//

#include "../PlannedScheduler.h"
#include "../Traffic.h"
#include "FullReduction.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fullreduction;

namespace {

class FullReductionScheduler final
    : public PlannedScheduler<FullReductionMatch, SplitReductionScheduleAttr> {
public:
  StringRef getName() const override { return "full-reduction"; }

  bool mayAccept(const CandidateSummary &summary) const override {
    return summary.reductions && summary.signatures <= 1;
  }
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return summary.signatures <= 1;
  }

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<SplitReductionScheduleAttr, Rejection>
  choose(const FullReductionMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts);
  }
  Cost price(const FullReductionMatch &match,
             SplitReductionScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const FullReductionMatch &match,
                       SplitReductionScheduleAttr schedule,
                       const Facts &facts) const override;
  void emitKernels(SegmentOp segment, const FullReductionMatch &match,
                   SplitReductionScheduleAttr schedule,
                   SegmentLowering &lowering,
                   const Facts &facts) const override;
};

} // namespace

/// Checks that the reduced loops hold the one along which the inputs with all
/// loops are contiguous, if there are such inputs.
static std::optional<Rejection>
checkInnermost(const FullReductionMatch &match) {
  const IterationSpace &space = match.space;
  for (Value input : space.getCandidate().inputs) {
    if (space.getLoops(input) != space.getAllLoops())
      continue;
    for (auto [loop, stride] : llvm::enumerate(space.getStrides(input)))
      if (stride == 1 && (match.program.kept >> loop & 1))
        return Rejection{RejectionCode::UnsupportedShape,
                         match.program.totals.front().operation,
                         "expected reductions of the innermost loop of their "
                         "inputs"};
  }
  return std::nullopt;
}

FullReductionScheduler::Built
FullReductionScheduler::build(const Candidate &candidate,
                              const Facts &facts) const {
  if (std::optional<Rejection> rejection = checkElementTypes(candidate))
    return *rejection;
  auto built = IterationSpace::get(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto &space = std::get<IterationSpace>(built);
  auto program = ReductionProgram::build(space, facts.dims);
  if (auto *rejection = std::get_if<Rejection>(&program))
    return *rejection;
  auto match = std::make_unique<FullReductionMatch>(
      std::move(space), std::move(std::get<ReductionProgram>(program)));
  const IterationSpace &loops = match->space;
  if (std::optional<Rejection> rejection = checkInnermost(*match))
    return *rejection;
  if (loops.isEmpty())
    if (std::optional<Rejection> rejection = checkNothingToWrite(candidate))
      return *rejection;
  if (std::optional<Rejection> rejection = checkParameters(
          candidate, match->program.totals.size(), facts.device))
    return *rejection;
  match->rowLoop = loops.getProduct(match->program.kept);
  match->columnLoop = loops.getProduct(match->program.reduced);
  match->rows = match->rowLoop.estimate();
  match->columns = match->columnLoop.estimate();
  for (Value input : candidate.inputs) {
    if (loops.getLoops(input) != loops.getAllLoops())
      continue;
    ++match->wholeInputs;
    match->widest = std::max(match->widest, getElementBytes(input.getType()));
  }
  return match;
}

/// Checks that a schedule, which may be written by hand, covers the segment.
LogicalResult FullReductionScheduler::verify(
    SegmentOp segment, const FullReductionMatch &match,
    SplitReductionScheduleAttr schedule, const Facts &facts) const {
  const DeviceModel &device = facts.device;
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  unsigned width = schedule.getWidth();
  if (width > 1 && width * match.widest > 64)
    return error() << "a width of at most 64 bytes, but got " << width;
  if (match.columnLoop.isDynamic() && match.columnLoop.extent % width)
    return error() << "a width that divides the " << match.columnLoop.extent
                   << " columns for each one of the dynamic extent, but got "
                   << width;
  if (match.rowLoop.isDynamic() && schedule.getSplits() > 1)
    return error() << "one split, since only the launch knows the number of "
                      "rows, but got "
                   << schedule.getSplits();
  uint64_t unrolled =
      countUnrolledOperations(match, width, schedule.getVectors());
  if (unrolled > maxUnrolledOperations)
    return error() << "at most " << maxUnrolledOperations
                   << " operations for the columns of a thread, but got "
                   << unrolled;
  if (schedule.getThreads() > device.threadsPerBlock ||
      schedule.getFinishThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads() << " and "
                   << schedule.getFinishThreads();
  if (schedule.getFinish() == FinishMode::GridBarrier)
    return error() << "finish = plain or dependent, but got grid_barrier";
  uint64_t blocks =
      match.space.isEmpty() ? 0 : match.rows * schedule.getSplits();
  if (schedule.getBlocks() != blocks)
    return error() << blocks << " blocks, " << schedule.getSplits()
                   << " for each of " << match.rows << " rows, but got "
                   << schedule.getBlocks();
  if (!schedule.getFinishBlocks())
    return success();
  unsigned warps = schedule.getFinishThreads() / warpSize;
  if (uint64_t(schedule.getFinishBlocks()) !=
      llvm::divideCeil(uint64_t(match.rows), uint64_t(warps)))
    return error() << "finish_blocks of " << warps << " rows that cover "
                   << match.rows << ", but got " << schedule.getFinishBlocks();
  uint64_t exchangeBytes = getExchangeBytes(match, schedule.getThreads());
  if (exchangeBytes > device.staticSharedPerBlock)
    return segment.emitOpError("expected a schedule with threads that share at "
                               "most ")
           << device.staticSharedPerBlock << " bytes, but "
           << schedule.getThreads() << " share " << exchangeBytes;
  return success();
}

void FullReductionScheduler::emitKernels(SegmentOp segment,
                                         const FullReductionMatch &match,
                                         SplitReductionScheduleAttr schedule,
                                         SegmentLowering &lowering,
                                         const Facts &facts) const {
  if (!schedule.getBlocks())
    return;
  SmallVector<Value> partials;
  if (schedule.getSplits() > 1)
    for (const Total &total : match.program.totals)
      partials.push_back(lowering.createWorkspace(MemRefType::get(
          {match.rows, schedule.getSplits()}, total.accumulator)));
  emitMainKernel(lowering, match, schedule, partials, segment.getLoc());
  if (schedule.getSplits() > 1)
    emitFinishKernel(lowering, match, schedule, partials, segment.getLoc());
}

std::unique_ptr<Scheduler> fusion::createFullReductionScheduler() {
  return std::make_unique<FullReductionScheduler>();
}
