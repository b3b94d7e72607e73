//===- HostInterpreter.h - Runs a host function on a device -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets the host function that the compiler made: memrefs are device
// memory, gpu.launch_func goes to the device, and scalars are evaluated by the
// folders of their operations. Whatever it does not know is an error at the
// operation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_HOSTINTERPRETER_H
#define FUSIONDIALECT_RUNTIME_HOSTINTERPRETER_H

#include "FusionDialect/Reference/HostTensor.h"
#include "FusionDialect/Runtime/Device.h"
#include "FusionDialect/Runtime/ExitStatus.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <variant>

namespace mlir::fusion {

class HostEvaluator;

/// A contiguous row-major memref in device memory. Views share the buffer; all
/// views begin where the buffer begins.
struct MemRefValue {
  std::shared_ptr<DeviceBuffer> buffer;
  Type elementType;
  SmallVector<int64_t> shape;
  /// Of a part of the buffer: its first element, and the elements from one
  /// index of each dimension to the next. Without strides it is the buffer
  /// from its start, row-major: all of it, or the first rows.
  int64_t offset = 0;
  std::optional<SmallVector<int64_t>> strides = std::nullopt;
  /// True if the function made it, so that memref.dealloc may free it.
  bool owned = false;

  bool isView() const { return strides.has_value(); }
  int64_t getNumElements() const { return ShapedType::getNumElements(shape); }
  uint64_t getSizeInBytes() const {
    return getNumElements() * getStorageBytes(elementType);
  }
};

/// A value of the host function: a scalar as an attribute, or a memref.
using HostValue = std::variant<TypedAttr, MemRefValue>;

/// How the host function runs.
struct InterpreterOptions {
  /// Fill memory from memref.alloc with 0xff bytes, so that what no kernel
  /// writes shows up as NaN or -1.
  bool poison = false;
};

/// Runs functions of one module on one device. Kernels are loaded once, and
/// constants (memref.global) are copied to the device once.
class HostInterpreter {
public:
  /// `module` and `device` outlive the interpreter.
  HostInterpreter(ModuleOp module, Device &device,
                  InterpreterOptions options = {});
  ~HostInterpreter();

  /// Loads every kernel module. Must be called before `call`.
  LogicalResult loadKernels();

  /// Calls `function`. The arguments stay the caller's; the results are owned
  /// by the caller and may share buffers with the arguments. Memory that is not
  /// returned is released, also on failure. Diagnostics are emitted at the
  /// operation that failed; `getFailure` classifies the last failure.
  FailureOr<SmallVector<HostValue>> call(func::FuncOp function,
                                         ArrayRef<HostValue> arguments);

  /// BadInput if the module or an argument is at fault (an operation that
  /// cannot be interpreted, a cf.assert), Failed if the device is.
  ExitStatus getFailure() const;

private:
  std::unique_ptr<HostEvaluator> impl;
};

/// Allocates device memory for `tensor` and copies it there; with `initialized`
/// false the memory is filled with 0xff bytes instead.
llvm::Expected<MemRefValue>
copyToDevice(Device &device, const HostTensor &tensor, bool initialized = true);
/// Copies a memref to host memory.
llvm::Expected<HostTensor> copyToHost(Device &device,
                                      const MemRefValue &memref);

/// The scalar in a tensor of rank 0 as an attribute of its element type.
TypedAttr getScalar(const HostTensor &tensor);
/// The tensor of rank 0 that holds `scalar`.
HostTensor getScalarTensor(TypedAttr scalar);
/// The bits of a scalar as a kernel parameter.
KernelArgument getKernelArgument(TypedAttr scalar);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_HOSTINTERPRETER_H
