//===- LoopExtents.h - Extents that loops keep ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_LOOPEXTENTS_H
#define FUSION_LIB_TRANSFORMS_LOOPEXTENTS_H

#include "FusionDialect/Analysis/DimClasses.h"

namespace mlir::fusion {

/// Gives what `scf.for` carries and what `scf.if` gives, in `root`, the static
/// extents that it has whenever it is made: those that a loop starts with and
/// that every iteration keeps, or that both branches give. Casts to the types
/// of before stand around. `dims` are the classes of `root`, and hold no longer
/// if anything changed. Returns the number of values that got another type.
unsigned refineLoopExtents(Operation *root, const DimClasses &dims);

} // namespace mlir::fusion

#endif // FUSION_LIB_TRANSFORMS_LOOPEXTENTS_H
