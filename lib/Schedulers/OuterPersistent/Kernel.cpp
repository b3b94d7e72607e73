//===- Kernel.cpp - The kernel that keeps columns on chip -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has all rows of a strip of columns in the registers of its threads:
//
//     load
//     for each level:
//       a thread's sums over its rows -> shared memory -> barrier
//       a thread for each column adds the rows of threads -> totals -> barrier
//     store
//
//===----------------------------------------------------------------------===//

#include "../KernelBuffers.h"
#include "../PointAccess.h"
#include "../TileEvaluator.h"
#include "../Traffic.h"
#include "OuterPersistent.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerpersistent;

namespace {

class Kernel : private TileBuilder {
public:
  Kernel(gpu::GPUFuncOp kernel, const OuterPersistentMatch &match,
         OuterPersistentScheduleAttr schedule, const KernelBuffers &buffers,
         Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, schedule.getWidth()),
        match(match), space(match.space), program(match.program),
        schedule(schedule), buffers(buffers),
        access(builder, loc, space, program.kept, schedule.getWidth()),
        evaluator(
            builder, space.getCandidate(),
            [this](Value value) { return access.getSpace(value); },
            schedule.getWidth()) {}

  void emit();

private:
  void emitPlace();
  void emitLevel(unsigned level);
  Value emitThreadSum(const Total &total);
  Value getArea(uint64_t &offset, ArrayRef<int64_t> shape, Type element);
  bool mustWaitForTotals(unsigned level) const;
  void emitColumnTotals(const Total &total, Value area, Value totals);
  void emitOutputs();

  std::array<std::pair<LoopSet, Value>, 2> getIndices(unsigned row) const {
    return {{{program.kept, column}, {program.reduced, rows[row]}}};
  }
  Value evaluate(Value value, unsigned row) {
    return evaluator.evaluate(
        value, row, 0, [&](Value leaf, unsigned, unsigned) {
          return access.load(leaf, buffers.getInput(leaf), getIndices(row));
        });
  }

  const OuterPersistentMatch &match;
  const IterationSpace &space;
  const ReductionProgram &program;
  OuterPersistentScheduleAttr schedule;
  const KernelBuffers &buffers;
  PointAccess access;
  TileEvaluator evaluator;
  Value thread, lane, threadRow, sharedMemory;
  /// The first column of this thread, clamped into the space, and whether it
  /// exists (null: always); the same for its rows.
  Value column, columnExists;
  SmallVector<Value> rows, rowExists;
};

} // namespace

void Kernel::emitPlace() {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value lanes = index(schedule.getLanes());
  lane = arith::RemUIOp::create(builder, loc, thread, lanes);
  threadRow = arith::DivUIOp::create(builder, loc, thread, lanes);
  column = add(mul(block, schedule.getColumnsPerBlock()),
               mul(lane, schedule.getWidth()));
  if (match.columnLoop.isDynamic() ||
      match.columns % schedule.getColumnsPerBlock()) {
    columnExists = isLess(column, buffers.createCount(*this, match.columnLoop));
    column = select(columnExists, column, index(0));
  }
  int64_t threadRows = schedule.getThreadRows();
  for (int64_t i = 0; i < schedule.getRows(); ++i) {
    Value row = i ? add(threadRow, index(i * threadRows)) : threadRow;
    Value exists;
    if ((i + 1) * threadRows > match.rows) {
      exists = isLess(row, index(match.rows));
      row = select(exists, row, index(0));
    }
    rows.push_back(row);
    rowExists.push_back(exists);
  }
  auto addressSpace = gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup);
  sharedMemory = gpu::DynamicSharedMemoryOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                      MemRefLayoutAttrInterface(), addressSpace));
}

/// The sum of this thread's rows, a tile.
Value Kernel::emitThreadSum(const Total &total) {
  Value sum = evaluator.splat(loc, total.createNeutral(builder, loc));
  for (unsigned row = 0; row < rows.size(); ++row) {
    Value value = total.convertOperand(*this, evaluate(total.operand, row));
    Value next = total.combine(builder, loc, sum, value);
    sum = rowExists[row] ? select(rowExists[row], next, sum) : next;
  }
  return sum;
}

Value Kernel::getArea(uint64_t &offset, ArrayRef<int64_t> shape, Type element) {
  auto addressSpace = cast<MemRefType>(sharedMemory.getType()).getMemorySpace();
  auto type = MemRefType::get(shape, element, MemRefLayoutAttrInterface(),
                              addressSpace);
  Value area = memref::ViewOp::create(builder, loc, type, sharedMemory,
                                      index(offset), ValueRange());
  offset += type.getNumElements() * getElementBytes(element);
  return area;
}

/// Adds the sums of the rows of threads, in their order, a column a thread.
void Kernel::emitColumnTotals(const Total &total, Value area, Value totals) {
  TileBuilder scalars(builder, loc, /*width=*/1);
  int64_t columns = schedule.getColumnsPerBlock();
  auto addColumn = [&](Value place) {
    Value sum = scalars.loadTile(area, {scalars.index(0), place});
    for (int64_t row = 1; row < schedule.getThreadRows(); ++row)
      sum = total.combine(scalars.builder, loc, sum,
                          scalars.loadTile(area, {scalars.index(row), place}));
    scalars.storeTile(sum, totals, place);
  };
  for (int64_t first = 0; first < columns; first += schedule.getThreads()) {
    Value place = first ? scalars.add(thread, scalars.index(first)) : thread;
    Value exists;
    if (first + schedule.getThreads() > columns)
      exists = scalars.isLess(place, scalars.index(columns));
    scalars.emitIf(exists, [&] { addColumn(place); });
  }
}

/// True if sums of `level` go where others may still read the totals of the
/// level before. Levels with equal accumulators have them in the same places.
bool Kernel::mustWaitForTotals(unsigned level) const {
  auto getBytes = [&](unsigned level) {
    SmallVector<unsigned> bytes;
    for (const Total &total : program.totals)
      if (total.level == level)
        bytes.push_back(getElementBytes(total.accumulator));
    return bytes;
  };
  return level && getBytes(level) != getBytes(level - 1);
}

/// The totals of all reductions of `level`, which every thread then has for its
/// columns.
void Kernel::emitLevel(unsigned level) {
  struct Exchange {
    const Total *total;
    Value area, totals;
  };
  SmallVector<Exchange> exchanges;
  uint64_t offset = 0;
  int64_t columns = schedule.getColumnsPerBlock();
  Value place = mul(lane, schedule.getWidth());
  if (mustWaitForTotals(level))
    gpu::BarrierOp::create(builder, loc);
  for (const Total &total : program.totals) {
    if (total.level != level)
      continue;
    Value sum = emitThreadSum(total);
    Value area =
        getArea(offset, {schedule.getThreadRows(), columns}, total.accumulator);
    Value totals = getArea(offset, {columns}, total.accumulator);
    storeTile(sum, area, {threadRow, place});
    exchanges.push_back({&total, area, totals});
  }
  gpu::BarrierOp::create(builder, loc);
  for (const Exchange &exchange : exchanges)
    emitColumnTotals(*exchange.total, exchange.area, exchange.totals);
  gpu::BarrierOp::create(builder, loc);
  for (const Exchange &exchange : exchanges) {
    Value total =
        exchange.total->convertResult(*this, loadTile(exchange.totals, place));
    // Where columns are several loops, some of them count as rows.
    for (unsigned row = 0; row < rows.size(); ++row)
      evaluator.bind(exchange.total->result, row, 0, total);
  }
}

void Kernel::emitOutputs() {
  for (auto [number, output] : llvm::enumerate(space.getCandidate().outputs)) {
    // A result of columns is stored with the first row.
    bool hasRows = space.getLoops(output) & program.reduced;
    for (unsigned row = 0; row < (hasRows ? rows.size() : 1); ++row)
      access.store(output, evaluate(output, row), buffers.getOutput(number),
                   getIndices(row), both(columnExists, rowExists[row]));
  }
}

void Kernel::emit() {
  emitPlace();
  // All loads come before the first use, so that they are in flight together.
  for (unsigned row = 0; row < rows.size(); ++row)
    for (Value input : program.walkInputs)
      evaluate(input, row);
  for (unsigned level = 0; level < match.levels; ++level)
    emitLevel(level);
  emitOutputs();
}

void outerpersistent::emitKernel(SegmentLowering &lowering,
                                 const OuterPersistentMatch &match,
                                 OuterPersistentScheduleAttr schedule,
                                 Location loc) {
  const Candidate &candidate = match.space.getCandidate();
  KernelBuffers buffers(lowering, match.space);
  for (Value input : candidate.inputs)
    buffers.addInput(input);
  for (unsigned output = 0; output < candidate.outputs.size(); ++output)
    buffers.addOutput(output);
  gpu::GPUFuncOp kernel = buffers.createKernel("strips", schedule.getThreads());
  Kernel(kernel, match, schedule, buffers, loc).emit();
  buffers.launch(
      {schedule.getBlocks(), schedule.getThreads(), schedule.getSharedBytes()},
      match.columnLoop, schedule.getColumnsPerBlock());
}
