//===- Graph.h - The demand graph of the reference --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is first unrolled into a graph of values with known extents, and
// evaluated only then. Every value is one of:
//
//   Source       elements that are there: inputs, constants
//   Splat        one element repeated
//   Elementwise  a function of the elements at the same row-major index
//   Reshape      the same elements in the same order, in another shape
//   View         operand[offset + sum of index_j * stride_j]
//   Reduce       a reduction
//   Computed     anything else, from operands that are held whole
//
// Splat, Elementwise and View are computed tile by tile where they are needed;
// a tile is a range of row-major indices, so Reshape costs nothing. Reduce and
// Computed are held whole, and so is the operand of a View.
//
// Families of operations build nodes through GraphBuilder (OpRegistry.h).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_REFERENCE_GRAPH_H
#define FUSION_LIB_REFERENCE_GRAPH_H

#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Reference/FloatFormat.h"
#include "FusionDialect/Reference/Reference.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace mlir::fusion::reference {

/// The most elements of a tile.
inline constexpr int64_t tileSize = 1024;

/// The elements of an operand in a tile. Which of `floats` and `integers` is
/// set depends on the element type. `errors` is set if errors are computed.
struct TileOperand {
  const double *floats = nullptr;
  const int64_t *integers = nullptr;
  const double *errors = nullptr;
};

/// What an element-wise function reads and writes.
struct Tile {
  int64_t count;
  ArrayRef<TileOperand> operands;
  double *floats = nullptr;
  int64_t *integers = nullptr;
  /// Where the propagated errors go; null if none are wanted.
  double *errors = nullptr;
  /// Set to a message if an element has no value.
  std::atomic<const char *> *failure = nullptr;
};

using ElementwiseFunction = std::function<void(const Tile &)>;

/// The rounding of an element-wise operation.
struct Rounding {
  /// The largest error of the operation itself, in units of roundoff of its
  /// type: 1 if it is correctly rounded, 0 if it is exact.
  double units = 1.0;
  /// A small error of an operand can become a step of the result.
  bool isStep = false;
  /// A zero that exact operands give is exact too, with its sign. Follows from
  /// the operation and its operands (hasIEEEZeros).
  bool keepsZeros = false;
  /// No rounding: exact operands give an exact result.
  static Rounding none() { return {0.0, false}; }
  /// No rounding of an exact operand, but steps.
  static Rounding step() { return {0.0, true}; }
};

/// All elements of a value that is held: doubles or integers, and the errors
/// unless all are zero.
struct Held {
  std::unique_ptr<double[]> floats;
  std::unique_ptr<int64_t[]> integers;
  std::unique_ptr<double[]> errors;
};

/// A value with known extents.
struct Node {
  enum class Kind {
    Source,
    Splat,
    Elementwise,
    Reshape,
    View,
    Reduce,
    Computed
  };

  Kind kind;
  Type elementType;
  SmallVector<int64_t> shape;
  int64_t numElements = 1;
  /// The operation that defines it; null for inputs.
  Operation *op = nullptr;
  SmallVector<Node *> operands;
  /// No rounding takes part: the errors are zero.
  bool exact = true;
  /// Somewhere before it a small error can become a step: at a rounding to
  /// fewer bits, a comparison, a conversion to integers.
  bool hasSteps = false;
  /// Somewhere before it stands a rounding to f32 or to fewer bits.
  bool roundsToSingle = false;
  /// A zero whose error is 0 has the sign that IEEE 754 gives it; no operation
  /// before it may give either.
  bool hasSignedZeros = true;
  /// The value must be held whole, and is once `isHeld`.
  bool mustHold = false;
  bool isHeld = false;
  Held held;

  HostTensor source;                    // Source
  double splatFloat = 0.0;              // Splat
  int64_t splatInteger = 0;             // Splat
  ElementwiseFunction function;         // Elementwise
  Rounding rounding = Rounding::none(); // Elementwise
  int64_t offset = 0;                   // View, in elements of the operand
  SmallVector<int64_t> strides;         // View, one for each dimension
  ReductionKind reductionKind{};        // Reduce
  SmallVector<int64_t> reducedDims;     // Reduce, sorted
  Type accumulatorType;                 // Reduce
  std::function<void(Node &)> compute;  // Computed: fills `held`

  std::atomic<const char *> failure{nullptr};

  bool isFloat() const { return isa<FloatType>(elementType); }
  /// The node whose elements these are, in the same order.
  Node &core() { return kind == Kind::Reshape ? *operands.front() : *this; }
  /// True if tiles of it are read from memory.
  bool isAvailable() const { return kind == Kind::Source || isHeld; }
  /// Allocates `held`, with errors if `withErrors` and the value is inexact.
  void allocate(bool withErrors);
  /// Reads elements first, first + stride, ... of an available node into
  /// `floats` or `integers`, and into `errors` unless null.
  void load(int64_t first, int64_t stride, int64_t count, double *floats,
            int64_t *integers, double *errors) const;
};

/// How one dimension of a view walks through its operand.
struct ViewDim {
  /// The operand's dimension; -1 repeats the operand along a new dimension.
  int64_t operandDim;
  /// Operand positions from one index to the next; 0 repeats.
  int64_t step = 1;
};

/// Row-major strides of `shape`, in elements.
SmallVector<int64_t> getRowMajorStrides(ArrayRef<int64_t> shape);

/// Builds the graph of a function, operation by operation.
class GraphBuilder {
public:
  explicit GraphBuilder(const ReferenceOptions &options) : options(options) {}

  const ReferenceOptions &getOptions() const { return options; }

  /// The node of `value`. Null if the value has none, which is an error only
  /// of operations that use it.
  Node *lookup(Value value) const { return values.lookup(value); }
  SmallVector<Node *> lookup(ValueRange range) const;
  /// Makes `node` the node of `value`. Fails, with an error at the operation,
  /// if its extents contradict the static type of `value`.
  LogicalResult bind(Value value, Node *node);

  /// Adds the nodes of one operation, or of all operations of a block up to
  /// its terminator.
  LogicalResult add(Operation *op);
  LogicalResult add(Block &block);

  /// Between these two, scalars stand for one element at each position of an
  /// index space of extents `space`: their nodes have that shape, or are scalar
  /// where all positions have the same. Spaces do not nest.
  void enterSpace(ArrayRef<int64_t> space) {
    this->space = SmallVector<int64_t>(space);
  }
  void leaveSpace() { space.reset(); }
  /// The node of the one result of `op` if its operands had the nodes
  /// `operands`, each of extents `space` or scalar. Binds nothing.
  FailureOr<Node *> addOn(Operation *op, ArrayRef<Node *> operands,
                          ArrayRef<int64_t> space);

  /// Keeps operations that nodes refer to.
  Block &keep(std::unique_ptr<Block> block) {
    blocks.push_back(std::move(block));
    return *blocks.back();
  }

  /// Notes that the body of `function` is being added. False if it is already,
  /// which is a recursion.
  bool enterFunction(Operation *function);
  void leaveFunction() { functions.pop_back(); }

  Node *createSource(HostTensor tensor, Operation *op = nullptr);
  Node *createSplat(Operation *op, Type elementType, ArrayRef<int64_t> shape,
                    const APFloat &value);
  Node *createSplat(Operation *op, Type elementType, ArrayRef<int64_t> shape,
                    int64_t value);
  /// The value of a dense attribute, a number, or a resource, of `type`. Fails
  /// with an error at `op` if it has another form.
  FailureOr<Node *> createConstant(Operation *op, Attribute value, Type type);
  /// The operands have one shape, which is the result's (checked here, with an
  /// error), or are scalars.
  FailureOr<Node *> createElementwise(Operation *op, Type elementType,
                                      ArrayRef<Node *> operands,
                                      ElementwiseFunction function,
                                      Rounding rounding);
  /// The elements of `operand` in the same order. The number of elements is
  /// that of `shape`.
  Node *createReshape(Operation *op, Node *operand, ArrayRef<int64_t> shape);
  /// result[i0, ...] = operand[k0, ...] with k(d) = offsets[d] + the sum of
  /// i(j) * step over the result dimensions j with operandDim d. All positions
  /// are in bounds.
  Node *createView(Operation *op, Node *operand, ArrayRef<int64_t> shape,
                   ArrayRef<ViewDim> dims, ArrayRef<int64_t> offsets);
  /// The same for positions that are linear in all indices:
  ///
  ///   k(d) = positions[d][0] * i0 + ... + positions[d][n - 1] * i(n - 1)
  ///          + positions[d][n]
  ///
  /// All positions are in bounds.
  Node *createLinearView(Operation *op, Node *operand, ArrayRef<int64_t> shape,
                         ArrayRef<SmallVector<int64_t>> positions);
  Node *createReduce(Operation *op, ReductionKind kind, Type elementType,
                     Type accumulatorType, Node *operand,
                     ArrayRef<int64_t> dims);
  /// A value that `compute` writes to `held` (allocated before) from operands
  /// that are available then.
  Node *createComputed(Operation *op, Type elementType, ArrayRef<int64_t> shape,
                       ArrayRef<Node *> operands, Rounding rounding,
                       std::function<void(Node &)> compute);

  /// The value of an integer scalar, which extents and positions depend on: it
  /// is evaluated now. Fails, with an error at `op`, if it can not be.
  FailureOr<int64_t> getInteger(Operation *op, Value scalar);
  FailureOr<int64_t> getInteger(Operation *op, Node *scalar);
  /// Replaces dynamic entries by the values of `dynamic`, in order.
  FailureOr<SmallVector<int64_t>>
  getIntegers(Operation *op, ArrayRef<int64_t> constants, ValueRange dynamic);

private:
  Node *create(Node::Kind kind, Operation *op, Type elementType,
               ArrayRef<int64_t> shape);

  const ReferenceOptions &options;
  llvm::DenseMap<Value, Node *> values;
  std::vector<std::unique_ptr<Node>> nodes;
  SmallVector<Operation *> functions;
  std::optional<SmallVector<int64_t>> space;
  std::vector<std::unique_ptr<Block>> blocks;
};

/// Evaluates nodes: `results` tile by tile into `sink`, whose result i is
/// results[i], and `holds` whole. Fails with an error at the operation if an
/// element has no value.
LogicalResult evaluateNodes(ArrayRef<Node *> holds, ArrayRef<Node *> results,
                            const ReferenceOptions &options, ResultSink sink);

} // namespace mlir::fusion::reference

#endif // FUSION_LIB_REFERENCE_GRAPH_H
