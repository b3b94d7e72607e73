//===- MLProgramOps.cpp - Globals of a module -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A global that nothing stores to is its initial value.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// True if an operation of the module stores to `global`.
static bool isStored(ml_program::GlobalOp global) {
  auto uses = SymbolTable::getSymbolUses(global, global->getParentOp());
  return !uses || llvm::any_of(*uses, [](const SymbolTable::SymbolUse &use) {
    return !isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(
        use.getUser());
  });
}

template <typename LoadOp>
static LogicalResult addLoad(LoadOp op, GraphBuilder &graph) {
  auto global = SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
      op, op.getGlobalAttr());
  if (!global)
    return op.emitOpError() << "expected a global named " << op.getGlobal();
  std::optional<Attribute> value = global.getValue();
  if (!value || isStored(global))
    return op.emitOpError()
           << "the reference reads globals that keep their value, but "
           << op.getGlobal() << (value ? " is stored to" : " has none");
  FailureOr<Node *> node = graph.createConstant(op, *value, op.getType());
  return failed(node) ? failure() : graph.bind(op.getResult(), *node);
}

void reference::registerMLProgramOps(OpRegistry &registry) {
  registry.add<ml_program::GlobalLoadConstOp>(
      addLoad<ml_program::GlobalLoadConstOp>);
  registry.add<ml_program::GlobalLoadOp>(addLoad<ml_program::GlobalLoadOp>);
}
