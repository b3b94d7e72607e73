//===- CompileArith.cpp - Arithmetic and math -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "FloatFunctions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

static std::optional<BinaryOp> getBinaryOp(llvm::StringRef name) {
  static const llvm::StringMap<BinaryOp> table = {
      {"arith.addf", BinaryOp::AddF},
      {"arith.subf", BinaryOp::SubF},
      {"arith.mulf", BinaryOp::MulF},
      {"arith.divf", BinaryOp::DivF},
      {"arith.remf", BinaryOp::RemF},
      {"arith.maximumf", BinaryOp::MaximumF},
      {"arith.minimumf", BinaryOp::MinimumF},
      {"arith.maxnumf", BinaryOp::MaxNumF},
      {"arith.minnumf", BinaryOp::MinNumF},
      {"math.powf", BinaryOp::PowF},
      {"math.atan2", BinaryOp::Atan2},
      {"math.copysign", BinaryOp::CopySign},
      {"arith.addi", BinaryOp::AddI},
      {"arith.subi", BinaryOp::SubI},
      {"arith.muli", BinaryOp::MulI},
      {"arith.divsi", BinaryOp::DivSI},
      {"arith.divui", BinaryOp::DivUI},
      {"arith.remsi", BinaryOp::RemSI},
      {"arith.remui", BinaryOp::RemUI},
      {"arith.floordivsi", BinaryOp::FloorDivSI},
      {"arith.ceildivsi", BinaryOp::CeilDivSI},
      {"arith.ceildivui", BinaryOp::CeilDivUI},
      {"arith.andi", BinaryOp::And},
      {"arith.ori", BinaryOp::Or},
      {"arith.xori", BinaryOp::Xor},
      {"arith.shli", BinaryOp::ShL},
      {"arith.shrsi", BinaryOp::ShRS},
      {"arith.shrui", BinaryOp::ShRU},
      {"arith.maxsi", BinaryOp::MaxSI},
      {"arith.maxui", BinaryOp::MaxUI},
      {"arith.minsi", BinaryOp::MinSI},
      {"arith.minui", BinaryOp::MinUI}};
  auto it = table.find(name);
  if (it == table.end())
    return std::nullopt;
  return it->second;
}

static std::optional<UnaryOp> getUnaryOp(llvm::StringRef name) {
  static const llvm::StringMap<UnaryOp> table = {
      {"arith.negf", UnaryOp::NegF},  {"math.absf", UnaryOp::AbsF},
      {"math.absi", UnaryOp::AbsI},   {"math.sqrt", UnaryOp::Sqrt},
      {"math.rsqrt", UnaryOp::Rsqrt}, {"math.cbrt", UnaryOp::Cbrt},
      {"math.exp", UnaryOp::Exp},     {"math.exp2", UnaryOp::Exp2},
      {"math.expm1", UnaryOp::ExpM1}, {"math.log", UnaryOp::Log},
      {"math.log2", UnaryOp::Log2},   {"math.log10", UnaryOp::Log10},
      {"math.log1p", UnaryOp::Log1p}, {"math.sin", UnaryOp::Sin},
      {"math.cos", UnaryOp::Cos},     {"math.tan", UnaryOp::Tan},
      {"math.asin", UnaryOp::Asin},   {"math.acos", UnaryOp::Acos},
      {"math.atan", UnaryOp::Atan},   {"math.sinh", UnaryOp::Sinh},
      {"math.cosh", UnaryOp::Cosh},   {"math.tanh", UnaryOp::Tanh},
      {"math.asinh", UnaryOp::Asinh}, {"math.acosh", UnaryOp::Acosh},
      {"math.atanh", UnaryOp::Atanh}, {"math.erf", UnaryOp::Erf},
      {"math.erfc", UnaryOp::Erfc},   {"math.ceil", UnaryOp::Ceil},
      {"math.floor", UnaryOp::Floor}, {"math.trunc", UnaryOp::Trunc},
      {"math.round", UnaryOp::Round}, {"math.roundeven", UnaryOp::RoundEven},
      {"math.ctpop", UnaryOp::CtPop}, {"math.ctlz", UnaryOp::Ctlz},
      {"math.cttz", UnaryOp::Cttz}};
  auto it = table.find(name);
  if (it == table.end())
    return std::nullopt;
  return it->second;
}

/// The sign an integer has in a conversion; none if `name` is no conversion.
static std::optional<IntegerSign> getCastSign(llvm::StringRef name) {
  static const llvm::StringMap<IntegerSign> table = {
      {"arith.extf", IntegerSign::Signed},
      {"arith.truncf", IntegerSign::Signed},
      {"arith.extsi", IntegerSign::Signed},
      {"arith.extui", IntegerSign::Unsigned},
      {"arith.trunci", IntegerSign::Unsigned},
      {"arith.sitofp", IntegerSign::Signed},
      {"arith.uitofp", IntegerSign::Unsigned},
      {"arith.fptosi", IntegerSign::Signed},
      {"arith.fptoui", IntegerSign::Unsigned},
      {"arith.index_cast", IntegerSign::Signed},
      {"arith.index_castui", IntegerSign::Unsigned}};
  auto it = table.find(name);
  if (it == table.end())
    return std::nullopt;
  return it->second;
}

static std::optional<FloatQuestion> getQuestion(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<FloatQuestion>>(name)
      .Case("math.isnan", FloatQuestion::IsNaN)
      .Case("math.isinf", FloatQuestion::IsInf)
      .Case("math.isfinite", FloatQuestion::IsFinite)
      .Case("math.isnormal", FloatQuestion::IsNormal)
      .Default(std::nullopt);
}

/// The least normal number of a float type, as the bits of a double.
static int64_t getLeastNormalBits(Type type) {
  APFloat number = APFloat::getSmallestNormalized(
      cast<FloatType>(getElementTypeOrSelf(type)).getFloatSemantics());
  bool lost;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return llvm::bit_cast<int64_t>(number.convertToDouble());
}

static int64_t getRelation(arith::CmpFPredicate predicate) {
  // 1 to 7 are the sets of equal (1), greater (2) and less (4); 8 to 13 are 1
  // to 6 or unordered; 14 is unordered alone.
  auto value = static_cast<unsigned>(predicate);
  if (predicate == arith::CmpFPredicate::AlwaysTrue)
    return Less | Equal | Greater | Unordered;
  bool unordered = value > 7;
  unsigned bits = !unordered ? value : value == 14 ? 0 : value - 7;
  return (bits & 1 ? Equal : 0) | (bits & 2 ? Greater : 0) |
         (bits & 4 ? Less : 0) | (unordered ? Unordered : 0);
}

static int64_t getRelation(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Equal;
  case arith::CmpIPredicate::ne:
    return Less | Greater;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return Less;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return Less | Equal;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return Greater;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return Greater | Equal;
  }
  return 0;
}

LogicalResult Compiler::compileElementwise(Operation *op, Handler handler,
                                           int64_t imm) {
  if (!handler || op->getNumResults() != 1)
    return refuse(op);
  llvm::SmallVector<uint32_t> operands = useAll(op->getOperands());
  operands.resize(3, kNoRegister);
  uint32_t n = getRegisterShape(op->getResult(0).getType())->n;
  uint32_t dst = define(op->getResult(0)).front();
  emit(handler, dst, operands[0], operands[1], operands[2], n, imm);
  return success();
}

/// The bit pattern of one element of a constant.
static std::optional<uint64_t> getBits(Attribute value) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return integer.getValue().getZExtValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

LogicalResult Compiler::compileConstant(Operation *op, Attribute value) {
  RegisterShape shape = *getRegisterShape(op->getResult(0).getType());
  llvm::SmallVector<uint64_t> elements;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat()) {
      elements.push_back(*getBits(dense.getSplatValue<Attribute>()));
    } else {
      for (Attribute element : dense.getValues<Attribute>())
        elements.push_back(*getBits(element));
    }
  } else if (std::optional<uint64_t> bits = getBits(value)) {
    elements.push_back(*bits);
  } else {
    return refuse(op);
  }
  values[op->getResult(0)] = {getConstant(shape, elements)};
  return success();
}

Compiler::Result Compiler::compileArith(Operation *op) {
  llvm::StringRef name = op->getName().getStringRef();
  if (op->getNumResults() != 1)
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return compileConstant(op, constant.getValue());
  if (name == "ub.poison") {
    RegisterShape shape = *getRegisterShape(op->getResult(0).getType());
    values[op->getResult(0)] = {getConstant(shape, uint64_t(0))};
    return success();
  }
  if (op->getNumOperands() == 0)
    return std::nullopt;
  std::optional<RegisterShape> shape =
      getRegisterShape(op->getOperand(0).getType());
  if (!shape)
    return std::nullopt;
  if (std::optional<BinaryOp> binary = getBinaryOp(name))
    return compileElementwise(op, getBinaryHandler(*binary, shape->kind));
  if (std::optional<UnaryOp> unary = getUnaryOp(name))
    return compileElementwise(op, getUnaryHandler(*unary, shape->kind),
                              int64_t(*unary));
  ScalarKind resultKind = getRegisterShape(op->getResult(0).getType())->kind;
  if (std::optional<IntegerSign> sign = getCastSign(name))
    return compileElementwise(op,
                              getCastHandler(shape->kind, resultKind, *sign));
  if (name == "arith.bitcast")
    return compileElementwise(op, getCopyHandler(shape->getElementBytes()));
  if (name == "math.fma")
    return compileElementwise(op, getFmaHandler(shape->kind));
  if (name == "math.clampf")
    return compileElementwise(op, getClampHandler(shape->kind));
  if (name == "math.fpowi") {
    ScalarKind power = getRegisterShape(op->getOperand(1).getType())->kind;
    return compileElementwise(op, getIntegerPowerHandler(shape->kind, power));
  }
  if (std::optional<FloatQuestion> question = getQuestion(name))
    return compileElementwise(op, getQuestionHandler(*question, shape->kind),
                              getLeastNormalBits(op->getOperand(0).getType()));
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return compileElementwise(op, getCompareHandler(shape->kind, false),
                              getRelation(compare.getPredicate()));
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    arith::CmpIPredicate predicate = compare.getPredicate();
    bool isSigned = predicate < arith::CmpIPredicate::ult;
    return compileElementwise(op, getCompareHandler(shape->kind, isSigned),
                              getRelation(predicate));
  }
  if (isa<arith::SelectOp>(op)) {
    auto result = getRegisterShape(op->getResult(0).getType());
    if (!result)
      return refuse(op);
    bool oneCondition = shape->n != result->n || shape->n == 1;
    return compileElementwise(op, getSelectHandler(result->getElementBytes()),
                              oneCondition);
  }
  return std::nullopt;
}
