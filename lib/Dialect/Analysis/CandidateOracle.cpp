//===- CandidateOracle.cpp - What schedulers say about sets of nodes ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/CandidateOracle.h"
#include "FusionDialect/Analysis/CandidateMemo.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/xxhash.h"
#include <chrono>

using namespace mlir;
using namespace mlir::fusion;

std::variant<Answer, Rejection>
CandidateOracle::askOne(size_t index, const Candidate &candidate,
                        const DimClasses &dims, CandidateMemo &memo) {
  const Scheduler &scheduler = *schedulers[index];
  Effort &effort = efforts[index];
  ++effort.matches;
  if (observer)
    observer(scheduler, true);
  auto begin = std::chrono::steady_clock::now();
  Facts facts{dims, this->facts.device, this->facts.plainLaunches, &memo};
  MatchResult result = scheduler.match(candidate, facts);
  effort.nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(
                            std::chrono::steady_clock::now() - begin)
                            .count();
  if (observer)
    observer(scheduler, false);
  if (auto *rejection = std::get_if<Rejection>(&result))
    return std::move(*rejection);
  ++effort.accepted;
  const Match &match = *std::get<std::unique_ptr<Match>>(result);
  ScheduleAttrInterface schedule =
      scheduler.plan(match, candidate.operations.front()->getContext(), facts);
  return Answer{&scheduler, scheduler.cost(match, schedule, facts),
                schedule ? schedule.getLaunchCount() : 1};
}

std::optional<uint64_t> CandidateOracle::getOperationKey(Operation *op) const {
  llvm::hash_code all = 0;
  for (const Scheduler *scheduler : schedulers) {
    std::optional<uint64_t> key = scheduler->getOperationKey(op);
    if (!key)
      return std::nullopt;
    all = llvm::hash_combine(all, *key);
  }
  return all;
}

Answer CandidateOracle::ask(const SegmentGraph &graph,
                            ArrayRef<SegmentGraph::Node> set) {
  ++numAsked;
  SegmentGraph::Members members = graph.getMembers(set);
  SmallVector<uint64_t, 256> key;
  graph.appendKey(members, key);
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(ArrayRef(reinterpret_cast<const uint8_t *>(key.data()),
                                  key.size() * sizeof(uint64_t)));
  auto [it, isNew] =
      answers.try_emplace(std::make_pair(hash.low64, hash.high64));
  if (!isNew) {
    ++numRemembered;
    return it->second;
  }
  CandidateSummary summary = graph.getSummary(members);
  std::optional<Candidate> candidate;
  std::optional<CandidateMemo> memo;
  // What makes one loop of two of its dimensions may be recomputed in another
  // segment: the scheduler has to take it without, too.
  std::optional<bool> knowsItsLoops;
  std::optional<DimClasses> ownDims;
  std::optional<CandidateMemo> ownMemo;
  it->second.isHopeless = true;
  for (size_t index = 0; index < schedulers.size(); ++index) {
    if (!schedulers[index]->mayAccept(summary)) {
      it->second.isHopeless &= !schedulers[index]->mayAcceptLarger(summary);
      continue;
    }
    if (!candidate) {
      candidate = graph.getCandidate(members);
      memo.emplace(*candidate);
    }
    std::variant<Answer, Rejection> answer =
        askOne(index, *candidate, facts.dims, *memo);
    if (auto *rejection = std::get_if<Rejection>(&answer)) {
      it->second.isHopeless &= rejection->holdsForLarger;
      continue;
    }
    it->second.isHopeless = false;
    if (!knowsItsLoops)
      knowsItsLoops = graph.knowsItsLoops(members);
    if (!*knowsItsLoops) {
      if (!ownDims) {
        ownDims.emplace(*candidate, facts.dims, [&](Value value) {
          return graph.getStoredLoops(value);
        });
        ownMemo.emplace(*candidate);
      }
      answer = askOne(index, *candidate, *ownDims, *ownMemo);
      if (std::holds_alternative<Rejection>(answer))
        continue;
    }
    const auto &accepted = std::get<Answer>(answer);
    if (!it->second.scheduler ||
        accepted.cost.microseconds < it->second.cost.microseconds)
      it->second = accepted;
  }
  return it->second;
}

double CandidateOracle::getLowerBound(uint64_t trafficBytes) const {
  return facts.device.launchMicroseconds +
         trafficBytes / facts.device.copyBytesPerMicrosecond;
}

SmallVector<std::variant<Answer, Rejection>>
CandidateOracle::askEach(const Candidate &candidate) {
  SmallVector<std::variant<Answer, Rejection>> answers;
  CandidateMemo memo(candidate);
  for (size_t index = 0; index < schedulers.size(); ++index)
    answers.push_back(askOne(index, candidate, facts.dims, memo));
  return answers;
}
