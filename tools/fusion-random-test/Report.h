//===- Report.h - What many programs had and how they fared -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_REPORT_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_REPORT_H

#include "Check.h"
#include "Operations.h"

namespace mlir::fusion {

/// The sums over all programs.
class Report {
public:
  /// `pairs` are those that the programs should have.
  explicit Report(ArrayRef<OperationPair> pairs);

  void add(const CheckResult &result);
  void print(llvm::raw_ostream &os) const;

  int64_t getNumFailures() const;
  /// The share of programs that were compiled, in percent, rounded down.
  int64_t getAcceptedPercent() const;
  bool hasAllPairs() const { return missingPairs.empty(); }

private:
  int64_t numPrograms = 0;
  std::map<Outcome, int64_t> outcomes;
  std::map<std::string, int64_t> schedulers, rejections;
  size_t numPairs;
  std::map<std::string, int64_t> missingPairs;
};

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_REPORT_H
