//===- Finish.cpp - The finish kernel of the inner-outer schedule ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane l of every warp works on column 32 * block + l. Warp w of W adds the
// partial results w, w + W, w + 2 W, ...; then the first warp adds the W sums,
// computes what stands after the columns, and stores it.
//
//===----------------------------------------------------------------------===//

#include "../TileEvaluator.h"
#include "FusionDialect/IR/Combine.h"
#include "InnerOuter.h"
#include "KernelArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

static constexpr unsigned lanes = 32;

namespace {

class FinishKernel {
public:
  FinishKernel(gpu::GPUFuncOp kernel, const InnerOuterMatch &match,
               InnerOuterScheduleAttr schedule,
               const KernelArguments &arguments, Location loc)
      : kernel(kernel),
        builder(OpBuilder::atBlockTerminator(&kernel.getBody().front())),
        loc(loc), graph(match.graph), schedule(schedule), arguments(arguments),
        evaluator(builder, match.graph, /*width=*/1) {}

  void emit();

private:
  Value emitPartialSum(unsigned number, Value warp, Value column);
  void emitOutputs(ArrayRef<Value> sums, Value lane, Value column);
  Value evaluate(Value value);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  gpu::GPUFuncOp kernel;
  OpBuilder builder;
  Location loc;
  const RowColumnGraph &graph;
  InnerOuterScheduleAttr schedule;
  const KernelArguments &arguments;
  TileEvaluator evaluator;
  Value evaluatedColumn;
};

} // namespace

/// What warp `warp` adds up for `column`. All loads come before the first
/// addition, so that they are in flight together.
Value FinishKernel::emitPartialSum(unsigned number, Value warp, Value column) {
  const auto &reduction = graph.getColumnReductions()[number];
  unsigned warps = schedule.getFinishThreads() / lanes;
  int64_t partials = schedule.getBlocks();
  Value neutral = arith::ConstantOp::create(
      builder, loc,
      getNeutralElement(reduction.kind, reduction.accumulatorType));
  SmallVector<Value> loaded;
  for (int64_t first = 0; first < partials; first += warps) {
    Value partial =
        first ? arith::AddIOp::create(builder, loc, warp, index(first))
                    .getResult()
              : warp;
    Value last = index(partials - 1);
    bool isRagged = first + warps > partials;
    Value safe =
        isRagged
            ? arith::MinUIOp::create(builder, loc, partial, last).getResult()
            : partial;
    Value value = memref::LoadOp::create(
        builder, loc, arguments.getPartial(number), ValueRange{safe, column});
    if (isRagged) {
      Value exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ule, partial, last);
      value = arith::SelectOp::create(builder, loc, exists, value, neutral);
    }
    loaded.push_back(value);
  }
  Value sum = loaded.front();
  for (Value value : ArrayRef(loaded).drop_front())
    sum = createCombine(builder, loc, reduction.kind, sum, value,
                        reduction.fastmath);
  return sum;
}

Value FinishKernel::evaluate(Value value) {
  return evaluator.evaluate(
      value, 0, 0, [&](Value leaf, unsigned, unsigned) -> Value {
        Value argument = arguments.getInput(leaf);
        if (!isa<MemRefType>(argument.getType()))
          return argument;
        if (graph.getSpace(leaf) == Space::Scalar)
          return memref::LoadOp::create(builder, loc, argument);
        return memref::LoadOp::create(builder, loc, argument, evaluatedColumn);
      });
}

/// Runs in the first warp, for columns that exist: adds the sums of the warps,
/// and stores every output that the main kernel could not.
void FinishKernel::emitOutputs(ArrayRef<Value> sums, Value lane, Value column) {
  unsigned warps = schedule.getFinishThreads() / lanes;
  for (auto [number, reduction] :
       llvm::enumerate(graph.getColumnReductions())) {
    Value total;
    for (unsigned warp = 0; warp < warps; ++warp) {
      Value sum = memref::LoadOp::create(builder, loc, sums[number],
                                         ValueRange{index(warp), lane});
      total = total ? createCombine(builder, loc, reduction.kind, total, sum,
                                    reduction.fastmath)
                    : sum;
    }
    Type element = getElementTypeOrSelf(reduction.result.getType());
    if (element != reduction.accumulatorType)
      total = arith::TruncFOp::create(builder, loc, element, total);
    evaluator.bind(reduction.result, 0, 0, total);
  }
  evaluatedColumn = column;
  Value isFirstColumn;
  for (auto [output, buffer] : arguments.getOutputs()) {
    Value value = evaluate(output);
    if (graph.getSpace(output) == Space::Column) {
      memref::StoreOp::create(builder, loc, value, buffer, column);
      continue;
    }
    if (!isFirstColumn)
      isFirstColumn = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, column, index(0));
    auto store = scf::IfOp::create(builder, loc, isFirstColumn);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(store.thenBlock());
    memref::StoreOp::create(builder, loc, value, buffer);
  }
}

void FinishKernel::emit() {
  int64_t columns = graph.getColumns();
  unsigned warps = schedule.getFinishThreads() / lanes;
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value lane = arith::RemUIOp::create(builder, loc, thread, index(lanes));
  Value warp = arith::DivUIOp::create(builder, loc, thread, index(lanes));
  Value column = arith::AddIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, block, index(lanes)),
      lane);
  Value safeColumn =
      arith::MinUIOp::create(builder, loc, column, index(columns - 1));
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  SmallVector<Value> sums;
  for (auto [number, reduction] :
       llvm::enumerate(graph.getColumnReductions())) {
    auto type = MemRefType::get({warps, lanes}, reduction.accumulatorType,
                                MemRefLayoutAttrInterface(), space);
    sums.push_back(kernel.addWorkgroupAttribution(type, loc));
    Value sum = emitPartialSum(number, warp, safeColumn);
    memref::StoreOp::create(builder, loc, sum, sums.back(),
                            ValueRange{warp, lane});
  }
  gpu::BarrierOp::create(builder, loc);
  Value isFirstWarp = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, warp, index(0));
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       column, index(columns));
  Value writes = arith::AndIOp::create(builder, loc, isFirstWarp, exists);
  auto finish = scf::IfOp::create(builder, loc, writes);
  builder.setInsertionPointToStart(finish.thenBlock());
  emitOutputs(sums, lane, column);
}

/// Adds the leaves behind `value` that are not reductions.
static void addLeaves(const RowColumnGraph &graph, Value value,
                      DenseSet<Value> &visited,
                      llvm::SetVector<Value> &leaves) {
  if (!visited.insert(value).second)
    return;
  for (const auto &reduction : graph.getColumnReductions())
    if (reduction.result == value)
      return;
  Operation *op = value.getDefiningOp();
  if (!op || !graph.getCandidate().operations.contains(op)) {
    leaves.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    addLeaves(graph, operand, visited, leaves);
}

void innerouter::emitFinishKernel(SegmentLowering &lowering,
                                  const InnerOuterMatch &match,
                                  InnerOuterScheduleAttr schedule,
                                  ValueRange partials, Location loc) {
  const RowColumnGraph &graph = match.graph;
  KernelArguments arguments(lowering, graph);
  llvm::SetVector<Value> leaves;
  DenseSet<Value> visited;
  for (Value output : graph.getCandidate().outputs)
    if (!hasRows(graph.getSpace(output)))
      addLeaves(graph, output, visited, leaves);
  for (Value leaf : leaves)
    arguments.addInput(leaf);
  for (auto [number, output] : llvm::enumerate(graph.getCandidate().outputs))
    if (!hasRows(graph.getSpace(output)))
      arguments.addOutput(number);
  arguments.addPartials(partials, KernelAccess::Read);
  gpu::GPUFuncOp kernel =
      arguments.createKernel("finish", schedule.getFinishThreads());
  FinishKernel(kernel, match, schedule, arguments, loc).emit();
  arguments.launch(
      {schedule.getFinishBlocks(), schedule.getFinishThreads(), 0});
}
