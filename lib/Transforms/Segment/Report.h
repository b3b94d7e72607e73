//===- Report.h - Tell what segmentation decided ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_TRANSFORMS_SEGMENT_REPORT_H
#define LIB_TRANSFORMS_SEGMENT_REPORT_H

#include "FusionDialect/Transforms/Segmentation.h"

namespace mlir::fusion::segmentation {

/// Passed remarks: each segment with its cost, and each operation that reads
/// what another of its segment computes. Missed remarks: each two segments that
/// share a tensor and are not one, with the reason.
void remarkSegments(const SegmentGraph &graph, const Segmentation &segmentation,
                    CandidateOracle &oracle);

/// What no scheduler takes: for each set of such operations that hang together,
/// every scheduler's reason, as missed remarks or as an error with notes.
void reportOutside(const SegmentGraph &graph, const Segmentation &segmentation,
                   CandidateOracle &oracle, bool isError);

} // namespace mlir::fusion::segmentation

#endif // LIB_TRANSFORMS_SEGMENT_REPORT_H
