//===- KernelArguments.h - What a kernel is called with ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the host buffers that a kernel takes, makes the kernel, and finds
// its arguments again by the values of the graph that they hold.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_KERNELARGUMENTS_H
#define LIB_SCHEDULERS_INNEROUTER_KERNELARGUMENTS_H

#include "FusionDialect/Conversion/SegmentLowering.h"
#include "InnerOuter.h"

namespace mlir::fusion::innerouter {

class KernelArguments {
public:
  KernelArguments(SegmentLowering &lowering, const RowColumnGraph &graph)
      : lowering(lowering), graph(graph) {}

  void addInput(Value input) {
    const auto &inputs = graph.getCandidate().inputs;
    unsigned index = llvm::find(inputs.getArrayRef(), input) - inputs.begin();
    inputIndex[input] = hosts.size();
    add(lowering.getInput(index, getBufferShape(graph, input)),
        KernelAccess::Read);
  }
  /// Output number `index` of the candidate.
  void addOutput(unsigned index) {
    Value output = graph.getCandidate().outputs[index];
    outputs.push_back({output, hosts.size()});
    add(lowering.getResult(index, getBufferShape(graph, output)),
        KernelAccess::Write);
  }
  void addPartials(ValueRange partials, KernelAccess access) {
    firstPartial = hosts.size();
    for (Value partial : partials)
      add(partial, access);
  }

  gpu::GPUFuncOp createKernel(StringRef suffix, unsigned threads) {
    kernel = lowering.createKernel(suffix, hosts, accesses, threads);
    return kernel;
  }
  void launch(LaunchSize size) { lowering.launch(kernel, size, hosts); }

  Value getInput(Value input) const {
    return kernel.getArgument(inputIndex.lookup(input));
  }
  Value getPartial(unsigned index) const {
    return kernel.getArgument(firstPartial + index);
  }
  /// Outputs that the kernel writes: the graph's value and the buffer.
  SmallVector<std::pair<Value, Value>> getOutputs() const {
    SmallVector<std::pair<Value, Value>> result;
    for (auto [value, index] : outputs)
      result.emplace_back(value, kernel.getArgument(index));
    return result;
  }

private:
  void add(Value host, KernelAccess access) {
    hosts.push_back(host);
    accesses.push_back(access);
  }

  SegmentLowering &lowering;
  const RowColumnGraph &graph;
  SmallVector<Value> hosts;
  SmallVector<KernelAccess> accesses;
  DenseMap<Value, unsigned> inputIndex;
  SmallVector<std::pair<Value, unsigned>> outputs;
  unsigned firstPartial = 0;
  mutable gpu::GPUFuncOp kernel; // its accessors are not const
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_KERNELARGUMENTS_H
