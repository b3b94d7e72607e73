//===- Footprint.cpp - What a row kernel reads, keeps and writes ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Footprint.h"
#include "../PointAccess.h"
#include "../RowReduction.h"
#include "../SharedBarrier.h"
#include "../TileEvaluator.h"
#include "../Traffic.h"
#include "Rows.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::rows;

namespace {

class FootprintBuilder {
public:
  explicit FootprintBuilder(const RowGraph &graph) : graph(graph) {}

  Footprint run();

private:
  void addInputs();
  void addOutputs();
  void addWork();
  void addOperations();
  void addKept();
  uint64_t getRowBytes(Value value) const {
    return graph.getColumnSpaces()[graph.getColumnSpace(value)].extent *
           getElementBytes(value.getType());
  }

  const RowGraph &graph;
  Footprint footprint;
};

} // namespace

void FootprintBuilder::addInputs() {
  for (Value input : graph.getCandidate().inputs) {
    footprint.inputBytes += getStoredBytes(input);
    Space space = graph.getSpace(input);
    if (space == Space::Row)
      footprint.rowInputs.push_back(input);
    if (!hasColumns(space))
      continue;
    if (!graph.isStreamed(input)) {
      footprint.params.push_back(input);
      footprint.paramBytesPerRow += getRowBytes(input);
      continue;
    }
    unsigned bytes = getElementBytes(input.getType());
    footprint.streamed.push_back(input);
    footprint.rowInputBytes += getRowBytes(input);
    footprint.loadedBytes[graph.getColumnSpace(input)] += bytes;
    footprint.minElementBytes = std::min(footprint.minElementBytes, bytes);
  }
}

void FootprintBuilder::addOutputs() {
  for (Value output : graph.getCandidate().outputs) {
    footprint.outputBytes += getStoredBytes(output);
    if (!hasColumns(graph.getSpace(output)))
      continue;
    ++footprint.operationsPerColumn[graph.getColumnSpace(output)];
    if (!graph.isStreamed(output))
      continue;
    footprint.rowOutputBytes += getRowBytes(output);
    footprint.minElementBytes =
        std::min(footprint.minElementBytes, getElementBytes(output.getType()));
  }
}

void FootprintBuilder::addWork() {
  size_t numSpaces = graph.getColumnSpaces().size();
  SmallVector<unsigned> levels(numSpaces, 0);
  SmallVector<SmallVector<Value>> roots = graph.getWork(),
                                  leaves = graph.getLeaves(roots);
  for (unsigned level = 0; level < graph.getNumLevels(); ++level)
    for (unsigned columns = 0; columns < numSpaces; ++columns) {
      size_t number = level * numSpaces + columns;
      if (roots[number].empty())
        continue;
      ColumnWork work{level, columns, {}, {}};
      unsigned bytes = 0;
      for (Value leaf : leaves[number]) {
        if (!hasColumns(graph.getSpace(leaf)))
          continue;
        if (graph.isStreamed(leaf)) {
          work.streamed.push_back(leaf);
          footprint.passInputBytes += getRowBytes(leaf);
          continue;
        }
        work.params.push_back(leaf);
        bytes += getElementBytes(leaf.getType());
      }
      footprint.paramBytes[columns] =
          std::max(footprint.paramBytes[columns], bytes);
      footprint.isPersistent |= ++levels[columns] > 1;
      footprint.work.push_back(std::move(work));
    }
}

void FootprintBuilder::addOperations() {
  for (Value input : footprint.streamed)
    ++footprint.operationsPerColumn[graph.getColumnSpace(input)];
  for (Operation *op : graph.getCandidate().operations) {
    Value result = op->getResult(0);
    if (hasColumns(graph.getSpace(result)))
      footprint.operationsPerColumn[graph.getColumnSpace(result)] +=
          countInstructions(op);
  }
  for (const RowGraph::Reduction &reduction : graph.getReductions()) {
    footprint.accumulatorTypes.push_back(
        ReduceOp(reduction.operation).getAccumulatorType());
    unsigned &operations = footprint.operationsPerColumn[reduction.columns];
    ++operations;
    if (!reduction.isSpanned())
      continue;
    // For each tile, shuffles and combinations, or accesses to slots.
    unsigned width = chooseWidth(graph);
    uint64_t lanes = reduction.getLanes(width);
    uint64_t steps = reduction.waits
                         ? lanes / std::gcd(lanes, uint64_t(warpSize))
                         : llvm::Log2_64(lanes);
    operations += llvm::divideCeil(2 * steps, uint64_t(width));
  }
}

/// A value is evaluated at the first level that needs it, and waits for the
/// last one. Streamed inputs wait from the start.
void FootprintBuilder::addKept() {
  const Candidate &candidate = graph.getCandidate();
  DenseMap<Value, LiveRange> ranges = findLiveRanges(
      candidate, [&](Value value) { return graph.getLevel(value); },
      isPassThrough, Evaluation::Late);
  size_t numSpaces = graph.getColumnSpaces().size();
  SmallVector<unsigned> bytes(numSpaces * graph.getNumLevels(), 0);
  auto add = [&](Value value, unsigned level) {
    for (; level < ranges.lookup(value).last; ++level)
      bytes[level * numSpaces + graph.getColumnSpace(value)] +=
          getElementBytes(value.getType());
  };
  for (Value input : footprint.streamed)
    add(input, 0);
  for (Operation *op : candidate.operations) {
    Value result = op->getResult(0);
    if (graph.getSpace(result) == Space::RowColumn && !isPassThrough(op))
      add(result, ranges.lookup(result).first);
  }
  for (unsigned index = 0; index < bytes.size(); ++index) {
    unsigned &kept = footprint.keptBytes[index % numSpaces];
    kept = std::max(kept, bytes[index]);
  }
}

Footprint FootprintBuilder::run() {
  size_t numSpaces = graph.getColumnSpaces().size();
  footprint.loadedBytes.assign(numSpaces, 0);
  footprint.keptBytes.assign(numSpaces, 0);
  footprint.paramBytes.assign(numSpaces, 0);
  footprint.operationsPerColumn.assign(numSpaces, 0);
  addInputs();
  addOutputs();
  addWork();
  addOperations();
  addKept();
  footprint.rescaled = findRescaledSum(graph);
  return std::move(footprint);
}

Footprint rows::computeFootprint(const RowGraph &graph) {
  return FootprintBuilder(graph).run();
}

const RescaledSum *rows::getRescaledSum(const Footprint &footprint,
                                        const Shape &shape) {
  bool hasExchange = shape.traversal == RowTraversal::Resident &&
                     shape.getThreadsPerRow() > warpSize;
  return footprint.rescaled && hasExchange ? &*footprint.rescaled : nullptr;
}

bool rows::dividesSpan(const RowGraph::Reduction &reduction, unsigned width) {
  return !reduction.isSpanned() || reduction.span % width == 0 ||
         width % reduction.span == 0;
}

/// True if tiles of `width` columns fill rows and fit spans.
static bool dividesColumns(const RowGraph &graph, unsigned width) {
  return llvm::all_of(graph.getColumnSpaces(),
                      [&](const ColumnSpace &columns) {
                        return columns.extent % width == 0;
                      }) &&
         llvm::all_of(graph.getReductions(),
                      [&](const RowGraph::Reduction &reduction) {
                        return dividesSpan(reduction, width);
                      });
}

unsigned rows::chooseWidth(const RowGraph &graph) {
  const Candidate &candidate = graph.getCandidate();
  SmallVector<Value> streamed;
  unsigned minElementBytes = 16;
  for (ArrayRef<Value> values :
       {candidate.inputs.getArrayRef(), ArrayRef(candidate.outputs)})
    for (Value value : values)
      if (graph.isStreamed(value)) {
        streamed.push_back(value);
        minElementBytes =
            std::min(minElementBytes, getElementBytes(value.getType()));
      }
  unsigned best = 1;
  size_t bestCount = 0;
  for (unsigned width = 16 / minElementBytes; width > 1; width /= 2) {
    size_t count = llvm::count_if(streamed, [&](Value value) {
      LoopSet columns =
          graph.getColumnSpaces()[graph.getColumnSpace(value)].loops;
      return PointAccess::isCoalesced(graph.getIterationSpace(), value, columns,
                                      width);
    });
    if (count > bestCount && dividesColumns(graph, width)) {
      best = width;
      bestCount = count;
    }
  }
  return best;
}

uint64_t rows::getClusterRun(uint64_t tiles, unsigned blocks) {
  return llvm::alignTo(llvm::divideCeil(tiles, uint64_t(blocks)), warpSize);
}

uint64_t rows::countLongestTiles(const RowGraph &graph, const Shape &shape) {
  uint64_t longest = 1;
  for (unsigned columns = 0; columns < graph.getColumnSpaces().size();
       ++columns)
    longest = std::max(longest, countThreadTiles(graph, columns, shape));
  return longest;
}

uint64_t rows::countBlocks(const RowGraph &graph, const Shape &shape) {
  bool isIdle = llvm::all_of(graph.getCandidate().outputs, [](Value output) {
    return llvm::is_contained(
        cast<RankedTensorType>(output.getType()).getShape(), 0);
  });
  return isIdle ? 0
                : llvm::divideCeil(uint64_t(graph.getRows()),
                                   uint64_t(shape.getRowsPerBlock())) *
                      shape.cluster;
}

bool rows::servesSpan(const RowGraph::Reduction &reduction,
                      const Shape &shape) {
  if (!reduction.isSpanned())
    return true;
  if (!dividesSpan(reduction, shape.width))
    return false;
  if (reduction.waits)
    return shape.traversal == RowTraversal::Resident && shape.cluster == 1 &&
           reduction.span >= shape.width;
  int64_t lanes = reduction.getLanes(shape.width);
  return lanes <= warpSize && llvm::isPowerOf2_64(lanes) &&
         shape.getThreadsPerRow() % lanes == 0;
}

unsigned rows::countSlotLanes(const RowGraph::Reduction &reduction,
                              const Shape &shape) {
  return std::gcd(reduction.getLanes(shape.width),
                  int64_t(std::min(shape.getThreadsPerRow(), warpSize)));
}

SharedLayout rows::computeSharedLayout(const RowGraph &graph,
                                       const Footprint &footprint,
                                       const Shape &shape) {
  SharedLayout layout;
  uint64_t warps = shape.getThreadsPerRow() / warpSize;
  for (auto [reduction, type] :
       llvm::zip(graph.getReductions(), footprint.accumulatorTypes)) {
    layout.exchange.push_back(layout.bytes);
    uint64_t slots = warps > 1 ? warps : 0;
    if (reduction.isSpanned())
      slots = reduction.waits
                  ? countTiles(graph, reduction.columns, shape.width) /
                        countSlotLanes(reduction, shape)
                  : 0;
    layout.slots.push_back(slots);
    layout.bytes += llvm::alignTo(shape.getRowsPerBlock() * slots *
                                      std::max(4u, getElementBytes(type)),
                                  16);
  }
  layout.barriers = layout.bytes;
  if (shape.cluster > 1)
    layout.bytes +=
        llvm::alignTo(footprint.accumulatorTypes.size() * barrierBytes, 16);
  return layout;
}

uint64_t rows::countUnrolledOperations(const RowGraph &graph,
                                       const Footprint &footprint,
                                       const Shape &shape) {
  uint64_t count = graph.getCandidate().operations.size();
  for (unsigned columns = 0; columns < graph.getColumnSpaces().size();
       ++columns) {
    uint64_t tiles = countThreadTiles(graph, columns, shape);
    // A loop has the steps of its body, and the last one.
    if (shape.traversal == RowTraversal::Looped)
      tiles = std::min<uint64_t>(tiles, 2 * shape.vectors);
    count += tiles * shape.rows * shape.width *
             footprint.operationsPerColumn[columns];
  }
  return count;
}
