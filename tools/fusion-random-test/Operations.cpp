//===- Operations.cpp - What random programs are made of ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operations.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr bool inexact = false;

static constexpr OperationSpec specs[] = {
    {"arith.negf", Form::FloatUnary},
    {"math.absf", Form::FloatUnary},
    {"math.ceil", Form::FloatUnary},
    {"math.floor", Form::FloatUnary},
    {"math.round", Form::FloatUnary},
    {"math.roundeven", Form::FloatUnary},
    {"math.trunc", Form::FloatUnary},
    {"math.sqrt", Form::FloatUnary, true, true},
    {"math.rsqrt", Form::FloatUnary, inexact, true},
    {"math.cbrt", Form::FloatUnary, inexact},
    {"math.exp", Form::FloatUnary, inexact},
    {"math.exp2", Form::FloatUnary, inexact},
    {"math.expm1", Form::FloatUnary, inexact},
    {"math.log", Form::FloatUnary, inexact, true},
    {"math.log2", Form::FloatUnary, inexact, true},
    {"math.log10", Form::FloatUnary, inexact, true},
    {"math.log1p", Form::FloatUnary, inexact, true},
    {"math.sin", Form::FloatUnary, inexact},
    {"math.cos", Form::FloatUnary, inexact},
    {"math.tan", Form::FloatUnary, inexact},
    {"math.asin", Form::FloatUnary, inexact},
    {"math.acos", Form::FloatUnary, inexact},
    {"math.atan", Form::FloatUnary, inexact},
    {"math.sinh", Form::FloatUnary, inexact},
    {"math.cosh", Form::FloatUnary, inexact},
    {"math.tanh", Form::FloatUnary, inexact},
    {"math.asinh", Form::FloatUnary, inexact},
    {"math.acosh", Form::FloatUnary, inexact, true},
    {"math.atanh", Form::FloatUnary, inexact},
    {"math.erf", Form::FloatUnary, inexact},
    {"math.erfc", Form::FloatUnary, inexact},
    {"arith.addf", Form::FloatBinary},
    {"arith.subf", Form::FloatBinary},
    {"arith.mulf", Form::FloatBinary},
    {"arith.divf", Form::FloatBinary},
    {"arith.remf", Form::FloatBinary},
    {"arith.maximumf", Form::FloatBinary},
    {"arith.minimumf", Form::FloatBinary},
    {"arith.maxnumf", Form::FloatBinary},
    {"arith.minnumf", Form::FloatBinary},
    // The sign of a NaN that was computed is not defined.
    {"math.copysign", Form::FloatBinary, inexact},
    {"math.atan2", Form::FloatBinary, inexact},
    {"math.powf", Form::FloatBinary, inexact, true},
    // In narrow types it rounds twice.
    {"math.fma", Form::FloatTernary, inexact},
    {"math.clampf", Form::FloatTernary},
    {"math.fpowi", Form::FloatPower, inexact},
    {"math.isfinite", Form::FloatPredicate},
    {"math.isinf", Form::FloatPredicate},
    {"math.isnan", Form::FloatPredicate},
    {"math.isnormal", Form::FloatPredicate},
    {"arith.cmpf", Form::FloatCompare},
    {"math.absi", Form::IntegerUnary},
    {"math.ctlz", Form::IntegerUnary},
    {"math.cttz", Form::IntegerUnary},
    {"math.ctpop", Form::IntegerUnary},
    {"arith.addi", Form::IntegerBinary},
    {"arith.subi", Form::IntegerBinary},
    {"arith.muli", Form::IntegerBinary},
    {"arith.andi", Form::IntegerBinary},
    {"arith.ori", Form::IntegerBinary},
    {"arith.xori", Form::IntegerBinary},
    {"arith.maxsi", Form::IntegerBinary},
    {"arith.maxui", Form::IntegerBinary},
    {"arith.minsi", Form::IntegerBinary},
    {"arith.minui", Form::IntegerBinary},
    {"arith.ceildivsi", Form::IntegerDivision},
    {"arith.ceildivui", Form::IntegerDivision},
    {"arith.divsi", Form::IntegerDivision},
    {"arith.divui", Form::IntegerDivision},
    {"arith.floordivsi", Form::IntegerDivision},
    {"arith.remsi", Form::IntegerDivision},
    {"arith.remui", Form::IntegerDivision},
    {"arith.shli", Form::IntegerShift},
    {"arith.shrsi", Form::IntegerShift},
    {"arith.shrui", Form::IntegerShift},
    {"arith.cmpi", Form::IntegerCompare},
    {"arith.select", Form::Select},
    {"arith.extf", Form::Cast},
    {"arith.truncf", Form::Cast},
    {"arith.sitofp", Form::Cast},
    {"arith.uitofp", Form::Cast},
    {"arith.fptosi", Form::Cast},
    {"arith.fptoui", Form::Cast},
    {"arith.extsi", Form::Cast},
    {"arith.extui", Form::Cast},
    {"arith.trunci", Form::Cast},
    {"arith.bitcast", Form::Cast},
    {"add", Form::Reduce},
    {"mul", Form::Reduce},
    {"minimumf", Form::Reduce},
    {"maximumf", Form::Reduce},
    {"minnumf", Form::Reduce},
    {"maxnumf", Form::Reduce},
    {"minsi", Form::Reduce},
    {"minui", Form::Reduce},
    {"maxsi", Form::Reduce},
    {"maxui", Form::Reduce},
    {"and", Form::Reduce},
    {"or", Form::Reduce},
    {"xor", Form::Reduce},
    {"fusion.broadcast", Form::Broadcast},
    {"fusion.squeeze", Form::Squeeze},
    {"fusion.transpose", Form::Transpose},
    {"tensor.expand_shape", Form::Expand},
    {"tensor.collapse_shape", Form::Collapse},
    {"tensor.splat", Form::Splat},
    {"arith.constant", Form::Constant},
};

ArrayRef<OperationSpec> fusion::getOperationSpecs() { return specs; }

SmallVector<Type> fusion::getElementTypes(MLIRContext *context) {
  SmallVector<Type> types{
      Float16Type::get(context),      BFloat16Type::get(context),
      Float32Type::get(context),      Float64Type::get(context),
      Float8E4M3FNType::get(context), Float8E5M2Type::get(context)};
  for (unsigned width : {1, 8, 16, 32, 64})
    types.push_back(IntegerType::get(context, width));
  return types;
}

static bool reduces(StringRef kind, bool isFloat) {
  if (kind == "add" || kind == "mul")
    return true;
  return isFloat == kind.ends_with("f");
}

bool fusion::takes(const OperationSpec &spec, Type elementType) {
  bool isFloat = isa<FloatType>(elementType);
  switch (spec.form) {
  case Form::FloatUnary:
  case Form::FloatBinary:
  case Form::FloatTernary:
  case Form::FloatPower:
  case Form::FloatPredicate:
  case Form::FloatCompare:
    return isFloat;
  case Form::IntegerBinary:
  case Form::IntegerCompare:
    return !isFloat;
  case Form::IntegerUnary:
  case Form::IntegerDivision:
  case Form::IntegerShift:
    return !isFloat && !elementType.isInteger(1);
  case Form::Cast:
    return !getCastResults(spec, elementType).empty();
  case Form::Reduce:
    return reduces(spec.name, isFloat);
  default:
    return true;
  }
}

SmallVector<Type> fusion::getCastResults(const OperationSpec &spec, Type from) {
  SmallVector<Type> results = getElementTypes(from.getContext());
  bool fromFloat = isa<FloatType>(from);
  unsigned width = from.getIntOrFloatBitWidth();
  llvm::erase_if(results, [&](Type to) {
    bool toFloat = isa<FloatType>(to);
    unsigned toWidth = to.getIntOrFloatBitWidth();
    StringRef name = spec.name;
    if (name == "arith.bitcast")
      return fromFloat == toFloat || width != toWidth;
    if (name == "arith.sitofp" || name == "arith.uitofp")
      return fromFloat || !toFloat;
    if (name == "arith.fptosi" || name == "arith.fptoui")
      return !fromFloat || toFloat || toWidth == 1;
    if (fromFloat != name.ends_with("f") || toFloat != fromFloat)
      return true;
    return name.starts_with("arith.ext") ? toWidth <= width : toWidth >= width;
  });
  return results;
}

static std::string joinPair(const Twine &operation, Type elementType) {
  std::string text;
  llvm::raw_string_ostream(text) << operation << " " << elementType;
  return text;
}

std::string OperationPair::str() const {
  if (spec->form == Form::Reduce)
    return joinPair("fusion.reduce " + spec->name, elementType);
  return joinPair(spec->name, elementType);
}

SmallVector<OperationPair> fusion::getOperationPairs(MLIRContext *context) {
  SmallVector<OperationPair> pairs;
  SmallVector<Type> types = getElementTypes(context);
  for (const OperationSpec &spec : specs)
    for (Type type : types)
      if (takes(spec, type))
        pairs.push_back({&spec, type});
  return pairs;
}

std::string fusion::getPairName(Operation *op) {
  // A constant has no operand, and the first one of a select is the condition.
  Type type = op->getNumOperands() == 0 || isa<arith::SelectOp>(op)
                  ? op->getResult(0).getType()
                  : op->getOperand(0).getType();
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return joinPair("fusion.reduce " + stringifyReductionKind(reduce.getKind()),
                    getElementTypeOrSelf(type));
  return joinPair(op->getName().getStringRef(), getElementTypeOrSelf(type));
}

bool fusion::isExactEverywhere(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return !isa<FloatType>(reduce.getType().getElementType()) ||
           (reduce.getKind() != ReductionKind::Add &&
            reduce.getKind() != ReductionKind::Mul);
  const auto *spec = llvm::find_if(specs, [&](const OperationSpec &spec) {
    return spec.name == op->getName().getStringRef();
  });
  return spec != std::end(specs) && spec->isExact;
}
