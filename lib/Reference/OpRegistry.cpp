//===- OpRegistry.cpp - Which operations the reference knows --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

const OpRegistry &OpRegistry::get() {
  static const OpRegistry registry = [] {
    OpRegistry result;
    registerArithFloatOps(result);
    registerArithIntegerOps(result);
    registerArithCastOps(result);
    registerMathOps(result);
    registerTensorOps(result);
    registerTensorSliceOps(result);
    registerFusionOps(result);
    registerFuncOps(result);
    registerSCFOps(result);
    registerLinalgOps(result);
    registerMLProgramOps(result);
    return result;
  }();
  return registry;
}

LogicalResult OpRegistry::addElementwiseNode(Operation *op, GraphBuilder &graph,
                                             ElementwiseFunction function,
                                             Rounding rounding) {
  Type elementType = getElementTypeOrSelf(op->getResult(0).getType());
  FailureOr<Node *> node =
      graph.createElementwise(op, elementType, graph.lookup(op->getOperands()),
                              std::move(function), rounding);
  if (failed(node))
    return failure();
  return graph.bind(op->getResult(0), *node);
}

bool fusion::isInterpreted(OperationName name) {
  return OpRegistry::get().lookup(name.getStringRef()) != nullptr ||
         name.hasInterface<linalg::LinalgOp>();
}
