//===- Assemble.cpp - Tensors put together from parts ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assemble.h"
#include "StridedWalk.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// Copies consecutive elements of `from` to the elements at, at + stride, ...
/// of the held value `to`.
static void copyRun(const Node &from, int64_t first, int64_t count, Node &to,
                    int64_t at, int64_t stride) {
  Held &held = to.held;
  if (stride == 1)
    return from.load(first, 1, count,
                     held.floats ? held.floats.get() + at : nullptr,
                     held.integers ? held.integers.get() + at : nullptr,
                     held.errors ? held.errors.get() + at : nullptr);
  for (int64_t i = 0; i < count; ++i)
    copyRun(from, first + i, 1, to, at + i * stride, 1);
}

Node *reference::assemble(Operation *op, Type elementType,
                          ArrayRef<int64_t> shape, Node *base,
                          ArrayRef<Part> parts, GraphBuilder &graph) {
  SmallVector<int64_t> wholeStrides = getRowMajorStrides(shape);
  struct Copy {
    StridedWalk walk;
    int64_t count;
  };
  std::vector<Copy> copies;
  SmallVector<Node *> operands;
  if (base) {
    operands.push_back(base);
    SmallVector<int64_t> strides = getRowMajorStrides(shape);
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    copies.push_back({StridedWalk(shape, strides, 0), count});
  }
  for (const Part &part : parts) {
    int64_t offset = 0;
    for (auto [index, stride] : llvm::zip(part.offsets, wholeStrides))
      offset += index * stride;
    SmallVector<int64_t> strides;
    for (const ViewDim &dim : part.dims)
      strides.push_back(dim.step * wholeStrides[dim.operandDim]);
    operands.push_back(part.value);
    copies.push_back({StridedWalk(part.value->shape, strides, offset),
                      part.value->numElements});
  }
  bool fillsWithScalar = base && base->shape.empty();
  auto compute = [copies, fillsWithScalar](Node &node) {
    for (size_t i = 0; i < copies.size(); ++i) {
      const Node &from = *node.operands[i];
      if (i == 0 && fillsWithScalar) {
        from.load(0, 0, copies[i].count, node.held.floats.get(),
                  node.held.integers.get(), node.held.errors.get());
        continue;
      }
      int64_t done = 0;
      copies[i].walk.forEachRun(
          0, copies[i].count, [&](int64_t at, int64_t stride, int64_t length) {
            copyRun(from, done, length, node, at, stride);
            done += length;
          });
    }
  };
  return graph.createComputed(op, elementType, shape, operands,
                              Rounding::none(), compute);
}
