//===- RowLoader.cpp - How rows reach the threads -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowLoader.h"
#include "../SharedBarrier.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

RowLoader::~RowLoader() = default;

static unsigned getElementBytes(Value tensorOrMemRef) {
  return fusion::getElementBytes(
      getElementTypeOrSelf(tensorOrMemRef.getType()));
}

namespace {

/// Loads each vector when it is needed.
class DirectLoader final : public RowLoader {
public:
  using RowLoader::RowLoader;

  Value load(unsigned input, unsigned row, unsigned tile) override {
    Value argument =
        kernel.arguments.getInput(kernel.footprint.rowColumnInputs[input]);
    return kernel.loadTile(
        argument,
        {kernel.safeRows[row], kernel.globalColumn(kernel.safeColumns[tile])});
  }
};

/// What both rings share: the stages and which one is next.
class Ring : public RowLoader {
public:
  explicit Ring(KernelContext &kernel) : RowLoader(kernel) {
    int64_t ringColumns =
        getRingColumns(kernel.graph, kernel.footprint, kernel.schedule);
    for (auto [input, offset] :
         llvm::zip(kernel.footprint.rowColumnInputs, kernel.layout.ring))
      areas.push_back(kernel.view(
          offset,
          {getNumStages(), kernel.schedule.getRowsPerTile(), ringColumns},
          getElementTypeOrSelf(input.getType())));
  }

  SmallVector<Value> getInitialState() override { return {kernel.index(0)}; }
  void setState(ValueRange state) override { stage = state[0]; }
  SmallVector<Value> getNextState() override {
    Value next = kernel.add(stage, kernel.index(1));
    wraps = arith::CmpIOp::create(kernel.builder, kernel.loc,
                                  arith::CmpIPredicate::eq, next,
                                  kernel.index(getNumStages()));
    return {kernel.select(wraps, kernel.index(0), next)};
  }

protected:
  unsigned getNumStages() const { return kernel.schedule.getStages(); }
  /// The vector at `column` of `row` of the group in the stage in work.
  Value loadArea(unsigned input, unsigned row, Value column) {
    return kernel.loadShared(
        areas[input], {stage, kernel.getTileRow(row), column},
        getElementTypeOrSelf(kernel.footprint.rowColumnInputs[input]));
  }
  /// The tile that takes the stage of tile `iteration` after it.
  Value getSuccessor(Value iteration) {
    return kernel.add(iteration, kernel.index(getNumStages()));
  }

  /// Shared memory by row-column input: [stage, row of the tile, column].
  SmallVector<Value> areas;
  /// The stage of the tile in work; whether the next tile's stage is 0 again.
  Value stage, wraps;
};

/// Every thread copies what it will read itself: waiting for its own copies is
/// enough, and the ring needs no barrier.
class AsyncCopyRing final : public Ring {
public:
  using Ring::Ring;

  void emitFirstCopies() override {
    for (unsigned i = 0; i < getNumStages(); ++i)
      emitCopies(kernel.index(i), kernel.index(i));
  }
  void emitWait(Value iteration) override {
    NVVM::CpAsyncWaitGroupOp::create(kernel.builder, kernel.loc,
                                     getNumStages() - 1);
  }
  Value load(unsigned input, unsigned row, unsigned tile) override {
    return loadArea(input, row, kernel.columns[tile]);
  }
  void emitThreadDone(Value iteration) override {
    emitCopies(getSuccessor(iteration), stage);
  }

private:
  void emitCopies(Value iteration, Value toStage);
  void emitTileCopy(unsigned input, unsigned row, unsigned tile, Value toStage,
                    Value rowIndex);
};

/// The first thread of a group copies whole rows; a barrier for each stage
/// counts the bytes that have arrived.
class BulkCopyRing final : public Ring {
public:
  using Ring::Ring;

  void emitSetUp() override;
  void emitFirstCopies() override;
  void emitWait(Value iteration) override;
  Value load(unsigned input, unsigned row, unsigned tile) override {
    return loadArea(input, row, kernel.safeColumns[tile]);
  }
  bool needsGroupDone() const override { return true; }
  void emitGroupDone(Value iteration) override {
    Value next = getSuccessor(iteration);
    Value exists = kernel.isLess(next, kernel.iterations);
    kernel.emitIf(kernel.both(place().isLeader, exists),
                  [&] { emitCopies(next, stage); });
  }

  SmallVector<Value> getInitialState() override {
    SmallVector<Value> state = Ring::getInitialState();
    state.push_back(kernel.index(0));
    return state;
  }
  void setState(ValueRange state) override {
    Ring::setState(state);
    phase = state[1];
  }
  /// A stage is filled once a turn of the ring.
  SmallVector<Value> getNextState() override {
    SmallVector<Value> state = Ring::getNextState();
    Value other = arith::SubIOp::create(kernel.builder, kernel.loc,
                                        kernel.index(1), phase);
    state.push_back(kernel.select(wraps, other, phase));
    return state;
  }

private:
  const Place &place() const { return kernel.place; }
  /// The barrier of stage `ofStage` of `group`, an index.
  Value getBarrier(Value ofStage, Value group);
  Value getBarrier(Value ofStage) { return getBarrier(ofStage, place().group); }
  void emitCopies(Value iteration, Value toStage);
  void emitRowCopy(unsigned input, unsigned row, Value toStage, Value rowIndex,
                   Value barrier);

  /// The parity of the phase in which the stage in work is filled.
  Value phase;
};

} // namespace

//===----------------------------------------------------------------------===//
// Private copies
//===----------------------------------------------------------------------===//

void AsyncCopyRing::emitTileCopy(unsigned input, unsigned row, unsigned tile,
                                 Value toStage, Value rowIndex) {
  Value source =
      kernel.arguments.getInput(kernel.footprint.rowColumnInputs[input]);
  OpBuilder &builder = kernel.builder;
  unsigned bytes = getElementBytes(source);
  unsigned width = kernel.schedule.getWidth();
  unsigned chunk = std::min(width, 16 / bytes);
  Value slot = kernel.getTileRow(row);
  Value from = kernel.globalColumn(kernel.safeColumns[tile]);
  for (unsigned offset = 0; offset < width; offset += chunk) {
    auto shift = [&](Value column) {
      return offset ? kernel.add(column, kernel.index(offset)) : column;
    };
    // L1 would only hold what is never read again; 16 bytes can bypass it.
    nvgpu::DeviceAsyncCopyOp::create(
        builder, kernel.loc,
        nvgpu::DeviceAsyncTokenType::get(builder.getContext()), areas[input],
        ValueRange{toStage, slot, shift(kernel.columns[tile])}, source,
        ValueRange{rowIndex, shift(from)}, builder.getIndexAttr(chunk), Value(),
        chunk * bytes == 16 ? builder.getUnitAttr() : UnitAttr());
  }
}

/// Starts the copies of tile `iteration` into `toStage` if there is such a
/// tile, and closes the group: groups are counted, so each iteration has one.
/// (The group operations of nvgpu give tokens, and without one among their
/// operands their syntax is ambiguous.)
void AsyncCopyRing::emitCopies(Value iteration, Value toStage) {
  kernel.emitIf(kernel.isLess(iteration, kernel.iterations), [&] {
    for (unsigned row = 0; row < kernel.getNumRows(); ++row) {
      Value rowIndex = kernel.getRowIndex(iteration, row);
      if (kernel.hasPartialTile())
        rowIndex = kernel.clampRow(rowIndex);
      for (unsigned input = 0; input < areas.size(); ++input)
        for (unsigned tile = 0; tile < kernel.getNumTiles(); ++tile)
          emitTileCopy(input, row, tile, toStage, rowIndex);
    }
  });
  NVVM::CpAsyncCommitGroupOp::create(kernel.builder, kernel.loc);
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

Value BulkCopyRing::getBarrier(Value ofStage, Value group) {
  Value offset = kernel.mul(ofStage, barrierBytes);
  offset = kernel.add(offset, kernel.index(kernel.layout.ringBarriers));
  if (kernel.schedule.getGroups() > 1)
    offset =
        kernel.add(offset, kernel.mul(group, getNumStages() * barrierBytes));
  return kernel.sharedPointer(offset);
}

/// The wait is a loop that a warp leaves as one (upstream emits `bra.uni`), so
/// that each thread waits for all groups of its warp.
void BulkCopyRing::emitWait(Value iteration) {
  unsigned perRow = kernel.schedule.getThreadsPerRow();
  if (perRow >= warpSize)
    return kernel.emitBarrierWait(getBarrier(stage), phase);
  unsigned perWarp = std::min(warpSize / perRow, kernel.schedule.getGroups());
  Value warp = arith::DivUIOp::create(kernel.builder, kernel.loc, place().group,
                                      kernel.index(perWarp));
  Value first = kernel.mul(warp, perWarp);
  for (unsigned i = 0; i < perWarp; ++i)
    kernel.emitBarrierWait(
        getBarrier(stage, kernel.add(first, kernel.index(i))), phase);
}

void BulkCopyRing::emitSetUp() {
  kernel.emitIf(place().isLeader, [&] {
    for (unsigned i = 0; i < getNumStages(); ++i)
      emitBarrierInit(kernel.builder, kernel.loc, getBarrier(kernel.index(i)));
    kernel.emitBarrierFence();
  });
}

void BulkCopyRing::emitFirstCopies() {
  for (unsigned i = 0; i < getNumStages(); ++i) {
    Value exists = kernel.isLess(kernel.index(i), kernel.iterations);
    kernel.emitIf(kernel.both(place().isLeader, exists),
                  [&] { emitCopies(kernel.index(i), kernel.index(i)); });
  }
}

/// Copies this block's columns of a row.
void BulkCopyRing::emitRowCopy(unsigned input, unsigned row, Value toStage,
                               Value rowIndex, Value barrier) {
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Value source =
      kernel.arguments.getInput(kernel.footprint.rowColumnInputs[input]);
  unsigned bytes = getElementBytes(source);
  int64_t columns =
      getRingColumns(kernel.graph, kernel.footprint, kernel.schedule);

  Value slot = kernel.add(kernel.mul(toStage, kernel.schedule.getRowsPerTile()),
                          kernel.getTileRow(row));
  Value target = kernel.add(kernel.mul(slot, columns * bytes),
                            kernel.index(kernel.layout.ring[input]));

  Value element = kernel.mul(rowIndex, kernel.graph.getColumns());
  if (kernel.firstColumn)
    element = kernel.add(element, kernel.firstColumn);
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, source);
  address = kernel.add(address, kernel.mul(element, bytes));
  address =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  MLIRContext *context = builder.getContext();
  Value pointer = LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(context), address);
  pointer = LLVM::AddrSpaceCastOp::create(
      builder, loc,
      LLVM::LLVMPointerType::get(context,
                                 unsigned(NVVM::NVVMMemorySpace::Global)),
      pointer);
  Value size =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                 kernel.mul(kernel.blockColumns, bytes));
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
      builder, loc, kernel.clusterPointer(kernel.sharedPointer(target)),
      pointer, barrier, size, /*multicastMask=*/Value(),
      /*l2CacheHint=*/Value());
}

/// Copies the group's rows of tile `iteration`, which exists, into `toStage`.
void BulkCopyRing::emitCopies(Value iteration, Value toStage) {
  unsigned rowBytes = 0;
  for (Value input : kernel.footprint.rowColumnInputs)
    rowBytes += getElementBytes(input);
  Value barrier = getBarrier(toStage);
  Value expected = arith::IndexCastOp::create(
      kernel.builder, kernel.loc, kernel.builder.getI32Type(),
      kernel.mul(kernel.blockColumns, rowBytes * kernel.getNumRows()));
  emitBarrierExpect(kernel.builder, kernel.loc, barrier, expected);
  for (unsigned row = 0; row < kernel.getNumRows(); ++row) {
    Value rowIndex = kernel.getRowIndex(iteration, row);
    if (kernel.hasPartialTile())
      rowIndex = kernel.clampRow(rowIndex);
    for (unsigned input = 0; input < areas.size(); ++input)
      emitRowCopy(input, row, toStage, rowIndex, barrier);
  }
}

std::unique_ptr<RowLoader> RowLoader::create(KernelContext &kernel) {
  switch (kernel.schedule.getLoader()) {
  case Loader::Direct:
    return std::make_unique<DirectLoader>(kernel);
  case Loader::AsyncCopy:
    return std::make_unique<AsyncCopyRing>(kernel);
  case Loader::BulkCopy:
    return std::make_unique<BulkCopyRing>(kernel);
  }
  llvm_unreachable("unknown loader");
}
