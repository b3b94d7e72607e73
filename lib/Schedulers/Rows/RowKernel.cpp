//===- RowKernel.cpp - The kernel over independent rows -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowKernel.h"
#include "../SharedBarrier.h"
#include "FusionDialect/Conversion/SegmentLowering.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

RowKernel::RowKernel(gpu::GPUFuncOp kernel, const RowsMatch &match,
                     RowsScheduleAttr schedule, const KernelBuffers &buffers,
                     Location loc)
    : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()), loc,
                  schedule.getWidth()),
      graph(match.graph), footprint(match.footprint), schedule(schedule),
      buffers(buffers),
      evaluator(
          builder, match.graph.getCandidate(),
          [&match](Value value) { return match.graph.getSpace(value); },
          schedule.getWidth()),
      rowAccess(builder, loc, graph.getIterationSpace(), /*tiled=*/0,
                /*width=*/1),
      rescaled(getRescaledSum(match.footprint, schedule)) {
  for (const ColumnSpace &columns : graph.getColumnSpaces())
    accesses.push_back(
        std::make_unique<PointAccess>(builder, loc, graph.getIterationSpace(),
                                      columns.loops, schedule.getWidth()));
  if (graph.hasSpannedReductions())
    evaluator.setLeafOperations([this](Operation *op) {
      const Reduction *reduction = findReduction(op->getResult(0));
      return reduction && reduction->isSpanned() && !reduction->waits;
    });
}

void RowKernel::clearAccesses() {
  rowAccess.clear();
  for (const auto &access : accesses)
    access->clear();
}

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

void RowKernel::emitPlace() {
  place.threadsPerRow = schedule.getThreadsPerRow();
  place.thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value first;
  if (schedule.getCluster() > 1) {
    clusterRank =
        gpu::ClusterBlockIdOp::create(builder, loc, gpu::Dimension::x);
    first = mul(clusterRank, schedule.getThreads());
  }
  place.divide(builder, loc, schedule.getGroups(), first);
}

/// Threads without a row, in the last block, read the last row again.
void RowKernel::emitRows() {
  Value block;
  if (schedule.getCluster() > 1)
    block = gpu::ClusterIdOp::create(builder, loc, gpu::Dimension::x);
  else
    block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value first = mul(block, schedule.getRowsPerBlock());
  if (schedule.getGroups() > 1)
    first = add(first, mul(place.group, schedule.getRows()));
  Value count = graph.isDynamic()
                    ? mul(buffers.getExtent(), graph.getRowsPerExtent())
                    : index(graph.getRows());
  unsigned perBlock = schedule.getRowsPerBlock();
  bool isRagged = graph.getRowsPerExtent() % perBlock != 0;
  for (unsigned row = 0; row < schedule.getRows(); ++row) {
    Value number = row ? add(first, index(row)) : first;
    rowValid.push_back(isRagged ? isLess(number, count) : Value());
    if (isRagged)
      number = arith::MinUIOp::create(
          builder, loc, number,
          arith::SubIOp::create(builder, loc, count, index(1)));
    rowIndices.push_back(number);
  }
}

void RowKernel::emitShared() {
  slots.resize(footprint.accumulatorTypes.size());
  layout = computeSharedLayout(graph, footprint, schedule);
  if (llvm::all_of(layout.slots, [](uint64_t count) { return count == 0; }))
    return;
  MLIRContext *context = builder.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), space);
  Value base = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  if (schedule.getCluster() > 1)
    sharedAddress =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, base);
  for (auto [number, type] : llvm::enumerate(footprint.accumulatorTypes)) {
    if (!layout.slots[number])
      continue;
    auto view = MemRefType::get({1, schedule.getGroups(), schedule.getRows(),
                                 int64_t(layout.slots[number])},
                                getExchangeType(type),
                                MemRefLayoutAttrInterface(), space);
    slots[number] = memref::ViewOp::create(
        builder, loc, view, base, index(layout.exchange[number]), ValueRange());
  }
}

Value RowKernel::getBarrier(unsigned reduction) {
  return emitSharedPointer(
      builder, loc,
      add(sharedAddress, index(layout.barriers + reduction * barrierBytes)));
}

/// Prepares the barriers of all exchanges, each of which serves once: that of
/// the first reduction of a level is the level's. The blocks meet before the
/// first exchange, when their loads are under way.
void RowKernel::emitClusterSetUp() {
  if (schedule.getCluster() == 1)
    return;
  for (auto [number, reduction] : llvm::enumerate(graph.getReductions())) {
    if (reduction.isSpanned() ||
        graph.getColumnSpaces()[reduction.columns].extent == 0)
      continue;
    unsigned level = getExchangeLevel(number);
    auto *sum = llvm::find_if(arrivals, [&](const Arrivals &other) {
      return getExchangeLevel(other.reduction) == level;
    });
    if (sum == arrivals.end())
      sum = arrivals.insert(sum, {unsigned(number), 0});
    Type type = getExchangeType(footprint.accumulatorTypes[number]);
    ReduceOp op = reduction.operation;
    sum->bytes += uint64_t(getNumRows(op.getInput())) * place.threadsPerRow /
                  32 * type.getIntOrFloatBitWidth() / 8;
  }
  emitIf(isLess(place.thread, index(1)), [&] {
    for (const Arrivals &expected : arrivals)
      emitBarrierInit(builder, loc, getBarrier(expected.reduction));
    NVVM::FenceMbarrierInitOp::create(builder, loc);
  });
  // The fence has published the barriers. An arrival that releases would hold
  // up the loads behind it (measured: 300 instead of 262 us of a softmax).
  NVVM::ClusterArriveRelaxedOp::create(builder, loc, builder.getUnitAttr());
}

/// The level whose exchange reduction `number` is part of.
unsigned RowKernel::getExchangeLevel(unsigned number) const {
  if (rescaled && number == rescaled->sum)
    number = rescaled->maximum;
  return graph.getReductions()[number].level;
}

/// Every block of the cluster has set up its barriers. What the exchanges bring
/// may arrive before it is announced: until then the barriers stay closed.
void RowKernel::emitClusterWait() {
  if (schedule.getCluster() == 1 || hasMet)
    return;
  hasMet = true;
  NVVM::ClusterWaitOp::create(builder, loc, builder.getUnitAttr());
  emitIf(isLess(place.thread, index(1)), [&] {
    for (const Arrivals &expected : arrivals)
      emitBarrierExpect(
          builder, loc, getBarrier(expected.reduction),
          arith::ConstantIntOp::create(builder, loc, expected.bytes, 32));
  });
}

//===----------------------------------------------------------------------===//
// The order of work
//===----------------------------------------------------------------------===//

PackedValue RowKernel::packPartial(unsigned reduction, unsigned row) {
  ReduceOp op = graph.getReductions()[reduction].operation;
  Value scalar = emitHorizontal(builder, loc, op.getKind(), op.getFastmath(),
                                partials[{reduction, row}]);
  Value address;
  if (sharedAddress)
    address = add(sharedAddress, index(layout.exchange[reduction]));
  return {op.getKind(),
          op.getFastmath(),
          convert(scalar, getExchangeType(scalar.getType()),
                  comparesSigned(op.getKind())),
          slots[reduction],
          row,
          address};
}

/// In a cluster: the exchange that starts with `reduction`. The blocks have
/// met.
std::optional<ClusterExchange>
RowKernel::getClusterExchange(unsigned reduction) {
  if (schedule.getCluster() == 1)
    return std::nullopt;
  emitClusterWait();
  return ClusterExchange{schedule.getCluster(), getBarrier(reduction)};
}

/// One packed reduction of all reductions of whole rows at the level, for all
/// rows.
void RowKernel::emitExchange(unsigned level) {
  SmallVector<PackedValue> values;
  SmallVector<std::pair<ReduceOp, unsigned>> owners;
  unsigned first = 0;
  for (auto [number, reduction] : llvm::enumerate(graph.getReductions())) {
    if (reduction.level != level || reduction.isSpanned() ||
        (rescaled && number == rescaled->sum))
      continue;
    ReduceOp op = reduction.operation;
    bool isEmpty = graph.getColumnSpaces()[reduction.columns].extent == 0;
    for (unsigned row = 0; row < getNumRows(op.getInput()); ++row) {
      if (isEmpty) {
        evaluator.bind(op.getResult(), row, 0,
                       constant(getEmptyValue(op.getKind(),
                                              op.getType().getElementType())));
        continue;
      }
      if (values.empty())
        first = number;
      values.push_back(packPartial(number, row));
      owners.emplace_back(op, row);
    }
  }
  if (values.empty())
    return;
  std::optional<ClusterExchange> cluster = getClusterExchange(first);
  SmallVector<Value> totals = emitRowReduction(
      builder, loc, place, values, index(0), cluster ? &*cluster : nullptr);
  for (auto [owner, total] : llvm::zip(owners, totals)) {
    Type element = owner.first.getType().getElementType();
    evaluator.bind(owner.first.getResult(), owner.second, 0,
                   convert(total, element));
  }
}

/// Results without columns, each stored by the first thread of the row.
void RowKernel::emitRowOutputs(unsigned level) {
  Value isFirst;
  for (auto [number, output] : llvm::enumerate(graph.getCandidate().outputs)) {
    if (hasColumns(graph.getSpace(output)) || graph.getLevel(output) != level)
      continue;
    if (!isFirst)
      isFirst = isLess(place.threadOfGroup, index(1));
    for (unsigned row = 0; row < getNumRows(output); ++row)
      rowAccess.store(output, evaluate(output, row, 0),
                      buffers.getOutput(number),
                      {{graph.getRowLoops(), rowIndices[row]}},
                      both(isFirst, rowValid[row]));
  }
}

/// Evaluates everything without columns that is known at `level`: before a
/// loop over columns, whose body must not hold what later levels use.
void RowKernel::evaluateRows(unsigned level) {
  const Candidate &candidate = graph.getCandidate();
  auto evaluateRow = [&](Value value) {
    if (!hasColumns(graph.getSpace(value)) && graph.getLevel(value) <= level)
      for (unsigned row = 0; row < getNumRows(value); ++row)
        evaluate(value, row, 0);
  };
  for (Value input : candidate.inputs)
    evaluateRow(input);
  for (Operation *op : candidate.operations)
    evaluateRow(op->getResult(0));
}

void RowKernel::emitResident() {
  // Everything is loaded before anything is used. What only later levels need
  // waits for its level: it is shared by the rows and found in a cache.
  SmallVector<unsigned> firstTiles, numTiles;
  for (unsigned columns = 0; columns < accesses.size(); ++columns) {
    firstTiles.push_back(tiles.size());
    numTiles.push_back(countThreadTiles(graph, columns, schedule));
    for (unsigned number = 0; number < numTiles.back(); ++number)
      tiles.push_back(makeTile(columns, Value(), 0, number));
  }
  for (Value input : footprint.rowInputs)
    for (unsigned row = 0; row < schedule.getRows(); ++row)
      evaluate(input, row, 0);
  for (const ColumnWork &work : footprint.work)
    loadStreamed(work, firstTiles[work.columns], numTiles[work.columns]);
  for (const ColumnWork &work : footprint.work)
    if (work.level == 0)
      for (Value param : work.params)
        for (unsigned tile = 0; tile < numTiles[work.columns]; ++tile)
          for (unsigned row = 0; row < getNumRows(param); ++row)
            evaluate(param, row, firstTiles[work.columns] + tile);

  ArrayRef<ColumnWork> pending = footprint.work;
  for (unsigned level = 0; level < graph.getNumLevels(); ++level) {
    emitRowOutputs(level);
    for (; !pending.empty() && pending.front().level == level;
         pending = pending.drop_front()) {
      unsigned columns = pending.front().columns;
      emitWork(pending.front(), firstTiles[columns], numTiles[columns]);
    }
    if (rescaled && level == getExchangeLevel(rescaled->sum)) {
      const RowGraph::Reduction &sum = graph.getReductions()[rescaled->sum];
      unsigned columns = graph.getColumnSpace(sum.operation->getOperand(0));
      // The maximum is the only reduction of the level.
      emitRescaledExchange(firstTiles[columns], numTiles[columns]);
      continue;
    }
    emitExchange(level);
    emitSpanExchange(level, firstTiles, numTiles);
  }
}

void RowKernel::emitLooped() {
  ArrayRef<ColumnWork> pending = footprint.work;
  for (unsigned level = 0; level < graph.getNumLevels(); ++level) {
    evaluateRows(level);
    emitRowOutputs(level);
    for (; !pending.empty() && pending.front().level == level;
         pending = pending.drop_front())
      emitPass(pending.front());
    emitExchange(level);
  }
}

void RowKernel::emit() {
  emitPlace();
  emitRows();
  emitShared();
  emitClusterSetUp();
  if (schedule.getTraversal() == RowTraversal::Resident)
    emitResident();
  else
    emitLooped();
  // Also where nothing was exchanged.
  emitClusterWait();
}

void rows::emitKernel(SegmentLowering &lowering, const RowsMatch &match,
                      RowsScheduleAttr schedule, Location loc) {
  if (!schedule.getBlocks())
    return;
  const IterationSpace &space = match.graph.getIterationSpace();
  KernelBuffers buffers(lowering, space);
  for (Value input : space.getCandidate().inputs)
    buffers.addInput(input);
  for (unsigned index = 0; index < space.getCandidate().outputs.size(); ++index)
    buffers.addOutput(index);
  gpu::GPUFuncOp kernel = buffers.createKernel("rows", schedule.getThreads(),
                                               schedule.getOccupancy());
  RowKernel(kernel, match, schedule, buffers, loc).emit();
  LaunchSize size{schedule.getBlocks(), schedule.getThreads(),
                  schedule.getSharedBytes(), schedule.getCluster()};
  if (match.graph.isDynamic())
    size.dynamicBlocks = buffers.createBlockCount(
        match.graph.getRowsPerExtent(), schedule.getRowsPerBlock());
  buffers.launch(size);
}
