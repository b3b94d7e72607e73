//===- Operations.h - What random programs are made of ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of operations and the element types that each takes. An operation
// with an element type is a pair; a test counts which pairs its programs had.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_OPERATIONS_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_OPERATIONS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace mlir::fusion {

/// How the operands and the result of an operation relate.
enum class Form {
  /// One, two or three operands of one float type; so is the result.
  FloatUnary,
  FloatBinary,
  FloatTernary,
  /// A float and an i32 exponent.
  FloatPower,
  /// From floats to i1.
  FloatPredicate,
  FloatCompare,
  IntegerUnary,
  IntegerBinary,
  /// The right operand is a constant for which the operation is defined.
  IntegerDivision,
  IntegerShift,
  /// From integers to i1.
  IntegerCompare,
  /// i1, then two operands of the element type.
  Select,
  /// To another element type.
  Cast,
  Reduce,
  /// Elements stay, shapes change.
  Broadcast,
  Squeeze,
  Transpose,
  Expand,
  Collapse,
  Splat,
  Constant
};

/// One operation of the table.
struct OperationSpec {
  /// The name of the operation; of a reduction, its kind.
  llvm::StringLiteral name;
  Form form;
  /// Correctly rounded, so that every device computes the same bits. A sum
  /// depends on its order, but not on the device that executes it.
  bool isExact = true;
  /// Most negative numbers are outside of its domain.
  bool wantsPositive = false;

  /// True for operations whose operands and result have one shape.
  bool isElementwise() const { return form < Form::Reduce; }
};

llvm::ArrayRef<OperationSpec> getOperationSpecs();

/// The element types of the dialect.
SmallVector<Type> getElementTypes(MLIRContext *context);

/// True if the operation takes operands of `elementType`. Of a select, a
/// constant and a splat it is the type of the result.
bool takes(const OperationSpec &spec, Type elementType);

/// The element types that the cast `spec` can give from `from`.
SmallVector<Type> getCastResults(const OperationSpec &spec, Type from);

/// An operation with an element type that it takes.
struct OperationPair {
  const OperationSpec *spec;
  Type elementType;

  /// E.g. "arith.addf f32", "fusion.reduce maxsi i8".
  std::string str() const;
};

/// All pairs, in the order of the table.
SmallVector<OperationPair> getOperationPairs(MLIRContext *context);

/// The pair that `op` is, as OperationPair::str gives it.
std::string getPairName(Operation *op);

/// True if `op` gives the same bits wherever it is computed in its own types,
/// in any order.
bool isExactEverywhere(Operation *op);

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_OPERATIONS_H
