//===- Specialize.cpp - A program for given shapes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Specialize.h"

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::hasDynamicArguments(func::FuncOp function) {
  return llvm::any_of(function.getArgumentTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
}

/// Checks that no dimension of an argument has another extent than the
/// dimensions that the program uses as the same loop.
static LogicalResult checkExtents(func::FuncOp function) {
  DimClasses dims(function);
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
      int64_t expected = dims.getExtent(dims.getClass(argument, dim));
      if (ShapedType::isStatic(extent) && extent != expected)
        return emitError(argument.getLoc(), "expected dimension ")
               << dim << " of argument " << argument.getArgNumber() << " to be "
               << expected << " as elsewhere in the program, but got "
               << extent;
    }
  }
  return success();
}

LogicalResult fusion::specialize(func::FuncOp function,
                                 ArrayRef<SmallVector<int64_t>> shapes) {
  // No pass runs here that would load the dialect of the casts, and a program
  // of arith alone has not.
  function.getContext()->getOrLoadDialect<tensor::TensorDialect>();
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (auto [argument, shape] : llvm::zip(function.getArguments(), shapes)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    if (failed(verifyCompatibleShape(type.getShape(), shape)))
      return emitError(argument.getLoc(), "expected extents that fit ")
             << type << ", but got "
             << RankedTensorType::get(shape, type.getElementType());
    argument.setType(RankedTensorType::get(shape, type.getElementType(),
                                           type.getEncoding()));
    auto cast =
        tensor::CastOp::create(builder, argument.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
  if (failed(checkExtents(function)))
    return failure();
  // The facts carry the extents through the program; sizes that were computed
  // from them fold.
  PassManager manager(function.getContext(), ModuleOp::getOperationName());
  RefineExtentsPassOptions refine;
  refine.refineResults = true;
  manager.addPass(createRefineExtentsPass(refine));
  manager.addPass(createPreemptFoldersPass());
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createRefineExtentsPass(refine));
  return manager.run(function->getParentOfType<ModuleOp>());
}
