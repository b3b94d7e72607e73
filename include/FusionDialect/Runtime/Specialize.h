//===- Specialize.h - A program for given shapes ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_SPECIALIZE_H
#define FUSIONDIALECT_RUNTIME_SPECIALIZE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// True if an argument of `function` is a tensor with an extent that is only
/// known at run time.
bool hasDynamicArguments(func::FuncOp function);

/// Gives the arguments of `function` the extents `shapes`, one list for each
/// argument (ignored for what is no tensor), and everything that follows from
/// them their static types. Nothing may call the function. Fails with an error
/// at an argument whose type the shape does not fit.
LogicalResult specialize(func::FuncOp function,
                         ArrayRef<SmallVector<int64_t>> shapes);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_SPECIALIZE_H
