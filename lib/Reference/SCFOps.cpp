//===- SCFOps.cpp - Loops and conditions ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds and conditions are evaluated while the graph is built, and a loop is
// its body, unrolled: each iteration binds the body's values again.
//
//===----------------------------------------------------------------------===//

#include "OpRegistry.h"
#include "ScalarSemantics.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

/// More iterations than a program that is worth evaluating has.
static constexpr uint64_t maxIterations = 1 << 16;

/// The number of iterations of `op`. Fails, with an error, if its step is not
/// positive or they are too many.
static FailureOr<uint64_t> countIterations(scf::ForOp op, int64_t lower,
                                           int64_t upper, int64_t step) {
  bool isUnsigned = op.getUnsignedCmp();
  if (isUnsigned ? step == 0 : step <= 0)
    return op.emitOpError()
           << "expected a step of at least 1, but found " << step;
  bool isEmpty =
      isUnsigned ? uint64_t(lower) >= uint64_t(upper) : lower >= upper;
  uint64_t distance = isEmpty ? 0 : uint64_t(upper) - uint64_t(lower);
  uint64_t iterations =
      distance / uint64_t(step) + (distance % uint64_t(step) != 0);
  if (iterations > maxIterations)
    return op.emitOpError()
           << "the reference evaluates at most " << maxIterations
           << " iterations, but found " << iterations;
  return iterations;
}

static LogicalResult addFor(scf::ForOp op, GraphBuilder &graph) {
  FailureOr<int64_t> lower = graph.getInteger(op, op.getLowerBound()),
                     upper = graph.getInteger(op, op.getUpperBound()),
                     step = graph.getInteger(op, op.getStep());
  if (failed(lower) || failed(upper) || failed(step))
    return failure();
  Type type = op.getInductionVar().getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  for (auto *number : {&lower, &upper, &step})
    *number = op.getUnsignedCmp()
                  ? static_cast<int64_t>(asUnsigned(**number, width))
                  : asSigned(**number, width);
  FailureOr<uint64_t> iterations = countIterations(op, *lower, *upper, *step);
  if (failed(iterations))
    return failure();
  SmallVector<Node *> carried = graph.lookup(op.getInitArgs());
  for (uint64_t i = 0; i < *iterations; ++i) {
    int64_t position =
        wrap(static_cast<uint64_t>(*lower) + i * uint64_t(*step), width);
    if (failed(graph.bind(op.getInductionVar(),
                          graph.createSplat(op, type, {}, position))))
      return failure();
    for (auto [argument, node] : llvm::zip(op.getRegionIterArgs(), carried))
      if (failed(graph.bind(argument, node)))
        return failure();
    if (failed(graph.add(*op.getBody())))
      return failure();
    carried = graph.lookup(op.getYieldedValues());
  }
  for (auto [result, node] : llvm::zip(op.getResults(), carried))
    if (failed(graph.bind(result, node)))
      return failure();
  return success();
}

static LogicalResult addIf(scf::IfOp op, GraphBuilder &graph) {
  FailureOr<int64_t> condition = graph.getInteger(op, op.getCondition());
  if (failed(condition))
    return failure();
  Block *block = *condition ? op.thenBlock() : op.elseBlock();
  if (!block)
    return success();
  if (failed(graph.add(*block)))
    return failure();
  for (auto [result, yielded] :
       llvm::zip(op.getResults(), block->getTerminator()->getOperands()))
    if (failed(graph.bind(result, graph.lookup(yielded))))
      return failure();
  return success();
}

void reference::registerSCFOps(OpRegistry &registry) {
  registry.add<scf::ForOp>(addFor);
  registry.add<scf::IfOp>(addIf);
}
