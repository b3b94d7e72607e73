//===- SchedulerRemarks.h - What users read about decisions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and categories of remarks, and the ways in which a rejection is told:
// as a remark where a choice remains, as an error where none does.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_SCHEDULERREMARKS_H
#define FUSIONDIALECT_ANALYSIS_SCHEDULERREMARKS_H

#include "FusionDialect/Analysis/Scheduler.h"

namespace mlir::fusion {

/// Remark categories: one for each phase that decides.
constexpr llvm::StringLiteral contestedRemarks = "fusion-decide-contested";
constexpr llvm::StringLiteral segmentRemarks = "fusion-segment";
constexpr llvm::StringLiteral scheduleRemarks = "fusion-schedule";

/// True if anyone asked for remarks of `category`, whatever kind: those that
/// take work to make are spared otherwise.
bool areRemarksEnabled(MLIRContext *context, llvm::StringRef category);

/// A missed remark at the operation that caused `rejection`.
void remarkRejection(llvm::StringRef category, const Scheduler &scheduler,
                     const Rejection &rejection);

/// Attaches `rejection` to `diagnostic` as a note at the operation that caused
/// it.
void noteRejection(InFlightDiagnostic &diagnostic, const Scheduler &scheduler,
                   const Rejection &rejection);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_SCHEDULERREMARKS_H
