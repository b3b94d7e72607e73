//===- HostInterpreterTest.cpp - Tests of the host interpreter ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/HostInterpreter.h"
#include "FusionDialect/IR/Fusion.h"
#include "HostDevice.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

namespace {

class HostInterpreterTest : public ::testing::Test {
protected:
  HostInterpreterTest() {
    context
        .loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                     cf::ControlFlowDialect, FusionDialect, func::FuncDialect,
                     gpu::GPUDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                     scf::SCFDialect>();
  }

  // Parses `source`, with one gpu.binary that stands for the test's kernels
  // added, and calls @f. Diagnostics are collected in `errors`.
  FailureOr<SmallVector<HostValue>> call(llvm::StringRef source,
                                         ArrayRef<HostValue> arguments,
                                         InterpreterOptions options = {}) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      errors += diagnostic.str() + "\n";
      return success();
    });
    std::string text =
        ("module attributes {gpu.container_module} {\n" + source +
         "\ngpu.binary @k [#gpu.object<#nvvm.target, assembly = \"\">]\n}")
            .str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << errors;
      return failure();
    }
    HostInterpreter interpreter(*module, device, options);
    auto function = module->lookupSymbol<func::FuncOp>("f");
    if (!function || failed(interpreter.loadKernels()))
      return failure();
    auto results = interpreter.call(function, arguments);
    status = interpreter.getFailure();
    return results;
  }

  void expectError(llvm::StringRef source, ArrayRef<HostValue> arguments,
                   const char *text, ExitStatus expected) {
    errors.clear();
    size_t before = device.live.size();
    EXPECT_TRUE(failed(call(source, arguments))) << text;
    EXPECT_NE(errors.find(text), std::string::npos) << errors;
    EXPECT_EQ(status, expected) << errors;
    EXPECT_EQ(device.live.size(), before) << "memory is left";
  }

  HostValue makeMemRef(ArrayRef<int64_t> shape) {
    HostTensor tensor(Float32Type::get(&context), shape);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      tensor.getDataAs<float>()[i] = i;
    return llvm::cantFail(copyToDevice(device, tensor));
  }
  HostValue makeIndex(int64_t value) {
    return TypedAttr(IntegerAttr::get(IndexType::get(&context), value));
  }
  int64_t getInteger(const HostValue &value) {
    return cast<IntegerAttr>(std::get<TypedAttr>(value)).getInt();
  }
  std::vector<float> read(const HostValue &value) {
    HostTensor tensor =
        llvm::cantFail(copyToHost(device, std::get<MemRefValue>(value)));
    return {tensor.getDataAs<float>(),
            tensor.getDataAs<float>() + tensor.getNumElements()};
  }

  MLIRContext context;
  HostDevice device;
  OwningOpRef<ModuleOp> module;
  std::string errors;
  ExitStatus status = ExitStatus::Success;
};

TEST_F(HostInterpreterTest, LaunchesWithEverything) {
  LaunchRequest seen;
  device.kernels["double"] = [&](const LaunchRequest &launch) {
    seen = launch;
    const auto *in = reinterpret_cast<float *>(launch.arguments[0].bits);
    auto *out = reinterpret_cast<float *>(launch.arguments[1].bits);
    for (uint64_t i = 0; i < launch.arguments[2].bits; ++i)
      out[i] = 2 * in[i];
  };
  auto results =
      call(R"mlir(
    func.func @f(%x: memref<?x4xf32>, %s: f32) -> memref<?x4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c32 = arith.constant 32 : index
      %smem = arith.constant 1024 : i32
      %true = arith.constant true
      %m = memref.dim %x, %c0 : memref<?x4xf32>
      %n = arith.muli %m, %c4 : index
      %n64 = arith.index_cast %n : index to i64
      %out = memref.alloc(%m) : memref<?x4xf32>
      gpu.launch_func @k::@double blocks in (%m, %c1, %c1)
        threads in (%c32, %c4, %c1) dynamic_shared_memory_size %smem
        args(%x : memref<?x4xf32>, %out : memref<?x4xf32>, %n64 : i64,
             %s : f32, %true : i1)
      return %out : memref<?x4xf32>
    })mlir",
           {makeMemRef({3, 4}),
            TypedAttr(FloatAttr::get(Float32Type::get(&context), 1.5))});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(read(results->front()),
            (std::vector<float>{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22}));
  EXPECT_EQ(seen.module, "k");
  EXPECT_EQ(seen.grid.x, 3);
  EXPECT_EQ(seen.block.x, 32);
  EXPECT_EQ(seen.block.y, 4);
  EXPECT_EQ(seen.sharedBytes, 1024u);
  EXPECT_FALSE(seen.cluster);
  EXPECT_EQ(seen.arguments[3].size, 4u);
  EXPECT_EQ(seen.arguments[3].bits, 0x3fc00000u);
  EXPECT_EQ(seen.arguments[4].size, 1u);
  EXPECT_EQ(seen.arguments[4].bits, 1u);
  results->clear();
  EXPECT_EQ(device.live.size(), 0u);
}

TEST_F(HostInterpreterTest, ClustersAndEmptyGrids) {
  unsigned launches = 0;
  device.kernels["k"] = [&](const LaunchRequest &launch) {
    ++launches;
    ASSERT_TRUE(launch.cluster);
    EXPECT_EQ(launch.cluster->x, 2);
  };
  const char *source = R"mlir(
    func.func @f(%n: index) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      gpu.launch_func @k::@k clusters in (%c2, %c1, %c1)
        blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      return
    })mlir";
  EXPECT_TRUE(succeeded(call(source, {makeIndex(4)})));
  EXPECT_EQ(launches, 1u);
  EXPECT_TRUE(succeeded(call(source, {makeIndex(0)})));
  EXPECT_EQ(launches, 1u);
  expectError(source, {makeIndex(-1)}, "extents of the grid",
              ExitStatus::BadInput);
  expectError(source, {makeIndex(3)},
              "expected a grid of whole clusters, but got a remainder along x",
              ExitStatus::BadInput);
}

TEST_F(HostInterpreterTest, LaunchModes) {
  std::vector<LaunchRequest> seen;
  device.kernels["k"] = [&](const LaunchRequest &launch) {
    seen.push_back(launch);
  };
  const char *source = R"mlir(
    func.func @f(%n: index) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : i32
      fusion.launch_func plain @k::@k
        blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      fusion.launch_func cooperative @k::@k clusters in (%c1, %c2, %c1)
        blocks in (%n, %c2, %c1) threads in (%c1, %c1, %c1)
        dynamic_shared_memory_size %c8 args(%n : index)
      fusion.launch_func dependent @k::@k
        blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
      return
    })mlir";
  ASSERT_TRUE(succeeded(call(source, {makeIndex(4)}))) << errors;
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_FALSE(seen[0].cooperative || seen[0].programmaticDependent);
  EXPECT_TRUE(seen[1].cooperative);
  EXPECT_FALSE(seen[1].programmaticDependent);
  ASSERT_TRUE(seen[1].cluster);
  EXPECT_EQ(seen[1].cluster->y, 2);
  EXPECT_EQ(seen[1].module, "k");
  EXPECT_EQ(seen[1].sharedBytes, 8u);
  ASSERT_EQ(seen[1].arguments.size(), 1u);
  EXPECT_EQ(seen[1].arguments[0].bits, 4u);
  EXPECT_TRUE(seen[2].programmaticDependent);
  EXPECT_FALSE(seen[2].cooperative);
  // An empty grid launches nothing in any mode.
  ASSERT_TRUE(succeeded(call(source, {makeIndex(0)}))) << errors;
  EXPECT_EQ(seen.size(), 3u);
}

TEST_F(HostInterpreterTest, ScalarsAndControl) {
  const char *source = R"mlir(
    func.func private @half(%n: index) -> index {
      %c2 = arith.constant 2 : index
      %h = arith.ceildivsi %n, %c2 : index
      return %h : index
    }
    func.func @f(%n: index) -> index {
      %c10 = arith.constant 10 : index
      %small = arith.cmpi slt, %n, %c10 : index
      %r = scf.if %small -> index {
        %h = func.call @half(%n) : (index) -> index
        scf.yield %h : index
      } else {
        %m = arith.minsi %n, %c10 : index
        scf.yield %m : index
      }
      return %r : index
    })mlir";
  auto small = call(source, {makeIndex(7)}),
       large = call(source, {makeIndex(99)});
  ASSERT_TRUE(succeeded(small) && succeeded(large)) << errors;
  EXPECT_EQ(getInteger(small->front()), 4);
  EXPECT_EQ(getInteger(large->front()), 10);
}

TEST_F(HostInterpreterTest, ViewsAndCopies) {
  auto results = call(R"mlir(
    func.func @f(%x: memref<4x6xf32>) -> (memref<?xf32>, index, index) {
      %c1 = arith.constant 1 : index
      %flat = memref.collapse_shape %x [[0, 1]]
        : memref<4x6xf32> into memref<24xf32>
      %n = arith.constant 8 : index
      %wide = memref.cast %flat : memref<24xf32> to memref<?xf32>
      %e = memref.expand_shape %wide [[0, 1]] output_shape [3, %n]
        : memref<?xf32> into memref<3x?xf32>
      %d = memref.dim %e, %c1 : memref<3x?xf32>
      %copy = memref.alloc() : memref<24xf32>
      memref.copy %flat, %copy : memref<24xf32> to memref<24xf32>
      %clone = bufferization.clone %copy : memref<24xf32> to memref<24xf32>
      memref.dealloc %copy : memref<24xf32>
      %p = memref.extract_aligned_pointer_as_index %clone
        : memref<24xf32> -> index
      %r = memref.cast %clone : memref<24xf32> to memref<?xf32>
      return %r, %d, %p : memref<?xf32>, index, index
    })mlir",
                      {makeMemRef({4, 6})});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(getInteger((*results)[1]), 8);
  const auto &memref = std::get<MemRefValue>((*results)[0]);
  EXPECT_EQ(uint64_t(getInteger((*results)[2])), memref.buffer->getPointer());
  EXPECT_EQ(read(memref)[23], 23);
  EXPECT_EQ(device.live.size(), 1u);
}

TEST_F(HostInterpreterTest, PartsOfBuffers) {
  // The second and fourth column of rows 1 and 2; then the same into row 0.
  auto results = call(R"mlir(
    func.func @f(%x: memref<3x4xf32>, %n: index) -> (memref<2x2xf32>, memref<2x4xf32>) {
      %part = memref.subview %x[1, %n] [2, 2] [1, 2] : memref<3x4xf32> to memref<2x2xf32, strided<[4, 2], offset: ?>>
      %a = memref.alloc() : memref<2x2xf32>
      memref.copy %part, %a : memref<2x2xf32, strided<[4, 2], offset: ?>> to memref<2x2xf32>
      %b = memref.alloc() : memref<2x4xf32>
      %rows = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1]>>
      memref.copy %rows, %b : memref<2x4xf32, strided<[4, 1]>> to memref<2x4xf32>
      %row = memref.subview %b[0, 1] [1, 2] [1, 1] : memref<2x4xf32> to memref<2xf32, strided<[1], offset: 1>>
      %from = memref.subview %x[2, 0] [1, 2] [1, 1] : memref<3x4xf32> to memref<2xf32, strided<[1], offset: 8>>
      memref.copy %from, %row : memref<2xf32, strided<[1], offset: 8>> to memref<2xf32, strided<[1], offset: 1>>
      return %a, %b : memref<2x2xf32>, memref<2x4xf32>
    })mlir",
                      {makeMemRef({3, 4}), makeIndex(1)});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(read((*results)[0]), (std::vector<float>{5, 7, 9, 11}));
  EXPECT_EQ(read((*results)[1]), (std::vector<float>{0, 8, 9, 3, 4, 5, 6, 7}));

  const char *outside = R"mlir(
    func.func @f(%x: memref<3x4xf32>, %n: index) {
      %part = memref.subview %x[0, %n] [2, 2] [1, 2] : memref<3x4xf32> to memref<2x2xf32, strided<[4, 2], offset: ?>>
      return
    })mlir";
  for (int64_t offset : {2, -1})
    expectError(outside, {makeMemRef({3, 4}), makeIndex(offset)},
                "expected a part of dimension 1, which has the extent 4, but "
                "got 2 elements from ",
                ExitStatus::BadInput);
  expectError(R"mlir(
    func.func @f(%x: memref<3x4xf32>) -> memref<2x4xf32, strided<[4, 1], offset: 4>> {
      %part = memref.subview %x[1, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
      return %part : memref<2x4xf32, strided<[4, 1], offset: 4>>
    })mlir",
              {makeMemRef({3, 4})},
              "expected a whole buffer, but got a part of one",
              ExitStatus::BadInput);
}

TEST_F(HostInterpreterTest, FirstRowsAreABuffer) {
  auto results = call(R"mlir(
    func.func @f(%x: memref<3x4xf32>) -> memref<2x4xf32> {
      %rows = memref.subview %x[0, 0] [2, 4] [1, 1] : memref<3x4xf32> to memref<2x4xf32, strided<[4, 1]>>
      %cast = memref.cast %rows : memref<2x4xf32, strided<[4, 1]>> to memref<2x4xf32>
      return %cast : memref<2x4xf32>
    })mlir",
                      {makeMemRef({3, 4})});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(read(results->front()),
            (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// i = -2, 1, 4: each iteration writes what it was given, and yields a buffer.
TEST_F(HostInterpreterTest, Loops) {
  const char *source = R"mlir(
    func.func @f(%x: memref<2xf32>, %n: index, %step: index) -> memref<2xf32> {
      %first = arith.constant -2 : index
      %zero = arith.constant 0.0 : f32
      %r = scf.for %i = %first to %n step %step iter_args(%a = %x) -> memref<2xf32> {
        %new = memref.alloc() : memref<2xf32>
        %number = arith.index_cast %i : index to i32
        %value = arith.sitofp %number : i32 to f32
        gpu.memset %new, %value : memref<2xf32>, f32
        scf.yield %new : memref<2xf32>
      }
      return %r : memref<2xf32>
    })mlir";
  auto run = [&](int64_t n, int64_t step) {
    auto results =
        call(source, {makeMemRef({2}), makeIndex(n), makeIndex(step)});
    EXPECT_TRUE(succeeded(results)) << errors;
    return read(results->front());
  };
  EXPECT_EQ(run(-2, 3), (std::vector<float>{0, 1}));
  EXPECT_EQ(run(5, 3), (std::vector<float>{4, 4}));
  EXPECT_EQ(run(4, 3), (std::vector<float>{1, 1}));
  // The last step would leave the range of index; the value is the lower half.
  int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(run(most, most), (std::vector<float>{-3, -3}));
  for (int64_t step : {0, -1})
    expectError(source, {makeMemRef({2}), makeIndex(4), makeIndex(step)},
                "expected a step of at least 1, but got ",
                ExitStatus::BadInput);
}

TEST_F(HostInterpreterTest, ConstantsAndFills) {
  auto results = call(R"mlir(
    memref.global "private" constant @c : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
    memref.global "private" constant @s : memref<2x2xf32> = dense<0.5>
    func.func @f() -> (memref<3xf32>, memref<2x2xf32>, memref<2xf32>) {
      %c = memref.get_global @c : memref<3xf32>
      %s = memref.get_global @s : memref<2x2xf32>
      %m = memref.alloc() : memref<2xf32>
      %two = arith.constant 2.0 : f32
      gpu.memset %m, %two : memref<2xf32>, f32
      return %c, %s, %m : memref<3xf32>, memref<2x2xf32>, memref<2xf32>
    })mlir",
                      {});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_EQ(read((*results)[0]), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(read((*results)[1]), (std::vector<float>{.5, .5, .5, .5}));
  EXPECT_EQ(read((*results)[2]), (std::vector<float>{2, 2}));
}

TEST_F(HostInterpreterTest, PoisonShowsWhatIsNotWritten) {
  auto results = call(R"mlir(
    func.func @f() -> memref<2xf32> {
      %m = memref.alloc() : memref<2xf32>
      return %m : memref<2xf32>
    })mlir",
                      {}, {/*poison=*/true});
  ASSERT_TRUE(succeeded(results)) << errors;
  for (float x : read(results->front()))
    EXPECT_NE(x, x);
}

TEST_F(HostInterpreterTest, RefusesWhatItDoesNotKnow) {
  const char *store = R"mlir(
    func.func @f(%x: memref<4xf32>) {
      %c0 = arith.constant 0 : index
      %v = arith.constant 0.0 : f32
      memref.store %v, %x[%c0] : memref<4xf32>
      return
    })mlir";
  expectError(store, {makeMemRef({4})},
              "'memref.store' is not supported in a host function",
              ExitStatus::BadInput);
  expectError(store, {}, "expected 1 arguments, but got 0",
              ExitStatus::BadInput);
  expectError(store, {makeMemRef({5})}, "argument 0 is not of type",
              ExitStatus::BadInput);
  expectError(R"mlir(
    func.func @f() -> index {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %d = arith.divsi %c1, %c0 : index
      return %d : index
    })mlir",
              {}, "'arith.divsi' has no value", ExitStatus::BadInput);
  expectError(R"mlir(
    func.func @f() {
      func.call @f() : () -> ()
      return
    })mlir",
              {}, "calls are nested deeper than 64", ExitStatus::BadInput);
  expectError(R"mlir(
    func.func @f() {
      cf.br ^a
    ^a:
      cf.br ^a
    })mlir",
              {}, "expected one block, but got 2", ExitStatus::BadInput);
}

TEST_F(HostInterpreterTest, ChecksWhatTheProgramAssumes) {
  const char *equal = R"mlir(
    func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %m = memref.dim %x, %c0 : memref<?xf32>
      %n = memref.dim %y, %c0 : memref<?xf32>
      %e = arith.cmpi eq, %m, %n : index
      cf.assert %e, "extents differ"
      return
    })mlir";
  expectError(equal, {makeMemRef({4}), makeMemRef({5})},
              "assertion failed: extents differ", ExitStatus::BadInput);
  EXPECT_TRUE(succeeded(call(equal, {makeMemRef({4}), makeMemRef({4})})));
  expectError(R"mlir(
    func.func @f(%x: memref<?xf32>) -> memref<4xf32> {
      %y = memref.cast %x : memref<?xf32> to memref<4xf32>
      return %y : memref<4xf32>
    })mlir",
              {makeMemRef({5})}, "expected extent 4 in dimension 0, but got 5",
              ExitStatus::BadInput);
}

TEST_F(HostInterpreterTest, MemoryErrors) {
  expectError(R"mlir(
    func.func @f() -> memref<4xf32> {
      %m = memref.alloc() : memref<4xf32>
      memref.dealloc %m : memref<4xf32>
      return %m : memref<4xf32>
    })mlir",
              {}, "used after memref.dealloc", ExitStatus::BadInput);
  expectError(R"mlir(
    func.func @f(%x: memref<4xf32>) {
      memref.dealloc %x : memref<4xf32>
      return
    })mlir",
              {makeMemRef({4})}, "not owned", ExitStatus::BadInput);
  const char *alloc = R"mlir(
    func.func @f(%n: index) {
      %a = memref.alloc() : memref<4xf32>
      %m = memref.alloc(%n, %n) : memref<?x?xf32>
      return
    })mlir";
  expectError(alloc, {makeIndex(-1)}, "expected extents of at least 0",
              ExitStatus::BadInput);
  expectError(alloc, {makeIndex(int64_t(1) << 40)}, "too many elements",
              ExitStatus::BadInput);
  device.limit = 1000;
  expectError(alloc, {makeIndex(100)}, "out of memory", ExitStatus::Failed);
  EXPECT_TRUE(succeeded(call(alloc, {makeIndex(0)})));
}

TEST_F(HostInterpreterTest, ReportsDeviceErrorsAtTheLaunch) {
  expectError(R"mlir(
    func.func @f() {
      %c1 = arith.constant 1 : index
      gpu.launch_func @k::@missing blocks in (%c1, %c1, %c1)
        threads in (%c1, %c1, %c1)
      return
    })mlir",
              {}, "no kernel 'missing'", ExitStatus::Failed);
}

} // namespace
