//===- RandomExpressionTest.cpp - Reductions of random expressions --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs (ExpressionWriter.h) before and after the passes of the
// algebra phase: equal bits where every rule is exact or nothing is rounded,
// the reference's bounds elsewhere. 400 programs of each family, 100,000 with
// FUSION_LONG_TESTS=1; how often each rule was applied is in the test's output.
//
//===----------------------------------------------------------------------===//

#include "ExpressionWriter.h"
#include "RemarkReader.h"
#include "TransformTest.h"
#include "mlir/Transforms/Passes.h"
#include <cstdio>

using namespace mlir;
using namespace mlir::fusion;

namespace {

class RandomExpressionTest : public TransformTest {
protected:
  RandomExpressionTest() {
    EXPECT_TRUE(succeeded(RemarkReader::install(context, remarks)));
  }

  /// The algebra phase without the price of kernels: trades are made or not.
  static void buildPasses(PassManager &manager, bool applyContested) {
    manager.addPass(createReorderReductionsPass());
    if (applyContested) {
      ReorderReductionsPassOptions options;
      options.contested = "apply";
      manager.addPass(createReorderReductionsPass(options));
    }
    manager.addPass(createCSEPass());
    manager.addPass(createSplitReductionsPass());
    manager.addPass(createVerifyAlgebraPass());
  }

  /// Calls `check` with each program's extents, after the passes.
  template <typename Check>
  void forEachProgram(ExpressionFamily family, Check check) {
    for (uint64_t seed = 0; seed < numPrograms; ++seed) {
      SCOPED_TRACE(seed);
      Expression expression = writeExpression(family, seed);
      if (!prepare(
              expression.program,
              [&](PassManager &manager) {
                buildPasses(manager, /*applyContested=*/seed % 2 != 0);
              },
              /*mustChange=*/false))
        return;
      for (int64_t size : {0, 1, 3}) {
        if (!expression.isDynamic ? size != 3
                                  : size == 0 && expression.needsElements)
          continue;
        check(expression, size);
      }
      if (HasFailure()) {
        ADD_FAILURE() << expression.program << print(*after);
        return;
      }
    }
    for (auto &[rule, count] : remarks.rules)
      std::printf("%s: %u\n", rule.c_str(), count);
  }

  /// A test would say nothing about a rule that never fired.
  void expectCounted(ArrayRef<const char *> rules) {
    for (const char *rule : rules)
      EXPECT_GE(remarks.rules[rule], 1u) << rule;
  }

  Remarks remarks;
  const uint64_t numPrograms = getNumTrials(400);
};

} // namespace

TEST_F(RandomExpressionTest, Exact) {
  forEachProgram(ExpressionFamily::Exact, [&](const Expression &expression,
                                              int64_t size) {
    StringRef text = expression.program;
    bool ignoresZeroSign = text.contains("maxnumf") || text.contains("minnumf");
    expectSameBits(expression.hasPromises
                       ? makeInputs(size, drawModerate, drawSmall)
                       : makeInputs(size, drawSpecial),
                   ignoresZeroSign);
  });
  expectCounted({"broadcast", "complement", "corners", "distribute", "merge",
                 "monotone", "repeat", "select", "separate"});
}

TEST_F(RandomExpressionTest, Whole) {
  forEachProgram(ExpressionFamily::Whole,
                 [&](const Expression &, int64_t size) {
                   expectSameBits(makeInputs(size, drawWhole, drawSmall),
                                  /*ignoresZeroSign=*/true);
                 });
  expectCounted({"broadcast", "corners", "distribute", "merge", "monotone",
                 "negate", "repeat", "select", "separate", "stages"});
}

TEST_F(RandomExpressionTest, Rounding) {
  forEachProgram(ExpressionFamily::Rounding,
                 [&](const Expression &, int64_t size) {
                   expectVerified(makeInputs(size, drawPositive, drawSmall),
                                  Precision::Double);
                 });
  expectCounted({"distribute", "monotone", "regroup", "repeat", "separate"});
}
