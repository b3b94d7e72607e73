//===- ExactRuleTest.cpp - The rules that claim to be exact ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each exact rule of docs/Algebra.md gives the same bits in 2,000 trials of
// each type, with FUSION_LONG_TESTS=1 in 100,000, a trial being a row of
// numbers with infinities, NaN, signed zeros and subnormal numbers among them;
// also without columns and with one, with 70,000 in types that do not count
// that far, and where the reduced value is needed anyway. A test fails if the
// rule that it is about is not applied.
//
//===----------------------------------------------------------------------===//

#include "RemarkReader.h"
#include "RuleProgram.h"
#include "TransformTest.h"

using namespace mlir;
using namespace mlir::fusion;

static const char *const floats = "f32 f16 bf16 f64 f8E5M2";

static const Rule exactRules[] = {
    {"KeptBroadcast", "broadcast", "%x: T<$>, %b: R<$>", R"(
       %y = fusion.broadcast %x dims = [0, 1] : T<$> -> U<$>
       %r = fusion.reduce add %y dims = [1] : U<$> -> S<$>)",
     "U<$>", "S<$>", "f32 f16 bf16 f64 i32 i8"},
    {"Views", "broadcast", "%x: T<$>, %b: R<$>", R"(
       %t = fusion.broadcast %x dims = [0, 1] : T<$> -> U<$>
       %y = fusion.transpose %t permutation = [2, 0, 1] : U<$> -> P<$>
       %r = fusion.reduce maximumf %y dims = [2] : P<$> -> W<$>)",
     "P<$>", "W<$>", floats},
    {"MaximumOfEqual", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce maximumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f16 bf16 f64 f8E5M2 f8E4M3FN"},
    {"NumberOfEqual", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce minnumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"AndOfEqual", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce and %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i8 i32 i64"},
    {"SumOfEqual", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i8 i32 i64"},
    // Two additions.
    {"SumOfThree", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f16 bf16 f64", 3, false, false, true},
    {"ProductOfEqual", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce mul %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i8 i16 i64", 5, false, false, true},
    {"XorOfEqualOdd", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce xor %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32", 5, false, false, true},
    {"XorOfEqualEven", "repeat", "%x: T<f32>, %b: R<$>", R"(
       %y = fusion.broadcast %b [N] dims = [0] : R<$> -> T<$>
       %r = fusion.reduce xor %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32", 4, false, false, true},
    {"MergedMinima", "merge", "%x: U<$>, %b: R<$>", R"(
       %y = fusion.reduce minimumf %x dims = [2] : U<$> -> T<$>
       %r = fusion.reduce minimumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"MergedProducts", "merge", "%x: U<$>, %b: R<$>", R"(
       %y = fusion.reduce mul %x dims = [1] : U<$> -> S<$>
       %r = fusion.reduce mul %y dims = [1] : S<$> -> R<$>)",
     "S<$>", "R<$>", "i8 i32"},
    {"MergedSums", "merge", "%x: U<$>, %b: R<$>", R"(
       %y = fusion.reduce add %x dims = [2] : U<$> -> T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i8 i32"},
    {"WidenedSum", "widen", "%x: T<$>, %b: R<$>", R"(
       %y = arith.extf %x : T<$> to T<f32>
       %r = fusion.reduce add %y dims = [1] : T<f32> -> R<f32>)",
     "T<f32>", "R<f32>", "f16 bf16 f8E5M2 f8E4M3FN"},
    {"IntegerSum", "separate, distribute, repeat", "%x: T<$>, %b: R<$>", R"(
       %m = arith.muli %x, %bb overflow<nsw> : T<$>
       %y = arith.addi %m, %bb : T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i8 i16 i32 i64"},
    {"IntegerDifference", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.subi %bb, %x overflow<nuw> : T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i8 i32"},
    {"IntegerProduct", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.muli %x, %bb : T<$>
       %r = fusion.reduce mul %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i8 i16 i32", 5, false, false, true},
    {"ProductOfSums", "distribute", "%x: T<$>, %z: S<$>, %b: R<$>", R"(
       %xx = fusion.broadcast %x dims = [0, 1] : T<$> -> U<$>
       %zz = fusion.broadcast %z [N] dims = [0, 2] : S<$> -> U<$>
       %y = arith.muli %xx, %zz : U<$>
       %r = fusion.reduce add %y dims = [1, 2] : U<$> -> R<$>)",
     "U<$>", "R<$>", "i8 i32"},
    {"OrOfAnd", "distribute", "%x: T<$>, %b: R<$>", R"(
       %y = arith.andi %x, %bb : T<$>
       %r = fusion.reduce or %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32"},
    {"AndOfOr", "distribute", "%x: T<$>, %b: R<$>", R"(
       %y = arith.ori %x, %bb : T<$>
       %r = fusion.reduce and %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32"},
    {"XorOfAnd", "distribute", "%x: T<$>, %b: R<$>", R"(
       %y = arith.andi %x, %bb : T<$>
       %r = fusion.reduce xor %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32"},
    {"OrOfOr", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.ori %x, %bb : T<$>
       %r = fusion.reduce or %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32"},
    {"XorOfXor", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.xori %x, %bb : T<$>
       %r = fusion.reduce xor %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i1 i32", 5, false, false, true},
    {"MaximumOfMaxima", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.maximumf %x, %bb : T<$>
       %r = fusion.reduce maximumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"NumberOfNumbers", "separate, repeat", "%x: T<$>, %b: R<$>", R"(
       %y = arith.minnumf %x, %bb : T<$>
       %r = fusion.reduce minnumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", floats, 5, false, true},
    {"ProductOfNegationsOdd", "negate", "%x: T<$>, %b: R<$>", R"(
       %y = arith.negf %x : T<$>
       %r = fusion.reduce mul %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f64", 5, false, false, true},
    {"ProductOfNegationsEven", "negate", "%x: T<$>, %b: R<$>", R"(
       %y = arith.negf %x : T<$>
       %r = fusion.reduce mul %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f64", 4, false, false, true},
    {"OrOfNot", "complement", "%x: T<$>, %b: R<$>", R"(
       %ones = arith.constant dense<-1> : T<$>
       %y = arith.xori %x, %ones : T<$>
       %r = fusion.reduce or %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i8 i32", 5, false, false, true},
    {"MinimumOfNot", "complement", "%x: T<$>, %b: R<$>", R"(
       %one = arith.constant -1 : $
       %ones = tensor.splat %one [N] : T<$>
       %y = arith.xori %ones, %x : T<$>
       %r = fusion.reduce minui %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i8 i32"},
    {"SelectedSum", "select", "%c: R<i1>, %x: T<$>, %b: R<$>", R"(
       %zero = arith.constant 0.0 : $
       %zeros = tensor.splat %zero [N] : T<$>
       %cc = fusion.broadcast %c [N] dims = [0] : R<i1> -> T<i1>
       %y = arith.select %cc, %x, %zeros : T<i1>, T<$>
       %r = fusion.reduce add %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f16 bf16 f64"},
    {"SelectedMaximum", "select", "%c: R<i1>, %x: T<$>, %b: R<$>", R"(
       %cc = fusion.broadcast %c [N] dims = [0] : R<i1> -> T<i1>
       %y = arith.select %cc, %x, %bb : T<i1>, T<$>
       %r = fusion.reduce maximumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
    {"SelectedByScalar", "select", "%c: tensor<i1>, %x: T<$>, %b: R<$>", R"(
       %s = tensor.extract %c[] : tensor<i1>
       %y = arith.select %s, %x, %bb : T<$>
       %r = fusion.reduce minsi %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "i8 i64"},
    {"ProductCorners", "corners", "%x: T<$>, %z: S<$>, %b: R<$>", R"(
       %xx = fusion.broadcast %x dims = [0, 1] : T<$> -> U<$>
       %zz = fusion.broadcast %z [N] dims = [0, 2] : S<$> -> U<$>
       %y = arith.mulf %xx, %zz fastmath<nnan> : U<$>
       %r = fusion.reduce maximumf %y dims = [1, 2] : U<$> -> R<$>)",
     "U<$>", "R<$>", "f32 f64", 5, true},
    {"QuotientCorners", "corners", "%x: T<$>, %z: S<$>, %b: R<$>", R"(
       %one = arith.constant 1.0 : $
       %ones = tensor.splat %one [N] : U<$>
       %a = math.absf %z : S<$>
       %xx = fusion.broadcast %x dims = [0, 1] : T<$> -> U<$>
       %zz = fusion.broadcast %a [N] dims = [0, 2] : S<$> -> U<$>
       %z1 = arith.addf %zz, %ones fastmath<nnan> : U<$>
       %y = arith.divf %xx, %z1 fastmath<nnan> : U<$>
       %r = fusion.reduce minimumf %y dims = [1, 2] : U<$> -> R<$>)",
     "U<$>", "R<$>", "f32 f64", 5, true},
    {"Magnitudes", "monotone", "%x: T<$>, %b: R<$>", R"(
       %m = arith.mulf %x, %bb fastmath<nnan> : T<$>
       %y = math.absf %m : T<$>
       %r = fusion.reduce maximumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", "f32 f16 bf16 f64", 5, true},
    {"ChainOfRoundings", "monotone", "%x: T<$>, %b: R<$>", R"(
       %p = math.absf %bb : T<$>
       %m = arith.mulf %x, %p fastmath<nnan> : T<$>
       %a = arith.addf %m, %bb fastmath<nnan> : T<$>
       %f = math.floor %a : T<$>
       %h = arith.truncf %f : T<$> to T<f8E5M2>
       %y = arith.extf %h : T<f8E5M2> to T<f64>
       %r = fusion.reduce maximumf %y dims = [1] : T<f64> -> R<f64>)",
     "T<f64>", "R<f64>", "f32 f16 bf16 f64", 5, true},
    {"MaximumInF8", "monotone", "%x: T<$>, %b: R<$>", R"(
       %a = math.absf %x : T<$>
       %y = arith.truncf %a : T<$> to T<f8E4M3FN>
       %r = fusion.reduce maximumf %y dims = [1] : T<f8E4M3FN> -> R<f8E4M3FN>)",
     "T<f8E4M3FN>", "R<f8E4M3FN>", "f32 f16 bf16"},
    {"ClampedMaximum", "monotone", "%x: T<$>, %b: R<$>", R"(
       %zero = arith.constant 0.0 : $
       %zeros = tensor.splat %zero [N] : T<$>
       %l = arith.maximumf %x, %zeros : T<$>
       %y = arith.minimumf %l, %bb : T<$>
       %r = fusion.reduce maximumf %y dims = [1] : T<$> -> R<$>)",
     "T<$>", "R<$>", floats},
};

namespace {

class ExactRule : public TransformTest,
                  public ::testing::WithParamInterface<Rule> {
protected:
  ExactRule() {
    EXPECT_TRUE(succeeded(RemarkReader::install(context, remarks)));
  }

  static std::vector<std::string> getElements() {
    std::vector<std::string> elements;
    for (StringRef element : llvm::split(GetParam().elements, ' '))
      elements.push_back(element.str());
    return elements;
  }

  /// The program before and after; false and a failure unless each of the rules
  /// was applied.
  bool rewrite(const std::string &program, bool appliesContested = false) {
    remarks = {};
    ReorderReductionsPassOptions options;
    options.contested = "apply";
    auto addPasses = [&](PassManager &manager) {
      manager.addPass(createReorderReductionsPass());
      if (appliesContested)
        manager.addPass(createReorderReductionsPass(options));
    };
    if (!prepare(program, addPasses, /*mustChange=*/!appliesContested))
      return false;
    bool isApplied = true;
    for (StringRef rule : llvm::split(GetParam().rules, ", "))
      isApplied &= remarks.rules[rule.str()] != 0;
    EXPECT_TRUE(isApplied || appliesContested)
        << "expected " << GetParam().rules << " in " << print(*after);
    return isApplied;
  }

  void expectSame(int64_t size, StringRef element) {
    const Rule &rule = GetParam();
    Draw drawNumber = element == "f16" ? drawFiniteHalf : drawFinite;
    expectSameBits(makeInputs(size, rule.isFinite ? drawNumber : drawSpecial),
                   rule.ignoresZeroSign);
  }

  Remarks remarks;
};

} // namespace

TEST_P(ExactRule, SameBits) {
  const Rule &rule = GetParam();
  for (const std::string &element : getElements()) {
    SCOPED_TRACE(element);
    if (!rewrite(getProgram(rule, element, getNumTrials(2000), rule.columns,
                            /*isDynamic=*/false)))
      return;
    expectSame(rule.columns, element);
  }
}

TEST_P(ExactRule, EmptySingleAndManyColumns) {
  const Rule &rule = GetParam();
  for (const std::string &element : getElements()) {
    SCOPED_TRACE(element);
    if (!rule.isStatic) {
      if (!rewrite(getProgram(rule, element, 200, 0, /*isDynamic=*/true)))
        return;
      for (int64_t size : {0, 1, 2, 7})
        expectSame(size, element);
    }
    // More than the largest number of f16, i8 and i16.
    if (rule.columns != 3 &&
        rewrite(getProgram(rule, element, 2, 70000 + rule.columns % 2,
                           /*isDynamic=*/false)))
      expectSame(0, element);
  }
}

TEST_P(ExactRule, ReusedValue) {
  const Rule &rule = GetParam();
  for (const std::string &element : getElements()) {
    SCOPED_TRACE(element);
    std::string program =
        getProgram(rule, element, 300, rule.columns, /*isDynamic=*/false,
                   /*returnsY=*/true);
    rewrite(program, /*appliesContested=*/true);
    expectSame(rule.columns, element);
  }
}

INSTANTIATE_TEST_SUITE_P(Algebra, ExactRule, ::testing::ValuesIn(exactRules),
                         [](const ::testing::TestParamInfo<Rule> &info) {
                           return std::string(info.param.name);
                         });
