//===- KernelResources.h - What a compiled kernel takes ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_TARGET_KERNELRESOURCES_H
#define FUSIONDIALECT_TARGET_KERNELRESOURCES_H

#include <cstdint>
#include <optional>

namespace mlir::fusion {

/// Resources of a compiled kernel, as far as the driver or the assembler tells
/// them.
struct KernelResources {
  std::optional<unsigned> registers;
  /// Local memory of a thread, in bytes: spilled registers and local arrays.
  std::optional<unsigned> localBytes;
  /// Static shared memory of a block, in bytes.
  std::optional<uint64_t> staticSharedBytes;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_TARGET_KERNELRESOURCES_H
