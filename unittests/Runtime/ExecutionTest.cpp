//===- ExecutionTest.cpp - Tests of repeated runs -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Execution.h"
#include "HostDevice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Compares its memory in place.
struct ComparingDevice final : HostDevice {
  llvm::Expected<bool> equals(DevicePtr a, DevicePtr b,
                              uint64_t bytes) override {
    ++comparisons;
    return std::memcmp(reinterpret_cast<void *>(a), reinterpret_cast<void *>(b),
                       bytes) == 0;
  }
  unsigned comparisons = 0;
};

/// A program that changes %x, reads %y, writes %z (which begins undefined), and
/// returns memory of its own, %x itself and a scalar.
const char *const kProgram = R"mlir(
module attributes {gpu.container_module} {
  func.func @f(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>, %s: index)
      -> (memref<64xf32>, memref<64xf32>, index) {
    %c1 = arith.constant 1 : index
    %out = memref.alloc() : memref<64xf32>
    gpu.launch_func @k::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%x : memref<64xf32>, %y : memref<64xf32>, %z : memref<64xf32>, %out : memref<64xf32>)
    %t = arith.addi %s, %c1 : index
    return %out, %x, %t : memref<64xf32>, memref<64xf32>, index
  }
  gpu.binary @k [#gpu.object<#nvvm.target, assembly = "">]
})mlir";

class ExecutionTest : public ::testing::Test {
protected:
  static constexpr int64_t kElements = 64;
  static constexpr uint64_t kBytes = 256;

  ExecutionTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                        memref::MemRefDialect, NVVM::NVVMDialect>();
    module = parseSourceString<ModuleOp>(kProgram, &context);
    for (float value : {1.0f, 2.0f, 0.0f}) {
      HostTensor tensor(Float32Type::get(&context), {kElements});
      std::fill_n(tensor.getDataAs<float>(), kElements, value);
      arguments.push_back({tensor, value != 0, ""});
    }
    HostTensor scalar(IndexType::get(&context), {});
    scalar.writeFromInteger(0, 1, std::begin({int64_t(41)}));
    arguments.push_back({scalar, true, ""});
    device.kernels["k"] = [this](const LaunchRequest &launch) {
      run(launch.arguments);
    };
  }

  // z = x + y where z is undefined, out = x, x = x + 1; then what `fault` does.
  void run(ArrayRef<KernelArgument> arguments) {
    auto at = [&](unsigned number) {
      return reinterpret_cast<float *>(arguments[number].bits);
    };
    float *x = at(0), *y = at(1), *z = at(2), *out = at(3);
    for (int64_t i = 0; i < kElements; ++i) {
      z[i] = std::isnan(z[i]) ? x[i] + y[i] : 0;
      out[i] = x[i];
      x[i] += 1;
    }
    if (fault)
      fault(launches, ArrayRef<float *>{x, y, z, out});
    ++launches;
  }

  RepeatResult repeat(unsigned runs) {
    launches = 0;
    auto function = module->lookupSymbol<func::FuncOp>("f");
    Execution execution(function, device, arguments);
    FailureOr<RunOutputs> first = execution.run();
    if (failed(first)) {
      ADD_FAILURE() << "the first run fails";
      return {};
    }
    EXPECT_EQ(first->results[0].getDataAs<float>()[0], 1);
    EXPECT_EQ(first->arguments[0].second.getDataAs<float>()[0], 2);
    EXPECT_EQ(first->arguments[2].second.getDataAs<float>()[0], 3);
    device.bytesOut = 0;
    FailureOr<RepeatResult> result = execution.repeat(runs, *first);
    EXPECT_TRUE(succeeded(result));
    EXPECT_TRUE(device.live.empty());
    return succeeded(result) ? *result : RepeatResult();
  }

  MLIRContext context;
  ComparingDevice device;
  OwningOpRef<ModuleOp> module;
  std::vector<HostArgument> arguments;
  unsigned launches = 0;
  std::function<void(unsigned run, ArrayRef<float *> memory)> fault;
};

TEST_F(ExecutionTest, RepeatsFromTheSameArguments) {
  RepeatResult result = repeat(5);
  EXPECT_EQ(result.runs, 5u);
  EXPECT_FALSE(result.differentRun) << result.differentOutput;
  EXPECT_EQ(launches, 5u);
  // Five outputs of four runs, none of which went to the host.
  EXPECT_EQ(device.comparisons, 20u);
  EXPECT_EQ(device.bytesOut, 0u);
  EXPECT_EQ(repeat(1).runs, 1u);
  EXPECT_EQ(launches, 1u);
}

TEST_F(ExecutionTest, NamesTheFirstDifference) {
  const char *const names[] = {"result1", "arg1", "arg2", "result0"};
  for (auto [number, name] : llvm::enumerate(names)) {
    fault = [number = number](unsigned run, ArrayRef<float *> memory) {
      if (run == 3)
        memory[number][kElements - 1] += 1;
    };
    RepeatResult result = repeat(10);
    EXPECT_EQ(result.differentRun, std::optional(3u)) << name;
    EXPECT_EQ(result.differentOutput, name);
    EXPECT_EQ(result.runs, 4u);
    EXPECT_EQ(launches, 4u);
  }
}

TEST_F(ExecutionTest, RepeatsInLittleMemory) {
  // From what the program itself needs to what all copies need beside it.
  for (uint64_t buffers = 4; buffers <= 11; ++buffers) {
    device.capacity = buffers * kBytes;
    fault = nullptr;
    device.comparisons = 0;
    EXPECT_FALSE(repeat(4).differentRun) << buffers;
    EXPECT_EQ(device.comparisons > 0, buffers > 4) << buffers;
    fault = [](unsigned run, ArrayRef<float *> memory) {
      if (run == 2)
        memory[3][0] = 5;
    };
    RepeatResult result = repeat(4);
    EXPECT_EQ(result.differentRun, std::optional(2u)) << buffers;
    EXPECT_EQ(result.differentOutput, "result0");
  }
}

TEST_F(ExecutionTest, FailedRepeatsLeaveNoMemory) {
  auto function = module->lookupSymbol<func::FuncOp>("f");
  std::string errors;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { errors += diagnostic.str(); });
  Execution execution(function, device, arguments);
  FailureOr<RunOutputs> first = execution.run();
  ASSERT_TRUE(succeeded(first));
  device.kernels.clear();
  EXPECT_TRUE(failed(execution.repeat(3, *first)));
  EXPECT_EQ(errors, "no kernel 'k'");
  EXPECT_EQ(execution.getFailure(), ExitStatus::Failed);
  EXPECT_TRUE(device.live.empty());
}

} // namespace
