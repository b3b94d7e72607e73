//===- RecordingTest.cpp - Tests of recorded runs -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Recording.h"
#include "FusionDialect/Runtime/Statistics.h"
#include "HostDevice.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {

TEST(RecordingTest, RecordsAndKeepsMemory) {
  HostDevice device;
  unsigned runs = 0;
  device.kernels["k"] = [&](const LaunchRequest &) { ++runs; };
  {
    Recording recording(device);
    auto buffer = llvm::cantFail(DeviceBuffer::create(recording, 4));
    LaunchRequest launch;
    launch.kernel = "k";
    llvm::cantFail(recording.execute(launch));
    llvm::cantFail(
        recording.execute(FillCommand{buffer->getPointer(), 7, 1, 4}));
    buffer.reset();
    // Nothing ran, and what was freed is still there for the replays.
    EXPECT_EQ(runs, 0u);
    EXPECT_EQ(device.live.size(), 1u);
    EXPECT_EQ(recording.getNumLaunches(), 1u);
    ASSERT_EQ(recording.getCommands().size(), 2u);
    for (const DeviceCommand &command : recording.getCommands())
      llvm::cantFail(device.execute(command));
    EXPECT_EQ(runs, 1u);
  }
  EXPECT_EQ(device.live.size(), 0u);
}

TEST(RecordingTest, UntimedDevicesSaySo) {
  HostDevice device;
  auto times = device.timeReplays({}, {});
  ASSERT_FALSE(bool(times));
  EXPECT_EQ(llvm::toString(times.takeError()),
            "the device 'host' cannot be timed");
}

TEST(StatisticsTest, Quantiles) {
  Statistics one = getStatistics({3.0});
  EXPECT_EQ(one.minimum, 3);
  EXPECT_EQ(one.p90, 3);
  Statistics even = getStatistics({4, 1, 3, 2});
  EXPECT_EQ(even.minimum, 1);
  EXPECT_DOUBLE_EQ(even.median, 2.5);
  EXPECT_DOUBLE_EQ(even.p10, 1.3);
  EXPECT_DOUBLE_EQ(even.p90, 3.7);
}

} // namespace
