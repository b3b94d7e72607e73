//===- MathAccuracy.h - Error bounds of math operations ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How accurate each operation of the math dialect is: what the compiler may
// choose an implementation by, and what verification accepts. docs/Numerics.md
// shows the table.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_REFERENCE_MATHACCURACY_H
#define FUSIONDIALECT_REFERENCE_MATHACCURACY_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::fusion {

/// The largest distance between a result and the correctly rounded result, in
/// units in the last place of the type; 0 says correctly rounded.
struct MathAccuracy {
  /// The operation's full name, as in "math.exp".
  llvm::StringRef operation;
  double ulpsF32;
  double ulpsF64;
};

/// All operations that round, sorted by name.
llvm::ArrayRef<MathAccuracy> getMathAccuracies();

/// The bound of `operation` on elements of `type`; none if the operation is not
/// in the table. Types of 16 and 8 bits are computed in f32 and rounded once
/// more, which gives at most 1.
std::optional<double> getMathAccuracyUlps(llvm::StringRef operation,
                                          FloatType type);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_REFERENCE_MATHACCURACY_H
