//===- GroupSums.cpp - The accumulators of a block's groups ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After its rows every group of a block has accumulators of all columns. They
// meet in shared memory, as pieces of up to 16 bytes: there all threads of the
// block share the columns anew, and each adds the groups in their order.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "MainKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::innerouter;

/// Pieces have at most this many bytes: one access of a thread.
static constexpr unsigned pieceBytes = 16;
/// Accesses of so many threads together reach every bank of shared memory once.
static constexpr unsigned threadsPerWavefront = 8;

namespace {

/// The accumulators of one column reduction in shared memory, from byte
/// `offset` on: [group, piece of columns].
class GroupArea {
public:
  GroupArea(KernelContext &kernel, const RowColumnGraph::Reduction &reduction,
            uint64_t offset)
      : kernel(kernel), reduction(reduction),
        pieceWidth(std::min(kernel.schedule.getWidth(),
                            pieceBytes / getElementBytes())),
        area(kernel.view(offset, {kernel.schedule.getGroups(), getColumns()},
                         reduction.accumulatorType)) {}

  unsigned getElementBytes() const {
    return reduction.accumulatorType.getIntOrFloatBitWidth() / 8;
  }
  uint64_t getBytes() const {
    return uint64_t(kernel.schedule.getGroups()) * getColumns() *
           getElementBytes();
  }
  unsigned getPieceWidth() const { return pieceWidth; }
  int64_t getNumPieces() const { return getColumns() / pieceWidth; }

  /// Stores the vector of this thread's group that begins at `column`.
  void store(Value sums, Value column);
  /// The sum over the groups of piece `number`.
  Value add(Value number);

private:
  int64_t getColumns() const { return getPaddedColumns(kernel.schedule); }
  TileBuilder getBuilder() const {
    return {kernel.builder, kernel.loc, pieceWidth};
  }
  Value getExchange(Value number);

  KernelContext &kernel;
  const RowColumnGraph::Reduction &reduction;
  unsigned pieceWidth;
  Value area;
};

} // namespace

/// How the pieces of one vector change places: piece i stands where piece
/// i ^ getExchange(n) would, n being the number of any of them. A thread stores
/// the pieces of its vector one after the other; at their own places, threads
/// side by side would reach every second bank only (or fewer). Exchanged from
/// wavefront to wavefront, both these stores and loads of pieces side by side
/// reach all banks. Null if they stay.
Value GroupArea::getExchange(Value number) {
  unsigned pieces = kernel.schedule.getWidth() / pieceWidth;
  // A vector's number of wavefronts must not depend on its tile.
  if (pieces == 1 ||
      kernel.schedule.getThreadsPerRow() % threadsPerWavefront != 0)
    return {};
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  Value wavefront = arith::DivUIOp::create(builder, loc, number,
                                           kernel.index(threadsPerWavefront));
  return arith::AndIOp::create(builder, loc, wavefront,
                               kernel.index(pieces - 1));
}

void GroupArea::store(Value sums, Value column) {
  unsigned pieces = kernel.schedule.getWidth() / pieceWidth;
  if (pieces == 1)
    return getBuilder().storeTile(sums, area, {kernel.place.group, column});
  OpBuilder &builder = kernel.builder;
  Location loc = kernel.loc;
  // That of the thread's first vector is the same, and known once.
  Value exchange = getExchange(kernel.mul(kernel.place.threadOfGroup, pieces));
  for (unsigned i = 0; i < pieces; ++i) {
    auto columns = llvm::to_vector(
        llvm::seq<int64_t>(i * pieceWidth, (i + 1) * pieceWidth));
    Value piece = vector::ShuffleOp::create(builder, loc, sums, sums, columns);
    Value place = kernel.index(i);
    if (exchange)
      place = arith::XOrIOp::create(builder, loc, place, exchange);
    place = kernel.add(column, kernel.mul(place, pieceWidth));
    getBuilder().storeTile(piece, area, {kernel.place.group, place});
  }
}

Value GroupArea::add(Value number) {
  Value sum;
  if (Value exchange = getExchange(number))
    number =
        arith::XOrIOp::create(kernel.builder, kernel.loc, number, exchange);
  Value place = kernel.mul(number, pieceWidth);
  for (unsigned group = 0; group < kernel.schedule.getGroups(); ++group) {
    Value piece = getBuilder().loadTile(area, {kernel.index(group), place});
    sum = group ? createCombine(kernel.builder, kernel.loc, reduction.kind, sum,
                                piece, reduction.fastmath)
                : piece;
  }
  return sum;
}

void MainKernel::emitGroupSums(ValueRange sums) {
  SmallVector<GroupArea> areas;
  uint64_t offset = 0;
  for (const auto &reduction : graph.getColumnReductions()) {
    areas.push_back(GroupArea(*this, reduction, offset));
    offset += areas.back().getBytes();
  }
  // Other groups may still read what stands here.
  gpu::BarrierOp::create(builder, loc);
  for (auto [number, area] : llvm::enumerate(areas))
    for (unsigned tile = 0; tile < getNumTiles(); ++tile)
      area.store(sums[number * getNumTiles() + tile], columns[tile]);
  gpu::BarrierOp::create(builder, loc);
  bool isRagged =
      llvm::any_of(columnValid, [](Value valid) { return !!valid; });
  for (auto [number, area] : llvm::enumerate(areas))
    for (int64_t first = 0; first < area.getNumPieces();
         first += schedule.getThreads()) {
      Value piece =
          first ? TileBuilder::add(place.thread, index(first)) : place.thread;
      Value column = mul(piece, area.getPieceWidth());
      bool exist = first + schedule.getThreads() <= area.getNumPieces();
      Value valid;
      if (isRagged || !exist)
        valid = isLess(column, blockColumns);
      emitIf(valid, [&, number = number, &area = area] {
        TileBuilder(builder, loc, area.getPieceWidth())
            .storeTile(area.add(piece), arguments.getPartial(number),
                       {cluster, globalColumn(column)});
      });
    }
}
