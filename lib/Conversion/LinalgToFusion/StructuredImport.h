//===- StructuredImport.h - Import of one structured operation --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structured operation runs its body at each index of its loops. It is
// imported in two steps: the plan (Plan.cpp), which decides and changes
// nothing, and the rewrite (Rewrite.cpp), which cannot fail.
//
// A value of the body becomes a tensor over those loops that it depends on, in
// ascending order: the body's constants have none, an input has those in its
// indexing map.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_LINALGTOFUSION_STRUCTUREDIMPORT_H
#define FUSION_LIB_CONVERSION_LINALGTOFUSION_STRUCTUREDIMPORT_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <optional>
#include <variant>

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mlir::fusion {

/// Why an operation is not imported.
enum class ImportObstacle {
  /// It works on buffers, or on tensors with an encoding or without rank.
  Operands,
  /// An element type that the dialect does not have.
  ElementType,
  /// An indexing map that is neither a projected permutation nor one with
  /// zeros for unit dimensions.
  IndexingMap,
  /// An operation of the body that is not element-wise in arith or math.
  BodyOperation,
  /// The body does not combine an element with the result so far by a kind of
  /// fusion.reduce.
  Combiner,
  /// The result so far is read, but nothing was written to it.
  Uninitialized,
  /// A product of tensors summed over a loop that no operand covers: a matrix
  /// product or its like.
  Contraction,
  /// An operation without loops and body, such as linalg.pack.
  Unstructured,
  /// An operation that moves elements at run time, which no kernel holds.
  DataMovement,
};

/// The obstacle in words, e.g. "indexing-map".
llvm::StringRef stringifyImportObstacle(ImportObstacle obstacle);

/// A typed refusal: the operation that caused it and what was expected.
struct ImportRefusal {
  ImportObstacle obstacle;
  Operation *operation;
  std::string hint;
};

namespace import {

/// Which loop each dimension of an operand walks along; none for a unit
/// dimension at position 0.
using Layout = SmallVector<std::optional<unsigned>>;

/// Sorted loops.
using Loops = SmallVector<unsigned>;

/// The loops of a layout.
Loops getLoops(const Layout &layout);

/// How a result is made.
struct ResultPlan {
  /// Nothing uses it.
  bool isUnused = false;
  /// The loops that are combined; empty for an element-wise result.
  Loops reducedLoops;
  ReductionKind kind{};
  arith::FastMathFlags fastmath = arith::FastMathFlags::none;
  /// What is combined with the init: all of these at each index.
  SmallVector<Value> elements;
  /// The result so far is extended before it is combined, and the total
  /// truncated: the body accumulates in this type. Null if it does not.
  Type wideType;
};

/// How an operation is imported.
struct Plan {
  SmallVector<Layout> layouts; // inputs, then inits
  SmallVector<ResultPlan> results;
  /// The operations of the body that are needed, in order.
  SmallVector<Operation *> body;
  /// The arguments of the body that are needed.
  llvm::SmallDenseSet<unsigned> arguments;
};

/// Decides how `op` is imported, or why it is not.
std::variant<Plan, ImportRefusal> planImport(linalg::LinalgOp op);

/// Builds the results of `op` before it; null for those that nothing uses.
SmallVector<Value> rewriteStructured(linalg::LinalgOp op, const Plan &plan,
                                     RewriterBase &rewriter);

/// True if `op` moves elements of tensors instead of computing them.
bool movesData(Operation *op);
/// True if `op` does so by copies that the host function makes.
bool staysBetweenSegments(Operation *op);
/// Replaces `op` by a slice that is inserted into a splat, or says why not.
std::optional<ImportRefusal> importPad(tensor::PadOp op, IRRewriter &rewriter);

/// The number that every element of `value` is, where that is known: of a
/// constant, and through splats and broadcasts.
TypedAttr getSplatValue(Value value);

/// True if no element of `value` can be -0.0: sums of squares and exponentials
/// are found.
bool isNeverNegativeZero(Value value);

} // namespace import
} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_LINALGTOFUSION_STRUCTUREDIMPORT_H
