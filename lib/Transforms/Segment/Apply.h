//===- Apply.h - Build the segments of a plan -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SEGMENT_APPLY_H
#define LIB_TRANSFORMS_SEGMENT_APPLY_H

#include "FusionDialect/Transforms/Segmentation.h"

namespace mlir::fusion::segmentation {

/// Wraps the operations of each segment in a fusion.segment, with its own
/// copies of what is recomputed, and brings the block into an order in which
/// each operation comes after what it needs: the old one where that is
/// possible. `graph` holds no longer.
void applySegmentation(const SegmentGraph &graph,
                       const Segmentation &segmentation);

} // namespace mlir::fusion::segmentation

#endif // LIB_TRANSFORMS_SEGMENT_APPLY_H
