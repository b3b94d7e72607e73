//===- CudaCompare.h - Comparing memory of a GPU ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CUDACOMPARE_H
#define FUSION_LIB_RUNTIME_CUDACOMPARE_H

namespace mlir::fusion::cuda {

/// The name of the kernel that compares memory.
constexpr const char *compareKernelName = "fusion_compare_bytes";

/// Its PTX. The kernel's parameters, 8 bytes each:
///   a, b, head, vectors, rest, flag
/// It stores 1 to the 32-bit word at `flag` if `a` and `b` differ in one of
/// `vectors` pieces of 16 bytes that start at the byte `head`, where both are
/// aligned to 16 bytes, or in one of the `rest` bytes before and behind them,
/// `head` of which are before.
extern const char *const comparePtx;

} // namespace mlir::fusion::cuda

#endif // FUSION_LIB_RUNTIME_CUDACOMPARE_H
