//===- SimulatorDevice.h - The simulator as a device ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_SIMULATORDEVICE_H
#define FUSIONDIALECT_RUNTIME_SIMULATORDEVICE_H

#include "FusionDialect/Runtime/Device.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::fusion {
struct DeviceModel;

/// A device that executes gpu.module operations on the CPU, within the limits
/// of `model`, and reports faults as the kernels' errors (docs/Simulator.md).
/// It cannot be timed. Kernels are loaded before memory is allocated, all from
/// one module, which outlives the device.
std::unique_ptr<Device> createSimulatorDevice(const DeviceModel &model);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_SIMULATORDEVICE_H
