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

#include "../Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Pointwise.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::pointwise;

namespace {

class PointwiseScheduler final : public Scheduler {
public:
  StringRef getName() const override { return "pointwise"; }

  MatchResult match(const Candidate &candidate,
                    const Facts &facts) const override;

  ScheduleAttrInterface plan(const Match &match, MLIRContext *context,
                             const Facts &facts) const override {
    return chooseSchedule(static_cast<const PointwiseMatch &>(match), context,
                          facts.device);
  }

  Cost cost(const Match &match, ScheduleAttrInterface schedule,
            const Facts &facts) const override {
    return computeCost(static_cast<const PointwiseMatch &>(match),
                       cast<PointwiseScheduleAttr>(schedule), facts.device);
  }

  LogicalResult emit(SegmentOp segment, SegmentLowering &lowering,
                     const Facts &facts) const override;
};

} // namespace

/// Gathers what plan and cost need to know.
static void summarize(PointwiseMatch &match) {
  const IterationSpace &space = match.space;
  const Candidate &candidate = space.getCandidate();
  match.points = *space.getNumIterations(space.getAllLoops());
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

MatchResult PointwiseScheduler::match(const Candidate &candidate,
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
  auto built = IterationSpace::build(candidate, facts.dims);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto match = std::make_unique<PointwiseMatch>(
      std::move(std::get<IterationSpace>(built)));
  if (std::optional<Rejection> rejection = checkWholeResult(match->space))
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
  return std::unique_ptr<Match>(std::move(match));
}

/// Checks that a schedule, which may be written by hand, covers the segment.
static LogicalResult verifySchedule(SegmentOp segment,
                                    const PointwiseMatch &match,
                                    PointwiseScheduleAttr schedule,
                                    const DeviceModel &device) {
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
  uint64_t blocks = countBlocks(match.points, schedule.getThreads(), width,
                                schedule.getVectors());
  if (schedule.getBlocks() != blocks)
    return error() << blocks << " blocks, which cover the " << match.points
                   << " points, but got " << schedule.getBlocks();
  return success();
}

LogicalResult PointwiseScheduler::emit(SegmentOp segment,
                                       SegmentLowering &lowering,
                                       const Facts &facts) const {
  auto schedule = dyn_cast_or_null<PointwiseScheduleAttr>(
      Attribute(segment.getScheduleAttr()));
  if (!schedule)
    return segment.emitOpError("expected a schedule #fusion.pointwise");
  MatchResult result = match(Candidate::get(segment), facts);
  if (const auto *rejection = std::get_if<Rejection>(&result))
    return segment.emitOpError("is not accepted by its scheduler: ")
           << rejection->str();
  const auto &match = static_cast<const PointwiseMatch &>(
      *std::get<std::unique_ptr<Match>>(result));
  if (failed(verifySchedule(segment, match, schedule, facts.device)))
    return failure();
  if (schedule.getBlocks())
    emitKernel(lowering, match, schedule, segment.getLoc());
  return success();
}

std::unique_ptr<Scheduler> fusion::createPointwiseScheduler() {
  return std::make_unique<PointwiseScheduler>();
}
