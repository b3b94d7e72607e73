//===- MonotoneTableTest.cpp - Every row of the table of monotone functions
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each row of the table, each operand that has a direction and each kind of
// minimum and maximum: the reduction moves through the operation with the flags
// that the row asks for, with the same bits for special numbers; without them
// it stays, and the remark names them.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Algebra.h"
#include "RemarkReader.h"
#include "RuleProgram.h"
#include "TransformTest.h"

using namespace mlir;
using namespace mlir::fusion;

using Flags = arith::FastMathFlags;

namespace {

/// A row of the table and the operand that is reduced.
struct Case {
  const MonotoneTraits *traits;
  unsigned operand;

  bool isFloat() const { return traits->order == ValueOrder::Float; }
  bool isUnary() const { return traits->directions[1] == Direction::None; }
  /// The operand has an order only without sign.
  bool needsNoSign() const {
    return llvm::is_contained(
        {Direction::DivisorWithoutSign, Direction::DecreasingWithoutSign},
        traits->directions[operand]);
  }
};

std::vector<Case> getCases() {
  std::vector<Case> cases;
  for (const MonotoneTraits &traits : getMonotoneTable())
    for (unsigned operand : {0u, 1u})
      if (traits.directions[operand] != Direction::None)
        cases.push_back({&traits, operand});
  return cases;
}

std::string getName(const Case &c) {
  std::string name = c.traits->operation.str();
  name.erase(0, name.find('.') + 1);
  const char *order = c.isFloat()                             ? ""
                      : c.traits->order == ValueOrder::Signed ? "Signed"
                                                              : "Unsigned";
  return name + order + "Operand" + std::to_string(c.operand);
}

std::ostream &operator<<(std::ostream &os, const Case &c) {
  return os << getName(c);
}

class MonotoneTable : public TransformTest,
                      public ::testing::WithParamInterface<Case> {
protected:
  MonotoneTable() {
    EXPECT_TRUE(succeeded(RemarkReader::install(context, remarks)));
  }

  /// The reduction by `kind` of the operation with `flags` on x, which varies
  /// along the reduced dimension, and z, which does not; `isWithoutSign` says
  /// that x has magnitudes.
  static std::string getText(StringRef kind, StringRef flags,
                             bool isWithoutSign);

  /// The flags of the row that are enough, one alternative after the other.
  static std::vector<std::string> getFlags();

  static std::vector<const char *> getKinds() {
    switch (GetParam().traits->order) {
    case ValueOrder::Float:
      return {"maximumf", "minimumf", "maxnumf", "minnumf"};
    case ValueOrder::Signed:
      return {"maxsi", "minsi"};
    case ValueOrder::Unsigned:
      return {"maxui", "minui"};
    case ValueOrder::None:
      break;
    }
    return {};
  }

  /// The operation combines two values as the reduction does: that is a rule of
  /// its own, which needs no flags.
  static bool combines(StringRef kind) {
    return GetParam().traits->operation == ("arith." + kind).str();
  }

  bool reorder(const std::string &program, bool mustChange) {
    remarks = {};
    return prepare(program, createReorderReductionsPass(), mustChange);
  }

  Remarks remarks;
};

} // namespace

std::string MonotoneTable::getText(StringRef kind, StringRef flags,
                                   bool isWithoutSign) {
  const Case &c = GetParam();
  StringRef op = c.traits->operation;
  std::string element = c.isFloat() ? "f32" : "i32", from = "$", to = "$";
  // Conversions.
  if (op == "arith.extf" || op == "arith.truncf")
    (op == "arith.extf" ? from : to) = "f16";
  if (op.starts_with("arith.ext") && !c.isFloat())
    from = "i8";
  std::string x = "%x", body;
  if (isWithoutSign) {
    body += "  %a = math.absf %x : T<" + from + ">\n";
    x = "%a";
  }
  // Of a unary operation x alone is the operand; z would make it a broadcast.
  std::string shape = c.isUnary() ? "T<" : "U<";
  std::string type = shape + from + ">";
  if (!c.isUnary())
    body += "  %xx = fusion.broadcast " + x + " dims = [0, 1] : T<" + from +
            "> -> " + type +
            "\n  %zz = fusion.broadcast %z [N] dims = [0, 2] : S<" + from +
            "> -> " + type + "\n";
  std::string first = c.operand == 0 ? "%xx" : "%zz";
  std::string second = c.operand == 0 ? "%zz" : "%xx";
  // No difference of unsigned numbers is negative.
  if (op == "arith.subi") {
    body += "  %four = arith.constant 4 : $\n  %fours = tensor.splat %four [N] "
            ": U<$>\n  %more = arith.ori " +
            first + ", %fours : U<$>\n";
    first = "%more";
  }
  std::string text = flags.empty() ? ""
                     : c.isFloat() ? " fastmath<" + flags.str() + ">"
                                   : " overflow<" + flags.str() + ">";
  body += "  %y = " + op.str() + " " +
          (c.isUnary() ? x + text : first + ", " + second + text) + " : " +
          type + (from == to ? "" : " to " + shape + to + ">") + "\n";
  std::string result = (c.isUnary() ? "R<" : "S<") + to + ">";
  body += "  %r = fusion.reduce " + kind.str() + " %y dims = [1] : " + shape +
          to + "> -> " + result;
  std::string arguments =
      "%x: T<" + from + ">, %z: S<" + from + ">, %b: R<" + from + ">";
  Rule rule{"", "", arguments.c_str(), body.c_str(), "", result.c_str()};
  return getProgram(rule, element, getNumTrials(2000) / 3, 5,
                    /*isDynamic=*/false);
}

std::vector<std::string> MonotoneTable::getFlags() {
  const MonotoneTraits &traits = *GetParam().traits;
  std::string approximate = traits.isApproximate ? "afn" : "";
  std::vector<std::string> flags;
  for (auto [flag, name] :
       {std::pair(Flags::nnan, "nnan"), std::pair(Flags::ninf, "ninf")})
    if (arith::bitEnumContainsAny(traits.anyFlagAgainstNaN, flag))
      flags.push_back(approximate.empty() ? name : approximate + "," + name);
  if (traits.mayWrap)
    flags.push_back(traits.order == ValueOrder::Signed ? "nsw" : "nuw");
  if (flags.empty())
    flags.push_back(approximate);
  return flags;
}

TEST_P(MonotoneTable, SameBits) {
  const Case &c = GetParam();
  for (const std::string &flags : getFlags()) {
    bool hasFlags = !flags.empty() && flags != "afn";
    for (const char *kind : getKinds()) {
      SCOPED_TRACE(flags + " " + kind);
      // A flag against NaN promises that there is a root.
      bool hasRoot = c.traits->isNumberWithoutSign || c.needsNoSign();
      if (!reorder(getText(kind, flags, hasRoot), /*mustChange=*/true))
        return;
      EXPECT_NE(remarks.rules[combines(kind) ? "separate" : "monotone"], 0u);
      auto drawSigned = [](std::mt19937_64 &random) {
        return static_cast<int64_t>(random() % 8) - 4;
      };
      bool isSigned = c.traits->order == ValueOrder::Signed;
      auto inputs = makeInputs(5, hasFlags ? drawFinite : drawSpecial,
                               !hasFlags  ? DrawInteger(drawBits)
                               : isSigned ? DrawInteger(drawSigned)
                                          : DrawInteger(drawSmall));
      // 0 / 0 is what the flag promises not to occur.
      if (c.traits->operation == "arith.divf")
        inputs = makeInputs(5, drawModerate);
      bool ignoresZeroSign = StringRef(kind).contains("num") ||
                             c.traits->operation.contains("num");
      if (c.traits->isApproximate)
        expectVerified(makeInputs(5, drawPositive));
      else
        expectSameBits(inputs, ignoresZeroSign);
    }
  }
}

TEST_P(MonotoneTable, StaysWithoutFlags) {
  const Case &c = GetParam();
  const MonotoneTraits &traits = *c.traits;
  std::vector<std::pair<std::string, std::string>> lacking;
  if (traits.anyFlagAgainstNaN != Flags::none) {
    bool isEither =
        arith::bitEnumContainsAny(traits.anyFlagAgainstNaN, Flags::ninf);
    lacking.emplace_back(isEither ? "reassoc,nsz,contract,afn"
                                  : "reassoc,ninf,nsz,contract,afn",
                         isEither ? "nnan or ninf" : "nnan");
  }
  if (traits.isApproximate)
    lacking.emplace_back("reassoc,nnan,ninf,nsz,contract", "afn");
  if (traits.mayWrap)
    lacking.emplace_back(traits.order == ValueOrder::Signed ? "nuw" : "nsw",
                         traits.order == ValueOrder::Signed ? "nsw" : "nuw");
  if (c.needsNoSign())
    lacking.emplace_back("reassoc,nnan,ninf,nsz,contract,afn",
                         "an operand without sign");
  for (auto &[flags, needed] : lacking)
    for (const char *kind : getKinds()) {
      if (combines(kind))
        continue;
      SCOPED_TRACE(flags + " " + kind);
      bool isWithoutSign =
          c.needsNoSign() && needed != "an operand without sign";
      if (!reorder(getText(kind, flags, isWithoutSign), /*mustChange=*/false))
        return;
      EXPECT_EQ(print(*before), print(*after));
      EXPECT_EQ(remarks.reason,
                "needs " + needed + " on '" + traits.operation.str() + "'");
    }
}

INSTANTIATE_TEST_SUITE_P(Algebra, MonotoneTable,
                         ::testing::ValuesIn(getCases()),
                         [](const ::testing::TestParamInfo<Case> &info) {
                           return getName(info.param);
                         });
