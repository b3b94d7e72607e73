//===- RandomExpressionTest.cpp - Reductions of random expressions --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction of a random expression of values over random loops, before and
// after the passes of the algebra phase. The numbers are positive and near 1,
// so that the bounds of the reference say something.
//
//===----------------------------------------------------------------------===//

#include "TransformTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Writes one program. All values have all loops; the leaves are broadcast.
class ExpressionWriter {
public:
  explicit ExpressionWriter(uint64_t seed) : random(seed) {}

  std::string write() {
    static const char *const floatKinds[] = {"add", "maximumf", "minimumf",
                                             "maxnumf"};
    static const char *const integerKinds[] = {"add", "and", "or",
                                               "xor", "mul", "maxsi"};
    isFloat = draw(3) != 0;
    kind = isFloat ? floatKinds[draw(4)] : integerKinds[draw(6)];
    element = isFloat ? "f32" : "i32";
    std::string root = writeExpression(/*depth=*/0);
    SmallVector<int64_t> reduced;
    while (reduced.empty())
      for (int64_t loop = 0; loop < numLoops; ++loop)
        if (draw(2) != 0)
          reduced.push_back(loop);
    std::string dims, result = "tensor<";
    for (int64_t loop = 0; loop < numLoops; ++loop) {
      if (llvm::is_contained(reduced, loop))
        dims += (dims.empty() ? "" : ", ") + std::to_string(loop);
      else
        result += std::to_string(extents[loop]) + "x";
    }
    result += element + ">";
    body += "  %r = fusion.reduce " + kind + " " + root + " dims = [" + dims +
            "]" + (isFloat ? " fastmath<reassoc,nnan,ninf,nsz>" : "") + " : " +
            getType() + " -> " + result + "\n  return %r : " + result + "\n";
    std::string list;
    for (auto [i, argument] : llvm::enumerate(arguments))
      list += (i == 0 ? "%a" : ", %a") + std::to_string(i) + ": " + argument;
    return "func.func @f(" + list + ") -> " + result + " {\n" + body + "}\n";
  }

private:
  static constexpr int64_t numLoops = 4;
  static constexpr int64_t extents[numLoops] = {2, 3, 4, 5};

  uint64_t draw(uint64_t below) { return random() % below; }

  std::string getType(StringRef type = "") const {
    std::string text = "tensor<";
    for (int64_t extent : extents)
      text += std::to_string(extent) + "x";
    return text + (type.empty() ? element : type.str()) + ">";
  }

  std::string emit(const std::string &operation) {
    std::string name = "%v" + std::to_string(numValues++);
    body += "  " + name + " = " + operation + "\n";
    return name;
  }

  std::string writeLeaf(StringRef type) {
    std::string shape = "tensor<", dims;
    for (int64_t loop = 0; loop < numLoops; ++loop) {
      if (draw(2) == 0)
        continue;
      shape += std::to_string(extents[loop]) + "x";
      dims += (dims.empty() ? "" : ", ") + std::to_string(loop);
    }
    shape += type.str() + ">";
    std::string name = "%a" + std::to_string(arguments.size());
    arguments.push_back(shape);
    return emit("fusion.broadcast " + name + " dims = [" + dims +
                "] : " + shape + " -> " + getType(type));
  }

  std::string writeExpression(unsigned depth) {
    static const char *const floatOps[] = {"mulf",     "mulf",     "addf",
                                           "maximumf", "minimumf", "divf"};
    static const char *const integerOps[] = {"muli", "addi", "andi",
                                             "ori",  "xori", "maxsi"};
    if (depth == 4 || (depth > 0 && draw(4) == 0))
      return writeLeaf(element);
    if (draw(8) == 0) {
      std::string condition = writeLeaf("i1");
      std::string first = writeExpression(depth + 1);
      std::string second = writeExpression(depth + 1);
      return emit("arith.select " + condition + ", " + first + ", " + second +
                  " : " + getType("i1") + ", " + getType());
    }
    if (isFloat && kind != "add" && draw(6) == 0)
      return emit("arith.negf " + writeExpression(depth + 1) + " : " +
                  getType());
    std::string first = writeExpression(depth + 1);
    std::string second = draw(8) == 0 ? first : writeExpression(depth + 1);
    const char *op = isFloat ? floatOps[draw(6)] : integerOps[draw(6)];
    return emit(std::string("arith.") + op + " " + first + ", " + second +
                (isFloat ? " fastmath<reassoc,nnan,ninf,nsz>" : "") + " : " +
                getType());
  }

  std::mt19937_64 random;
  std::string body, kind, element;
  std::vector<std::string> arguments;
  unsigned numValues = 0;
  bool isFloat = true;
};

class RandomExpressionTest : public TransformTest {};

} // namespace

TEST_F(RandomExpressionTest, SameBeforeAndAfter) {
  unsigned numRewritten = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    std::string program = ExpressionWriter(seed).write();
    if (!prepare(program, createReorderReductionsPass(),
                 /*mustChange=*/false))
      return;
    numRewritten += print(*before) != print(*after);
    expectVerified(makeInputs(0, [](std::mt19937_64 &random) {
      return 0.75 + static_cast<double>(random() >> 40) * 0x1p-25;
    }));
    if (HasFailure())
      return;
  }
  // The test would say nothing if the rules rarely fired.
  EXPECT_GT(numRewritten, 40u);
}
