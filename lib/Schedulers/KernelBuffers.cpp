//===- KernelBuffers.cpp - What a kernel over loops is called with --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuffers.h"
#include "TileBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fusion;

static bool isDynamic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.hasStaticShape();
}

/// The shape of the flat buffer of `value`; none for a scalar, and for a buffer
/// whose size only the launch knows.
static SmallVector<int64_t> getFlatShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape()
             ? SmallVector<int64_t>{type.getNumElements()}
             : SmallVector<int64_t>();
}

void KernelBuffers::add(Value host, KernelAccess access,
                        int64_t elementsPerExtent) {
  hosts.push_back(host);
  accesses.push_back(access);
  this->elementsPerExtent.push_back(elementsPerExtent);
}

void KernelBuffers::addInput(Value input) {
  const auto &all = space.getCandidate().inputs;
  unsigned index = llvm::find(all.getArrayRef(), input) - all.begin();
  inputs[input] = hosts.size();
  add(lowering.getInput(index, getFlatShape(input)), KernelAccess::Read,
      isDynamic(input) ? space.getNumElementsPerExtent(input) : 0);
}

void KernelBuffers::addOutput(unsigned index) {
  outputs[index] = hosts.size();
  Value output = space.getCandidate().outputs[index];
  add(lowering.getResult(index, getFlatShape(output)), KernelAccess::Write,
      isDynamic(output) ? space.getNumElementsPerExtent(output) : 0);
}

unsigned KernelBuffers::addWorkspace(Value buffer, KernelAccess access) {
  workspaces.push_back(hosts.size());
  add(buffer, access);
  return workspaces.size() - 1;
}

gpu::GPUFuncOp KernelBuffers::createKernel(StringRef suffix, unsigned threads,
                                           unsigned occupancy) {
  if (auto dynamicClass = space.getDynamicClass()) {
    hostExtent = lowering.getExtent(*dynamicClass);
    add(hostExtent, KernelAccess::Read);
  }
  kernel = lowering.createKernel(suffix, hosts, accesses, threads, occupancy);
  buffers.assign(kernel.getArguments().begin(),
                 kernel.getArguments().begin() + hosts.size());
  if (!hostExtent)
    return kernel;
  extent = buffers.back();
  TileBuilder tiles(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    kernel.getLoc(), /*width=*/1);
  for (auto [buffer, elements] : llvm::zip(buffers, elementsPerExtent)) {
    if (!elements)
      continue;
    auto element = cast<MemRefType>(buffer.getType()).getElementType();
    OpFoldResult size = tiles.mul(extent, elements);
    OpFoldResult offset = tiles.builder.getIndexAttr(0),
                 stride = tiles.builder.getIndexAttr(1);
    buffer = memref::ReinterpretCastOp::create(
        tiles.builder, tiles.loc,
        MemRefType::get({ShapedType::kDynamic}, element), buffer, offset, size,
        stride);
  }
  return kernel;
}

Value KernelBuffers::createCount(TileBuilder &tiles, const Loop &loop) const {
  return loop.isDynamic() ? tiles.mul(extent, loop.extent)
                          : tiles.index(loop.extent);
}

void KernelBuffers::launch(LaunchSize size, const Loop &loop,
                           int64_t perBlock) {
  if (loop.isDynamic())
    size.dynamicBlocks = createBlockCount(loop.extent, perBlock);
  launch(size);
}

Value KernelBuffers::createBlockCount(int64_t itemsPerExtent,
                                      int64_t perBlock) {
  TileBuilder host(lowering.getHostBuilder(), kernel.getLoc(), /*width=*/1);
  return arith::CeilDivUIOp::create(host.builder, host.loc,
                                    host.mul(hostExtent, itemsPerExtent),
                                    host.index(perBlock));
}
