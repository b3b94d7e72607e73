//===- Families.h - The kinds of random programs ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two modes. Programs of any kind are built from whatever the dialect allows;
// most of them no scheduler takes. A claimed program belongs to a family: a
// kind of program that a scheduler says it takes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_FAMILIES_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_FAMILIES_H

#include "ProgramBuilder.h"

namespace mlir::fusion {

/// What the programs of a family do with a space of rows and columns. A family
/// is added by a line in the table of Families.cpp.
struct Family {
  llvm::StringLiteral name;
  /// The scheduler that claims it; programs are made if it is registered.
  llvm::StringLiteral scheduler;
  /// Reductions along the rows, along the columns, over everything.
  bool reducesRows = false, reducesColumns = false, reducesAll = false;
  /// Their totals are broadcast back and used again.
  bool reusesRows = false, reusesColumns = false;
  /// Reductions of parts of rows, whose totals are used again.
  bool reducesParts = false;
};

/// The families whose schedulers are registered in `context`.
SmallVector<const Family *> getClaimedFamilies(MLIRContext *context);

enum class ProgramMode { Any, Claimed };

struct GenerateOptions {
  ProgramMode mode = ProgramMode::Any;
  /// Only operations that compute the same bits on every device.
  bool exactOnly = false;
};

/// The pairs that programs with `options` have.
SmallVector<OperationPair> getGeneratedPairs(MLIRContext *context,
                                             const GenerateOptions &options);

/// A program, the same for the same seed. Consecutive seeds go through the
/// pairs in turn: each program has a few of them.
OwningOpRef<ModuleOp> generateProgram(MLIRContext *context, uint64_t seed,
                                      const GenerateOptions &options);

/// Builds a program of any kind that has an operation for each of `wanted`.
OwningOpRef<ModuleOp> generateAnyProgram(ProgramBuilder &builder,
                                         ArrayRef<OperationPair> wanted);

/// Builds a program of `family`.
OwningOpRef<ModuleOp> generateClaimedProgram(ProgramBuilder &builder,
                                             const Family &family,
                                             ArrayRef<OperationPair> wanted);

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_FAMILIES_H
