//===- RowKernelRescale.cpp - A maximum and a sum in one exchange ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "RowKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

/// Evaluates the exponentials of a row below the maximum `ofPart` of the warp,
/// and adds up those of the thread.
void RowKernel::emitPartExponentials(unsigned row, Value ofPart,
                                     unsigned firstTile, unsigned numTiles) {
  ArrayRef<RowGraph::Reduction> reductions = graph.getReductions();
  ReduceOp maximum = reductions[rescaled->maximum].operation;
  ReduceOp sum = reductions[rescaled->sum].operation;
  evaluator.bind(maximum.getResult(), row, 0,
                 emitFiniteMaximum(builder, loc, ofPart));
  for (unsigned tile = firstTile; tile < firstTile + numTiles; ++tile) {
    Value power = evaluate(rescaled->exponential->getResult(0), row, tile);
    exponentials[{row, tile}] = power;
    if (tiles[tile].valid)
      power = select(tiles[tile].valid, power, neutralTile(rescaled->sum));
    Value &partial = partials[{rescaled->sum, row}];
    partial = partial ? createCombine(builder, loc, sum.getKind(), partial,
                                      power, sum.getFastmath())
                      : power;
  }
}

/// Warps exchange their maxima together with the sums that are relative to
/// them; every thread then corrects its exponentials.
void RowKernel::emitRescaledExchange(unsigned firstTile, unsigned numTiles) {
  ArrayRef<RowGraph::Reduction> reductions = graph.getReductions();
  ReduceOp maximum = reductions[rescaled->maximum].operation;
  ReduceOp sum = reductions[rescaled->sum].operation;
  unsigned rows = getNumRows(maximum.getInput());
  SmallVector<PackedValue> values;
  auto addValue = [&](unsigned reduction, unsigned row) {
    values.push_back(packPartial(reduction, row));
    values.back().scalar =
        emitWarpReduction(builder, loc, place, values.back());
  };
  for (unsigned row = 0; row < rows; ++row)
    addValue(rescaled->maximum, row);
  // What is evaluated with the maximum of a warp is not what others need.
  TileEvaluator::Memo saved = evaluator.getMemo();
  for (unsigned row = 0; row < rows; ++row)
    emitPartExponentials(row, values[row].scalar, firstTile, numTiles);
  evaluator.setMemo(std::move(saved));
  for (unsigned row = 0; row < rows; ++row)
    addValue(rescaled->sum, row);

  std::optional<ClusterExchange> cluster =
      getClusterExchange(rescaled->maximum);
  SmallVector<SmallVector<Value>> slots = emitWarpExchange(
      builder, loc, place, values, index(0), cluster ? &*cluster : nullptr);
  auto correct = [&](Value part, Value whole) {
    return emitCorrection(builder, loc, rescaled->exponential, part, whole);
  };
  for (unsigned row = 0; row < rows; ++row) {
    Value whole =
        emitSlotReduction(builder, loc, place, values[row], slots[row]);
    // Without flags: with `contract` the sums of two lanes could round apart.
    SmallVector<Value> terms;
    for (auto [part, ofPart] : llvm::zip(slots[row], slots[rows + row]))
      terms.push_back(
          arith::MulFOp::create(builder, loc, ofPart, correct(part, whole)));
    Value total =
        emitSlotReduction(builder, loc, place, values[rows + row], terms);
    evaluator.bind(maximum.getResult(), row, 0, whole);
    evaluator.bind(sum.getResult(), row, 0, total);
    Value correction = evaluator.splat(loc, correct(values[row].scalar, whole));
    for (unsigned tile = firstTile; tile < firstTile + numTiles; ++tile)
      evaluator.bind(rescaled->exponential->getResult(0), row, tile,
                     arith::MulFOp::create(
                         builder, loc, exponentials[{row, tile}], correction));
  }
}
