//===- HostEvaluator.h - The interpreter's inside ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the interpreter and its operations by family: control flow and
// scalars (HostInterpreter.cpp), memory (HostMemory.cpp), launches
// (HostLaunch.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_HOSTEVALUATOR_H
#define FUSION_LIB_RUNTIME_HOSTEVALUATOR_H

#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Runtime/HostInterpreter.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::fusion {

struct LaunchOperation;

class HostEvaluator {
public:
  HostEvaluator(ModuleOp module, Device &device, InterpreterOptions options)
      : module(module), device(device), options(options) {}

  LogicalResult loadKernels();
  FailureOr<SmallVector<HostValue>> call(func::FuncOp function,
                                         ArrayRef<HostValue> arguments);

  ModuleOp module;
  Device &device;
  InterpreterOptions options;
  ExitStatus status = ExitStatus::Success;

private:
  using Frame = DenseMap<Value, HostValue>;

  LogicalResult runBlock(Block &block, SmallVectorImpl<HostValue> &yielded);
  LogicalResult runOperation(Operation *op);
  LogicalResult runScalar(Operation *op);

  // Control flow.
  LogicalResult run(scf::ForOp op);
  LogicalResult run(scf::IfOp op);
  LogicalResult run(func::CallOp op);
  LogicalResult run(cf::AssertOp op);

  // Memory.
  LogicalResult run(memref::AllocOp op);
  LogicalResult run(memref::DeallocOp op);
  LogicalResult run(memref::CopyOp op);
  LogicalResult run(memref::LoadOp op);
  LogicalResult run(memref::CastOp op);
  LogicalResult run(memref::DimOp op);
  LogicalResult run(memref::ExpandShapeOp op);
  LogicalResult run(memref::CollapseShapeOp op);
  LogicalResult run(memref::SubViewOp op);
  LogicalResult run(memref::ReinterpretCastOp op);
  LogicalResult run(memref::GetGlobalOp op);
  LogicalResult run(memref::ExtractAlignedPointerAsIndexOp op);
  LogicalResult run(memref::AssumeAlignmentOp op);
  LogicalResult run(bufferization::CloneOp op);
  LogicalResult run(gpu::MemsetOp op);
  FailureOr<MemRefValue> allocate(Operation *op, MemRefType type,
                                  ArrayRef<int64_t> shape);
  LogicalResult copy(Operation *op, const MemRefValue &source,
                     const MemRefValue &target);
  FailureOr<MemRefValue> makeGlobal(Operation *op, memref::GlobalOp global);

  // Launches.
  LogicalResult run(gpu::LaunchFuncOp op);
  LogicalResult run(LaunchFuncOp op);
  LogicalResult runLaunch(Operation *op, const LaunchOperation &launch);
  FailureOr<Dim3> getExtents(Operation *op, gpu::KernelDim3 sizes,
                             StringRef what);

  /// The memref that `value` holds; an error at `op` if it was freed.
  FailureOr<MemRefValue> getMemRef(Operation *op, Value value);
  TypedAttr getScalarOf(Value value) {
    return std::get<TypedAttr>(frame.find(value)->second);
  }
  /// The integer or index that `value` holds, sign-extended.
  int64_t getInteger(Value value) {
    return cast<IntegerAttr>(getScalarOf(value)).getValue().getSExtValue();
  }
  void set(Value value, HostValue hostValue) {
    frame.insert_or_assign(value, std::move(hostValue));
  }

  /// Emits an error of the device at `op`; success if there is none.
  LogicalResult report(Operation *op, llvm::Error error);
  /// Emits an error of the program at `op`.
  InFlightDiagnostic refuse(Operation *op, const Twine &message);

  Frame frame;
  unsigned depth = 0;
  DenseMap<Operation *, MemRefValue> globals;
  SymbolTableCollection symbols;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_RUNTIME_HOSTEVALUATOR_H
