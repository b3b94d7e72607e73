//===- TestDevice.h - A simulated device for one module ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_SIMULATOR_TESTDEVICE_H
#define FUSION_UNITTESTS_SIMULATOR_TESTDEVICE_H

#include "FusionDialect/Simulator/Simulator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

namespace mlir::fusion {

/// Parses a module with a kernel @k and collects the errors it causes.
struct TestDevice {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::unique_ptr<Simulator> simulator;
  std::string errors;
  ScopedDiagnosticHandler handler;

  explicit TestDevice(llvm::StringRef code, SimulatorOptions options = {})
      : context(MLIRContext::Threading::DISABLED),
        handler(&context, [this](Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          return success();
        }) {
    context.loadDialect<arith::ArithDialect, gpu::GPUDialect, math::MathDialect,
                        memref::MemRefDialect, scf::SCFDialect,
                        vector::VectorDialect>();
    module = parseSourceString<ModuleOp>(code, &context);
    if (module)
      simulator = std::make_unique<Simulator>(*module, options);
  }
  Simulator *operator->() { return simulator.get(); }

  template <typename T>
  uint64_t upload(std::initializer_list<T> values) {
    llvm::ArrayRef<T> data(values);
    uint64_t address = *simulator->allocate(data.size() * sizeof(T));
    (void)simulator->copyToDevice(
        address,
        llvm::ArrayRef(reinterpret_cast<const std::byte *>(data.data()),
                       data.size() * sizeof(T)));
    return address;
  }
  template <typename T>
  std::vector<T> download(uint64_t address, size_t count) {
    std::vector<T> data(count);
    (void)simulator->copyToHost(
        llvm::MutableArrayRef(reinterpret_cast<std::byte *>(data.data()),
                              count * sizeof(T)),
        address);
    return data;
  }
  LogicalResult launch(std::vector<SimulatorArgument> arguments,
                       SimulatorExtents grid = {}, SimulatorExtents block = {},
                       llvm::StringRef kernel = "k") {
    SimulatorLaunch request;
    request.kernel = SymbolRefAttr::get(&context, kernel);
    request.grid = grid;
    request.block = block;
    request.arguments = arguments;
    return simulator->launch(request, module->getLoc());
  }
};

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_SIMULATOR_TESTDEVICE_H
