//===- Kernel.cpp - The walk over the rows of an outer reduction ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread adds up its columns over the rows of its block:
//
//     for each whole tile of rows of this split:
//       `unroll` rows: load, compute, add to the accumulators
//     the one tile with fewer rows, in the split that it falls to
//     sums of the rows of threads, through shared memory, in their order
//     partial results; or, without splits, what comes after the totals
//
//===----------------------------------------------------------------------===//

#include "../KernelBuffers.h"
#include "../PointAccess.h"
#include "../TileEvaluator.h"
#include "../Traffic.h"
#include "OuterReduction.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerreduction;

namespace {

class MainKernel : private TileBuilder {
public:
  MainKernel(gpu::GPUFuncOp kernel, const OuterReductionMatch &match,
             OuterReductionScheduleAttr schedule, const KernelBuffers &buffers,
             Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, schedule.getWidth()),
        match(match), space(match.space), program(match.program),
        schedule(schedule), buffers(buffers) {}

  void emit();

private:
  void emitPlace();
  SmallVector<Value> emitTile(Value tile, ValueRange sums, bool isPartial);
  SmallVector<Value> emitPartialTile(Value whole, ValueRange sums);
  SmallVector<Value> emitThreadRowSums(ValueRange sums);
  void emitFinalOutputs(ValueRange sums);

  const OuterReductionMatch &match;
  const IterationSpace &space;
  const ReductionProgram &program;
  OuterReductionScheduleAttr schedule;
  const KernelBuffers &buffers;
  Value lane, threadRow, split;
  /// The rows and columns of the space, as far as the kernel needs them.
  Value numRows, numColumns;
  /// The first column of this thread, clamped into the space, and whether it
  /// exists (null: always).
  Value column, columnExists;
};

} // namespace

void MainKernel::emitPlace() {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  auto divide = [&](Value a, int64_t b) -> Value {
    return arith::DivUIOp::create(builder, loc, a, index(b));
  };
  auto remainder = [&](Value a, int64_t b) -> Value {
    return arith::RemUIOp::create(builder, loc, a, index(b));
  };
  lane = remainder(thread, schedule.getLanes());
  threadRow = divide(thread, schedule.getLanes());
  split = remainder(block, schedule.getSplits());
  Value strip = divide(block, schedule.getSplits());
  column = add(mul(strip, schedule.getColumnsPerBlock()),
               mul(lane, schedule.getWidth()));
  numRows = buffers.createCount(*this, match.rowLoop);
  numColumns = buffers.createCount(*this, match.columnLoop);
  if (!match.columnLoop.isDynamic() &&
      match.columns % schedule.getColumnsPerBlock() == 0)
    return;
  columnExists = isLess(column, numColumns);
  column = select(columnExists, column, index(0));
}

/// Adds the rows of tile number `tile` to `sums`, a vector of columns for each
/// reduction.
SmallVector<Value> MainKernel::emitTile(Value tile, ValueRange sums,
                                        bool isPartial) {
  unsigned width = schedule.getWidth(), unroll = schedule.getUnroll();
  PointAccess access(builder, loc, space, program.kept, width);
  TileEvaluator evaluator(
      builder, space.getCandidate(),
      [&](Value value) { return access.getSpace(value); }, width);
  Value first = add(mul(tile, schedule.getRowsPerTile()), threadRow);
  SmallVector<Value> rows, rowExists;
  for (unsigned i = 0; i < unroll; ++i) {
    Value row =
        i ? add(first, index(int64_t(i) * schedule.getThreadRows())) : first;
    Value exists = isPartial ? isLess(row, numRows) : Value();
    rows.push_back(isPartial ? select(exists, row, index(0)) : row);
    rowExists.push_back(exists);
  }
  // All loads come before the first use, so that they are in flight together.
  auto load = [&](Value leaf, unsigned row, unsigned) -> Value {
    return access.load(leaf, buffers.getInput(leaf),
                       {{program.kept, column}, {program.reduced, rows[row]}});
  };
  for (unsigned i = 0; i < unroll; ++i)
    for (Value input : program.walkInputs)
      evaluator.evaluate(input, i, 0, load);
  SmallVector<Value> result(sums);
  for (unsigned i = 0; i < unroll; ++i) {
    for (auto [total, sum] : llvm::zip(program.totals, result)) {
      Value value = total.convertOperand(
          *this, evaluator.evaluate(total.operand, i, 0, load));
      Value next = total.combine(builder, loc, sum, value);
      sum = isPartial ? select(rowExists[i], next, sum) : next;
    }
    for (unsigned number : program.walkOutputs) {
      Value output = space.getCandidate().outputs[number];
      access.store(output, evaluator.evaluate(output, i, 0, load),
                   buffers.getOutput(number),
                   {{program.kept, column}, {program.reduced, rows[i]}},
                   both(columnExists, rowExists[i]));
    }
  }
  return result;
}

/// The last tile, which has fewer rows than the `whole` others, in its split.
SmallVector<Value> MainKernel::emitPartialTile(Value whole, ValueRange sums) {
  auto isEqual = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  };
  Value isMine =
      isEqual(split, arith::RemUIOp::create(builder, loc, whole,
                                            index(schedule.getSplits())));
  if (match.rowLoop.isDynamic())
    isMine =
        both(isMine, isLess(mul(whole, schedule.getRowsPerTile()), numRows));
  auto op = scf::IfOp::create(builder, loc, sums.getTypes(), isMine,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  SmallVector<Value> added = emitTile(whole, sums, /*isPartial=*/true);
  scf::YieldOp::create(builder, loc, added);
  builder.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(builder, loc, sums);
  return SmallVector<Value>(op.getResults());
}

/// The sums of all rows of threads, in the first of them. All other code of the
/// kernel comes to stand in the branch of that row.
SmallVector<Value> MainKernel::emitThreadRowSums(ValueRange sums) {
  int64_t threadRows = schedule.getThreadRows();
  if (threadRows == 1)
    return SmallVector<Value>(sums);
  auto addressSpace = gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), addressSpace);
  Value base = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  int64_t columns = schedule.getColumnsPerBlock(), offset = 0;
  Value place = mul(lane, schedule.getWidth());
  SmallVector<Value> areas;
  for (auto [total, sum] : llvm::zip(program.totals, sums)) {
    auto type = MemRefType::get({threadRows, columns}, total.accumulator,
                                MemRefLayoutAttrInterface(), addressSpace);
    areas.push_back(memref::ViewOp::create(builder, loc, type, base,
                                           index(offset), ValueRange()));
    offset += threadRows * columns * getElementBytes(total.accumulator);
    storeTile(sum, areas.back(), {threadRow, place});
  }
  gpu::BarrierOp::create(builder, loc);
  auto isFirst = scf::IfOp::create(builder, loc, isLess(threadRow, index(1)));
  builder.setInsertionPointToStart(isFirst.thenBlock());
  SmallVector<Value> result(sums);
  for (int64_t row = 1; row < threadRows; ++row)
    for (auto [total, area, sum] : llvm::zip(program.totals, areas, result))
      sum =
          total.combine(builder, loc, sum, loadTile(area, {index(row), place}));
  return result;
}

/// What comes after the totals, of this thread's columns.
void MainKernel::emitFinalOutputs(ValueRange sums) {
  PointAccess access(builder, loc, space, program.kept, schedule.getWidth());
  TileEvaluator evaluator(
      builder, space.getCandidate(),
      [&](Value value) { return access.getSpace(value); }, schedule.getWidth());
  std::pair<LoopSet, Value> indices[] = {{program.kept, column}};
  for (auto [total, sum] : llvm::zip(program.totals, sums))
    evaluator.bind(total.result, 0, 0, total.convertResult(*this, sum));
  for (unsigned number : program.finalOutputs) {
    Value output = space.getCandidate().outputs[number];
    Value tile =
        evaluator.evaluate(output, 0, 0, [&](Value leaf, unsigned, unsigned) {
          return access.load(leaf, buffers.getInput(leaf), indices);
        });
    access.store(output, tile, buffers.getOutput(number), indices,
                 columnExists);
  }
}

void MainKernel::emit() {
  emitPlace();
  SmallVector<Value> sums;
  TileEvaluator evaluator(
      builder, space.getCandidate(), [](Value) { return Space::Column; },
      schedule.getWidth());
  bool isDynamic = match.rowLoop.isDynamic();
  for (const Total &total : program.totals) {
    Value initial = isDynamic ? total.createInitial(*this, numRows)
                              : total.createNeutral(builder, loc);
    sums.push_back(evaluator.splat(loc, initial));
  }
  int64_t numWhole = match.rows / schedule.getRowsPerTile();
  Value whole = isDynamic
                    ? arith::DivUIOp::create(builder, loc, numRows,
                                             index(schedule.getRowsPerTile()))
                          .getResult()
                    : index(numWhole);
  if (isDynamic || numWhole) {
    auto loop = scf::ForOp::create(builder, loc, split, whole,
                                   index(schedule.getSplits()), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, loc,
                         emitTile(loop.getInductionVar(),
                                  loop.getRegionIterArgs(),
                                  /*isPartial=*/false));
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (isDynamic || match.rows % schedule.getRowsPerTile())
    sums = emitPartialTile(whole, sums);
  if (schedule.getFinish() == FinishMode::Dependent)
    NVVM::GriddepcontrolOp::create(builder, loc,
                                   NVVM::GridDepActionKind::launch_dependents);
  sums = emitThreadRowSums(sums);
  if (isFinishedByBlocks(schedule))
    return emitFinalOutputs(sums);
  emitIf(columnExists, [&] {
    for (auto [number, sum] : llvm::enumerate(sums))
      storeTile(sum, buffers.getWorkspace(number), {split, column});
  });
}

void outerreduction::emitMainKernel(SegmentLowering &lowering,
                                    const OuterReductionMatch &match,
                                    OuterReductionScheduleAttr schedule,
                                    ValueRange partials, Location loc) {
  const ReductionProgram &program = match.program;
  KernelBuffers buffers(lowering, match.space);
  for (Value input : program.walkInputs)
    buffers.addInput(input);
  for (unsigned output : program.walkOutputs)
    buffers.addOutput(output);
  if (isFinishedByBlocks(schedule)) {
    for (Value input : program.finalInputs)
      if (!buffers.hasInput(input))
        buffers.addInput(input);
    for (unsigned output : program.finalOutputs)
      buffers.addOutput(output);
  }
  for (Value partial : partials)
    buffers.addWorkspace(partial, KernelAccess::Write);
  gpu::GPUFuncOp kernel =
      buffers.createKernel("columns", schedule.getThreads());
  MainKernel(kernel, match, schedule, buffers, loc).emit();
  buffers.launch(
      {schedule.getBlocks(), schedule.getThreads(), schedule.getSharedBytes()},
      match.columnLoop, schedule.getColumnsPerBlock());
}
