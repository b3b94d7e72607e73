//===- Kernel.cpp - The pointwise kernel ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread loads its runs of points, computes, stores and ends. Threads of the
// last block without a run of their own read the first one again and store
// nothing; the points behind the last whole run are done one by one.
//
//===----------------------------------------------------------------------===//

#include "../KernelBuffers.h"
#include "../PointAccess.h"
#include "../TileEvaluator.h"
#include "Pointwise.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::pointwise;

namespace {

/// Runs of `width` points of the kernel.
class Runs : private TileBuilder {
public:
  Runs(OpBuilder builder, Location loc, const IterationSpace &space,
       const KernelBuffers &buffers, unsigned width)
      : TileBuilder(builder, loc, width), space(space), buffers(buffers),
        access(this->builder, loc, space, space.getAllLoops(), width),
        evaluator(
            this->builder, space.getCandidate(),
            [this](Value value) { return access.getSpace(value); }, width) {}

  /// Adds the run that starts at point `first`. Nothing is stored unless
  /// `condition` holds (null: always).
  void add(Value first, Value condition) {
    firsts.push_back(first);
    conditions.push_back(condition);
  }

  /// Loads all runs, so that the loads are in flight together; then computes
  /// and stores each.
  void emit();

private:
  Value load(Value leaf, unsigned run) {
    return access.load(leaf, buffers.getInput(leaf),
                       {{space.getAllLoops(), firsts[run]}});
  }

  const IterationSpace &space;
  const KernelBuffers &buffers;
  PointAccess access;
  TileEvaluator evaluator;
  SmallVector<Value> firsts, conditions;
};

} // namespace

void Runs::emit() {
  const Candidate &candidate = space.getCandidate();
  for (unsigned run = 0; run < firsts.size(); ++run)
    for (Value input : candidate.inputs)
      evaluator.evaluate(input, run, run, [&](Value leaf, unsigned, unsigned) {
        return load(leaf, run);
      });
  // Leaves that are left are positions.
  for (unsigned run = 0; run < firsts.size(); ++run)
    for (auto [number, output] : llvm::enumerate(candidate.outputs))
      access.store(output,
                   evaluator.evaluate(output, run, run,
                                      [&](Value leaf, unsigned, unsigned) {
                                        return load(leaf, run);
                                      }),
                   buffers.getOutput(number),
                   {{space.getAllLoops(), firsts[run]}}, conditions[run]);
}

/// The points behind the last whole run, a thread each.
static void emitRest(TileBuilder &tiles, const PointwiseMatch &match,
                     PointwiseScheduleAttr schedule,
                     const KernelBuffers &buffers, Value thread, Value block) {
  int64_t rest = match.points % schedule.getWidth();
  if (!rest || match.isDynamic())
    return;
  Value isLast =
      arith::CmpIOp::create(tiles.builder, tiles.loc, arith::CmpIPredicate::eq,
                            block, tiles.index(schedule.getBlocks() - 1));
  Value hasPoint = tiles.both(isLast, tiles.isLess(thread, tiles.index(rest)));
  tiles.emitIf(hasPoint, [&] {
    Runs points(tiles.builder, tiles.loc, match.space, buffers, /*width=*/1);
    points.add(tiles.add(thread, tiles.index(match.points - rest)), Value());
    points.emit();
  });
}

void pointwise::emitKernel(SegmentLowering &lowering,
                           const PointwiseMatch &match,
                           PointwiseScheduleAttr schedule, Location loc) {
  const IterationSpace &space = match.space;
  KernelBuffers buffers(lowering, space);
  for (Value input : space.getCandidate().inputs)
    buffers.addInput(input);
  for (unsigned output = 0; output < space.getCandidate().outputs.size();
       ++output)
    buffers.addOutput(output);
  unsigned threads = schedule.getThreads(), width = schedule.getWidth();
  gpu::GPUFuncOp kernel = buffers.createKernel("points", threads);
  TileBuilder tiles(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, width);
  Value thread = gpu::ThreadIdOp::create(tiles.builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(tiles.builder, loc, gpu::Dimension::x);
  int64_t wholeRuns = match.points / width;
  // The last block may have nothing but the points behind the last whole run.
  bool isRagged =
      match.isDynamic() || wholeRuns != int64_t(schedule.getBlocks()) *
                                            threads * schedule.getVectors();
  // With a dynamic extent runs are whole: it is a factor of their number.
  int64_t runsPerExtent = match.pointsPerExtent / width;
  Value numRuns = match.isDynamic()
                      ? tiles.mul(buffers.getExtent(), runsPerExtent)
                      : tiles.index(wholeRuns);
  Value number = tiles.add(
      tiles.mul(block, int64_t(threads) * schedule.getVectors()), thread);
  Runs runs(tiles.builder, loc, space, buffers, width);
  for (unsigned vector = 0; wholeRuns && vector < schedule.getVectors();
       ++vector) {
    Value run = vector
                    ? tiles.add(number, tiles.index(int64_t(vector) * threads))
                    : number;
    Value exists;
    if (isRagged) {
      exists = tiles.isLess(run, numRuns);
      run = tiles.select(exists, run, tiles.index(0));
    }
    runs.add(tiles.mul(run, width), exists);
  }
  runs.emit();
  emitRest(tiles, match, schedule, buffers, thread, block);
  LaunchSize size{schedule.getBlocks(), threads, 0};
  if (match.isDynamic())
    size.dynamicBlocks = buffers.createBlockCount(
        runsPerExtent, int64_t(threads) * schedule.getVectors());
  buffers.launch(size);
}
