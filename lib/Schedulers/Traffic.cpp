//===- Traffic.cpp - What a candidate moves and computes ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mlir::fusion;

uint64_t fusion::getTrafficBytes(const Candidate &candidate) {
  uint64_t bytes = 0;
  for (Value input : candidate.inputs)
    bytes += getStoredBytes(input);
  for (Value output : candidate.outputs)
    bytes += getStoredBytes(output);
  return bytes;
}

unsigned fusion::countInstructions(Operation *op) {
  // In issue slots of an addition; libdevice's exp takes about ten, its
  // logarithm and trigonometric functions about twice that. An approximation is
  // one instruction for a unit with an eighth of the lanes.
  constexpr unsigned division = 8, function = 16, approximation = 8;
  Dialect *dialect = op->getDialect();
  if (isa_and_present<arith::ArithDialect>(dialect)) {
    if (isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
            arith::RemSIOp, arith::RemUIOp>(op))
      return division;
    return isa<arith::ConstantOp>(op) ? 0 : 1;
  }
  if (!isa_and_present<math::MathDialect>(dialect))
    return isa<BroadcastOp, SqueezeOp, TransposeOp, tensor::SplatOp,
               tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op)
               ? 0
               : 1;
  if (isa<math::SqrtOp, math::RsqrtOp>(op))
    return division;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp, math::CeilOp,
          math::TruncOp>(op))
    return 1;
  auto fastMath = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fastMath ? fastMath.getFastMathFlagsAttr() : nullptr;
  bool isApproximate =
      flags &&
      arith::bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::afn);
  return isApproximate ? approximation : function;
}

bool fusion::reducesElements(ReduceOp reduce) {
  return llvm::any_of(reduce.getDims(), [&](int64_t dim) {
    return reduce.getInput().getType().getDimSize(dim) != 1;
  });
}

/// True for an element type that kernels load and store, or, if not
/// `inMemory`, compute with.
static bool isSupportedElement(Type type, bool inMemory) {
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type,
          Float32Type, Float64Type>(type))
    return true;
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isIndex() && !inMemory;
}

/// True if checkElementTypes finds nothing.
static bool hasOnlySupportedElements(const Candidate &candidate) {
  // Most values are of the type of the one before.
  Type lastOperation, lastOutput;
  return llvm::all_of(candidate.inputs,
                      [&](Value input) {
                        return isSupportedElement(
                            getElementTypeOrSelf(input.getType()),
                            isa<RankedTensorType>(input.getType()));
                      }) &&
         llvm::all_of(candidate.operations,
                      [&](Operation *op) {
                        Type type = op->getResult(0).getType();
                        return type == std::exchange(lastOperation, type) ||
                               isSupportedElement(getElementTypeOrSelf(type),
                                                  /*inMemory=*/false);
                      }) &&
         llvm::all_of(candidate.outputs, [&](Value output) {
           Type type = output.getType();
           return type == std::exchange(lastOutput, type) ||
                  isSupportedElement(getElementTypeOrSelf(type),
                                     /*inMemory=*/true);
         });
}

std::optional<Rejection> fusion::checkElementTypes(const Candidate &candidate) {
  if (hasOnlySupportedElements(candidate))
    return std::nullopt;
  auto check = [](Value value, Operation *op,
                  bool inMemory) -> std::optional<Rejection> {
    Type element = getElementTypeOrSelf(value.getType());
    if (isSupportedElement(element, inMemory))
      return std::nullopt;
    return Rejection{
        RejectionCode::UnsupportedElementType, op,
        "expected f8E4M3FN, f8E5M2, f16, bf16, f32, f64 or integers "
        "of 1, 8, 16, 32 or 64 bits, but got " +
            debugString(element)};
  };
  for (Operation *op : candidate.operations) {
    for (Value operand : op->getOperands())
      if (auto rejection = check(operand, op,
                                 candidate.inputs.contains(operand) &&
                                     isa<RankedTensorType>(operand.getType())))
        return rejection;
    Value result = op->getResult(0);
    if (auto rejection =
            check(result, op, llvm::is_contained(candidate.outputs, result)))
      return rejection;
  }
  return std::nullopt;
}

std::optional<Rejection> fusion::checkParameters(const Candidate &candidate,
                                                 size_t workspaces,
                                                 const DeviceModel &device) {
  uint64_t bytes =
      8 * (candidate.inputs.size() + candidate.outputs.size() + workspaces);
  if (bytes <= device.parameterBytes)
    return std::nullopt;
  return Rejection{RejectionCode::OnChipCapacity,
                   candidate.operations.front(),
                   "expected inputs and results that fit in the parameters of "
                   "a kernel, in bytes",
                   std::nullopt,
                   bytes,
                   device.parameterBytes};
}

std::optional<Rejection>
fusion::checkNothingToWrite(const Candidate &candidate) {
  for (Value output : candidate.outputs)
    if (!llvm::is_contained(cast<RankedTensorType>(output.getType()).getShape(),
                            0))
      return Rejection{RejectionCode::EmptyExtent, output.getDefiningOp(),
                       "expected no result with elements where a loop has no "
                       "iteration"};
  return std::nullopt;
}

std::optional<Rejection> fusion::checkWholeResult(const IterationSpace &space,
                                                  const DimClasses &dims) {
  if (std::optional<Rejection> rejection = checkDynamicExtent(space, dims))
    return rejection;
  const Candidate &candidate = space.getCandidate();
  const Value *whole = llvm::find_if(candidate.outputs, [&](Value output) {
    return space.getLoops(output) == space.getAllLoops();
  });
  if (whole == candidate.outputs.end())
    return Rejection{RejectionCode::UnsupportedShape,
                     candidate.operations.front(),
                     "expected one result that varies over all loops of the "
                     "others and of the inputs"};
  if (std::optional<Rejection> rejection = checkWritesDynamicLoop(space))
    return rejection;
  return space.isEmpty() ? checkNothingToWrite(candidate) : std::nullopt;
}

std::optional<Rejection>
fusion::checkWritesDynamicLoop(const IterationSpace &space) {
  for (auto [index, loop] : llvm::enumerate(space.getLoops()))
    if (loop.isDynamic())
      for (Value output : space.getCandidate().outputs)
        if (!(space.getLoops(output) >> index & 1))
          return Rejection{
              RejectionCode::DynamicExtent, output.getDefiningOp(),
              "expected only results that vary over the loop whose "
              "extent is not known at compile time: where that is "
              "0, nothing is launched to write others"};
  return std::nullopt;
}

std::optional<Rejection> fusion::checkDynamicExtent(const IterationSpace &space,
                                                    const DimClasses &dims) {
  auto dynamicClass = space.getDynamicClass();
  if (!dynamicClass)
    return std::nullopt;
  const Candidate &candidate = space.getCandidate();
  auto reject = [&](StringRef hint) {
    return Rejection{RejectionCode::DynamicExtent, candidate.operations.front(),
                     hint.str()};
  };
  if (!space.getLoops().front().isDynamic() ||
      llvm::any_of(space.getLoops().drop_front(),
                   [](const Loop &loop) { return loop.isDynamic(); }))
    return reject("expected only the outermost loop to have an extent that is "
                  "not known at compile time");
  bool isOfInput = false, isOnly = true;
  auto visit = [&](Value value, bool isInput) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim) {
      bool isSame = dims.getClass(value, dim) == *dynamicClass;
      isOfInput |= isInput && isSame;
      isOnly &= isSame || !type.isDynamicDim(dim);
    }
  };
  for (Value input : candidate.inputs)
    visit(input, /*isInput=*/true);
  for (Value output : candidate.outputs)
    visit(output, /*isInput=*/false);
  if (isOfInput && isOnly)
    return std::nullopt;
  return reject("expected the extent that is not known at compile time to be "
                "that of a dimension of an input, and the only one");
}

std::optional<Rejection>
fusion::checkKeepsInnermost(const IterationSpace &space, LoopSet reduced,
                            Operation *operation) {
  for (Value input : space.getCandidate().inputs) {
    if (space.getLoops(input) != space.getAllLoops())
      continue;
    for (auto [loop, stride] : llvm::enumerate(space.getStrides(input)))
      if (stride == 1 && (reduced >> loop & 1))
        return Rejection{RejectionCode::UnsupportedShape, operation,
                         "expected reductions that keep the innermost loop of "
                         "their inputs"};
  }
  return std::nullopt;
}
