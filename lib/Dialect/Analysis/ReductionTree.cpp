//===- ReductionTree.cpp - What a reduction combines ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ReductionTree.h"
#include "FusionDialect/IR/Algebra.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionKindInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

/// Beyond these the operands are leaves: bounds on the time of one tree.
static constexpr unsigned maxNodes = 128, maxDepth = 64;
static constexpr unsigned maxLoops = std::numeric_limits<LoopSet>::digits;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

bool ReductionTreeNode::isSplat() const {
  if (!value || !isa<RankedTensorType>(value.getType()))
    return false;
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat();
  return value.getDefiningOp<tensor::SplatOp>() != nullptr;
}

Type ReductionTreeNode::getElementType() const {
  return value ? getElementTypeOrSelf(value.getType())
               : operands.front()->getElementType();
}

bool ReductionTreeNode::isNonNegative() const {
  return value ? fusion::isNonNegative(value)
               // A magnitude, or a product of magnitudes.
               : true;
}

/// True if a reduction may be seen through `op`, for some combining kind.
static bool isTransparent(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  if (isa<arith::SelectOp, math::AbsFOp, arith::DivFOp>(op))
    return true;
  StringRef name = op->getName().getStringRef();
  for (const CombinerTraits &traits : getCombinerTable())
    if (name == traits.floatCombine || name == traits.integerCombine ||
        name == traits.floatInverse || name == traits.integerInverse)
      return true;
  return llvm::any_of(getMonotoneTable(), [&](const MonotoneTraits &traits) {
    return name == traits.operation;
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

unsigned ReductionTree::addLoop(int64_t size) {
  loops.push_back({size, Value(), 0});
  parts.emplace_back();
  return loops.size() - 1;
}

LoopSet ReductionTree::getKept() const {
  LoopSet kept = 0;
  for (const DimLoops &list : resultLoops)
    for (unsigned loop : list)
      kept |= LoopSet(1) << loop;
  return kept;
}

/// Replaces loops that were split since by their parts.
void ReductionTree::refine(DimLoops &list) const {
  if (llvm::all_of(list, [&](unsigned loop) { return parts[loop].empty(); }))
    return;
  DimLoops refined;
  for (unsigned loop : list) {
    DimLoops part = parts[loop].empty() ? DimLoops{loop} : parts[loop];
    if (!parts[loop].empty())
      refine(part);
    refined.append(part);
  }
  list = refined;
}

/// The loops of `list` dealt to dimensions of extents `sizes`; a loop that
/// spans several of them is split. Nothing if the boundaries do not meet.
std::optional<SmallVector<DimLoops>>
ReductionTree::splitLoops(const DimLoops &list, ArrayRef<int64_t> sizes) {
  SmallVector<DimLoops> result(sizes.size());
  SmallVector<unsigned> wide;
  for (auto [i, size] : llvm::enumerate(sizes))
    if (size != 1)
      wide.push_back(i);
  if (wide.size() <= 1) {
    result[wide.empty() ? 0 : wide.front()] = list;
    return result;
  }
  auto isStatic = [&](unsigned loop) { return loops[loop].isStatic(); };
  if (llvm::any_of(sizes, ShapedType::isDynamic) ||
      !llvm::all_of(list, isStatic) || llvm::is_contained(sizes, 0) ||
      loops.size() + wide.size() > maxLoops)
    return std::nullopt;
  if (list.size() == 1) {
    DimLoops split;
    for (unsigned i : wide) {
      split.push_back(addLoop(sizes[i]));
      result[i] = {split.back()};
    }
    parts[list.front()] = split;
    return result;
  }
  const unsigned *next = list.begin();
  for (unsigned i : wide) {
    int64_t product = 1;
    while (product < sizes[i] && next != list.end()) {
      product *= loops[*next].size;
      result[i].push_back(*next++);
    }
    if (product != sizes[i])
      return std::nullopt;
  }
  // Loops of extent 1 may be left over; they belong to any dimension.
  for (; next != list.end(); ++next) {
    if (loops[*next].size != 1)
      return std::nullopt;
    result[wide.back()].push_back(*next);
  }
  return result;
}

bool ReductionTree::stepThroughCollapse(Place &place,
                                        tensor::CollapseShapeOp op) {
  RankedTensorType source = op.getSrcType();
  SmallVector<DimLoops> sourceLoops(source.getRank());
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<int64_t> sizes = llvm::map_to_vector(
        group, [&](int64_t inner) { return source.getDimSize(inner); });
    // A dimension along which the value does not vary is a static unit.
    if (place.dimLoops[dim].empty())
      continue;
    auto dealt = splitLoops(place.dimLoops[dim], sizes);
    if (!dealt)
      return false;
    for (auto [inner, list] : llvm::zip(group, *dealt))
      sourceLoops[inner] = list;
  }
  place = {op.getSrc(), sourceLoops};
  return true;
}

/// Moves `place` to the operand of the shape operation that makes it; false if
/// none does, or one that does not keep the loops apart.
bool ReductionTree::stepThrough(Place &place) {
  Operation *op = place.value.getDefiningOp();
  if (!op || op->getBlock() != reduce->getBlock())
    return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](BroadcastOp op) {
        unsigned nextSize = 0;
        for (int64_t dim : op.getRepeatedDims()) {
          if (!op.getType().isDynamicDim(dim))
            continue;
          Value size = op.getDynamicSizes()[nextSize++];
          for (unsigned loop : place.dimLoops[dim])
            if (!loops[loop].isStatic())
              loops[loop].value = size;
        }
        SmallVector<DimLoops> inputLoops;
        for (auto [from, to] : llvm::enumerate(op.getDims()))
          inputLoops.push_back(op.growsDim(from) ? DimLoops()
                                                 : place.dimLoops[to]);
        place = {op.getInput(), inputLoops};
        return true;
      })
      .Case([&](SqueezeOp op) {
        SmallVector<DimLoops> inputLoops;
        unsigned next = 0;
        for (int64_t dim = 0; dim < op.getInput().getType().getRank(); ++dim)
          inputLoops.push_back(llvm::is_contained(op.getDims(), dim)
                                   ? DimLoops()
                                   : place.dimLoops[next++]);
        place = {op.getInput(), inputLoops};
        return true;
      })
      .Case([&](TransposeOp op) {
        SmallVector<DimLoops> inputLoops(place.dimLoops.size());
        for (auto [to, from] : llvm::enumerate(op.getPermutation()))
          inputLoops[from] = place.dimLoops[to];
        place = {op.getInput(), inputLoops};
        return true;
      })
      .Case([&](tensor::ExpandShapeOp op) {
        // Splitting a dynamic extent needs its parts: leave it whole.
        SmallVector<DimLoops> sourceLoops;
        for (const ReassociationIndices &group : op.getReassociationIndices()) {
          DimLoops list;
          unsigned wide = 0;
          bool isDynamic = false;
          for (int64_t inner : group) {
            list.append(place.dimLoops[inner]);
            wide += op.getResultType().getDimSize(inner) != 1;
            isDynamic |= op.getResultType().isDynamicDim(inner);
          }
          if (isDynamic && wide > 1)
            return false;
          sourceLoops.push_back(list);
        }
        place = {op.getSrc(), sourceLoops};
        return true;
      })
      .Case([&](tensor::CollapseShapeOp op) {
        return stepThroughCollapse(place, op);
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

ReductionTree::Node *ReductionTree::create(Value value,
                                           ArrayRef<DimLoops> dimLoops) {
  nodes.push_back(std::make_unique<Node>());
  nodes.back()->value = value;
  nodes.back()->dimLoops.assign(dimLoops.begin(), dimLoops.end());
  return nodes.back().get();
}

/// The node of `place`, seen through shape operations.
ReductionTree::Node *ReductionTree::getNode(Place place, unsigned depth) {
  SmallVector<Operation *> passed;
  for (;;) {
    Operation *op = place.value.getDefiningOp();
    if (!stepThrough(place))
      break;
    passed.push_back(op);
    members.insert(op);
  }
  for (DimLoops &list : place.dimLoops)
    refine(list);
  Node *node = nullptr;
  for (Node *known : nodesOf[place.value]) {
    for (DimLoops &list : known->dimLoops)
      refine(list);
    if (known->dimLoops == place.dimLoops)
      node = known;
  }
  if (!node) {
    node = create(place.value, place.dimLoops);
    nodesOf[place.value].push_back(node);
    if (node->isSplat())
      forgetSplatLoops(*node);
    else
      expand(*node, depth);
  }
  node->operations.append(passed);
  return node;
}

/// A splat varies nowhere; the extents of a dynamic one are its operands.
void ReductionTree::forgetSplatLoops(Node &node) {
  if (auto splat = node.value.getDefiningOp<tensor::SplatOp>()) {
    unsigned nextSize = 0;
    for (auto [dim, list] : llvm::enumerate(node.dimLoops)) {
      if (!splat.getType().isDynamicDim(dim))
        continue;
      Value size = splat.getDynamicSizes()[nextSize++];
      for (unsigned loop : list)
        if (!loops[loop].isStatic())
          loops[loop].value = size;
    }
  }
  llvm::fill(node.dimLoops, DimLoops());
}

/// Gives `node` its operands, if the operation that computes it is one that a
/// reduction may be seen through.
void ReductionTree::expand(Node &node, unsigned depth) {
  Operation *op = node.value.getDefiningOp();
  if (!op || op->getBlock() != reduce->getBlock() || nodes.size() >= maxNodes ||
      depth >= maxDepth)
    return;
  if (auto inner = dyn_cast<ReduceOp>(op))
    return expandReduction(node, inner, depth);
  if (!isTransparent(op))
    return;
  members.insert(op);
  node.operations.push_back(op);
  if (isa<math::AbsFOp>(op)) {
    Node *operand = getNode({op->getOperand(0), node.dimLoops}, depth + 1);
    if (operand->op && isa<arith::MulFOp, arith::DivFOp>(operand->op)) {
      // |a b| is |a| |b|, whatever a and b are.
      node.op = operand->op;
      node.operations.append(operand->operations);
      for (Node *factor : operand->operands)
        node.operands.push_back(getMagnitude(factor, op, depth + 1));
      return;
    }
    node.op = op;
    node.operands.push_back(operand);
    return;
  }
  node.op = op;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    node.operands.push_back(isTensor
                                ? getNode({operand, node.dimLoops}, depth + 1)
                                : create(operand, {}));
  }
}

/// |operand|, computed by copies of `absolute` where it is not known to be
/// `operand` itself.
ReductionTree::Node *ReductionTree::getMagnitude(Node *operand,
                                                 Operation *absolute,
                                                 unsigned depth) {
  if (operand->isNonNegative())
    return operand;
  Node *node = create(Value(), {});
  node->op = absolute;
  if (operand->op && depth < maxDepth &&
      isa<arith::MulFOp, arith::DivFOp>(operand->op)) {
    node->op = operand->op;
    for (Node *factor : operand->operands)
      node->operands.push_back(getMagnitude(factor, absolute, depth + 1));
    return node;
  }
  node->operands.push_back(operand);
  return node;
}

/// A reduction within the tree has loops of its own.
void ReductionTree::expandReduction(Node &node, ReduceOp op, unsigned depth) {
  unsigned numNew = op.getDims().size();
  if (loops.size() + numNew > maxLoops)
    return;
  members.insert(op);
  node.op = op;
  node.operations.push_back(op);
  RankedTensorType type = op.getInput().getType();
  SmallVector<DimLoops> inputLoops(type.getRank());
  for (auto [to, from] : llvm::enumerate(op.getKeptDims()))
    inputLoops[from] = node.dimLoops[to];
  for (int64_t dim : op.getDims()) {
    inputLoops[dim] = {addLoop(type.getDimSize(dim))};
    node.reduced |= LoopSet(1) << inputLoops[dim].front();
  }
  node.operands.push_back(getNode({op.getInput(), inputLoops}, depth + 1));
}

bool ReductionTree::buildAll() {
  RankedTensorType type = reduce.getInput().getType();
  SmallVector<DimLoops> rootLoops;
  for (int64_t extent : type.getShape())
    rootLoops.push_back({addLoop(extent)});
  SmallVector<DimLoops> reducedLists;
  for (int64_t dim : reduce.getDims())
    reducedLists.push_back(rootLoops[dim]);
  for (int64_t dim : reduce.getKeptDims())
    resultLoops.push_back(rootLoops[dim]);
  root = getNode({reduce.getInput(), rootLoops}, 0);

  // Loops that reshapes split stand where they stood, so that a value over
  // loops in ascending order has the program's order of dimensions.
  SmallVector<std::optional<unsigned>> renumbered(loops.size());
  SmallVector<Extent> order;
  auto renumber = [&](DimLoops &list) {
    refine(list);
    for (unsigned &loop : list) {
      if (!renumbered[loop]) {
        renumbered[loop] = order.size();
        order.push_back(loops[loop]);
      }
      loop = *renumbered[loop];
    }
  };
  auto toSet = [&](DimLoops list) {
    LoopSet set = 0;
    for (unsigned loop : list)
      set |= LoopSet(1) << loop;
    return set;
  };
  for (DimLoops list : rootLoops)
    renumber(list);
  for (DimLoops &list : resultLoops)
    renumber(list);
  for (DimLoops &list : reducedLists) {
    renumber(list);
    reduced |= toSet(list);
  }
  for (const std::unique_ptr<Node> &node : nodes) {
    LoopSet removed = 0;
    forEachLoop(node->reduced, [&](unsigned loop) {
      DimLoops list = {loop};
      renumber(list);
      removed |= toSet(list);
    });
    node->reduced = removed;
    for (DimLoops &list : node->dimLoops)
      renumber(list);
  }
  loops = std::move(order);
  llvm::DenseSet<Node *> visited;
  computeDeps(*root, visited);
  for (const std::unique_ptr<Node> &node : nodes)
    if (node->isLeaf())
      noteExtents(*node);
  // Without elements there is nothing to gain; folders know the value.
  return llvm::all_of(loops, [](const Extent &extent) {
    return extent.isStatic() ? extent.size != 0 : extent.value != nullptr;
  });
}

LoopSet ReductionTree::computeDeps(Node &node,
                                   llvm::DenseSet<Node *> &visited) {
  if (!visited.insert(&node).second)
    return node.deps;
  if (node.isLeaf())
    for (const DimLoops &list : node.dimLoops)
      for (unsigned loop : list)
        node.deps |= LoopSet(1) << loop;
  for (Node *operand : node.operands)
    node.deps |= computeDeps(*operand, visited);
  node.deps &= ~node.reduced;
  return node.deps;
}

/// Dynamic extents are read from leaves: what is computed may disappear.
void ReductionTree::noteExtents(Node &node) {
  for (auto [dim, list] : llvm::enumerate(node.dimLoops)) {
    if (!cast<RankedTensorType>(node.value.getType()).isDynamicDim(dim))
      continue;
    // The others of the dimension are units.
    for (unsigned loop : list)
      if (!loops[loop].isStatic() && !loops[loop].value)
        loops[loop] = {ShapedType::kDynamic, node.value,
                       static_cast<int64_t>(dim)};
  }
}

std::unique_ptr<ReductionTree> ReductionTree::build(ReduceOp reduce) {
  if (!mayHaveSSADominance(*reduce->getParentRegion()) ||
      reduce.getInput().getType().getRank() >
          std::numeric_limits<LoopSet>::digits)
    return nullptr;
  std::unique_ptr<ReductionTree> tree(new ReductionTree(reduce));
  if (!tree->buildAll())
    return nullptr;
  return tree;
}
