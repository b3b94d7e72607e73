//===- RunReport.cpp - What a run of the runner found ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/RunReport.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void mlir::fusion::printBenchmark(const BenchmarkResult &benchmark,
                                  llvm::raw_ostream &os) {
  const Statistics &times = benchmark.statistics;
  os << llvm::formatv(
      "benchmark: median {0:F2} us (min {1:F2}, p10 {2:F2}, p90 {3:F2}) over "
      "{4} graph replays of {5} launches, L2 flushed\n",
      times.median, times.minimum, times.p10, times.p90,
      benchmark.microseconds.size(), benchmark.launches);
  os << llvm::formatv(
      "benchmark: fewest bytes {0}, {1:F3} TB/s, {2:F1}% of the copy "
      "bandwidth {3:F3} TB/s\n",
      benchmark.fewestBytes, benchmark.getBandwidth() * 1e-12,
      benchmark.getShare() * 100, benchmark.copyBandwidth * 1e-12);
}

void mlir::fusion::printRepeat(const RepeatResult &repeat,
                               llvm::raw_ostream &os) {
  if (repeat.differentRun)
    os << "repeat check: DIFFERENT: " << repeat.differentOutput << " of run "
       << *repeat.differentRun << " differs from run 0\n";
  else
    os << "repeat check: " << repeat.runs << " runs are bitwise equal\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

template <typename T>
static json::Value toNullable(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

static json::Value toJSON(const DeviceDescription &device) {
  return json::Object{{"kind", device.kind},
                      {"name", device.name},
                      {"driver", device.driver},
                      {"chip", device.chip},
                      {"l2_bytes", device.l2Bytes},
                      {"multiprocessors", device.multiprocessors}};
}

static json::Value toJSON(const ReportedInput &input) {
  return json::Object{{"type", input.type},
                      {"shape", json::Array(input.shape)},
                      {"origin", input.origin}};
}

// JSON has no infinities: null says that a bound does not exist.
static json::Value toFinite(double value) {
  return std::isfinite(value) ? json::Value(value) : json::Value(nullptr);
}

static json::Value toJSON(const ResultReport &result) {
  return json::Object{{"passed", result.passed},
                      {"reason", result.reason},
                      {"shape", json::Array(result.shape)},
                      {"relative_l2", toFinite(result.relativeL2)},
                      {"accepted_l2", toFinite(result.acceptedL2)},
                      {"max_ulps", toFinite(result.maxUlps)},
                      {"elements", result.numElements},
                      {"failed", result.numFailed},
                      {"undecided", result.numUndecided},
                      {"worst_index", json::Array(result.worstIndex)},
                      {"worst_expected", toFinite(result.worstExpected)},
                      {"worst_actual", toFinite(result.worstActual)},
                      {"worst_accepted", toFinite(result.worstAccepted)}};
}

static json::Value toJSON(const RepeatResult &repeat) {
  return json::Object{{"runs", repeat.runs},
                      {"equal", !repeat.differentRun},
                      {"different_run", toNullable(repeat.differentRun)},
                      {"different_output", repeat.differentOutput}};
}

static json::Value toJSON(const BenchmarkResult &benchmark) {
  const Statistics &times = benchmark.statistics;
  return json::Object{{"median_us", times.median},
                      {"min_us", times.minimum},
                      {"p10_us", times.p10},
                      {"p90_us", times.p90},
                      {"replays", benchmark.microseconds.size()},
                      {"launches", benchmark.launches},
                      {"fewest_bytes", benchmark.fewestBytes},
                      {"bytes_per_second", benchmark.getBandwidth()},
                      {"copy_bytes_per_second", benchmark.copyBandwidth},
                      {"share_of_copy", benchmark.getShare()},
                      {"samples_us", json::Array(benchmark.microseconds)}};
}

template <typename Range>
static json::Array toArray(const Range &range) {
  json::Array array;
  for (const auto &element : range)
    array.push_back(::toJSON(element));
  return array;
}

json::Value mlir::fusion::toJSON(const RunReport &report) {
  json::Object object{
      {"file", report.file},         {"function", report.function},
      {"chip", report.chip},         {"seed", report.seed},
      {"executed", report.executed}, {"inputs", toArray(report.inputs)}};
  if (report.device)
    object["device"] = ::toJSON(*report.device);
  if (report.plan)
    object["plan"] = toJSON(*report.plan);
  if (report.verify)
    object["verify"] =
        json::Object{{"passed", report.verify->passed},
                     {"results", toArray(report.verify->results)}};
  if (report.repeat)
    object["repeat_check"] = ::toJSON(*report.repeat);
  if (report.benchmark)
    object["benchmark"] = ::toJSON(*report.benchmark);
  return object;
}
