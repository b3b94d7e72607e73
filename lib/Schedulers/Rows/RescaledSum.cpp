//===- RescaledSum.cpp - Sums of exponentials below a maximum -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RescaledSum.h"
#include "RowGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

using Flags = arith::FastMathFlags;

bool rows::mayBeRescaled(Operation *op) {
  if (!isa<arith::SubFOp, math::ExpOp, math::Exp2Op>(op))
    return false;
  Flags flags =
      cast<arith::ArithFastMathInterface>(op).getFastMathFlagsAttr().getValue();
  return arith::bitEnumContainsAll(flags, Flags::reassoc);
}

/// The operation of the candidate that computes `value`; null for an input.
template <typename Op>
static Op getOperation(const RowGraph &graph, Value value) {
  auto op = value.getDefiningOp<Op>();
  return op && graph.getCandidate().operations.contains(op) ? op : Op();
}

/// The number of the maximum that `sum` is relative to.
static std::optional<unsigned> findMaximum(const RowGraph &graph, unsigned sum,
                                           Operation *exponential) {
  auto difference =
      getOperation<arith::SubFOp>(graph, exponential->getOperand(0));
  if (!difference ||
      !arith::bitEnumContainsAll(difference.getFastmath(), Flags::reassoc))
    return std::nullopt;
  auto broadcast = getOperation<BroadcastOp>(graph, difference.getRhs());
  if (!broadcast)
    return std::nullopt;
  ArrayRef<RowGraph::Reduction> reductions = graph.getReductions();
  for (auto [number, reduction] : llvm::enumerate(reductions)) {
    ReduceOp op = reduction.operation;
    bool isMaximum = op.getKind() == ReductionKind::MaximumF ||
                     op.getKind() == ReductionKind::MaxNumF;
    if (op.getResult() == broadcast.getInput() && isMaximum &&
        op.getInput() == difference.getLhs() &&
        reduction.columns == reductions[sum].columns &&
        !reduction.isSpanned() && reduction.level + 1 == reductions[sum].level)
      return number;
  }
  return std::nullopt;
}

std::optional<RescaledSum> rows::findRescaledSum(const RowGraph &graph) {
  ArrayRef<RowGraph::Reduction> reductions = graph.getReductions();
  auto isAlone = [&](unsigned level) {
    return llvm::count_if(reductions, [&](const RowGraph::Reduction &other) {
             return other.level == level;
           }) == 1;
  };
  for (auto [number, reduction] : llvm::enumerate(reductions)) {
    ReduceOp sum = reduction.operation;
    if (sum.getKind() != ReductionKind::Add || reduction.level == 0 ||
        !arith::bitEnumContainsAll(sum.getFastmath(), Flags::reassoc) ||
        !isa<Float32Type, Float64Type>(sum.getAccumulatorType()) ||
        graph.getColumnSpaces()[reduction.columns].extent == 0 ||
        reduction.isSpanned())
      continue;
    Operation *exponential = getOperation<math::ExpOp>(graph, sum.getInput());
    if (!exponential)
      exponential = getOperation<math::Exp2Op>(graph, sum.getInput());
    if (!exponential)
      continue;
    Flags flags = cast<arith::ArithFastMathInterface>(exponential)
                      .getFastMathFlagsAttr()
                      .getValue();
    if (!arith::bitEnumContainsAll(flags, Flags::reassoc | Flags::afn))
      continue;
    std::optional<unsigned> maximum = findMaximum(graph, number, exponential);
    if (!maximum || !isAlone(reduction.level) || !isAlone(reduction.level - 1))
      continue;
    // An element that stands for several columns would count for each of them.
    LoopSet columns = graph.getColumnSpaces()[reduction.columns].loops;
    LoopSet loops = graph.getIterationSpace().getLoops(sum.getInput());
    if ((loops & columns) != columns)
      continue;
    // One type, so that nothing is rounded in between.
    ReduceOp max = reductions[*maximum].operation;
    Type type = sum.getAccumulatorType();
    if (getElementTypeOrSelf(sum.getInput()) == type &&
        getElementTypeOrSelf(max.getInput()) == type &&
        max.getType().getElementType() == type &&
        sum.getType().getElementType() == type)
      return RescaledSum{*maximum, unsigned(number), exponential};
  }
  return std::nullopt;
}

Value rows::emitFiniteMaximum(OpBuilder &builder, Location loc, Value maximum) {
  auto type = cast<FloatType>(maximum.getType());
  APFloat lowest =
      APFloat::getLargest(type.getFloatSemantics(), /*Negative=*/true);
  Value bound =
      arith::ConstantOp::create(builder, loc, FloatAttr::get(type, lowest));
  // A warp whose threads have no columns has the neutral element, which may be
  // NaN.
  return arith::MaxNumFOp::create(builder, loc, maximum, bound);
}

Value rows::emitCorrection(OpBuilder &builder, Location loc,
                           Operation *exponential, Value part, Value whole) {
  Value finite = emitFiniteMaximum(builder, loc, part);
  Value difference = arith::SubFOp::create(builder, loc, finite, whole);
  // The same operation on scalars. A part without columns is -infinity below
  // the maximum of the row, which the flags may exclude.
  Operation *power =
      Operation::create(loc, exponential->getName(), difference.getType(),
                        difference, exponential->getDiscardableAttrDictionary(),
                        exponential->getPropertiesStorage(), /*successors=*/{},
                        /*numRegions=*/0);
  auto fastMath = cast<arith::ArithFastMathInterface>(power);
  Flags flags = fastMath.getFastMathFlagsAttr().getValue();
  power->setAttr(
      fastMath.getFastMathAttrName(),
      arith::FastMathFlagsAttr::get(builder.getContext(),
                                    flags & ~(Flags::nnan | Flags::ninf)));
  builder.insert(power);
  Value isWhole = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        finite, whole);
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(part.getType(), 1.0));
  return arith::SelectOp::create(builder, loc, isWhole, one,
                                 power->getResult(0));
}
