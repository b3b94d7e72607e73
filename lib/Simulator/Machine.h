//===- Machine.h - Warps, blocks and launches -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a running kernel. A warp runs until it waits or exits; its lanes
// may diverge into groups, of which the one with the lowest program counter
// runs, so that lanes meet again where control flow does. A block runs its
// warps in turn; a launch runs blocks on host threads.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_MACHINE_H
#define FUSION_LIB_SIMULATOR_MACHINE_H

#include "Clock.h"
#include "FusionDialect/Simulator/Simulator.h"
#include "Memory.h"
#include "Program.h"
#include <deque>
#include <mutex>
#include <optional>

namespace mlir::fusion::sim {

struct Block;
struct Cluster;
struct Launch;

/// Lanes of a warp that are not the running ones.
struct LaneGroup {
  uint32_t pc;
  uint32_t mask;
  /// The lanes that must come to `pc` before it goes on; 0 if it can run.
  uint32_t needed = 0;
};

/// How often lanes went around a loop, as far as they did so apart from others,
/// since they last entered it.
struct LoopTurns {
  /// The indices of the loop's first instruction and of its last branch back.
  uint32_t head, last;
  std::array<uint32_t, kLanes> turns{};
};

/// What each lane of a warp knows of each other one: [i][j] is the clock up to
/// which lane j's accesses happen before those of lane i.
using LaneClocks = std::array<std::array<uint32_t, kLanes>, kLanes>;

/// An asynchronous copy that was issued and not yet waited for.
struct AsyncCopy {
  static constexpr uint32_t kOpen = ~0u;
  Range *target;
  size_t offset;
  uint32_t bytes;
  unsigned lane;
  uint32_t site;
  /// The lane's group it belongs to; kOpen until a group is made.
  uint32_t group = kOpen;
  std::byte data[16];
};

/// 32 threads that run together.
struct Warp {
  enum State { Runnable, AtBarrier, Exited, Stuck };

  /// The registers: Program::registerBytes bytes.
  std::byte *regs = nullptr;
  /// The lanes that run, and those that have not exited.
  uint32_t mask = 0, live = 0;
  /// The lanes that are threads: fewer than 32 in a last, partial warp.
  uint32_t existing = 0;
  const Instr *ip = nullptr;
  bool running = false;
  State state = Runnable;
  Block *block = nullptr;
  unsigned id = 0;
  /// Groups of lanes that do not run.
  llvm::SmallVector<LaneGroup, 4> groups;
  /// Loops around barriers that lanes went around apart from one another.
  llvm::SmallVector<LoopTurns, 0> loopTurns;

  /// Backward branches that its cluster has not counted yet.
  uint64_t backEdges = 0;
  /// An atomic read happened since the last backward branch: it may be polling.
  bool polled = false;
  /// The warp gave up its turn because it seems to poll.
  bool spinning = false;
  /// The group that runs was chosen for fairness and may not be the lowest.
  bool rotated = false;
  /// It gave it up at a wait for its cluster, which only the cluster can end.
  bool waitsForCluster = false;
  /// The instruction that its turn began with.
  const Instr *turnStart = nullptr;
  /// The operation at which the warp polls or waits, for reports.
  uint32_t waitOp = 0;
  /// The lanes that arrived at the cluster's barrier and have not waited yet:
  /// in its current phase, and in one that has ended.
  uint32_t clusterArrived = 0, clusterPassed = 0;

  /// The clock of the warp's next accesses, at least 1.
  uint32_t clock = 1;
  /// What happens before them, by warp of this block and by other blocks.
  BlockClock known;
  ForeignClockRef foreign;
  /// What lanes know of one another beyond `known`, once some but not all lanes
  /// have synchronised.
  std::unique_ptr<LaneClocks> laneKnown;
  /// What only the lanes of `aheadMask` know, until the warp synchronises: some
  /// of them took over what another thread published.
  ForeignClockRef ahead;
  uint32_t aheadMask = 0;
  /// What the last fence may publish, and what atomics read but no fence has
  /// taken over yet.
  ForeignClockRef fenced, unfenced;

  std::vector<AsyncCopy> copies;
  std::array<uint32_t, kLanes> committedGroups;

  template <typename T>
  T *reg(uint32_t offset) const {
    return reinterpret_cast<T *>(regs + offset);
  }
  /// True if writing the registers of all lanes does no harm.
  bool isWhole() const { return mask == live; }
  unsigned getThread(unsigned lane) const { return id * kLanes + lane; }

  /// A synchronisation of `lanes`: their accesses so far happen before their
  /// later ones. Advances the clock.
  void synchronizeLanes(uint32_t lanes);
  /// Advances the clock; ends the launch if it overflows.
  void advanceClock();
  /// What the running lanes know, for others to take over. Advances the clock.
  ForeignClockRef release();
  /// Takes over what others published, for the lanes that run.
  void acquire(const ForeignClockRef &clocks);
  /// Lets all lanes know what some took over.
  void shareAcquired();
  /// True if the access `record` happens before the next access of `lane`.
  bool isOrdered(AccessRecord record, unsigned lane) const;
  /// True if the launch before happens before the next access of `lane`.
  bool hasWaitedForPrevious(unsigned lane) const;

  /// Makes the lanes that run wait until all of `needed` (as far as they are
  /// alive) are at `instr`. Returns true if they all are.
  bool converge(const Instr &instr, uint32_t needed);
  /// Lets the lanes that run, all among `members`, wait until the rest of
  /// `members` (as far as they are alive) is at bar.warp.sync with the same
  /// mask, here or elsewhere, and synchronises them then.
  void synchronizeMembers(const Instr &instr, uint32_t members);
  /// Counts that `lanes` go back from instruction `last` to `head`.
  void countTurn(uint32_t lanes, uint32_t head, uint32_t last);
  /// Two lanes of those that run which are in different iterations of a loop
  /// around instruction `pc`; none if there are none.
  std::optional<std::pair<unsigned, unsigned>>
  findDifferentTurns(uint32_t pc) const;
  /// Runs the next group of lanes, or stops the warp if none can run.
  void schedule();
  /// Stops the warp with state `newState`; `ip` is where it goes on.
  void stop(State newState);
  /// Lets another group of lanes run, not only the lowest one: lanes that wait
  /// for others of their warp must not keep those from running.
  void rotateGroups();
  /// Ends the turn: the running lanes come back to `instr`, which waits for
  /// something that others of the cluster do.
  void waitAgain(const Instr &instr);
};

/// A barrier of a block: bar.sync's number 0 to 15.
struct Barrier {
  struct Arrival {
    Warp *warp;
    uint32_t mask;
    uint32_t op;
    /// All who arrive must be at the same operation.
    bool sameOp;
    /// What an arrival that does not wait publishes; null for one that waits.
    ForeignClockRef published;
  };
  uint32_t expected = 0;
  uint32_t arrived = 0;
  llvm::SmallVector<Arrival, 8> arrivals;
};

/// An mbarrier: an object of 8 bytes in shared memory. A phase ends when all
/// expected arrivals have come and the transactions are as many bytes as were
/// expected.
struct Mbarrier {
  static constexpr uint32_t kBytes = 8;
  /// In the shared memory of its block.
  uint64_t address = 0;
  /// False once it was invalidated.
  bool valid = false;
  /// A fence made its initialisation visible to asynchronous copies.
  bool fenced = false;
  /// Arrivals that a phase needs, and those still missing in this one.
  uint32_t expected = 0, missing = 0;
  /// Bytes expected minus bytes that have come.
  int64_t transactions = 0;
  /// Phases that ended since the initialisation, and since the block began.
  uint32_t phase = 0, ended = 0;
  /// What the arrivals of this phase publish, and what those of the last one
  /// did.
  ForeignClockRef published, completed;
  /// The write that initialised it, since later atomics hide it in the shadow;
  /// and the latest thread to start a transaction.
  AccessRecord initialisation;
  uint32_t issuerBlock = 0, issuerThread = 0;
};

/// A thread block and its shared memory.
struct Block {
  static constexpr unsigned kBarriers = 16;
  static constexpr unsigned kMaxMbarriers = 1024;

  enum Step { Advanced, Idle, Polling, Exited };

  Launch &launch;
  Cluster &cluster;
  /// The number in the cluster.
  uint32_t rank = 0;
  uint32_t linearId = 0;
  SimulatorExtents id;
  std::vector<Warp> warps;
  std::vector<std::byte> registers;
  std::vector<std::unique_ptr<Range>> shared;
  std::array<Barrier, kBarriers> barriers;
  /// The range each memory access found last, by access.
  std::vector<Range *> rangeCache;
  /// What was published at addresses in shared memory.
  llvm::DenseMap<uint64_t, ForeignClockRef> published;
  /// The mbarriers that the block has or had, and their numbers by address.
  std::vector<Mbarrier> mbarriers;
  llvm::DenseMap<uint64_t, uint32_t> mbarrierNumbers;
  /// They all lie between these addresses.
  uint64_t mbarriersBegin = ~uint64_t(0), mbarriersEnd = 0;
  /// All threads have exited, and what they knew then.
  bool exited = false;
  ForeignClockRef exitClock;

  void noteChange();
  /// What stands for the block in shadows and clocks. Blocks whose numbers
  /// differ by a multiple of 2^18 look alike.
  uint32_t getKey() const { return linearId & AccessRecord::kBlockMask; }

  Block(Launch &launch, Cluster &cluster, uint32_t rank);
  /// Makes this the block `linear` of the grid, with nothing executed.
  void start(uint32_t linear);
  /// Gives each warp a turn. Idle if all wait for others of the cluster,
  /// Polling if some poll memory and no other advanced.
  Step step();
  /// The memory at `address` of this block's shared or of global memory, or
  /// null.
  Range *find(uint64_t address) const;
  /// The block whose shared memory `address` lies in, and makes it that block's
  /// own address; null if the cluster has no such block. Global addresses stay.
  Block *resolve(uint64_t &address);
  /// The mbarrier at an own address, or null.
  Mbarrier *findMbarrier(uint64_t address);
  /// Lets `warp`'s running lanes arrive at barrier `number` for `expected`
  /// threads, and wait there or go on. With `sameOp` it is a fault if others
  /// arrive from another operation.
  void arrive(Warp &warp, unsigned number, uint32_t expected, uint32_t op,
              bool wait, bool sameOp);

  /// Ends the phase of the mbarrier if nothing is missing.
  void completePhase(Mbarrier &mbarrier);
  /// Reports accesses to the block's shared memory that may come after its end.
  void checkExit();
  /// "byte N of <shared buffer>" of an own address.
  std::string nameOf(uint64_t address) const;

private:
  void reportLateAccess(const Range &range, size_t offset, AccessRecord record);
  void reportMismatch(const Barrier::Arrival &first,
                      const Barrier::Arrival &second, std::string message);
  void complete(Barrier &barrier);
};

/// The blocks of a cluster, which run together on one host thread; without
/// clusters one block.
struct Cluster {
  enum Progress { Done, Waiting, Failed };

  Launch &launch;
  /// By rank.
  std::vector<std::unique_ptr<Block>> blocks;
  /// Something other than polling happened since the cluster's turn began.
  /// Other host threads look at it to tell a deadlock from a long turn.
  std::atomic<bool> changed{false};
  /// What the arrivals of this phase of the cluster's barrier publish, and what
  /// those of the last one did.
  ForeignClockRef published, completed;
  /// Lanes that have arrived in this phase.
  uint32_t arrivals = 0;
  /// Backward branches of all warps.
  uint64_t backEdges = 0;
  /// Turns in which it only polled, of those since change number `idleSince` of
  /// the launch.
  uint64_t idleSince = 0, idleTurns = 0;
  /// While nothing changed it came back to a state that it had been in before:
  /// it goes on like that for ever, unless something changes.
  bool repeats = false;

  explicit Cluster(Launch &launch);
  /// Makes this cluster number `linear` of the grid, with nothing executed.
  void start(uint32_t linear);
  /// Runs until all blocks exit, one fails, or all wait for other clusters.
  Progress run();
  /// Ends the phase of the barrier if all threads that have not exited are
  /// there.
  void completeBarrier();
  /// Counts a turn that only polled, after `changes` changes in the launch.
  void noteIdleTurn(uint64_t changes);

private:
  /// A digest of all that decides what the threads do next, but memory.
  std::array<uint64_t, 2> getDigest() const;
  void reportStuck();

  /// The digest after an earlier idle turn.
  std::array<uint64_t, 2> earlier{};
};

inline void Block::noteChange() {
  cluster.changed.store(true, std::memory_order_relaxed);
}

/// The launch before, for a dependent launch.
struct PreviousLaunch {
  const Program *program = nullptr;
  SimulatorExtents grid, block;
};

/// A kernel launch in progress.
struct Launch {
  const Program &program;
  GlobalMemory &memory;
  const SimulatorOptions &options;
  SimulatorExtents grid, block, cluster;
  uint32_t threads = 0;
  uint32_t blocks = 0;
  /// Blocks of a cluster, and clusters that can be resident at once; 0: all.
  uint32_t clusterBlocks = 1;
  uint32_t residentClusters = 0;
  uint32_t dynamicSharedBytes = 0;
  /// The launch that may not have ended yet; no program if there is none.
  PreviousLaunch previous;
  uint64_t epoch = 0;
  unsigned sharedGranuleShift = 2;
  bool parallel = false;
  /// The register file's first bytes: constants and launch values.
  std::vector<std::byte> image;

  /// No block runs on once this is set.
  std::atomic<bool> stopped{false};

  std::mutex findingsMutex;
  std::vector<Finding> findings;

  /// What was published at addresses in global memory.
  std::mutex publishedMutex;
  llvm::DenseMap<uint64_t, ForeignClockRef> published;

  Launch(const Program &program, GlobalMemory &memory,
         const SimulatorOptions &options)
      : program(program), memory(memory), options(options) {}

  /// Runs all blocks.
  void run();
  SimulatorExtents getThreadId(uint32_t thread) const;
  SimulatorExtents getBlockId(uint32_t block) const;
  uint32_t getLinear(SimulatorExtents blockId) const;
  /// The grid counted in clusters.
  SimulatorExtents getClusterGrid() const {
    return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
  }
  FindingAccess describe(uint32_t block, uint32_t thread, uint32_t op,
                         std::string action) const;
  /// Records a finding; repeated ones are counted.
  void report(FindingKind kind, std::string message, FindingAccess access,
              std::optional<FindingAccess> other = std::nullopt);

private:
  std::mutex queueMutex;
  std::deque<std::unique_ptr<Cluster>> waiting;
  llvm::SmallVector<Cluster *> running;
  std::vector<std::unique_ptr<Cluster>> idle;
  uint32_t nextCluster = 0;
  uint32_t resident = 0;
  /// Times that something other than polling had happened in a turn, and turns
  /// in a row since.
  uint64_t changes = 0;
  uint64_t idleTurns = 0;

  bool canStart() const;
  bool isDeadlock() const;
  std::unique_ptr<Cluster> takeCluster();
  void giveCluster(std::unique_ptr<Cluster> cluster,
                   Cluster::Progress progress);
  void reportDeadlock(Cluster &cluster, std::string message);
  void work();
};

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_MACHINE_H
