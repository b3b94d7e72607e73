//===- ReductionTree.h - What a reduction combines --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operand of a reduction as an expression over loops: which element-wise
// operations make it from which values, and over which of the reduction's loops
// each of them varies. Broadcasts, transposes, squeezes and reshapes are no
// nodes: they only say which loops a dimension of a value stands for.
//
//     reduce(x[i, r] * broadcast(b[i, j]))  over r
//
//        mul {i, j, r}          loops: i, j kept; r reduced
//         |-- x {i, r}
//         `-- b {i, j}
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_REDUCTIONTREE_H
#define FUSIONDIALECT_ANALYSIS_REDUCTIONTREE_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <memory>

namespace mlir::fusion {

/// A set of loops of a tree: bit i is loop i.
using LoopSet = uint64_t;

/// Calls `use` with each loop of `set`, ascending.
template <typename Use>
void forEachLoop(LoopSet set, Use use) {
  for (unsigned loop = 0; set != 0; ++loop, set >>= 1)
    if (set & 1)
      use(loop);
}

/// The loops that a dimension of a value walks over, outermost first: none
/// where the value does not vary, several where loops were collapsed.
using DimLoops = SmallVector<unsigned, 1>;

/// One value of the expression.
struct ReductionTreeNode {
  /// The value in the program: a tensor, or the scalar condition of a select.
  /// Null for the magnitude of a factor of a product whose magnitude is taken.
  Value value;
  /// The loops of each dimension of `value`.
  SmallVector<DimLoops> dimLoops;
  /// What computes it from `operands`; null for a leaf.
  Operation *op = nullptr;
  SmallVector<ReductionTreeNode *, 2> operands;
  /// The loops over which the value varies.
  LoopSet deps = 0;
  /// For a reduction within the tree: the loops that it removes.
  LoopSet reduced = 0;
  /// The operations that disappear with the node if its users do not need it:
  /// `op`, and the shape operations between it and its users.
  SmallVector<Operation *, 2> operations;

  bool isLeaf() const { return !op; }
  /// A constant splat or a tensor.splat.
  bool isSplat() const;
  Type getElementType() const;
  /// No element has its sign bit set, NaN aside.
  bool isNonNegative() const;
};

/// The tree of one reduction.
class ReductionTree {
public:
  using Node = ReductionTreeNode;

  /// The tree below `reduce`; null if it has more loops than a LoopSet holds, a
  /// loop of static extent 0, or no known order of its operations (a graph
  /// region). Operations beyond a
  /// fixed number are leaves, so that the time is bounded.
  static std::unique_ptr<ReductionTree> build(ReduceOp reduce);

  ReduceOp getReduce() const { return reduce; }
  Node *getRoot() const { return root; }
  unsigned getNumLoops() const { return loops.size(); }
  /// The loops that the reduction removes.
  LoopSet getReduced() const { return reduced; }
  /// The loops of each dimension of the reduction's result.
  llvm::ArrayRef<DimLoops> getResultLoops() const { return resultLoops; }
  /// The loops that the reduction keeps.
  LoopSet getKept() const;

  /// Where the extent of a loop comes from: it is static, or dimension `dim` of
  /// the tensor `value`, or the index `value`.
  struct Extent {
    int64_t size = ShapedType::kDynamic;
    Value value;
    int64_t dim = 0;

    bool isStatic() const { return !ShapedType::isDynamic(size); }
  };
  const Extent &getExtent(unsigned loop) const { return loops[loop]; }

  /// All operations between the leaves and the reduction, in order of
  /// discovery.
  llvm::ArrayRef<Operation *> getMembers() const {
    return members.getArrayRef();
  }

private:
  /// A value, and how it lies in the loops.
  struct Place {
    Value value;
    SmallVector<DimLoops> dimLoops;
  };

  explicit ReductionTree(ReduceOp reduce) : reduce(reduce) {}
  bool buildAll();
  unsigned addLoop(int64_t size);
  bool stepThrough(Place &place);
  bool stepThroughCollapse(Place &place, tensor::CollapseShapeOp op);
  std::optional<SmallVector<DimLoops>> splitLoops(const DimLoops &list,
                                                  ArrayRef<int64_t> sizes);
  Node *getNode(Place place, unsigned depth);
  Node *create(Value value, ArrayRef<DimLoops> dimLoops);
  void expand(Node &node, unsigned depth);
  void expandReduction(Node &node, ReduceOp op, unsigned depth);
  Node *getMagnitude(Node *operand, Operation *absolute, unsigned depth);
  void forgetSplatLoops(Node &node);
  void refine(DimLoops &list) const;
  void noteExtents(Node &node);
  static LoopSet computeDeps(Node &node, llvm::DenseSet<Node *> &visited);

  ReduceOp reduce;
  std::vector<std::unique_ptr<Node>> nodes;
  Node *root = nullptr;
  LoopSet reduced = 0;
  SmallVector<DimLoops> resultLoops;
  SmallVector<Extent> loops;
  /// While building: the loops that replace a loop which a reshape splits.
  SmallVector<DimLoops> parts;
  llvm::DenseMap<Value, SmallVector<Node *, 1>> nodesOf;
  llvm::SetVector<Operation *> members;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_REDUCTIONTREE_H
