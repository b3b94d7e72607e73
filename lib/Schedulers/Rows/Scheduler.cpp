//===- Scheduler.cpp - The schedulers of independent rows -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// inner-persistent and inner-reduction: softmax, normalisations, sums of rows,
// with any element-wise work before, between and after.
//
//===----------------------------------------------------------------------===//

#include "../Traffic.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Rows.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

namespace {

class RowsScheduler final : public Scheduler {
public:
  explicit RowsScheduler(RowsKind kind) : kind(kind) {}

  StringRef getName() const override {
    return kind == RowsKind::InnerPersistent ? "inner-persistent"
                                             : "inner-reduction";
  }

  bool mayAccept(const CandidateSummary &summary) const override {
    return summary.reductions && !summary.mixesReductions();
  }

  MatchResult match(const Candidate &candidate,
                    const Facts &facts) const override {
    auto built = buildMatch(candidate, facts);
    if (auto *rejection = std::get_if<Rejection>(&built))
      return *rejection;
    auto match = std::move(std::get<std::unique_ptr<RowsMatch>>(built));
    auto chosen = chooseSchedule(
        *match, candidate.operations.front()->getContext(), facts.device);
    if (const auto *rejection = std::get_if<Rejection>(&chosen))
      return *rejection;
    match->schedule = std::get<RowsScheduleAttr>(chosen);
    return std::unique_ptr<Match>(std::move(match));
  }

  ScheduleAttrInterface plan(const Match &match, MLIRContext *context,
                             const Facts &facts) const override {
    return static_cast<const RowsMatch &>(match).schedule;
  }

  Cost cost(const Match &match, ScheduleAttrInterface schedule,
            const Facts &facts) const override {
    const auto &rows = static_cast<const RowsMatch &>(match);
    return computeCost(rows.graph, rows.footprint,
                       cast<RowsScheduleAttr>(schedule), facts.device);
  }

  LogicalResult emit(SegmentOp segment, SegmentLowering &lowering,
                     const Facts &facts) const override;

private:
  using Built = std::variant<std::unique_ptr<RowsMatch>, Rejection>;

  /// Everything of match but the choice of a schedule.
  Built buildMatch(const Candidate &candidate, const Facts &facts) const;
  std::optional<Rejection> checkKind(const RowsMatch &match) const;

  RowsKind kind;
};

} // namespace

/// Each scheduler takes what the other does not.
std::optional<Rejection>
RowsScheduler::checkKind(const RowsMatch &match) const {
  if (match.getKind() == kind)
    return std::nullopt;
  Operation *first = match.graph.getReductions().front().operation;
  if (kind == RowsKind::InnerPersistent)
    return Rejection{RejectionCode::UnsupportedShape, first,
                     "expected elements that are needed again when the total "
                     "of their row is known"};
  return Rejection{RejectionCode::UnsupportedShape, first,
                   "expected elements that are not needed again when the total "
                   "of their row is known"};
}

/// Checks that the threads of a row read memory side by side: an input has to
/// be contiguous along the columns.
static std::optional<Rejection> checkContiguous(const RowGraph &graph,
                                                const Footprint &footprint) {
  const IterationSpace &space = graph.getIterationSpace();
  auto isContiguous = [&](Value input) {
    LoopSet columns =
        graph.getColumnSpaces()[graph.getColumnSpace(input)].loops;
    for (auto [loop, stride] : llvm::enumerate(space.getStrides(input)))
      if ((columns >> loop & 1) && stride == 1)
        return true;
    return false;
  };
  if (footprint.streamed.empty() ||
      llvm::any_of(footprint.streamed, isContiguous))
    return std::nullopt;
  return Rejection{RejectionCode::UnsupportedShape,
                   graph.getReductions().front().operation,
                   "expected a reduction along a dimension in which an input "
                   "is contiguous"};
}

RowsScheduler::Built RowsScheduler::buildMatch(const Candidate &candidate,
                                               const Facts &facts) const {
  auto built = RowGraph::build(candidate, facts.dims);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto &graph = std::get<RowGraph>(built);
  if (auto rejection = checkElementTypes(candidate))
    return *rejection;
  if (auto rejection = checkParameters(candidate, 0, facts.device))
    return *rejection;
  Footprint footprint = computeFootprint(graph);
  if (auto rejection = checkContiguous(graph, footprint))
    return *rejection;
  // A block finds its rows by them.
  if (graph.getRows() == 0 && llvm::any_of(candidate.outputs, [](Value output) {
        return !llvm::is_contained(
            cast<RankedTensorType>(output.getType()).getShape(), 0);
      }))
    return Rejection{RejectionCode::EmptyExtent,
                     graph.getReductions().front().operation,
                     "expected rows for the results that are not empty"};
  auto match =
      std::make_unique<RowsMatch>(std::move(graph), std::move(footprint));
  if (auto rejection = checkKind(*match))
    return *rejection;
  return match;
}

LogicalResult RowsScheduler::emit(SegmentOp segment, SegmentLowering &lowering,
                                  const Facts &facts) const {
  auto schedule =
      dyn_cast_or_null<RowsScheduleAttr>(Attribute(segment.getScheduleAttr()));
  if (!schedule)
    return segment.emitOpError("expected a schedule #fusion.rows");
  auto built = buildMatch(Candidate::get(segment), facts);
  if (const auto *rejection = std::get_if<Rejection>(&built))
    return segment.emitOpError("is not accepted by its scheduler: ")
           << rejection->str();
  const auto &match = *std::get<std::unique_ptr<RowsMatch>>(built);
  if (failed(verifySchedule(segment, match, schedule, facts.device)))
    return failure();
  emitKernel(lowering, match, schedule, segment.getLoc());
  return success();
}

std::unique_ptr<Scheduler> fusion::createInnerPersistentScheduler() {
  return std::make_unique<RowsScheduler>(RowsKind::InnerPersistent);
}

std::unique_ptr<Scheduler> fusion::createInnerReductionScheduler() {
  return std::make_unique<RowsScheduler>(RowsKind::InnerReduction);
}
