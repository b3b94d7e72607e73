//===- StridedWalk.h - Runs of a strided index space ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a range of row-major indices of a shape and says where a strided
// function of the index goes:
//
//   index (i0, ..., in)  ->  offset + i0 * stride0 + ... + in * striden
//
// as runs, along each of which the position changes by one stride. A broadcast
// is such a function with strides 0, and so is the map of a reduction from the
// elements to their results.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_STRIDEDWALK_H
#define FUSION_LIB_REFERENCE_STRIDEDWALK_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::fusion::reference {

/// A strided function of row-major indices, with as few dimensions as possible.
class StridedWalk {
public:
  StridedWalk(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
              int64_t offset)
      : offset(offset) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1)
        continue;
      if (!dims.empty() && dims.back().stride == strides[i] * shape[i]) {
        dims.back().extent *= shape[i];
        dims.back().stride = strides[i];
      } else {
        dims.push_back({shape[i], strides[i]});
      }
    }
    if (dims.empty())
      dims.push_back({1, 0});
  }

  /// Extent and stride of the slowest dimension left.
  int64_t getOuterExtent() const { return dims.front().extent; }
  int64_t getOuterStride() const { return dims.front().stride; }

  /// Calls `run(position, stride, length)` for the runs of the indices first to
  /// first + count - 1, in order. The indices are in bounds.
  template <typename Run>
  void forEachRun(int64_t first, int64_t count, Run run) const {
    if (count == 0)
      return;
    SmallVector<int64_t, 4> digits(dims.size());
    int64_t position = offset;
    for (size_t i = dims.size(); i-- > 0;) {
      digits[i] = first % dims[i].extent;
      first /= dims[i].extent;
      position += digits[i] * dims[i].stride;
    }
    const Dim &inner = dims.back();
    while (true) {
      int64_t length = std::min(inner.extent - digits.back(), count);
      run(position, inner.stride, length);
      count -= length;
      if (count == 0)
        return;
      position -= digits.back() * inner.stride;
      digits.back() = 0;
      for (size_t i = dims.size() - 1; i-- > 0;) {
        position += dims[i].stride;
        if (++digits[i] < dims[i].extent)
          break;
        position -= dims[i].extent * dims[i].stride;
        digits[i] = 0;
      }
    }
  }

private:
  struct Dim {
    int64_t extent;
    int64_t stride;
  };
  SmallVector<Dim, 4> dims;
  int64_t offset;
};

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_STRIDEDWALK_H
