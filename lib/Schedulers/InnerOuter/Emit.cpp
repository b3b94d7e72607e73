//===- Emit.cpp - The main kernel of the inner-outer schedule -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block walks over tiles of rows:
//
//     params, first stages of the ring
//     for each tile of this block:
//       wait for the tile's stage
//       level 0: per column tile, row-reduction partials, column accumulators,
//                outputs; then one packed row reduction
//       refill the stage
//       level 1: ... with the totals of level 0 known
//     store the column accumulators as this block's partial results
//
// Every thread copies to the ring what it will read itself, so that the ring
// needs no barrier: the only barriers are those of the row reductions.
//
//===----------------------------------------------------------------------===//

#include "../TileEvaluator.h"
#include "FusionDialect/IR/Combine.h"
#include "InnerOuter.h"
#include "KernelArguments.h"
#include "RowReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

namespace {

class MainKernel {
public:
  MainKernel(gpu::GPUFuncOp kernel, const InnerOuterMatch &match,
             InnerOuterScheduleAttr schedule, const KernelArguments &arguments,
             Location loc)
      : builder(OpBuilder::atBlockTerminator(&kernel.getBody().front())),
        loc(loc), graph(match.graph), footprint(match.footprint),
        schedule(schedule), arguments(arguments),
        evaluator(builder, match.graph, schedule.getWidth()) {}

  void emit();

private:
  //===--- set-up ---===//
  void emitPlace();
  void emitColumns();
  void emitShared();
  void emitParams();

  //===--- the ring ---===//
  void emitCopies(Value iteration, Value stage);
  void emitTileCopy(unsigned input, unsigned row, unsigned tile, Value stage,
                    Value rowIndex);

  //===--- one tile of rows ---===//
  void loadRowInputs(Value iteration, SmallVectorImpl<Value> &values);
  SmallVector<Value> emitIteration(Value iteration, ValueRange state,
                                   bool isPartial);
  SmallVector<Value> emitPartialTile(ValueRange state);
  void emitLevel(unsigned level);
  void emitTile(unsigned level, unsigned row, unsigned tile);
  void emitExchange(unsigned level);
  void emitRowOutputs(unsigned level);
  void emitEpilogue(ValueRange accumulators);
  void emitGroupSums(ValueRange accumulators);

  //===--- helpers ---===//
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value add(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value mul(Value a, int64_t b) {
    return b == 1 ? a : arith::MulIOp::create(builder, loc, a, index(b));
  }
  Value isLess(Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value constant(TypedAttr value) {
    return arith::ConstantOp::create(builder, loc, value);
  }
  /// The alignment, in bytes, that a tile of `element` has in memory.
  unsigned getAlignment(Type element) {
    return std::min<unsigned>(
        16, schedule.getWidth() * element.getIntOrFloatBitWidth() / 8);
  }
  Value loadTile(Value memref, ValueRange indices);
  void storeTile(Value tile, Value memref, ValueRange indices);
  /// Runs `body` if `condition` holds; always if it is null.
  void emitIf(Value condition, function_ref<void()> body);
  Value getBothValid(unsigned row, unsigned tile);
  Value getRowIndex(Value iteration, unsigned row);
  Value convert(Value value, Type element);
  Value loadLeaf(Value leaf, unsigned row, unsigned tile);
  Value evaluate(Value value, unsigned row, unsigned tile) {
    return evaluator.evaluate(value, row, tile,
                              [&](Value leaf, unsigned r, unsigned t) {
                                return loadLeaf(leaf, r, t);
                              });
  }
  /// True if the last tile has fewer rows than the others.
  bool hasPartialTile() const {
    return graph.getRows() % schedule.getRowsPerTile() != 0;
  }
  bool usesRing() const { return schedule.getLoader() == Loader::AsyncCopy; }
  unsigned getNumTiles() const { return schedule.getVectors(); }
  unsigned getNumRows() const { return schedule.getRows(); }

  OpBuilder builder;
  Location loc;
  const RowColumnGraph &graph;
  const Footprint &footprint;
  InnerOuterScheduleAttr schedule;
  const KernelArguments &arguments;
  TileEvaluator evaluator;

  ThreadPlace place;
  Value block;
  /// The number of iterations of this block, and of those with whole tiles.
  Value iterations, wholeIterations;
  /// By tile: the first column; clamped into the row; whether it is in the row
  /// (null if always).
  SmallVector<Value> columns, safeColumns, columnValid;
  /// Shared memory: by row-column input, param, row reduction.
  SmallVector<Value> ring, sharedParams, exchange;
  Value base;

  //===--- state of one iteration ---===//
  Value stage, parity;
  SmallVector<Value> rowIndices, safeRows, rowValid;
  /// By column reduction and tile: reduction * tiles + tile.
  SmallVector<Value> accumulators;
  /// By row reduction of the level and row, the running tile.
  DenseMap<std::pair<unsigned, unsigned>, Value> rowPartials;
  unsigned exchanges = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value MainKernel::loadTile(Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (schedule.getWidth() == 1)
    return memref::LoadOp::create(builder, loc, memref, indices);
  return vector::LoadOp::create(
      builder, loc, cast<VectorType>(evaluator.getTileType(element)), memref,
      indices, /*nontemporal=*/false, llvm::MaybeAlign(getAlignment(element)));
}

void MainKernel::storeTile(Value tile, Value memref, ValueRange indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  if (schedule.getWidth() == 1)
    memref::StoreOp::create(builder, loc, tile, memref, indices);
  else
    vector::StoreOp::create(builder, loc, tile, memref, indices,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(getAlignment(element)));
}

void MainKernel::emitIf(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto op = scf::IfOp::create(builder, loc, condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  body();
}

Value MainKernel::getBothValid(unsigned row, unsigned tile) {
  if (!rowValid[row] || !columnValid[tile])
    return rowValid[row] ? rowValid[row] : columnValid[tile];
  return arith::AndIOp::create(builder, loc, rowValid[row], columnValid[tile]);
}

/// Row `row` of this thread's group in tile `iteration` of this block.
Value MainKernel::getRowIndex(Value iteration, unsigned row) {
  Value tile = add(mul(iteration, schedule.getBlocks()), block);
  Value first = mul(tile, schedule.getRowsPerTile());
  if (schedule.getGroups() > 1)
    first = add(first, mul(place.group, getNumRows()));
  return row ? add(first, index(row)) : first;
}

/// `value`, a scalar or tile, in another float type.
Value MainKernel::convert(Value value, Type element) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = isa<VectorType>(value.getType())
                  ? evaluator.getTileType(element)
                  : element;
  if (from.getIntOrFloatBitWidth() < element.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value MainKernel::loadLeaf(Value leaf, unsigned row, unsigned tile) {
  Value argument = arguments.getInput(leaf);
  switch (graph.getSpace(leaf)) {
  case Space::Scalar:
    if (isa<MemRefType>(argument.getType()))
      return memref::LoadOp::create(builder, loc, argument);
    return argument;
  case Space::Column: {
    if (sharedParams.empty())
      return loadTile(argument, safeColumns[tile]);
    unsigned param = llvm::find(footprint.params, leaf) -
                     footprint.params.begin();
    return loadTile(sharedParams[param], columns[tile]);
  }
  case Space::RowColumn: {
    if (!usesRing())
      return loadTile(argument, {safeRows[row], safeColumns[tile]});
    unsigned input = llvm::find(footprint.rowColumnInputs, leaf) -
                     footprint.rowColumnInputs.begin();
    Value slot = index(row);
    if (schedule.getGroups() > 1)
      slot = add(mul(place.group, getNumRows()), slot);
    return loadTile(ring[input], {stage, slot, columns[tile]});
  }
  case Space::Row:
    break;
  }
  llvm_unreachable("row inputs are bound at the start of an iteration");
}

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
  auto space = gpu::AddressSpaceAttr::get(context,
                                          gpu::AddressSpace::Workgroup);
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
        warps <= 1 ? Value()
                   : Value(view(offset,
                                {2, schedule.getGroups(), getNumRows(), warps},
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
        builder, loc,
        nvgpu::DeviceAsyncTokenType::get(builder.getContext()), ring[input],
        ValueRange{toStage, slot, shift(columns[tile])}, source,
        ValueRange{rowIndex, shift(safeColumns[tile])},
        builder.getIndexAttr(chunk), Value(),
        chunk * bytes == 16 ? builder.getUnitAttr() : UnitAttr());
  }
}

/// Starts the copies of tile `iteration` into `toStage` if this block has such
/// a tile, and closes the group: groups are counted, so each iteration has one.
/// Commit and wait are NVVM's: nvgpu's commit of no tokens prints as text that
/// its parser does not take.
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
// One tile of rows
//===----------------------------------------------------------------------===//

void MainKernel::emitTile(unsigned level, unsigned row, unsigned tile) {
  for (auto [number, reduction] : llvm::enumerate(graph.getRowReductions())) {
    if (reduction.level != level)
      continue;
    Value value = convert(evaluate(reduction.operand, row, tile),
                          reduction.accumulatorType);
    if (columnValid[tile]) {
      Value neutral = evaluator.splat(
          loc, constant(getNeutralElement(reduction.kind,
                                          reduction.accumulatorType)));
      value = select(columnValid[tile], value, neutral);
    }
    Value &partial = rowPartials[{number, row}];
    partial = partial ? createCombine(builder, loc, reduction.kind, partial,
                                      value, reduction.fastmath)
                      : value;
  }
  for (auto [number, reduction] :
       llvm::enumerate(graph.getColumnReductions())) {
    if (reduction.level != level)
      continue;
    Value value = convert(evaluate(reduction.operand, row, tile),
                          reduction.accumulatorType);
    Value &accumulator = accumulators[number * getNumTiles() + tile];
    Value sum = createCombine(builder, loc, reduction.kind, accumulator, value,
                              reduction.fastmath);
    accumulator =
        rowValid[row] ? select(rowValid[row], sum, accumulator) : sum;
  }
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (graph.getSpace(output) != Space::RowColumn ||
        graph.getLevel(output) != level)
      continue;
    Value value = evaluate(output, row, tile);
    emitIf(getBothValid(row, tile), [&, buffer = buffer] {
      storeTile(value, buffer, {rowIndices[row], columns[tile]});
    });
  }
}

void MainKernel::emitRowOutputs(unsigned level) {
  for (auto [output, buffer] : arguments.getOutputs()) {
    if (graph.getSpace(output) != Space::Row ||
        graph.getLevel(output) != level)
      continue;
    for (unsigned row = 0; row < getNumRows(); ++row) {
      Value value = evaluate(output, row, 0);
      Value isFirst = isLess(place.threadOfGroup, index(1));
      if (rowValid[row])
        isFirst = arith::AndIOp::create(builder, loc, isFirst, rowValid[row]);
      emitIf(isFirst, [&, buffer = buffer] {
        memref::StoreOp::create(builder, loc, value, buffer, rowIndices[row]);
      });
    }
  }
}

/// One packed reduction of all row reductions of the level, for all rows.
void MainKernel::emitExchange(unsigned level) {
  SmallVector<PackedValue> values;
  SmallVector<std::pair<const RowColumnGraph::Reduction *, unsigned>> owners;
  for (auto [number, reduction] : llvm::enumerate(graph.getRowReductions())) {
    if (reduction.level != level)
      continue;
    for (unsigned row = 0; row < getNumRows(); ++row) {
      Value scalar = emitHorizontal(builder, loc, reduction.kind,
                                    reduction.fastmath,
                                    rowPartials[{number, row}]);
      values.push_back({reduction.kind, reduction.fastmath, scalar,
                        exchange.empty() ? Value() : exchange[number], row});
      owners.emplace_back(&reduction, row);
    }
  }
  // Two buffers are enough: a thread that writes one again has passed the
  // barrier that every reader of its former contents reached after reading.
  unsigned perIteration = graph.getNumLevels() - 1;
  Value buffer = index(exchanges % 2);
  if (perIteration % 2)
    buffer = exchanges % 2
                 ? arith::SubIOp::create(builder, loc, index(1), parity)
                       .getResult()
                 : parity;
  ++exchanges;
  SmallVector<Value> totals =
      emitRowReduction(builder, loc, place, values, buffer);
  for (auto [owner, total] : llvm::zip(owners, totals))
    evaluator.bind(owner.first->result, owner.second, 0,
                   convert(total, getElementTypeOrSelf(
                                      owner.first->result.getType())));
}

void MainKernel::emitLevel(unsigned level) {
  if (level && schedule.getKeep() == Residency::Shared) {
    evaluator.forget(Space::RowColumn);
    if (!sharedParams.empty())
      evaluator.forget(Space::Column);
  }
  emitRowOutputs(level);
  for (unsigned tile = 0; tile < getNumTiles(); ++tile)
    for (unsigned row = 0; row < getNumRows(); ++row)
      emitTile(level, row, tile);
}

/// Loads the row inputs of tile `iteration` and appends them to `values`. They
/// are loaded as many tiles ahead as the ring holds, so that their latency hides
/// behind the same work. After the last tile the last row is read once more.
void MainKernel::loadRowInputs(Value iteration,
                               SmallVectorImpl<Value> &values) {
  if (footprint.rowInputs.empty())
    return;
  for (unsigned row = 0; row < getNumRows(); ++row) {
    Value rowIndex =
        arith::MinUIOp::create(builder, loc, getRowIndex(iteration, row),
                               index(graph.getRows() - 1));
    for (Value input : footprint.rowInputs)
      values.push_back(memref::LoadOp::create(
          builder, loc, arguments.getInput(input), rowIndex));
  }
}

/// Emits the body of the loop over tiles. `state` holds the accumulators, the
/// row inputs of this tile and of the ones after it, the stage and the parity of
/// the exchange buffers; returns the next one. The tile of a partial iteration
/// has fewer rows than the schedule's.
SmallVector<Value> MainKernel::emitIteration(Value iteration, ValueRange state,
                                             bool isPartial) {
  TileEvaluator::Memo outer = evaluator.getMemo();
  unsigned numAccumulators =
      graph.getColumnReductions().size() * getNumTiles();
  accumulators.assign(state.begin(), state.begin() + numAccumulators);
  ValueRange rowInputs = state.drop_front(numAccumulators).drop_back(2);
  stage = state[state.size() - 2];
  parity = state.back();

  rowIndices.clear();
  safeRows.clear();
  rowValid.clear();
  for (unsigned row = 0; row < getNumRows(); ++row) {
    Value rowIndex = getRowIndex(iteration, row);
    rowIndices.push_back(rowIndex);
    rowValid.push_back(isPartial ? isLess(rowIndex, index(graph.getRows()))
                                : Value());
    safeRows.push_back(isPartial ? arith::MinUIOp::create(
                                      builder, loc, rowIndex,
                                      index(graph.getRows() - 1))
                                      .getResult()
                                : rowIndex);
  }
  for (unsigned row = 0; row < getNumRows(); ++row)
    for (auto [number, input] : llvm::enumerate(footprint.rowInputs))
      evaluator.bind(input, row, 0,
                     rowInputs[row * footprint.rowInputs.size() + number]);
  SmallVector<Value> nextRowInputs(
      rowInputs.drop_front(footprint.rowInputs.size() * getNumRows()));
  loadRowInputs(add(iteration, index(getRowDistance(schedule))),
                nextRowInputs);

  if (usesRing())
    NVVM::CpAsyncWaitGroupOp::create(builder, loc, schedule.getStages() - 1);
  auto refill = [&] {
    if (usesRing())
      emitCopies(add(iteration, index(schedule.getStages())), stage);
  };
  bool keepsRegisters = schedule.getKeep() == Residency::Registers;
  rowPartials.clear();
  exchanges = 0;
  for (unsigned level = 0; level < graph.getNumLevels(); ++level) {
    emitLevel(level);
    if (level == 0 && keepsRegisters) {
      // What only later levels use leaves the ring now as well.
      for (Value input : footprint.rowColumnInputs)
        for (unsigned row = 0; row < getNumRows(); ++row)
          for (unsigned tile = 0; tile < getNumTiles(); ++tile)
            evaluate(input, row, tile);
      refill();
    }
    if (level + 1 < graph.getNumLevels())
      emitExchange(level);
  }
  if (!keepsRegisters)
    refill();

  SmallVector<Value> yielded(accumulators);
  llvm::append_range(yielded, nextRowInputs);
  Value nextStage = add(stage, index(1));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      nextStage, index(schedule.getStages()));
  yielded.push_back(select(wraps, index(0), nextStage));
  yielded.push_back(arith::SubIOp::create(builder, loc, index(1), parity));
  evaluator.setMemo(std::move(outer));
  return yielded;
}

/// The one tile with fewer rows, in the block that has it: apart from the loop,
/// so that whole tiles need no masks.
SmallVector<Value> MainKernel::emitPartialTile(ValueRange state) {
  auto op = scf::IfOp::create(builder, loc, state.getTypes(),
                              isLess(wholeIterations, iterations),
                              /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(op.thenBlock());
  scf::YieldOp::create(builder, loc,
                       emitIteration(wholeIterations, state,
                                     /*isPartial=*/true));
  builder.setInsertionPointToStart(op.elseBlock());
  scf::YieldOp::create(builder, loc, state);
  return llvm::to_vector_of<Value>(op.getResults());
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
  emitEpilogue(ValueRange(state).take_front(
      graph.getColumnReductions().size() * getNumTiles()));
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
  gpu::GPUFuncOp kernel =
      arguments.createKernel("rows", schedule.getThreads());
  MainKernel(kernel, match, schedule, arguments, loc).emit();
  arguments.launch({schedule.getBlocks(), schedule.getThreads(),
                    schedule.getSharedBytes()});
}
