//===- DimClasses.cpp - Which dimensions are the same loop ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// True if `op` has a say in which dimensions of its operands are one loop, but
/// is no element-wise operation. All that do are in `DimClasses::visit`.
static bool relatesDims(Operation *op) {
  return isa<BroadcastOp, SqueezeOp, TransposeOp, ReduceOp, SegmentOp, YieldOp,
             tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
      op);
}

DimClasses::DimClasses(Operation *root) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          addValue(argument);
    if (op != root)
      for (Value result : op->getResults())
        addValue(result);
    if (matchPattern(op, m_Constant()) && op->getNumResults() == 1 &&
        llvm::none_of(op->getUsers(), relatesDims))
      uniform.insert(op->getResult(0));
  });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
  build();
}

DimClasses::DimClasses(const Candidate &candidate, const DimClasses &program,
                       llvm::function_ref<ArrayRef<unsigned>(Value)> getLoops) {
  for (Value input : candidate.inputs)
    addValue(input);
  for (Operation *op : candidate.operations) {
    for (Value result : op->getResults())
      addValue(result);
    auto relates = [&](Operation *user) {
      return candidate.operations.contains(user) && relatesDims(user);
    };
    // An output has to be written, with all its elements.
    if (matchPattern(op, m_Constant()) && op->getNumResults() == 1 &&
        llvm::none_of(op->getUsers(), relates) &&
        !llvm::is_contained(candidate.outputs, op->getResult(0)))
      uniform.insert(op->getResult(0));
  }
  for (Operation *op : candidate.operations)
    visit(op);
  DenseMap<unsigned, std::pair<Value, int64_t>> firstOfLoop;
  for (Value value : order)
    for (auto [dim, loop] : llvm::enumerate(getLoops(value))) {
      auto [it, isNew] = firstOfLoop.try_emplace(loop, value, dim);
      if (!isNew)
        unite(it->second.first, it->second.second, value, dim);
    }
  build();
  if (program.conflicts.empty())
    return;
  for (Value value : order)
    if (program.hasClasses(value))
      for (auto [own, known] :
           llvm::zip_equal(getClasses(value), program.getClasses(value)))
        if (program.getConflict(known))
          conflicts.try_emplace(own, value);
}

/// Numbers the classes once all operations have had their say.
void DimClasses::build() {
  // What a kernel has to have loops for comes before views between kernels.
  SmallVector<Product> ordered;
  for (bool isInKernel : {true, false})
    llvm::copy_if(products, std::back_inserter(ordered),
                  [&](const Product &product) {
                    return product.isInKernel == isInKernel;
                  });
  products = std::move(ordered);
  do
    uniteFactors();
  while (refineProducts());
  number();
  inferExtents();
  numberFactors();
}

void DimClasses::addValue(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  firstNode[value] = parents.size();
  order.push_back(value);
  for (int64_t extent : type.getShape()) {
    parents.push_back(parents.size());
    nodeExtents.push_back(extent);
  }
}

unsigned DimClasses::find(unsigned node) {
  while (parents[node] != node)
    node = parents[node] = parents[parents[node]];
  return node;
}

void DimClasses::unite(Value a, int64_t aDim, Value b, int64_t bDim) {
  auto aIt = firstNode.find(a), bIt = firstNode.find(b);
  if (aIt == firstNode.end() || bIt == firstNode.end())
    return;
  unsigned aRoot = find(aIt->second + aDim), bRoot = find(bIt->second + bDim);
  // The smaller node stays root, so that numbering follows program order.
  if (aRoot > bRoot)
    std::swap(aRoot, bRoot);
  parents[bRoot] = aRoot;
}

void DimClasses::uniteAll(Value a, Value b) {
  auto aType = dyn_cast<RankedTensorType>(a.getType());
  auto bType = dyn_cast<RankedTensorType>(b.getType());
  if (!aType || !bType || aType.getRank() != bType.getRank())
    return;
  for (int64_t dim = 0; dim < aType.getRank(); ++dim)
    unite(a, dim, b, dim);
}

/// The dimensions of `group` that are not static units: those carry the extent
/// of a reshape's grouped dimension.
static SmallVector<int64_t> getNonUnitDims(ArrayRef<int64_t> group,
                                           RankedTensorType type) {
  return llvm::filter_to_vector(
      group, [&](int64_t dim) { return type.getDimSize(dim) != 1; });
}

void DimClasses::visit(Operation *op) {
  if (OpTrait::hasElementwiseMappableTraits(op)) {
    for (Value operand : op->getOperands())
      for (Value result : op->getResults())
        if (!isUniform(operand))
          uniteAll(operand, result);
    return;
  }
  bool isInKernel = op->getParentOfType<SegmentOp>() != nullptr;
  auto visitReshape = [&](Value wide, Value narrow,
                          ArrayRef<ReassociationIndices> groups) {
    auto wideIt = firstNode.find(wide), narrowIt = firstNode.find(narrow);
    if (wideIt == firstNode.end() || narrowIt == firstNode.end())
      return;
    auto wideType = cast<RankedTensorType>(wide.getType());
    for (auto [narrowDim, group] : llvm::enumerate(groups)) {
      SmallVector<int64_t> dims = getNonUnitDims(group, wideType);
      if (dims.size() == 1) {
        unite(wide, dims.front(), narrow, narrowDim);
        continue;
      }
      if (dims.empty()) {
        unite(wide, group.front(), narrow, narrowDim);
        continue;
      }
      Product &product = products.emplace_back();
      product.node = narrowIt->second + narrowDim;
      product.isInKernel = isInKernel;
      for (int64_t dim : dims)
        product.factors.push_back(wideIt->second + dim);
    }
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](BroadcastOp op) {
        for (auto [from, to] : llvm::enumerate(op.getDims()))
          if (!op.growsDim(from))
            unite(op.getInput(), from, op.getResult(), to);
      })
      .Case([&](SqueezeOp op) {
        int64_t to = 0;
        for (int64_t dim = 0; dim < op.getInput().getType().getRank(); ++dim)
          if (!llvm::is_contained(op.getDims(), dim))
            unite(op.getInput(), dim, op.getResult(), to++);
      })
      .Case([&](TransposeOp op) {
        for (auto [to, from] : llvm::enumerate(op.getPermutation()))
          unite(op.getInput(), from, op.getResult(), to);
      })
      .Case([&](ReduceOp op) {
        for (auto [to, from] : llvm::enumerate(op.getKeptDims()))
          unite(op.getInput(), from, op.getResult(), to);
      })
      .Case([&](SegmentOp op) {
        for (auto [input, argument] :
             llvm::zip(op.getInputs(), op.getBodyBlock().getArguments()))
          uniteAll(input, argument);
        for (auto [yielded, result] :
             llvm::zip(op.getYielded(), op.getResults()))
          uniteAll(yielded, result);
      })
      .Case([&](tensor::CastOp op) { uniteAll(op.getSource(), op.getDest()); })
      .Case([&](tensor::ExpandShapeOp op) {
        visitReshape(op.getResult(), op.getSrc(), op.getReassociationIndices());
      })
      .Case([&](tensor::CollapseShapeOp op) {
        visitReshape(op.getSrc(), op.getResult(), op.getReassociationIndices());
      });
}

/// Two dimensions of one class that are grouped alike have equal factors. That
/// may unite classes that are products themselves, hence the repetition.
void DimClasses::uniteFactors() {
  bool changed = !products.empty();
  while (changed) {
    changed = false;
    DenseMap<unsigned, const Product *> first;
    for (const Product &product : products) {
      auto [it, isNew] = first.try_emplace(find(product.node), &product);
      if (isNew)
        continue;
      auto extentsOf = [&](const Product &other) {
        return llvm::map_to_vector(
            other.factors, [&](unsigned node) { return nodeExtents[node]; });
      };
      if (extentsOf(*it->second) != extentsOf(product))
        continue;
      for (auto [a, b] : llvm::zip(it->second->factors, product.factors)) {
        unsigned aRoot = find(a), bRoot = find(b);
        if (aRoot == bRoot)
          continue;
        parents[std::max(aRoot, bRoot)] = std::min(aRoot, bRoot);
        changed = true;
      }
    }
  }
}

/// The products of the extents of `factors` from each one but the first to the
/// last, ascending, and then of all; std::nullopt if that is not known.
static std::optional<SmallVector<int64_t>> getCuts(ArrayRef<unsigned> factors,
                                                   ArrayRef<int64_t> extents) {
  SmallVector<int64_t> cuts;
  int64_t cut = 1;
  for (unsigned node : llvm::reverse(factors)) {
    if (ShapedType::isDynamic(extents[node]) || extents[node] == 0 ||
        llvm::MulOverflow(cut, extents[node], cut))
      return std::nullopt;
    cuts.push_back(cut);
  }
  return cuts;
}

/// The cuts of the products of `indices`, each of which divides the next. Drops
/// from `indices` what does not go together with those before it.
SmallVector<int64_t>
DimClasses::getCommonCuts(SmallVectorImpl<size_t> &indices) const {
  SmallVector<int64_t> common;
  llvm::erase_if(indices, [&](size_t index) {
    std::optional<SmallVector<int64_t>> cuts =
        getCuts(products[index].factors, nodeExtents);
    if (!cuts || (!common.empty() && cuts->back() != common.back()))
      return true;
    llvm::append_range(*cuts, common);
    llvm::sort(*cuts);
    cuts->erase(llvm::unique(*cuts), cuts->end());
    for (size_t i = 1; i < cuts->size(); ++i)
      if ((*cuts)[i] % (*cuts)[i - 1])
        return true;
    common = std::move(*cuts);
    return false;
  });
  return common;
}

/// Splits `product` at `cuts` into factors that are no products: `atoms`, from
/// the innermost on. A factor of several atoms becomes a product of them.
void DimClasses::splitProduct(size_t index, ArrayRef<int64_t> cuts,
                              ArrayRef<unsigned> atoms) {
  int64_t cut = 1;
  size_t next = 0;
  SmallVector<unsigned> factors(products[index].factors);
  for (unsigned node : llvm::reverse(factors)) {
    cut *= nodeExtents[node];
    SmallVector<unsigned> own;
    while (next < cuts.size() && cuts[next] <= cut)
      own.push_back(atoms[next++]);
    if (own.size() == 1) {
      unsigned a = find(node), b = find(own.front());
      parents[std::max(a, b)] = std::min(a, b);
      continue;
    }
    products.push_back({node, llvm::to_vector(llvm::reverse(own)),
                        products[index].isInKernel});
  }
  products[index].factors = llvm::to_vector(llvm::reverse(atoms));
}

/// Finds the factors that different groupings of one class have in common: what
/// is 20 x 32 to one reshape and 5 x 128 to another is 5 x 4 x 32. Returns true
/// if there are new ones.
bool DimClasses::refineProducts() {
  llvm::MapVector<unsigned, SmallVector<size_t, 1>> byRoot;
  for (auto [index, product] : llvm::enumerate(products))
    byRoot[find(product.node)].push_back(index);
  bool changed = false;
  for (auto &[root, indices] : byRoot) {
    if (indices.size() == 1 ||
        !getCuts(products[indices.front()].factors, nodeExtents))
      continue;
    SmallVector<int64_t> cuts = getCommonCuts(indices);
    if (llvm::all_of(indices, [&](size_t index) {
          return products[index].factors.size() == cuts.size();
        }))
      continue;
    SmallVector<unsigned> atoms;
    for (auto [position, cut] : llvm::enumerate(cuts)) {
      atoms.push_back(parents.size());
      parents.push_back(parents.size());
      nodeExtents.push_back(position ? cut / cuts[position - 1] : cut);
    }
    for (size_t index : indices)
      splitProduct(index, cuts, atoms);
    changed = true;
  }
  return changed;
}

/// Of a product and its factors, the one extent that is not known follows from
/// the others.
void DimClasses::inferExtents() {
  bool changed = !products.empty();
  while (changed) {
    changed = false;
    for (const Product &product : products) {
      int64_t &whole = extents[classOfNode[product.node]];
      int64_t known = 1, *open = nullptr;
      unsigned numOpen = 0;
      for (unsigned node : product.factors) {
        int64_t &extent = extents[classOfNode[node]];
        if (ShapedType::isDynamic(extent)) {
          open = &extent;
          ++numOpen;
        } else if (llvm::MulOverflow(known, extent, known)) {
          numOpen = 2; // No tensor has so many elements: nothing to infer.
        }
      }
      if (ShapedType::isDynamic(whole) && numOpen == 0) {
        whole = known;
        changed = true;
      } else if (!ShapedType::isDynamic(whole) && numOpen == 1 && known > 0 &&
                 whole % known == 0) {
        *open = whole / known;
        changed = true;
      }
    }
  }
}

void DimClasses::numberFactors() {
  DenseMap<Class, SmallVector<Class, 1>> direct;
  for (const Product &product : products) {
    SmallVector<Class, 1> &list = direct[classOfNode[product.node]];
    if (list.empty())
      for (unsigned node : product.factors)
        list.push_back(classOfNode[node]);
  }
  factors.resize(extents.size());
  for (Class dimClass = 0; dimClass < factors.size(); ++dimClass) {
    // Depth first, outermost factor first. A class inside its own product, as
    // empty extents allow, is left as it is.
    SmallVector<Class> pending{dimClass};
    llvm::SmallDenseSet<Class> expanded;
    while (!pending.empty()) {
      Class next = pending.pop_back_val();
      auto it = direct.find(next);
      if (it == direct.end() || !expanded.insert(next).second)
        factors[dimClass].push_back(next);
      else
        llvm::append_range(pending, llvm::reverse(it->second));
    }
  }
}

void DimClasses::number() {
  DenseMap<unsigned, Class> classOfRoot;
  for (Value value : order) {
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      unsigned node = firstNode[value] + dim;
      auto [it, isNew] = classOfRoot.try_emplace(find(node), extents.size());
      if (isNew)
        extents.push_back(ShapedType::kDynamic);
      int64_t &extent = extents[it->second];
      if (ShapedType::isDynamic(extent))
        extent = nodeExtents[node];
      else if (!ShapedType::isDynamic(nodeExtents[node]) &&
               nodeExtents[node] != extent)
        conflicts.try_emplace(it->second, value);
    }
  }
  // Factors that no tensor has as a dimension.
  for (const Product &product : products)
    for (unsigned node : product.factors)
      if (classOfRoot.try_emplace(find(node), extents.size()).second)
        extents.push_back(nodeExtents[node]);
  for (unsigned node = 0; node < parents.size(); ++node)
    classOfNode.push_back(classOfRoot.lookup(find(node)));
}

bool DimClasses::regroups(Operation *op) const {
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return false;
  auto getLoops = [&](Value value) {
    SmallVector<Class> loops;
    for (Class dimClass : getClasses(value))
      for (Class factor : getFactors(dimClass))
        if (getExtent(factor) != 1)
          loops.push_back(factor);
    return loops;
  };
  return getLoops(op->getOperand(0)) != getLoops(op->getResult(0));
}

DimClasses::Class DimClasses::getClass(Value value, int64_t dim) const {
  assert(hasClasses(value) && "expected a tensor under the root");
  return classOfNode[firstNode.lookup(value) + dim];
}

ArrayRef<DimClasses::Class> DimClasses::getClasses(Value value) const {
  size_t rank = cast<RankedTensorType>(value.getType()).getRank();
  if (!rank)
    return {};
  assert(hasClasses(value) && "expected a tensor under the root");
  return ArrayRef(classOfNode).slice(firstNode.lookup(value), rank);
}

std::optional<Value> DimClasses::getConflict(Class dimClass) const {
  auto it = conflicts.find(dimClass);
  if (it == conflicts.end())
    return std::nullopt;
  return it->second;
}
