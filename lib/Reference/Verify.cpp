//===- Verify.cpp - Comparison with the reference -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/Verify.h"
#include "FusionDialect/Reference/FloatFormat.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// A result whose error bounds exceed this share of it, as norms, has cancelled
/// so far that its relative L2 error says nothing. That is asked again of the
/// bounds without what reductions owe to their length alone (addConditioned).
static constexpr double cancelledShare = 1.0 / 128.0;

namespace {
/// What a chunk of elements adds to the report. The chunks are merged in order,
/// so that the report does not depend on the threads.
struct Findings {
  double sumDifference2 = 0.0, sumReference2 = 0.0, sumRounding2 = 0.0,
         sumError2 = 0.0, sumSubnormal2 = 0.0;
  /// Of the bounds without what reductions owe to their length alone; 0 until
  /// a second evaluation (addConditioned).
  double sumConditioned2 = 0.0;
  int64_t numFailed = 0, numUndecided = 0;
  double maxUlps = 0.0;
  /// The worst element: the greatest |difference| / accepted.
  double worstShare = -1.0;
  int64_t worstElement = -1;
  double worstExpected = 0.0, worstActual = 0.0, worstAccepted = 0.0;
  /// Ranges of elements of this chunk that the sums leave out, in order. Not
  /// merged: only the chunk's own tiles ask for them.
  SmallVector<std::pair<int64_t, int64_t>, 0> leftOut;

  void merge(const Findings &other);
  void leaveOut(int64_t element) {
    if (leftOut.empty() || leftOut.back().second != element)
      leftOut.push_back({element, element});
    ++leftOut.back().second;
  }
  void noteElement(int64_t element, double expected, double actual,
                   double accepted, double share) {
    if (share <= worstShare)
      return;
    worstShare = share;
    worstElement = element;
    worstExpected = expected;
    worstActual = actual;
    worstAccepted = accepted;
  }
};

/// Compares the elements of one result.
class ResultComparison {
public:
  ResultComparison(const ResultInfo &info, const HostTensor &actual,
                   const VerifyOptions &options)
      : info(info), actual(actual), options(options) {
    if (auto type = dyn_cast<FloatType>(info.elementType))
      format = FloatFormat::get(type);
  }

  void compare(const ResultTile &tile);
  /// True if every element is within its bound, but their norm is beyond what
  /// is accepted so far, or says nothing so far: `addConditioned` may then
  /// concede more, or find that it does. From then on it counts.
  bool needsConditioned();
  /// Takes the tiles again, with errors that leave out what reductions owe to
  /// their length alone.
  void addConditioned(const ResultTile &tile);
  ResultReport makeReport() const;

private:
  void compareFloats(const ResultTile &tile, Findings &findings) const;
  void compareIntegers(const ResultTile &tile, Findings &findings) const;
  bool isAcceptedSpecial(double expected, double found, double reach) const;
  Findings mergeChunks() const;
  bool judgeL2(const Findings &total, ResultReport &report) const;
  void explain(const Findings &total, ResultReport &report) const;

  ResultInfo info;
  HostTensor actual;
  const VerifyOptions &options;
  std::optional<FloatFormat> format;
  std::array<Findings, maxResultChunks> chunks;
  /// The tiles are taken again, or were.
  bool isConditioned = false;
};
} // namespace

void Findings::merge(const Findings &other) {
  sumDifference2 += other.sumDifference2;
  sumReference2 += other.sumReference2;
  sumRounding2 += other.sumRounding2;
  sumError2 += other.sumError2;
  sumSubnormal2 += other.sumSubnormal2;
  sumConditioned2 += other.sumConditioned2;
  numFailed += other.numFailed;
  numUndecided += other.numUndecided;
  maxUlps = std::max(maxUlps, other.maxUlps);
  if (other.worstElement >= 0)
    noteElement(other.worstElement, other.worstExpected, other.worstActual,
                other.worstAccepted, other.worstShare);
}

/// Infinities and NaN must match, but where an overflow is within `reach` of
/// not happening, or of happening, both outcomes are accepted.
bool ResultComparison::isAcceptedSpecial(double expected, double found,
                                         double reach) const {
  bool bothNaN = std::isnan(expected) && std::isnan(found);
  if (bothNaN || expected == found)
    return true;
  // Without infinities the sign of an overflow does not show.
  bool hasInfinity = std::isinf(format->overflowValue);
  if (std::isfinite(expected)) {
    bool isOverflow =
        hasInfinity ? std::isinf(found) && (found > 0.0) == (expected > 0.0)
                    : std::isnan(found);
    return isOverflow && std::fabs(expected) + reach >= format->overflowFrom;
  }
  bool wasOverflow = hasInfinity ? std::isinf(expected) : std::isnan(expected);
  double step = format->ulp(format->maxFinite);
  return wasOverflow && reach > 0.0 && std::isfinite(found) &&
         (!hasInfinity || (found > 0.0) == (expected > 0.0)) &&
         std::fabs(found) >= format->overflowFrom - reach - step;
}

void ResultComparison::compareFloats(const ResultTile &tile,
                                     Findings &findings) const {
  const FloatFormat fmt = *format;
  constexpr int64_t piece = 512;
  double found[piece];
  for (int64_t start = 0; start < tile.count; start += piece) {
    int64_t size = std::min(piece, tile.count - start);
    actual.readAsDouble(tile.first + start, size, found);
    for (int64_t i = 0; i < size; ++i) {
      double expected = tile.floats[start + i];
      double error = tile.errors[start + i];
      double reach = options.errorFactor * (error == error ? error : infinity);
      if (!std::isfinite(expected) || !std::isfinite(found[i])) {
        bool accepted =
            reach == infinity || isAcceptedSpecial(expected, found[i], reach);
        findings.numFailed += !accepted;
        findings.numUndecided += reach == infinity;
        findings.noteElement(tile.first + start + i, expected, found[i], reach,
                             accepted ? 0.0 : infinity);
        findings.leaveOut(tile.first + start + i);
        continue;
      }
      if (reach == infinity) {
        ++findings.numUndecided;
        findings.leaveOut(tile.first + start + i);
        continue;
      }
      double ulp = fmt.ulp(expected);
      double accepted = info.exact ? 0.0 : reach + ulp;
      double difference = std::fabs(found[i] - expected);
      double share = difference == 0.0 ? 0.0 : difference / accepted;
      bool isRight = difference <= accepted;
      if (info.hasSignedZeros && expected == 0.0 && error == 0.0 &&
          found[i] == 0.0 && std::signbit(expected) != std::signbit(found[i])) {
        isRight = false;
        share = infinity;
      }
      findings.numFailed += !isRight;
      findings.noteElement(tile.first + start + i, expected, found[i], accepted,
                           share);
      findings.maxUlps = std::max(findings.maxUlps, difference / ulp);
      double rounding = fmt.round(expected) - expected;
      findings.sumDifference2 += difference * difference;
      findings.sumReference2 += expected * expected;
      findings.sumRounding2 +=
          std::isfinite(rounding) ? rounding * rounding : 0.0;
      findings.sumError2 += reach * reach;
      if (std::fabs(expected) < fmt.minNormal)
        findings.sumSubnormal2 += ulp * ulp;
    }
  }
}

void ResultComparison::compareIntegers(const ResultTile &tile,
                                       Findings &findings) const {
  SmallVector<int64_t, 0> found(tile.count);
  actual.readAsInteger(tile.first, tile.count, found.data());
  for (int64_t i = 0; i < tile.count; ++i) {
    bool isUndecided = tile.errors[i] != 0.0;
    auto expected = static_cast<double>(tile.integers[i]);
    auto value = static_cast<double>(found[i]);
    bool isEqual = found[i] == tile.integers[i];
    findings.numFailed += !isEqual && !isUndecided;
    findings.numUndecided += isUndecided;
    findings.noteElement(tile.first + i, expected, value, 0.0,
                         isEqual || isUndecided ? 0.0 : infinity);
    if (!isUndecided)
      findings.maxUlps =
          std::max(findings.maxUlps, std::fabs(value - expected));
  }
}

void ResultComparison::compare(const ResultTile &tile) {
  Findings &findings = chunks[tile.chunk];
  if (format)
    compareFloats(tile, findings);
  else
    compareIntegers(tile, findings);
}

/// The relative L2 error and what is accepted of it. Returns false if that is
/// anything, since the result cancels.
bool ResultComparison::judgeL2(const Findings &total,
                               ResultReport &report) const {
  double reference = std::sqrt(total.sumReference2);
  double difference = std::sqrt(total.sumDifference2);
  double errors = std::sqrt(total.sumError2);
  report.relativeL2 = difference == 0.0 ? 0.0 : difference / reference;
  if (info.exact)
    return true;
  // The squares of f64 can overflow; then the norms say nothing.
  bool isFinite = std::isfinite(reference) && std::isfinite(difference) &&
                  std::isfinite(errors);
  if (!isFinite) {
    report.relativeL2 = 0.0;
    report.acceptedL2 = infinity;
    return true;
  }
  double conditioned = std::sqrt(total.sumConditioned2);
  if (errors / options.errorFactor > cancelledShare * reference) {
    if (!isConditioned || conditioned > cancelledShare * reference) {
      report.acceptedL2 = infinity;
      return false;
    }
    errors = options.errorFactor * conditioned;
  }
  bool isNarrow = format->fractionBits < 23;
  bool isSingle = format->fractionBits == 23 || info.roundsToSingle;
  double usual = isNarrow ? 1e-4 : isSingle ? 1e-6 : 1e-12;
  report.acceptedL2 = options.rtol.value_or(usual);
  if (reference == 0.0)
    return true;
  // Where numbers cancel, or a function magnifies errors, no program in this
  // type can do better than its bounds (addConditioned).
  if (!options.rtol)
    report.acceptedL2 = std::max(report.acceptedL2, conditioned / reference);
  if (isNarrow)
    report.acceptedL2 += std::sqrt(total.sumRounding2) / reference;
  // What underflows has no relative precision left, only the last place.
  report.acceptedL2 += std::sqrt(total.sumSubnormal2) / reference;
  // A rounding to few bits can go the other way; that is in the bounds.
  if (info.hasSteps)
    report.acceptedL2 += errors / reference;
  return true;
}

static std::string describeElement(const ResultReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "element [";
  llvm::interleaveComma(report.worstIndex, os);
  os << "] is " << llvm::format("%.9g", report.worstActual) << ", expected "
     << llvm::format("%.9g", report.worstExpected);
  if (report.worstAccepted > 0.0 && report.worstAccepted < infinity)
    os << llvm::format(" within %.3g", report.worstAccepted);
  return text;
}

void ResultComparison::explain(const Findings &total,
                               ResultReport &report) const {
  llvm::raw_string_ostream os(report.reason);
  if (total.numFailed != 0) {
    os << total.numFailed << " of " << report.numElements
       << " elements are wrong: " << describeElement(report);
    return;
  }
  os << llvm::format("the relative L2 error is %.3g, expected at most %.3g",
                     report.relativeL2, report.acceptedL2);
}

Findings ResultComparison::mergeChunks() const {
  Findings total;
  for (const Findings &findings : chunks)
    total.merge(findings);
  return total;
}

bool ResultComparison::needsConditioned() {
  if (!format || info.exact || options.rtol)
    return false;
  Findings total = mergeChunks();
  ResultReport report;
  bool cancels = !judgeL2(total, report) && total.sumReference2 != 0.0;
  isConditioned = total.numFailed == 0 &&
                  (cancels || report.relativeL2 > report.acceptedL2);
  return isConditioned;
}

void ResultComparison::addConditioned(const ResultTile &tile) {
  Findings &findings = chunks[tile.chunk];
  auto *range = llvm::partition_point(
      findings.leftOut, [&](auto r) { return r.second <= tile.first; });
  for (int64_t i = 0; i < tile.count; ++i) {
    int64_t element = tile.first + i;
    if (range != findings.leftOut.end() && range->second <= element)
      ++range;
    if (range == findings.leftOut.end() || element < range->first)
      findings.sumConditioned2 += tile.errors[i] * tile.errors[i];
  }
}

ResultReport ResultComparison::makeReport() const {
  Findings total = mergeChunks();
  ResultReport report;
  report.elementType = info.elementType;
  report.shape = info.shape;
  report.numElements = actual.getNumElements();
  report.numFailed = total.numFailed;
  report.numUndecided = total.numUndecided;
  report.maxUlps = total.maxUlps;
  report.worstExpected = total.worstExpected;
  report.worstActual = total.worstActual;
  report.worstAccepted = total.worstAccepted;
  if (total.worstElement >= 0) {
    int64_t rest = total.worstElement;
    report.worstIndex.resize(info.shape.size());
    for (size_t i = info.shape.size(); i-- > 0;) {
      report.worstIndex[i] = rest % info.shape[i];
      rest /= info.shape[i];
    }
  }
  if (format)
    judgeL2(total, report);
  report.passed =
      total.numFailed == 0 && report.relativeL2 <= report.acceptedL2;
  if (!report.passed)
    explain(total, report);
  return report;
}

void VerifyReport::print(llvm::raw_ostream &os) const {
  if (results.empty())
    os << "no results to verify\n";
  for (auto [index, report] : llvm::enumerate(results)) {
    os << "result " << index << ": " << (report.passed ? "passed" : "FAILED");
    if (isa<FloatType>(report.elementType))
      os << llvm::format(", relative L2 error %.3g", report.relativeL2)
         << llvm::format(" (accepted %.3g)", report.acceptedL2)
         << llvm::format(", at most %.3g ulp", report.maxUlps);
    if (report.numUndecided != 0)
      os << ", " << report.numUndecided << " of " << report.numElements
         << " elements undecided";
    if (!report.passed)
      os << ": " << report.reason;
    os << '\n';
  }
}

/// Evaluates once more where a result may need it. Kernels reduce in trees and
/// in many accumulators: whatever the length, their roundings stay below a few.
/// What operands bring into a reduction is another matter: where one element
/// dominates, or all have the same error, it does not average out.
static LogicalResult
addConditioned(FunctionOpInterface function, ArrayRef<HostTensor> inputs,
               ReferenceOptions options, bool anyOrder,
               ArrayRef<std::unique_ptr<ResultComparison>> comparisons) {
  SmallVector<bool> isWanted = llvm::map_to_vector(
      comparisons, [](const auto &c) { return c->needsConditioned(); });
  if (!llvm::is_contained(isWanted, true))
    return success();
  if (!anyOrder)
    options.maxOrderRoundings = options.errorFactor;
  return evaluateByTiles(
      function, inputs, options, [](ArrayRef<ResultInfo>) { return success(); },
      [&](const ResultTile &tile) {
        if (isWanted[tile.result])
          comparisons[tile.result]->addConditioned(tile);
      });
}

FailureOr<VerifyReport> fusion::verify(FunctionOpInterface function,
                                       ArrayRef<HostTensor> inputs,
                                       ArrayRef<HostTensor> actual,
                                       const VerifyOptions &options) {
  std::vector<std::unique_ptr<ResultComparison>> comparisons;
  auto prepare = [&](ArrayRef<ResultInfo> infos) -> LogicalResult {
    if (infos.size() != actual.size())
      return function.emitError()
             << "expected " << infos.size() << " results to verify, but found "
             << actual.size();
    for (auto [index, info, tensor] : llvm::enumerate(infos, actual)) {
      if (info.elementType != tensor.getElementType() ||
          ArrayRef<int64_t>(info.shape) != tensor.getShape())
        return function.emitError()
               << "expected result " << index << " to be ["
               << ArrayRef<int64_t>(info.shape) << "] of " << info.elementType
               << ", but found [" << tensor.getShape() << "] of "
               << tensor.getElementType();
      comparisons.push_back(
          std::make_unique<ResultComparison>(info, tensor, options));
    }
    return success();
  };
  ReferenceOptions referenceOptions;
  referenceOptions.precision = options.precision;
  referenceOptions.errors = true;
  referenceOptions.errorFactor = options.errorFactor;
  if (failed(evaluateByTiles(function, inputs, referenceOptions, prepare,
                             [&](const ResultTile &tile) {
                               comparisons[tile.result]->compare(tile);
                             })) ||
      failed(addConditioned(function, inputs, referenceOptions,
                            options.anyOrder, comparisons)))
    return failure();
  VerifyReport report;
  for (const auto &comparison : comparisons) {
    report.results.push_back(comparison->makeReport());
    report.passed &= report.results.back().passed;
  }
  return report;
}
