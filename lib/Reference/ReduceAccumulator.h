//===- ReduceAccumulator.h - One reduction of a sweep -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the tiles of a reduction's operand and combines them. The operand comes
// in chunks of consecutive elements. Where the slowest dimension is kept and
// the chunks are aligned to it, they write disjoint results; otherwise every
// chunk has results of its own, which are combined in order at the end. So the
// result does not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_REDUCEACCUMULATOR_H
#define FUSION_LIB_REFERENCE_REDUCEACCUMULATOR_H

#include "Graph.h"
#include "StridedWalk.h"

namespace mlir::fusion::reference {

class ReduceAccumulator {
public:
  ReduceAccumulator(Node &node, const ReferenceOptions &options);
  ReduceAccumulator(ReduceAccumulator &&) = default;

  Node &getOperand() const { return node.operands.front()->core(); }
  /// The number of results.
  int64_t getNumResults() const { return node.numElements; }
  /// True if every chunk needs results of its own.
  bool needsCopies() const { return copies; }
  /// True if the elements must be combined one after the other.
  bool isSequential() const;
  /// Chunks that share results begin at multiples of it.
  int64_t getAlignment() const { return alignment; }

  /// Prepares for `numChunks` chunks.
  void start(unsigned numChunks);
  /// Combines the elements first, ..., first + count - 1. The tiles of one
  /// chunk come in order from one thread at a time.
  void accumulate(unsigned chunk, int64_t first, int64_t count,
                  const TileOperand &elements);
  /// Writes the results to the node, which is held from then on.
  void finish();

private:
  /// The results so far. The rounding error of a sum is that of its elements,
  /// plus roundoff times the sum of their magnitudes. `corrections` are what
  /// sums of f64 have lost to rounding. Of a product `magnitudes` are the
  /// binary logarithms of all factors above 1 together, and `shrinkages` of
  /// those below: how far the partial products of some order go. `repeats`
  /// counts the operands of a sum or product that are as great as one of them,
  /// `samples`: equal ones round equally.
  struct State {
    std::unique_ptr<double[]> floats, errors, magnitudes, corrections,
        shrinkages, samples, repeats;
    std::unique_ptr<int64_t[]> integers;
    bool isEmpty() const { return !floats && !integers; }
  };

  void initialise(State &state) const;
  /// Sums are to be more exact than those of the program: f64 needs more.
  bool isCompensated() const {
    return node.reductionKind == ReductionKind::Add &&
           options.precision == Precision::Double &&
           isa<Float64Type>(node.accumulatorType);
  }
  void mergeFloats(State &total, const State &part) const;
  double getOrderError(const State &total, int64_t i,
                       const FloatFormat &format) const;
  void addOrderErrors(State &total) const;
  void accumulateFloats(State &state, int64_t first, int64_t count,
                        const TileOperand &elements) const;
  void accumulateIntegers(State &state, int64_t first, int64_t count,
                          const TileOperand &elements) const;
  void finishFloats(State &state);
  void finishIntegers(State &state);
  void writeEmpty();

  Node &node;
  const ReferenceOptions &options;
  StridedWalk walk;
  bool withErrors;
  bool copies;
  int64_t alignment;
  /// The elements behind each result.
  int64_t numCombined;
  std::vector<State> states;
};

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_REDUCEACCUMULATOR_H
