//===- TestSchedulers.h - Schedulers that only decide -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedulers for tests of the search: they accept like real ones, over tensors
// of M x N, M and N elements, at a price of traffic and launches, and cannot
// emit anything. What they accept is not monotone: row and column reductions
// are taken together by a kind that takes neither alone, and a set that is too
// large for one kind may have a part that is not.
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_TRANSFORMS_TESTSCHEDULERS_H
#define UNITTESTS_TRANSFORMS_TESTSCHEDULERS_H

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include <functional>

namespace mlir::fusion {

/// What a test scheduler looks at.
struct CandidateFacts {
  unsigned rowReductions = 0, columnReductions = 0;
  /// Inputs of rank 2.
  unsigned largeInputs = 0;
  /// A value of a row needs the total of a column.
  bool crossesColumns = false;

  static CandidateFacts get(const Candidate &candidate) {
    CandidateFacts facts;
    for (Value input : candidate.inputs)
      if (auto type = dyn_cast<RankedTensorType>(input.getType()))
        facts.largeInputs += type.getRank() == 2;
    llvm::DenseSet<Value> afterColumns;
    for (Operation *op : candidate.operations) {
      bool isAfter = llvm::any_of(op->getOperands(), [&](Value operand) {
        return afterColumns.contains(operand);
      });
      if (auto reduce = dyn_cast<ReduceOp>(op)) {
        bool isRow = reduce.getDims().front() == 1;
        ++(isRow ? facts.rowReductions : facts.columnReductions);
        isAfter |= !isRow;
      }
      auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
      if (isAfter)
        afterColumns.insert(op->getResult(0));
      if (isAfter && type && type.getRank() == 2)
        facts.crossesColumns = true;
    }
    return facts;
  }
};

/// Accepts by a predicate.
class TestScheduler final : public Scheduler {
public:
  using Predicate = std::function<bool(const CandidateFacts &)>;

  /// `efficiency` is the share of the copy speed that it reaches. What
  /// `refusesLarger` holds for is refused with all that holds it.
  TestScheduler(StringRef name, double efficiency, unsigned launches,
                Predicate accepts, Predicate refusesLarger = {})
      : name(name), efficiency(efficiency), launches(launches),
        accepts(std::move(accepts)), refusesLarger(std::move(refusesLarger)) {}

  StringRef getName() const override { return name; }

  MatchResult match(const Candidate &candidate,
                    const Facts &facts) const override {
    ++numMatches;
    CandidateFacts found = CandidateFacts::get(candidate);
    if (!accepts(found)) {
      Rejection rejection{RejectionCode::UnsupportedShape,
                          candidate.operations.front(), "expected another set"};
      rejection.holdsForLarger = refusesLarger && refusesLarger(found);
      return rejection;
    }
    auto match = std::make_unique<TestMatch>();
    match->bytes = Traffic::get(candidate, facts.dims).getBytes();
    return std::unique_ptr<Match>(std::move(match));
  }

  ScheduleAttrInterface plan(const Match &match, MLIRContext *context,
                             const Facts &facts) const override {
    return {};
  }

  Cost cost(const Match &match, ScheduleAttrInterface schedule,
            const Facts &facts) const override {
    Cost cost;
    cost.bytes = static_cast<const TestMatch &>(match).bytes;
    cost.microseconds =
        cost.bytes / (facts.device.copyBytesPerMicrosecond * efficiency) +
        launches * facts.device.launchMicroseconds;
    return cost;
  }

  LogicalResult emit(SegmentOp segment, SegmentLowering &lowering,
                     const Facts &facts) const override {
    return segment.emitOpError("has a scheduler without kernels");
  }

  mutable unsigned numMatches = 0;

private:
  struct TestMatch : Match {
    uint64_t bytes;
  };

  StringRef name;
  double efficiency;
  unsigned launches;
  Predicate accepts, refusesLarger;
};

/// One of each kind.
inline std::vector<std::unique_ptr<TestScheduler>> createTestSchedulers() {
  std::vector<std::unique_ptr<TestScheduler>> schedulers;
  auto add = [&](StringRef name, double efficiency, unsigned launches,
                 TestScheduler::Predicate accepts) {
    schedulers.push_back(std::make_unique<TestScheduler>(
        name, efficiency, launches, std::move(accepts)));
  };
  add("pointwise", 0.95, 1, [](const CandidateFacts &facts) {
    return facts.rowReductions + facts.columnReductions == 0;
  });
  add("inner", 0.9, 1, [](const CandidateFacts &facts) {
    return facts.rowReductions > 0 && facts.columnReductions == 0 &&
           facts.largeInputs <= 3;
  });
  add("outer", 0.8, 2, [](const CandidateFacts &facts) {
    return facts.columnReductions > 0 && facts.rowReductions == 0 &&
           !facts.crossesColumns;
  });
  add("inner-outer", 0.85, 2, [](const CandidateFacts &facts) {
    return facts.columnReductions > 0 && facts.rowReductions > 0 &&
           !facts.crossesColumns && facts.largeInputs <= 2;
  });
  return schedulers;
}

} // namespace mlir::fusion

#endif // UNITTESTS_TRANSFORMS_TESTSCHEDULERS_H
