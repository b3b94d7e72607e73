//===- SegmentLowering.h - Where a scheduler puts its kernels ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The side of lowering that is the same for every kind of kernel: buffers for a
// segment's inputs, results and workspace, kernel functions in a gpu.module,
// and launches in the host function.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_CONVERSION_SEGMENTLOWERING_H
#define FUSIONDIALECT_CONVERSION_SEGMENTLOWERING_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {
class DimClasses;

/// How a kernel uses a memref argument. What its blocks or the kernel before it
/// write while it runs is an exchange: nothing may be assumed about it.
enum class KernelAccess { Read, Write, Exchange };

/// One launch of a kernel: sizes in blocks, threads and bytes.
struct LaunchSize {
  /// Blocks of the grid: a multiple of `clusterBlocks`.
  unsigned blocks = 1;
  unsigned threads = 1;
  uint64_t sharedBytes = 0;
  /// Blocks of a cluster, all along x; 1: no clusters.
  unsigned clusterBlocks = 1;
  /// What the launch promises; see fusion.launch_func.
  LaunchMode mode = LaunchMode::Plain;
  /// The blocks of the grid as a host value of type index, where only the
  /// launch knows them; without blocks nothing is launched. Null: `blocks`.
  Value dynamicBlocks = nullptr;
};

/// Lowers one segment: created by fusion-lower-segments, used by a scheduler's
/// emit. Everything it creates is contiguous and row-major.
class SegmentLowering {
public:
  /// Creates host operations before `segment`, and kernels in `kernels`. A
  /// dynamic extent of a result is that of an input's dimension of its class.
  SegmentLowering(SegmentOp segment, RewriterBase &rewriter,
                  gpu::GPUModuleOp kernels, const DimClasses &dims);

  /// The builder of host operations, before the segment.
  OpBuilder &getHostBuilder() { return rewriter; }
  /// The extent of class `dimClass`, which an input has: a host value.
  Value getExtent(unsigned dimClass);

  /// The buffer of input `index`, or the scalar itself, reshaped to `shape` (of
  /// as many elements) if it is a tensor. Kernels take pointers alone: a buffer
  /// of dynamic shape is given as its first element, of shape [].
  Value getInput(unsigned index, llvm::ArrayRef<int64_t> shape);
  /// The buffer of result `index`, reshaped to `shape`.
  Value getResult(unsigned index, llvm::ArrayRef<int64_t> shape);
  /// A buffer that lives until the last launch of the segment.
  Value createWorkspace(MemRefType type);

  /// A kernel whose arguments are `arguments` (host values: memrefs and
  /// scalars). `suffix` makes its name: "<module>_<suffix>". Memrefs that it
  /// reads only are marked so: no other argument may alias them. The kernel
  /// gets no more registers than let a multiprocessor hold `occupancy` blocks.
  gpu::GPUFuncOp createKernel(llvm::StringRef suffix, ValueRange arguments,
                              llvm::ArrayRef<KernelAccess> accesses,
                              unsigned threads, unsigned occupancy = 1);
  /// Launches `kernel` on `arguments`, after all earlier launches: by
  /// gpu.launch_func, or by fusion.launch_func in a mode that it has not.
  void launch(gpu::GPUFuncOp kernel, LaunchSize size, ValueRange arguments);

  /// The first mode other than plain that a launch so far has; else plain.
  LaunchMode getLaunchMode() const { return mode; }

  /// Replaces the segment by its result buffers and frees the workspace.
  void finish();

private:
  Value reshape(Value buffer, llvm::ArrayRef<int64_t> shape);
  Value createIndex(int64_t value);
  void createResult(OpResult result);

  SegmentOp segment;
  RewriterBase &rewriter;
  gpu::GPUModuleOp kernels;
  const DimClasses &dims;
  llvm::SmallVector<Value> inputs, results, workspaces;
  LaunchMode mode = LaunchMode::Plain;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_CONVERSION_SEGMENTLOWERING_H
