//===- HostValue.cpp - Scalars and memrefs of the host function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/HostInterpreter.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::fusion;

llvm::Expected<MemRefValue> mlir::fusion::copyToDevice(Device &device,
                                                       const HostTensor &tensor,
                                                       bool initialized) {
  MemRefValue value;
  value.elementType = tensor.getElementType();
  value.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  auto buffer = DeviceBuffer::create(device, tensor.getSizeInBytes());
  if (!buffer)
    return buffer.takeError();
  value.buffer = std::move(*buffer);
  DevicePtr pointer = value.buffer->getPointer();
  uint64_t bytes = tensor.getSizeInBytes();
  if (bytes == 0 || (!initialized && device.findsUninitializedReads()))
    return value;
  if (llvm::Error error =
          initialized ? device.copyIn(pointer, tensor.getData(), bytes)
                      : device.execute(FillCommand{pointer, 0xff, 1, bytes}))
    return error;
  return value;
}

llvm::Expected<HostTensor> mlir::fusion::copyToHost(Device &device,
                                                    const MemRefValue &memref) {
  if (memref.buffer->isReleased())
    return llvm::createStringError("the memref was freed by memref.dealloc");
  HostTensor tensor(memref.elementType, memref.shape);
  if (tensor.getSizeInBytes() != 0)
    if (llvm::Error error =
            device.copyOut(tensor.getData(), memref.buffer->getPointer(),
                           tensor.getSizeInBytes()))
      return error;
  return tensor;
}

TypedAttr mlir::fusion::getScalar(const HostTensor &tensor) {
  Type type = tensor.getElementType();
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.getData(), getStorageBytes(type));
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(floatType,
                          APFloat(floatType.getFloatSemantics(),
                                  APInt(floatType.getWidth(), bits)));
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(
      type, APInt(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true));
}

KernelArgument mlir::fusion::getKernelArgument(TypedAttr scalar) {
  KernelArgument argument;
  argument.size = getStorageBytes(scalar.getType());
  if (auto value = dyn_cast<FloatAttr>(scalar))
    argument.bits = value.getValue().bitcastToAPInt().getZExtValue();
  else
    argument.bits = cast<IntegerAttr>(scalar).getValue().getZExtValue();
  return argument;
}

HostTensor mlir::fusion::getScalarTensor(TypedAttr scalar) {
  HostTensor tensor(scalar.getType(), {});
  KernelArgument value = getKernelArgument(scalar);
  std::memcpy(tensor.getData(), &value.bits, value.size);
  return tensor;
}
