//===- RunReport.h - What a run of the runner found -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that fusion-runner reports, as values; printed as text and as
// JSON. docs/Benchmarking.md explains the fields.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_RUNREPORT_H
#define FUSIONDIALECT_RUNTIME_RUNREPORT_H

#include "FusionDialect/Reference/Verify.h"
#include "FusionDialect/Runtime/Execution.h"
#include "FusionDialect/Runtime/Plan.h"

namespace mlir::fusion {

/// One argument of the run.
struct ReportedInput {
  std::string type;
  std::vector<int64_t> shape;
  /// rand, const:V, a file, or uninitialized.
  std::string origin;
};

/// A run; parts that did not take place are absent.
struct RunReport {
  std::string file;
  std::string function;
  std::string chip;
  uint64_t seed = 0;
  /// False if the program was compiled only.
  bool executed = false;
  std::optional<DeviceDescription> device;
  std::optional<Plan> plan;
  std::vector<ReportedInput> inputs;
  std::optional<VerifyReport> verify;
  std::optional<RepeatResult> repeat;
  std::optional<BenchmarkResult> benchmark;
};

/// Prints the timings and what they mean in bytes per second.
void printBenchmark(const BenchmarkResult &benchmark, llvm::raw_ostream &os);
/// Prints whether the runs were equal.
void printRepeat(const RepeatResult &repeat, llvm::raw_ostream &os);

/// The whole report as JSON.
llvm::json::Value toJSON(const RunReport &report);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_RUNREPORT_H
