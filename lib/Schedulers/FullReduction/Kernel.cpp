//===- Kernel.cpp - The kernels of a reduction that blocks share ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main kernel: a block adds up its runs of one row's columns.
//
//     for each whole run of this split:
//       `vectors` tiles: load, compute, add to the accumulators
//     the last run, in the split that it falls to; columns behind the last tile
//     one sum a block; partial results, or what comes after the totals
//
// The finish kernel: a warp adds up the partial results of a row, lane l those
// numbered l, l + 32, ..., and computes what comes after the totals.
//
//===----------------------------------------------------------------------===//

#include "../KernelBuffers.h"
#include "../PartialSums.h"
#include "../PointAccess.h"
#include "../RowReduction.h"
#include "../TileEvaluator.h"
#include "FullReduction.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fullreduction;

namespace {

/// What both kernels share.
class Kernel : protected TileBuilder {
public:
  Kernel(gpu::GPUFuncOp kernel, const FullReductionMatch &match,
         SplitReductionScheduleAttr schedule, const KernelBuffers &buffers,
         Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, /*width=*/1),
        kernel(kernel), match(match), space(match.space),
        program(match.program), schedule(schedule), buffers(buffers) {}

protected:
  SmallVector<Value> emitNeutral();
  SmallVector<Value> emitThreadSums(ValueRange sums, const ThreadPlace &place);
  void emitFinalOutputs(ValueRange totals, Value row);
  Value divide(Value a, int64_t b) {
    return arith::DivUIOp::create(builder, loc, a, index(b));
  }
  Value remainder(Value a, int64_t b) {
    return arith::RemUIOp::create(builder, loc, a, index(b));
  }

  gpu::GPUFuncOp kernel;
  const FullReductionMatch &match;
  const IterationSpace &space;
  const ReductionProgram &program;
  SplitReductionScheduleAttr schedule;
  const KernelBuffers &buffers;
};

class MainKernel final : Kernel {
public:
  using Kernel::Kernel;
  void emit();

private:
  SmallVector<Value> emitRun(Value run, ValueRange sums, bool isPartial);
  SmallVector<Value> emitPoints(unsigned width, ArrayRef<Value> firsts,
                                ArrayRef<Value> exist, ValueRange sums);
  SmallVector<Value> emitWhere(Value condition, ValueRange sums,
                               function_ref<SmallVector<Value>()> body);
  SmallVector<Value> emitRest(ValueRange sums);

  Value thread, row, split;
  /// The tiles of a row.
  Value numTiles;
};

class FinishKernel final : Kernel {
public:
  using Kernel::Kernel;
  void emit();
};

} // namespace

//===----------------------------------------------------------------------===//
// Both kernels
//===----------------------------------------------------------------------===//

SmallVector<Value> Kernel::emitNeutral() {
  return llvm::map_to_vector(program.totals, [&](const Total &total) {
    return total.createNeutral(builder, loc);
  });
}

/// The sums of the threads of a block, or of a warp; all threads have them.
SmallVector<Value> Kernel::emitThreadSums(ValueRange sums,
                                          const ThreadPlace &place) {
  auto addressSpace = gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup);
  int64_t warps = place.threadsPerRow / warpSize;
  SmallVector<PackedValue> values;
  for (auto [total, sum] : llvm::zip(program.totals, sums)) {
    Value slots;
    if (warps > 1) {
      slots = kernel.addWorkgroupAttribution(
          MemRefType::get({2, 1, 1, warps}, total.accumulator,
                          MemRefLayoutAttrInterface(), addressSpace),
          loc);
      // Threads read several slots at a time.
      kernel.setWorkgroupAttributionAttr(
          kernel.getNumWorkgroupAttributions() - 1,
          LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(16));
    }
    values.push_back({total.kind, total.fastmath, sum, slots, /*row=*/0});
  }
  return emitRowReduction(builder, loc, place, values, index(0));
}

/// What comes after the totals of `row`. Runs in one thread.
void Kernel::emitFinalOutputs(ValueRange totals, Value row) {
  PointAccess access(builder, loc, space, program.kept, /*width=*/1);
  TileEvaluator evaluator(
      builder, space.getCandidate(),
      [&](Value value) { return access.getSpace(value); }, /*width=*/1);
  std::pair<LoopSet, Value> indices[] = {{program.kept, row}};
  for (auto [total, sum] : llvm::zip(program.totals, totals))
    evaluator.bind(total.result, 0, 0, total.convertResult(*this, sum));
  for (unsigned number : program.finalOutputs) {
    Value output = space.getCandidate().outputs[number];
    Value value =
        evaluator.evaluate(output, 0, 0, [&](Value leaf, unsigned, unsigned) {
          return access.load(leaf, buffers.getInput(leaf), indices);
        });
    access.store(output, value, buffers.getOutput(number), indices, Value());
  }
}

//===----------------------------------------------------------------------===//
// Main kernel
//===----------------------------------------------------------------------===//

/// Adds the runs of `width` columns from each of `firsts` to `sums`, which hold
/// as many columns; those that do not exist are left out.
SmallVector<Value> MainKernel::emitPoints(unsigned width,
                                          ArrayRef<Value> firsts,
                                          ArrayRef<Value> exist,
                                          ValueRange sums) {
  PointAccess access(builder, loc, space, program.reduced, width);
  TileEvaluator evaluator(
      builder, space.getCandidate(),
      [&](Value value) { return access.getSpace(value); }, width);
  TileBuilder tiles(builder, loc, width);
  auto evaluate = [&](Value value, unsigned point) {
    return evaluator.evaluate(
        value, point, point, [&](Value leaf, unsigned, unsigned) {
          return access.load(
              leaf, buffers.getInput(leaf),
              {{program.reduced, firsts[point]}, {program.kept, row}});
        });
  };
  // All loads come before the first use, so that they are in flight together.
  for (unsigned point = 0; point < firsts.size(); ++point)
    for (Value input : program.walkInputs)
      evaluate(input, point);
  SmallVector<Value> result(sums);
  for (unsigned point = 0; point < firsts.size(); ++point) {
    for (auto [total, sum] : llvm::zip(program.totals, result)) {
      Value value = total.convertOperand(tiles, evaluate(total.operand, point));
      Value next = total.combine(builder, loc, sum, value);
      sum = exist[point] ? select(exist[point], next, sum) : next;
    }
    for (unsigned number : program.walkOutputs) {
      Value output = space.getCandidate().outputs[number];
      access.store(output, evaluate(output, point), buffers.getOutput(number),
                   {{program.reduced, firsts[point]}, {program.kept, row}},
                   exist[point]);
    }
  }
  return result;
}

SmallVector<Value> MainKernel::emitRun(Value run, ValueRange sums,
                                       bool isPartial) {
  int64_t threads = schedule.getThreads(), width = schedule.getWidth();
  Value first = add(mul(run, threads * schedule.getVectors()), thread);
  SmallVector<Value> firsts, exist;
  for (int64_t vector = 0; vector < schedule.getVectors(); ++vector) {
    Value tile = vector ? add(first, index(vector * threads)) : first;
    Value exists = isPartial ? isLess(tile, numTiles) : Value();
    firsts.push_back(
        mul(isPartial ? select(exists, tile, index(0)) : tile, width));
    exist.push_back(exists);
  }
  return emitPoints(width, firsts, exist, sums);
}

/// `body` where `condition` holds, else `sums`.
SmallVector<Value>
MainKernel::emitWhere(Value condition, ValueRange sums,
                      function_ref<SmallVector<Value>()> body) {
  auto op = scf::IfOp::create(builder, loc, sums.getTypes(), condition,
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(builder, loc, sums);
  builder.setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(builder, loc, body());
  return SmallVector<Value>(op.getResults());
}

/// Adds the columns behind the last tile to `sums`, one a thread of the first
/// split.
SmallVector<Value> MainKernel::emitRest(ValueRange sums) {
  // With a dynamic extent tiles are whole: it is a factor of their number.
  int64_t rest = match.columnLoop.extent % schedule.getWidth();
  if (!rest)
    return SmallVector<Value>(sums);
  Value hasColumn = both(isLess(split, index(1)), isLess(thread, index(rest)));
  return emitWhere(hasColumn, sums, [&] {
    Value column = add(thread, index(match.columns - rest));
    return emitPoints(/*width=*/1, {column}, {Value()}, sums);
  });
}

void MainKernel::emit() {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  row = divide(block, schedule.getSplits());
  split = remainder(block, schedule.getSplits());
  int64_t width = schedule.getWidth(), tiles = match.columns / width;
  int64_t perRun = int64_t(schedule.getThreads()) * schedule.getVectors();
  bool isDynamic = match.columnLoop.isDynamic();
  numTiles = buffers.createCount(
      *this, {match.columnLoop.extent / width, match.columnLoop.dynamicClass});
  Value whole = isDynamic ? divide(numTiles, perRun) : index(tiles / perRun);
  SmallVector<Value> sums = emitNeutral();
  if (isDynamic)
    for (auto [total, sum] : llvm::zip(program.totals, sums))
      sum = total.createInitial(*this, numTiles);
  if (width > 1)
    for (Value &sum : sums)
      sum = vector::BroadcastOp::create(builder, loc,
                                        getTileType(sum.getType(), width), sum);
  if (isDynamic || tiles >= perRun) {
    auto loop = scf::ForOp::create(builder, loc, split, whole,
                                   index(schedule.getSplits()), sums);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, loc,
                         emitRun(loop.getInductionVar(),
                                 loop.getRegionIterArgs(),
                                 /*isPartial=*/false));
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (isDynamic || tiles % perRun) {
    Value isMine =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, split,
                              remainder(whole, schedule.getSplits()));
    if (isDynamic)
      isMine = both(isMine, isLess(mul(whole, perRun), numTiles));
    sums = emitWhere(isMine, sums,
                     [&] { return emitRun(whole, sums, /*isPartial=*/true); });
  }
  if (schedule.getFinish() == FinishMode::Dependent)
    NVVM::GriddepcontrolOp::create(builder, loc,
                                   NVVM::GridDepActionKind::launch_dependents);
  for (auto [total, sum] : llvm::zip(program.totals, sums))
    sum = emitHorizontal(builder, loc, total.kind, total.fastmath, sum);
  sums = emitRest(sums);
  ThreadPlace place{thread,
                    thread,
                    index(0),
                    divide(thread, warpSize),
                    remainder(thread, warpSize),
                    schedule.getThreads()};
  SmallVector<Value> totals = emitThreadSums(sums, place);
  emitIf(isLess(thread, index(1)), [&] {
    if (schedule.getSplits() == 1)
      return emitFinalOutputs(totals, row);
    for (auto [number, total] : llvm::enumerate(totals))
      storeTile(total, buffers.getWorkspace(number), {row, split});
  });
}

//===----------------------------------------------------------------------===//
// Finish kernel
//===----------------------------------------------------------------------===//

void FinishKernel::emit() {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  int64_t warps = schedule.getFinishThreads() / warpSize;
  Value lane = remainder(thread, warpSize), warp = divide(thread, warpSize);
  Value row = add(mul(block, warps), warp), exists;
  if (match.rows % warps) {
    exists = isLess(row, index(match.rows));
    row = minimum(row, match.rows - 1);
  }
  if (schedule.getFinish() == FinishMode::Dependent)
    NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);
  SmallVector<Value> sums = emitPartialSums(
      *this, program, lane, warpSize, schedule.getSplits(),
      [&](unsigned total, Value place) {
        return loadTile(buffers.getWorkspace(total), {row, place});
      });
  ThreadPlace place{thread, lane, warp, index(0), lane, warpSize};
  SmallVector<Value> totals = emitThreadSums(sums, place);
  emitIf(both(isLess(lane, index(1)), exists),
         [&] { emitFinalOutputs(totals, row); });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void fullreduction::emitMainKernel(SegmentLowering &lowering,
                                   const FullReductionMatch &match,
                                   SplitReductionScheduleAttr schedule,
                                   ValueRange partials, Location loc) {
  const ReductionProgram &program = match.program;
  KernelBuffers buffers(lowering, match.space);
  for (Value input : program.walkInputs)
    buffers.addInput(input);
  for (unsigned output : program.walkOutputs)
    buffers.addOutput(output);
  if (schedule.getSplits() == 1) {
    for (Value input : program.finalInputs)
      if (!buffers.hasInput(input))
        buffers.addInput(input);
    for (unsigned output : program.finalOutputs)
      buffers.addOutput(output);
  }
  for (Value partial : partials)
    buffers.addWorkspace(partial, KernelAccess::Write);
  gpu::GPUFuncOp kernel = buffers.createKernel("splits", schedule.getThreads());
  MainKernel(kernel, match, schedule, buffers, loc).emit();
  buffers.launch({schedule.getBlocks(), schedule.getThreads()}, match.rowLoop,
                 /*perBlock=*/1);
}

void fullreduction::emitFinishKernel(SegmentLowering &lowering,
                                     const FullReductionMatch &match,
                                     SplitReductionScheduleAttr schedule,
                                     ValueRange partials, Location loc) {
  KernelBuffers buffers(lowering, match.space);
  LaunchMode mode =
      addFinishBuffers(buffers, match.program, partials, schedule.getFinish());
  gpu::GPUFuncOp kernel =
      buffers.createKernel("finish", schedule.getFinishThreads());
  FinishKernel(kernel, match, schedule, buffers, loc).emit();
  LaunchSize size{schedule.getFinishBlocks(), schedule.getFinishThreads()};
  size.mode = mode;
  buffers.launch(size);
}
