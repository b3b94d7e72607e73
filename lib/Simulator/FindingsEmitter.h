//===- FindingsEmitter.h - Findings as diagnostics --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_FINDINGSEMITTER_H
#define FUSION_LIB_SIMULATOR_FINDINGSEMITTER_H

#include "FusionDialect/Simulator/Findings.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::fusion::sim {

/// Reports each finding as an error with a note at the other access.
void emitFindings(llvm::ArrayRef<Finding> findings);

/// Orders by source position: host threads find them in any order.
void sortFindings(llvm::MutableArrayRef<Finding> findings);

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_FINDINGSEMITTER_H
