//===- Report.cpp - What many programs had and how they fared -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

Report::Report(ArrayRef<OperationPair> pairs) : numPairs(pairs.size()) {
  for (const OperationPair &pair : pairs)
    missingPairs[pair.str()] = 0;
}

void Report::add(const CheckResult &result) {
  ++numPrograms;
  ++outcomes[result.outcome];
  for (const auto &[scheduler, count] : result.schedulers)
    schedulers[scheduler] += count;
  // Each reason counts once a program.
  for (const auto &[code, count] : result.rejections)
    ++rejections[code];
  for (const auto &[pair, count] : result.pairs)
    missingPairs.erase(pair);
}

int64_t Report::getNumFailures() const {
  int64_t failures = 0;
  for (const auto &[outcome, count] : outcomes)
    if (isFailure(outcome))
      failures += count;
  return failures;
}

int64_t Report::getAcceptedPercent() const {
  auto refused = outcomes.find(Outcome::Refused);
  int64_t numRefused = refused == outcomes.end() ? 0 : refused->second;
  return numPrograms == 0 ? 0 : 100 * (numPrograms - numRefused) / numPrograms;
}

static void printCounts(StringRef title,
                        const std::map<std::string, int64_t> &counts,
                        llvm::raw_ostream &os) {
  os << title << ":";
  for (const auto &[name, count] : counts)
    os << " " << name << " " << count;
  os << (counts.empty() ? " none\n" : "\n");
}

void Report::print(llvm::raw_ostream &os) const {
  os << "programs: " << numPrograms;
  for (const auto &[outcome, count] : outcomes)
    os << ", " << stringifyOutcome(outcome) << " " << count;
  os << "\naccepted: " << getAcceptedPercent() << " %\n";
  printCounts("segments", schedulers, os);
  printCounts("refused for", rejections, os);
  os << "pairs of operation and element type: "
     << numPairs - missingPairs.size() << " of " << numPairs;
  StringRef separator = ", missing: ";
  for (const auto &[pair, count] : missingPairs) {
    os << separator << pair;
    separator = ", ";
  }
  os << "\n";
}
