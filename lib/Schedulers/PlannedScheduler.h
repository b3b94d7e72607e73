//===- PlannedScheduler.h - What schedulers have in common ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduler of this compiler builds what it knows about a candidate, chooses
// a schedule, and keeps both as the match. Lowering builds the former again for
// the body of a segment, checks the schedule that the segment carries, which
// may be written by hand, and emits the kernels. This is the frame of that; a
// kind of kernel fills in the steps.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_PLANNEDSCHEDULER_H
#define LIB_SCHEDULERS_PLANNEDSCHEDULER_H

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "Traffic.h"

namespace mlir::fusion {

/// `MatchT` is a Match with a member `schedule` of type `ScheduleT`.
template <typename MatchT, typename ScheduleT>
class PlannedScheduler : public Scheduler {
public:
  /// Plans and prices count the instructions of an element.
  std::optional<uint64_t> getOperationKey(Operation *op) const override {
    return countInstructions(op);
  }

  MatchResult match(const Candidate &candidate,
                    const Facts &facts) const final {
    Built built = build(candidate, facts);
    if (auto *rejection = std::get_if<Rejection>(&built))
      return *rejection;
    auto &match = std::get<std::unique_ptr<MatchT>>(built);
    std::variant<ScheduleT, Rejection> chosen =
        choose(*match, candidate.operations.front()->getContext(), facts);
    if (auto *rejection = std::get_if<Rejection>(&chosen))
      return *rejection;
    match->schedule = std::get<ScheduleT>(chosen);
    return std::unique_ptr<Match>(std::move(match));
  }

  ScheduleAttrInterface plan(const Match &match, MLIRContext *context,
                             const Facts &facts) const final {
    return static_cast<const MatchT &>(match).schedule;
  }

  Cost cost(const Match &match, ScheduleAttrInterface schedule,
            const Facts &facts) const final {
    return price(static_cast<const MatchT &>(match), cast<ScheduleT>(schedule),
                 facts);
  }

  LogicalResult emit(SegmentOp segment, SegmentLowering &lowering,
                     const Facts &facts) const final {
    auto schedule =
        dyn_cast_or_null<ScheduleT>(Attribute(segment.getScheduleAttr()));
    if (!schedule)
      return segment.emitOpError("expected a schedule #fusion.")
             << ScheduleT::getMnemonic();
    Built built = build(Candidate::get(segment), facts);
    if (const auto *rejection = std::get_if<Rejection>(&built))
      return segment.emitOpError("is not accepted by its scheduler: ")
             << rejection->str();
    const MatchT &match = *std::get<std::unique_ptr<MatchT>>(built);
    if (failed(verify(segment, match, schedule, facts)))
      return failure();
    emitKernels(segment, match, schedule, lowering, facts);
    return success();
  }

protected:
  using Built = std::variant<std::unique_ptr<MatchT>, Rejection>;

  /// Everything of match but the choice of a schedule.
  virtual Built build(const Candidate &candidate, const Facts &facts) const = 0;
  /// The best schedule for a match, or why there is none.
  virtual std::variant<ScheduleT, Rejection>
  choose(const MatchT &match, MLIRContext *context,
         const Facts &facts) const = 0;
  /// Predicted time and size of a schedule.
  virtual Cost price(const MatchT &match, ScheduleT schedule,
                     const Facts &facts) const = 0;
  /// Checks that a schedule, which may be written by hand, covers the segment
  /// and fits the device; reports an error at the segment if not.
  virtual LogicalResult verify(SegmentOp segment, const MatchT &match,
                               ScheduleT schedule,
                               const Facts &facts) const = 0;
  /// Builds the kernels and their launches for a schedule that verifies.
  virtual void emitKernels(SegmentOp segment, const MatchT &match,
                           ScheduleT schedule, SegmentLowering &lowering,
                           const Facts &facts) const = 0;
};

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_PLANNEDSCHEDULER_H
