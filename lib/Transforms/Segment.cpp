//===- Segment.cpp - Group operations into segments -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Connected sets of schedulable operations are offered to the schedulers; what
// one of them accepts is wrapped in a segment.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_SEGMENTPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The connected sets of schedulable operations of `block`, in the order of
/// their first operations. Two operations are connected if one uses the
/// other's result, or if both read one tensor from outside. Constants are not
/// part of a set: each set takes its own copies.
static SmallVector<SmallVector<Operation *>> getConnectedSets(Block &block) {
  llvm::EquivalenceClasses<Operation *> sets;
  SmallVector<Operation *> order;
  DenseMap<Value, Operation *> firstReader;
  for (Operation &op : block) {
    if (!isSchedulable(&op) || isa<arith::ConstantOp>(op))
      continue;
    order.push_back(&op);
    sets.insert(&op);
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && isa<arith::ConstantOp>(producer))
        continue;
      if (producer && sets.contains(producer)) {
        sets.unionSets(producer, &op);
        continue;
      }
      // A scalar costs nothing to read twice.
      if (!isa<RankedTensorType>(operand.getType()))
        continue;
      auto [it, isNew] = firstReader.try_emplace(operand, &op);
      if (!isNew)
        sets.unionSets(it->second, &op);
    }
  }
  SmallVector<SmallVector<Operation *>> result;
  DenseMap<Operation *, unsigned> indexOfLeader;
  for (Operation *op : order) {
    Operation *leader = sets.getLeaderValue(op);
    auto [it, isNew] = indexOfLeader.try_emplace(leader, result.size());
    if (isNew)
      result.emplace_back();
    result[it->second].push_back(op);
  }
  return result;
}

/// `set` with the constants it uses, each before its first use.
static SmallVector<Operation *> withConstants(ArrayRef<Operation *> set) {
  llvm::SetVector<Operation *> all;
  for (Operation *op : set) {
    for (Value operand : op->getOperands())
      if (auto constant = operand.getDefiningOp<arith::ConstantOp>())
        if (isSchedulable(constant))
          all.insert(constant);
    all.insert(op);
  }
  return all.takeVector();
}

/// The first operation that keeps the members of `candidate` apart, or null if
/// they can stand at one place. An operation outside does if it uses a result
/// of one member and feeds another, or if it stands before one that feeds a
/// member: what is outside keeps its order.
static Operation *getObstacle(const Candidate &candidate) {
  Block *block = candidate.operations.front()->getBlock();
  Operation *firstDependent = nullptr;
  for (Operation &op : *block) {
    if (candidate.operations.contains(&op))
      continue;
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (!firstDependent &&
            candidate.operations.contains(operand.getDefiningOp()))
          firstDependent = &op;
    });
    if (firstDependent && llvm::any_of(op.getResults(), [&](Value result) {
          return candidate.inputs.contains(result);
        }))
      return firstDependent;
  }
  return nullptr;
}

/// Where the segment of `candidate` can stand: before the first operation that
/// uses one of its results, after all that it reads.
static Operation *getInsertionPoint(const Candidate &candidate) {
  Block *block = candidate.operations.front()->getBlock();
  Operation *point = block->getTerminator();
  for (Value output : candidate.outputs) {
    for (Operation *user : output.getUsers()) {
      Operation *inBlock = block->findAncestorOpInBlock(*user);
      if (inBlock && !candidate.operations.contains(inBlock) &&
          inBlock->isBeforeInBlock(point))
        point = inBlock;
    }
  }
  return point;
}

static void createSegment(const Candidate &candidate, StringRef scheduler) {
  IRRewriter rewriter(getInsertionPoint(candidate));
  SmallVector<Location> locations;
  for (Operation *op : candidate.operations)
    locations.push_back(op->getLoc());
  SmallVector<Type> types = llvm::map_to_vector(
      candidate.outputs, [](Value value) { return value.getType(); });
  auto segment =
      SegmentOp::create(rewriter, rewriter.getFusedLoc(locations), types,
                        candidate.inputs.getArrayRef(), scheduler);
  IRMapping mapping;
  mapping.map(candidate.inputs.getArrayRef(),
              segment.getBodyBlock().getArguments());
  rewriter.setInsertionPointToEnd(&segment.getBodyBlock());
  for (Operation *op : candidate.operations)
    rewriter.clone(*op, mapping);
  YieldOp::create(rewriter, segment.getLoc(),
                  llvm::map_to_vector(candidate.outputs, [&](Value value) {
                    return mapping.lookup(value);
                  }));
  for (auto [output, result] :
       llvm::zip(candidate.outputs, segment.getResults()))
    rewriter.replaceAllUsesWith(output, result);
  for (Operation *op : llvm::reverse(candidate.operations.getArrayRef()))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

namespace {

struct SegmentPass : fusion::impl::SegmentPassBase<SegmentPass> {
  using SegmentPassBase::SegmentPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return failed(findDeviceModel(context, chip, device, deviceModel))
               ? failure()
               : findSchedulers(context);
  }

  /// The schedulers to ask, in order of registration.
  LogicalResult findSchedulers(MLIRContext *context) {
    SchedulerRegistry &registry = SchedulerRegistry::get(context);
    for (const std::string &name : schedulers)
      if (!registry.lookup(name))
        return emitError(UnknownLoc::get(context))
               << "expected a registered scheduler, but got '" << name << "'";
    for (const auto &scheduler : registry.getSchedulers())
      if (schedulers.empty() ||
          llvm::is_contained(*schedulers, scheduler->getName()))
        asked.push_back(scheduler.get());
    return success();
  }

  void runOnOperation() override {
    Facts facts{getAnalysis<DimClasses>(), deviceModel, plainLaunches};
    bool failed = false;
    // Segments of one function change no tensor of another: the facts hold.
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        for (Block &block : function.getFunctionBody())
          for (ArrayRef<Operation *> set : getConnectedSets(block))
            failed |= !segment(Candidate::get(withConstants(set)), facts);
    });
    if (failed && refuseUnscheduled)
      signalPassFailure();
  }

  /// Offers `candidate` to the schedulers; the first that accepts gets it.
  bool segment(const Candidate &candidate, const Facts &facts) {
    ++numAsked;
    SmallVector<std::pair<const Scheduler *, Rejection>> rejections;
    if (Operation *obstacle = getObstacle(candidate)) {
      Operation *op = candidate.operations.front();
      if (refuseUnscheduled)
        op->emitOpError("cannot be grouped with the operations that use its "
                        "results or read the same tensor")
                .attachNote(obstacle->getLoc())
            << "this operation outside stands between them";
      ++numRejected;
      return false;
    }
    for (const Scheduler *scheduler : asked) {
      MatchResult result = scheduler->match(candidate, facts);
      if (const auto *rejection = std::get_if<Rejection>(&result)) {
        remarkRejection(segmentRemarks, *scheduler, *rejection);
        rejections.emplace_back(scheduler, *rejection);
        continue;
      }
      remark::passed(
          candidate.operations.front()->getLoc(),
          remark::RemarkOpts::name("segment").category(segmentRemarks))
          << remark::metric("scheduler", scheduler->getName())
          << remark::metric("operations", candidate.operations.size());
      createSegment(candidate, scheduler->getName());
      ++numSegments;
      return true;
    }
    ++numRejected;
    if (refuseUnscheduled)
      refuse(candidate, rejections);
    return false;
  }

  /// One error at the operation that the first scheduler stumbled over, with
  /// each scheduler's reason.
  void refuse(const Candidate &candidate,
              ArrayRef<std::pair<const Scheduler *, Rejection>> rejections) {
    if (rejections.empty()) {
      candidate.operations.front()->emitOpError(
          "is accepted by no scheduler: none is registered");
      return;
    }
    InFlightDiagnostic diagnostic =
        rejections.front().second.operation->emitOpError(
            "is accepted by no scheduler");
    for (const auto &[scheduler, rejection] : rejections)
      noteRejection(diagnostic, *scheduler, rejection);
  }

  DeviceModel deviceModel;
  SmallVector<const Scheduler *> asked;
};

} // namespace
