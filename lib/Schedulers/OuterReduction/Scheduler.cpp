//===- Scheduler.cpp - The outer-reduction scheduler ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes programs whose reductions all run over the same loops, but not over the
// innermost one: column sums, with element-wise work before and after.
//
//===----------------------------------------------------------------------===//

#include "../PlannedScheduler.h"
#include "../ScheduleChecks.h"
#include "../Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "OuterReduction.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerreduction;

namespace {

class OuterReductionScheduler final
    : public PlannedScheduler<OuterReductionMatch, OuterReductionScheduleAttr> {
public:
  StringRef getName() const override { return "outer-reduction"; }

  bool mayAccept(const CandidateSummary &summary) const override {
    return summary.reductions && summary.signatures <= 1;
  }
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return summary.signatures <= 1;
  }

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<OuterReductionScheduleAttr, Rejection>
  choose(const OuterReductionMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts);
  }
  Cost price(const OuterReductionMatch &match,
             OuterReductionScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const OuterReductionMatch &match,
                       OuterReductionScheduleAttr schedule,
                       const Facts &facts) const override;
  void emitKernels(SegmentOp segment, const OuterReductionMatch &match,
                   OuterReductionScheduleAttr schedule,
                   SegmentLowering &lowering,
                   const Facts &facts) const override;
};

} // namespace

OuterReductionScheduler::Built
OuterReductionScheduler::build(const Candidate &candidate,
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
  auto match = std::make_unique<OuterReductionMatch>(
      std::move(space), std::move(std::get<ReductionProgram>(program)));
  const IterationSpace &loops = match->space;
  if (!match->program.kept)
    return Rejection{RejectionCode::UnsupportedShape,
                     match->program.totals.front().operation,
                     "expected a loop that is not reduced"};
  if (std::optional<Rejection> rejection =
          checkKeepsInnermost(loops, match->program.reduced,
                              match->program.totals.front().operation))
    return *rejection;
  if (loops.isEmpty())
    if (std::optional<Rejection> rejection = checkNothingToWrite(candidate))
      return *rejection;
  if (std::optional<Rejection> rejection = checkParameters(
          candidate, match->program.totals.size(), facts.device))
    return *rejection;
  uint64_t finishBytes = getFinishSharedBytes(*match, finishColumns);
  if (finishBytes > facts.device.staticSharedPerBlock)
    return Rejection{RejectionCode::OnChipCapacity,
                     match->program.totals.front().operation,
                     "expected the reductions of a warp to fit in static "
                     "shared memory, in bytes",
                     std::nullopt,
                     finishBytes,
                     facts.device.staticSharedPerBlock};
  match->rowLoop = loops.getProduct(match->program.reduced);
  match->columnLoop = loops.getProduct(match->program.kept);
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

/// Checks the sizes of the kernels of a schedule.
static LogicalResult verifySizes(SegmentOp segment,
                                 const OuterReductionMatch &match,
                                 OuterReductionScheduleAttr schedule,
                                 const DeviceModel &device) {
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  if (schedule.getThreads() > device.threadsPerBlock ||
      schedule.getFinishThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads() << " and "
                   << schedule.getFinishThreads();
  uint64_t blocks =
      countStrips(match, schedule.getColumnsPerBlock()) * schedule.getSplits();
  if (schedule.getBlocks() != blocks)
    return error() << blocks << " blocks, " << schedule.getSplits()
                   << " for each strip of " << schedule.getColumnsPerBlock()
                   << " of the " << match.columns << " columns, but got "
                   << schedule.getBlocks();
  uint64_t finishBlocks =
      schedule.getSplits() > 1 ? countStrips(match, finishColumns) : 0;
  if (schedule.getFinishBlocks() != finishBlocks)
    return error() << finishBlocks << " finish_blocks of " << finishColumns
                   << " columns, but got " << schedule.getFinishBlocks();
  return success();
}

/// Checks that a schedule, which may be written by hand, covers the segment.
LogicalResult OuterReductionScheduler::verify(
    SegmentOp segment, const OuterReductionMatch &match,
    OuterReductionScheduleAttr schedule, const Facts &facts) const {
  const DeviceModel &device = facts.device;
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  unsigned width = schedule.getWidth();
  if (match.columnLoop.extent % width ||
      (width > 1 && width * match.widest > 64))
    return error() << "a width that divides the " << match.columnLoop.extent
                   << " columns, of at most 64 bytes, but got " << width;
  uint64_t unrolled =
      countUnrolledOperations(match, width, schedule.getUnroll());
  if (unrolled > maxUnrolledOperations)
    return error() << "at most " << maxUnrolledOperations
                   << " operations for the rows of a thread, but got "
                   << unrolled;
  if (failed(verifySizes(segment, match, schedule, device)))
    return failure();
  if (match.columnLoop.isDynamic() && schedule.getSplits() > 1)
    return error() << "one split, since only the launch knows the number of "
                      "columns, but got "
                   << schedule.getSplits();
  if (schedule.getFinish() == FinishMode::GridBarrier)
    return error() << "finish = plain or dependent, but got grid_barrier";
  uint64_t bytes =
      getSharedBytes(match, schedule.getThreads(), schedule.getLanes(), width);
  if (failed(
          verifySharedBytes(segment, schedule.getSharedBytes(), bytes, device)))
    return failure();
  uint64_t finishBytes =
      getFinishSharedBytes(match, schedule.getFinishThreads());
  if (finishBytes > device.staticSharedPerBlock)
    return error() << "finish_threads that share at most "
                   << device.staticSharedPerBlock << " bytes, but "
                   << schedule.getFinishThreads() << " share " << finishBytes;
  return success();
}

void OuterReductionScheduler::emitKernels(SegmentOp segment,
                                          const OuterReductionMatch &match,
                                          OuterReductionScheduleAttr schedule,
                                          SegmentLowering &lowering,
                                          const Facts &facts) const {
  if (!schedule.getBlocks())
    return;
  SmallVector<Value> partials;
  if (!isFinishedByBlocks(schedule))
    for (const Total &total : match.program.totals)
      partials.push_back(lowering.createWorkspace(MemRefType::get(
          {schedule.getSplits(), match.columns}, total.accumulator)));
  emitMainKernel(lowering, match, schedule, partials, segment.getLoc());
  if (!isFinishedByBlocks(schedule))
    emitFinishKernel(lowering, match, schedule, partials, segment.getLoc());
}

std::unique_ptr<Scheduler> fusion::createOuterReductionScheduler() {
  return std::make_unique<OuterReductionScheduler>();
}
