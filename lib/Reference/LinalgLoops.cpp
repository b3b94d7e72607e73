//===- LinalgLoops.cpp - Structured operations as written -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the loops of a structured operation in lexicographic order. Loops that
// walk along a dimension of every result touch different elements, so that
// they form the lanes of tiles; the others run one index after the other:
//
//   for each index of the sequential loops, in order:
//     for each tile of lanes:
//       load the inputs and the results so far, run the body, store the results
//
// The errors of the results so far are operands like others: a sum of n terms
// has the bound of n - 1 additions in that order.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "LinalgSpace.h"
#include "StridedWalk.h"
#include <deque>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

namespace {

/// Elements of one value: those of a tile, or those of a whole result.
struct Elements {
  std::vector<double> floats, errors;
  std::vector<int64_t> integers;

  Elements(bool isFloat, int64_t count)
      : floats(isFloat ? count : 0), errors(count),
        integers(isFloat ? 0 : count) {}
  double *floatsAt(int64_t at) {
    return floats.empty() ? nullptr : floats.data() + at;
  }
  int64_t *integersAt(int64_t at) {
    return integers.empty() ? nullptr : integers.data() + at;
  }
  TileOperand getTile(bool withErrors) const {
    return {floats.empty() ? nullptr : floats.data(),
            integers.empty() ? nullptr : integers.data(),
            withErrors ? errors.data() : nullptr};
  }
  void copy(int64_t from, Elements &to, int64_t at) const {
    if (floats.empty())
      to.integers[at] = integers[from];
    else
      to.floats[at] = floats[from];
    to.errors[at] = errors[from];
  }
};

/// The body as a list of steps over tiles. Each step is a node of one element:
/// what it would be at one index.
struct LoopBody {
  /// The nodes that stand for the arguments of the body.
  SmallVector<Node *> arguments;
  /// The nodes that stand for linalg.index, with their loops.
  SmallVector<std::pair<Node *, size_t>> indices;
  /// Values from outside, one element each.
  SmallVector<Node *> captured;
  /// Element-wise nodes, operands first.
  SmallVector<Node *> steps;
  SmallVector<Node *> yielded;
};

/// How an operand is reached: its positions from lane to lane, and the distance
/// from one index of a sequential loop to the next.
struct Access {
  StridedWalk lanes;
  SmallVector<int64_t> sequentialStrides;
};

/// Everything that does not depend on the elements.
struct LoopProgram {
  LoopBody body;
  SmallVector<int64_t> laneExtents, sequentialExtents;
  /// The loops of the lanes and the sequential ones.
  SmallVector<size_t> laneLoops, sequentialLoops;
  SmallVector<Access> accesses; // inputs, then inits
  size_t numInputs = 0, numResults = 0;
  ReferenceOptions options;
};

} // namespace

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// A node that stands for one element of `like`.
static Node *createPlaceholder(const Node &like, bool exact,
                               GraphBuilder &graph) {
  Node *node = graph.createSource(HostTensor(like.elementType, {}));
  node->exact = exact;
  node->hasSteps = like.hasSteps;
  node->roundsToSingle = like.roundsToSingle;
  node->hasSignedZeros = like.hasSignedZeros;
  return node;
}

/// Adds what `node` needs to the body, operands first.
static void collect(Node *node, llvm::DenseSet<Node *> &seen, LoopBody &body) {
  if (!seen.insert(node).second)
    return;
  if (node->kind != Node::Kind::Elementwise) {
    body.captured.push_back(node);
    return;
  }
  for (Node *operand : node->operands)
    collect(operand, seen, body);
  body.steps.push_back(node);
}

static FailureOr<LoopBody> buildBody(linalg::LinalgOp op, bool exactInits,
                                     GraphBuilder &graph) {
  LoopBody body;
  llvm::DenseSet<Node *> seen;
  auto stand = [&](Value value, const Node &like, bool exact) -> Node * {
    Node *node = createPlaceholder(like, exact, graph);
    seen.insert(node);
    return succeeded(graph.bind(value, node)) ? node : nullptr;
  };
  Block &block = *op.getBlock();
  SmallVector<Node *> operands = graph.lookup(op->getOperands());
  auto numInputs = static_cast<size_t>(op.getNumDpsInputs());
  for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
    Node &like = *operands[number];
    bool exact = like.exact && (number < numInputs || exactInits);
    body.arguments.push_back(stand(argument, like, exact));
  }
  for (Operation &nested : block.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
      Node *position =
          graph.createSplat(index, index.getType(), {}, int64_t(0));
      body.indices.push_back({stand(index, *position, true), index.getDim()});
      continue;
    }
    if (!isa<arith::ConstantOp>(nested) &&
        !OpTrait::hasElementwiseMappableTraits(&nested))
      return nested.emitError()
             << "the reference does not interpret '" << nested.getName()
             << "' in the body of a general reduction";
    if (failed(graph.add(&nested)))
      return failure();
  }
  for (Value value : block.getTerminator()->getOperands()) {
    body.yielded.push_back(graph.lookup(value));
    collect(body.yielded.back(), seen, body);
  }
  return body;
}

/// The loops that walk along a dimension of every result.
static void splitLoops(linalg::LinalgOp op, const LinalgSpace &space,
                       LoopProgram &program) {
  for (size_t loop = 0; loop < space.extents.size(); ++loop) {
    bool isLane = true;
    for (size_t operand = program.numInputs; operand < space.positions.size();
         ++operand)
      isLane &= llvm::any_of(space.positions[operand], [&](const auto &row) {
        return LinalgSpace::getLoop(row) == loop;
      });
    (isLane ? program.laneLoops : program.sequentialLoops).push_back(loop);
    (isLane ? program.laneExtents : program.sequentialExtents)
        .push_back(space.extents[loop]);
  }
}

static Access makeAccess(const LoopProgram &program, const Node &operand,
                         const LinearPositions &positions) {
  SmallVector<int64_t> dimStrides = getRowMajorStrides(operand.shape);
  auto getStride = [&](size_t column) {
    int64_t stride = 0;
    for (auto [row, dimStride] : llvm::zip(positions, dimStrides))
      stride += row[column] * dimStride;
    return stride;
  };
  SmallVector<int64_t> lanes =
      llvm::map_to_vector(program.laneLoops, getStride);
  int64_t offset = 0;
  for (auto [row, dimStride] : llvm::zip(positions, dimStrides))
    offset += row.back() * dimStride;
  return {StridedWalk(program.laneExtents, lanes, offset),
          llvm::map_to_vector(program.sequentialLoops, getStride)};
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
class LoopRunner {
public:
  LoopRunner(const LoopProgram &program, Node &node);

  /// Runs all loops; the elements of all results.
  std::vector<Elements> &run();

private:
  void runTile(ArrayRef<int64_t> index, int64_t first, int64_t count);
  void fillIndices(ArrayRef<int64_t> index, int64_t first, int64_t count);
  int64_t getOffset(const Access &access, ArrayRef<int64_t> index) const {
    int64_t offset = 0;
    for (auto [stride, i] : llvm::zip(access.sequentialStrides, index))
      offset += stride * i;
    return offset;
  }
  Elements &getTile(Node *node) {
    auto [it, isNew] = tiles.try_emplace(node, allTiles.size());
    if (isNew)
      allTiles.emplace_back(node->isFloat(), tileSize);
    return allTiles[it->second];
  }

  const LoopProgram &program;
  /// The node whose elements are wanted: inputs, inits, captured values are its
  /// operands.
  Node &node;
  bool withErrors;
  std::vector<Elements> results;
  std::deque<Elements> allTiles;
  llvm::DenseMap<Node *, size_t> tiles;
};
} // namespace

LoopRunner::LoopRunner(const LoopProgram &program, Node &node)
    : program(program), node(node), withErrors(program.options.errors) {
  size_t numOperands = program.numInputs + program.numResults;
  for (size_t result = 0; result < program.numResults; ++result) {
    Node &init = *node.operands[program.numInputs + result];
    results.emplace_back(init.isFloat(), init.numElements);
    init.load(0, 1, init.numElements, results.back().floatsAt(0),
              results.back().integersAt(0), results.back().errors.data());
  }
  for (auto [number, value] : llvm::enumerate(program.body.captured)) {
    Elements &tile = getTile(value);
    node.operands[numOperands + number]->load(0, 0, tileSize, tile.floatsAt(0),
                                              tile.integersAt(0),
                                              tile.errors.data());
  }
}

void LoopRunner::fillIndices(ArrayRef<int64_t> index, int64_t first,
                             int64_t count) {
  for (auto [placeholder, loop] : program.body.indices) {
    Elements &tile = getTile(placeholder);
    const auto *sequential = llvm::find(program.sequentialLoops, loop);
    if (sequential != program.sequentialLoops.end()) {
      std::fill_n(tile.integersAt(0), count,
                  index[sequential - program.sequentialLoops.begin()]);
      continue;
    }
    size_t lane =
        llvm::find(program.laneLoops, loop) - program.laneLoops.begin();
    int64_t stride = getRowMajorStrides(program.laneExtents)[lane];
    for (int64_t i = 0; i < count; ++i)
      tile.integers[i] = (first + i) / stride % program.laneExtents[lane];
  }
}

void LoopRunner::runTile(ArrayRef<int64_t> index, int64_t first,
                         int64_t count) {
  const LoopBody &body = program.body;
  fillIndices(index, first, count);
  for (auto [number, argument] : llvm::enumerate(body.arguments)) {
    const Access &access = program.accesses[number];
    int64_t offset = getOffset(access, index), done = 0;
    Elements &tile = getTile(argument);
    Elements *result = number < program.numInputs
                           ? nullptr
                           : &results[number - program.numInputs];
    Node &operand = *node.operands[number];
    access.lanes.forEachRun(
        first, count, [&](int64_t at, int64_t stride, int64_t length) {
          if (result)
            for (int64_t i = 0; i < length; ++i)
              result->copy(offset + at + i * stride, tile, done + i);
          else
            operand.load(offset + at, stride, length, tile.floatsAt(done),
                         tile.integersAt(done), tile.errors.data() + done);
          done += length;
        });
  }
  for (Node *step : body.steps) {
    SmallVector<TileOperand, 3> operands;
    for (Node *operand : step->operands)
      operands.push_back(getTile(operand).getTile(withErrors));
    Elements &tile = getTile(step);
    Tile out{count,
             operands,
             tile.floatsAt(0),
             tile.integersAt(0),
             withErrors ? tile.errors.data() : nullptr,
             &node.failure};
    step->function(out);
    if (step->rounding.units != 0.0)
      finishRounding(FloatFormat::get(cast<FloatType>(step->elementType)),
                     step->rounding, program.options, count, out.floats,
                     out.errors);
  }
  for (auto [number, yielded] : llvm::enumerate(body.yielded)) {
    const Access &access = program.accesses[program.numInputs + number];
    const Elements &tile = getTile(yielded);
    Elements &result = results[number];
    int64_t offset = getOffset(access, index), done = 0;
    access.lanes.forEachRun(
        first, count, [&](int64_t at, int64_t stride, int64_t length) {
          for (int64_t i = 0; i < length; ++i)
            tile.copy(done + i, result, offset + at + i * stride);
          done += length;
        });
  }
}

std::vector<Elements> &LoopRunner::run() {
  int64_t lanes = 1, steps = 1;
  for (int64_t extent : program.laneExtents)
    lanes *= extent;
  for (int64_t extent : program.sequentialExtents)
    steps *= extent;
  SmallVector<int64_t> index(program.sequentialExtents.size(), 0);
  for (int64_t step = 0; step < steps; ++step) {
    for (int64_t first = 0; first < lanes; first += tileSize)
      runTile(index, first, std::min(tileSize, lanes - first));
    for (size_t loop = index.size(); loop-- > 0;) {
      if (++index[loop] < program.sequentialExtents[loop])
        break;
      index[loop] = 0;
    }
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

LogicalResult reference::addLinalgLoops(linalg::LinalgOp op,
                                        const LinalgSpace &space,
                                        GraphBuilder &graph) {
  auto program = std::make_shared<LoopProgram>();
  program->options = graph.getOptions();
  program->numInputs = op.getNumDpsInputs();
  program->numResults = op.getNumDpsInits();
  FailureOr<LoopBody> body = buildBody(op, /*exactInits=*/true, graph);
  // What rounds once makes all later values inexact.
  if (succeeded(body) &&
      llvm::any_of(body->yielded, [](Node *n) { return !n->exact; }))
    body = buildBody(op, /*exactInits=*/false, graph);
  if (failed(body))
    return failure();
  program->body = std::move(*body);
  splitLoops(op, space, *program);

  SmallVector<Node *> operands = graph.lookup(op->getOperands());
  for (auto [operand, positions] : llvm::zip(operands, space.positions))
    program->accesses.push_back(makeAccess(*program, *operand, positions));
  llvm::append_range(operands, program->body.captured);
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    const Node &yielded = *program->body.yielded[number];
    Node *init = operands[program->numInputs + number];
    auto compute = [program, number = number](Node &node) {
      LoopRunner runner(*program, node);
      Elements &elements = runner.run()[number];
      std::copy(elements.floats.begin(), elements.floats.end(),
                node.held.floats.get());
      std::copy(elements.integers.begin(), elements.integers.end(),
                node.held.integers.get());
      if (node.held.errors)
        std::copy(elements.errors.begin(), elements.errors.end(),
                  node.held.errors.get());
    };
    Node *node = graph.createComputed(
        op, init->elementType, init->shape, operands,
        yielded.exact ? Rounding::none() : Rounding{}, compute);
    node->hasSteps |= yielded.hasSteps;
    node->roundsToSingle |= yielded.roundsToSingle;
    if (failed(graph.bind(result, node)))
      return failure();
  }
  return success();
}
