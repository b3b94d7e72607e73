//===- DecideContested.cpp - Contested rewrites by the price of kernels ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries each version on the function itself, whose body as written is kept
// aside: a pass may only run others on what it holds.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/SchedulerRemarks.h"
#include "FusionDialect/IR/Algebra.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/Segmentation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/BitVector.h"
#include <tuple>

namespace mlir::fusion {
#define GEN_PASS_DEF_DECIDECONTESTEDPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// What the best plan of a function costs.
struct Price {
  uint64_t outside = 0;
  double microseconds = 0;
  uint64_t bytes = 0;
  unsigned launches = 0;

  bool operator<(const Price &other) const {
    return std::tie(outside, microseconds) <
           std::tie(other.outside, other.microseconds);
  }
};

struct DecideContestedPass
    : fusion::impl::DecideContestedPassBase<DecideContestedPass> {
  using DecideContestedPassBase::DecideContestedPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return success(
        succeeded(findDeviceModel(context, chip, device, deviceModel)) &&
        succeeded(findSchedulers(context, *schedulers, asked)));
  }

  void runOnOperation() override;

private:
  LogicalResult decide(FunctionOpInterface function);
  /// Makes `function` the version of `original` in which the marked reductions
  /// of `chosen` are rewritten, as the reordering leaves it.
  LogicalResult rewrite(FunctionOpInterface function,
                        FunctionOpInterface original,
                        const llvm::BitVector &chosen);
  /// The price of that version at the end of the algebra phase; `function`
  /// becomes it.
  FailureOr<Price> price(FunctionOpInterface function,
                         FunctionOpInterface original,
                         const llvm::BitVector &chosen);
  void report(ReduceOp reduction, bool isApplied, const Price &written,
              const Price &other);

  DeviceModel deviceModel;
  SmallVector<const Scheduler *> asked;
};

} // namespace

/// The marked reductions in program order.
static SmallVector<ReduceOp> getMarked(FunctionOpInterface function) {
  SmallVector<ReduceOp> marked;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](ReduceOp op) {
    if (op->hasAttr(contestedAttrName))
      marked.push_back(op);
  });
  return marked;
}

LogicalResult DecideContestedPass::rewrite(FunctionOpInterface function,
                                           FunctionOpInterface original,
                                           const llvm::BitVector &chosen) {
  OwningOpRef<Operation *> copy(original->clone());
  function.getFunctionBody().takeBody(
      cast<FunctionOpInterface>(*copy).getFunctionBody());
  for (auto [number, op] : llvm::enumerate(getMarked(function)))
    if (!chosen.test(number))
      op->removeAttr(contestedAttrName);
  if (chosen.none())
    return success();
  OpPassManager pm(function->getName().getStringRef());
  ReorderReductionsPassOptions options;
  options.contested = "apply";
  options.remarks = false;
  pm.addPass(createReorderReductionsPass(options));
  return runPipeline(pm, function);
}

FailureOr<Price> DecideContestedPass::price(FunctionOpInterface function,
                                            FunctionOpInterface original,
                                            const llvm::BitVector &chosen) {
  ++numPlans;
  if (failed(rewrite(function, original, chosen)))
    return failure();
  // What follows in the algebra phase.
  OpPassManager pm(function->getName().getStringRef());
  pm.addPass(createCSEPass());
  SplitReductionsPassOptions options;
  options.remarks = false;
  pm.addPass(createSplitReductionsPass(options));
  pm.addPass(createExactCanonicalizerPass());
  if (failed(runPipeline(pm, function)))
    return failure();
  DimClasses dims(function);
  CandidateOracle oracle(Facts{dims, deviceModel, plainLaunches}, asked);
  Price price;
  forEachBlock(function, [&](Block &block) {
    Segmentation plan = planBlock(block, oracle).segmentation;
    price.outside += plan.outside.size();
    price.microseconds += plan.microseconds;
    for (const SegmentChoice &segment : plan.segments) {
      price.bytes += segment.answer.cost.bytes;
      price.launches += segment.answer.launches;
    }
  });
  return price;
}

void DecideContestedPass::report(ReduceOp reduction, bool isApplied,
                                 const Price &written, const Price &other) {
  auto options = remark::RemarkOpts::name(isApplied ? "applied" : "kept")
                     .category(contestedRemarks);
  Location loc = reduction.getLoc();
  auto remark =
      isApplied ? remark::passed(loc, options) : remark::missed(loc, options);
  auto rules = reduction->getAttrOfType<StringAttr>(contestedAttrName);
  remark << remark::metric("rules", rules ? rules.getValue() : StringRef())
         << remark::metric("microsecondsWritten", written.microseconds)
         << remark::metric("microsecondsRewritten", other.microseconds)
         << remark::metric("bytesWritten", written.bytes)
         << remark::metric("bytesRewritten", other.bytes)
         << remark::metric("launchesWritten", written.launches)
         << remark::metric("launchesRewritten", other.launches)
         << remark::metric("outsideWritten", written.outside)
         << remark::metric("outsideRewritten", other.outside);
}

LogicalResult DecideContestedPass::decide(FunctionOpInterface function) {
  SmallVector<ReduceOp> marked = getMarked(function);
  if (marked.empty())
    return success();
  OwningOpRef<Operation *> copy(function->clone());
  auto original = cast<FunctionOpInterface>(*copy);
  marked = getMarked(original);
  unsigned numMarks = marked.size();

  llvm::BitVector best(numMarks);
  FailureOr<Price> written = price(function, original, best);
  if (failed(written))
    return failure();
  // The price of the function with and without a mark's rewrite, when it was
  // decided.
  SmallVector<std::pair<Price, Price>> prices(numMarks, {*written, *written});
  Price bestPrice = *written;
  if (numMarks > 1 && numMarks <= maxSeparate)
    for (unsigned mark = 0; mark < numMarks; ++mark) {
      llvm::BitVector chosen = best;
      chosen.set(mark);
      FailureOr<Price> tried = price(function, original, chosen);
      if (failed(tried))
        return failure();
      prices[mark] = {bestPrice, *tried};
      if (*tried < bestPrice) {
        best = chosen;
        bestPrice = *tried;
      }
    }
  if (!best.all()) {
    llvm::BitVector all(numMarks, true);
    FailureOr<Price> tried = price(function, original, all);
    if (failed(tried))
      return failure();
    bool isSeparate = numMarks > 1 && numMarks <= maxSeparate;
    if (*tried < bestPrice || !isSeparate)
      prices.assign(numMarks, {bestPrice, *tried});
    if (*tried < bestPrice)
      best = all;
  }
  for (unsigned mark = 0; mark < numMarks; ++mark) {
    ++(best.test(mark) ? numAppliedRewrites : numKept);
    report(marked[mark], best.test(mark), prices[mark].first,
           prices[mark].second);
  }
  return rewrite(function, original, best);
}

void DecideContestedPass::runOnOperation() {
  SmallVector<FunctionOpInterface> functions;
  getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal() && !getMarked(function).empty())
      functions.push_back(function);
  });
  if (functions.empty())
    return markAllAnalysesPreserved();
  for (FunctionOpInterface function : functions)
    if (failed(decide(function)))
      return signalPassFailure();
}
