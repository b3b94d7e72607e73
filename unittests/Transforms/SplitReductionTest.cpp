//===- SplitReductionTest.cpp - One reduction and its two stages ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two stages give the bits of one reduction where combining is exact, and sums
// and products within the reference's bounds: on special numbers, and where the
// first or the second stage has no elements or one. A trial is one element of
// the result.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Algebra.h"
#include "TransformTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

struct SplitCase {
  ReductionKind kind;
  const char *element;
};

std::string getName(const SplitCase &c) {
  return stringifyReductionKind(c.kind).str() + "_" + c.element;
}

std::ostream &operator<<(std::ostream &os, const SplitCase &c) {
  return os << getName(c);
}

std::vector<SplitCase> getCases() {
  std::vector<SplitCase> cases;
  for (const CombinerTraits &traits : getCombinerTable()) {
    if (!traits.floatCombine.empty())
      for (const char *element : {"f32", "f64", "f16", "bf16", "f8E4M3FN"})
        cases.push_back({traits.kind, element});
    if (!traits.integerCombine.empty())
      for (const char *element : {"i1", "i8", "i64"})
        cases.push_back({traits.kind, element});
  }
  return cases;
}

class SplitReduction : public TransformTest,
                       public ::testing::WithParamInterface<SplitCase> {
protected:
  /// A reduction over rows and columns for each of `outer` places, beside one
  /// over the columns, which is what its first stage is aligned with.
  static std::string getProgram(int64_t outer, const std::string &rows,
                                const std::string &columns) {
    const SplitCase &c = GetParam();
    std::string kind = stringifyReductionKind(c.kind).str();
    std::string kept = "tensor<" + std::to_string(outer) + "x";
    std::string element = std::string(c.element) + ">";
    std::string x = kept + rows + "x" + columns + "x" + element;
    std::string p = kept + rows + "x" + element, r = kept + element;
    return "func.func @f(%x: " + x + ") -> (" + p + ", " + r + ") {\n" +
           "  %p = fusion.reduce " + kind + " %x dims = [2] : " + x + " -> " +
           p + "\n  %r = fusion.reduce " + kind + " %x dims = [1, 2] : " + x +
           " -> " + r + "\n  return %p, %r : " + p + ", " + r + "\n}\n";
  }

  /// True if the order of combining changes nothing.
  static bool isExact() {
    const SplitCase &c = GetParam();
    return getCombinerTraits(c.kind).floatMerge == RewriteClass::Exact ||
           c.element[0] == 'i';
  }

  void expectSame(int64_t size) {
    StringRef kind = stringifyReductionKind(GetParam().kind);
    if (isExact())
      expectSameBits(makeInputs(size, drawSpecial),
                     /*ignoresZeroSign=*/kind.contains("num"));
    else
      expectVerified(makeInputs(size, drawPositive));
  }
};

} // namespace

TEST_P(SplitReduction, SameResults) {
  // Enough columns for every type's partial results to be fewer bytes.
  if (!prepare(getProgram(getNumTrials(500), "3", "9"),
               createSplitReductionsPass()))
    return;
  expectSame(0);
}

TEST_P(SplitReduction, EmptyAndSingleStages) {
  for (auto [rows, columns] :
       {std::pair("?", "9"), std::pair("3", "?"), std::pair("?", "?")}) {
    if (!prepare(getProgram(50, rows, columns), createSplitReductionsPass()))
      return;
    for (int64_t size : {0, 1, 4})
      expectSame(size);
  }
}

INSTANTIATE_TEST_SUITE_P(Algebra, SplitReduction,
                         ::testing::ValuesIn(getCases()),
                         [](const ::testing::TestParamInfo<SplitCase> &info) {
                           return getName(info.param);
                         });
