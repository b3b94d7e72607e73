//===- Interpreter.cpp - Evaluation of functions --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "OpRegistry.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// Makes `inputs` the nodes of `values`, which belong to `op`. Fails with an
/// error if an input does not fit.
static LogicalResult bindInputs(Operation *op, ValueRange values,
                                ArrayRef<HostTensor> inputs, StringRef name,
                                GraphBuilder &graph) {
  if (values.size() != inputs.size())
    return op->emitError() << "expected " << values.size()
                           << " inputs, one for "
                           << "each " << name << ", but found "
                           << inputs.size();
  for (auto [index, value, input] : llvm::enumerate(values, inputs)) {
    Type type = value.getType();
    auto tensor = dyn_cast<RankedTensorType>(type);
    if ((isa<ShapedType>(type) && !tensor) ||
        getStorageBytes(getElementTypeOrSelf(type)) == 0)
      return op->emitError() << "the reference does not take " << name << " "
                             << index << " of type " << type;
    ArrayRef<int64_t> expected =
        tensor ? tensor.getShape() : ArrayRef<int64_t>();
    bool fits =
        input.getElementType() == getElementTypeOrSelf(type) &&
        failed(verifyCompatibleShape(expected, input.getShape())) == false;
    if (!fits)
      return op->emitError() << "expected input " << index << " to fit " << type
                             << ", but found [" << input.getShape() << "] of "
                             << input.getElementType();
    if (failed(graph.bind(value, graph.createSource(input))))
      return failure();
  }
  return success();
}

/// Evaluates `values` into `sink`, after `prepare`.
static LogicalResult evaluateValues(ValueRange values, GraphBuilder &graph,
                                    ResultPrepare prepare, ResultSink sink) {
  SmallVector<Node *> results = graph.lookup(values);
  SmallVector<ResultInfo> infos;
  for (Node *node : results)
    infos.push_back(ResultInfo{node->elementType, node->shape, node->exact,
                               node->hasSteps, node->roundsToSingle,
                               node->hasSignedZeros});
  if (failed(prepare(infos)))
    return failure();
  return evaluateNodes({}, results, graph.getOptions(), sink);
}

/// Collects tiles in tensors.
static FailureOr<SmallVector<HostTensor>>
evaluateToTensors(ValueRange values, GraphBuilder &graph) {
  SmallVector<HostTensor> tensors;
  auto prepare = [&](ArrayRef<ResultInfo> infos) {
    for (const ResultInfo &info : infos)
      tensors.emplace_back(info.elementType, info.shape);
    return success();
  };
  auto sink = [&](const ResultTile &tile) {
    HostTensor &tensor = tensors[tile.result];
    if (tile.floats)
      tensor.writeFromDouble(tile.first, tile.count, tile.floats);
    else
      tensor.writeFromInteger(tile.first, tile.count, tile.integers);
  };
  if (failed(evaluateValues(values, graph, prepare, sink)))
    return failure();
  return tensors;
}

/// Adds all operations of `function`; gives what it returns.
static FailureOr<ValueRange> addFunction(FunctionOpInterface function,
                                         ArrayRef<HostTensor> inputs,
                                         GraphBuilder &graph) {
  FailureOr<Operation *> terminator = getBodyToInterpret(function);
  if (failed(terminator))
    return failure();
  Block &body = function.getFunctionBody().front();
  graph.enterFunction(function);
  if (failed(bindInputs(function, body.getArguments(), inputs, "argument",
                        graph)) ||
      failed(graph.add(body)))
    return failure();
  return ValueRange((*terminator)->getOperands());
}

FailureOr<SmallVector<HostTensor>>
fusion::evaluate(FunctionOpInterface function, ArrayRef<HostTensor> inputs,
                 const ReferenceOptions &options) {
  GraphBuilder graph(options);
  FailureOr<ValueRange> returned = addFunction(function, inputs, graph);
  if (failed(returned))
    return failure();
  return evaluateToTensors(*returned, graph);
}

LogicalResult fusion::evaluateByTiles(FunctionOpInterface function,
                                      ArrayRef<HostTensor> inputs,
                                      const ReferenceOptions &options,
                                      ResultPrepare prepare, ResultSink sink) {
  GraphBuilder graph(options);
  FailureOr<ValueRange> returned = addFunction(function, inputs, graph);
  if (failed(returned))
    return failure();
  return evaluateValues(*returned, graph, prepare, sink);
}

FailureOr<SmallVector<HostTensor>>
fusion::evaluateOperation(Operation *op, ArrayRef<HostTensor> operands,
                          const ReferenceOptions &options) {
  GraphBuilder graph(options);
  if (failed(bindInputs(op, op->getOperands(), operands, "operand", graph)) ||
      failed(graph.add(op)))
    return failure();
  return evaluateToTensors(op->getResults(), graph);
}
