//===- SegmentGraph.cpp - A block as a graph for segmentation -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/SegmentGraph.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/ReductionLevels.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/Hashing.h"
#include <map>

using namespace mlir;
using namespace mlir::fusion;

/// True if `op` converts to a wider element type.
static bool isWideningCast(Operation *op) {
  if (!isa<CastOpInterface>(op) || !OpTrait::hasElementwiseMappableTraits(op))
    return false;
  Type from = getElementTypeOrSelf(op->getOperand(0)),
       to = getElementTypeOrSelf(op->getResult(0));
  return from.isIntOrFloat() && to.isIntOrFloat() &&
         from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
}

bool fusion::isCheapToRecompute(Operation *op) {
  if (!isSchedulable(op) || !isPure(op))
    return false;
  if (isa<arith::ConstantOp, tensor::SplatOp, IotaOp, BroadcastOp,
          tensor::ExpandShapeOp>(op) ||
      isWideningCast(op))
    return true;
  auto isScalar = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return !tensor || tensor.getRank() == 0;
  };
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

static bool isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// True if the result of `op` leaves the block, perhaps in other shapes.
static bool isReturned(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>() ||
           (isReshape(user) && isReturned(user));
  });
}

/// True if nothing but `op` uses its operand in another shape, or returns it.
static bool isOnlyView(Operation *op) {
  return llvm::all_of(op->getOperand(0).getUsers(), [&](Operation *user) {
    return user == op ||
           !(isReshape(user) || user->hasTrait<OpTrait::IsTerminator>());
  });
}

/// Calls `visit` on everything that `op` uses, in its regions too.
static void forEachUsed(Operation *op, llvm::function_ref<void(Value)> visit) {
  op->walk<WalkOrder::PreOrder>(
      [&](Operation *nested) { llvm::for_each(nested->getOperands(), visit); });
}

SegmentGraph::SegmentGraph(Block &block, const DimClasses &dims,
                           const Pins &pins)
    : block(block) {
  for (Operation &op : block.without_terminator()) {
    operationNumbers[&op] = operations.size();
    operations.push_back({&op});
  }
  classify(pins, dims);
  numberOperations(dims);
  createNodes();
  findReads(dims);
  findReductions(dims);
  orderNodes();
  connect();
  operationStamps.assign(operations.size(), 0);
  valueStamps.assign(values.size(), 0);
  nodeStamps.assign(nodes.size(), 0);
  classStamps.assign(classInfos.size(), 0);
  classNumbers.resize(classInfos.size());
  layoutStamps.assign(layouts.size(), 0);
  layoutNumbers.resize(layouts.size());
  layoutOfClasses.clear();
  localNumbers.resize(values.size());
  relateStoredValues();
}

std::optional<SegmentGraph::Node> SegmentGraph::getNode(Operation *op) const {
  auto it = operationNumbers.find(op);
  if (it == operationNumbers.end() || operations[it->second].node == none)
    return std::nullopt;
  return operations[it->second].node;
}

bool SegmentGraph::isRecomputed(Operation *op) const {
  auto it = operationNumbers.find(op);
  return it != operationNumbers.end() &&
         operations[it->second].kind == Kind::Recomputed;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// True if `op` can be anywhere before its users: it needs no node and has no
/// side effects.
bool SegmentGraph::isExternal(Operation *op) const {
  if (!isMemoryEffectFree(op))
    return false;
  bool external = true;
  forEachUsed(op, [&](Value value) {
    auto it = operationNumbers.find(value.getDefiningOp());
    external &= it == operationNumbers.end() ||
                operations[it->second].kind == Kind::External;
  });
  return external;
}

/// True for another shape of what comes into the block or leaves it, where
/// nothing needs the one shape beside the other: a view of the same memory, for
/// which no kernel has to relate the loops of the two. Results have memory of
/// their own: an argument that is returned in another shape is copied.
bool SegmentGraph::isViewAtBoundary(Operation *op) const {
  if (!isReshape(op))
    return false;
  if (isExternal(op))
    return op->getOperand(0).hasOneUse() && !isReturned(op);
  return isOnlyView(op) && op->hasOneUse() && isReturned(op);
}

void SegmentGraph::classify(const Pins &pins, const DimClasses &dims) {
  for (OperationInfo &info : operations) {
    Operation *op = info.operation;
    // What regroups elements is a view between kernels.
    if (isSchedulable(op) && !dims.regroups(op) && !isViewAtBoundary(op)) {
      bool recompute = pins.recomputed.contains(op) ||
                       (isCheapToRecompute(op) && !pins.nodes.contains(op));
      info.kind = recompute ? Kind::Recomputed : Kind::Node;
      info.isKernelOperation = isKernelOperation(op);
      info.isElementwise = OpTrait::hasElementwiseMappableTraits(op);
      info.summary.add(op);
    } else if (!isExternal(op)) {
      info.kind = Kind::Node;
      info.isFixed = true;
    }
  }
}

void SegmentGraph::addClass(unsigned dimClass, const DimClasses &dims) {
  if (dimClass >= classInfos.size())
    classInfos.resize(dimClass + 1);
  if (std::exchange(classInfos[dimClass].isKnown, true))
    return;
  classInfos[dimClass].extent = dims.getExtent(dimClass);
  ArrayRef<DimClasses::Class> factors = dims.getFactors(dimClass);
  classInfos[dimClass].factors.assign(factors.begin(), factors.end());
  for (DimClasses::Class factor : factors)
    addClass(factor, dims);
}

unsigned SegmentGraph::getLayout(Value value, const DimClasses &dims) {
  ArrayRef<DimClasses::Class> classes;
  if (isa<RankedTensorType>(value.getType()))
    classes = dims.getClasses(value);
  auto [it, isNew] = layoutOfClasses.try_emplace(classes, layouts.size());
  if (isNew) {
    layouts.emplace_back(classes);
    for (DimClasses::Class dimClass : classes)
      addClass(dimClass, dims);
  }
  return it->second;
}

/// True if the classes of the dimensions of `value` say more than its type and
/// the operations that relate it to other values.
static bool hasMoreFacts(Value value, const DimClasses &dims) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getRank() || dims.isUniform(value))
    return false;
  // A constant may have its loops from another user.
  if (value.getDefiningOp<arith::ConstantOp>())
    return true;
  if (type.hasStaticShape())
    return false;
  return llvm::any_of(llvm::enumerate(dims.getClasses(value)), [&](auto entry) {
    return dims.getExtent(entry.value()) != type.getDimSize(entry.index());
  });
}

unsigned SegmentGraph::getValueNumber(Value value, const DimClasses &dims) {
  auto [it, isNew] = valueNumbers.try_emplace(value, values.size());
  if (!isNew)
    return it->second;
  ValueInfo info{value};
  info.elementBytes = getElementBytes(value.getType());
  if (auto producer = operationNumbers.find(value.getDefiningOp());
      producer != operationNumbers.end())
    info.producer = producer->second;
  info.layout = getLayout(value, dims);
  info.isUniform = dims.isUniform(value);
  info.hasMoreFacts = hasMoreFacts(value, dims);
  values.push_back(info);
  return it->second;
}

void SegmentGraph::numberOperations(const DimClasses &dims) {
  // Attributes and types are unique in a context: their addresses tell whether
  // they are equal.
  for (OperationInfo &info : operations) {
    if (info.kind == Kind::External)
      continue;
    Operation *op = info.operation;
    if (info.isFixed) {
      forEachUsed(op, [&](Value value) {
        info.operands.push_back(getValueNumber(value, dims));
      });
    } else {
      for (Value operand : op->getOperands())
        info.operands.push_back(getValueNumber(operand, dims));
      info.code = llvm::hash_combine(
          op->getName().getAsOpaquePointer(), op->getAttrDictionary(),
          llvm::hash_combine_range(op->result_type_begin(),
                                   op->result_type_end()));
    }
    for (Value result : op->getResults())
      info.results.push_back(getValueNumber(result, dims));
    info.mayReadRecomputed = llvm::any_of(info.operands, [&](unsigned operand) {
      unsigned producer = values[operand].producer;
      return producer != none && operations[producer].kind == Kind::Recomputed;
    });
  }
}

/// A recomputed operation is a node if something that is in no segment uses its
/// result: a fixed operation, the terminator, another block.
void SegmentGraph::createNodes() {
  for (auto [number, info] : llvm::enumerate(operations)) {
    bool isNode = info.kind == Kind::Node;
    if (info.kind == Kind::Recomputed &&
        !isa<arith::ConstantOp>(info.operation))
      isNode = llvm::any_of(info.operation->getUsers(), [&](Operation *user) {
        auto it = operationNumbers.find(block.findAncestorOpInBlock(*user));
        return it == operationNumbers.end() || operations[it->second].isFixed;
      });
    if (!isNode)
      continue;
    info.node = nodes.size();
    nodes.push_back(
        {info.operation, static_cast<unsigned>(number), info.isFixed});
  }
}

unsigned SegmentGraph::getRead(unsigned value, const DimClasses &dims) {
  ValueInfo &info = values[value];
  if (info.read != none)
    return info.read;
  info.read = reads.size();
  Read read{info.value, getStoredBytes(info.value, dims)};
  if (info.producer != none && operations[info.producer].node != none)
    read.producer = operations[info.producer].node;
  read.isUsedOutside =
      llvm::any_of(info.value.getUsers(), [&](Operation *user) {
        return !operationNumbers.contains(block.findAncestorOpInBlock(*user));
      });
  reads.push_back(std::move(read));
  return info.read;
}

/// Adds to `node` what `operation` reads, looking through what is recomputed.
void SegmentGraph::addReads(unsigned operation, NodeInfo &node,
                            const DimClasses &dims) {
  for (unsigned operand : operations[operation].operands) {
    unsigned producer = values[operand].producer;
    if (!node.isFixed && producer != none &&
        operations[producer].kind == Kind::Recomputed) {
      if (operationStamps[producer] != stamp) {
        operationStamps[producer] = stamp;
        addReads(producer, node, dims);
      }
      continue;
    }
    // Constants are copied wherever they are used.
    if (producer != none &&
        isa<arith::ConstantOp>(operations[producer].operation))
      if (isSchedulable(operations[producer].operation))
        continue;
    unsigned read = getRead(operand, dims);
    if (!llvm::is_contained(node.reads, read))
      node.reads.push_back(read);
  }
}

void SegmentGraph::findReads(const DimClasses &dims) {
  operationStamps.assign(operations.size(), 0);
  unsigned lastInOrder = none;
  for (auto [number, info] : llvm::enumerate(operations)) {
    if (info.node == none)
      continue;
    ++stamp;
    NodeInfo &node = nodes[info.node];
    addReads(number, node, dims);
    for (unsigned result : info.results)
      node.results.push_back(getRead(result, dims));
    for (unsigned read : node.reads)
      if (auto producer = reads[read].producer)
        node.producers.push_back(*producer);
    // What stays outside keeps its order, but for pure scalar computations.
    if (!node.isFixed || (isMemoryEffectFree(node.operation) &&
                          !llvm::any_of(node.operation->getResultTypes(),
                                        llvm::IsaPred<ShapedType>)))
      continue;
    if (lastInOrder != none)
      node.producers.push_back(lastInOrder);
    lastInOrder = info.node;
  }
}

void SegmentGraph::findReductions(const DimClasses &dims) {
  std::map<SmallVector<DimClasses::Class>, unsigned> spaces;
  std::map<ReductionSignature, unsigned> signatures;
  for (NodeInfo &node : nodes) {
    auto reduce = dyn_cast<ReduceOp>(node.operation);
    if (!reduce)
      continue;
    auto signature = ReductionSignature::get(reduce, dims);
    if (signature.reduced.empty())
      continue;
    node.space =
        spaces.try_emplace(signature.space, spaces.size()).first->second;
    auto [it, isNew] = signatures.try_emplace(signature, signatures.size());
    node.signature = it->second;
    if (isNew)
      reducedLoops.emplace_back(*node.space, signature.reduced);
  }
}

/// Renumbers the nodes in post-order from those that nothing needs: each stands
/// close to what it needs, whatever the order of the program.
void SegmentGraph::orderNodes() {
  constexpr unsigned unvisited = none;
  SmallVector<unsigned> newNumber(nodes.size(), unvisited);
  SmallVector<bool> isNeeded(nodes.size()), isOnStack(nodes.size());
  for (const NodeInfo &node : nodes)
    for (Node producer : node.producers)
      isNeeded[producer] = true;
  unsigned next = 0;
  SmallVector<std::pair<Node, unsigned>> stack;
  auto visit = [&](Node root) {
    if (newNumber[root] != unvisited || isOnStack[root])
      return;
    isOnStack[root] = true;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto [node, position] = stack.back();
      ArrayRef<Node> producers = nodes[node].producers;
      if (position == producers.size()) {
        newNumber[node] = next++;
        stack.pop_back();
        continue;
      }
      ++stack.back().second;
      Node producer = producers[position];
      if (newNumber[producer] == unvisited && !isOnStack[producer]) {
        isOnStack[producer] = true;
        stack.push_back({producer, 0});
      }
    }
  };
  for (Node node = 0; node < nodes.size(); ++node)
    if (!isNeeded[node])
      visit(node);

  SmallVector<NodeInfo> ordered(nodes.size());
  for (auto [old, info] : llvm::enumerate(nodes)) {
    for (Node &producer : info.producers)
      producer = newNumber[producer];
    llvm::sort(info.producers);
    info.producers.erase(llvm::unique(info.producers), info.producers.end());
    ordered[newNumber[old]] = std::move(info);
  }
  nodes = std::move(ordered);
  for (OperationInfo &info : operations)
    if (info.node != none)
      info.node = newNumber[info.node];
  for (Read &read : reads)
    if (read.producer)
      read.producer = newNumber[*read.producer];
}

void SegmentGraph::connect() {
  for (auto [number, node] : llvm::enumerate(nodes)) {
    for (Node producer : node.producers)
      nodes[producer].consumers.push_back(number);
    for (unsigned read : node.reads)
      reads[read].readers.push_back(number);
  }
}
