//===- Plan.cpp - Reads the plan off the program --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Plan.h"

#include "FusionDialect/IR/Fusion.h"
#include "LaunchOperation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fusion;

template <typename T>
static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

// "file:line:column" of the first place in `location` that has one.
static std::string printLocation(Location location) {
  std::string text;
  location->walk([&](Location nested) {
    auto place = dyn_cast<FileLineColLoc>(nested);
    if (!place)
      return WalkResult::advance();
    text = (place.getFilename().getValue() + ":" +
            llvm::Twine(place.getLine()) + ":" + llvm::Twine(place.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text.empty() ? "unknown" : text;
}

void Plan::forEachLaunch(llvm::function_ref<void(PlannedLaunch &)> visit) {
  for (PlannedSegment &segment : segments)
    llvm::for_each(segment.launches, visit);
  llvm::for_each(launches, visit);
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

static PlannedSegment readSegment(SegmentOp op, size_t number) {
  PlannedSegment segment;
  segment.name = "segment " + std::to_string(number);
  segment.location = printLocation(op.getLoc());
  segment.scheduler = op.getScheduler().str();
  if (auto schedule =
          dyn_cast_or_null<ScheduleAttrInterface>(op.getScheduleAttr())) {
    segment.schedule = print<Attribute>(schedule);
    segment.launchCount = schedule.getLaunchCount();
    segment.threads = schedule.getThreadsPerBlock();
    segment.blocks = schedule.getBlocks();
    segment.sharedBytes = schedule.getSharedMemoryBytes();
  }
  return segment;
}

Plan mlir::fusion::collectSegments(func::FuncOp function) {
  Plan plan;
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto segment = dyn_cast<SegmentOp>(op)) {
      plan.segments.push_back(readSegment(segment, plan.segments.size()));
      return WalkResult::skip();
    }
    // Constants and scalars (extents, conditions) move no tensor.
    bool computes =
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    if (computes && !matchPattern(op, m_Constant()))
      plan.outside.push_back(
          {op->getName().getStringRef().str(), printLocation(op->getLoc())});
    return WalkResult::advance();
  });
  return plan;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

static PlannedExtents getExtents(gpu::KernelDim3 sizes) {
  return {getConstant(sizes.x), getConstant(sizes.y), getConstant(sizes.z)};
}

static PlannedLaunch readLaunch(const LaunchOperation &op) {
  PlannedLaunch launch;
  launch.module = op.module.str();
  launch.kernel = op.kernel.str();
  launch.mode = stringifyLaunchMode(op.mode).str();
  launch.grid = getExtents(op.grid);
  launch.block = getExtents(op.block);
  if (op.cluster)
    launch.cluster = getExtents(*op.cluster);
  launch.sharedBytes = op.sharedBytes ? getConstant(op.sharedBytes) : 0;
  return launch;
}

// Appends the launches of `function` in program order, callees where they are
// called. A function is entered once, so that recursion ends.
static void walkLaunches(func::FuncOp function,
                         SmallPtrSetImpl<Operation *> &entered,
                         std::vector<PlannedLaunch> &launches) {
  if (!entered.insert(function).second)
    return;
  function.walk([&](Operation *op) {
    if (auto launch = LaunchOperation::get(op)) {
      launches.push_back(readLaunch(*launch));
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          op, call.getCalleeAttr());
      if (callee)
        walkLaunches(callee, entered, launches);
    }
  });
}

void mlir::fusion::collectLaunches(func::FuncOp function, Plan &plan) {
  llvm::SmallPtrSet<Operation *, 4> entered;
  std::vector<PlannedLaunch> launches;
  walkLaunches(function, entered, launches);
  size_t expected = 0;
  for (const PlannedSegment &segment : plan.segments)
    expected += segment.launchCount;
  if (plan.segments.empty() || expected != launches.size()) {
    plan.launches = std::move(launches);
    return;
  }
  auto next = launches.begin();
  for (PlannedSegment &segment : plan.segments) {
    segment.launches.assign(next, next + segment.launchCount);
    next += segment.launchCount;
  }
}
