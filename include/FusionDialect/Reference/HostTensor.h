//===- HostTensor.h - A tensor in host memory -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dense row-major tensor in host memory, in its storage format: what is read
// from and written to .npy files, copied to devices, and given to the
// reference. bf16 and f8 elements are bit patterns; i1 takes one byte, 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_REFERENCE_HOSTTENSOR_H
#define FUSIONDIALECT_REFERENCE_HOSTTENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstddef>
#include <memory>

namespace mlir::fusion {

/// Bytes of one element of `type` in storage; 0 if the type has no storage here
/// (it is none of f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8 to i64, index).
size_t getStorageBytes(Type elementType);

/// A dense row-major tensor. Copies share the elements.
class HostTensor {
public:
  HostTensor() = default;
  /// Zero-filled elements. The element type has storage, the shape is static.
  HostTensor(Type elementType, llvm::ArrayRef<int64_t> shape);

  Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  /// The number of elements; 1 for rank 0.
  int64_t getNumElements() const { return numElements; }
  /// The bytes of all elements.
  size_t getSizeInBytes() const;
  /// The elements, aligned to 64 bytes.
  std::byte *getData() { return data.get(); }
  const std::byte *getData() const { return data.get(); }
  template <typename T>
  T *getDataAs() {
    return reinterpret_cast<T *>(data.get());
  }
  template <typename T>
  const T *getDataAs() const {
    return reinterpret_cast<const T *>(data.get());
  }

  /// Converts the elements [first, first + count) to double. Exact for every
  /// float type and for integers of up to 53 bits; integers are signed, i1 is
  /// 0 or 1.
  void readAsDouble(int64_t first, int64_t count, double *out) const;
  /// Rounds `count` doubles to the element type (to nearest even; overflow as
  /// the type's: infinity, or NaN for f8E4M3FN) and stores them from `first`.
  /// Integers take the nearest value in range; NaN becomes 0.
  void writeFromDouble(int64_t first, int64_t count, const double *in);
  /// Reads integer elements exactly: signed, except that i1 is 0 or 1.
  void readAsInteger(int64_t first, int64_t count, int64_t *out) const;
  /// Stores the low bits of `count` integers from `first`.
  void writeFromInteger(int64_t first, int64_t count, const int64_t *in);

private:
  Type elementType;
  llvm::SmallVector<int64_t> shape;
  int64_t numElements = 0;
  std::shared_ptr<std::byte> data;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_REFERENCE_HOSTTENSOR_H
