//===- DimClasses.h - Which dimensions are the same loop --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two tensor dimensions are in one class if every program point that indexes
// one indexes the other: operands and result of an element-wise operation, both
// sides of a broadcast except where an extent 1 grows, kept dimensions of a
// reduction, and so on. Schedulers ask for classes and never walk paths.
//
// A splat constant is *uniform* if of the operations that say which dimensions
// are one loop only element-wise ones use it: it fits any loops, so its
// dimensions are classes of their own. (A function may return it as well: a
// kernel knows nothing of that.) Otherwise a zero that
// the program writes once for tensors of equal shapes would make their loops
// equal.
//
// A reshape that groups dimensions makes the class of the grouped dimension a
// product: its *factors* are the classes of the dimensions in the group.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_DIMCLASSES_H
#define FUSIONDIALECT_ANALYSIS_DIMCLASSES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::fusion {

struct Candidate;

/// The classes of all dimensions of all ranked tensors in an operation,
/// segments included. An analysis: get it from an AnalysisManager.
class DimClasses {
public:
  /// A class; equal numbers are equal classes. Numbers follow program order.
  using Class = unsigned;

  explicit DimClasses(Operation *root);
  /// Those of the tensors of `candidate` as its operations relate them, and as
  /// `getLoops` says: dimensions of two values that have one number there are
  /// one loop. It gives nothing where it knows nothing. What contradicts itself
  /// in `program`, the classes of all around, does so here.
  DimClasses(const Candidate &candidate, const DimClasses &program,
             llvm::function_ref<llvm::ArrayRef<unsigned>(Value)> getLoops);
  /// True for a ranked tensor that was under the root, or in the candidate,
  /// when this was made.
  bool hasClasses(Value value) const { return firstNode.contains(value); }
  /// The class of dimension `dim` of `value`, which has classes.
  Class getClass(Value value, int64_t dim) const;
  /// The classes of all dimensions of `value`, outermost first.
  llvm::ArrayRef<Class> getClasses(Value value) const;
  /// The static extent of a class: that of a member, or what a product and its
  /// other factors leave; ShapedType::kDynamic if neither says.
  int64_t getExtent(Class dimClass) const { return extents[dimClass]; }
  /// The classes that `dimClass` is the product of, outermost first, none of
  /// them a product itself; `dimClass` alone if it is none. Extents of 1 are
  /// left out of a product. Where two reshapes group the elements of one class
  /// differently, the factors are those that both groupings are products of, if
  /// there are such (20 x 32 and 5 x 128 are 5 x 4 x 32; 2 x 3 and 3 x 2 have
  /// none), else those of the first in program order; what is in a segment is
  /// before what is not.
  llvm::ArrayRef<Class> getFactors(Class dimClass) const {
    return factors[dimClass];
  }
  /// True for a reshape that groups elements in another way than the classes of
  /// its operand and result say: no kernel has loops for both sides.
  bool regroups(Operation *op) const;
  /// True if `value` is a constant without loops.
  bool isUniform(Value value) const { return uniform.contains(value); }
  /// A member whose static extent contradicts the class's, if there is one:
  /// the program is inconsistent there.
  std::optional<Value> getConflict(Class dimClass) const;

private:
  void build();
  void addValue(Value value);
  void visit(Operation *op);
  void unite(Value a, int64_t aDim, Value b, int64_t bDim);
  void uniteAll(Value a, Value b);
  unsigned find(unsigned node);
  void uniteFactors();
  bool refineProducts();
  llvm::SmallVector<int64_t>
  getCommonCuts(llvm::SmallVectorImpl<size_t> &indices) const;
  void splitProduct(size_t index, llvm::ArrayRef<int64_t> cuts,
                    llvm::ArrayRef<unsigned> atoms);
  void number();
  void inferExtents();
  void numberFactors();

  /// A dimension that is a product of others: nodes.
  struct Product {
    unsigned node;
    llvm::SmallVector<unsigned> factors;
    /// The reshape is in a segment.
    bool isInKernel = false;
  };

  /// The node of each tensor's dimension 0; the others follow it.
  llvm::DenseMap<Value, unsigned> firstNode;
  llvm::SmallVector<Value> order;
  llvm::DenseSet<Value> uniform;
  llvm::SmallVector<int64_t> nodeExtents;
  llvm::SmallVector<unsigned> parents;
  /// What reshapes say, in program order.
  llvm::SmallVector<Product> products;
  /// By node.
  llvm::SmallVector<Class> classOfNode;
  /// By class: extents, factors, conflicts.
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<llvm::SmallVector<Class, 1>> factors;
  llvm::DenseMap<Class, Value> conflicts;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_DIMCLASSES_H
