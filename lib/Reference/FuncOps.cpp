//===- FuncOps.cpp - Calls between functions ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "OpRegistry.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

FailureOr<Operation *>
reference::getBodyToInterpret(FunctionOpInterface function) {
  if (function.isExternal())
    return function.emitOpError()
           << "expected a function with a body to interpret";
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock())
    return function.emitOpError()
           << "the reference does not interpret control flow: expected one "
              "block, but found "
           << llvm::range_size(body);
  return body.front().getTerminator();
}

/// A call is its callee's body, unrolled in place. A second call of the same
/// function binds its values again.
static LogicalResult addCall(func::CallOp op, GraphBuilder &graph) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee)
    return op.emitOpError() << "expected a function named '" << op.getCallee()
                            << "' in the module";
  FailureOr<Operation *> terminator = getBodyToInterpret(callee);
  if (failed(terminator))
    return failure();
  if (!graph.enterFunction(callee))
    return op.emitOpError() << "the reference does not interpret recursion: '"
                            << op.getCallee() << "' calls itself";
  Block &body = callee.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op.getOperands()))
    if (failed(graph.bind(argument, graph.lookup(operand))))
      return failure();
  if (failed(graph.add(body)))
    return failure();
  for (auto [result, returned] :
       llvm::zip(op.getResults(), (*terminator)->getOperands()))
    if (failed(graph.bind(result, graph.lookup(returned))))
      return failure();
  graph.leaveFunction();
  return success();
}

void reference::registerFuncOps(OpRegistry &registry) {
  registry.add<func::CallOp>(addCall);
}
