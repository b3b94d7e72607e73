//===- Scheduler.cpp - The pointwise scheduler ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes programs without reductions whose results vary over the loops of one of
// them, or over fewer.
//
//===----------------------------------------------------------------------===//

#include "../PlannedScheduler.h"
#include "../Traffic.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Pointwise.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::pointwise;

namespace {

class PointwiseScheduler final
    : public PlannedScheduler<PointwiseMatch, PointwiseScheduleAttr> {
public:
  StringRef getName() const override { return "pointwise"; }

  bool mayAccept(const CandidateSummary &summary) const override {
    return !summary.signatures;
  }
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return !summary.signatures;
  }

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<PointwiseScheduleAttr, Rejection>
  choose(const PointwiseMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts.device);
  }
  Cost price(const PointwiseMatch &match, PointwiseScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const PointwiseMatch &match,
                       PointwiseScheduleAttr schedule,
                       const Facts &facts) const override;
  void emitKernels(SegmentOp segment, const PointwiseMatch &match,
                   PointwiseScheduleAttr schedule, SegmentLowering &lowering,
                   const Facts &facts) const override;
};

} // namespace

/// Gathers what plan and cost need to know.
static void summarize(PointwiseMatch &match) {
  const IterationSpace &space = match.space;
  const Candidate &candidate = space.getCandidate();
  for (const Loop &loop : space.getLoops())
    match.pointsPerExtent *= loop.extent;
  match.points = match.pointsPerExtent;
  if (match.isDynamic())
    match.points *= assumedDynamicExtent;
  unsigned narrowest = 0;
  auto addTensor = [&](Value value) {
    if (!space.getLoops(value))
      return;
    unsigned bytes = getElementBytes(value.getType());
    narrowest = narrowest ? std::min(narrowest, bytes) : bytes;
    match.widest = std::max(match.widest, bytes);
  };
  for (Value input : candidate.inputs) {
    addTensor(input);
    match.wholeInputs += space.getLoops(input) == space.getAllLoops();
  }
  for (Value output : candidate.outputs)
    addTensor(output);
  match.narrowest = std::max(1u, narrowest);
  for (Operation *op : candidate.operations)
    match.instructions += countInstructions(op);
}

PointwiseScheduler::Built PointwiseScheduler::build(const Candidate &candidate,
                                                    const Facts &facts) const {
  for (Operation *op : candidate.operations)
    if (auto reduce = dyn_cast<ReduceOp>(op); reduce && reducesElements(reduce))
      return Rejection{RejectionCode::UnsupportedOperation, op,
                       "expected no reduction"};
  if (std::optional<Rejection> rejection = checkElementTypes(candidate))
    return *rejection;
  if (std::optional<Rejection> rejection =
          checkParameters(candidate, /*workspaces=*/0, facts.device))
    return *rejection;
  auto built = IterationSpace::get(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto match = std::make_unique<PointwiseMatch>(
      std::move(std::get<IterationSpace>(built)));
  if (std::optional<Rejection> rejection =
          checkWholeResult(match->space, facts.dims))
    return *rejection;
  summarize(*match);
  // One point for each thread, or runs of several.
  unsigned threads = facts.device.threadsPerBlock / 4;
  if (countBlocks(match->points, threads, 1, 1) > facts.device.blocksPerGrid)
    return Rejection{RejectionCode::UnsupportedShape,
                     candidate.operations.front(),
                     "expected fewer points than the threads of a grid",
                     std::nullopt,
                     static_cast<uint64_t>(match->points),
                     facts.device.blocksPerGrid * threads};
  if (countUnrolledOperations(*match, 1, 1) > maxUnrolledOperations)
    return Rejection{RejectionCode::OnChipCapacity,
                     candidate.operations.front(),
                     "expected fewer operations in one kernel",
                     std::nullopt,
                     countUnrolledOperations(*match, 1, 1),
                     maxUnrolledOperations};
  return match;
}

/// Checks that a schedule, which may be written by hand, covers the segment.
LogicalResult PointwiseScheduler::verify(SegmentOp segment,
                                         const PointwiseMatch &match,
                                         PointwiseScheduleAttr schedule,
                                         const Facts &facts) const {
  const DeviceModel &device = facts.device;
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  unsigned width = schedule.getWidth();
  if (schedule.getThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads();
  if (width > 1 && width * match.narrowest > 16)
    return error() << "a width of at most 16 bytes of the narrowest tensor, "
                      "but got "
                   << width;
  uint64_t unrolled =
      countUnrolledOperations(match, width, schedule.getVectors());
  if (unrolled > maxUnrolledOperations)
    return error() << "at most " << maxUnrolledOperations
                   << " operations for the points of a thread, but got "
                   << unrolled;
  if (match.isDynamic() && match.pointsPerExtent % width)
    return error() << "a width that divides the " << match.pointsPerExtent
                   << " points for each one of the dynamic extent, but got "
                   << width;
  uint64_t blocks = countBlocks(match.points, schedule.getThreads(), width,
                                schedule.getVectors());
  if (schedule.getBlocks() != blocks)
    return error() << blocks << " blocks, which cover the " << match.points
                   << " points, but got " << schedule.getBlocks();
  return success();
}

void PointwiseScheduler::emitKernels(SegmentOp segment,
                                     const PointwiseMatch &match,
                                     PointwiseScheduleAttr schedule,
                                     SegmentLowering &lowering,
                                     const Facts &facts) const {
  if (schedule.getBlocks())
    emitKernel(lowering, match, schedule, segment.getLoc());
}

std::unique_ptr<Scheduler> fusion::createPointwiseScheduler() {
  return std::make_unique<PointwiseScheduler>();
}
