//===- ReductionProgram.cpp - Reductions of one space at once -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionProgram.h"
#include "FusionDialect/IR/Combine.h"
#include "Traffic.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;

Total::Total(ReduceOp operation, unsigned level)
    : operation(operation), operand(operation.getInput()),
      result(operation.getResult()), level(level), kind(operation.getKind()),
      fastmath(operation.getFastmath()),
      accumulator(getExchangeType(operation.getAccumulatorType())) {}

Value Total::createNeutral(OpBuilder &builder, Location loc) const {
  return arith::ConstantOp::create(
      builder, loc,
      getNeutralElement(kind, cast<ReduceOp>(operation).getAccumulatorType(),
                        accumulator));
}

Value Total::createInitial(TileBuilder &tiles, Value count) const {
  Value neutral = createNeutral(tiles.builder, tiles.loc);
  if (kind != ReductionKind::Add || !isa<FloatType>(accumulator))
    return neutral;
  Value isEmpty =
      arith::CmpIOp::create(tiles.builder, tiles.loc, arith::CmpIPredicate::eq,
                            count, tiles.index(0));
  Value empty = arith::ConstantOp::create(tiles.builder, tiles.loc,
                                          getEmptyValue(kind, accumulator));
  return tiles.select(isEmpty, empty, neutral);
}

Value Total::convertOperand(TileBuilder &tiles, Value value) const {
  return tiles.convert(value, accumulator, comparesSigned(kind));
}

Value Total::combine(OpBuilder &builder, Location loc, Value a, Value b) const {
  return createCombine(builder, loc, kind, a, b, fastmath);
}

Value Total::convertResult(TileBuilder &tiles, Value sum) const {
  return tiles.convert(sum, getElementTypeOrSelf(result.getType()));
}

/// Adds the inputs behind `value` to `inputs`; stops at totals.
static void addInputs(const IterationSpace &space, Value value,
                      DenseSet<Value> &visited,
                      SmallVectorImpl<Value> &inputs) {
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!visited.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || !space.getCandidate().operations.contains(op)) {
      inputs.push_back(next);
      continue;
    }
    bool isTotal = isa<ReduceOp>(op) &&
                   space.getLevel(next) > space.getLevel(op->getOperand(0));
    if (!isTotal)
      llvm::append_range(pending, op->getOperands());
  }
}

std::variant<ReductionProgram, Rejection>
ReductionProgram::build(const IterationSpace &space, const DimClasses &dims,
                        bool allowsLevels) {
  const Candidate &candidate = space.getCandidate();
  Operation *first = candidate.operations.front();
  if (space.getReductions().empty())
    return Rejection{RejectionCode::MissingReduction, first,
                     "expected a reduction"};
  if (std::optional<Rejection> rejection = checkDynamicExtent(space, dims))
    return *rejection;
  ReductionProgram program;
  program.reduced = space.getReductions().front().loops;
  program.kept = space.getAllLoops() & ~program.reduced;
  for (const IterationSpace::Reduction &reduction : space.getReductions()) {
    Total total(reduction.operation, reduction.level);
    if (reduction.level && !allowsLevels)
      return Rejection{RejectionCode::UnsupportedShape, total.operation,
                       "expected a reduction that does not depend on another"};
    if (reduction.loops != program.reduced ||
        space.getLoops(total.operand) != space.getAllLoops())
      return Rejection{RejectionCode::UnsupportedShape, total.operation,
                       "expected all reductions to run over the same loops, "
                       "and their operands to vary over all loops"};
    program.accumulatorBytes += getElementBytes(total.accumulator);
    program.totals.push_back(total);
  }
  DenseSet<Value> walked, finished;
  for (const Total &total : program.totals)
    addInputs(space, total.operand, walked, program.walkInputs);
  for (auto [number, output] : llvm::enumerate(candidate.outputs)) {
    if (!(space.getLoops(output) & program.reduced)) {
      program.finalOutputs.push_back(number);
      addInputs(space, output, finished, program.finalInputs);
      continue;
    }
    if (space.getLevel(output) && !allowsLevels)
      return Rejection{RejectionCode::OnChipCapacity, output.getDefiningOp(),
                       "expected no element of the reduced loops to need a "
                       "total: it would have to be read again"};
    program.walkOutputs.push_back(number);
    addInputs(space, output, walked, program.walkInputs);
  }
  for (Operation *op : candidate.operations)
    if (space.getLoops(op->getResult(0)) & program.reduced)
      program.instructions += countInstructions(op);
  program.instructions += program.totals.size();
  return program;
}
