//===- CompileView.cpp - Memrefs made from memrefs ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref's registers are its pointer, then its dynamic extents, then its
// dynamic strides. The offset is part of the pointer.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "Memory.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// Bytes between neighbouring shared buffers in the simulator's layout.
static constexpr uint32_t kSharedGap = 256;

MemRefParts Compiler::getParts(Value memref) const {
  auto type = cast<MemRefType>(memref.getType());
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  llvm::ArrayRef<uint32_t> regs = use(memref);
  MemRefParts parts;
  parts.pointer = regs.front();
  regs = regs.drop_front();
  auto take = [&](int64_t value) -> Operand {
    if (!ShapedType::isDynamic(value))
      return {kNoRegister, value};
    Operand operand{regs.front(), 0};
    regs = regs.drop_front();
    return operand;
  };
  for (int64_t size : type.getShape())
    parts.sizes.push_back(take(size));
  for (int64_t stride : strides)
    parts.strides.push_back(take(stride));
  return parts;
}

void Compiler::bindMemRef(Value result, const MemRefParts &parts) {
  auto type = cast<MemRefType>(result.getType());
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  llvm::SmallVector<uint32_t> regs{parts.pointer};
  for (auto [size, operand] : llvm::zip(type.getShape(), parts.sizes))
    if (ShapedType::isDynamic(size))
      regs.push_back(getRegister(operand));
  for (auto [stride, operand] : llvm::zip(strides, parts.strides))
    if (ShapedType::isDynamic(stride))
      regs.push_back(getRegister(operand));
  bind(result, regs);
}

uint32_t Compiler::emitAddress(uint32_t base,
                               llvm::ArrayRef<MemoryAccess::Term> terms,
                               uint32_t elementBytes) {
  MemoryAccess access;
  access.base = base;
  access.elementBytes = elementBytes;
  for (const MemoryAccess::Term &term : terms)
    if (!term.index.isConstant() || term.index.constant != 0)
      access.terms.push_back(term);
  if (access.terms.empty()) {
    retain(base);
    return base;
  }
  uint32_t dst = allocate(RegisterShape());
  emit(&executeAddress, dst, kNoRegister).aux = program.accesses.size();
  program.accesses.push_back(std::move(access));
  program.accessOps.push_back(currentOp);
  return dst;
}

static uint32_t getElementBytes(Type memref) {
  RegisterShape shape =
      *getRegisterShape(cast<MemRefType>(memref).getElementType());
  return shape.getElementBytes() * shape.n;
}

LogicalResult Compiler::compileSubView(Operation *op) {
  auto view = cast<memref::SubViewOp>(op);
  MemRefParts source = getParts(view.getSource()), result;
  llvm::SmallVector<MemoryAccess::Term> terms;
  llvm::SmallBitVector dropped = view.getDroppedDims();
  auto offsets = view.getMixedOffsets(), sizes = view.getMixedSizes(),
       steps = view.getMixedStrides();
  llvm::SmallVector<uint32_t> owned;
  for (size_t i = 0; i < offsets.size(); ++i) {
    terms.push_back({getOperand(offsets[i]), source.strides[i]});
    if (dropped[i])
      continue;
    result.sizes.push_back(getOperand(sizes[i]));
    result.strides.push_back(multiply(source.strides[i], getOperand(steps[i])));
  }
  result.pointer = emitAddress(source.pointer, terms,
                               getElementBytes(view.getSource().getType()));
  bindMemRef(view.getResult(), result);
  release(result.pointer);
  return success();
}

LogicalResult Compiler::compileReinterpretCast(Operation *op) {
  auto cast = mlir::cast<memref::ReinterpretCastOp>(op);
  auto sourceType = mlir::cast<MemRefType>(cast.getSource().getType());
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  // The new offset counts from the start of the buffer, not of the view.
  if (failed(sourceType.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return refuse(op);
  MemRefParts result;
  Operand one{kNoRegister, 1};
  result.pointer =
      emitAddress(getParts(cast.getSource()).pointer,
                  {{getOperand(cast.getMixedOffsets().front()), one},
                   {Operand{kNoRegister, -offset}, one}},
                  getElementBytes(sourceType));
  for (OpFoldResult size : cast.getMixedSizes())
    result.sizes.push_back(getOperand(size));
  for (OpFoldResult stride : cast.getMixedStrides())
    result.strides.push_back(getOperand(stride));
  bindMemRef(cast.getResult(), result);
  release(result.pointer);
  return success();
}

/// The strides of a reshape's result follow from its type where they are
/// static; dynamic ones only where they are those of a source dimension.
LogicalResult Compiler::compileReshape(Operation *op) {
  MemRefParts source = getParts(op->getOperand(0)), result;
  result.pointer = source.pointer;
  auto type = cast<MemRefType>(op->getResult(0).getType());
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  result.sizes.resize(type.getRank());
  result.strides.resize(type.getRank());
  for (int64_t i = 0; i < type.getRank(); ++i)
    result.strides[i] = {kNoRegister, strides[i]};
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(op)) {
    auto shape = expand.getMixedOutputShape();
    for (auto [dim, group] :
         llvm::enumerate(expand.getReassociationIndices())) {
      Operand stride = source.strides[dim];
      for (int64_t i : llvm::reverse(group)) {
        result.sizes[i] = getOperand(shape[i]);
        result.strides[i] = stride;
        stride = multiply(stride, result.sizes[i]);
      }
    }
  } else {
    auto collapse = cast<memref::CollapseShapeOp>(op);
    for (auto [dim, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      Operand size{kNoRegister, 1};
      for (int64_t i : group)
        size = multiply(size, source.sizes[i]);
      result.sizes[dim] = size;
      result.strides[dim] = source.strides[group.back()];
    }
  }
  bindMemRef(op->getResult(0), result);
  return success();
}

uint32_t Compiler::addSharedBuffer(llvm::StringRef name, uint64_t bytes,
                                   uint64_t alignment) {
  program.staticSharedBytes =
      llvm::alignTo(program.staticSharedBytes, alignment) + bytes;
  // Aligned as promised and not better, so that an access that relies on more
  // is found.
  uint64_t offset =
      llvm::alignTo(program.sharedLayoutBytes, 2 * alignment) + alignment;
  program.sharedBuffers.push_back({name.str(), offset, bytes});
  program.sharedLayoutBytes =
      llvm::alignTo(offset + bytes + kSharedGap, kSharedGap);
  return getIndexConstant(kSharedBase + offset);
}

LogicalResult Compiler::compileGetGlobal(Operation *op) {
  auto get = cast<memref::GetGlobalOp>(op);
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, get.getNameAttr());
  MemRefType type = get.getType();
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  bool shared = (space && space.getValue() == gpu::AddressSpace::Workgroup) ||
                (number && number.getInt() == 3);
  if (!global || !shared || !type.getLayout().isIdentity())
    return refuse(op);
  uint32_t elementBytes = getElementBytes(type);
  auto [it, isNew] = sharedGlobals.try_emplace(global, 0);
  if (isNew)
    it->second = addSharedBuffer(
        global.getSymName(), type.getNumElements() * elementBytes,
        global.getAlignment().value_or(llvm::PowerOf2Ceil(elementBytes)));
  bind(get.getResult(), it->second);
  return success();
}

LogicalResult Compiler::compileByteView(Operation *op) {
  auto view = cast<memref::ViewOp>(op);
  MemRefParts result;
  result.pointer = emitAddress(
      getParts(view.getSource()).pointer,
      {{getOperand(view.getByteShift()), Operand{kNoRegister, 1}}}, 1);
  MemRefType type = view.getType();
  auto dynamic = view.getSizes().begin();
  for (int64_t size : type.getShape())
    result.sizes.push_back(ShapedType::isDynamic(size)
                               ? getOperand(*dynamic++)
                               : Operand{kNoRegister, size});
  result.strides.resize(type.getRank());
  Operand stride{kNoRegister, 1};
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    result.strides[i] = stride;
    stride = multiply(stride, result.sizes[i]);
  }
  bindMemRef(view.getResult(), result);
  release(result.pointer);
  return success();
}

LogicalResult Compiler::compilePointer(Operation *op) {
  auto extract = cast<memref::ExtractAlignedPointerAsIndexOp>(op);
  auto type = dyn_cast<MemRefType>(extract.getSource().getType());
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  if (!type || failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset))
    return refuse(op);
  uint32_t pointer =
      emitAddress(getParts(extract.getSource()).pointer,
                  {{Operand{kNoRegister, -offset}, Operand{kNoRegister, 1}}},
                  getElementBytes(type));
  bind(extract.getResult(), pointer);
  release(pointer);
  return success();
}

Compiler::Result Compiler::compileView(Operation *op) {
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<memref::SubViewOp>([&](auto) { return compileSubView(op); })
      .Case<memref::ReinterpretCastOp>(
          [&](auto) { return compileReinterpretCast(op); })
      .Case<memref::ExpandShapeOp, memref::CollapseShapeOp>(
          [&](auto) { return compileReshape(op); })
      .Case<memref::GetGlobalOp>([&](auto) { return compileGetGlobal(op); })
      .Case<memref::CastOp, memref::MemorySpaceCastOp,
            memref::AssumeAlignmentOp>([&](auto) -> LogicalResult {
        if (!isa<MemRefType>(op->getOperand(0).getType()))
          return refuse(op);
        bindMemRef(op->getResult(0), getParts(op->getOperand(0)));
        return success();
      })
      .Case<memref::DimOp>([&](memref::DimOp dim) -> LogicalResult {
        std::optional<int64_t> index = dim.getConstantIndex();
        if (!index || !isa<MemRefType>(dim.getSource().getType()) ||
            *index >= cast<MemRefType>(dim.getSource().getType()).getRank())
          return refuse(op);
        uint32_t reg = getRegister(getParts(dim.getSource()).sizes[*index]);
        bind(dim.getResult(), reg);
        return success();
      })
      .Case<memref::ViewOp>([&](auto) { return compileByteView(op); })
      .Case<memref::ExtractAlignedPointerAsIndexOp>(
          [&](auto) { return compilePointer(op); })
      .Default([](auto) { return std::nullopt; });
}
