//===- FusionOps.cpp - Operations of the fusion dialect -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builders, accessors, interfaces and custom syntax. Verifiers stand in
// FusionVerifiers.cpp, folders and canonicalisation in FusionFolders.cpp.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mlir::fusion;

/// The extent of dimension `dim` of `value`, as an attribute where static.
static OpFoldResult getExtent(OpBuilder &builder, Location loc, Value value,
                              int64_t dim) {
  return tensor::getMixedSize(builder, loc, value, dim);
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

bool BroadcastOp::growsDim(int64_t dim) {
  return getInput().getType().getDimSize(dim) == 1 &&
         getType().getDimSize(getDims()[dim]) != 1;
}

SmallVector<int64_t> BroadcastOp::getRepeatedDims() {
  SmallVector<int64_t> repeated;
  ArrayRef<int64_t> dims = getDims();
  for (int64_t dim = 0, rank = getType().getRank(); dim < rank; ++dim) {
    const auto *it = llvm::find(dims, dim);
    if (it == dims.end() || growsDim(it - dims.begin()))
      repeated.push_back(dim);
  }
  return repeated;
}

LogicalResult BroadcastOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  SmallVector<OpFoldResult> shape(getType().getRank());
  unsigned nextSize = 0;
  for (int64_t dim : getRepeatedDims())
    shape[dim] = getType().isDynamicDim(dim)
                     ? OpFoldResult(getDynamicSizes()[nextSize++])
                     : builder.getIndexAttr(getType().getDimSize(dim));
  for (auto [from, to] : llvm::enumerate(getDims()))
    if (!growsDim(from))
      shape[to] = getExtent(builder, getLoc(), getInput(), from);
  reifiedReturnShapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// SqueezeOp
//===----------------------------------------------------------------------===//

LogicalResult SqueezeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location,
    SqueezeOp::Adaptor adaptor, SmallVectorImpl<Type> &inferredReturnTypes) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> dims = adaptor.getDims();
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= input.getRank())
      return emitOptionalError(location,
                               "'fusion.squeeze' op expected "
                               "dimensions in [0, ",
                               input.getRank(), "), but got ", dim);
    if (i && dim <= dims[i - 1])
      return emitOptionalError(location,
                               "'fusion.squeeze' op expected unique, "
                               "sorted dimensions, but got ",
                               dim, " after ", dims[i - 1]);
    if (input.getDimSize(dim) != 1)
      return emitOptionalError(
          location,
          "'fusion.squeeze' op expected static extent 1 in dimension ", dim,
          ", but got ", input);
  }
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < input.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      shape.push_back(input.getDimSize(dim));
  inferredReturnTypes.push_back(
      RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult
SqueezeOp::reifyResultShapes(OpBuilder &builder,
                             ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  SmallVector<OpFoldResult> shape;
  for (int64_t dim = 0; dim < getInput().getType().getRank(); ++dim)
    if (!llvm::is_contained(getDims(), dim))
      shape.push_back(getExtent(builder, getLoc(), getInput(), dim));
  reifiedReturnShapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location,
    TransposeOp::Adaptor adaptor, SmallVectorImpl<Type> &inferredReturnTypes) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != input.getRank() ||
      !isPermutationVector(permutation))
    return emitOptionalError(
        location, "'fusion.transpose' op expected a permutation of the ",
        input.getRank(), " operand dimensions, but got [", permutation, "]");
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(input.getDimSize(dim));
  inferredReturnTypes.push_back(
      RankedTensorType::get(shape, input.getElementType()));
  return success();
}

LogicalResult TransposeOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  SmallVector<OpFoldResult> shape;
  for (int64_t dim : getPermutation())
    shape.push_back(getExtent(builder, getLoc(), getInput(), dim));
  reifiedReturnShapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

LogicalResult
IotaOp::reifyResultShapes(OpBuilder &builder,
                          ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  auto type = cast<RankedTensorType>(getType());
  reifiedReturnShapes.push_back(
      {type.isDynamicDim(0) ? OpFoldResult(getDynamicSizes().front())
                            : builder.getIndexAttr(type.getDimSize(0))});
  return success();
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

Type ReduceOp::getAccumulatorType() {
  Type type = getType().getElementType();
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32)
    return Float32Type::get(getContext());
  return type;
}

SmallVector<int64_t> ReduceOp::getKeptDims() {
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < getInput().getType().getRank(); ++dim)
    if (!llvm::is_contained(getDims(), dim))
      kept.push_back(dim);
  return kept;
}

LogicalResult
ReduceOp::reifyResultShapes(OpBuilder &builder,
                            ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  SmallVector<OpFoldResult> shape;
  for (int64_t dim : getKeptDims())
    shape.push_back(getExtent(builder, getLoc(), getInput(), dim));
  reifiedReturnShapes.push_back(std::move(shape));
  return success();
}

//===----------------------------------------------------------------------===//
// SegmentOp
//===----------------------------------------------------------------------===//

void SegmentOp::build(OpBuilder &builder, OperationState &state,
                      TypeRange results, ValueRange inputs,
                      StringRef scheduler) {
  state.addOperands(inputs);
  state.addTypes(results);
  state.getOrAddProperties<Properties>().scheduler =
      builder.getStringAttr(scheduler);
  OpBuilder::InsertionGuard guard(builder);
  Region *body = state.addRegion();
  SmallVector<Location> locations =
      llvm::map_to_vector(inputs, [](Value value) { return value.getLoc(); });
  builder.createBlock(body, body->end(), inputs.getTypes(), locations);
}

OperandRange SegmentOp::getYielded() {
  return cast<YieldOp>(getBodyBlock().getTerminator()).getValues();
}

/// segment ::= string-literal (`schedule` `=` attribute)?
///             `(` (ssa-id `=` ssa-use `:` type),* `)` `->` `(` type-list `)`
///             attr-dict-with-keyword region
ParseResult SegmentOp::parse(OpAsmParser &parser, OperationState &result) {
  std::string scheduler;
  if (failed(parser.parseOptionalString(&scheduler)))
    return parser.emitError(parser.getCurrentLocation(),
                            "expected the name of a scheduler as a string");
  auto &properties = result.getOrAddProperties<Properties>();
  properties.scheduler = parser.getBuilder().getStringAttr(scheduler);
  if (succeeded(parser.parseOptionalKeyword("schedule"))) {
    if (parser.parseEqual())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    Attribute attribute;
    if (parser.parseAttribute(attribute))
      return failure();
    auto schedule = dyn_cast<ScheduleAttrInterface>(attribute);
    if (!schedule)
      return parser.emitError(loc, "expected a schedule attribute, but got ")
             << attribute;
    properties.schedule = schedule;
  }
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> operandTypes;
  SMLoc operandsLoc = parser.getCurrentLocation();
  auto parseBinding = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(argument.type))
      return failure();
    operandTypes.push_back(argument.type);
    return success();
  };
  SmallVector<Type> resultTypes;
  auto parseResultType = [&] {
    return parser.parseType(resultTypes.emplace_back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseBinding) ||
      parser.parseArrow() ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseResultType) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  result.addTypes(resultTypes);
  return parser.resolveOperands(operands, operandTypes, operandsLoc,
                                result.operands);
}

void SegmentOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSchedulerAttr();
  if (auto schedule = getScheduleAttr())
    printer << " schedule = " << schedule;
  printer << " (";
  llvm::interleaveComma(llvm::zip(getBodyBlock().getArguments(), getInputs()),
                        printer, [&](auto binding) {
                          auto [argument, input] = binding;
                          printer << argument << " = " << input << " : "
                                  << input.getType();
                        });
  printer << ") -> (";
  llvm::interleaveComma(getResultTypes(), printer);
  printer << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"scheduler", "schedule"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/true);
}

//===----------------------------------------------------------------------===//
// LaunchFuncOp
//===----------------------------------------------------------------------===//

/// `(` (ssa-use `:` type),* `)`
static ParseResult
parseLaunchArguments(OpAsmParser &parser,
                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                     SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        return failure(parser.parseOperand(operands.emplace_back()) ||
                       parser.parseColonType(types.emplace_back()));
      });
}

static void printLaunchArguments(OpAsmPrinter &printer, Operation *,
                                 OperandRange operands, TypeRange types) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(operands, types), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " : " << std::get<1>(pair);
  });
  printer << ')';
}

#define GET_OP_CLASSES
#include "FusionDialect/IR/FusionOps.cpp.inc"
