//===- Sweep.cpp - One pass over an index space ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"
#include "Kernels.h"
#include "ReduceAccumulator.h"
#include "StridedWalk.h"
#include "llvm/Support/Parallel.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

namespace {
/// Fewer elements than this are not worth a thread.
constexpr int64_t minChunkElements = 16 * tileSize;

/// One node of the sweep and where its tile lies.
struct Step {
  Node *node;
  unsigned slot;
  SmallVector<unsigned, 3> operandSlots;
  /// Where the overflow of the operands' types begins, as far as doubles tell.
  SmallVector<double, 3> operandLimits;
  /// The errors are computed.
  bool withErrors;
  std::optional<StridedWalk> walk;
  std::optional<FloatFormat> format;

  double getOverflow() const {
    return withErrors && format ? format->overflowFrom
                                : std::numeric_limits<double>::infinity();
  }
};

/// The steps in order, with a tile slot for each. A slot is used again once
/// nothing needs what is in it.
class Program {
public:
  Program(ArrayRef<SweepRoot> roots, const ReferenceOptions &options);

  ArrayRef<Step> getSteps() const { return steps; }
  unsigned getNumSlots() const { return numSlots; }
  /// The step that computes `node`.
  const Step &getStep(const Node &node) const {
    return steps[positions.lookup(&node)];
  }

private:
  void order(ArrayRef<SweepRoot> roots);
  void assignSlots(ArrayRef<SweepRoot> roots);
  static bool isStreamed(const Node &node) {
    return !node.isAvailable() && node.kind == Node::Kind::Elementwise;
  }

  const ReferenceOptions &options;
  SmallVector<Step> steps;
  llvm::DenseMap<const Node *, unsigned> positions;
  unsigned numSlots = 0;
};
} // namespace

Program::Program(ArrayRef<SweepRoot> roots, const ReferenceOptions &options)
    : options(options) {
  order(roots);
  assignSlots(roots);
}

/// Puts the streamed nodes behind the roots in an order in which operands come
/// first. Iterative, since chains of operations can be long.
void Program::order(ArrayRef<SweepRoot> roots) {
  SmallVector<std::pair<Node *, size_t>> stack;
  auto visit = [&](Node &node) {
    if (!positions.contains(&node))
      stack.push_back({&node, 0});
  };
  for (const SweepRoot &root : roots) {
    visit(root.getValue());
    while (!stack.empty()) {
      auto &[node, next] = stack.back();
      if (isStreamed(*node) && next < node->operands.size()) {
        visit(node->operands[next++]->core());
        continue;
      }
      Node *done = node;
      stack.pop_back();
      if (!positions.try_emplace(done, steps.size()).second)
        continue;
      Step step{done, 0, {}, {}, options.errors && !done->exact, {}, {}};
      if (done->kind == Node::Kind::View && !done->isAvailable())
        step.walk.emplace(done->shape, done->strides, done->offset);
      if (auto type = dyn_cast<FloatType>(done->elementType))
        step.format = FloatFormat::get(type);
      steps.push_back(std::move(step));
    }
  }
}

void Program::assignSlots(ArrayRef<SweepRoot> roots) {
  SmallVector<size_t> lastUse(steps.size(), 0);
  for (auto [position, step] : llvm::enumerate(steps)) {
    if (step.node->kind == Node::Kind::Splat)
      lastUse[position] = steps.size(); // filled once, before the first tile
    if (isStreamed(*step.node))
      for (Node *operand : step.node->operands) {
        size_t &last = lastUse[positions.lookup(&operand->core())];
        last = std::max<size_t>(last, position);
      }
  }
  for (const SweepRoot &root : roots)
    lastUse[positions.lookup(&root.getValue())] = steps.size();

  // Splats come first, as their slots are never free.
  for (Step &step : steps)
    if (step.node->kind == Node::Kind::Splat)
      step.slot = numSlots++;
  SmallVector<unsigned> freeSlots;
  for (auto [position, step] : llvm::enumerate(steps)) {
    if (step.node->kind == Node::Kind::Splat)
      continue;
    step.slot = freeSlots.empty() ? numSlots++ : freeSlots.pop_back_val();
    if (!isStreamed(*step.node))
      continue;
    for (Node *operand : step.node->operands) {
      const Step &source = steps[positions.lookup(&operand->core())];
      step.operandSlots.push_back(source.slot);
      step.operandLimits.push_back(source.getOverflow());
    }
    // An operand may occur twice, but is freed once.
    llvm::SmallPtrSet<Node *, 4> freed;
    for (Node *operand : step.node->operands) {
      Node &core = operand->core();
      size_t operandPosition = positions.lookup(&core);
      if (lastUse[operandPosition] == position && freed.insert(&core).second)
        freeSlots.push_back(steps[operandPosition].slot);
    }
  }
}

namespace {
/// The tiles of one thread.
class Workspace {
public:
  Workspace(const Program &program, const ReferenceOptions &options);

  /// Computes all steps for the elements first to first + count - 1.
  void run(int64_t first, int64_t count);
  /// The tile of `step`, after it ran.
  TileOperand getTile(const Step &step) const {
    return getTile(step.slot, step.node->isFloat(), step.withErrors);
  }
  /// The same tile of `count` elements as operand number `number` of something,
  /// where `limit` is where the overflow of its type begins.
  TileOperand getOperand(TileOperand tile, unsigned number, double limit,
                         int64_t count);

private:
  TileOperand getTile(unsigned slot, bool isFloat, bool withErrors) const;
  double *getFloats(unsigned slot) const {
    return memory.get() + slot * tileSize;
  }
  int64_t *getIntegers(unsigned slot) const {
    return integerMemory.get() + slot * tileSize;
  }
  double *getErrors(unsigned slot) const {
    return memory.get() + (program.getNumSlots() + slot) * tileSize;
  }
  void runStep(const Step &step, int64_t first, int64_t count);

  const Program &program;
  const ReferenceOptions &options;
  std::unique_ptr<double[]> memory;
  std::unique_ptr<int64_t[]> integerMemory;
  /// By number of an operand: its errors where it may have overflowed.
  SmallVector<std::unique_ptr<double[]>, 3> doubtful;
};
} // namespace

/// The errors of exact values.
static const double zeroTile[tileSize] = {};

Workspace::Workspace(const Program &program, const ReferenceOptions &options)
    : program(program), options(options) {
  size_t slots = program.getNumSlots();
  memory.reset(new double[slots * tileSize * (options.errors ? 2 : 1)]);
  bool anyInteger = llvm::any_of(program.getSteps(), [](const Step &step) {
    return !step.node->isFloat();
  });
  if (anyInteger)
    integerMemory.reset(new int64_t[slots * tileSize]);
  for (const Step &step : program.getSteps())
    if (step.node->kind == Node::Kind::Splat)
      step.node->load(0, 0, tileSize, getFloats(step.slot),
                      getIntegers(step.slot), nullptr);
}

TileOperand Workspace::getTile(unsigned slot, bool isFloat,
                               bool withErrors) const {
  TileOperand tile;
  if (isFloat)
    tile.floats = getFloats(slot);
  else
    tile.integers = getIntegers(slot);
  if (options.errors)
    tile.errors = withErrors ? getErrors(slot) : zeroTile;
  return tile;
}

TileOperand Workspace::getOperand(TileOperand tile, unsigned number,
                                  double limit, int64_t count) {
  if (std::isinf(limit))
    return tile;
  if (doubtful.size() <= number)
    doubtful.resize(number + 1);
  if (!doubtful[number])
    doubtful[number].reset(new double[tileSize]);
  if (doubtOverflows(limit, options.errorFactor, count, tile.floats,
                     tile.errors, doubtful[number].get()))
    tile.errors = doubtful[number].get();
  return tile;
}

void Workspace::runStep(const Step &step, int64_t first, int64_t count) {
  Node &node = *step.node;
  if (node.kind == Node::Kind::Splat)
    return;
  double *floats = node.isFloat() ? getFloats(step.slot) : nullptr;
  int64_t *integers = node.isFloat() ? nullptr : getIntegers(step.slot);
  double *errors = step.withErrors ? getErrors(step.slot) : nullptr;
  if (node.isAvailable())
    return node.load(first, 1, count, floats, integers, errors);
  if (node.kind == Node::Kind::View) {
    int64_t done = 0;
    step.walk->forEachRun(
        first, count, [&](int64_t position, int64_t stride, int64_t length) {
          node.operands.front()->load(position, stride, length,
                                      floats ? floats + done : nullptr,
                                      integers ? integers + done : nullptr,
                                      errors ? errors + done : nullptr);
          done += length;
        });
    return;
  }
  assert(node.kind == Node::Kind::Elementwise && "not streamed");
  SmallVector<TileOperand, 3> operands;
  for (auto [number, operand, slot, limit] :
       llvm::enumerate(node.operands, step.operandSlots, step.operandLimits)) {
    Node &core = operand->core();
    operands.push_back(
        getOperand(getTile(slot, core.isFloat(), options.errors && !core.exact),
                   number, limit, count));
  }
  Tile tile{count, operands, floats, integers, errors, &node.failure};
  node.function(tile);
  if (node.rounding.units != 0.0)
    finishRounding(*step.format, node.rounding, options, count, floats, errors);
}

void Workspace::run(int64_t first, int64_t count) {
  for (const Step &step : program.getSteps())
    runStep(step, first, count);
}

namespace {
/// A partition of the elements in chunks of whole units.
struct Chunks {
  unsigned number = 1;
  int64_t unit = 1, numUnits = 0;
  int64_t begin(unsigned chunk) const {
    return unit * (numUnits / number * chunk +
                   std::min<int64_t>(chunk, numUnits % number));
  }
};
} // namespace

/// Chunks of at least `minChunkElements` elements. Reductions over the slowest
/// dimension hold their results once for each chunk: together no more than a
/// quarter of the elements.
static Chunks chooseChunks(int64_t numElements,
                           ArrayRef<ReduceAccumulator> reductions) {
  Chunks chunks;
  if (numElements == 0)
    return chunks;
  int64_t number =
      std::min<int64_t>(maxResultChunks, numElements / minChunkElements);
  int64_t unit = 1;
  for (const ReduceAccumulator &reduction : reductions) {
    if (reduction.isSequential())
      number = 1;
    if (reduction.needsCopies())
      number = std::min(number, numElements / (4 * reduction.getNumResults()));
    // Alignments divide the number of elements, and so does their multiple.
    unit = std::lcm(unit, reduction.getAlignment());
  }
  chunks.unit = unit;
  chunks.numUnits = numElements / unit;
  chunks.number =
      static_cast<unsigned>(std::clamp<int64_t>(number, 1, chunks.numUnits));
  return chunks;
}

static void storeTile(Node &node, int64_t first, int64_t count,
                      const TileOperand &tile) {
  if (tile.floats)
    std::copy_n(tile.floats, count, node.held.floats.get() + first);
  else
    std::copy_n(tile.integers, count, node.held.integers.get() + first);
  if (node.held.errors)
    std::copy_n(tile.errors, count, node.held.errors.get() + first);
}

void reference::runSweep(int64_t numElements, ArrayRef<SweepRoot> roots,
                         const ReferenceOptions &options, ResultSink sink) {
  Program program(roots, options);
  std::vector<ReduceAccumulator> reductions;
  for (const SweepRoot &root : roots) {
    if (root.use == SweepRoot::Use::Reduce)
      reductions.emplace_back(*root.node, options);
    if (root.use == SweepRoot::Use::Hold)
      root.node->allocate(options.errors);
  }
  Chunks chunks = chooseChunks(numElements, reductions);
  for (ReduceAccumulator &reduction : reductions)
    reduction.start(chunks.number);

  auto useTiles = [&](Workspace &workspace, unsigned chunk, int64_t first,
                      int64_t count) {
    size_t reduction = 0;
    for (const SweepRoot &root : roots) {
      const Step &step = program.getStep(root.getValue());
      TileOperand tile = workspace.getTile(step);
      if (root.use == SweepRoot::Use::Reduce)
        reductions[reduction++].accumulate(
            chunk, first, count,
            workspace.getOperand(tile, 0, step.getOverflow(), count));
      else if (root.use == SweepRoot::Use::Hold)
        storeTile(*root.node, first, count, tile);
      else
        sink({root.result, chunk, first, count, tile.floats, tile.integers,
              tile.errors});
    }
  };
  auto runChunk = [&](size_t chunk) {
    Workspace workspace(program, options);
    int64_t end = chunks.begin(chunk + 1);
    for (int64_t first = chunks.begin(chunk); first < end; first += tileSize) {
      int64_t count = std::min(tileSize, end - first);
      workspace.run(first, count);
      useTiles(workspace, chunk, first, count);
    }
  };
  if (chunks.number == 1)
    runChunk(0);
  else
    llvm::parallelFor(0, chunks.number, runChunk);

  for (ReduceAccumulator &reduction : reductions)
    reduction.finish();
  for (const SweepRoot &root : roots)
    if (root.use == SweepRoot::Use::Hold)
      root.node->isHeld = true;
}
