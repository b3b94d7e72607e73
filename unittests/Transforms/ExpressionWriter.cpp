//===- ExpressionWriter.cpp - Programs with random reductions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpressionWriterImpl.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::expressions;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::string Writer::drawNarrowType() {
  if (family == Family::Whole)
    return element == "f64" ? "f32" : pick({"f16", "bf16"});
  if (!isFloat(element))
    return element == "i8" || element == "i1" ? "" : "i8";
  if (element == "f64")
    return "f32";
  if (element != "f32")
    return "";
  // Large numbers would become infinities, which promises exclude.
  if (result.hasPromises)
    return "bf16";
  if (family == Family::Rounding)
    return pick({"f16", "bf16"});
  return pick({"f16", "bf16", "f8E5M2", "f8E4M3FN"});
}

std::string Writer::drawFlags(StringRef type, StringRef op) {
  if (!isFloat(type)) {
    bool mayWrap = op == "addi" || op == "subi" || op == "muli";
    return mayWrap && !promise.empty() && !isOneIn(4)
               ? " overflow<" + promise + ">"
               : "";
  }
  if (isOneIn(4))
    return "";
  if (family == Family::Exact)
    return promise.empty() ? "" : " fastmath<" + promise + ">";
  return " fastmath<reassoc,nnan,ninf,nsz>";
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// `argument` over the loops in order, from one in another order or with two
/// loops in one dimension. Adds the argument's type.
std::string Writer::writeView(const std::string &argument, Loops &loops,
                              StringRef type) {
  for (size_t i = 0; i + 1 < loops.size(); ++i) {
    int64_t a = loops[i], b = loops[i + 1];
    if (a == dynamicLoop || b == dynamicLoop || !isOneIn(4))
      continue;
    std::string collapsed = "tensor<", groups, sizes;
    for (size_t j = 0; j < loops.size(); ++j) {
      bool isMerged = j == i;
      collapsed += (isMerged ? std::to_string(extents[a] * extents[b])
                             : getExtent(loops[j])) +
                   "x";
      groups += groups.empty() ? "[" : ", [";
      groups +=
          isMerged
              ? join({static_cast<int64_t>(j), static_cast<int64_t>(j + 1)})
              : std::to_string(j);
      groups += "]";
      j += isMerged;
    }
    for (int64_t loop : loops)
      sizes += (sizes.empty() ? "" : ", ") +
               (loop == dynamicLoop ? "%n" : getExtent(loop));
    collapsed += type.str() + ">";
    arguments.back() = collapsed;
    return emit("tensor.expand_shape " + argument + " [" + groups +
                "] output_shape [" + sizes + "] : " + collapsed + " into " +
                getType(loops, type));
  }
  if (loops.size() < 2 || !isOneIn(3)) {
    arguments.back() = getType(loops, type);
    return argument;
  }
  Loops permuted = loops;
  llvm::shuffle(permuted.begin(), permuted.end(), random);
  Loops permutation;
  for (int64_t loop : loops)
    permutation.push_back(llvm::find(permuted, loop) - permuted.begin());
  arguments.back() = getType(permuted, type);
  return emit("fusion.transpose " + argument + " permutation = [" +
              join(permutation) + "] : " + arguments.back() + " -> " +
              getType(loops, type));
}

std::string Writer::broadcast(const std::string &name, const std::string &type,
                              ArrayRef<int64_t> loops, StringRef elementType) {
  bool isNew = dynamicLoop >= 0 && !llvm::is_contained(loops, dynamicLoop);
  return emit("fusion.broadcast " + name + (isNew ? " [%n]" : "") +
              " dims = [" + join(loops) + "] : " + type + " -> " +
              getType(elementType));
}

Term Writer::writeLeaf(StringRef type) {
  Term leaf{"", type.str(), 2};
  if (isOneIn(8) && family != Family::Exact && isFloat(type)) {
    std::string scalar = emit("arith.constant 2.0 : " + type.str());
    leaf.name = emit("tensor.splat " + scalar +
                     (dynamicLoop >= 0 ? " [%n]" : "") + " : " + getType(type));
    return leaf;
  }
  Loops loops;
  for (int64_t loop = 0; loop < numLoops; ++loop)
    if (draw(2) != 0)
      loops.push_back(loop);
  std::string narrow = type == element ? drawNarrowType() : "";
  bool isNarrow = !narrow.empty() && isOneIn(4);
  std::string stored = isNarrow ? narrow : type.str();
  if (isOneIn(6)) {
    // Unit dimensions that grow.
    std::string units = "tensor<";
    for (int64_t loop = 0; loop < numLoops; ++loop)
      units += (llvm::is_contained(loops, loop) ? getExtent(loop) : "1") + "x";
    units += stored + ">";
    bool grows = dynamicLoop >= 0 && !llvm::is_contained(loops, dynamicLoop);
    leaf.name = emit("fusion.broadcast " + addArgument(units) +
                     (grows ? " [%n]" : "") + " dims = [" + join(all) +
                     "] : " + units + " -> " + getType(stored));
  } else {
    std::string argument = addArgument("");
    std::string view = writeView(argument, loops, stored);
    leaf.name = broadcast(view, getType(loops, stored), loops, stored);
  }
  if (isNarrow) {
    const char *widen = isFloat(type) ? "extf" : isOneIn(2) ? "extsi" : "extui";
    leaf.name = emit(std::string("arith.") + widen + " " + leaf.name + " : " +
                     getType(stored) + " to " + getType(type));
  }
  return leaf;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// One operand in, one out, `order` being the loops of the dimensions.
Term Writer::writeUnary(Term operand, ArrayRef<int64_t> order) {
  std::string type = getType(order, operand.element);
  auto apply = [&](const std::string &operation) {
    operand.name = emit(operation + " " + operand.name + " : " + type);
    return operand;
  };
  if (!isFloat(operand.element)) {
    if (dynamicLoop >= 0 || result.hasPromises)
      return operand;
    std::string ones = emit(
        "arith.constant dense<" +
        std::string(operand.element == "i1" ? "true" : "-1") + "> : " + type);
    operand.name =
        emit("arith.xori " + operand.name + ", " + ones + " : " + type);
    return operand;
  }
  if (family == Family::Rounding)
    return apply(isOneIn(2) ? "math.sqrt" : "math.absf");
  if (family == Family::Exact && isOneIn(3))
    return apply(pick({"math.floor", "math.ceil", "math.trunc", "math.round",
                       "math.roundeven"}));
  if (isOneIn(2))
    return apply("math.absf");
  operand.name = emit("arith.negf " + operand.name +
                      drawFlags(operand.element) + " : " + type);
  return operand;
}

/// The same with the dimensions in another order, or two in one.
Term Writer::writeUnaryInView(Term operand) {
  std::string type = getType(operand.element);
  if (isOneIn(2)) {
    Loops order = all, back(numLoops);
    llvm::shuffle(order.begin(), order.end(), random);
    for (auto [to, from] : llvm::enumerate(order))
      back[from] = static_cast<int64_t>(to);
    std::string other = getType(order, operand.element);
    operand.name =
        emit("fusion.transpose " + operand.name + " permutation = [" +
             join(order) + "] : " + type + " -> " + other);
    operand = writeUnary(operand, order);
    operand.name =
        emit("fusion.transpose " + operand.name + " permutation = [" +
             join(back) + "] : " + other + " -> " + type);
    return operand;
  }
  if (dynamicLoop >= 0)
    return writeUnary(operand, all);
  std::string other = "tensor<" + std::to_string(extents[0]) + "x" +
                      std::to_string(extents[1] * extents[2]) + "x" +
                      std::to_string(extents[3]) + "x" + operand.element + ">";
  std::string collapsed =
      emit("tensor.collapse_shape " + operand.name +
           " [[0], [1, 2], [3]] : " + type + " into " + other);
  std::string changed =
      isFloat(operand.element)
          ? emit("math.absf " + collapsed + " : " + other)
          : emit("arith.maxsi " + collapsed + ", " + collapsed + " : " + other);
  operand.name = emit("tensor.expand_shape " + changed +
                      " [[0], [1, 2], [3]] output_shape [" + join(extents) +
                      "] : " + other + " into " + type);
  return operand;
}

/// To fewer bits and back.
Term Writer::writeConversion(Term operand) {
  std::string narrow = family == Family::Whole ? "" : drawNarrowType();
  if (narrow.empty() || promise == "nsw" || promise == "nuw")
    return operand;
  bool isFloats = isFloat(operand.element);
  std::string type = getType(operand.element), other = getType(narrow);
  std::string rounded =
      emit(std::string(isFloats ? "arith.truncf " : "arith.trunci ") +
           operand.name + " : " + type + " to " + other);
  operand.name = emit(std::string("arith.") +
                      (isFloats     ? "extf"
                       : isOneIn(2) ? "extsi"
                                    : "extui") +
                      " " + rounded + " : " + other + " to " + type);
  return operand;
}

Term Writer::writeSelect(unsigned depth) {
  std::string condition = writeLeaf("i1").name, type = getType("i1") + ", ";
  if (isOneIn(4)) {
    condition =
        emit("tensor.extract " + addArgument("tensor<i1>") + "[] : tensor<i1>");
    type = "";
  }
  Term first = writeExpression(depth + 1), second = writeExpression(depth + 1);
  first.bound = std::max(first.bound, second.bound);
  first.name = emit("arith.select " + condition + ", " + first.name + ", " +
                    second.name + " : " + type + getType(element));
  return first;
}

Term Writer::writeBinary(unsigned depth) {
  Term first = writeExpression(depth + 1);
  Term second = isOneIn(8) ? first : writeExpression(depth + 1);
  std::string op;
  if (!isFloat(element))
    op = pick({"muli", "addi", "subi", "andi", "ori", "xori", "maxsi", "minsi",
               "maxui", "minui"});
  else if (family == Family::Exact)
    op = pick({"mulf", "addf", "subf", "divf", "maximumf", "minimumf",
               "maxnumf", "minnumf"});
  else if (family == Family::Whole)
    op = pick({"mulf", "mulf", "addf", "subf", "maximumf", "minimumf"});
  else
    op = pick({"mulf", "mulf", "addf", "maximumf", "minimumf", "divf"});
  // Promises: no divisor is 0, no difference of integers wraps, and nothing
  // makes small integers large.
  if (result.hasPromises) {
    if (op == "divf")
      second = writeLeaf(element);
    if (op == "subi" && promise == "nuw")
      op = "addi";
  }
  if (op == "divf" && result.hasPromises)
    second.name = emit("math.absf " + second.name + " : " + getType(element));
  constexpr double limit = 0x1p22;
  double product = first.bound * second.bound, sum = first.bound + second.bound;
  if (family == Family::Whole && (op == "mulf" ? product : sum) > limit)
    op = "maximumf";
  first.bound = op == "mulf" ? product
                : op == "addf" || op == "subf"
                    ? sum
                    : std::max(first.bound, second.bound);
  first.name = emit("arith." + op + " " + first.name + ", " + second.name +
                    drawFlags(element, op) + " : " + getType(element));
  return first;
}

Term Writer::writeExpression(unsigned depth) {
  if (depth == 4 || (depth > 0 && isOneIn(4)))
    return writeLeaf(element);
  switch (draw(12)) {
  case 0:
    return writeSelect(depth);
  case 1:
    return writeUnary(writeExpression(depth + 1), all);
  case 2:
    return writeUnaryInView(writeExpression(depth + 1));
  case 3:
    return writeConversion(writeExpression(depth + 1));
  case 4:
    return writeInnerReduction(writeExpression(depth + 1));
  default:
    return writeBinary(depth);
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::string Writer::drawKind(bool isInner) {
  if (!isFloat(element)) {
    if (result.hasPromises && isInner)
      return pick({"and", "or", "maxsi", "minsi", "maxui", "minui"});
    return pick(
        {"add", "mul", "and", "or", "xor", "maxsi", "minsi", "maxui", "minui"});
  }
  if (family == Family::Exact)
    return pick({"maximumf", "minimumf", "maxnumf", "minnumf"});
  return pick({"add", "add", "add", "maximumf", "minimumf", "maxnumf"});
}

/// The total over some of `loops`, at least one; `loops` become what is left.
Term Writer::writeReduce(const Term &operand, Loops &loops, StringRef kind) {
  Loops kept, dims;
  while (dims.empty()) {
    kept.clear();
    for (auto [dim, loop] : llvm::enumerate(loops))
      if (isOneIn(2))
        dims.push_back(static_cast<int64_t>(dim));
      else
        kept.push_back(loop);
  }
  Term total{"", operand.element, operand.bound};
  if (kind == "add")
    for (int64_t dim : dims)
      total.bound *= static_cast<double>(extents[loops[dim]]);
  std::string flags;
  // A minimum or maximum of nothing is infinite.
  if (isFloat(operand.element) && family != Family::Exact && !isOneIn(4))
    flags = kind == "add" || kind == "mul" ? " fastmath<reassoc,nnan,ninf,nsz>"
                                           : " fastmath<reassoc,nsz>";
  total.name =
      emit("fusion.reduce " + kind.str() + " " + operand.name + " dims = [" +
           join(dims) + "]" + flags + " : " + getType(loops, operand.element) +
           " -> " + getType(kept, operand.element));
  loops = kept;
  return total;
}

/// Reduced, and repeated where it was.
Term Writer::writeInnerReduction(Term operand) {
  if (numInner++ >= 2 || operand.bound > 0x1p12)
    return operand;
  result.needsElements |= result.hasPromises || family != Family::Exact;
  Loops loops = all;
  Term total = writeReduce(operand, loops, drawKind(/*isInner=*/true));
  if (isOneIn(3))
    total = writeUnary(total, loops);
  total.name = broadcast(total.name, getType(loops, element), loops, element);
  return total;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

Expression Writer::write() {
  llvm::shuffle(extents.begin(), extents.end(), random);
  if (isOneIn(8))
    extents[draw(numLoops)] = 1;
  if (isOneIn(3)) {
    result.isDynamic = true;
    dynamicLoop = static_cast<int64_t>(draw(numLoops));
    // Bounds hold for extents up to 3.
    extents[dynamicLoop] = 3;
    std::string size = addArgument("tensor<?xi1>");
    body += "  %c0 = arith.constant 0 : index\n  %n = tensor.dim " + size +
            ", %c0 : tensor<?xi1>\n";
  }
  switch (family) {
  case Family::Exact:
    element =
        isOneIn(2)
            ? pick({"f32", "f32", "f64", "f16", "bf16", "f8E5M2", "f8E4M3FN"})
            : pick({"i32", "i64", "i8", "i1"});
    if ((element == "f32" || element == "f64" || element == "i64") &&
        isOneIn(2)) {
      result.hasPromises = true;
      promise = isFloat(element) ? pick({"nnan", "ninf", "nnan,ninf"})
                                 : pick({"nsw", "nuw"});
    }
    break;
  case Family::Whole:
    element = pick({"f32", "f64"});
    break;
  case Family::Rounding:
    element = "f32";
    break;
  }
  Term root = writeExpression(/*depth=*/0);
  std::string results, types;
  auto addResult = [&](const std::string &name, const std::string &type) {
    results += (results.empty() ? "" : ", ") + name;
    types += (types.empty() ? "" : ", ") + type;
  };
  for (unsigned i = 0, n = 1 + isOneIn(4); i < n; ++i) {
    Loops loops = all;
    std::string kind = drawKind(/*isInner=*/false);
    Term total = writeReduce(root, loops, kind);
    // Two in a row.
    if (!loops.empty() && isOneIn(3))
      total = writeReduce(total, loops,
                          kind == "mul" ? kind
                          : isOneIn(3)  ? drawKind(/*isInner=*/true)
                                        : kind);
    addResult(total.name, getType(loops, element));
  }
  if (isOneIn(8))
    addResult(root.name, getType(element));
  std::string list;
  for (auto [i, argument] : llvm::enumerate(arguments))
    list += (i == 0 ? "%a" : ", %a") + std::to_string(i) + ": " + argument;
  result.program = "func.func @f(" + list + ") -> (" + types + ") {\n" + body +
                   "  return " + results + " : " + types + "\n}\n";
  return result;
}

Expression fusion::writeExpression(ExpressionFamily family, uint64_t seed) {
  return Writer(family, seed).write();
}
