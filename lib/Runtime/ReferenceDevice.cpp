//===- ReferenceDevice.cpp - The reference as device and judge ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/ReferenceDevice.h"

#if FUSION_HAS_REFERENCE
#include "FusionDialect/Reference/Reference.h"
#endif

using namespace mlir;
using namespace mlir::fusion;

#if FUSION_HAS_REFERENCE

FailureOr<std::vector<HostTensor>>
mlir::fusion::evaluateReference(func::FuncOp function,
                                ArrayRef<HostTensor> inputs) {
  FailureOr<SmallVector<HostTensor>> results = evaluate(function, inputs);
  if (failed(results))
    return failure();
  return std::vector<HostTensor>(results->begin(), results->end());
}

#else

FailureOr<std::vector<HostTensor>>
mlir::fusion::evaluateReference(func::FuncOp function, ArrayRef<HostTensor>) {
  return function.emitError("this build has no reference interpreter");
}

#endif // FUSION_HAS_REFERENCE

FailureOr<std::vector<ResultComparison>>
mlir::fusion::verifyResults(func::FuncOp function, ArrayRef<HostTensor> inputs,
                            ArrayRef<HostTensor> results,
                            const VerifyOptions &options) {
  return function.emitError("this build has no reference interpreter");
}
