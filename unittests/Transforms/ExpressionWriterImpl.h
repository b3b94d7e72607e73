//===- ExpressionWriterImpl.h - State of the writer -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to ExpressionWriter.cpp. All values of an expression have all loops
// as dimensions, in order; what varies over fewer is broadcast.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_EXPRESSIONWRITERIMPL_H
#define FUSION_UNITTESTS_TRANSFORMS_EXPRESSIONWRITERIMPL_H

#include "ExpressionWriter.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <random>
#include <vector>

namespace mlir::fusion::expressions {

using Family = ExpressionFamily;
using Loops = SmallVector<int64_t>;

struct Term {
  std::string name, element;
  /// Whole: no magnitude is greater.
  double bound = 0;
};

class Writer {
public:
  Writer(Family family, uint64_t seed) : family(family), random(seed) {}

  Expression write();

private:
  static constexpr int64_t numLoops = 4;

  //===--- Text ---===//

  uint64_t draw(uint64_t below) { return random() % below; }
  bool isOneIn(uint64_t n) { return draw(n) == 0; }
  template <typename T, size_t n>
  const T &pick(const T (&choices)[n]) {
    return choices[draw(n)];
  }

  static std::string join(ArrayRef<int64_t> numbers) {
    std::string text;
    for (int64_t number : numbers)
      text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
  }

  std::string getExtent(int64_t loop) const {
    return loop == dynamicLoop ? "?" : std::to_string(extents[loop]);
  }

  std::string getType(ArrayRef<int64_t> loops, StringRef element) const {
    std::string text = "tensor<";
    for (int64_t loop : loops)
      text += getExtent(loop) + "x";
    return text + element.str() + ">";
  }

  std::string getType(StringRef element) const { return getType(all, element); }

  std::string emit(const std::string &operation) {
    std::string name = "%v" + std::to_string(numValues++);
    body += "  " + name + " = " + operation + "\n";
    return name;
  }

  std::string addArgument(const std::string &type) {
    arguments.push_back(type);
    return "%a" + std::to_string(arguments.size() - 1);
  }

  //===--- Types ---===//

  static bool isFloat(StringRef element) {
    return element.starts_with("f") || element.starts_with("bf");
  }

  static int getWidth(StringRef element) {
    if (element.starts_with("f8"))
      return 8;
    int width = 0;
    element.drop_while([](char c) { return !isdigit(c); })
        .consumeInteger(10, width);
    return width;
  }

  /// A type of fewer bits that has what the program needs; empty if none.
  std::string drawNarrowType();
  /// Flags for an operation on floats or integers, or nothing.
  std::string drawFlags(StringRef element, StringRef op = "");

  //===--- Values ---===//

  Term writeLeaf(StringRef element);
  std::string writeView(const std::string &argument, Loops &loops,
                        StringRef element);
  std::string broadcast(const std::string &name, const std::string &type,
                        ArrayRef<int64_t> loops, StringRef element);
  Term writeExpression(unsigned depth);
  Term writeSelect(unsigned depth);
  Term writeUnary(Term operand, ArrayRef<int64_t> order);
  Term writeUnaryInView(Term operand);
  Term writeConversion(Term operand);
  Term writeBinary(unsigned depth);
  std::string drawKind(bool isInner);
  Term writeReduce(const Term &operand, Loops &loops, StringRef kind);
  Term writeInnerReduction(Term operand);

  const Family family;
  std::mt19937_64 random;
  Expression result;
  Loops all = {0, 1, 2, 3};
  Loops extents = {2, 3, 4, 5};
  int64_t dynamicLoop = -1;
  std::string element, promise, body;
  std::vector<std::string> arguments;
  unsigned numValues = 0, numInner = 0;
};

} // namespace mlir::fusion::expressions

#endif // FUSION_UNITTESTS_TRANSFORMS_EXPRESSIONWRITERIMPL_H
