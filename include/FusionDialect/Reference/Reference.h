//===- Reference.h - The reference interpreter ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a function on tensors exactly as it is written, before any pass:
// the fusion dialect, arith, math, tensor, linalg, and counted loops and
// conditions, which it unrolls. It is the oracle that results are compared with
// (Verify.h); docs/Numerics.md states its arithmetic.
//
// Large values are never held whole: element-wise operations, broadcasts and
// reshapes are computed tile by tile where they are needed, and what is held is
// the operands and results of reductions, of views that are not reshapes, and
// of operations that assemble a tensor from parts.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_REFERENCE_REFERENCE_H
#define FUSIONDIALECT_REFERENCE_REFERENCE_H

#include "FusionDialect/Reference/HostTensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"
#include <limits>

namespace mlir::fusion {

/// The precision in which floats are carried between operations.
enum class Precision {
  /// As doubles. Conversions, and reductions whose result is narrower than
  /// f32, round to their type; overflow is that of each operation's type.
  Double,
  /// Every operation rounds its result to its element type.
  Type
};

/// The factor between the propagated error bounds and what is accepted.
inline constexpr double defaultErrorFactor = 4.0;

struct ReferenceOptions {
  Precision precision = Precision::Double;
  /// Compute a bound on the rounding error of every element of the results.
  bool errors = false;
  /// The factor k by which the bounds count where a rounding or a comparison
  /// must be decided (see docs/Numerics.md). Positive.
  double errorFactor = defaultErrorFactor;
  /// What the order of one reduction adds to the bounds, at most, in roundings
  /// of its total: of the sqrt(n - 1) that any order of n elements may add,
  /// those that a reduction in many accumulators does not exceed. Not negative.
  double maxOrderRoundings = std::numeric_limits<double>::infinity();
};

/// One result of a function, known before its elements are.
struct ResultInfo {
  Type elementType;
  SmallVector<int64_t> shape;
  /// No operation that rounds takes part: every element is exact.
  bool exact;
  /// A small error can become a step on the way to it: at a rounding to 16 or 8
  /// bits, a comparison, a conversion to integers.
  bool hasSteps;
  /// A rounding to f32 or to fewer bits takes part.
  bool roundsToSingle;
  /// A zero whose error is 0 has the sign that IEEE 754 gives it: all
  /// operations on the way to it define that sign.
  bool hasSignedZeros;
};

/// Consecutive elements of one result.
struct ResultTile {
  unsigned result;
  /// Which part of the result the tile belongs to, below `maxResultChunks`. The
  /// parts are the same from run to run; the tiles of one part come in order,
  /// those of different parts concurrently.
  unsigned chunk;
  /// The row-major index of the first element, and the number of elements.
  int64_t first, count;
  /// The elements of a float result; null for others.
  const double *floats;
  /// The elements of an integer, i1 or index result; null for others.
  const int64_t *integers;
  /// For each element a bound on the rounding error of a computation in the
  /// program's own types, to first order; for integers 0 says that the element
  /// is certain. Null if not asked for.
  const double *errors;
};

inline constexpr unsigned maxResultChunks = 64;

/// Called once, before any tile; its failure ends the evaluation.
using ResultPrepare = llvm::function_ref<LogicalResult(ArrayRef<ResultInfo>)>;
/// Takes one tile. It is called from several threads at once.
using ResultSink = llvm::function_ref<void(const ResultTile &)>;

/// Evaluates `function` on `inputs`, one for each argument; scalar arguments
/// are tensors of rank 0. Results are rounded once to their type. Dynamic
/// extents are those of the inputs. Emits an error at the operation concerned
/// and fails for inputs that do not fit the arguments, operations that the
/// reference does not interpret, extents that do not match, and integer
/// division by zero.
FailureOr<SmallVector<HostTensor>>
evaluate(FunctionOpInterface function, ArrayRef<HostTensor> inputs,
         const ReferenceOptions &options = {});

/// The same, giving the results tile by tile, not rounded.
LogicalResult evaluateByTiles(FunctionOpInterface function,
                              ArrayRef<HostTensor> inputs,
                              const ReferenceOptions &options,
                              ResultPrepare prepare, ResultSink sink);

/// Evaluates the single operation `op` on `operands`, one for each of its
/// operands. It must not read values defined outside except by its operands.
FailureOr<SmallVector<HostTensor>>
evaluateOperation(Operation *op, ArrayRef<HostTensor> operands,
                  const ReferenceOptions &options = {});

/// True if there is a reference semantics for operations named `name`.
bool isInterpreted(OperationName name);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_REFERENCE_REFERENCE_H
