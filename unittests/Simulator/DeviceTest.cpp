//===- DeviceTest.cpp - Memory, launches and bad requests -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestDevice.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

/// b[i] = a[i] + 1 for one thread per element.
static const char *const kIncrement = R"(
gpu.module @m {
  gpu.func @k(%a: memref<?xi32>, %b: memref<?xi32>) kernel {
    %block = gpu.block_id x
    %dim = gpu.block_dim x
    %t = gpu.thread_id x
    %base = arith.muli %block, %dim : index
    %i = arith.addi %base, %t : index
    %one = arith.constant 1 : i32
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %one : i32
    memref.store %y, %b[%i] : memref<?xi32>
    gpu.return
  }
})";

TEST(Device, Memory) {
  TestDevice device(kIncrement);
  uint64_t a = *device->allocate(16);
  EXPECT_EQ(0u, a % 256);
  EXPECT_EQ(0u, device->findUnwritten(a, 16));
  EXPECT_EQ(0xffffffffu, device.download<uint32_t>(a, 1).front());
  EXPECT_TRUE(succeeded(device->fill(a + 4, 7, 8)));
  EXPECT_EQ(0u, device->findUnwritten(a, 16));
  EXPECT_EQ(8u, device->findUnwritten(a + 4, 8));
  EXPECT_EQ(8u, device->findUnwritten(a + 4, 12));
  // A copy is written where its source is, also over itself.
  uint64_t b = *device->allocate(16);
  EXPECT_TRUE(succeeded(device->fill(b, 1, 16)));
  EXPECT_TRUE(succeeded(device->copy(b, a, 12)));
  EXPECT_EQ(0u, device->findUnwritten(b, 16));
  EXPECT_EQ(12u, device->findUnwritten(b + 4, 12));
  EXPECT_EQ(0x07070707u, device.download<uint32_t>(b + 8, 1).front());
  EXPECT_TRUE(succeeded(device->copy(b, b + 2, 12)));
  EXPECT_EQ(0u, device->findUnwritten(b, 2));
  EXPECT_EQ(14u, device->findUnwritten(b + 2, 14));
  EXPECT_TRUE(failed(device->copy(b + 8, a, 12)));
  EXPECT_EQ(0x07070707u, device.download<uint32_t>(a + 4, 1).front());
  // Not inside one allocation.
  EXPECT_TRUE(failed(device->fill(a + 12, 7, 8)));
  EXPECT_TRUE(failed(device->fill(a - 1, 7, 1)));
  EXPECT_TRUE(failed(device->fill(0, 7, 1)));
  EXPECT_TRUE(failed(device->free(a + 4)));
  EXPECT_TRUE(succeeded(device->free(a)));
  EXPECT_TRUE(failed(device->free(a)));
  EXPECT_TRUE(failed(device->fill(a, 7, 1)));
  // Empty allocations are different from one another.
  uint64_t first = *device->allocate(0), second = *device->allocate(0);
  EXPECT_NE(first, second);
  EXPECT_TRUE(succeeded(device->free(first)));
}

TEST(Device, LaunchesFollowEachOther) {
  TestDevice device(kIncrement);
  uint64_t a = device.upload<int32_t>({1, 2, 3, 4});
  uint64_t b = *device->allocate(16);
  // What one launch wrote, the next may read and overwrite.
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(
        succeeded(device.launch({{a, {4}}, {b, {4}}}, {2, 1, 1}, {2, 1, 1})));
    EXPECT_TRUE(
        succeeded(device.launch({{b, {4}}, {a, {4}}}, {1, 1, 1}, {4, 1, 1})));
  }
  EXPECT_EQ((std::vector<int32_t>{7, 8, 9, 10}),
            device.download<int32_t>(a, 4));
  EXPECT_EQ("", device.errors);
}

TEST(Device, FreedMemoryIsOutOfBounds) {
  TestDevice device(kIncrement);
  uint64_t a = device.upload<int32_t>({1, 2});
  uint64_t b = *device->allocate(8);
  EXPECT_TRUE(succeeded(device->free(b)));
  EXPECT_TRUE(failed(device.launch({{a, {2}}, {b, {2}}}, {}, {2, 1, 1})));
  ASSERT_EQ(1u, device->getFindings().size());
  const Finding &finding = device->getFindings().front();
  EXPECT_EQ(FindingKind::OutOfBounds, finding.kind);
  EXPECT_EQ(2, finding.count);
  EXPECT_EQ("write of 4 bytes", finding.access.action);
}

TEST(Device, InPlaceNeighbourRace) {
  // Each thread reads its neighbour's element while that one writes it.
  TestDevice device(kIncrement);
  uint64_t a = device.upload<int32_t>({1, 2, 3, 4});
  EXPECT_TRUE(
      failed(device.launch({{a + 4, {3}}, {a, {3}}}, {3, 1, 1}, {1, 1, 1})));
  ASSERT_FALSE(device->getFindings().empty());
  const Finding &finding = device->getFindings().front();
  EXPECT_EQ(FindingKind::DataRace, finding.kind);
  ASSERT_TRUE(finding.other);
  EXPECT_NE(finding.access.block.x, finding.other->block.x);
  // A later launch without the fault passes.
  uint64_t b = *device->allocate(16);
  EXPECT_TRUE(succeeded(device.launch({{a, {4}}, {b, {4}}}, {}, {4, 1, 1})));
  EXPECT_TRUE(device->getFindings().empty());
}

TEST(Device, BadRequests) {
  TestDevice device(kIncrement);
  uint64_t a = device.upload<int32_t>({1, 2});
  auto expectError = [&](LogicalResult result, StringRef text) {
    EXPECT_TRUE(failed(result));
    EXPECT_NE(std::string::npos, device.errors.find(text.str()))
        << device.errors;
    EXPECT_TRUE(device->getFindings().empty());
    device.errors.clear();
  };
  std::vector<SimulatorArgument> good{{a, {2}}, {a, {2}}};
  expectError(device.launch(good, {}, {}, "nothing"),
              "expected one kernel @nothing, but found 0");
  expectError(device.launch({{a, {2}}}),
              "expected 2 kernel arguments, but got 1");
  expectError(device.launch({{a, {2}}, {a, {}}}),
              "expected 1 dynamic sizes of argument 1, but got 0");
  expectError(device.launch(good, {0, 1, 1}),
              "expected positive grid, block and cluster extents");
  expectError(device.launch(good, {1 << 30, 1 << 10, 1}),
              "expected at most 4294967295 blocks");
  expectError(device.launch(good, {1ll << 40, 1ll << 40, 1}), "expected");
}

TEST(Device, LimitsAreFindings) {
  TestDevice device(kIncrement);
  uint64_t a = device.upload<int32_t>({1, 2});
  EXPECT_TRUE(failed(device.launch({{a, {2}}, {a, {2}}}, {}, {32, 32, 2})));
  ASSERT_EQ(1u, device->getFindings().size());
  EXPECT_EQ(FindingKind::LimitExceeded, device->getFindings().front().kind);
}

TEST(Device, MoreBlocksThanTheShadowTellsApart) {
  // Blocks 2^18 apart look alike; that invents nothing: each has an element of
  // its own, and the last one knows of what the first did by an atomic.
  const char *code = R"(gpu.module @m { gpu.func @k(%n: memref<2xi32>,
      %x: memref<262145xi8>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %last = arith.constant 262144 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %byte = arith.constant 1 : i8
    %b = gpu.block_id x
    memref.store %byte, %x[%b] : memref<262145xi8>
    %isFirst = arith.cmpi eq, %b, %c0 : index
    scf.if %isFirst {
      memref.store %one, %n[%c0] : memref<2xi32>
      %f = memref.atomic_rmw assign %one, %n[%c1] : (i32, memref<2xi32>) -> i32
    }
    %isLast = arith.cmpi eq, %b, %last : index
    scf.if %isLast {
      scf.while : () -> () {
        %f = memref.atomic_rmw addi %zero, %n[%c1] : (i32, memref<2xi32>) -> i32
        %unset = arith.cmpi eq, %f, %zero : i32
        scf.condition(%unset)
      } do {
        scf.yield
      }
      %v = memref.load %n[%c0] : memref<2xi32>
      memref.store %v, %n[%c0] : memref<2xi32>
    }
    gpu.return } })";
  TestDevice device(code);
  uint64_t n = device.upload<int32_t>({0, 0});
  uint64_t x = *device->allocate(262145);
  EXPECT_TRUE(
      succeeded(device.launch({{n, {}}, {x, {}}}, {262145, 1, 1}, {1, 1, 1})));
  EXPECT_EQ("", device.errors);
  EXPECT_EQ(262145u, device->findUnwritten(x, 262145));
}

TEST(Device, OperationsItDoesNotExecute) {
  TestDevice unknown(R"(gpu.module @m { gpu.func @k() kernel {
    %a = memref.alloc() : memref<4xi32>
    gpu.return } })");
  EXPECT_TRUE(failed(unknown.launch({})));
  EXPECT_EQ("the simulator does not execute 'memref.alloc'\n", unknown.errors);
  TestDevice type(R"(gpu.module @m { gpu.func @k(%x: i7) kernel {
    gpu.return } })");
  EXPECT_TRUE(failed(type.launch({{0, {}}})));
  EXPECT_EQ("the simulator does not execute arguments of type 'i7'\n",
            type.errors);
}

TEST(Device, ManyFindingsEndTheLaunch) {
  SimulatorOptions options;
  options.maxFindings = 1;
  TestDevice device(kIncrement, options);
  uint64_t a = *device->allocate(8), b = *device->allocate(8);
  EXPECT_TRUE(failed(device.launch({{a, {2}}, {b, {2}}}, {}, {4, 1, 1})));
  EXPECT_EQ(1u, device->getFindings().size());
}

TEST(Device, ResidentBlocks) {
  // Each block waits until all have come. Two of four fit.
  const char *code = R"(gpu.module @m { gpu.func @k(%n: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %old = memref.atomic_rmw addi %one, %n[%c0] : (i32, memref<1xi32>) -> i32
    scf.while : () -> () {
      %now = memref.atomic_rmw addi %zero, %n[%c0] : (i32, memref<1xi32>) -> i32
      %more = arith.cmpi slt, %now, %four : i32
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.return } })";
  SimulatorOptions options;
  options.limits.maxResidentBlocks = 2;
  TestDevice two(code, options);
  EXPECT_TRUE(failed(two.launch({{two.upload<int32_t>({0}), {}}}, {4, 1, 1})));
  ASSERT_EQ(1u, two->getFindings().size());
  EXPECT_EQ(FindingKind::Deadlock, two->getFindings().front().kind);
  EXPECT_NE(std::string::npos, two->getFindings().front().message.find(
                                   "2 of 4 blocks fit on the device at once"));
  options.limits.maxResidentBlocks = 4;
  TestDevice four(code, options);
  EXPECT_TRUE(
      succeeded(four.launch({{four.upload<int32_t>({0}), {}}}, {4, 1, 1})));
}
