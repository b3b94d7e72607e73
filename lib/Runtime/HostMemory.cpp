//===- HostMemory.cpp - Memory operations of the host function ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memrefs are whole buffers in row-major order, so reshapes only change the
// shape. Parts of buffers, as slices of tensors become, can only be copied.
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<MemRefValue> HostEvaluator::getMemRef(Operation *op, Value value) {
  const auto &memref = std::get<MemRefValue>(frame.find(value)->second);
  if (memref.buffer->isReleased())
    return refuse(op, "the memref is used after memref.dealloc");
  if (memref.isView() && !isa<memref::CopyOp, memref::DimOp>(op))
    return refuse(op, "expected a whole buffer, but got a part of one");
  return memref;
}

// True for the memory that kernels and copies reach: none stated, or global.
static bool isGlobalMemory(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return gpuSpace.getValue() == gpu::AddressSpace::Global;
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return !space || (number && number.getInt() <= 1);
}

FailureOr<MemRefValue> HostEvaluator::allocate(Operation *op, MemRefType type,
                                               ArrayRef<int64_t> shape) {
  if (!type.getLayout().isIdentity() || !isGlobalMemory(type))
    return refuse(op, "expected a memref in global memory with the identity "
                      "layout, but got ")
           << type;
  uint64_t bytes = getStorageBytes(type.getElementType());
  if (bytes == 0)
    return refuse(op, "the element type ")
           << type.getElementType() << " has no storage format";
  bool isEmpty = llvm::is_contained(shape, 0);
  for (int64_t extent : shape) {
    bool overflow = false;
    if (extent < 0)
      return refuse(op, "expected extents of at least 0, but got ") << extent;
    if (!isEmpty)
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent, &overflow);
    if (overflow || bytes > std::numeric_limits<int64_t>::max())
      return refuse(op, "the memref has too many elements");
  }
  if (isEmpty)
    bytes = 0;
  auto buffer = DeviceBuffer::create(device, bytes);
  if (!buffer)
    return report(op, buffer.takeError());
  MemRefValue value;
  value.buffer = std::move(*buffer);
  value.elementType = type.getElementType();
  value.shape.assign(shape.begin(), shape.end());
  value.owned = true;
  if (options.poison && bytes != 0 &&
      failed(report(op, device.execute(FillCommand{value.buffer->getPointer(),
                                                   0xff, 1, bytes}))))
    return failure();
  return value;
}

LogicalResult HostEvaluator::run(memref::AllocOp op) {
  if (!op.getSymbolOperands().empty())
    return refuse(op, "layout symbols are not supported");
  SmallVector<int64_t> shape;
  auto sizes = op.getDynamicSizes().begin();
  for (int64_t extent : op.getType().getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? getInteger(*sizes++)
                                                  : extent);
  FailureOr<MemRefValue> value = allocate(op, op.getType(), shape);
  if (failed(value))
    return failure();
  set(op, std::move(*value));
  return success();
}

LogicalResult HostEvaluator::run(memref::DeallocOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getMemref());
  if (failed(value))
    return failure();
  if (!value->owned)
    return refuse(op, "the memref is not owned by this function");
  return report(op, value->buffer->release());
}

LogicalResult HostEvaluator::copy(Operation *op, const MemRefValue &source,
                                  const MemRefValue &target) {
  if (source.elementType != target.elementType || source.shape != target.shape)
    return refuse(op, "expected source and target of the same shape");
  if (source.getSizeInBytes() == 0)
    return success();
  // The innermost dimensions whose elements stand side by side in both form a
  // run; each run is a copy.
  auto getStrides = [](const MemRefValue &memref) {
    return memref.strides ? *memref.strides : computeStrides(memref.shape);
  };
  SmallVector<int64_t> from = getStrides(source), to = getStrides(target);
  ArrayRef<int64_t> shape = source.shape;
  int64_t run = 1;
  size_t outer = shape.size();
  for (; outer > 0; --outer) {
    bool isDense = from[outer - 1] == run && to[outer - 1] == run;
    if (shape[outer - 1] != 1 && !isDense)
      break;
    run *= shape[outer - 1];
  }
  uint64_t bytes = getStorageBytes(source.elementType);
  ArrayRef<int64_t> outerShape = shape.take_front(outer);
  SmallVector<int64_t> outerStrides = computeStrides(outerShape);
  for (int64_t i = 0, runs = computeProduct(outerShape); i < runs; ++i) {
    int64_t fromPlace = source.offset, toPlace = target.offset;
    for (auto [dim, index] : llvm::enumerate(delinearize(i, outerStrides))) {
      fromPlace += index * from[dim];
      toPlace += index * to[dim];
    }
    if (failed(report(op, device.execute(CopyCommand{
                              target.buffer->getPointer() + toPlace * bytes,
                              source.buffer->getPointer() + fromPlace * bytes,
                              run * bytes}))))
      return failure();
  }
  return success();
}

LogicalResult HostEvaluator::run(memref::CopyOp op) {
  FailureOr<MemRefValue> source = getMemRef(op, op.getSource());
  FailureOr<MemRefValue> target = getMemRef(op, op.getTarget());
  if (failed(source) || failed(target))
    return failure();
  return copy(op, *source, *target);
}

/// One element, after all commands before.
LogicalResult HostEvaluator::run(memref::LoadOp op) {
  FailureOr<MemRefValue> source = getMemRef(op, op.getMemref());
  if (failed(source))
    return failure();
  uint64_t place = 0;
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    int64_t position = getInteger(index), extent = source->shape[dim];
    if (position < 0 || position >= extent)
      return refuse(op, "expected an index of at least 0 and below ")
             << extent << " in dimension " << dim << ", but got " << position;
    place = place * extent + position;
  }
  HostTensor element(source->elementType, {});
  uint64_t bytes = getStorageBytes(source->elementType);
  if (failed(report(op,
                    device.copyOut(element.getData(),
                                   source->buffer->getPointer() + place * bytes,
                                   bytes))))
    return failure();
  set(op, getScalar(element));
  return success();
}

LogicalResult HostEvaluator::run(bufferization::CloneOp op) {
  auto type = dyn_cast<MemRefType>(op.getOutput().getType());
  if (!type)
    return refuse(op, "expected a ranked memref");
  FailureOr<MemRefValue> source = getMemRef(op, op.getInput());
  if (failed(source))
    return failure();
  FailureOr<MemRefValue> target = allocate(op, type, source->shape);
  if (failed(target) || failed(copy(op, *source, *target)))
    return failure();
  set(op.getOutput(), std::move(*target));
  return success();
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

LogicalResult HostEvaluator::run(memref::CastOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getSource());
  if (failed(value))
    return failure();
  auto type = dyn_cast<MemRefType>(op.getType());
  if (!type || !type.getLayout().isIdentity())
    return refuse(op, "expected a ranked memref with the identity layout, but "
                      "got ")
           << op.getType();
  for (auto [d, extent] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(extent) && extent != value->shape[d])
      return refuse(op, "expected extent ") << extent << " in dimension " << d
                                            << ", but got " << value->shape[d];
  set(op, std::move(*value));
  return success();
}

LogicalResult HostEvaluator::run(memref::DimOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getSource());
  if (failed(value))
    return failure();
  int64_t dim = getInteger(op.getIndex());
  if (dim < 0 || dim >= static_cast<int64_t>(value->shape.size()))
    return refuse(op, "expected a dimension below ")
           << value->shape.size() << ", but got " << dim;
  set(op, TypedAttr(IntegerAttr::get(IndexType::get(op.getContext()),
                                     value->shape[dim])));
  return success();
}

LogicalResult HostEvaluator::run(memref::ExpandShapeOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getSrc());
  if (failed(value))
    return failure();
  SmallVector<int64_t> shape;
  auto sizes = op.getOutputShape().begin();
  for (int64_t extent : op.getStaticOutputShape())
    shape.push_back(ShapedType::isDynamic(extent) ? getInteger(*sizes++)
                                                  : extent);
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t product = 1;
    for (int64_t i : group)
      product *= shape[i];
    if (product != value->shape[d])
      return refuse(op, "expected extents with product ")
             << value->shape[d] << " for dimension " << d << ", but got "
             << product;
  }
  value->shape = std::move(shape);
  set(op, std::move(*value));
  return success();
}

LogicalResult HostEvaluator::run(memref::CollapseShapeOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getSrc());
  if (failed(value))
    return failure();
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t product = 1;
    for (int64_t i : group)
      product *= value->shape[i];
    shape.push_back(product);
  }
  value->shape = std::move(shape);
  set(op, std::move(*value));
  return success();
}

/// True if `strides` are those of a buffer of `shape`.
static bool isRowMajor(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  return llvm::all_of(llvm::zip_equal(shape, strides, computeStrides(shape)),
                      [](auto dim) {
                        auto [extent, stride, expected] = dim;
                        return extent == 1 || stride == expected;
                      });
}

/// A part of a buffer.
LogicalResult HostEvaluator::run(memref::SubViewOp op) {
  FailureOr<MemRefValue> source = getMemRef(op, op.getSource());
  if (failed(source))
    return failure();
  auto evaluate = [&](ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult value) {
      std::optional<int64_t> constant = getConstantIntValue(value);
      return constant ? *constant : getInteger(cast<Value>(value));
    });
  };
  SmallVector<int64_t> offsets = evaluate(op.getMixedOffsets()),
                       sizes = evaluate(op.getMixedSizes()),
                       steps = evaluate(op.getMixedStrides()),
                       strides = computeStrides(source->shape);
  MemRefValue view = *source;
  view.shape.clear();
  view.strides.emplace();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, extent] : llvm::enumerate(source->shape)) {
    int64_t offset = offsets[dim], size = sizes[dim], step = steps[dim];
    bool isInside = offset >= 0 && size >= 0 && step > 0 && offset <= extent &&
                    (size == 0 || (size - 1) <= (extent - 1 - offset) / step);
    if (!isInside)
      return refuse(op, "expected a part of dimension ")
             << dim << ", which has the extent " << extent << ", but got "
             << size << " elements from " << offset << " in steps of " << step;
    view.offset += offset * strides[dim];
    if (dropped.test(dim))
      continue;
    view.shape.push_back(size);
    view.strides->push_back(step * strides[dim]);
  }
  // The first rows are a buffer like any other.
  if (view.offset == 0 && isRowMajor(view.shape, *view.strides))
    view.strides.reset();
  set(op, std::move(view));
  return success();
}

/// Kernels take a buffer whose size only the launch knows by its first element.
LogicalResult HostEvaluator::run(memref::ReinterpretCastOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getSource());
  if (failed(value))
    return failure();
  MemRefType type = op.getType();
  if (type.getRank() || !type.getLayout().isIdentity())
    return refuse(op, "expected a memref of rank 0 with the identity layout, "
                      "but got ")
           << type;
  value->shape.clear();
  set(op, std::move(*value));
  return success();
}

LogicalResult HostEvaluator::run(memref::ExtractAlignedPointerAsIndexOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getSource());
  if (failed(value))
    return failure();
  set(op, TypedAttr(IntegerAttr::get(
              IndexType::get(op.getContext()),
              static_cast<int64_t>(value->buffer->getPointer()))));
  return success();
}

LogicalResult HostEvaluator::run(memref::AssumeAlignmentOp op) {
  FailureOr<MemRefValue> value = getMemRef(op, op.getMemref());
  if (failed(value))
    return failure();
  if (value->buffer->getPointer() % op.getAlignment() != 0)
    return refuse(op, "the memref is not aligned to ")
           << op.getAlignment() << " bytes";
  set(op, std::move(*value));
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// The elements of `attr` in storage format, or an empty tensor if they cannot
// be read.
static std::optional<HostTensor> readElements(ElementsAttr attr) {
  Type elementType = attr.getElementType();
  HostTensor tensor(elementType, attr.getShapedType().getShape());
  size_t bytes = getStorageBytes(elementType);
  char *out = tensor.getDataAs<char>();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != tensor.getSizeInBytes())
      return std::nullopt;
    llvm::copy(blob->getData(), out);
    return tensor;
  }
  auto store = [&](APInt bits) {
    uint64_t value = bits.getZExtValue();
    std::memcpy(out, &value, bytes);
    out += bytes;
  };
  if (isa<FloatType>(elementType)) {
    auto values = attr.tryGetValues<APFloat>();
    if (!values)
      return std::nullopt;
    for (const APFloat &value : *values)
      store(value.bitcastToAPInt());
    return tensor;
  }
  auto values = attr.tryGetValues<APInt>();
  if (!values)
    return std::nullopt;
  for (const APInt &value : *values)
    store(value);
  return tensor;
}

FailureOr<MemRefValue> HostEvaluator::makeGlobal(Operation *op,
                                                 memref::GlobalOp global) {
  MemRefType type = global.getType();
  if (global.isExternal())
    return refuse(op, "the constant '")
           << global.getSymName() << "' is defined elsewhere";
  if (!type.getLayout().isIdentity() ||
      getStorageBytes(type.getElementType()) == 0)
    return refuse(op, "expected a constant with the identity layout and "
                      "elements that have a storage format, but got ")
           << type;
  if (global.isUninitialized())
    return allocate(op, type, type.getShape());
  auto elements = dyn_cast<ElementsAttr>(*global.getInitialValue());
  std::optional<HostTensor> tensor;
  if (elements)
    tensor = readElements(elements);
  if (!tensor)
    return refuse(op, "the elements of the constant '")
           << global.getSymName() << "' cannot be read";
  llvm::Expected<MemRefValue> value = copyToDevice(device, *tensor);
  if (!value)
    return report(op, value.takeError());
  return std::move(*value);
}

LogicalResult HostEvaluator::run(memref::GetGlobalOp op) {
  auto global = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr().getAttr());
  if (!global)
    return refuse(op, "'") << op.getName() << "' is not a memref.global";
  auto known = globals.find(global);
  if (known == globals.end()) {
    FailureOr<MemRefValue> value = makeGlobal(op, global);
    if (failed(value))
      return failure();
    value->owned = false;
    known = globals.try_emplace(global, std::move(*value)).first;
  }
  set(op, known->second);
  return success();
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

LogicalResult HostEvaluator::run(gpu::MemsetOp op) {
  if (op.getAsyncToken() || !op.getAsyncDependencies().empty())
    return refuse(op, "expected the form without async tokens");
  FailureOr<MemRefValue> target = getMemRef(op, op.getDst());
  if (failed(target))
    return failure();
  KernelArgument value = getKernelArgument(getScalarOf(op.getValue()));
  auto low = static_cast<uint32_t>(value.bits);
  FillCommand fill{target->buffer->getPointer(), low, value.size,
                   target->getSizeInBytes()};
  // Fills repeat at most 4 bytes: 8 equal halves are twice 4.
  if (value.size == 8) {
    if (value.bits >> 32 != low)
      return refuse(op, "expected a value of at most 4 bytes, or of 8 bytes "
                        "with equal halves");
    fill.patternBytes = 4;
  }
  if (fill.bytes == 0)
    return success();
  return report(op, device.execute(fill));
}
