//===- Assemble.h - Tensors put together from parts -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_ASSEMBLE_H
#define FUSION_LIB_REFERENCE_ASSEMBLE_H

#include "Graph.h"

namespace mlir::fusion::reference {

/// A value and where its elements go in the whole.
struct Part {
  Node *value;
  /// The position of its first element, one index for each dimension.
  SmallVector<int64_t> offsets;
  /// How each dimension of the value walks through the whole. The part covers
  /// one position in dimensions that are not named.
  SmallVector<ViewDim> dims;
};

/// A value that is `base` except where parts are written over it, in order. The
/// base has the whole's shape, or is a scalar, or is null if the parts cover
/// the whole. All positions are in bounds.
Node *assemble(Operation *op, Type elementType, ArrayRef<int64_t> shape,
               Node *base, ArrayRef<Part> parts, GraphBuilder &graph);

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_ASSEMBLE_H
