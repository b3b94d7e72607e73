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
//===----------------------------------------------------------------------===//

#include "FusionDialect/Target/DeviceModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
};

} // namespace

static constexpr DeviceRow devices[] = {
    {"a100", "sm_80", 108, 2048, 164, 163, 40, 1.38, 64, 1.41},
    {"a40", "sm_86", 84, 1536, 100, 99, 6, 0.62, 128, 1.74},
    {"l40s", "sm_89", 142, 1536, 100, 99, 96, 0.77, 128, 2.52},
    {"h100", "sm_90", 132, 2048, 228, 227, 50, 2.97, 128, 1.75},
    {"h200", "sm_90", 132, 2048, 228, 227, 60, 4.256, 128, 1.75},
    {"b200", "sm_100", 148, 2048, 228, 227, 126, 7.09, 128, 1.85},
    {"rtxpro6000", "sm_120", 188, 1536, 100, 99, 128, 1.59, 128, 2.6},
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

static DeviceModel makeModel(const DeviceRow &row, llvm::StringRef chip) {
  DeviceModel model;
  model.name = row.name;
  model.chip = chip.str();
  model.multiprocessors = row.multiprocessors;
  model.threadsPerMultiprocessor = row.threadsPerMultiprocessor;
  model.sharedPerMultiprocessor = uint64_t(row.sharedKiB) << 10;
  model.sharedPerBlock = uint64_t(row.sharedPerBlockKiB) << 10;
  model.l2Bytes = uint64_t(row.l2MiB) << 20;
  model.copyBytesPerMicrosecond = row.copyTerabytesPerSecond * 1e6;
  model.operationsPerMicrosecond = row.lanes * row.gigahertz * 1e3;
  // Measured on h200: an empty kernel between two events.
  model.launchMicroseconds = 3.3;
  model.blockReductionMicroseconds = 0.55;
  // Little's law with the loaded latency of about 1.5 us, twice: one half is
  // consumed while the other arrives (64 KiB on h200, where it was measured).
  constexpr double loadedLatencyMicroseconds = 1.5;
  model.bytesInFlight = static_cast<uint64_t>(
      2 * (2.0 / 3) * loadedLatencyMicroseconds *
      model.copyBytesPerMicrosecond / model.multiprocessors);
  return model;
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
