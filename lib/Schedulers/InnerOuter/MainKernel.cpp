//===- MainKernel.cpp - The main kernel of the inner-outer schedule -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Set-up, the ring, the loop over tiles, and the partial results after it.
//
//===----------------------------------------------------------------------===//

#include "MainKernel.h"
#include "FusionDialect/IR/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

void MainKernel::emitPlace() {
  place.threadsPerRow = schedule.getThreadsPerRow();
  place.thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  place.threadOfGroup = place.thread;
  if (schedule.getGroups() > 1) {
    Value size = index(place.threadsPerRow);
    place.group = arith::DivUIOp::create(builder, loc, place.thread, size);
    place.threadOfGroup =
        arith::RemUIOp::create(builder, loc, place.thread, size);
  } else {
    place.group = index(0);
  }
  Value warpSize = index(32);
  place.warp =
      arith::DivUIOp::create(builder, loc, place.threadOfGroup, warpSize);
  place.lane = arith::RemUIOp::create(builder, loc, place.thread, warpSize);
  // Of n tiles, this block has those numbered block, block + blocks, ...:
  // (n + blocks - 1 - block) / blocks.
  auto countOf = [&](int64_t tiles) -> Value {
    Value reach = arith::SubIOp::create(
        builder, loc, index(tiles + schedule.getBlocks() - 1), block);
    return arith::DivUIOp::create(builder, loc, reach,
                                  index(schedule.getBlocks()));
  };
  int64_t whole = graph.getRows() / schedule.getRowsPerTile();
  wholeIterations = countOf(whole);
  iterations = hasPartialTile() ? countOf(whole + 1) : wholeIterations;
}

void MainKernel::emitColumns() {
  int64_t tiles = graph.getColumns() / schedule.getWidth();
  for (unsigned tile = 0; tile < getNumTiles(); ++tile) {
    int64_t first = int64_t(tile) * place.threadsPerRow;
    Value number =
        first ? add(place.threadOfGroup, index(first)) : place.threadOfGroup;
    columns.push_back(mul(number, schedule.getWidth()));
    if (first + place.threadsPerRow <= tiles) {
      columnValid.push_back({});
      safeColumns.push_back(columns.back());
      continue;
    }
    // Threads without a tile read tile 0 again and drop what they compute.
    columnValid.push_back(isLess(number, index(tiles)));
    safeColumns.push_back(select(columnValid.back(), columns.back(), index(0)));
  }
}

void MainKernel::emitShared() {
  if (!schedule.getSharedBytes())
    return;
  MLIRContext *context = builder.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), space);
  base = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  auto view = [&](uint64_t offset, ArrayRef<int64_t> shape, Type element) {
    auto type =
        MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
    return memref::ViewOp::create(builder, loc, type, base, index(offset),
                                  ValueRange());
  };
  SharedLayout layout = computeSharedLayout(graph, footprint, schedule);
  int64_t padded = getPaddedColumns(schedule);
  if (usesRing())
    for (auto [input, offset] :
         llvm::zip(footprint.rowColumnInputs, layout.ring))
      ring.push_back(view(
          offset, {schedule.getStages(), schedule.getRowsPerTile(), padded},
          getElementTypeOrSelf(input.getType())));
  for (auto [param, offset] : llvm::zip(footprint.params, layout.params))
    sharedParams.push_back(
        view(offset, {padded}, getElementTypeOrSelf(param.getType())));
  unsigned warps = place.threadsPerRow / 32;
  for (auto [reduction, offset] :
       llvm::zip(graph.getRowReductions(), layout.exchange))
    exchange.push_back(
        warps <= 1
            ? Value()
            : Value(view(offset, {2, schedule.getGroups(), getNumRows(), warps},
                         reduction.accumulatorType)));
}

/// Brings the params on chip: into registers as the values that the rows use,
/// or into shared memory as they are.
void MainKernel::emitParams() {
  const Candidate &candidate = graph.getCandidate();
  for (Operation *op : candidate.operations)
    for (Value operand : op->getOperands())
      if (graph.getSpace(operand) == Space::Scalar &&
          !graph.isAfterColumns(operand))
        evaluate(operand, 0, 0);
  if (!sharedParams.empty()) {
    Value isFirstGroup;
    if (schedule.getGroups() > 1)
      isFirstGroup = isLess(place.group, index(1));
    emitIf(isFirstGroup, [&] {
      for (auto [param, shared] : llvm::zip(footprint.params, sharedParams))
        for (unsigned tile = 0; tile < getNumTiles(); ++tile)
          storeTile(loadTile(arguments.getInput(param), safeColumns[tile]),
                    shared, columns[tile]);
    });
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  for (Operation *op : candidate.operations) {
    if (graph.getSpace(op->getResult(0)) != Space::RowColumn)
      continue;
    for (Value operand : op->getOperands())
      if (graph.getSpace(operand) == Space::Column)
        for (unsigned tile = 0; tile < getNumTiles(); ++tile)
          evaluate(operand, 0, tile);
  }
}

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

/// Row `row` of this thread's group in tile `iteration` of this block.
Value MainKernel::getRowIndex(Value iteration, unsigned row) {
  Value tile = add(mul(iteration, schedule.getBlocks()), block);
  Value first = mul(tile, schedule.getRowsPerTile());
  if (schedule.getGroups() > 1)
    first = add(first, mul(place.group, getNumRows()));
  return row ? add(first, index(row)) : first;
}

void MainKernel::emitTileCopy(unsigned input, unsigned row, unsigned tile,
                              Value toStage, Value rowIndex) {
  Value source = arguments.getInput(footprint.rowColumnInputs[input]);
  unsigned bytes = cast<MemRefType>(source.getType())
                       .getElementType()
                       .getIntOrFloatBitWidth() /
                   8;
  unsigned width = schedule.getWidth();
  unsigned chunk = std::min(width, 16 / bytes);
  Value slot = index(row);
  if (schedule.getGroups() > 1)
    slot = add(mul(place.group, getNumRows()), slot);
  for (unsigned offset = 0; offset < width; offset += chunk) {
    auto shift = [&](Value column) {
      return offset ? add(column, index(offset)) : column;
    };
    // L1 would only hold what is never read again; 16 bytes can bypass it.
    nvgpu::DeviceAsyncCopyOp::create(
        builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()),
        ring[input], ValueRange{toStage, slot, shift(columns[tile])}, source,
        ValueRange{rowIndex, shift(safeColumns[tile])},
        builder.getIndexAttr(chunk), Value(),
        chunk * bytes == 16 ? builder.getUnitAttr() : UnitAttr());
  }
}

/// Starts the copies of tile `iteration` into `toStage` if this block has such
/// a tile, and closes the group: groups are counted, so each iteration has one.
/// (The group operations of nvgpu give tokens, and without one among their
/// operands their syntax is ambiguous.)
void MainKernel::emitCopies(Value iteration, Value toStage) {
  emitIf(isLess(iteration, iterations), [&] {
    for (unsigned row = 0; row < getNumRows(); ++row) {
      Value rowIndex = getRowIndex(iteration, row);
      if (hasPartialTile())
        rowIndex = arith::MinUIOp::create(builder, loc, rowIndex,
                                          index(graph.getRows() - 1));
      for (unsigned input = 0; input < ring.size(); ++input)
        for (unsigned tile = 0; tile < getNumTiles(); ++tile)
          emitTileCopy(input, row, tile, toStage, rowIndex);
    }
  });
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// After the rows
//===----------------------------------------------------------------------===//

/// Adds the accumulators of the groups through shared memory, in the order of
/// the groups; the first group has the sums.
void MainKernel::emitGroupSums(ValueRange sums) {
  auto space = cast<MemRefType>(base.getType()).getMemorySpace();
  int64_t padded = getPaddedColumns(schedule);
  SmallVector<Value> areas;
  uint64_t offset = 0;
  for (const auto &reduction : graph.getColumnReductions()) {
    Type element = reduction.accumulatorType;
    auto type = MemRefType::get({schedule.getGroups(), padded}, element,
                                MemRefLayoutAttrInterface(), space);
    areas.push_back(memref::ViewOp::create(builder, loc, type, base,
                                           index(offset), ValueRange()));
    offset += uint64_t(schedule.getGroups()) * padded *
              element.getIntOrFloatBitWidth() / 8;
  }
  // Other groups may still read what stands here.
  gpu::BarrierOp::create(builder, loc);
  for (auto [number, area] : llvm::enumerate(areas))
    for (unsigned tile = 0; tile < getNumTiles(); ++tile)
      storeTile(sums[number * getNumTiles() + tile], area,
                {place.group, columns[tile]});
  gpu::BarrierOp::create(builder, loc);
  emitIf(isLess(place.group, index(1)), [&] {
    for (auto [number, reduction] :
         llvm::enumerate(graph.getColumnReductions()))
      for (unsigned tile = 0; tile < getNumTiles(); ++tile) {
        Value sum = sums[number * getNumTiles() + tile];
        for (unsigned group = 1; group < schedule.getGroups(); ++group)
          sum = createCombine(
              builder, loc, reduction.kind, sum,
              loadTile(areas[number], {index(group), columns[tile]}),
              reduction.fastmath);
        emitIf(columnValid[tile], [&, number = number] {
          storeTile(sum, arguments.getPartial(number), {block, columns[tile]});
        });
      }
  });
}

void MainKernel::emitEpilogue(ValueRange sums) {
  if (schedule.getGroups() > 1)
    return emitGroupSums(sums);
  for (unsigned number = 0; number < graph.getColumnReductions().size();
       ++number)
    for (unsigned tile = 0; tile < getNumTiles(); ++tile)
      emitIf(columnValid[tile], [&] {
        storeTile(sums[number * getNumTiles() + tile],
                  arguments.getPartial(number), {block, columns[tile]});
      });
}

void MainKernel::emit() {
  emitPlace();
  emitColumns();
  emitShared();
  if (usesRing())
    for (unsigned i = 0; i < schedule.getStages(); ++i)
      emitCopies(index(i), index(i));

  SmallVector<Value> state;
  for (const auto &reduction : graph.getColumnReductions()) {
    Value neutral = evaluator.splat(
        loc,
        constant(getNeutralElement(reduction.kind, reduction.accumulatorType)));
    state.append(getNumTiles(), neutral);
  }
  for (unsigned i = 0; i < getRowDistance(schedule); ++i)
    loadRowInputs(index(i), state);
  emitParams();
  state.append({index(0), index(0)});

  auto loop = scf::ForOp::create(builder, loc, index(0), wholeIterations,
                                 index(1), state);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(builder, loc,
                         emitIteration(loop.getInductionVar(),
                                       loop.getRegionIterArgs(),
                                       /*isPartial=*/false));
  }
  state.assign(loop.getResults().begin(), loop.getResults().end());
  if (hasPartialTile())
    state = emitPartialTile(state);
  emitEpilogue(ValueRange(state).take_front(graph.getColumnReductions().size() *
                                            getNumTiles()));
}

void innerouter::emitMainKernel(SegmentLowering &lowering,
                                const InnerOuterMatch &match,
                                InnerOuterScheduleAttr schedule,
                                ValueRange partials, Location loc) {
  const RowColumnGraph &graph = match.graph;
  KernelArguments arguments(lowering, graph);
  for (Value input : graph.getCandidate().inputs)
    if (graph.getSpace(input) != Space::Column ||
        llvm::is_contained(match.footprint.params, input))
      arguments.addInput(input);
  for (auto [number, output] : llvm::enumerate(graph.getCandidate().outputs))
    if (hasRows(graph.getSpace(output)))
      arguments.addOutput(number);
  arguments.addPartials(partials, KernelAccess::Write);
  gpu::GPUFuncOp kernel = arguments.createKernel("rows", schedule.getThreads());
  MainKernel(kernel, match, schedule, arguments, loc).emit();
  arguments.launch(
      {schedule.getBlocks(), schedule.getThreads(), schedule.getSharedBytes()});
}
