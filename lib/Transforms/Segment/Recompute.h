//===- Recompute.h - Compute again instead of storing -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SEGMENT_RECOMPUTE_H
#define LIB_TRANSFORMS_SEGMENT_RECOMPUTE_H

#include "FusionDialect/Transforms/Segmentation.h"

namespace mlir::fusion::segmentation {

/// The number of a node's segment, or `noSegment`, by node.
constexpr unsigned noSegment = ~0u;
llvm::SmallVector<unsigned> getSegmentOfNode(const SegmentGraph &graph,
                                             const Segmentation &segmentation);

/// True for element-wise operations without side effects, which can be computed
/// again wherever they are used.
bool isRecomputable(Operation *op);

/// Where one segment stores an element-wise value for others, lets those
/// compute it again if that saves time, or memory at equal time: alone, or
/// with the element-wise operations before it in its segment. Changes `graph`
/// and `segmentation`.
void recomputeCheapNodes(SegmentGraph &graph, CandidateOracle &oracle,
                         Segmentation &segmentation);

} // namespace mlir::fusion::segmentation

#endif // LIB_TRANSFORMS_SEGMENT_RECOMPUTE_H
