//===- SegmentLowering.cpp - Where a scheduler puts its kernels -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

static MemRefType getBufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

SegmentLowering::SegmentLowering(SegmentOp segment, RewriterBase &rewriter,
                                 gpu::GPUModuleOp kernels,
                                 const DimClasses &dims)
    : segment(segment), rewriter(rewriter), kernels(kernels), dims(dims) {
  rewriter.setInsertionPoint(segment);
  Location loc = segment.getLoc();
  for (Value input : segment.getInputs()) {
    if (isa<RankedTensorType>(input.getType()))
      input = bufferization::ToBufferOp::create(
          rewriter, loc, getBufferType(input.getType()), input,
          /*read_only=*/true);
    inputs.push_back(input);
  }
  for (OpResult result : segment->getResults())
    createResult(result);
}

void SegmentLowering::createResult(OpResult result) {
  MemRefType type = getBufferType(result.getType());
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(getExtent(dims.getClass(result, dim)));
  results.push_back(
      memref::AllocOp::create(rewriter, segment.getLoc(), type, sizes));
}

Value SegmentLowering::getExtent(unsigned dimClass) {
  // The arguments stand for the inputs: those of a segment that was lowered
  // before are new values, whose classes nobody knows.
  for (auto [argument, buffer] :
       llvm::zip(segment.getBodyBlock().getArguments(), inputs)) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (dims.getClass(argument, dim) == dimClass)
        return memref::DimOp::create(rewriter, segment.getLoc(), buffer, dim);
  }
  llvm_unreachable("schedulers take only extents that an input has");
}

/// The grouping of `from` into `to`, where `to` merges runs of dimensions of
/// `from`; extents of 1 join the run before them.
static SmallVector<ReassociationIndices> getGroups(ArrayRef<int64_t> from,
                                                   ArrayRef<int64_t> to) {
  SmallVector<ReassociationIndices> groups;
  size_t next = 0;
  for (int64_t extent : to) {
    ReassociationIndices &group = groups.emplace_back();
    int64_t product = 1;
    do {
      product *= from[next];
      group.push_back(next++);
    } while (product != extent && next < from.size());
  }
  for (; next < from.size(); ++next)
    groups.back().push_back(next);
  return groups;
}

Value SegmentLowering::reshape(Value buffer, ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getShape() == shape)
    return buffer;
  auto target = MemRefType::get(shape, type.getElementType());
  Location loc = segment.getLoc();
  if (!type.hasStaticShape()) {
    assert(shape.empty() && "expected the first element of a dynamic buffer");
    return memref::ReinterpretCastOp::create(
        rewriter, loc, target, buffer, /*offset=*/int64_t(0),
        /*sizes=*/ArrayRef<int64_t>(), /*strides=*/ArrayRef<int64_t>());
  }
  if (type.getRank() > target.getRank()) {
    SmallVector<ReassociationIndices> groups;
    if (!shape.empty())
      groups = getGroups(type.getShape(), shape);
    return memref::CollapseShapeOp::create(rewriter, loc, target, buffer,
                                           groups);
  }
  SmallVector<ReassociationIndices> groups;
  if (type.getRank())
    groups = getGroups(shape, type.getShape());
  return memref::ExpandShapeOp::create(rewriter, loc, target, buffer, groups);
}

Value SegmentLowering::getInput(unsigned index, ArrayRef<int64_t> shape) {
  Value input = inputs[index];
  return isa<MemRefType>(input.getType()) ? reshape(input, shape) : input;
}

Value SegmentLowering::getResult(unsigned index, ArrayRef<int64_t> shape) {
  return reshape(results[index], shape);
}

Value SegmentLowering::createWorkspace(MemRefType type) {
  workspaces.push_back(
      memref::AllocOp::create(rewriter, segment.getLoc(), type));
  return workspaces.back();
}

Value SegmentLowering::createIndex(int64_t value) {
  return arith::ConstantIndexOp::create(rewriter, segment.getLoc(), value);
}

gpu::GPUFuncOp SegmentLowering::createKernel(StringRef suffix,
                                             ValueRange arguments,
                                             ArrayRef<KernelAccess> accesses,
                                             unsigned threads,
                                             unsigned occupancy) {
  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  MLIRContext *context = builder.getContext();
  auto type = FunctionType::get(
      context, llvm::to_vector(ValueRange(arguments).getTypes()), {});
  std::string name = (kernels.getName() + "_" + suffix).str();
  auto kernel = gpu::GPUFuncOp::create(builder, segment.getLoc(), name, type);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  // The block size and the resident blocks are a promise: ptxas may use as many
  // registers as then fit.
  kernel->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                  builder.getDenseI32ArrayAttr({static_cast<int>(threads)}));
  kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                  builder.getI32IntegerAttr(occupancy));
  for (unsigned index = 0; index < accesses.size(); ++index) {
    if (!isa<MemRefType>(type.getInput(index)))
      continue;
    auto setAttr = [&](StringRef attr, Attribute value) {
      kernel.setArgAttr(index, attr, value);
    };
    setAttr(LLVM::LLVMDialect::getAlignAttrName(),
            builder.getI64IntegerAttr(16));
    if (accesses[index] == KernelAccess::Exchange)
      continue;
    setAttr(LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    if (accesses[index] == KernelAccess::Read)
      setAttr(LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
  }
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, segment.getLoc());
  return kernel;
}

void SegmentLowering::launch(gpu::GPUFuncOp kernel, LaunchSize size,
                             ValueRange arguments) {
  assert(size.blocks % size.clusterBlocks == 0 && "clusters are whole");
  Location loc = segment.getLoc();
  Value one = createIndex(1);
  Value shared;
  if (size.sharedBytes)
    shared = arith::ConstantIntOp::create(rewriter, loc, size.sharedBytes, 32);
  OpBuilder::InsertionGuard guard(rewriter);
  Value blocks = size.dynamicBlocks;
  if (blocks) {
    Value hasBlocks = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ne, blocks, createIndex(0));
    auto launches = scf::IfOp::create(rewriter, loc, hasBlocks);
    rewriter.setInsertionPointToStart(launches.thenBlock());
  } else {
    blocks = createIndex(size.blocks);
  }
  gpu::KernelDim3 grid{blocks, one, one};
  gpu::KernelDim3 block{createIndex(size.threads), one, one};
  std::optional<gpu::KernelDim3> cluster;
  if (size.clusterBlocks > 1)
    cluster = {createIndex(size.clusterBlocks), one, one};
  if (size.mode == LaunchMode::Plain) {
    gpu::LaunchFuncOp::create(rewriter, loc, kernel, grid, block, shared,
                              arguments, /*asyncTokenType=*/nullptr,
                              /*asyncDependencies=*/{}, cluster);
    return;
  }
  if (mode == LaunchMode::Plain)
    mode = size.mode;
  auto toList = [](const gpu::KernelDim3 &sizes) {
    return SmallVector<Value, 3>{sizes.x, sizes.y, sizes.z};
  };
  auto name = SymbolRefAttr::get(
      kernels.getNameAttr(), {FlatSymbolRefAttr::get(kernel.getNameAttr())});
  LaunchFuncOp::create(rewriter, loc, size.mode, name,
                       cluster ? toList(*cluster) : SmallVector<Value, 3>(),
                       toList(grid), toList(block), shared, arguments);
}

void SegmentLowering::finish() {
  Location loc = segment.getLoc();
  for (Value workspace : workspaces)
    memref::DeallocOp::create(rewriter, loc, workspace);
  SmallVector<Value> tensors;
  for (auto [buffer, type] : llvm::zip(results, segment.getResultTypes()))
    tensors.push_back(bufferization::ToTensorOp::create(
        rewriter, loc, type, buffer, /*restrict=*/true, /*writable=*/true));
  rewriter.replaceOp(segment, tensors);
}
