//===- OpRegistry.h - Which operations the reference knows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A family of operations is one file with one function that registers a
// handler for each operation, declared and listed here.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_OPREGISTRY_H
#define FUSION_LIB_REFERENCE_OPREGISTRY_H

#include "Graph.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace mlir::fusion::reference {

/// Handlers of operations, by name.
class OpRegistry {
public:
  /// Adds the nodes of an operation's results to the graph. Every operand has a
  /// node. Fails with an error at the operation.
  using Handler = std::function<LogicalResult(Operation *, GraphBuilder &)>;

  /// The registry with all families.
  static const OpRegistry &get();

  /// Registers a handler that takes the operation as OpT.
  template <typename OpT>
  void add(std::function<LogicalResult(OpT, GraphBuilder &)> handler) {
    handlers[OpT::getOperationName()] =
        [handler = std::move(handler)](Operation *op, GraphBuilder &graph) {
          return handler(cast<OpT>(op), graph);
        };
  }
  /// Registers an element-wise operation with one result: `makeFunction(op,
  /// options)` gives its function.
  template <typename OpT, typename MakeFunction>
  void addElementwise(MakeFunction makeFunction, Rounding rounding) {
    add<OpT>([makeFunction, rounding](OpT op, GraphBuilder &graph) {
      return addElementwiseNode(op, graph, makeFunction(op, graph.getOptions()),
                                rounding);
    });
  }

  /// The handler of operations named `name`; null if there is none.
  const Handler *lookup(StringRef name) const {
    auto it = handlers.find(name);
    return it == handlers.end() ? nullptr : &it->second;
  }

  /// Adds the node of an element-wise operation with one result.
  static LogicalResult addElementwiseNode(Operation *op, GraphBuilder &graph,
                                          ElementwiseFunction function,
                                          Rounding rounding);

private:
  llvm::StringMap<Handler> handlers;
};

/// The bits of an integer type or of the elements of a tensor; 64 for index.
unsigned getIntegerWidth(Type type);
/// a * b + c with one rounding, for elements of `elementType`.
ElementwiseFunction makeFma(Type elementType, double factor);

/// The terminator of the only block of `function`. Fails with an error if there
/// is none.
FailureOr<Operation *> getBodyToInterpret(FunctionOpInterface function);

void registerArithFloatOps(OpRegistry &registry);
void registerArithIntegerOps(OpRegistry &registry);
void registerArithCastOps(OpRegistry &registry);
void registerMathOps(OpRegistry &registry);
void registerTensorOps(OpRegistry &registry);
void registerTensorSliceOps(OpRegistry &registry);
void registerFusionOps(OpRegistry &registry);
void registerFuncOps(OpRegistry &registry);
void registerSCFOps(OpRegistry &registry);
void registerLinalgOps(OpRegistry &registry);
void registerMLProgramOps(OpRegistry &registry);

/// Adds the results of a structured operation: the named ones have no handlers,
/// since their bodies say what they do. Fails with an error at the operation.
LogicalResult addLinalgOp(linalg::LinalgOp op, GraphBuilder &graph);

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_OPREGISTRY_H
