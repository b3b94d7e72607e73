//===- SegmentLoweringTest.cpp - Launches that a scheduler can make -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduler of this test stands in for one whose schedules need clusters or
// launch modes.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Launches one empty kernel of the size it was given.
struct LaunchingScheduler : Scheduler {
  explicit LaunchingScheduler(LaunchSize size) : size(size) {}

  StringRef getName() const override { return "inner-outer-persistent"; }
  MatchResult match(const Candidate &, const Facts &) const override {
    return std::make_unique<Match>();
  }
  ScheduleAttrInterface plan(const Match &, MLIRContext *,
                             const Facts &) const override {
    return {};
  }
  Cost cost(const Match &, ScheduleAttrInterface,
            const Facts &) const override {
    return {};
  }
  LogicalResult emit(SegmentOp, SegmentLowering &lowering,
                     const Facts &) const override {
    Value result = lowering.getResult(0, {8});
    gpu::GPUFuncOp kernel = lowering.createKernel(
        "main", result, KernelAccess::Write, size.threads);
    lowering.launch(kernel, size, result);
    return success();
  }

  LaunchSize size;
};

class SegmentLoweringTest : public ::testing::Test {
protected:
  SegmentLoweringTest() {
    DialectRegistry registry;
    registry.insert<FusionDialect>();
    registerFusionPipelineDependencies(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Lowers a segment to one launch of `size`.
  LogicalResult lower(LaunchSize size, bool plainLaunches = false) {
    SchedulerRegistry::get(&context).add(
        std::make_unique<LaunchingScheduler>(size));
    module = parseSourceString<ModuleOp>(R"mlir(
      func.func @f(%x: tensor<4x8xf32>) -> tensor<8xf32> {
        %0 = fusion.segment "inner-outer-persistent"
            schedule = #fusion.inner_outer<blocks = 2, threads = 64, groups = 1,
              rows = 1, width = 1, vectors = 1, loader = direct, stages = 1,
              keep = registers, params = registers, finish_blocks = 1,
              finish_threads = 32, shared_bytes = 256>
            (%a = %x : tensor<4x8xf32>) -> (tensor<8xf32>) {
          %r = fusion.reduce add %a dims = [0]
              : tensor<4x8xf32> -> tensor<8xf32>
          fusion.yield %r : tensor<8xf32>
        }
        return %0 : tensor<8xf32>
      })mlir",
                                         &context);
    LowerSegmentsPassOptions options;
    options.plainLaunches = plainLaunches;
    PassManager manager(&context);
    manager.addPass(createLowerSegmentsPass(options));
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      error = diagnostic.str();
      return success();
    });
    return manager.run(*module);
  }

  /// The only operation of type Op in the host function.
  template <typename Op>
  Op getOnly() {
    auto function = module->lookupSymbol<func::FuncOp>("f");
    auto ops = llvm::to_vector(function.getBody().getOps<Op>());
    EXPECT_EQ(ops.size(), 1u);
    return ops.empty() ? Op() : ops.front();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string error;
};

TEST_F(SegmentLoweringTest, PlainLaunchesAreUpstreams) {
  ASSERT_TRUE(succeeded(lower({/*blocks=*/6, /*threads=*/64})));
  auto launch = getOnly<gpu::LaunchFuncOp>();
  EXPECT_FALSE(launch.hasClusterSize());
  // With clusters, and without shared memory, too.
  ASSERT_TRUE(succeeded(lower({6, 64, 0, /*clusterBlocks=*/2},
                              /*plainLaunches=*/true)));
  launch = getOnly<gpu::LaunchFuncOp>();
  ASSERT_TRUE(launch.hasClusterSize());
  EXPECT_EQ(getConstantIntValue(launch.getClusterSizeX()), 2);
  EXPECT_EQ(getConstantIntValue(launch.getClusterSizeY()), 1);
  EXPECT_EQ(getConstantIntValue(launch.getGridSizeX()), 6);
  EXPECT_FALSE(launch.getDynamicSharedMemorySize());
}

TEST_F(SegmentLoweringTest, OtherModesAreOurs) {
  ASSERT_TRUE(succeeded(lower({6, 64, 1024, 2, LaunchMode::Cooperative})))
      << error;
  auto launch = getOnly<LaunchFuncOp>();
  EXPECT_EQ(launch.getMode(), LaunchMode::Cooperative);
  EXPECT_EQ(getConstantIntValue(launch.getClusterSize()[0]), 2);
  EXPECT_EQ(getConstantIntValue(launch.getGridSize()[0]), 6);
  EXPECT_EQ(getConstantIntValue(launch.getBlockSize()[0]), 64);
  EXPECT_EQ(getConstantIntValue(launch.getDynamicSharedMemorySize()), 1024);
  EXPECT_EQ(launch.getKernelOperands().size(), 1u);

  ASSERT_TRUE(succeeded(lower({6, 64, 0, 1, LaunchMode::Dependent}))) << error;
  launch = getOnly<LaunchFuncOp>();
  EXPECT_EQ(launch.getMode(), LaunchMode::Dependent);
  EXPECT_TRUE(launch.getClusterSize().empty());
  EXPECT_FALSE(launch.getDynamicSharedMemorySize());
}

TEST_F(SegmentLoweringTest, PlainLaunchesOnly) {
  EXPECT_TRUE(failed(lower({6, 64, 0, 1, LaunchMode::Dependent},
                           /*plainLaunches=*/true)));
  EXPECT_NE(error.find("expected a schedule with plain launches only, but got "
                       "a dependent launch"),
            std::string::npos)
      << error;
}

} // namespace
