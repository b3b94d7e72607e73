//===- Sweep.h - One pass over an index space -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates several values of equally many elements together: what they have in
// common is computed once for each tile. The elements are split in chunks that
// are evaluated in parallel.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_SWEEP_H
#define FUSION_LIB_REFERENCE_SWEEP_H

#include "Graph.h"

namespace mlir::fusion::reference {

/// What a sweep does with the tiles of a value.
struct SweepRoot {
  enum class Use {
    /// Store the elements; `node` is held afterwards.
    Hold,
    /// `node` is a Reduce: combine the elements of its operand.
    Reduce,
    /// Give them to the sink as result number `result`.
    Sink
  };
  Use use;
  Node *node;
  unsigned result = 0;

  /// The value whose tiles are needed.
  Node &getValue() const {
    return use == Use::Reduce ? node->operands.front()->core() : node->core();
  }
};

/// Evaluates the roots, whose values all have `numElements` elements and depend
/// on available nodes only, otherwise than through streamed nodes.
void runSweep(int64_t numElements, ArrayRef<SweepRoot> roots,
              const ReferenceOptions &options, ResultSink sink);

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_SWEEP_H
