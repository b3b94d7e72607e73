//===- DeviceModel.cpp - What a GPU can do --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes come from the CUDA C++ Programming Guide (compute capabilities) and
// the vendor's product pages. The speeds of h200 were measured (4.256 TB/s for
// a large copy); those of the other devices are their peak bandwidth times the
// same share of it (0.886).
//
// How many clusters are resident at once follows from the processing clusters.
// Those of h200 give what the driver's occupancy calculation answers there (66
// clusters of 2 blocks, 30 of 4, 15 of 8, 7 of 16); h100 is the same chip. The
// others are assumed to lose multiprocessors in one processing cluster, which
// counts too few clusters rather than too many.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Target/DeviceModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace mlir;
using namespace mlir::fusion;

static constexpr ChipInfo chips[] = {
    {"sm_80", "+ptx70", "a100"},   {"sm_86", "+ptx71", "a40"},
    {"sm_89", "+ptx78", "l40s"},   {"sm_90", "+ptx78", "h200"},
    {"sm_90a", "+ptx80", "h200"},  {"sm_100", "+ptx86", "b200"},
    {"sm_100a", "+ptx86", "b200"}, {"sm_120", "+ptx87", "rtxpro6000"},
};

namespace {

/// One row of the table of devices.
struct DeviceRow {
  const char *name, *chip;
  unsigned multiprocessors, threadsPerMultiprocessor;
  unsigned sharedKiB, sharedPerBlockKiB, l2MiB;
  double copyTerabytesPerSecond;
  /// 32-bit lanes of a multiprocessor, and its clock in GHz.
  double lanes, gigahertz;
  unsigned blocksPerMultiprocessor;
  /// Blocks of the largest portable cluster and of the largest at all.
  unsigned clusterBlocks = 1, nonPortableClusterBlocks = 1;
  /// Multiprocessors of each processing cluster; 0 ends the list.
  unsigned processingClusters[13] = {};
};

} // namespace

static constexpr DeviceRow devices[] = {
    {"a100", "sm_80", 108, 2048, 164, 163, 40, 1.38, 64, 1.41, 32},
    {"a40", "sm_86", 84, 1536, 100, 99, 6, 0.62, 128, 1.74, 16},
    {"l40s", "sm_89", 142, 1536, 100, 99, 96, 0.77, 128, 2.52, 24},
    {"h100",
     "sm_90",
     132,
     2048,
     228,
     227,
     50,
     2.97,
     128,
     1.75,
     32,
     8,
     16,
     {18, 18, 18, 18, 18, 18, 16, 8}},
    {"h200",
     "sm_90",
     132,
     2048,
     228,
     227,
     60,
     4.256,
     128,
     1.75,
     32,
     8,
     16,
     {18, 18, 18, 18, 18, 18, 16, 8}},
    {"b200",
     "sm_100",
     148,
     2048,
     228,
     227,
     126,
     7.09,
     128,
     1.85,
     32,
     8,
     16,
     {20, 20, 20, 20, 20, 20, 20, 8}},
    {"rtxpro6000",
     "sm_120",
     188,
     1536,
     100,
     99,
     128,
     1.59,
     128,
     2.6,
     24,
     8,
     8,
     {16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 12}},
};

llvm::ArrayRef<ChipInfo> fusion::getKnownChips() { return chips; }

llvm::Expected<ChipInfo> fusion::lookupChip(llvm::StringRef chip) {
  for (const ChipInfo &info : chips)
    if (info.name == chip)
      return info;
  std::string known = llvm::join(
      llvm::map_range(chips, [](const ChipInfo &info) { return info.name; }),
      ", ");
  return llvm::createStringError("expected a chip among " + known +
                                 ", but got '" + chip + "'");
}

/// The number in the name of a chip: 90 of sm_90a.
static unsigned getCapability(llvm::StringRef chip) {
  unsigned capability = 0;
  chip.consume_front("sm_");
  [[maybe_unused]] bool failed = chip.consumeInteger(10, capability);
  assert(!failed && "expected the name of a chip");
  return capability;
}

static DeviceModel makeModel(const DeviceRow &row, llvm::StringRef chip) {
  DeviceModel model;
  model.name = row.name;
  model.chip = chip.str();
  model.multiprocessors = row.multiprocessors;
  model.threadsPerMultiprocessor = row.threadsPerMultiprocessor;
  model.blocksPerMultiprocessor = row.blocksPerMultiprocessor;
  model.clusterBlocks = row.clusterBlocks;
  model.hasBulkCopy = row.clusterBlocks > 1;
  model.hasPackedFloats = getCapability(chip) >= 100;
  model.nonPortableClusterBlocks = row.nonPortableClusterBlocks;
  for (const unsigned *next = row.processingClusters; *next; ++next)
    model.processingClusters.push_back(*next);
  model.sharedPerMultiprocessor = uint64_t(row.sharedKiB) << 10;
  model.sharedPerBlock = uint64_t(row.sharedPerBlockKiB) << 10;
  model.l2Bytes = uint64_t(row.l2MiB) << 20;
  model.copyBytesPerMicrosecond = row.copyTerabytesPerSecond * 1e6;
  model.operationsPerMicrosecond = row.lanes * row.gigahertz * 1e3;
  // Fitted on h200 to kernels whose blocks have a row each.
  model.firstLoadMicroseconds = 1.1;
  model.loadStartMicroseconds = 0.05;
  model.blockStartMicroseconds = 0.005;
  model.clusterMeetingBlockMicroseconds = 0.1;
  model.clusterParamsLoss = 0.075;
  model.rereadLoss = 0.2;
  // Measured on h200: 4.58 TB/s where a copy has 4.25.
  model.readSpeedup = 1.077;
  // Measured on h200: an empty kernel between two events.
  model.launchMicroseconds = 3.3;
  // Fitted on h200 to element-wise kernels of 1 MB to 1 GB.
  model.rampMicroseconds = 2.2;
  model.blockReductionMicroseconds = 0.55;
  // Fitted on h200 to gradients of norms in clusters of 1 to 8 blocks.
  model.clusterStageMicroseconds = 0.25;
  model.clusterLaunchMicroseconds = 2.5;
  model.bulkCopyMicroseconds = 0.01;
  model.bulkCopyBytes = 16 << 10;
  model.bulkCopyLoss = 0.028;
  model.partialResultMicroseconds = 0.007;
  // Fitted on h200: 37 bytes a clock and multiprocessor.
  model.l2BytesPerMicrosecond = 2 * model.copyBytesPerMicrosecond;
  // Measured on h200: a dependent launch takes 0.4 to 0.7 us longer than a
  // barrier of the grid, a plain one 0.4 to 1.3 us.
  model.gridBarrierMicroseconds = 2.0;
  model.dependentLaunchMicroseconds = 2.4;
  // Little's law with the loaded latency of about 1.5 us, twice: one half is
  // consumed while the other arrives (64 KiB on h200, where it was measured).
  model.loadLatencyMicroseconds = 1.5;
  model.bytesInFlight = static_cast<uint64_t>(
      2 * (2.0 / 3) * model.loadLatencyMicroseconds *
      model.copyBytesPerMicrosecond / model.multiprocessors);
  return model;
}

unsigned
DeviceModel::getResidentClusters(unsigned blocks,
                                 unsigned blocksPerMultiprocessor) const {
  if (blocks == 1)
    return multiprocessors * blocksPerMultiprocessor;
  if (blocks > nonPortableClusterBlocks)
    return 0;
  unsigned clusters = 0;
  for (unsigned size : processingClusters)
    clusters += size * blocksPerMultiprocessor / blocks;
  return clusters;
}

double DeviceModel::getTransferMicroseconds(double bytesRead,
                                            double bytesWritten) const {
  double read = 1 / (readSpeedup * copyBytesPerMicrosecond);
  double write = 2 / copyBytesPerMicrosecond - read;
  return bytesRead * read + bytesWritten * write;
}

unsigned DeviceModel::getBlocksPerMultiprocessor(unsigned threads,
                                                 uint64_t sharedBytes) const {
  // Threads are given out in whole warps.
  unsigned byThreads =
      threadsPerMultiprocessor / llvm::alignTo(threads, warpSize);
  uint64_t byShared =
      sharedPerMultiprocessor / (sharedBytes + sharedReservedPerBlock);
  return std::min<uint64_t>({byThreads, byShared, blocksPerMultiprocessor});
}

llvm::Expected<DeviceModel> fusion::lookupDeviceModel(llvm::StringRef chip,
                                                      llvm::StringRef device) {
  llvm::Expected<ChipInfo> info = lookupChip(chip);
  if (!info)
    return info.takeError();
  llvm::StringRef name = device.empty() ? info->defaultDevice : device;
  // A chip with architecture-specific features runs on the plain chip's device.
  llvm::StringRef family = chip;
  family.consume_back("a");
  for (const DeviceRow &row : devices) {
    if (name != row.name)
      continue;
    if (family != row.chip)
      return llvm::createStringError("expected a device of chip '" + chip +
                                     "', but '" + name + "' has chip '" +
                                     row.chip + "'");
    return makeModel(row, chip);
  }
  std::string known = llvm::join(
      llvm::map_range(devices, [](const DeviceRow &row) { return row.name; }),
      ", ");
  return llvm::createStringError("expected a device among " + known +
                                 ", but got '" + name + "'");
}

void DeviceModel::print(llvm::raw_ostream &os) const {
  auto line = [&](llvm::StringRef what, auto value, llvm::StringRef unit = "") {
    os << what << ": " << value << unit << '\n';
  };
  auto real = [&](llvm::StringRef what, double value, llvm::StringRef unit) {
    os << what << ": " << llvm::format("%.6g", value) << unit << '\n';
  };
  line("device", name);
  line("chip", chip);
  line("multiprocessors", multiprocessors);
  line("warp size", warpSize, " threads");
  line("block", threadsPerBlock, " threads");
  line("multiprocessor", threadsPerMultiprocessor, " threads");
  line("partitions of a multiprocessor", partitions);
  line("registers of a multiprocessor", registersPerMultiprocessor);
  line("registers of a thread", registersPerThread);
  line("shared memory of a multiprocessor", sharedPerMultiprocessor, " bytes");
  line("shared memory of a block", sharedPerBlock, " bytes");
  line("static shared memory of a block", staticSharedPerBlock, " bytes");
  line("kernel parameters", parameterBytes, " bytes");
  if (clusterBlocks > 1) {
    line("cluster", clusterBlocks, " blocks");
    line("non-portable cluster", nonPortableClusterBlocks, " blocks");
    for (unsigned blocks = 1; blocks <= nonPortableClusterBlocks; blocks *= 2)
      line(("resident clusters of " + llvm::Twine(blocks)).str(),
           getResidentClusters(blocks));
  }
  line("L2 cache", l2Bytes, " bytes");
  line("bytes in flight for the copy speed", bytesInFlight, " bytes");
  real("copy", copyBytesPerMicrosecond, " bytes/us");
  real("only reading", readSpeedup, " times as fast");
  real("L2", l2BytesPerMicrosecond, " bytes/us");
  real("first load of a block", firstLoadMicroseconds, " us");
  real("operations of a multiprocessor", operationsPerMicrosecond, " /us");
  real("launch", launchMicroseconds, " us");
  real("reduction over a block", blockReductionMicroseconds, " us");
}
