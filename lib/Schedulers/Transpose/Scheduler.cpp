//===- Scheduler.cpp - The transpose scheduler ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes programs without reductions whose results are contiguous along one loop
// and some of whose inputs are along another.
//
//===----------------------------------------------------------------------===//

#include "../PlannedScheduler.h"
#include "../ScheduleChecks.h"
#include "../Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Transpose.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::transpose;

namespace {

class TransposeScheduler final
    : public PlannedScheduler<TransposeMatch, TransposeScheduleAttr> {
public:
  StringRef getName() const override { return "transpose"; }

  bool mayAccept(const CandidateSummary &summary) const override {
    return summary.inputs && summary.outputs && !summary.signatures;
  }
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return !summary.signatures;
  }

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<TransposeScheduleAttr, Rejection>
  choose(const TransposeMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts.device);
  }
  Cost price(const TransposeMatch &match, TransposeScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const TransposeMatch &match,
                       TransposeScheduleAttr schedule,
                       const Facts &facts) const override;
  void emitKernels(SegmentOp segment, const TransposeMatch &match,
                   TransposeScheduleAttr schedule, SegmentLowering &lowering,
                   const Facts &facts) const override;
};

} // namespace

/// The loop along which `value` is contiguous, if it varies over a loop.
static std::optional<unsigned> getContiguousLoop(const IterationSpace &space,
                                                 Value value) {
  for (auto [loop, stride] : llvm::enumerate(space.getStrides(value)))
    if (stride == 1 && (space.getLoops(value) >> loop & 1))
      return loop;
  return std::nullopt;
}

/// Finds the loop along which the results are written: that of all results
/// which vary over all loops.
static std::optional<Rejection> findWriteLoop(TransposeMatch &match) {
  const IterationSpace &space = match.space;
  std::optional<unsigned> found;
  for (Value output : space.getCandidate().outputs) {
    if (space.getLoops(output) != space.getAllLoops())
      continue;
    std::optional<unsigned> loop = getContiguousLoop(space, output);
    if (loop && found && *loop != *found)
      return Rejection{RejectionCode::UnsupportedShape, output.getDefiningOp(),
                       "expected all results to have the same innermost loop"};
    found = found ? found : loop;
    match.widest = std::max(match.widest, getElementBytes(output.getType()));
  }
  match.writeLoop = found.value_or(0);
  return std::nullopt;
}

/// Finds the inputs that are contiguous along another loop: the loop of the
/// first of them; inputs of a third loop are read element by element.
static std::optional<Rejection> findTurnedInputs(TransposeMatch &match) {
  const IterationSpace &space = match.space;
  const Candidate &candidate = space.getCandidate();
  for (Value input : candidate.inputs) {
    std::optional<unsigned> loop = getContiguousLoop(space, input);
    bool isTurned = loop && *loop != match.writeLoop &&
                    (space.getLoops(input) & match.getWriteSet());
    if (!isTurned || (!match.turned.empty() && *loop != match.readLoop))
      continue;
    match.readLoop = *loop;
    match.turned.push_back(input);
    match.widest = std::max(match.widest, getElementBytes(input.getType()));
  }
  if (!match.turned.empty())
    return std::nullopt;
  return Rejection{RejectionCode::UnsupportedShape,
                   candidate.operations.front(),
                   "expected an input that is contiguous along another loop "
                   "than the results"};
}

TransposeScheduler::Built TransposeScheduler::build(const Candidate &candidate,
                                                    const Facts &facts) const {
  for (Operation *op : candidate.operations)
    if (auto reduce = dyn_cast<ReduceOp>(op); reduce && reducesElements(reduce))
      return Rejection{RejectionCode::UnsupportedOperation, op,
                       "expected no reduction"};
  if (llvm::none_of(candidate.operations,
                    llvm::IsaPred<TransposeOp, BroadcastOp>))
    return Rejection{RejectionCode::UnsupportedShape,
                     candidate.operations.front(),
                     "expected an operation that reorders dimensions"};
  if (std::optional<Rejection> rejection = checkElementTypes(candidate))
    return *rejection;
  if (std::optional<Rejection> rejection =
          checkParameters(candidate, /*workspaces=*/0, facts.device))
    return *rejection;
  auto built = IterationSpace::get(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto match = std::make_unique<TransposeMatch>(
      std::move(std::get<IterationSpace>(built)));
  if (std::optional<Rejection> rejection =
          checkWholeResult(match->space, facts.dims))
    return *rejection;
  if (std::optional<Rejection> rejection = findWriteLoop(*match))
    return *rejection;
  if (std::optional<Rejection> rejection = findTurnedInputs(*match))
    return *rejection;
  // Not where a tensor is contiguous: its other strides would be dynamic.
  assert(!match->space.getLoops()[match->readLoop].isDynamic() &&
         !match->space.getLoops()[match->writeLoop].isDynamic());
  for (Operation *op : candidate.operations)
    match->instructions += countInstructions(op);
  return match;
}

/// Checks that a schedule, which may be written by hand, covers the segment.
LogicalResult TransposeScheduler::verify(SegmentOp segment,
                                         const TransposeMatch &match,
                                         TransposeScheduleAttr schedule,
                                         const Facts &facts) const {
  const DeviceModel &device = facts.device;
  auto error = [&] { return segment.emitOpError("expected a schedule with "); };
  unsigned width = schedule.getWidth();
  if (schedule.getThreads() > device.threadsPerBlock)
    return error() << "at most " << device.threadsPerBlock
                   << " threads, but got " << schedule.getThreads();
  uint64_t unrolled =
      countUnrolledOperations(match, width, schedule.getWriteWidth());
  if (width > 16 || unrolled > maxUnrolledOperations)
    return error() << "a width of at most 16 and at most "
                   << maxUnrolledOperations
                   << " operations for the points of a thread, but got "
                   << width << " and " << unrolled;
  unsigned readWidth = getReadWidth(match, schedule.getReadWidth());
  unsigned writeWidth = getWriteWidth(match, schedule.getWriteWidth());
  if (readWidth != schedule.getReadWidth() ||
      writeWidth != schedule.getWriteWidth())
    return error() << "read_width and write_width that divide the extents of "
                      "their loops, at most "
                   << readWidth << " and " << writeWidth << ", but got "
                   << schedule.getReadWidth() << " and "
                   << schedule.getWriteWidth();
  int64_t blocks = countBlocks(match, schedule.getTile());
  if (schedule.getBlocks() != blocks)
    return error() << blocks << " blocks of " << schedule.getTile() << " by "
                   << schedule.getTile() << " elements, but got "
                   << schedule.getBlocks();
  return verifySharedBytes(segment, schedule.getSharedBytes(),
                           getSharedBytes(match, schedule.getTile()), device);
}

void TransposeScheduler::emitKernels(SegmentOp segment,
                                     const TransposeMatch &match,
                                     TransposeScheduleAttr schedule,
                                     SegmentLowering &lowering,
                                     const Facts &facts) const {
  // Half of a multiprocessor's threads hide the barrier (measured: four blocks
  // of 256 threads).
  unsigned occupancy = std::max(1u, facts.device.threadsPerMultiprocessor / 2 /
                                        schedule.getThreads());
  if (schedule.getBlocks())
    emitKernel(lowering, match, schedule, occupancy, segment.getLoc());
}

std::unique_ptr<Scheduler> fusion::createTransposeScheduler() {
  return std::make_unique<TransposeScheduler>();
}
