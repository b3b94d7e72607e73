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

#include "../TileBuilder.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "InnerOuter.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::fusion::innerouter {

class KernelArguments {
public:
  KernelArguments(SegmentLowering &lowering, const RowColumnGraph &graph)
      : lowering(lowering), graph(graph) {}

  void addInput(Value input) {
    const auto &inputs = graph.getCandidate().inputs;
    unsigned index = llvm::find(inputs.getArrayRef(), input) - inputs.begin();
    inputIndex[input] = hosts.size();
    SmallVector<int64_t> shape = getBufferShape(graph, input);
    add(lowering.getInput(index, getHostShape(shape)), KernelAccess::Read,
        shape);
  }
  /// Output number `index` of the candidate.
  void addOutput(unsigned index) {
    Value output = graph.getCandidate().outputs[index];
    outputs.push_back({output, hosts.size()});
    SmallVector<int64_t> shape = getBufferShape(graph, output);
    add(lowering.getResult(index, getHostShape(shape)), KernelAccess::Write,
        shape);
  }
  void addPartials(ValueRange partials, KernelAccess access) {
    firstPartial = hosts.size();
    for (Value partial : partials)
      add(partial, access);
  }

  gpu::GPUFuncOp createKernel(StringRef suffix, unsigned threads) {
    bool isDynamic = llvm::any_of(shapes, ShapedType::isDynamicShape);
    if (isDynamic)
      add(lowering.getExtent(*graph.getDynamicClass()), KernelAccess::Read);
    kernel = lowering.createKernel(suffix, hosts, accesses, threads);
    buffers.assign(kernel.getArguments().begin(),
                   kernel.getArguments().begin() + hosts.size());
    if (isDynamic)
      emitRowCount();
    return kernel;
  }
  /// The number of rows in a kernel that takes a dynamic extent, its last
  /// argument; else null.
  Value getRowCount() const { return rowCount; }
  void launch(LaunchSize size) { lowering.launch(kernel, size, hosts); }

  Value getInput(Value input) const {
    return getBuffer(inputIndex.lookup(input));
  }
  Value getPartial(unsigned index) const {
    return getBuffer(firstPartial + index);
  }
  /// Outputs that the kernel writes: the graph's value and the buffer.
  SmallVector<std::pair<Value, Value>> getOutputs() const {
    SmallVector<std::pair<Value, Value>> result;
    for (auto [value, index] : outputs)
      result.emplace_back(value, getBuffer(index));
    return result;
  }

private:
  void add(Value host, KernelAccess access, ArrayRef<int64_t> shape = {}) {
    hosts.push_back(host);
    accesses.push_back(access);
    shapes.emplace_back(shape);
  }
  Value getBuffer(unsigned index) const { return buffers[index]; }
  /// A buffer of dynamic shape is given by its first element.
  static ArrayRef<int64_t> getHostShape(ArrayRef<int64_t> shape) {
    return ShapedType::isDynamicShape(shape) ? ArrayRef<int64_t>() : shape;
  }

  /// Counts the rows, and gives the buffers of dynamic shape their shape.
  void emitRowCount() {
    TileBuilder tiles(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                      kernel.getLoc(), /*width=*/1);
    rowCount = tiles.mul(buffers.back(), graph.getRowsPerExtent());
    for (auto [buffer, shape] : llvm::zip(buffers, shapes)) {
      if (!ShapedType::isDynamicShape(shape))
        continue;
      auto element = cast<MemRefType>(buffer.getType()).getElementType();
      SmallVector<OpFoldResult> sizes, strides;
      for (int64_t extent : shape)
        sizes.push_back(ShapedType::isDynamic(extent)
                            ? OpFoldResult(rowCount)
                            : tiles.builder.getIndexAttr(extent));
      // Rows of columns, or a value for each row.
      if (shape.size() > 1)
        strides.push_back(tiles.builder.getIndexAttr(shape.back()));
      strides.push_back(tiles.builder.getIndexAttr(1));
      buffer = memref::ReinterpretCastOp::create(
          tiles.builder, tiles.loc, MemRefType::get(shape, element), buffer,
          OpFoldResult(tiles.builder.getIndexAttr(0)), sizes, strides);
    }
  }

  SegmentLowering &lowering;
  const RowColumnGraph &graph;
  SmallVector<Value> hosts;
  SmallVector<KernelAccess> accesses;
  /// By argument: the shape in the kernel, and the buffer of that shape.
  SmallVector<SmallVector<int64_t>> shapes;
  SmallVector<Value> buffers;
  Value rowCount;
  DenseMap<Value, unsigned> inputIndex;
  SmallVector<std::pair<Value, unsigned>> outputs;
  unsigned firstPartial = 0;
  mutable gpu::GPUFuncOp kernel; // its accessors are not const
};

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_KERNELARGUMENTS_H
