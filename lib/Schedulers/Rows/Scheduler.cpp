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

#include "../PlannedScheduler.h"
#include "../Traffic.h"
#include "FusionDialect/Analysis/CandidateMemo.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "RescaledSum.h"
#include "Rows.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

namespace {

class RowsScheduler final
    : public PlannedScheduler<RowsMatch, RowsScheduleAttr> {
public:
  explicit RowsScheduler(RowsKind kind) : kind(kind) {}

  StringRef getName() const override {
    return kind == RowsKind::InnerPersistent ? "inner-persistent"
                                             : "inner-reduction";
  }

  bool mayAccept(const CandidateSummary &summary) const override {
    return summary.reductions && !summary.crossesReductions;
  }
  bool mayAcceptLarger(const CandidateSummary &summary) const override {
    return !summary.crossesReductions;
  }

  /// Rescaled sums are found by the operations that compute them.
  std::optional<uint64_t> getOperationKey(Operation *op) const override {
    if (mayBeRescaled(op))
      return std::nullopt;
    return PlannedScheduler::getOperationKey(op);
  }

protected:
  Built build(const Candidate &candidate, const Facts &facts) const override;
  std::variant<RowsScheduleAttr, Rejection>
  choose(const RowsMatch &match, MLIRContext *context,
         const Facts &facts) const override {
    return chooseSchedule(match, context, facts.device);
  }
  Cost price(const RowsMatch &match, RowsScheduleAttr schedule,
             const Facts &facts) const override {
    return computeCost(match.graph, match.footprint, schedule, facts.device);
  }
  LogicalResult verify(SegmentOp segment, const RowsMatch &match,
                       RowsScheduleAttr schedule,
                       const Facts &facts) const override {
    return verifySchedule(segment, match, schedule, facts.device);
  }
  void emitKernels(SegmentOp segment, const RowsMatch &match,
                   RowsScheduleAttr schedule, SegmentLowering &lowering,
                   const Facts &facts) const override {
    emitKernel(lowering, match, schedule, segment.getLoc());
  }

private:
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
static std::optional<Rejection> checkContiguous(const RowGraph &graph) {
  const IterationSpace &space = graph.getIterationSpace();
  auto isContiguous = [&](Value input) {
    LoopSet columns =
        graph.getColumnSpaces()[graph.getColumnSpace(input)].loops;
    for (auto [loop, stride] : llvm::enumerate(space.getStrides(input)))
      if ((columns >> loop & 1) && stride == 1)
        return true;
    return false;
  };
  bool hasStreamed = false;
  for (Value input : graph.getCandidate().inputs) {
    if (!graph.isStreamed(input))
      continue;
    if (isContiguous(input))
      return std::nullopt;
    hasStreamed = true;
  }
  if (!hasStreamed)
    return std::nullopt;
  return Rejection{RejectionCode::UnsupportedShape,
                   graph.getReductions().front().operation,
                   "expected a reduction along a dimension in which an input "
                   "is contiguous"};
}

/// What both schedulers find out, their kind apart.
static std::variant<RowsMatch, Rejection> buildMatch(const Candidate &candidate,
                                                     const Facts &facts) {
  auto built = RowGraph::build(candidate, facts);
  if (auto *rejection = std::get_if<Rejection>(&built))
    return *rejection;
  auto &graph = std::get<RowGraph>(built);
  if (auto rejection = checkElementTypes(candidate))
    return *rejection;
  if (auto rejection = checkParameters(candidate, 0, facts.device))
    return *rejection;
  if (auto rejection = checkContiguous(graph))
    return *rejection;
  // A block finds its rows by them.
  if (graph.getRows() == 0 && llvm::any_of(candidate.outputs, [](Value output) {
        return !llvm::is_contained(
            cast<RankedTensorType>(output.getType()).getShape(), 0);
      }))
    return Rejection{RejectionCode::EmptyExtent,
                     graph.getReductions().front().operation,
                     "expected rows for the results that are not empty"};
  Footprint footprint = computeFootprint(graph);
  return RowsMatch(std::move(graph), std::move(footprint));
}

RowsScheduler::Built RowsScheduler::build(const Candidate &candidate,
                                          const Facts &facts) const {
  using Shared = std::variant<RowsMatch, Rejection>;
  auto shared = CandidateMemo::get<Shared>(
      candidate, facts, [&] { return buildMatch(candidate, facts); });
  if (const auto *rejection = std::get_if<Rejection>(&*shared))
    return *rejection;
  const auto &match = std::get<RowsMatch>(*shared);
  if (auto rejection = checkKind(match))
    return *rejection;
  return std::make_unique<RowsMatch>(match);
}

std::unique_ptr<Scheduler> fusion::createInnerPersistentScheduler() {
  return std::make_unique<RowsScheduler>(RowsKind::InnerPersistent);
}

std::unique_ptr<Scheduler> fusion::createInnerReductionScheduler() {
  return std::make_unique<RowsScheduler>(RowsKind::InnerReduction);
}
