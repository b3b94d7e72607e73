//===- KernelContext.cpp - What the parts of the main kernel share --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelContext.h"
#include "../SharedBarrier.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

void KernelContext::emitPlace() {
  place.threadsPerRow = schedule.getThreadsPerRow();
  place.thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  if (hasCluster()) {
    cluster = gpu::ClusterIdOp::create(builder, loc, gpu::Dimension::x);
    rank = gpu::ClusterBlockIdOp::create(builder, loc, gpu::Dimension::x);
  } else {
    cluster = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  }
  place.divide(builder, loc, schedule.getGroups());
  place.isLeader = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         place.threadOfGroup, index(0));
  // Of n tiles, this cluster has those numbered cluster, cluster + clusters,
  // ...: (n + clusters - 1 - cluster) / clusters.
  int64_t clusters = schedule.getClusters();
  auto countOf = [&](Value tiles) -> Value {
    Value reach = arith::SubIOp::create(
        builder, loc, add(tiles, index(clusters - 1)), cluster);
    return arith::DivUIOp::create(builder, loc, reach, index(clusters));
  };
  rowCount = arguments.getRowCount();
  if (!rowCount)
    rowCount = index(graph.getRows());
  Value perTile = index(schedule.getRowsPerTile());
  wholeIterations =
      countOf(arith::DivUIOp::create(builder, loc, rowCount, perTile));
  iterations =
      hasPartialTile()
          ? countOf(arith::CeilDivUIOp::create(builder, loc, rowCount, perTile))
          : wholeIterations;
}

void KernelContext::emitColumns() {
  unsigned width = schedule.getWidth(), perRow = schedule.getThreadsPerRow();
  int64_t usual = getBlockColumns(graph, footprint, schedule);
  int64_t last = graph.getColumns() - (schedule.getCluster() - 1) * usual;
  blockColumns = index(usual);
  if (hasCluster()) {
    firstColumn = mul(rank, usual);
    if (last != usual)
      blockColumns = select(isLess(rank, index(schedule.getCluster() - 1)),
                            blockColumns, index(last));
  }
  for (unsigned tile = 0; tile < getNumTiles(); ++tile) {
    int64_t first = int64_t(tile) * perRow;
    Value number =
        first ? add(place.threadOfGroup, index(first)) : place.threadOfGroup;
    columns.push_back(mul(number, width));
    if ((first + perRow) * width <= last) {
      columnValid.push_back({});
      safeColumns.push_back(columns.back());
      continue;
    }
    // Threads without a vector read the first one again and drop what they
    // compute.
    columnValid.push_back(isLess(columns.back(), blockColumns));
    safeColumns.push_back(select(columnValid.back(), columns.back(), index(0)));
  }
}

void KernelContext::emitSharedMemory() {
  if (!schedule.getSharedBytes())
    return;
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), space);
  dynamicMemory = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  bool hasBarriers = hasCluster() || schedule.getLoader() == Loader::BulkCopy;
  if (hasBarriers)
    sharedAddress = memref::ExtractAlignedPointerAsIndexOp::create(
        builder, loc, dynamicMemory);
}

Value KernelContext::view(uint64_t offset, ArrayRef<int64_t> shape,
                          Type element) {
  if (element.isInteger(1))
    element = builder.getI8Type();
  auto space = cast<MemRefType>(dynamicMemory.getType()).getMemorySpace();
  auto type =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  return memref::ViewOp::create(builder, loc, type, dynamicMemory,
                                index(offset), ValueRange());
}

Value KernelContext::loadShared(Value view, ArrayRef<Value> indices,
                                Type element) {
  Value tile = loadTile(view, indices);
  if (!element.isInteger(1))
    return tile;
  return arith::TruncIOp::create(
      builder, loc, getTileType(element, schedule.getWidth()), tile);
}

void KernelContext::storeShared(Value tile, Value view,
                                ArrayRef<Value> indices) {
  if (getElementTypeOrSelf(tile.getType()).isInteger(1))
    tile = arith::ExtUIOp::create(
        builder, loc, getTileType(builder.getI8Type(), schedule.getWidth()),
        tile);
  storeTile(tile, view, indices);
}

Value KernelContext::i32(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value KernelContext::sharedPointer(Value byteOffset) {
  return emitSharedPointer(builder, loc, add(sharedAddress, byteOffset));
}

Value KernelContext::clusterPointer(Value pointer) {
  auto type = LLVM::LLVMPointerType::get(
      builder.getContext(), unsigned(NVVM::NVVMMemorySpace::SharedCluster));
  return LLVM::AddrSpaceCastOp::create(builder, loc, type, pointer);
}

void KernelContext::emitGroupBarrier() {
  unsigned perRow = schedule.getThreadsPerRow();
  if (schedule.getGroups() == 1) {
    gpu::BarrierOp::create(builder, loc);
  } else if (perRow <= 32) {
    NVVM::SyncWarpOp::create(builder, loc, i32(-1));
  } else {
    // Barrier 0 is that of the block.
    Value number = arith::IndexCastOp::create(
        builder, loc, builder.getI32Type(), add(place.group, index(1)));
    NVVM::BarrierOp::create(builder, loc, TypeRange(), number, i32(perRow),
                            NVVM::BarrierReductionAttr(), Value());
  }
}

void KernelContext::emitBarrierWait(Value barrier, Value parity) {
  Value phase =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), parity);
  fusion::emitBarrierWait(builder, loc, barrier, phase);
}

void KernelContext::emitBarrierFence() {
  NVVM::FenceMbarrierInitOp::create(builder, loc);
  NVVM::FenceProxyOp::create(
      builder, loc,
      NVVM::ProxyKindAttr::get(builder.getContext(),
                               NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

Value KernelContext::getTileRow(unsigned row) {
  if (schedule.getGroups() == 1)
    return index(row);
  Value first = mul(place.group, getNumRows());
  return row ? add(first, index(row)) : first;
}

Value KernelContext::getRowIndex(Value iteration, unsigned row) {
  Value tile = add(mul(iteration, schedule.getClusters()), cluster);
  return add(mul(tile, schedule.getRowsPerTile()), getTileRow(row));
}
