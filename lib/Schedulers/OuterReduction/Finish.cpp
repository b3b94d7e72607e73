//===- Finish.cpp - The finish kernel of an outer reduction ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane l of every warp works on column 32 * block + l. Warp w of W adds the
// partial results w, w + W, w + 2 W, ...; then the first warp adds the W sums,
// computes what comes after the totals, and stores it.
//
//===----------------------------------------------------------------------===//

#include "../KernelBuffers.h"
#include "../PartialSums.h"
#include "../PointAccess.h"
#include "../TileEvaluator.h"
#include "OuterReduction.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::outerreduction;

namespace {

class FinishKernel : private TileBuilder {
public:
  FinishKernel(gpu::GPUFuncOp kernel, const OuterReductionMatch &match,
               OuterReductionScheduleAttr schedule,
               const KernelBuffers &buffers, Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, /*width=*/1),
        kernel(kernel), match(match), program(match.program),
        schedule(schedule), buffers(buffers),
        warps(schedule.getFinishThreads() / finishColumns) {}

  void emit();

private:
  void emitOutputs(ArrayRef<Value> areas, Value lane, Value column);

  gpu::GPUFuncOp kernel;
  const OuterReductionMatch &match;
  const ReductionProgram &program;
  OuterReductionScheduleAttr schedule;
  const KernelBuffers &buffers;
  int64_t warps;
};

} // namespace

/// Runs in the first warp, for columns that exist.
void FinishKernel::emitOutputs(ArrayRef<Value> areas, Value lane,
                               Value column) {
  const IterationSpace &space = match.space;
  PointAccess access(builder, loc, space, program.kept, /*width=*/1);
  TileEvaluator evaluator(
      builder, space.getCandidate(),
      [&](Value value) { return access.getSpace(value); }, /*width=*/1);
  std::pair<LoopSet, Value> indices[] = {{program.kept, column}};
  for (auto [total, area] : llvm::zip(program.totals, areas)) {
    Value sum = loadTile(area, {index(0), lane});
    for (int64_t warp = 1; warp < warps; ++warp)
      sum =
          total.combine(builder, loc, sum, loadTile(area, {index(warp), lane}));
    evaluator.bind(total.result, 0, 0, total.convertResult(*this, sum));
  }
  for (unsigned number : program.finalOutputs) {
    Value output = space.getCandidate().outputs[number];
    Value value =
        evaluator.evaluate(output, 0, 0, [&](Value leaf, unsigned, unsigned) {
          return access.load(leaf, buffers.getInput(leaf), indices);
        });
    access.store(output, value, buffers.getOutput(number), indices, Value());
  }
}

void FinishKernel::emit() {
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane =
      arith::RemUIOp::create(builder, loc, thread, index(finishColumns));
  Value warp =
      arith::DivUIOp::create(builder, loc, thread, index(finishColumns));
  Value column = add(mul(block, finishColumns), lane);
  Value exists;
  if (match.columns % finishColumns)
    exists = isLess(column, index(match.columns));
  Value safeColumn = exists ? minimum(column, match.columns - 1) : column;
  if (schedule.getFinish() == FinishMode::Dependent)
    NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);
  SmallVector<Value> sums = emitPartialSums(
      *this, program, warp, warps, schedule.getSplits(),
      [&](unsigned total, Value place) {
        return loadTile(buffers.getWorkspace(total), {place, safeColumn});
      });
  auto addressSpace = gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup);
  SmallVector<Value> areas;
  for (auto [total, sum] : llvm::zip(program.totals, sums)) {
    auto type = MemRefType::get({warps, finishColumns}, total.accumulator,
                                MemRefLayoutAttrInterface(), addressSpace);
    areas.push_back(kernel.addWorkgroupAttribution(type, loc));
    storeTile(sum, areas.back(), {warp, lane});
  }
  gpu::BarrierOp::create(builder, loc);
  emitIf(both(isLess(warp, index(1)), exists),
         [&] { emitOutputs(areas, lane, safeColumn); });
}

void outerreduction::emitFinishKernel(SegmentLowering &lowering,
                                      const OuterReductionMatch &match,
                                      OuterReductionScheduleAttr schedule,
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
