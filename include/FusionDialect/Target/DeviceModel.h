//===- DeviceModel.h - What a GPU can do ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place where hardware numbers stand: limits of the instruction set
// (a *chip*, such as sm_90) and sizes and speeds of one product (a *device*,
// such as h200). Schedulers read it; the runner builds one from the driver.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_TARGET_DEVICEMODEL_H
#define FUSIONDIALECT_TARGET_DEVICEMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::fusion {

/// Limits and speeds of a device. Sizes in bytes, times in microseconds.
struct DeviceModel {
  /// The product, in lower case.
  std::string name;
  /// Its instruction set.
  std::string chip;
  unsigned multiprocessors = 0;
  /// 32-bit registers of a multiprocessor, and of a thread at most.
  unsigned registersPerMultiprocessor = 65536;
  unsigned registersPerThread = 255;
  /// Partitions of a multiprocessor: each has its share of the registers and
  /// of a block's warps.
  unsigned partitions = 4;
  unsigned threadsPerBlock = 1024;
  unsigned threadsPerMultiprocessor = 2048;
  /// Blocks that a multiprocessor can hold at once.
  unsigned blocksPerMultiprocessor = 32;
  unsigned warpSize = 32;
  /// Blocks of a grid along x (the CUDA programming guide).
  uint64_t blocksPerGrid = (uint64_t(1) << 31) - 1;
  /// Barriers of a block that have a number.
  unsigned namedBarriers = 16;
  /// Shared memory of a multiprocessor, and the most that one block can ask
  /// for.
  uint64_t sharedPerMultiprocessor = 0;
  uint64_t sharedPerBlock = 0;
  /// Shared memory that the system takes for each block, besides its own.
  uint64_t sharedReservedPerBlock = 1 << 10;
  /// Bytes of it that variables of fixed size can take (the CUDA programming
  /// guide, "Compute Capabilities": more needs dynamic shared memory).
  uint64_t staticSharedPerBlock = 48 << 10;
  /// Bytes that the parameters of a kernel can take (PTX versions before 8.1).
  uint64_t parameterBytes = 4352;
  /// Blocks of the largest cluster that every device with clusters runs, and of
  /// the largest that this one runs if a launch asks for it; 1: no clusters.
  unsigned clusterBlocks = 1;
  unsigned nonPortableClusterBlocks = 1;
  /// The multiprocessors by the processing cluster (GPC) they are in: the
  /// blocks of a cluster share one. Empty without clusters.
  llvm::SmallVector<unsigned, 12> processingClusters;
  /// Whether one thread can copy a run of bytes to shared memory, counted at a
  /// barrier there (cp.async.bulk): the chips with clusters.
  bool hasBulkCopy = false;
  /// Whether one instruction adds or multiplies two f32, in registers that are
  /// aligned pairs (PTX: add.f32x2, from sm_100).
  bool hasPackedFloats = false;
  uint64_t l2Bytes = 0;
  /// Bytes read plus written per microsecond by a large copy.
  double copyBytesPerMicrosecond = 0;
  /// What only reads is faster by this factor: it never turns the bus around.
  double readSpeedup = 1;
  /// From the start of a block to the data of its first loads, where others
  /// keep the memory busy.
  double firstLoadMicroseconds = 0;
  /// From the start of one load of a thread to that of the next.
  double loadStartMicroseconds = 0;
  /// From the start of one block on a multiprocessor to that of the next, as
  /// far as it holds up the whole grid.
  double blockStartMicroseconds = 0;
  /// 32-bit floating-point operations per microsecond and multiprocessor.
  double operationsPerMicrosecond = 0;
  /// From the launch of an empty kernel to its end.
  double launchMicroseconds = 0;
  /// What a kernel that moves data takes beyond its launch and its bytes at the
  /// copy speed: the first loads until they arrive, the last stores.
  double rampMicroseconds = 0;
  /// A reduction over the eight warps of a block: shuffles, exchange through
  /// shared memory, barrier.
  double blockReductionMicroseconds = 0;
  /// What an exchange takes longer if each cluster does one row and ends, for
  /// each block but the first: its blocks share multiprocessors with others and
  /// come to it at different times.
  double clusterMeetingBlockMicroseconds = 0;
  /// Shares of the time of memory traffic that are lost: because the blocks of
  /// a multiprocessor that belong to different places of their clusters read
  /// different params, which its L1 has to hold all; and because passes that
  /// read a row again compete with stores.
  double clusterParamsLoss = 0;
  double rereadLoss = 0;
  /// What a launch in clusters takes longer: they are placed together, and
  /// their blocks meet at the start and at the end.
  double clusterLaunchMicroseconds = 0;
  /// How much later a stage of a ring is free again because the blocks of a
  /// cluster exchange first.
  double clusterStageMicroseconds = 0;
  /// From a load to its data when many are in flight, and for a thread to start
  /// one bulk copy.
  double loadLatencyMicroseconds = 0;
  double bulkCopyMicroseconds = 0;
  /// From how many bytes on one bulk copy is clearly slower, and the share of
  /// its speed that is lost each time they double.
  uint64_t bulkCopyBytes = 0;
  double bulkCopyLoss = 0;
  /// Bytes read or written per microsecond in the L2 cache.
  double l2BytesPerMicrosecond = 0;
  /// From one partial result that a warp adds up to the next, its loads being
  /// in flight.
  double partialResultMicroseconds = 0;
  /// From the end of the last block's work to the totals of the partial results
  /// of all blocks: after a barrier of the grid, or in a dependent launch. (In
  /// a launch of its own: launchMicroseconds.)
  double gridBarrierMicroseconds = 0;
  double dependentLaunchMicroseconds = 0;
  /// Bytes that each multiprocessor needs in flight to reach the copy speed.
  uint64_t bytesInFlight = 0;

  /// Clusters of `blocks` blocks (1: single blocks) that are resident at once
  /// with `blocksPerMultiprocessor` blocks on each multiprocessor; 0 if the
  /// device does not run such clusters.
  unsigned getResidentClusters(unsigned blocks,
                               unsigned blocksPerMultiprocessor = 1) const;
  /// Microseconds that DRAM takes for bytes read and written, if as many of
  /// each are as fast as a copy and nothing else waits.
  double getTransferMicroseconds(double bytesRead, double bytesWritten) const;

  /// Blocks of `threads` threads and `sharedBytes` bytes of shared memory that
  /// fit on one multiprocessor, registers left out of account.
  unsigned getBlocksPerMultiprocessor(unsigned threads,
                                      uint64_t sharedBytes) const;

  /// One line for each number, with its unit.
  void print(llvm::raw_ostream &os) const;
};

/// Facts of an instruction set.
struct ChipInfo {
  /// E.g. "sm_90".
  llvm::StringRef name;
  /// The first PTX version that knows it, as an LLVM feature: "+ptx78".
  llvm::StringRef ptxFeature;
  /// The device that stands for it when none is named.
  llvm::StringRef defaultDevice;
};

/// The chips that kernels can be compiled for.
llvm::ArrayRef<ChipInfo> getKnownChips();

/// The facts of `chip`; an error that lists the known chips if there is none.
llvm::Expected<ChipInfo> lookupChip(llvm::StringRef chip);

/// The model of `device`, or of the default device of `chip` if `device` is
/// empty. An error lists what is known, or says that the device has another
/// chip.
llvm::Expected<DeviceModel> lookupDeviceModel(llvm::StringRef chip,
                                              llvm::StringRef device = {});

} // namespace mlir::fusion

#endif // FUSIONDIALECT_TARGET_DEVICEMODEL_H
