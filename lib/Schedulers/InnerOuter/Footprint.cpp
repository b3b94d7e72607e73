//===- Footprint.cpp - What an inner-outer kernel reads and keeps ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Footprint.h"
#include "../SharedBarrier.h"
#include "../TileEvaluator.h"
#include "../Traffic.h"
#include "InnerOuter.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// Bulk copies move multiples of this, between multiples of this.
static constexpr int64_t bulkBytes = 16;

static unsigned getRegisters(Type type) {
  return llvm::divideCeil(getElementBytes(type), 4u);
}

SmallVector<int64_t> innerouter::getBufferShape(const RowColumnGraph &graph,
                                                Value value) {
  Space space = graph.getSpace(value);
  SmallVector<int64_t> shape;
  if (hasRows(space))
    shape.push_back(graph.isDynamic() ? ShapedType::kDynamic : graph.getRows());
  if (hasColumns(space))
    shape.push_back(graph.getColumns());
  return shape;
}

/// True if `op` gives its operand's tile unchanged.
static bool isPassThrough(const RowColumnGraph &graph, Operation *op) {
  return isa<BroadcastOp, SqueezeOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op) &&
         graph.getSpace(op->getOperand(0)) == graph.getSpace(op->getResult(0));
}

/// True if `value` repeats one of a row, a column or nothing along the others:
/// a thread holds that one, whatever its columns.
static bool isRepeated(const RowColumnGraph &graph, Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<BroadcastOp>(op) &&
         graph.getSpace(op->getOperand(0)) != Space::RowColumn;
}

/// Row-column values that a later level uses wait in registers until the last
/// such level, or are computed again.
static void addKeptValues(const RowColumnGraph &graph, Footprint &footprint) {
  const Candidate &candidate = graph.getCandidate();
  auto isPassed = [&](Operation *op) { return isPassThrough(graph, op); };
  DenseMap<Value, LiveRange> ranges = findLiveRanges(
      candidate, [&](Value value) { return graph.getLevel(value); }, isPassed,
      Evaluation::Early);
  // Of a column, between each level and the next.
  SmallVector<unsigned> waiting(graph.getNumLevels(), 0);
  auto add = [&](Value value) {
    if (graph.getSpace(value) != Space::RowColumn || isRepeated(graph, value))
      return;
    LiveRange range = ranges.lookup(value);
    for (unsigned level = range.first; level < range.last; ++level)
      waiting[level] += getRegisters(value.getType());
  };
  llvm::for_each(candidate.inputs, add);
  for (Operation *op : candidate.operations)
    if (!isPassed(op))
      add(op->getResult(0));
  footprint.keptRegisters = *llvm::max_element(waiting);
}

static void addInput(const RowColumnGraph &graph, Value input,
                     Footprint &footprint) {
  footprint.inputBytes += getStoredBytes(input);
  switch (graph.getSpace(input)) {
  case Space::RowColumn: {
    footprint.rowColumnInputs.push_back(input);
    unsigned bytes = getElementBytes(input.getType());
    footprint.minElementBytes = std::min(footprint.minElementBytes, bytes);
    footprint.minInputBytes = std::min(footprint.minInputBytes, bytes);
    footprint.rowInputBytes += bytes * graph.getColumns();
    footprint.loadedBytes += bytes;
    break;
  }
  case Space::Row:
    footprint.rowInputs.push_back(input);
    break;
  case Space::Column:
  case Space::Scalar:
    break;
  }
}

/// Adds the column inputs behind `value` to the params.
static void addParams(const RowColumnGraph &graph, Value value,
                      DenseSet<Value> &visited,
                      llvm::SetVector<Value> &params) {
  if (!visited.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op || !graph.getCandidate().operations.contains(op)) {
    if (graph.getSpace(value) == Space::Column)
      params.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    if (graph.getSpace(operand) == Space::Column)
      addParams(graph, operand, visited, params);
}

Footprint innerouter::computeFootprint(const RowColumnGraph &graph) {
  Footprint footprint;
  const Candidate &candidate = graph.getCandidate();
  for (Value input : candidate.inputs)
    addInput(graph, input, footprint);
  addKeptValues(graph, footprint);
  llvm::SetVector<Value> params;
  DenseSet<Value> paramValues, visited;
  for (Operation *op : candidate.operations) {
    Value result = op->getResult(0);
    if (graph.getSpace(result) != Space::RowColumn)
      continue;
    if (OpTrait::hasElementwiseMappableTraits(op))
      footprint.operationsPerElement += countInstructions(op);
    for (Value operand : op->getOperands()) {
      if (graph.getSpace(operand) != Space::Column ||
          !paramValues.insert(operand).second)
        continue;
      addParams(graph, operand, visited, params);
      footprint.paramRegisters += getRegisters(operand.getType());
    }
  }
  footprint.params = params.takeVector();
  for (Value param : footprint.params)
    footprint.paramBytes += getStoredBytes(param);
  for (const auto &reduction : graph.getColumnReductions()) {
    unsigned registers = getRegisters(reduction.accumulatorType);
    footprint.accumulatorRegisters += registers;
    footprint.wideAccumulatorRegisters += registers > 1 ? registers : 0;
    footprint.partialBytesPerColumn +=
        getElementBytes(reduction.accumulatorType);
  }
  for (Value output : candidate.outputs) {
    footprint.outputBytes += getStoredBytes(output);
    if (graph.getSpace(output) == Space::RowColumn) {
      unsigned bytes = getElementBytes(output.getType());
      footprint.minElementBytes = std::min(footprint.minElementBytes, bytes);
      ++footprint.operationsPerElement;
    }
  }
  footprint.operationsPerElement += footprint.rowColumnInputs.size() +
                                    graph.getRowReductions().size() +
                                    graph.getColumnReductions().size();
  return footprint;
}

int64_t innerouter::getBlockColumns(const RowColumnGraph &graph,
                                    const Footprint &footprint,
                                    const ScheduleShape &schedule) {
  uint64_t unit = schedule.width;
  if (schedule.loader == Loader::BulkCopy)
    unit = std::max<uint64_t>(unit, bulkBytes / footprint.minInputBytes);
  uint64_t share =
      llvm::divideCeil(uint64_t(graph.getColumns()), schedule.cluster);
  return llvm::alignTo(share, unit);
}

bool innerouter::canCopyBulk(const RowColumnGraph &graph,
                             const Footprint &footprint) {
  return !footprint.rowColumnInputs.empty() &&
         llvm::all_of(footprint.rowColumnInputs, [&](Value input) {
           return graph.getColumns() * getElementBytes(input.getType()) %
                      bulkBytes ==
                  0;
         });
}

SharedLayout innerouter::computeSharedLayout(const RowColumnGraph &graph,
                                             const Footprint &footprint,
                                             const ScheduleShape &schedule) {
  SharedLayout layout;
  auto allocate = [&](uint64_t bytes) {
    uint64_t offset = layout.bytes;
    layout.bytes += llvm::alignTo(bytes, 16);
    return offset;
  };
  uint64_t padded = getPaddedColumns(schedule);
  uint64_t groups = schedule.groups;
  if (schedule.loader != Loader::Direct)
    for (Value input : footprint.rowColumnInputs)
      layout.ring.push_back(
          allocate(getRingColumns(graph, footprint, schedule) *
                   getElementBytes(input.getType()) * schedule.stages *
                   schedule.getRowsPerTile()));
  if (schedule.params == Residency::Shared)
    for (Value param : footprint.params)
      layout.params.push_back(
          allocate(padded * getElementBytes(param.getType())));
  uint64_t entries = schedule.getThreadsPerRow() / 32 * schedule.cluster;
  uint64_t depth = getExchangeDepth(schedule);
  if (entries > 1)
    for (const ExchangePack &pack : planExchange(graph, schedule))
      layout.exchange.push_back(
          allocate(depth * groups * entries * pack.members.size() *
                   (pack.type.getIntOrFloatBitWidth() / 8)));
  // Partial results take the place of all this in the end, but not that of
  // barriers, which nothing else may write to.
  if (groups > 1)
    layout.bytes = std::max(layout.bytes,
                            padded * groups * footprint.partialBytesPerColumn);
  if (schedule.finish == FinishMode::GridBarrier)
    layout.bytes = std::max(layout.bytes,
                            getFinishSharedBytes(footprint, schedule.threads));
  layout.bytes = llvm::alignTo(layout.bytes, 16);
  if (schedule.loader == Loader::BulkCopy)
    layout.ringBarriers = allocate(groups * schedule.stages * barrierBytes);
  if (schedule.cluster > 1)
    layout.exchangeBarriers =
        allocate(groups * (graph.getNumLevels() - 1) * depth * barrierBytes);
  return layout;
}
