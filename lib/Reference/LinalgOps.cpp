//===- LinalgOps.cpp - Structured operations on tensors -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a structured operation is added once for all indices: inputs are
// viewed along the loops, and each operation of the body is element-wise over
// the whole space. That is how a result is evaluated if
//
//   every loop walks along one of its dimensions, or
//   its body is combine(x, init) with a commutative combine, and x needs no
//   value of another index: then it is combine(reduction of x, init).
//
// Everything else runs loop by loop (LinalgLoops.cpp).
//
//===----------------------------------------------------------------------===//

#include "LinalgSpace.h"
#include "OpRegistry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// The position along one loop, at every index of the space.
static Node *createIota(Operation *op, size_t loop, const LinalgSpace &space,
                        GraphBuilder &graph) {
  HostTensor positions(IndexType::get(op->getContext()), {space.extents[loop]});
  for (int64_t i = 0; i < space.extents[loop]; ++i)
    positions.writeFromInteger(i, 1, &i);
  SmallVector<int64_t> row(space.extents.size() + 1, 0);
  row[loop] = 1;
  return graph.createLinearView(op, graph.createSource(positions, op),
                                space.extents, {row});
}

/// `node` at every index of the space, if it is a scalar.
static Node *spread(Operation *op, Node *node, const LinalgSpace &space,
                    GraphBuilder &graph) {
  if (!node->shape.empty() || space.extents.empty())
    return node;
  return graph.createLinearView(op, node, space.extents, {});
}

/// Reads a tensor at positions that were computed: a position that is not
/// certain makes the element unknown.
static Node *createGather(tensor::ExtractOp op, const LinalgSpace &space,
                          GraphBuilder &graph) {
  Node *source = graph.lookup(op.getTensor());
  SmallVector<Node *> operands{source};
  for (Node *index : graph.lookup(op.getIndices()))
    operands.push_back(spread(op, index, space, graph));
  SmallVector<int64_t> shape = source->shape;
  auto compute = [shape](Node &node) {
    Held &held = node.held;
    for (int64_t at = 0; at < node.numElements; ++at) {
      int64_t position = 0;
      double uncertain = 0.0;
      bool inBounds = true;
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        int64_t index;
        double error = 0.0;
        node.operands[dim + 1]->load(at, 1, 1, nullptr, &index,
                                     held.errors ? &error : nullptr);
        inBounds &= index >= 0 && index < shape[dim];
        position = position * shape[dim] + index;
        uncertain += error;
      }
      if (!inBounds) {
        node.failure.store("expected indices below the extents of the tensor");
        position = 0;
        if (node.operands.front()->numElements == 0)
          return;
      }
      node.operands.front()->load(position, 1, 1,
                                  held.floats ? &held.floats[at] : nullptr,
                                  held.integers ? &held.integers[at] : nullptr,
                                  held.errors ? &held.errors[at] : nullptr);
      if (uncertain != 0.0)
        held.errors[at] = std::numeric_limits<double>::infinity();
    }
  };
  return graph.createComputed(op, source->elementType, space.extents, operands,
                              Rounding::none(), compute);
}

/// The values of the body that depend on an init of a result that is reduced:
/// they exist only while the loops run.
static llvm::DenseSet<Value> findSequential(linalg::LinalgOp op,
                                            ArrayRef<bool> isReduced) {
  llvm::DenseSet<Value> sequential;
  for (auto [argument, reduced] :
       llvm::zip(op.getRegionOutputArgs(), isReduced))
    if (reduced)
      sequential.insert(argument);
  for (Operation &nested : op.getBlock()->without_terminator())
    if (llvm::any_of(nested.getOperands(), [&](Value operand) {
          return sequential.contains(operand);
        }))
      sequential.insert_range(nested.getResults());
  return sequential;
}

/// Adds the operations of the body that depend on no reduced init.
static LogicalResult addBody(linalg::LinalgOp op, const LinalgSpace &space,
                             const llvm::DenseSet<Value> &sequential,
                             GraphBuilder &graph) {
  SmallVector<Node *> operands = graph.lookup(op->getOperands());
  Block &body = *op.getBlock();
  graph.enterSpace(space.extents);
  // A region may leave out the inits that it does not use.
  for (auto [argument, operand, positions] :
       llvm::zip(body.getArguments(), operands, space.positions))
    if (!sequential.contains(argument) &&
        failed(graph.bind(
            argument,
            graph.createLinearView(op, operand, space.extents, positions))))
      return failure();
  for (Operation &nested : body.without_terminator()) {
    if (llvm::any_of(nested.getResults(),
                     [&](Value value) { return sequential.contains(value); }))
      continue;
    LogicalResult added =
        llvm::TypeSwitch<Operation *, LogicalResult>(&nested)
            .Case([&](linalg::IndexOp index) {
              return graph.bind(
                  index, createIota(index, index.getDim(), space, graph));
            })
            .Case([&](tensor::ExtractOp extract) {
              return graph.bind(extract, createGather(extract, space, graph));
            })
            .Default([&](Operation *other) { return graph.add(other); });
    if (failed(added))
      return failure();
  }
  graph.leaveSpace();
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The kind of an operation that combines two values in any order.
static std::optional<ReductionKind> getCombiningKind(Operation *op) {
  using Kind = ReductionKind;
  return llvm::TypeSwitch<Operation *, std::optional<ReductionKind>>(op)
      .Case([](arith::AddFOp) { return Kind::Add; })
      .Case([](arith::AddIOp) { return Kind::Add; })
      .Case([](arith::MulFOp) { return Kind::Mul; })
      .Case([](arith::MulIOp) { return Kind::Mul; })
      .Case([](arith::MaximumFOp) { return Kind::MaximumF; })
      .Case([](arith::MinimumFOp) { return Kind::MinimumF; })
      .Case([](arith::MaxNumFOp) { return Kind::MaxNumF; })
      .Case([](arith::MinNumFOp) { return Kind::MinNumF; })
      .Case([](arith::MaxSIOp) { return Kind::MaxSI; })
      .Case([](arith::MaxUIOp) { return Kind::MaxUI; })
      .Case([](arith::MinSIOp) { return Kind::MinSI; })
      .Case([](arith::MinUIOp) { return Kind::MinUI; })
      .Case([](arith::AndIOp) { return Kind::And; })
      .Case([](arith::OrIOp) { return Kind::Or; })
      .Case([](arith::XOrIOp) { return Kind::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

namespace {
/// How one result follows from the whole space.
struct ResultPlan {
  enum class Form { Elementwise, Reduction, Loops };
  Form form = Form::Loops;
  /// The dimension of the result along which each loop walks.
  SmallVector<std::optional<size_t>> dimOfLoop;
  /// Reduction: combines the init with `element`.
  Operation *combine = nullptr;
  ReductionKind kind{};
  Value element;
};
} // namespace

/// The result's dimension of each loop. Empty if the result is not walked along
/// its dimensions: every dimension by one loop, or of extent 1.
static std::optional<SmallVector<std::optional<size_t>>>
getDimsOfLoops(const LinalgSpace &space, const LinearPositions &positions,
               ArrayRef<int64_t> shape) {
  SmallVector<std::optional<size_t>> dims(space.extents.size());
  for (auto [dim, row] : llvm::enumerate(positions)) {
    std::optional<size_t> loop = LinalgSpace::getLoop(row);
    if (loop && !dims[*loop])
      dims[*loop] = dim;
    else if (shape[dim] != 1)
      return std::nullopt;
  }
  return dims;
}

/// The plans of all results, by what the body says.
static SmallVector<ResultPlan> planResults(linalg::LinalgOp op,
                                           const LinalgSpace &space,
                                           GraphBuilder &graph) {
  SmallVector<ResultPlan> plans(op->getNumResults());
  SmallVector<bool> isReduced;
  bool inOrder = graph.getOptions().precision == Precision::Type;
  for (auto [index, plan] : llvm::enumerate(plans)) {
    OpOperand *init = op.getDpsInitOperand(index);
    auto dims = getDimsOfLoops(space, space.positions[init->getOperandNumber()],
                               graph.lookup(init->get())->shape);
    bool covers =
        dims && llvm::all_of(llvm::zip(*dims, space.extents), [](auto pair) {
          auto [dim, extent] = pair;
          return dim || extent == 1;
        });
    isReduced.push_back(!covers);
    if (!dims)
      continue;
    plan.dimOfLoop = *dims;
    if (covers)
      plan.form = ResultPlan::Form::Elementwise;
    else if (!inOrder)
      plan.form = ResultPlan::Form::Reduction;
  }
  llvm::DenseSet<Value> sequential = findSequential(op, isReduced);
  ValueRange yielded = op.getBlock()->getTerminator()->getOperands();
  for (auto [index, plan] : llvm::enumerate(plans)) {
    Value value = yielded[index];
    if (plan.form == ResultPlan::Form::Elementwise &&
        sequential.contains(value))
      plan.form = ResultPlan::Form::Loops;
    if (plan.form != ResultPlan::Form::Reduction)
      continue;
    plan.form = ResultPlan::Form::Loops;
    Operation *combine = value.getDefiningOp();
    Value init = op.getRegionOutputArgs()[index];
    std::optional<ReductionKind> kind;
    if (combine && combine->getBlock() == op.getBlock())
      kind = getCombiningKind(combine);
    if (!kind || !init.hasOneUse() || *init.user_begin() != combine)
      continue;
    Value element = combine->getOperand(combine->getOperand(0) == init ? 1 : 0);
    if (sequential.contains(element))
      continue;
    plan.form = ResultPlan::Form::Reduction;
    plan.combine = combine;
    plan.kind = *kind;
    plan.element = element;
  }
  return plans;
}

/// Views `node`, whose dimensions are the loops that are not `dropped`, as a
/// result of `shape`.
static Node *viewAsResult(Operation *op, Node *node, const ResultPlan &plan,
                          ArrayRef<int64_t> dropped, ArrayRef<int64_t> shape,
                          GraphBuilder &graph) {
  LinearPositions positions;
  for (auto [loop, dim] : llvm::enumerate(plan.dimOfLoop)) {
    if (llvm::is_contained(dropped, static_cast<int64_t>(loop)))
      continue;
    SmallVector<int64_t> row(shape.size() + 1, 0);
    if (dim)
      row[*dim] = 1;
    positions.push_back(std::move(row));
  }
  return graph.createLinearView(op, node, shape, positions);
}

static LogicalResult addResult(linalg::LinalgOp op, unsigned index,
                               const ResultPlan &plan, Node *node,
                               GraphBuilder &graph) {
  Node *init = graph.lookup(op.getDpsInitOperand(index)->get());
  Value result = op->getResult(index);
  if (plan.form == ResultPlan::Form::Elementwise)
    return graph.bind(result,
                      viewAsResult(op, node, plan, {}, init->shape, graph));
  SmallVector<int64_t> dropped;
  for (auto [loop, dim] : llvm::enumerate(plan.dimOfLoop))
    if (!dim)
      dropped.push_back(loop);
  // Partial results have the type of the body's operation.
  Node *reduced = graph.createReduce(op, plan.kind, init->elementType,
                                     init->elementType, node, dropped);
  Node *total = viewAsResult(op, reduced, plan, dropped, init->shape, graph);
  bool initFirst = plan.combine->getOperand(1) == plan.element;
  FailureOr<Node *> combined = graph.addOn(
      plan.combine,
      initFirst ? ArrayRef<Node *>{init, total} : ArrayRef<Node *>{total, init},
      init->shape);
  return failed(combined) ? failure() : graph.bind(result, *combined);
}

LogicalResult reference::addLinalgOp(linalg::LinalgOp op, GraphBuilder &graph) {
  if (!op.hasPureTensorSemantics())
    return op.emitOpError()
           << "the reference takes structured operations on tensors";
  for (Operation &nested : op.getBlock()->without_terminator())
    if (!isBodyOperation(&nested))
      return nested.emitError()
             << "the reference does not interpret '" << nested.getName()
             << "' in the body of a structured operation";
  FailureOr<LinalgSpace> space = getLinalgSpace(op, graph);
  if (failed(space))
    return failure();
  SmallVector<ResultPlan> plans = planResults(op, *space, graph);
  SmallVector<bool> isReduced;
  for (auto [result, plan] : llvm::zip(op->getResults(), plans)) {
    if (plan.form == ResultPlan::Form::Loops && !result.use_empty())
      return addLinalgLoops(op, *space, graph);
    isReduced.push_back(plan.form != ResultPlan::Form::Elementwise);
  }
  if (failed(addBody(op, *space, findSequential(op, isReduced), graph)))
    return failure();
  // The nodes of all results before any: combining binds values of the body.
  SmallVector<Node *> nodes;
  ValueRange yielded = op.getBlock()->getTerminator()->getOperands();
  for (auto [value, plan] : llvm::zip(yielded, plans)) {
    bool isReduction = plan.form == ResultPlan::Form::Reduction;
    Node *node = graph.lookup(isReduction ? plan.element : value);
    nodes.push_back(node ? spread(op, node, *space, graph) : nullptr);
  }
  for (auto [index, plan] : llvm::enumerate(plans))
    if (plan.form != ResultPlan::Form::Loops &&
        failed(addResult(op, index, plan, nodes[index], graph)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Softmax is what upstream's decomposition says.
static LogicalResult addSoftmax(linalg::SoftmaxOp op, GraphBuilder &graph) {
  auto scratch = std::make_unique<Block>();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(scratch.get());
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    BlockArgument argument =
        scratch->addArgument(operand.getType(), operand.getLoc());
    mapping.map(operand, argument);
    if (failed(graph.bind(argument, graph.lookup(operand))))
      return failure();
  }
  auto copy = cast<linalg::SoftmaxOp>(builder.clone(*op, mapping));
  builder.setInsertionPoint(copy);
  FailureOr<SmallVector<Value>> values = copy.decomposeOperation(builder);
  if (failed(values))
    return op.emitOpError() << "the reference cannot decompose it";
  copy->erase();
  Block &block = graph.keep(std::move(scratch));
  for (Operation &nested : block)
    if (failed(graph.add(&nested)))
      return failure();
  for (auto [result, value] : llvm::zip(op->getResults(), *values))
    if (failed(graph.bind(result, graph.lookup(value))))
      return failure();
  return success();
}

/// Evaluates a condition that holds at every index of a correct program.
static LogicalResult addAssert(cf::AssertOp op, GraphBuilder &graph) {
  Node *condition = graph.lookup(op.getArg());
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, condition->shape.size()));
  Node *all = graph.createReduce(op, ReductionKind::And, condition->elementType,
                                 condition->elementType, condition, dims);
  FailureOr<int64_t> holds = graph.getInteger(op, all);
  if (failed(holds))
    return failure();
  if (*holds == 0)
    return op.emitError() << "assertion failed: " << op.getMsg();
  return success();
}

void reference::registerLinalgOps(OpRegistry &registry) {
  registry.add<linalg::SoftmaxOp>(addSoftmax);
  registry.add<cf::AssertOp>(addAssert);
}
