//===- Npy.h - Tensors in .npy files ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes host tensors in NumPy's file format, versions 1.0 and 2.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
// | element type | written as | also read |
// |---|---|---|
// | f16, f32, f64 | float16, float32, float64 | |
// | bf16 | uint16, the bit pattern | |
// | f8E4M3FN, f8E5M2 | uint8, the bit pattern | |
// | i8 to i64, index | int8 to int64, int64 | uint8 to uint64, the same bits |
// | i1 | bool | uint8 of 0 and 1 |
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_NPY_H
#define FUSIONDIALECT_RUNTIME_NPY_H

#include "FusionDialect/Reference/HostTensor.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <string>

namespace mlir::fusion {
class StagedFiles;

/// Decodes the contents of a .npy file as a tensor of `elementType`, a type
/// that has storage. Elements in Fortran order are reordered. Refused with a
/// message that begins with the buffer's name: a file that is damaged or
/// truncated or has trailing bytes, big-endian elements, and elements of a type
/// that does not stand for `elementType` in the table above.
llvm::Expected<HostTensor> decodeNpy(llvm::MemoryBufferRef buffer,
                                     Type elementType);

/// Reads the .npy file at `path`; see `decodeNpy`.
llvm::Expected<HostTensor> readNpy(llvm::StringRef path, Type elementType);

/// The header of a version 1.0 or 2.0 .npy file for `tensor`, padded so that
/// the elements begin at a multiple of 64 bytes.
llvm::Expected<std::string> encodeNpyHeader(const HostTensor &tensor);

/// Adds a file of `tensor` to `files`, which will appear at `path` with them.
llvm::Error addNpy(StagedFiles &files, llvm::StringRef path,
                   const HostTensor &tensor);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_NPY_H
