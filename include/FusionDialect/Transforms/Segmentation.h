//===- Segmentation.h - Which operations become one kernel ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search behind fusion-segment. It only decides: the program stays as it
// is.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_TRANSFORMS_SEGMENTATION_H
#define FUSIONDIALECT_TRANSFORMS_SEGMENTATION_H

#include "FusionDialect/Analysis/CandidateOracle.h"
#include "FusionDialect/Analysis/SegmentGraph.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fusion {

struct SegmentationOptions {
  /// Programs, or parts of programs that can be decided on their own, of at
  /// most that many operations are solved exactly.
  unsigned exactLimit = 24;
  /// ... unless that takes more than so many steps or questions, all parts
  /// together; the first may take half of the steps, the next half of what it
  /// left. A question about more than 24 operations counts as several.
  uint64_t exactSteps = uint64_t(1) << 19;
  uint64_t exactQuestions = 4096;
};

/// One segment of a plan.
struct SegmentChoice {
  /// Its nodes, ascending; what they use of recomputed operations comes on top.
  llvm::SmallVector<SegmentGraph::Node> nodes;
  Answer answer;
};

/// A partition of the nodes of a graph.
struct Segmentation {
  /// In an order in which each segment comes after what it reads.
  llvm::SmallVector<SegmentChoice> segments;
  /// Nodes that no scheduler takes, ascending; fixed nodes are not listed.
  llvm::SmallVector<SegmentGraph::Node> outside;
  /// The sum of the segments' costs.
  double microseconds = 0;
  /// Parts of the program that were solved exactly, and that were not.
  unsigned numExact = 0, numGreedy = 0;
};

/// The cheapest segmentation of `graph` that the search finds: as few nodes
/// outside segments as possible, and among those the least time. Cheap nodes
/// become recomputed in `graph` where that saves more than it costs. The result
/// is the same from run to run.
Segmentation findSegmentation(SegmentGraph &graph, CandidateOracle &oracle,
                              const SegmentationOptions &options = {});

/// The plan of one block.
struct BlockPlan {
  /// Its nodes name those of this graph.
  std::unique_ptr<SegmentGraph> graph;
  Segmentation segmentation;
};

/// Plans one block. Where operations are left outside, the search runs once
/// more with the recomputed operations before them as nodes; where a small
/// block takes several segments, again with the element-wise values that these
/// store for others recomputed, until none are, and with all such operations
/// recomputed. `createGraph` makes the graph of the block; null: the plain one.
using GraphFactory = llvm::function_ref<std::unique_ptr<SegmentGraph>(
    Block &block, const SegmentGraph::Pins &pins)>;
BlockPlan planBlock(Block &block, CandidateOracle &oracle,
                    const SegmentationOptions &options = {},
                    GraphFactory createGraph = nullptr);

/// True if a block has operations that segments are made of.
bool hasSchedulable(Block &block);

/// Calls `visit` on the blocks of `function` that have such operations: its
/// own, and those of loops and conditions in it (RegionBranchOpInterface),
/// inner ones first. Bodies of other operations are theirs.
void forEachBlock(FunctionOpInterface function,
                  llvm::function_ref<void(Block &block)> visit);

/// Gives each such block its own copies of the splat constants of other blocks
/// that it uses, as segments hold their constants. Returns true if there were
/// any.
bool copyConstantsIntoBlocks(FunctionOpInterface function);

} // namespace mlir::fusion

#endif // FUSIONDIALECT_TRANSFORMS_SEGMENTATION_H
