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

namespace mlir::fusion::sim {

struct Block;
struct Launch;

/// Lanes of a warp that are not the running ones.
struct LaneGroup {
  uint32_t pc;
  uint32_t mask;
  /// The lanes that must come to `pc` before it goes on; 0 if it can run.
  uint32_t needed = 0;
};

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

  /// Backward branches so far.
  uint64_t backEdges = 0;
  /// An atomic read happened since the last backward branch: it may be polling.
  bool polled = false;
  /// The warp gave up its turn because it seems to poll.
  bool spinning = false;
  /// The group that runs was chosen for fairness and may not be the lowest.
  bool rotated = false;
  /// The operation at which the warp polls or waits, for reports.
  uint32_t waitOp = 0;

  /// The clock of the warp's next accesses, at least 1.
  uint32_t clock = 1;
  /// What happens before them, by warp of this block and by other blocks.
  BlockClock known;
  ForeignClockRef foreign;
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

  /// A synchronisation of all lanes that run: their accesses so far happen
  /// before their later ones. Advances the clock.
  void synchronizeLanes();
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

  /// Makes the lanes that run wait until all of `needed` (as far as they are
  /// alive) are at `instr`. Returns true if they all are.
  bool converge(const Instr &instr, uint32_t needed);
  /// Runs the next group of lanes, or stops the warp if none can run.
  void schedule();
  /// Stops the warp with state `newState`; `ip` is where it goes on.
  void stop(State newState);
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

/// A thread block and its shared memory.
struct Block {
  static constexpr unsigned kBarriers = 16;

  enum Progress { Done, Waiting, Failed };

  Launch &launch;
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
  /// Something other than polling happened since the block's turn began. Other
  /// host threads look at it to tell a deadlock from a long turn.
  std::atomic<bool> changed{false};

  void noteChange() { changed.store(true, std::memory_order_relaxed); }

  explicit Block(Launch &launch);
  /// Makes this the block `linear` of the grid, with nothing executed.
  void start(uint32_t linear);
  /// Runs until the block exits, fails, or all its warps wait for others.
  Progress run();
  /// The memory at `address`, or null.
  Range *find(uint64_t address) const;
  /// Lets `warp`'s running lanes arrive at barrier `number` for `expected`
  /// threads, and wait there or go on. With `sameOp` it is a fault if others
  /// arrive from another operation.
  void arrive(Warp &warp, unsigned number, uint32_t expected, uint32_t op,
              bool wait, bool sameOp);

private:
  void reportMismatch(const Barrier::Arrival &first,
                      const Barrier::Arrival &second, std::string message);
  void complete(Barrier &barrier);
  void reportStuck();
};

/// A kernel launch in progress.
struct Launch {
  const Program &program;
  GlobalMemory &memory;
  const SimulatorOptions &options;
  SimulatorExtents grid, block, cluster;
  uint32_t threads = 0;
  uint32_t blocks = 0;
  uint32_t dynamicSharedBytes = 0;
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
  FindingAccess describe(uint32_t block, uint32_t thread, uint32_t op,
                         std::string action) const;
  /// Records a finding; repeated ones are counted.
  void report(FindingKind kind, std::string message, FindingAccess access,
              std::optional<FindingAccess> other = std::nullopt);

private:
  std::mutex queueMutex;
  std::deque<std::unique_ptr<Block>> waiting;
  llvm::SmallVector<Block *> running;
  std::vector<std::unique_ptr<Block>> idle;
  uint32_t nextBlock = 0;
  uint32_t resident = 0;
  uint64_t idleTurns = 0;

  std::unique_ptr<Block> takeBlock();
  void giveBlock(std::unique_ptr<Block> block, Block::Progress progress);
  void reportDeadlock(Block &block);
  void work();
};

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_MACHINE_H
