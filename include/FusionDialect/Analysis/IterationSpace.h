//===- IterationSpace.h - The loops of a candidate --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops that a kernel for a candidate would have, and how each tensor lies
// in them. A loop is a run of dimension classes that every tensor has together
// and in this order, or not at all: softmax of a tensor<8x16x4096> has two, the
// 128 rows and the 4096 columns. Extents of 1 are no loops, and reshapes that
// only group dimensions are looked through:
//
//     value                      loops (b = 8, s = 256, h = 1152)
//     x      [8, 256, 1152]      b, s, h   strides 294912, 1152, 1
//     scale  [8, 1, 1152]        b,    h   strides 1152, 0, 1
//     mean   [8, 256]            b, s      strides 256, 1, 0
//
// A loop whose extent is only known at run time has a stride only as the
// outermost dimension of a tensor, so that no other stride depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_ITERATIONSPACE_H
#define FUSIONDIALECT_ANALYSIS_ITERATIONSPACE_H

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"

namespace mlir::fusion {

/// Over what a value of a kernel of rows and columns varies.
enum class Space { Scalar, Row, Column, RowColumn };

/// A set of loops: bit i is loop i.
using LoopSet = uint64_t;

/// One loop of an iteration space.
struct Loop {
  /// The number of iterations; for a dynamic loop, of iterations for each one
  /// of its dynamic class.
  int64_t extent = 1;
  /// The class whose extent is only known at run time, if there is one. The
  /// loop then runs over that extent times `extent`.
  std::optional<DimClasses::Class> dynamicClass = std::nullopt;

  bool isDynamic() const { return dynamicClass.has_value(); }
  /// The number of iterations; with a dynamic extent as many as
  /// assumedDynamicExtent gives.
  int64_t estimate() const;
};

/// The loops of a candidate. Copies are cheap: they share what was built.
class IterationSpace {
public:
  /// A reduction over at least one loop.
  struct Reduction {
    ReduceOp operation;
    /// What it reduces.
    LoopSet loops;
    /// The number of reductions in a chain before its operand.
    unsigned level;
  };

  /// The space of `candidate`, or why there is none. Rejects operations that
  /// are not schedulable or not pure, reshapes that regroup elements, and
  /// dynamic extents that another stride depends on.
  static std::variant<IterationSpace, Rejection>
  build(const Candidate &candidate, const DimClasses &dims);

  /// The same, built once for all schedulers that are asked about `candidate`.
  static std::variant<IterationSpace, Rejection> get(const Candidate &candidate,
                                                     const Facts &facts);

  const Candidate &getCandidate() const { return data->candidate; }
  /// The loops in the order in which the tensors with most of them lie in
  /// memory, outermost first.
  ArrayRef<Loop> getLoops() const { return data->loops; }
  /// All loops.
  LoopSet getAllLoops() const { return (LoopSet(1) << data->loops.size()) - 1; }
  /// The loops over which `value` varies; none for a scalar. For any value of
  /// the candidate.
  LoopSet getLoops(Value value) const {
    return data->values.lookup(value).loops;
  }
  /// Elements from one iteration of each loop to the next in the buffer of
  /// `value`, contiguous and row-major; 0 where it does not vary. For inputs
  /// and outputs; and for results of fusion.iota, where they are the steps of
  /// the position itself.
  ArrayRef<int64_t> getStrides(Value value) const;
  /// The reductions in program order. One over extents of 1 is none: it gives
  /// its operand, converted.
  ArrayRef<Reduction> getReductions() const { return data->reductions; }
  /// The number of reductions in a chain before `value`.
  unsigned getLevel(Value value) const {
    return data->values.lookup(value).level;
  }
  /// Where `value` lives in a kernel whose columns are the loops of `columns`
  /// and whose rows are the others. A value that varies over some of the rows
  /// lives in the rows.
  Space getSpace(Value value, LoopSet columns) const;
  /// The product of the extents of `set`; std::nullopt if one is dynamic.
  std::optional<int64_t> getNumIterations(LoopSet set) const;
  /// The loops of `set`, at most one of which is dynamic, as one loop.
  Loop getProduct(LoopSet set) const;
  /// The class whose extent is only known at run time: that of the first
  /// dynamic loop, if there is one.
  std::optional<DimClasses::Class> getDynamicClass() const;
  /// The number of elements of `value`, an input or output; with a dynamic
  /// extent, for each one of it.
  int64_t getNumElementsPerExtent(Value value) const;
  /// True if the space has no point: an extent is 0.
  bool isEmpty() const;

  /// One line for each loop, input, output and reduction.
  void print(raw_ostream &os) const;

private:
  class Builder;

  struct ValueInfo {
    LoopSet loops = 0;
    unsigned level = 0;
    /// Values of one layout have the same dimensions: their strides, where
    /// they are known.
    unsigned layout = 0;
  };

  struct Data {
    Candidate candidate;
    SmallVector<Loop> loops;
    SmallVector<Reduction> reductions;
    DenseMap<Value, ValueInfo> values;
    /// By layout; none for one that only results within the kernel have.
    SmallVector<std::optional<SmallVector<int64_t>>> strides;
  };

  explicit IterationSpace(std::shared_ptr<const Data> data)
      : data(std::move(data)) {}

  std::shared_ptr<const Data> data;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_ITERATIONSPACE_H
