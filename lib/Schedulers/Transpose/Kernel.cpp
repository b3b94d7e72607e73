//===- Kernel.cpp - The transpose kernel ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One square tile of each turned input, r along its contiguous loop, w along
// that of the results:
//
//     read    thread (w unit, r unit): `width` rows of `width` elements along
//     r,
//             turned in registers, to shared memory as rows along w
//     barrier
//     write   thread (r, w access): elements along w from shared memory; the
//             other inputs, the operations, the results
//
// Shared memory holds [r][w units], where unit u of row r stands at place
// u ^ (r / width) % 8: eight threads next to one another, which write rows that
// are `width` apart or read units that follow one another, touch all banks.
//
// Reads beyond an edge are moved back to it; what they turn is never written.
//
//===----------------------------------------------------------------------===//

#include "../KernelBuffers.h"
#include "../PointAccess.h"
#include "../TileEvaluator.h"
#include "../Traffic.h"
#include "Transpose.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::transpose;

namespace {

class Kernel : private TileBuilder {
public:
  Kernel(gpu::GPUFuncOp kernel, const TransposeMatch &match,
         TransposeScheduleAttr schedule, const KernelBuffers &buffers,
         Location loc)
      : TileBuilder(OpBuilder::atBlockTerminator(&kernel.getBody().front()),
                    loc, schedule.getWidth()),
        match(match), space(match.space), schedule(schedule), buffers(buffers),
        indexer(builder, loc, space) {}

  void emit();

private:
  void emitPlace();
  void emitShared();
  void emitRead(Value square);
  SmallVector<SmallVector<Value>> loadSquare(Value input, Value firstWrite,
                                             Value firstRead);
  void emitWrites(Value access, unsigned count);
  Value swizzle(Value row, Value unit);

  /// `value`, or the last place where `width` elements still end at `extent`.
  Value clamp(Value value, int64_t extent, unsigned width) {
    return extent % schedule.getTile() ? minimum(value, extent - width) : value;
  }
  Value divide(Value a, int64_t b) {
    return arith::DivUIOp::create(builder, loc, a, index(b));
  }
  Value remainder(Value a, int64_t b) {
    return arith::RemUIOp::create(builder, loc, a, index(b));
  }

  const TransposeMatch &match;
  const IterationSpace &space;
  TransposeScheduleAttr schedule;
  const KernelBuffers &buffers;
  SpaceIndexer indexer;
  Value thread;
  /// The first element of the block's tile, and the iteration of the others.
  Value tileRead, tileWrite, batch;
  /// By turned input: memref<tile x tile x T>, i8 for i1.
  SmallVector<Value> shared;
};

} // namespace

/// Blocks that follow one another are neighbours along the write loop, then
/// along the read loop.
void Kernel::emitPlace() {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  int64_t writeTiles = countWriteTiles(match, schedule.getTile());
  int64_t readTiles = countReadTiles(match, schedule.getTile());
  Value rest = divide(block, writeTiles);
  tileWrite = mul(remainder(block, writeTiles), schedule.getTile());
  tileRead = mul(remainder(rest, readTiles), schedule.getTile());
  batch = divide(rest, readTiles);
}

void Kernel::emitShared() {
  auto addressSpace = gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(),
                               MemRefLayoutAttrInterface(), addressSpace);
  Value base = gpu::DynamicSharedMemoryOp::create(builder, loc, bytes);
  int64_t tile = schedule.getTile(), offset = 0;
  for (Value input : match.turned) {
    Type element = getElementTypeOrSelf(input.getType());
    if (element.isInteger(1))
      element = builder.getI8Type();
    auto type = MemRefType::get({tile, tile}, element,
                                MemRefLayoutAttrInterface(), addressSpace);
    shared.push_back(memref::ViewOp::create(builder, loc, type, base,
                                            index(offset), ValueRange()));
    offset += tile * tile * getElementBytes(element);
  }
}

/// The first element of `unit` of row `row` in shared memory.
Value Kernel::swizzle(Value row, Value unit) {
  Value place = remainder(divide(row, schedule.getWidth()), 8);
  return mul(arith::XOrIOp::create(builder, loc, unit, place),
             schedule.getWidth());
}

/// The elements [write][read] of a square in registers.
SmallVector<SmallVector<Value>>
Kernel::loadSquare(Value input, Value firstWrite, Value firstRead) {
  unsigned width = schedule.getWidth(), readWidth = schedule.getReadWidth();
  TileBuilder reads(builder, loc, readWidth);
  ArrayRef<int64_t> strides = space.getStrides(input);
  Value batchOffset = indexer.getOffset(input, match.getBatchSet(), batch);
  // All loads come before the first use, so that they are in flight together.
  SmallVector<SmallVector<Value>> loaded(width);
  for (unsigned i = 0; i < width; ++i) {
    Value write = clamp(add(firstWrite, index(i)), match.getWriteExtent(), 1);
    Value row = indexer.add(batchOffset, mul(write, strides[match.writeLoop]));
    for (unsigned j = 0; j < width; j += readWidth) {
      Value read = clamp(j ? add(firstRead, index(j)) : firstRead,
                         match.getReadExtent(), readWidth);
      loaded[i].push_back(
          reads.loadTile(buffers.getInput(input), add(row, read)));
    }
  }
  SmallVector<SmallVector<Value>> elements(width);
  for (unsigned i = 0; i < width; ++i)
    for (Value tile : loaded[i]) {
      if (getElementTypeOrSelf(tile.getType()).isInteger(1))
        tile = arith::ExtUIOp::create(
            builder, loc, getTileType(builder.getI8Type(), readWidth), tile);
      for (unsigned j = 0; j < readWidth; ++j)
        elements[i].push_back(
            readWidth == 1
                ? tile
                : vector::ExtractOp::create(builder, loc, tile, j).getResult());
    }
  return elements;
}

/// Reads one square of each turned input, and writes it to shared memory
/// turned.
void Kernel::emitRead(Value square) {
  unsigned width = schedule.getWidth();
  int64_t units = schedule.getTile() / width;
  // Neighbours read along the contiguous loop of the inputs.
  Value readUnit = remainder(square, units), writeUnit = divide(square, units);
  Value localRead = mul(readUnit, width);
  for (auto [input, buffer] : llvm::zip(match.turned, shared)) {
    auto elements = loadSquare(input, add(tileWrite, mul(writeUnit, width)),
                               add(tileRead, localRead));
    for (unsigned j = 0; j < width; ++j) {
      SmallVector<Value> turned;
      for (unsigned i = 0; i < width; ++i)
        turned.push_back(elements[i][j]);
      Type element = turned.front().getType();
      Value tile = vector::FromElementsOp::create(
          builder, loc, cast<VectorType>(getTileType(element, width)), turned);
      Value row = j ? add(localRead, index(j)) : localRead;
      storeTile(tile, buffer, {row, swizzle(row, writeUnit)});
    }
  }
}

/// Computes and stores the accesses number access, access + threads, ... of the
/// tile, `count` of them.
void Kernel::emitWrites(Value access, unsigned count) {
  const Candidate &candidate = space.getCandidate();
  unsigned writeWidth = schedule.getWriteWidth();
  int64_t perRow = schedule.getTile() / writeWidth;
  PointAccess points(builder, loc, space, match.getWriteSet(), writeWidth);
  TileEvaluator evaluator(
      builder, candidate, [&](Value value) { return points.getSpace(value); },
      writeWidth);
  TileBuilder writes(builder, loc, writeWidth);
  for (unsigned number = 0; number < count; ++number) {
    Value id = number
                   ? add(access, index(int64_t(number) * schedule.getThreads()))
                   : access;
    Value row = divide(id, perRow);
    Value column = mul(remainder(id, perRow), writeWidth);
    Value unit = divide(column, schedule.getWidth());
    Value place =
        add(swizzle(row, unit), remainder(column, schedule.getWidth()));
    Value read = add(tileRead, row), write = add(tileWrite, column);
    Value exists;
    if (match.getReadExtent() % schedule.getTile())
      exists = isLess(read, index(match.getReadExtent()));
    if (match.getWriteExtent() % schedule.getTile())
      exists = both(exists, isLess(write, index(match.getWriteExtent())));
    std::pair<LoopSet, Value> indices[] = {
        {match.getWriteSet(), clamp(write, match.getWriteExtent(), writeWidth)},
        {match.getReadSet(), clamp(read, match.getReadExtent(), 1)},
        {match.getBatchSet(), batch}};
    for (auto [input, buffer] : llvm::zip(match.turned, shared)) {
      Value tile = writes.loadTile(buffer, {row, place});
      Type element = getElementTypeOrSelf(input.getType());
      if (element.isInteger(1))
        tile = arith::TruncIOp::create(builder, loc,
                                       getTileType(element, writeWidth), tile);
      evaluator.bind(input, number, number, tile);
    }
    for (auto [output, value] : llvm::enumerate(candidate.outputs)) {
      Value tile = evaluator.evaluate(
          value, number, number, [&](Value leaf, unsigned, unsigned) {
            return points.load(leaf, buffers.getInput(leaf), indices);
          });
      points.store(value, tile, buffers.getOutput(output), indices, exists);
    }
  }
}

void Kernel::emit() {
  emitPlace();
  emitShared();
  int64_t tile = schedule.getTile(), width = schedule.getWidth();
  int64_t threads = schedule.getThreads();
  for (int64_t first = 0; first < tile / width * (tile / width);
       first += threads)
    emitRead(first ? add(thread, index(first)) : thread);
  gpu::BarrierOp::create(builder, loc);
  int64_t accesses = tile * tile / schedule.getWriteWidth();
  int64_t step = std::min(width * threads, accesses);
  if (step == accesses)
    return emitWrites(thread, width);
  auto loop =
      scf::ForOp::create(builder, loc, index(0), index(accesses), index(step));
  builder.setInsertionPointToStart(loop.getBody());
  emitWrites(add(loop.getInductionVar(), thread), width);
}

void transpose::emitKernel(SegmentLowering &lowering,
                           const TransposeMatch &match,
                           TransposeScheduleAttr schedule, unsigned occupancy,
                           Location loc) {
  const Candidate &candidate = match.space.getCandidate();
  KernelBuffers buffers(lowering, match.space);
  for (Value input : candidate.inputs)
    buffers.addInput(input);
  for (unsigned output = 0; output < candidate.outputs.size(); ++output)
    buffers.addOutput(output);
  gpu::GPUFuncOp kernel =
      buffers.createKernel("tiles", schedule.getThreads(), occupancy);
  Kernel(kernel, match, schedule, buffers, loc).emit();
  LaunchSize size{schedule.getBlocks(), schedule.getThreads(),
                  schedule.getSharedBytes()};
  if (Loop batch = match.getBatchLoop(); batch.isDynamic())
    size.dynamicBlocks = buffers.createBlockCount(
        batch.extent * countReadTiles(match, schedule.getTile()) *
            countWriteTiles(match, schedule.getTile()),
        /*perBlock=*/1);
  buffers.launch(size);
}
