//===- HostInterpreter.cpp - Runs a host function on a device -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow, calls and scalars. Scalars have no code of their own here: an
// operation on constants is what its folder makes of them.
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

HostInterpreter::HostInterpreter(ModuleOp module, Device &device,
                                 InterpreterOptions options)
    : impl(std::make_unique<HostEvaluator>(module, device, options)) {}
HostInterpreter::~HostInterpreter() = default;

LogicalResult HostInterpreter::loadKernels() { return impl->loadKernels(); }
FailureOr<SmallVector<HostValue>>
HostInterpreter::call(func::FuncOp function, ArrayRef<HostValue> arguments) {
  return impl->call(function, arguments);
}
ExitStatus HostInterpreter::getFailure() const { return impl->status; }

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

LogicalResult HostEvaluator::report(Operation *op, llvm::Error error) {
  if (!error)
    return success();
  status = ExitStatus::Failed;
  return op->emitError(llvm::toString(std::move(error)));
}

InFlightDiagnostic HostEvaluator::refuse(Operation *op, const Twine &message) {
  status = ExitStatus::BadInput;
  return op->emitError(message);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

// True if `value` is what `type` promises: the kind, the element type, and
// every static extent.
static bool isOfType(const HostValue &value, Type type) {
  if (const auto *scalar = std::get_if<TypedAttr>(&value))
    return scalar->getType() == type;
  const auto &memref = std::get<MemRefValue>(value);
  auto memrefType = dyn_cast<MemRefType>(type);
  return memrefType && memrefType.getElementType() == memref.elementType &&
         memrefType.getRank() == static_cast<int64_t>(memref.shape.size()) &&
         llvm::all_of(llvm::zip_equal(memrefType.getShape(), memref.shape),
                      [](auto pair) {
                        auto [expected, actual] = pair;
                        return ShapedType::isDynamic(expected) ||
                               expected == actual;
                      });
}

FailureOr<SmallVector<HostValue>>
HostEvaluator::call(func::FuncOp function, ArrayRef<HostValue> arguments) {
  if (function.isExternal())
    return refuse(function, "expected a function with a body");
  if (!function.getBody().hasOneBlock())
    return refuse(function, "expected one block, but got ")
           << function.getBody().getBlocks().size()
           << "; branches are not interpreted";
  if (arguments.size() != function.getNumArguments())
    return refuse(function, "expected ")
           << function.getNumArguments() << " arguments, but got "
           << arguments.size();
  // Recursion cannot end: nothing on the host depends on device data.
  constexpr unsigned maxDepth = 64;
  if (depth >= maxDepth)
    return refuse(function, "calls are nested deeper than ") << maxDepth;
  ++depth;
  Frame caller = std::move(frame);
  frame = Frame();
  llvm::scope_exit restore([&] {
    frame = std::move(caller);
    --depth;
  });
  for (auto [argument, value] :
       llvm::zip_equal(function.getArguments(), arguments)) {
    if (!isOfType(value, argument.getType()))
      return refuse(function, "argument ")
             << argument.getArgNumber() << " is not of type "
             << argument.getType();
    set(argument, value);
    if (auto *memref = std::get_if<MemRefValue>(&frame[argument]))
      memref->owned = false;
  }
  SmallVector<HostValue> results;
  if (failed(runBlock(function.getBody().front(), results)) ||
      failed(report(function, device.synchronize())))
    return failure();
  return results;
}

LogicalResult HostEvaluator::run(func::CallOp op) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr().getAttr());
  if (!callee)
    return refuse(op, "the callee is not a func.func");
  SmallVector<HostValue> arguments;
  for (Value operand : op.getOperands())
    arguments.push_back(frame.find(operand)->second);
  FailureOr<SmallVector<HostValue>> results = call(callee, arguments);
  if (failed(results))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
    set(result, value);
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult HostEvaluator::runBlock(Block &block,
                                      SmallVectorImpl<HostValue> &yielded) {
  for (Operation &op : block.without_terminator())
    if (failed(runOperation(&op)))
      return failure();
  Operation *terminator = block.getTerminator();
  if (!isa<func::ReturnOp, scf::YieldOp>(terminator))
    return refuse(terminator, "'")
           << terminator->getName() << "' is not supported in a host function";
  for (Value operand : terminator->getOperands()) {
    const HostValue &value = frame.find(operand)->second;
    if (std::holds_alternative<MemRefValue>(value) &&
        failed(getMemRef(terminator, operand)))
      return failure();
    yielded.push_back(value);
  }
  return success();
}

/// The bounds may have any width; neither distances nor steps overflow.
LogicalResult HostEvaluator::run(scf::ForOp op) {
  auto getNumber = [&](Value value) {
    return cast<IntegerAttr>(getScalarOf(value)).getValue();
  };
  APInt position = getNumber(op.getLowerBound()),
        upper = getNumber(op.getUpperBound()), step = getNumber(op.getStep());
  bool isUnsigned = op.getUnsignedCmp();
  if (step.isZero() || (!isUnsigned && step.isNegative()))
    return refuse(op, "expected a step of at least 1, but got ")
           << step.getSExtValue();
  SmallVector<HostValue> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(frame.find(init)->second);
  Type type = op.getInductionVar().getType();
  while (isUnsigned ? position.ult(upper) : position.slt(upper)) {
    set(op.getInductionVar(), TypedAttr(IntegerAttr::get(type, position)));
    for (auto [argument, value] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      set(argument, value);
    carried.clear();
    if (failed(runBlock(*op.getBody(), carried)))
      return failure();
    if ((upper - position).ule(step))
      break;
    position += step;
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult HostEvaluator::run(scf::IfOp op) {
  bool condition = getInteger(op.getCondition()) != 0;
  Block *block = condition ? op.thenBlock() : op.elseBlock();
  if (!block)
    return success();
  SmallVector<HostValue> yielded;
  if (failed(runBlock(*block, yielded)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), yielded))
    set(result, value);
  return success();
}

LogicalResult HostEvaluator::run(cf::AssertOp op) {
  if (getInteger(op.getArg()) != 0)
    return success();
  return refuse(op, "assertion failed: ") << op.getMsg();
}

LogicalResult HostEvaluator::runOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::IfOp, func::CallOp, cf::AssertOp, memref::AllocOp,
            memref::DeallocOp, memref::CopyOp, memref::LoadOp, memref::CastOp,
            memref::DimOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
            memref::SubViewOp, memref::ReinterpretCastOp, memref::GetGlobalOp,
            memref::ExtractAlignedPointerAsIndexOp, memref::AssumeAlignmentOp,
            bufferization::CloneOp, gpu::MemsetOp, gpu::LaunchFuncOp,
            LaunchFuncOp>([&](auto op) { return run(op); })
      .Default([&](Operation *op) { return runScalar(op); });
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

// Folds `op` on constants. A folder may change its operation in place first
// (success without results); then it is asked again.
static LogicalResult fold(Operation *op, ArrayRef<Attribute> operands,
                          SmallVectorImpl<OpFoldResult> &results) {
  constexpr int maxInPlaceFolds = 4;
  for (int i = 0; i < maxInPlaceFolds; ++i) {
    if (failed(op->fold(operands, results)))
      return failure();
    if (!results.empty())
      return success();
  }
  return failure();
}

LogicalResult HostEvaluator::runScalar(Operation *op) {
  auto isScalar = [](Type type) {
    return type.isIntOrIndexOrFloat() && getStorageBytes(type) != 0;
  };
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      !isMemoryEffectFree(op) ||
      !llvm::all_of(op->getOperandTypes(), isScalar) ||
      !llvm::all_of(op->getResultTypes(), isScalar))
    return refuse(op, "'") << op->getName()
                           << "' is not supported in a host function";
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getScalarOf(operand));
  SmallVector<OpFoldResult> results;
  if (failed(fold(op, operands, results)))
    return refuse(op, "'") << op->getName()
                           << "' has no value for these operands";
  for (auto [result, folded] : llvm::zip_equal(op->getResults(), results)) {
    TypedAttr value = isa<Value>(folded)
                          ? getScalarOf(cast<Value>(folded))
                          : dyn_cast<TypedAttr>(cast<Attribute>(folded));
    if (!value || value.getType() != result.getType() ||
        !isa<IntegerAttr, FloatAttr>(value))
      return refuse(op, "'") << op->getName() << "' does not give a number";
    set(result, value);
  }
  return success();
}
