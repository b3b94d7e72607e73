//===- SegmentGraph.h - A block as a graph for segmentation -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers what segmentation decides about, so that candidates are sets of
// numbers and asking about one never touches IR.
//
//   nodes      operations that stand in exactly one segment, or stay outside
//   recomputed operations that are computed again in each segment that uses
//              them: their operands are at most as large as their result, so
//              that reading those is cheaper than reading it
//   fixed      nodes that are no tensor computation: they stay outside, in
//              order; what uses them comes after them
//
// A segment that uses a recomputed operation reads *its* operands. So a cut
// falls before a cast up or a broadcast: at the narrowest type, on the
// smallest tensor.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_SEGMENTGRAPH_H
#define FUSIONDIALECT_ANALYSIS_SEGMENTGRAPH_H

#include "FusionDialect/Analysis/Candidate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::fusion {
class DimClasses;

/// The operations of one block and what they read, numbered.
class SegmentGraph {
public:
  /// A number of a node: nodes are in an order in which each comes after what
  /// it needs, and close to it.
  using Node = unsigned;

  /// A value that nodes read from memory, or would.
  struct Read {
    Value value;
    /// Bytes in memory.
    uint64_t bytes;
    /// The node that computes it; none for values from outside the block,
    /// constants, and what depends on no node.
    std::optional<Node> producer;
    /// The nodes that read it, ascending.
    llvm::SmallVector<Node, 2> readers;
    /// True if something other than nodes uses it: the block's terminator,
    /// another block.
    bool isUsedOutside = false;
  };

  struct NodeInfo {
    Operation *operation;
    /// The number that getOperation takes.
    unsigned number;
    bool isFixed = false;
    /// Nodes that must come before, ascending.
    llvm::SmallVector<Node, 2> producers;
    llvm::SmallVector<Node, 2> consumers;
    /// Numbers of Reads: what the node reads if it stands alone, in the order
    /// of its operands, and what it computes.
    llvm::SmallVector<unsigned, 2> reads, results;
    /// For reductions of at least one loop: equal numbers are equal iteration
    /// spaces (classes of the operand's dimensions, in any order, factored and
    /// without those of extent 1), and equal reduced loops of equal spaces.
    std::optional<unsigned> space, signature;
  };

  /// The operations, inputs and outputs of a set of nodes, by the numbers that
  /// getOperation and getValue take.
  struct Members {
    /// With what is recomputed for them, in program order.
    llvm::SmallVector<unsigned> operations;
    /// In order of first use.
    llvm::SmallVector<unsigned> inputs;
    /// In program order.
    llvm::SmallVector<unsigned> outputs;
  };

  /// What is decided beforehand about operations.
  struct Pins {
    /// Nodes, even if they could be recomputed.
    llvm::DenseSet<Operation *> nodes;
    /// Recomputed, although they are not cheap: pure element-wise operations.
    llvm::DenseSet<Operation *> recomputed;
  };

  /// The graph of `block`.
  SegmentGraph(Block &block, const DimClasses &dims, const Pins &pins = {});

  Block &getBlock() const { return block; }
  llvm::ArrayRef<NodeInfo> getNodes() const { return nodes; }
  llvm::ArrayRef<Read> getReads() const { return reads; }
  /// The node of `op`, if it is one.
  std::optional<Node> getNode(Operation *op) const;
  /// True if segments that use `op` compute it again.
  bool isRecomputed(Operation *op) const;

  /// The operations but constants that are recomputed for the nodes of `set`.
  llvm::SmallVector<Operation *>
  getRecomputedFor(llvm::ArrayRef<Node> set) const;

  /// What stands in the segment of `set`, which holds no fixed node. Takes time
  /// linear in the result.
  Members getMembers(llvm::ArrayRef<Node> set) const;
  Operation *getOperation(unsigned number) const {
    return operations[number].operation;
  }
  Value getValue(unsigned number) const { return values[number].value; }
  /// The smallest convex set around `set`: with all nodes, fixed ones included,
  /// that stand on a path between two of it. Ascending.
  llvm::SmallVector<Node> close(llvm::ArrayRef<Node> set) const;
  /// The candidate that schedulers are asked about.
  Candidate getCandidate(const Members &members) const;
  /// Bytes of all inputs and outputs.
  uint64_t getTrafficBytes(const Members &members) const;
  CandidateSummary getSummary(const Members &members) const;
  /// Which dimensions of stored values, and of what expands their shapes, are
  /// one loop, whatever the plan: equal numbers are. Nothing for other values
  /// that segments compute again.
  llvm::ArrayRef<unsigned> getStoredLoops(Value value) const;
  /// True if the operations of a set, and what getStoredLoops says of its
  /// values, make one loop of all dimensions of one class. False if that takes
  /// an operation that another segment may have a copy of its own of.
  bool knowsItsLoops(const Members &members) const;
  /// Bits that are equal for two sets of nodes exactly if they are equal up to
  /// renaming: operations with attributes, or what setOperationKeys put in
  /// their place, types, connections, and classes of dimensions. Appended to
  /// `key`.
  void appendKey(const Members &members,
                 llvm::SmallVectorImpl<uint64_t> &key) const;

  /// From now on appendKey tells element-wise operations for which `getKey`
  /// returns a key apart by that alone, and by the number of their operands.
  void setOperationKeys(
      llvm::function_ref<std::optional<uint64_t>(Operation *)> getKey);

  /// Makes the nodes of `set`, which are in ascending order and which nothing
  /// but other nodes uses, recomputed from now on. They are no longer part of
  /// any segment of their own.
  void recompute(llvm::ArrayRef<Node> set);
  /// Takes the last call of recompute back.
  void undoRecompute();

private:
  enum class Kind : uint8_t { External, Recomputed, Node };
  static constexpr unsigned none = ~0u;

  struct OperationInfo {
    Operation *operation;
    Kind kind = Kind::External;
    bool isFixed = false;
    /// False only if no operand is recomputed.
    bool mayReadRecomputed = false;
    /// The node, unless the kind is External; a recomputed operation is a node
    /// too if something else needs its result.
    unsigned node = none;
    /// Numbers equal operations: name and attributes, or a key, and result
    /// types.
    uint64_t code = 0;
    /// Whether it is a kernel operation, and what a summary counts of it.
    bool isKernelOperation = false;
    CandidateSummary summary;
    /// Its operands and its result have the same loops.
    bool isElementwise = false;
    /// Numbers of values.
    llvm::SmallVector<unsigned, 3> operands;
    llvm::SmallVector<unsigned, 1> results;
  };

  struct ValueInfo {
    Value value;
    /// The number of the operation of the block that computes it.
    unsigned producer = none;
    /// Its number among the reads.
    unsigned read = none;
    /// Bytes of one element.
    unsigned elementBytes = 0;
    /// The number of the classes of its dimensions among `layouts`.
    unsigned layout = 0;
    /// It fits any loops.
    bool isUniform = false;
    /// The classes of its dimensions say what its type and its relations to
    /// other values may not: an extent, or that a constant has loops.
    bool hasMoreFacts = false;
    /// Of a stored value: where `storedLoops` lists its loops.
    unsigned firstStoredLoop = none;
  };

  class LoopSets;

  void numberOperations(const DimClasses &dims);
  unsigned getValueNumber(Value value, const DimClasses &dims);
  unsigned getLayout(Value value, const DimClasses &dims);
  void addClass(unsigned dimClass, const DimClasses &dims);
  void classify(const Pins &pins, const DimClasses &dims);
  bool isExternal(Operation *op) const;
  bool isViewAtBoundary(Operation *op) const;
  void createNodes();
  void findReductions(const DimClasses &dims);
  void orderNodes();
  void findReads(const DimClasses &dims);
  unsigned getRead(unsigned value, const DimClasses &dims);
  void addReads(unsigned operation, NodeInfo &node, const DimClasses &dims);
  void connect();
  bool crosses(unsigned signature, unsigned other) const;
  void relateStoredValues();
  void relateOperation(unsigned operation, LoopSets &loops) const;
  void relateResults(const OperationInfo &info, LoopSets &loops) const;
  unsigned deriveLoops(const OperationInfo &info, LoopSets &loops) const;
  llvm::SmallVector<int64_t, 4> getOperandDims(const OperationInfo &info) const;
  unsigned getRank(unsigned value) const {
    return layouts[values[value].layout].size();
  }
  bool isCopied(unsigned operation) const;
  bool isStored(unsigned value) const {
    return values[value].firstStoredLoop != none &&
           (values[value].producer == none ||
            !isCopied(values[value].producer));
  }
  void replaceRead(Node reader, unsigned old,
                   llvm::ArrayRef<unsigned> replacements);
  bool isNeededOutside(const Read &read, unsigned stamp) const;
  void appendLayout(unsigned layout, unsigned &numLayouts, unsigned &numClasses,
                    llvm::SmallVectorImpl<uint64_t> &key) const;
  void appendClass(unsigned dimClass, unsigned &numClasses,
                   llvm::SmallVectorImpl<uint64_t> &key) const;

  Block &block;
  llvm::SmallVector<OperationInfo> operations;
  llvm::SmallVector<ValueInfo> values;
  /// Lists of the classes of all dimensions, each once.
  llvm::SmallVector<llvm::SmallVector<unsigned>> layouts;
  /// By class: its extent, and the classes whose product a reshape makes it.
  struct ClassInfo {
    int64_t extent = 0;
    llvm::SmallVector<unsigned, 2> factors;
    bool isKnown = false;
  };
  llvm::SmallVector<ClassInfo> classInfos;
  llvm::DenseMap<Operation *, unsigned> operationNumbers;
  llvm::DenseMap<Value, unsigned> valueNumbers;
  /// While values are numbered: the layout of classes that `dims` lists.
  llvm::DenseMap<llvm::ArrayRef<unsigned>, unsigned> layoutOfClasses;
  llvm::SmallVector<NodeInfo> nodes;
  llvm::SmallVector<Read> reads;
  /// By number of a signature: the number of its space, and the reduced loops,
  /// ascending.
  llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<unsigned>>>
      reducedLoops;
  /// Marks of getMembers: what was seen in the current call. The stamp numbers
  /// calls.
  mutable llvm::SmallVector<unsigned> operationStamps, valueStamps, nodeStamps;
  mutable unsigned stamp = 0;
  /// Of appendKey: which classes and layouts were seen, and the numbers that
  /// these and values have in the current call.
  mutable llvm::SmallVector<unsigned> classStamps, classNumbers, layoutStamps,
      layoutNumbers, localNumbers;
  llvm::SmallVector<unsigned> storedLoops;
  /// Of knowsItsLoops: where the loops of a value are listed, and the sets that
  /// stored loops are in the current call.
  mutable llvm::SmallVector<unsigned> listOfValue, loopStamps, loopNumbers;
  /// What the last call of recompute changed, in order.
  struct {
    llvm::SmallVector<unsigned> operations;
    llvm::SmallVector<std::pair<Node, llvm::SmallVector<unsigned, 2>>> reads;
    llvm::SmallVector<std::pair<unsigned, llvm::SmallVector<Node, 2>>> readers;
  } undo;
};

/// True if computing `op` again from its operands costs no more than reading
/// its result: casts to a wider type, broadcasts, splats, expand_shape, and
/// element-wise operations on tensors of rank 0.
bool isCheapToRecompute(Operation *op);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_SEGMENTGRAPH_H
