//===- KernelBuffers.h - What a kernel over loops is called with -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the host buffers that a kernel over an IterationSpace takes, makes
// the kernel, and finds its arguments again by the values that they hold. Every
// buffer of a kernel is one-dimensional: elements are found by offset
// (SpaceIndexer), since two tensors of one kernel need not agree on more.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_KERNELBUFFERS_H
#define LIB_SCHEDULERS_KERNELBUFFERS_H

#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Conversion/SegmentLowering.h"

namespace mlir::fusion {
class TileBuilder;

class KernelBuffers {
public:
  KernelBuffers(SegmentLowering &lowering, const IterationSpace &space)
      : lowering(lowering), space(space) {}

  /// Adds an input of the candidate. Once each.
  void addInput(Value input);
  /// Adds output number `index` of the candidate.
  void addOutput(unsigned index);
  /// Adds a workspace that SegmentLowering made; returns its number.
  unsigned addWorkspace(Value buffer, KernelAccess access);

  /// Makes the kernel, once everything is added. If the space has a dynamic
  /// extent, it is the last argument.
  gpu::GPUFuncOp createKernel(StringRef suffix, unsigned threads,
                              unsigned occupancy = 1);
  /// Launches it, after all earlier launches of the segment.
  void launch(LaunchSize size) { lowering.launch(kernel, size, hosts); }
  /// The same, with a block for each `perBlock` iterations of `loop`, as far as
  /// only the launch knows how many these are.
  void launch(LaunchSize size, const Loop &loop, int64_t perBlock);

  /// The kernel's buffer of an input, of one dimension; the scalar itself if
  /// the input is no tensor. Null for positions, which have no buffer.
  Value getInput(Value input) const {
    return input.getDefiningOp<IotaOp>() ? Value()
                                         : buffers[inputs.find(input)->second];
  }
  bool hasInput(Value input) const { return inputs.contains(input); }
  /// The kernel's buffer of output number `index`.
  Value getOutput(unsigned index) const {
    return buffers[outputs.find(index)->second];
  }
  bool hasOutput(unsigned index) const { return outputs.contains(index); }
  Value getWorkspace(unsigned number) const {
    return buffers[workspaces[number]];
  }
  /// The dynamic extent in the kernel; null if there is none.
  Value getExtent() const { return extent; }
  /// The iterations of `loop`, an index in the kernel.
  Value createCount(TileBuilder &tiles, const Loop &loop) const;
  /// The blocks that the dynamic extent needs, a host value: each has
  /// `perBlock` of its `itemsPerExtent` items for each one of the extent.
  Value createBlockCount(int64_t itemsPerExtent, int64_t perBlock);

private:
  void add(Value host, KernelAccess access, int64_t elementsPerExtent = 0);

  SegmentLowering &lowering;
  const IterationSpace &space;
  SmallVector<Value> hosts;
  SmallVector<KernelAccess> accesses;
  /// By argument: elements for each one of the dynamic extent; 0 if the size is
  /// static. Then the buffers in the kernel.
  SmallVector<int64_t> elementsPerExtent;
  SmallVector<Value> buffers;
  Value extent, hostExtent;
  DenseMap<Value, unsigned> inputs;
  DenseMap<unsigned, unsigned> outputs;
  SmallVector<unsigned> workspaces;
  mutable gpu::GPUFuncOp kernel; // its accessors are not const
};

} // namespace mlir::fusion

#endif // LIB_SCHEDULERS_KERNELBUFFERS_H
