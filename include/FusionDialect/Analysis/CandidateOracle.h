//===- CandidateOracle.h - What schedulers say about sets of nodes -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks schedulers about sets of nodes of a SegmentGraph and remembers their
// answers modulo renaming: the layers of a program that repeats itself are
// asked about once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_CANDIDATEORACLE_H
#define FUSIONDIALECT_ANALYSIS_CANDIDATEORACLE_H

#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/SegmentGraph.h"
#include <functional>

namespace mlir::fusion {

/// The scheduler that takes a candidate at the lowest cost, and that cost.
struct Answer {
  /// Null if no scheduler accepts.
  const Scheduler *scheduler = nullptr;
  Cost cost;
  /// Kernels launched.
  unsigned launches = 0;
  /// True if no scheduler accepts any candidate that holds this one.
  bool isHopeless = false;
};

/// Not safe for use by several threads.
class CandidateOracle {
public:
  /// How much one scheduler was asked.
  struct Effort {
    uint64_t matches = 0;
    uint64_t accepted = 0;
    uint64_t nanoseconds = 0;
  };
  /// Called before and after each match, with true and false.
  using Observer = std::function<void(const Scheduler &, bool isBefore)>;

  CandidateOracle(const Facts &facts,
                  llvm::ArrayRef<const Scheduler *> schedulers,
                  Observer observer = {})
      : facts(facts), schedulers(schedulers.begin(), schedulers.end()),
        efforts(schedulers.size()), observer(std::move(observer)) {}

  const Facts &getFacts() const { return facts; }
  llvm::ArrayRef<const Scheduler *> getSchedulers() const { return schedulers; }

  /// What the schedulers make of an element-wise operation
  /// (Scheduler::getOperationKey); none if one of them may look at it.
  std::optional<uint64_t> getOperationKey(Operation *op) const;
  /// The best of the schedulers' answers about `set`; of equal costs, that of
  /// the scheduler registered first.
  Answer ask(const SegmentGraph &graph, llvm::ArrayRef<SegmentGraph::Node> set);
  /// The least that a segment of that traffic can cost, in microseconds: it and
  /// a launch. No scheduler is asked.
  double getLowerBound(uint64_t trafficBytes) const;
  /// What each scheduler says about `candidate`, in the order of
  /// getSchedulers; nothing is remembered.
  llvm::SmallVector<std::variant<Answer, Rejection>>
  askEach(const Candidate &candidate);

  /// Sets asked about, and those of them that were answered from memory.
  uint64_t getNumAsked() const { return numAsked; }
  uint64_t getNumRemembered() const { return numRemembered; }
  llvm::ArrayRef<Effort> getEfforts() const { return efforts; }

private:
  std::variant<Answer, Rejection> askOne(size_t scheduler,
                                         const Candidate &candidate,
                                         const DimClasses &dims,
                                         CandidateMemo &memo);

  Facts facts;
  llvm::SmallVector<const Scheduler *> schedulers;
  llvm::SmallVector<Effort> efforts;
  Observer observer;
  /// By two halves of the hash of the set's key.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, Answer> answers;
  uint64_t numAsked = 0, numRemembered = 0;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_CANDIDATEORACLE_H
