//===- Simulator.h - Run and check GPU kernels on the CPU -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device without a GPU. It executes the gpu.func kernels of a lowered module
// thread by thread with CUDA's semantics, owns the device memory they work on,
// and reports what compute-sanitizer would: races, uninitialised reads,
// accesses out of bounds or misaligned, divergent barriers, deadlock, shuffles
// from inactive lanes, misused barriers. docs/Simulator.md has the execution
// and memory model.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_SIMULATOR_SIMULATOR_H
#define FUSIONDIALECT_SIMULATOR_SIMULATOR_H

#include "FusionDialect/Simulator/Findings.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <functional>
#include <memory>

namespace mlir::fusion {

/// What the simulated device allows. 0 means no limit.
struct SimulatorLimits {
  /// Extents of a block and of a grid: those of all devices (CUDA C++
  /// Programming Guide, technical specifications per compute capability).
  SimulatorExtents maxBlock{1024, 1024, 64};
  SimulatorExtents maxGrid{2147483647, 65535, 65535};
  /// At most 1024, also without this limit.
  int64_t maxThreadsPerBlock = 0;
  /// Bytes of static plus dynamic shared memory of a block.
  int64_t maxSharedBytesPerBlock = 0;
  /// Bytes of static shared memory of a block.
  int64_t maxStaticSharedBytesPerBlock = 0;
  /// Blocks that can be resident at once, and so wait for one another. Further
  /// blocks start when a resident one exits.
  int64_t maxResidentBlocks = 0;
  /// The same for one launch, in place of `maxResidentBlocks`: the clusters of
  /// `blocks` blocks (1: none) that are resident at once if a block has
  /// `threads` threads and `sharedBytes` bytes of shared memory.
  std::function<int64_t(int64_t threads, int64_t sharedBytes, int64_t blocks)>
      getResidentClusters;
  /// Blocks of a cluster.
  int64_t maxClusterBlocks = 0;
};

/// How to simulate. No option changes what a kernel without faults computes.
struct SimulatorOptions {
  SimulatorLimits limits;
  /// Host threads that run blocks; 0 takes one per core.
  unsigned hostThreads = 0;
  /// A launch ends after this many different findings.
  unsigned maxFindings = 16;
  /// Backward branches of all warps of a block (or of a cluster) after which it
  /// counts as hanging; 0 means no limit. The default takes about a minute.
  uint64_t maxLoopIterations = uint64_t(1) << 30;
  /// Turns of blocks in a row in which threads only polled and nothing changed,
  /// after which the launch counts as hanging although it may not be; 0 means
  /// no limit. A deadlock is mostly found sooner.
  uint64_t maxIdleTurns = uint64_t(1) << 24;
};

/// One kernel argument.
struct SimulatorArgument {
  /// The device address of a memref or pointer, or the bit pattern of a scalar.
  uint64_t bits = 0;
  /// For a memref: its dynamic extents, in order. Strides of an identity layout
  /// follow from the extents.
  llvm::SmallVector<int64_t, 2> dynamicSizes;
};

/// What a launch promises; see fusion.launch_func.
enum class SimulatorLaunchMode {
  Plain,
  /// All blocks must be resident at once.
  Cooperative,
  /// The launch before may not have ended: what it wrote may be read, and what
  /// it used be written, only after a wait for it (griddepcontrol).
  Dependent
};

/// One kernel launch.
struct SimulatorLaunch {
  /// The gpu.module and gpu.func, e.g. @module::@kernel; a flat name where the
  /// kernel's name is unique.
  SymbolRefAttr kernel;
  SimulatorExtents grid;
  SimulatorExtents block;
  /// Extents of a cluster in blocks. Where they are all 1, those that the
  /// kernel states (nvvm.cluster_dim) hold.
  SimulatorExtents cluster;
  SimulatorLaunchMode mode = SimulatorLaunchMode::Plain;
  size_t dynamicSharedBytes = 0;
  llvm::ArrayRef<SimulatorArgument> arguments;
};

/// A simulated device with the kernels of one module. Not thread-safe.
class Simulator {
public:
  /// Makes a device for the kernels in `module`: a gpu.module, or an operation
  /// that holds some. `module` must outlive the simulator and stay unchanged.
  Simulator(Operation *module, SimulatorOptions options = {});
  ~Simulator();

  /// Allocates `bytes` of uninitialised device memory, aligned to 256 bytes,
  /// and returns its address. 0 bytes give an address that may not be accessed.
  FailureOr<uint64_t> allocate(size_t bytes);
  /// Frees what `allocate` returned. Fails if `address` is no such address.
  LogicalResult free(uint64_t address);
  /// Copies `bytes` to the device; they count as written. Fails, as the next
  /// two do, if the range is not inside one allocation.
  LogicalResult copyToDevice(uint64_t address, llvm::ArrayRef<std::byte> bytes);
  /// Copies from the device. Bytes that nothing has written are 0xff.
  LogicalResult copyToHost(llvm::MutableArrayRef<std::byte> bytes,
                           uint64_t address);
  /// Sets `bytes` bytes to `value`; they count as written.
  LogicalResult fill(uint64_t address, uint8_t value, size_t bytes);
  /// Copies inside the device. What nothing has written counts as that in the
  /// copy as well.
  LogicalResult copy(uint64_t target, uint64_t source, size_t bytes);
  /// The offset of the first byte of [address, address + bytes) that nothing
  /// has written, or `bytes`; 0 if the range is not inside one allocation.
  size_t findUnwritten(uint64_t address, size_t bytes) const;

  /// Compiles the kernel on its first launch, runs the grid to its end, and
  /// reports each finding as an error at its source location. Fails if the
  /// kernel is unknown, has an operation the simulator does not execute, is
  /// launched with wrong arguments, or has a finding. `loc` stands for the
  /// launch in errors about it.
  LogicalResult launch(const SimulatorLaunch &launch, Location loc);

  /// The findings of the last launch, ordered by source position.
  llvm::ArrayRef<Finding> getFindings() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_SIMULATOR_SIMULATOR_H
