//===- ReferenceDevice.h - The reference as device and judge ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runner's border to the reference interpreter: it runs the program as it
// is written, and it says whether results are right.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_REFERENCEDEVICE_H
#define FUSIONDIALECT_RUNTIME_REFERENCEDEVICE_H

#include "FusionDialect/Reference/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::fusion {

/// How one result compares with the reference.
struct ResultComparison {
  bool passed = false;
  /// The relative L2 error and the largest that is accepted; without a value
  /// where the result must be equal.
  std::optional<double> relativeError, tolerance;
  /// One sentence: what was found, and where the worst element is.
  std::string summary;
};

/// How results are judged.
struct VerifyOptions {
  /// The accepted relative L2 error; without a value that of the type.
  std::optional<double> relativeTolerance;
};

/// Evaluates `function`, on tensors, for `inputs`. Emits diagnostics.
FailureOr<std::vector<HostTensor>>
evaluateReference(func::FuncOp function, ArrayRef<HostTensor> inputs);

/// Compares `results` with what `function` gives for `inputs`. Emits
/// diagnostics if the reference cannot be evaluated or the types differ.
FailureOr<std::vector<ResultComparison>>
verifyResults(func::FuncOp function, ArrayRef<HostTensor> inputs,
              ArrayRef<HostTensor> results, const VerifyOptions &options);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_REFERENCEDEVICE_H
