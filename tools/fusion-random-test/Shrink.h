//===- Shrink.h - Makes a failing program small -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_SHRINK_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_SHRINK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fusion {

/// The smallest program that greedy steps reach from `module` and that
/// `stillFails` accepts: fewer results, operations, arguments and flags,
/// smaller extents. Asks at most `mostQuestions` times.
OwningOpRef<ModuleOp> shrink(ModuleOp module,
                             llvm::function_ref<bool(ModuleOp)> stillFails,
                             unsigned mostQuestions = 600);

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_SHRINK_H
