//===- Components.h - Large parts of a program as one segment ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SEGMENT_COMPONENTS_H
#define LIB_TRANSFORMS_SEGMENT_COMPONENTS_H

#include "Window.h"

namespace mlir::fusion::segmentation {

/// Makes one item of all items that hang together by tensors, where they are
/// more nodes than a window holds and that is cheaper: what is accepted as a
/// whole may be accepted in no part that a window sees. `items` stay in an
/// order in which each comes after what it needs.
void mergeLargeComponents(const SegmentGraph &graph, Answers &answers,
                          llvm::SmallVectorImpl<Item> &items);

} // namespace mlir::fusion::segmentation

#endif // LIB_TRANSFORMS_SEGMENT_COMPONENTS_H
