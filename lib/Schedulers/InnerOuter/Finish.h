//===- Finish.h - From partial results to totals ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LIB_SCHEDULERS_INNEROUTER_FINISH_H
#define LIB_SCHEDULERS_INNEROUTER_FINISH_H

#include "KernelContext.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fusion::innerouter {

/// The inputs of the candidate that the finish reads.
llvm::SetVector<Value> getFinishInputs(const RowColumnGraph &graph);

/// Emits the finish at the end of the main kernel: all blocks of the grid meet,
/// then each adds up the columns of some chunks.
void emitGridFinish(KernelContext &kernel);

} // namespace mlir::fusion::innerouter

#endif // LIB_SCHEDULERS_INNEROUTER_FINISH_H
