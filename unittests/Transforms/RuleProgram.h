//===- RuleProgram.h - Programs for one rule of the algebra -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_RULEPROGRAM_H
#define FUSION_UNITTESTS_TRANSFORMS_RULEPROGRAM_H

#include <cstdint>
#include <ostream>
#include <string>

namespace mlir::fusion {

/// A rule as a program on x, which varies along the reduced dimension, and b,
/// which does not. The program defines y, and r, its reduction.
///
/// In the text T<> stands for a tensor of rows and columns, R<> for one of
/// rows, U<> and S<> for T<> and R<> with another dimension of 3 behind, P<>
/// and W<> with one in front; $ for the element type; [N] for the number of
/// columns where an operation needs it. bb is b for all columns.
struct Rule {
  const char *name;
  /// The rules that the remark must name.
  const char *rules;
  const char *arguments, *body;
  const char *yType = "T<$>", *rType = "R<$>";
  /// Element types, separated by spaces.
  const char *elements = "f32";
  int64_t columns = 5;
  /// The flags promise finite numbers.
  bool isFinite = false;
  /// The flags allow another sign of zero.
  bool ignoresZeroSign = false;
  /// Needs a static number of columns.
  bool isStatic = false;
};

inline std::ostream &operator<<(std::ostream &os, const Rule &rule) {
  return os << rule.name;
}

inline void replaceAll(std::string &text, const std::string &from,
                       const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

/// The program on `rows` rows; the number of columns is static unless
/// `isDynamic`. It returns r, and y as well if `returnsY`.
inline std::string getProgram(const Rule &rule, const std::string &element,
                              int64_t rows, int64_t columns, bool isDynamic,
                              bool returnsY = false) {
  auto getTypeOf = [&](const std::string &name) {
    std::string text = rule.arguments;
    text = text.substr(text.find(name) + name.size());
    return text.substr(0, text.find('>') + 1);
  };
  std::string text = std::string("func.func @f(") + rule.arguments + ") -> (" +
                     rule.rType +
                     (returnsY ? std::string(", ") + rule.yType : "") + ") {\n";
  if (isDynamic)
    text += "  %c1 = arith.constant 1 : index\n  %n = tensor.dim %x, %c1 : " +
            getTypeOf("%x: ") + "\n";
  text += "  %bb = fusion.broadcast %b [N] dims = [0] : " + getTypeOf("%b: ") +
          " -> T" + getTypeOf("%b: R") + rule.body + "\n  return %r" +
          (returnsY ? ", %y" : "") + " : " + rule.rType +
          (returnsY ? std::string(", ") + rule.yType : "") + "\n}\n";
  std::string r = std::to_string(rows) + "x";
  std::string c = isDynamic ? "?x" : std::to_string(columns) + "x";
  replaceAll(text, "[N]", isDynamic ? "[%n]" : "");
  replaceAll(text, "T<", "tensor<" + r + c);
  replaceAll(text, "R<", "tensor<" + r);
  replaceAll(text, "U<", "tensor<" + r + c + "3x");
  replaceAll(text, "S<", "tensor<" + r + "3x");
  replaceAll(text, "P<", "tensor<3x" + r + c);
  replaceAll(text, "W<", "tensor<3x" + r);
  replaceAll(text, "$", element);
  return text;
}

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_TRANSFORMS_RULEPROGRAM_H
