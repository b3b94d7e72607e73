//===- DeviceModelTest.cpp - Chips and devices ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Target/DeviceModel.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;

namespace {

template <typename T>
std::string errorOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

TEST(DeviceModelTest, EveryChipHasADefaultDeviceOfItsFamily) {
  ASSERT_FALSE(getKnownChips().empty());
  for (const ChipInfo &chip : getKnownChips()) {
    llvm::Expected<DeviceModel> model = lookupDeviceModel(chip.name);
    ASSERT_TRUE(static_cast<bool>(model)) << llvm::toString(model.takeError());
    EXPECT_EQ(model->name, chip.defaultDevice);
    EXPECT_EQ(model->chip, chip.name);
  }
}

TEST(DeviceModelTest, ChipsAreDistinctAndNameAPtxVersion) {
  llvm::ArrayRef<ChipInfo> chips = getKnownChips();
  for (size_t i = 0; i < chips.size(); ++i) {
    EXPECT_TRUE(chips[i].ptxFeature.starts_with("+ptx"));
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(chips[i].name, chips[j].name);
  }
}

TEST(DeviceModelTest, SizesAreConsistent) {
  for (const ChipInfo &chip : getKnownChips()) {
    llvm::Expected<DeviceModel> model = lookupDeviceModel(chip.name);
    ASSERT_TRUE(static_cast<bool>(model)) << llvm::toString(model.takeError());
    SCOPED_TRACE(model->name);
    EXPECT_GT(model->multiprocessors, 0u);
    EXPECT_LE(model->threadsPerBlock, model->threadsPerMultiprocessor);
    EXPECT_EQ(model->threadsPerMultiprocessor % model->warpSize, 0u);
    // A block cannot have all of it: one KiB is the system's.
    EXPECT_LT(model->sharedPerBlock, model->sharedPerMultiprocessor);
    EXPECT_GT(model->copyBytesPerMicrosecond, 0);
    EXPECT_GT(model->operationsPerMicrosecond, 0);
    EXPECT_GT(model->launchMicroseconds, 0);
    EXPECT_GT(model->l2BytesPerMicrosecond, model->copyBytesPerMicrosecond);
    EXPECT_GT(model->firstLoadMicroseconds, 0);
    // What is in flight has to fit somewhere on chip.
    EXPECT_GT(model->bytesInFlight, 0u);
    EXPECT_LT(model->bytesInFlight, model->sharedPerMultiprocessor);
  }
}

TEST(DeviceModelTest, ProcessingClustersHoldAllMultiprocessors) {
  for (const ChipInfo &chip : getKnownChips()) {
    DeviceModel model = llvm::cantFail(lookupDeviceModel(chip.name));
    SCOPED_TRACE(model.name);
    EXPECT_LE(model.clusterBlocks, model.nonPortableClusterBlocks);
    EXPECT_EQ(model.getResidentClusters(1), model.multiprocessors);
    if (model.clusterBlocks == 1) {
      EXPECT_TRUE(model.processingClusters.empty());
      EXPECT_EQ(model.getResidentClusters(2), 0u);
      continue;
    }
    unsigned sum = 0;
    for (unsigned size : model.processingClusters)
      sum += size;
    EXPECT_EQ(sum, model.multiprocessors);
    for (unsigned blocks = 2; blocks <= model.clusterBlocks; blocks *= 2) {
      EXPECT_GT(model.getResidentClusters(blocks), 0u);
      EXPECT_LE(model.getResidentClusters(blocks) * blocks,
                model.multiprocessors);
    }
    EXPECT_EQ(model.getResidentClusters(2 * model.nonPortableClusterBlocks),
              0u);
  }
}

TEST(DeviceModelTest, ResidencyOfH200) {
  DeviceModel model = llvm::cantFail(lookupDeviceModel("sm_90", "h200"));
  // What cuOccupancyMaxActiveClusters answers with one block a multiprocessor.
  EXPECT_EQ(model.getResidentClusters(2), 66u);
  EXPECT_EQ(model.getResidentClusters(4), 30u);
  EXPECT_EQ(model.getResidentClusters(8), 15u);
  EXPECT_EQ(model.getResidentClusters(16), 7u);
  EXPECT_EQ(model.getResidentClusters(8, 2), 30u);
  EXPECT_EQ(model.getBlocksPerMultiprocessor(1024, 0), 2u);
  EXPECT_EQ(model.getBlocksPerMultiprocessor(1000, 0), 2u);
  EXPECT_EQ(model.getBlocksPerMultiprocessor(32, 0), 32u);
  EXPECT_EQ(model.getBlocksPerMultiprocessor(256, 113 << 10), 2u);
  EXPECT_EQ(model.getBlocksPerMultiprocessor(256, (113 << 10) + 1), 1u);
}

TEST(DeviceModelTest, NamedDeviceOfTheSameChip) {
  llvm::Expected<DeviceModel> h100 = lookupDeviceModel("sm_90", "h100");
  ASSERT_TRUE(static_cast<bool>(h100)) << llvm::toString(h100.takeError());
  llvm::Expected<DeviceModel> h200 = lookupDeviceModel("sm_90");
  ASSERT_TRUE(static_cast<bool>(h200)) << llvm::toString(h200.takeError());
  EXPECT_EQ(h100->name, "h100");
  EXPECT_EQ(h100->multiprocessors, h200->multiprocessors);
  EXPECT_LT(h100->copyBytesPerMicrosecond, h200->copyBytesPerMicrosecond);
}

TEST(DeviceModelTest, ArchitectureSpecificChipRunsOnThePlainDevice) {
  llvm::Expected<DeviceModel> model = lookupDeviceModel("sm_90a", "h200");
  ASSERT_TRUE(static_cast<bool>(model)) << llvm::toString(model.takeError());
  EXPECT_EQ(model->chip, "sm_90a");
}

TEST(DeviceModelTest, PackedFloatsCameWithSm100) {
  for (const char *chip : {"sm_80", "sm_86", "sm_90", "sm_90a"})
    EXPECT_FALSE(llvm::cantFail(lookupDeviceModel(chip)).hasPackedFloats);
  for (const char *chip : {"sm_100", "sm_100a", "sm_120"})
    EXPECT_TRUE(llvm::cantFail(lookupDeviceModel(chip)).hasPackedFloats);
}

TEST(DeviceModelTest, Errors) {
  EXPECT_EQ(errorOf(lookupChip("sm_80a")),
            "expected a chip among sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100, "
            "sm_100a, sm_120, but got 'sm_80a'");
  EXPECT_NE(errorOf(lookupChip("")).find("but got ''"), std::string::npos);
  EXPECT_NE(errorOf(lookupDeviceModel("sm_1", "h200")).find("got 'sm_1'"),
            std::string::npos);
  EXPECT_EQ(errorOf(lookupDeviceModel("sm_80", "h200")),
            "expected a device of chip 'sm_80', but 'h200' has chip 'sm_90'");
  EXPECT_EQ(errorOf(lookupDeviceModel("sm_90", "h300")),
            "expected a device among a100, a40, l40s, h100, h200, b200, "
            "rtxpro6000, but got 'h300'");
}

} // namespace
