//===- FusionVerifiers.cpp - What makes an operation valid ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;

/// Checks that `dims` is unique, sorted and within `rank`.
static LogicalResult verifyDims(Operation *op, ArrayRef<int64_t> dims,
                                int64_t rank) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank)
      return op->emitOpError("expected dimensions in [0, ")
             << rank << "), but got " << dim;
    if (dim <= previous)
      return op->emitOpError("expected unique, sorted dimensions, but got ")
             << dim << " after " << previous;
    previous = dim;
  }
  return success();
}

/// Checks that the result has `shape`.
static LogicalResult verifyResultShape(Operation *op, RankedTensorType result,
                                       ArrayRef<int64_t> shape) {
  if (result.getShape() == shape)
    return success();
  return op->emitOpError("expected result type ")
         << RankedTensorType::get(shape, result.getElementType())
         << ", but got " << result;
}

static LogicalResult verifySameElementType(Operation *op,
                                           RankedTensorType input,
                                           RankedTensorType result) {
  if (input.getElementType() == result.getElementType())
    return success();
  return op->emitOpError("expected equal element types, but got ")
         << input.getElementType() << " and " << result.getElementType();
}

static LogicalResult verifyNoEncoding(Operation *op) {
  auto hasEncoding = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  for (Type type : op->getOperandTypes())
    if (hasEncoding(type))
      return op->emitOpError("expected tensors without encoding, but got ")
             << type;
  for (Type type : op->getResultTypes())
    if (hasEncoding(type))
      return op->emitOpError("expected tensors without encoding, but got ")
             << type;
  return success();
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  if (failed(verifyNoEncoding(*this)) ||
      failed(verifySameElementType(*this, input, result)))
    return failure();
  if (static_cast<int64_t>(getDims().size()) != input.getRank())
    return emitOpError("expected one result dimension for each of the ")
           << input.getRank() << " operand dimensions, but got "
           << getDims().size();
  if (failed(verifyDims(*this, getDims(), result.getRank())))
    return failure();
  for (auto [from, to] : llvm::enumerate(getDims())) {
    int64_t inputExtent = input.getDimSize(from);
    int64_t resultExtent = result.getDimSize(to);
    if (inputExtent != resultExtent && inputExtent != 1) {
      auto extent = [](int64_t size) {
        return ShapedType::isDynamic(size) ? std::string("?")
                                           : std::to_string(size);
      };
      return emitOpError("expected operand dimension ")
             << from << " to have static extent 1 or that of result dimension "
             << to << " (" << extent(resultExtent) << "), but got "
             << extent(inputExtent);
    }
  }
  int64_t numDynamic = llvm::count_if(
      getRepeatedDims(), [&](int64_t dim) { return result.isDynamicDim(dim); });
  if (numDynamic != static_cast<int64_t>(getDynamicSizes().size()))
    return emitOpError("expected one index operand for each of the ")
           << numDynamic << " new or grown dynamic extents, but got "
           << getDynamicSizes().size();
  return success();
}

//===----------------------------------------------------------------------===//
// SqueezeOp
//===----------------------------------------------------------------------===//

LogicalResult SqueezeOp::verify() {
  // The result's type is checked by type inference.
  return verifyNoEncoding(*this);
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

LogicalResult TransposeOp::verify() { return verifyNoEncoding(*this); }

//===----------------------------------------------------------------------===//
// IotaOp
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (failed(verifyNoEncoding(*this)))
    return failure();
  if (type.getRank() != 1)
    return emitOpError("expected one dimension, but got ") << type;
  int64_t expected = type.getNumDynamicDims();
  if (static_cast<int64_t>(getDynamicSizes().size()) != expected)
    return emitOpError("expected ")
           << expected << " index operands, one for each dynamic extent, but "
           << "got " << getDynamicSizes().size();
  return success();
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  if (failed(verifyNoEncoding(*this)) ||
      failed(verifyDims(*this, getDims(), input.getRank())))
    return failure();
  Type from = input.getElementType(), to = result.getElementType();
  bool widens = isa<FloatType>(from) && isa<FloatType>(to) &&
                to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  if (from != to && !widens)
    return emitOpError("expected the operand's element type ")
           << from << " or a wider float, but got " << to;
  if (!supportsElementType(getKind(), from))
    return emitOpError("expected ")
           << (isa<FloatType>(from) ? "a kind for floats (add, mul, minimumf, "
                                      "maximumf, minnumf, maxnumf)"
                                    : "a kind for integers (add, mul, minsi, "
                                      "minui, maxsi, maxui, and, or, xor)")
           << ", but got " << stringifyReductionKind(getKind());
  SmallVector<int64_t> shape;
  for (int64_t dim : getKeptDims())
    shape.push_back(input.getDimSize(dim));
  return verifyResultShape(*this, result, shape);
}

//===----------------------------------------------------------------------===//
// SegmentOp
//===----------------------------------------------------------------------===//

LogicalResult SegmentOp::verify() {
  if ((*this)->getParentOfType<SegmentOp>())
    return emitOpError("expected no segment around it: segments do not nest");
  if (getScheduler().empty())
    return emitOpError("expected the name of a scheduler, but got none");
  if (auto schedule = getScheduleAttr();
      schedule && schedule.getSchedulerName() != getScheduler())
    return emitOpError("expected a schedule of scheduler '")
           << getScheduler() << "', but got one of '"
           << schedule.getSchedulerName() << "'";
  return success();
}

// The terminator is known to be a yield only once the region is verified.
LogicalResult SegmentOp::verifyRegions() {
  Block &body = getBodyBlock();
  if (body.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("expected region arguments of the operands' types (")
           << getInputs().getTypes() << "), but got ("
           << body.getArgumentTypes() << ")";
  if (getYielded().getTypes() != getResultTypes())
    return body.getTerminator()->emitOpError("expected values of types (")
           << getResultTypes() << "), but got (" << getYielded().getTypes()
           << ")";
  for (Operation &op : body.without_terminator())
    if (!isPure(&op))
      return op.emitOpError("expected only pure operations in a segment");
  return success();
}

//===----------------------------------------------------------------------===//
// LaunchFuncOp
//===----------------------------------------------------------------------===//

LogicalResult LaunchFuncOp::verify() {
  auto checkSizes = [&](OperandRange sizes, StringRef what) -> LogicalResult {
    if (sizes.size() == 3)
      return success();
    return emitOpError("expected 3 sizes in ")
           << what << ", but got " << sizes.size();
  };
  if (!getClusterSize().empty() &&
      failed(checkSizes(getClusterSize(), "clusters")))
    return failure();
  if (failed(checkSizes(getGridSize(), "blocks")) ||
      failed(checkSizes(getBlockSize(), "threads")))
    return failure();
  if (getKernel().getNestedReferences().size() != 1)
    return emitOpError("expected a kernel in a module, @module::@kernel, but "
                       "got ")
           << getKernel();
  return success();
}

LogicalResult
LaunchFuncOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *module = symbolTable.lookupNearestSymbolFrom(
      *this, getKernel().getRootReference());
  // What is in a binary is known to the driver only.
  if (isa_and_present<gpu::BinaryOp>(module))
    return success();
  if (!isa_and_present<gpu::GPUModuleOp>(module))
    return emitOpError("expected a gpu.module or gpu.binary named ")
           << getKernel().getRootReference();
  Operation *kernel =
      symbolTable.lookupSymbolIn(module, getKernel().getLeafReference());
  if (!kernel)
    return emitOpError("expected a kernel ") << getKernel();
  // Conversion makes it an llvm.func with other parameters.
  auto function = dyn_cast<gpu::GPUFuncOp>(kernel);
  if (!function)
    return success();
  if (!function.isKernel())
    return emitOpError("expected a kernel, but ")
           << getKernel() << " has no 'gpu.kernel'";
  if (getKernelOperands().getTypes() !=
      TypeRange(function.getFunctionType().getInputs()))
    return emitOpError("expected arguments of types (")
           << function.getFunctionType().getInputs() << "), but got ("
           << getKernelOperands().getTypes() << ")";
  return success();
}
