//===- MainKernel.cpp - The main kernel of the inner-outer schedule -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Set-up, the loop over tiles, and the partial results after it.
//
//===----------------------------------------------------------------------===//

#include "MainKernel.h"
#include "Finish.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

/// Loads the scalars that rows use, once.
void MainKernel::emitScalars() {
  for (Operation *op : graph.getCandidate().operations)
    for (Value operand : op->getOperands())
      if (graph.getSpace(operand) == Space::Scalar &&
          !graph.isAfterColumns(operand))
        evaluate(operand, 0, 0);
}

/// Brings the params to shared memory as they are; the block meets later.
void MainKernel::emitSharedParams() {
  for (auto [param, offset] : llvm::zip(footprint.params, layout.params))
    sharedParams.push_back(view(offset, {getPaddedColumns(schedule)},
                                getElementTypeOrSelf(param.getType())));
  Value isFirstGroup;
  if (schedule.getGroups() > 1)
    isFirstGroup = isLess(place.group, index(1));
  emitIf(isFirstGroup, [&] {
    for (auto [param, shared] : llvm::zip(footprint.params, sharedParams))
      for (unsigned tile = 0; tile < getNumTiles(); ++tile)
        storeShared(loadTile(arguments.getInput(param),
                             globalColumn(safeColumns[tile])),
                    shared, columns[tile]);
  });
}

/// Brings the params to registers, as the values that the rows use.
void MainKernel::emitRegisterParams() {
  for (Operation *op : graph.getCandidate().operations) {
    if (graph.getSpace(op->getResult(0)) != Space::RowColumn)
      continue;
    for (Value operand : op->getOperands())
      if (graph.getSpace(operand) == Space::Column)
        for (unsigned tile = 0; tile < getNumTiles(); ++tile)
          evaluate(operand, 0, tile);
  }
}

/// All threads of the block meet; of the cluster, if there is one.
void MainKernel::emitBlockBarrier() {
  if (hasCluster()) {
    NVVM::ClusterArriveOp::create(builder, loc, builder.getUnitAttr());
    NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
  } else {
    gpu::BarrierOp::create(builder, loc);
  }
}

/// Loads the row inputs of the first tiles. A dynamic number of rows may be 0.
SmallVector<Value> MainKernel::emitFirstRowInputs() {
  SmallVector<Value> loaded;
  auto load = [&] {
    for (unsigned i = 0; i < rowDistance; ++i)
      loadRowInputs(index(i), loaded);
  };
  if (!graph.isDynamic() || footprint.rowInputs.empty()) {
    load();
    return loaded;
  }
  SmallVector<Type> types;
  for (unsigned i = 0; i < rowDistance * getNumRows(); ++i)
    for (Value input : footprint.rowInputs)
      types.push_back(getElementTypeOrSelf(input.getType()));
  auto op = scf::IfOp::create(builder, loc, types, isLess(index(0), rowCount),
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(constant(builder.getZeroAttr(type)));
  scf::YieldOp::create(builder, loc, zeros);
  builder.setInsertionPointToStart(op.thenBlock());
  load();
  scf::YieldOp::create(builder, loc, loaded);
  return SmallVector<Value>(op.getResults());
}

/// What the loop carries: accumulators, row inputs of the next tiles, and the
/// state of the loader.
SmallVector<Value> MainKernel::emitInitialState() {
  SmallVector<Value> state;
  for (const auto &reduction : graph.getColumnReductions()) {
    Type accumulator = reduction.accumulatorType;
    bool isFloat = isa<FloatType>(accumulator);
    Type type = isFloat ? accumulator
                        : getElementTypeOrSelf(reduction.result.getType());
    Value initial =
        constant(getNeutralElement(reduction.kind, type, accumulator));
    // The sum of no rows is +0.0, which is not neutral.
    if (arguments.getRowCount() && isFloat)
      initial = select(isLess(index(0), rowCount), initial,
                       constant(getEmptyValue(reduction.kind, accumulator)));
    state.append(getNumTiles(), evaluator.splat(loc, initial));
  }
  // These few loads come before the many of the ring.
  SmallVector<Value> loaded = emitFirstRowInputs();
  llvm::append_range(state, loaded);
  return state;
}

SmallVector<Value> MainKernel::emitTileLoop(SmallVector<Value> state) {
  auto loop = scf::ForOp::create(builder, loc, index(0), wholeIterations,
                                 index(1), state);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next =
        emitIteration(loop.getInductionVar(), loop.getRegionIterArgs(),
                      /*isPartial=*/false);
    // A loop that carries nothing comes with its terminator.
    if (!next.empty())
      scf::YieldOp::create(builder, loc, next);
  }
  state.assign(loop.getResults().begin(), loop.getResults().end());
  return hasPartialTile() ? emitPartialTile(state) : state;
}

void MainKernel::emit() {
  emitPlace();
  emitColumns();
  emitSharedMemory();
  loader = RowLoader::create(*this);
  exchange = RowExchange::create(*this);
  SmallVector<Value> state = emitInitialState();
  loader->emitSetUp();
  exchange->emitSetUp();
  // These few loads as well come before the many of the ring, behind which they
  // would wait; but not where they must arrive before the block goes on.
  bool sharesParams = schedule.getParams() == Residency::Shared;
  emitScalars();
  if (!sharesParams)
    emitRegisterParams();
  loader->emitFirstCopies();
  if (sharesParams)
    emitSharedParams();
  if (sharesParams || hasCluster() || schedule.getLoader() == Loader::BulkCopy)
    emitBlockBarrier();

  llvm::append_range(state, loader->getInitialState());
  state = emitTileLoop(std::move(state));
  if (schedule.getFinish() == FinishMode::Dependent)
    NVVM::GriddepcontrolOp::create(builder, loc,
                                   NVVM::GridDepActionKind::launch_dependents);
  emitEpilogue(ValueRange(state).take_front(getNumAccumulators()));
  // A block's memory stays as long as others may store to it. Where all blocks
  // meet, nothing is sent after that.
  if (schedule.getFinish() == FinishMode::GridBarrier)
    emitGridFinish(*this);
  else if (hasCluster())
    emitBlockBarrier();
}

//===----------------------------------------------------------------------===//
// After the rows
//===----------------------------------------------------------------------===//

void MainKernel::storePartial(unsigned number, unsigned tile, Value sum) {
  emitIf(columnValid[tile], [&] {
    storeTile(sum, arguments.getPartial(number),
              {cluster, globalColumn(columns[tile])});
  });
}

void MainKernel::emitEpilogue(ValueRange sums) {
  if (sums.empty())
    return;
  if (schedule.getGroups() > 1)
    return emitGroupSums(sums);
  for (unsigned number = 0; number < graph.getColumnReductions().size();
       ++number)
    for (unsigned tile = 0; tile < getNumTiles(); ++tile)
      storePartial(number, tile, sums[number * getNumTiles() + tile]);
}

void innerouter::emitMainKernel(SegmentLowering &lowering,
                                const InnerOuterMatch &match,
                                InnerOuterScheduleAttr schedule,
                                ValueRange partials, Location loc) {
  const RowColumnGraph &graph = match.graph;
  bool finishes = schedule.getFinish() == FinishMode::GridBarrier;
  KernelArguments arguments(lowering, graph);
  llvm::SetVector<Value> finishInputs;
  if (finishes)
    finishInputs = getFinishInputs(graph);
  for (Value input : graph.getCandidate().inputs)
    if (graph.getSpace(input) != Space::Column ||
        llvm::is_contained(match.footprint.params, input) ||
        finishInputs.contains(input))
      arguments.addInput(input);
  for (auto [number, output] : llvm::enumerate(graph.getCandidate().outputs))
    if (finishes || hasRows(graph.getSpace(output)))
      arguments.addOutput(number);
  arguments.addPartials(partials, finishes ? KernelAccess::Exchange
                                           : KernelAccess::Write);
  gpu::GPUFuncOp kernel = arguments.createKernel("rows", schedule.getThreads());
  MainKernel(kernel, match, schedule, arguments, loc).emit();
  LaunchSize size;
  size.blocks = schedule.getBlocks();
  size.threads = schedule.getThreads();
  size.sharedBytes = schedule.getSharedBytes();
  size.clusterBlocks = schedule.getCluster();
  size.mode = finishes ? LaunchMode::Cooperative : LaunchMode::Plain;
  arguments.launch(size);
}
