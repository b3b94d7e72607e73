//===- PlanTest.cpp - Tests of plans --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Plan.h"
#include "FusionDialect/Conversion/Ptxas.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Runtime/Compile.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class PlanTest : public ::testing::Test {
protected:
  PlanTest() {
    context.loadDialect<FusionDialect, arith::ArithDialect, func::FuncDialect,
                        gpu::GPUDialect, tensor::TensorDialect>();
  }
  OwningOpRef<ModuleOp> parse(llvm::StringRef text) {
    return parseSourceString<ModuleOp>(text, &context, "in.mlir");
  }
  MLIRContext context;
};

constexpr const char *kScheduled = R"mlir(
func.func @f(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %c = arith.constant dense<1.0> : tensor<4x8xf32>
  %y = arith.addf %x, %c : tensor<4x8xf32>
  %0 = fusion.segment "inner-outer-persistent"
      schedule = #fusion.inner_outer<blocks = 2, threads = 64, groups = 1,
        rows = 1, width = 1, vectors = 1, loader = direct, stages = 1,
        keep = registers, params = registers, finish_blocks = 1,
        finish_threads = 32, shared_bytes = 256>
      (%a = %y : tensor<4x8xf32>) -> (tensor<8xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
    fusion.yield %r : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
})mlir";

constexpr const char *kLowered = R"mlir(
module attributes {gpu.container_module} {
  func.func @f(%n: index) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %s = arith.constant 256 : i32
    gpu.launch_func @k::@main blocks in (%n, %c1, %c1)
      threads in (%c64, %c1, %c1) dynamic_shared_memory_size %s
    func.call @g() : () -> ()
    return
  }
  func.func private @g() {
    %c1 = arith.constant 1 : index
    fusion.launch_func dependent @k::@finish clusters in (%c1, %c1, %c1)
      blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    func.call @g() : () -> ()
    return
  }
  gpu.module @k {
    gpu.func @main() kernel { gpu.return }
    gpu.func @finish() kernel { gpu.return }
  }
})mlir";

TEST_F(PlanTest, SegmentsAndLaunches) {
  auto program = parse(kScheduled), lowered = parse(kLowered);
  ASSERT_TRUE(program && lowered);
  Plan plan = collectSegments(program->lookupSymbol<func::FuncOp>("f"));
  ASSERT_EQ(plan.segments.size(), 1u);
  EXPECT_EQ(plan.segments[0].scheduler, "inner-outer-persistent");
  EXPECT_EQ(plan.segments[0].location, "in.mlir:5:8");
  EXPECT_EQ(plan.segments[0].launchCount, 2u);
  EXPECT_EQ(plan.segments[0].threads, 64u);
  // The addition, but not the constant.
  ASSERT_EQ(plan.outside.size(), 1u);
  EXPECT_EQ(plan.outside[0].operation, "arith.addf");

  collectLaunches(lowered->lookupSymbol<func::FuncOp>("f"), plan);
  EXPECT_TRUE(plan.launches.empty());
  ASSERT_EQ(plan.segments[0].launches.size(), 2u);
  const PlannedLaunch &main = plan.segments[0].launches[0];
  EXPECT_EQ(main.kernel, "main");
  EXPECT_FALSE(main.grid[0]);
  EXPECT_EQ(main.grid[1], 1);
  EXPECT_EQ(main.block[0], 64);
  EXPECT_EQ(main.sharedBytes, 256);
  EXPECT_FALSE(main.cluster);
  EXPECT_EQ(main.mode, "plain");
  EXPECT_TRUE(plan.segments[0].launches[1].cluster);
  EXPECT_EQ(plan.segments[0].launches[1].mode, "dependent");
  std::string text;
  llvm::raw_string_ostream os(text);
  printPlan(plan, os);
  EXPECT_NE(text.find("kernel k::main: grid ?x1x1, block 64x1x1\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("kernel k::finish: grid 1x1x1, block 1x1x1, cluster "
                      "1x1x1, dependent launch\n"),
            std::string::npos)
      << text;
}

TEST_F(PlanTest, LaunchesThatDoNotAddUpStandAlone) {
  auto program = parse(kScheduled), lowered = parse(kLowered);
  ASSERT_TRUE(program && lowered);
  Plan plan = collectSegments(program->lookupSymbol<func::FuncOp>("f"));
  collectLaunches(lowered->lookupSymbol<func::FuncOp>("g"), plan);
  EXPECT_TRUE(plan.segments[0].launches.empty());
  EXPECT_EQ(plan.launches.size(), 1u);
}

TEST_F(PlanTest, Stages) {
  EXPECT_EQ(getStage(*parse(kScheduled)), ModuleStage::Program);
  EXPECT_EQ(getStage(*parse(kLowered)), ModuleStage::Lowered);
  EXPECT_EQ(getStage(*parse("func.func @f(%m: memref<4xf32>) { return }")),
            ModuleStage::Emitted);
  EXPECT_EQ(getStage(*parse("func.func @f(%x: f32) { return }")),
            ModuleStage::Program);
}

TEST(PtxasTest, ReadsTheReport) {
  auto resources = parsePtxasOutput(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_90'
ptxas info    : Function properties for a
    32 bytes stack frame, 28 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function 'b' for 'sm_90'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
)");
  ASSERT_EQ(resources.size(), 2u);
  EXPECT_EQ(resources["a"].registers, 255u);
  EXPECT_EQ(resources["a"].localBytes, 32u);
  EXPECT_EQ(resources["a"].staticSharedBytes, 1024u);
  EXPECT_EQ(resources["b"].registers, 8u);
  EXPECT_EQ(resources["b"].staticSharedBytes, 0u);
  EXPECT_TRUE(parsePtxasOutput("").empty());
}

} // namespace
