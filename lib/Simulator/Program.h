//===- Program.h - The simulator's internal code ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel as a flat list of instructions over a register file. A register
// holds one value for each of the 32 lanes of a warp, lane index fastest: an
// n-element vector of T is T[n][32]. An instruction is a function pointer and
// the byte offsets of its registers, and runs for all active lanes at once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_PROGRAM_H
#define FUSION_LIB_SIMULATOR_PROGRAM_H

#include "FusionDialect/Simulator/Findings.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::fusion::sim {

constexpr unsigned kLanes = 32;
/// A register file offset that names no register.
constexpr uint32_t kNoRegister = ~0u;

/// What a block's shared memory may have in all, beyond any device's.
constexpr uint64_t kMaxSharedBytes = uint64_t(1) << 28;
/// The largest unit of race detection in bytes.
constexpr uint32_t kMaxGranule = 16;

struct Warp;
struct Instr;
/// Executes one instruction for the active lanes of a warp.
using Handler = void (*)(Warp &warp, const Instr &instr);

/// One instruction. What the fields mean is up to the handler; by convention
/// `dst` and `a`, `b`, `c` are register offsets in bytes, `n` the elements of a
/// lane, `imm` a constant or the index of a branch target, `aux` the index of
/// a side table entry.
struct Instr {
  Handler handler = nullptr;
  uint32_t dst = kNoRegister;
  uint32_t a = kNoRegister, b = kNoRegister, c = kNoRegister;
  uint32_t n = 1;
  uint32_t aux = 0;
  int64_t imm = 0;
  /// The index of the operation in Program::locations.
  uint32_t op = 0;
};

/// A 64-bit integer that is a constant or lives in a register.
struct Operand {
  uint32_t reg = kNoRegister;
  int64_t constant = 0;
  bool isConstant() const { return reg == kNoRegister; }
};

/// The address computation and shape of a memory access: the address is
/// base + sum of index[i] * stride[i] bytes; `count` elements of `elementBytes`
/// lie one after the other.
struct MemoryAccess {
  uint32_t base = kNoRegister;
  struct Term {
    Operand index;
    /// In elements.
    Operand stride;
  };
  llvm::SmallVector<Term, 3> terms;
  uint32_t elementBytes = 0;
  uint32_t count = 1;
  /// A power of two.
  uint32_t alignment = 1;
  uint32_t getBytes() const { return elementBytes * count; }
};

/// An element-wise move: row `to[i]` of the result is row `from[i]`, both as
/// register file offsets of 32 lanes of `rowBytes` bytes in all.
struct Permutation {
  struct Move {
    uint32_t to, from;
  };
  std::vector<Move> moves;
  uint32_t rowBytes = 0;
};

/// A shared buffer whose size is known at compile time.
struct SharedBuffer {
  std::string name;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// A value that is set for the whole launch.
struct LaunchValue {
  enum Kind {
    ArgumentBits,
    ArgumentSize,
    ArgumentStride,
    GridDim,
    BlockDim,
    ClusterDim,
    /// The grid counted in clusters, and the blocks of a cluster in all.
    ClusterGridDim,
    ClusterBlocks,
    WarpCount,
    DynamicSharedAddress,
    DynamicSharedBytes,
    /// Half `index` (0: low) of the address of what the driver keeps for grid
    /// barriers of a cooperative launch.
    CooperativeWorkspace
  };
  Kind kind;
  /// The argument, or the dimension.
  unsigned index = 0;
  /// The memref dimension of ArgumentSize and ArgumentStride.
  unsigned dim = 0;
  uint32_t reg = kNoRegister;
  uint32_t bytes = 8;
};

/// A compiled kernel.
struct Program {
  std::string name;
  std::vector<Instr> code;
  std::vector<Location> locations;
  std::vector<MemoryAccess> accesses;
  /// The operation of each access, as an index of `locations`.
  std::vector<uint32_t> accessOps;
  std::vector<Permutation> permutations;
  std::vector<SharedBuffer> sharedBuffers;
  std::vector<LaunchValue> launchValues;
  /// The instructions that are barriers of the block, ascending.
  std::vector<uint32_t> barriers;
  /// Constants: the initial contents of the first bytes of a register file.
  std::vector<std::byte> image;
  uint64_t registerBytes = 0;
  /// Bytes of the static shared buffers as the device lays them out.
  uint64_t staticSharedBytes = 0;
  /// Bytes of the simulator's layout, which has gaps between buffers.
  uint64_t sharedLayoutBytes = 0;
  /// Units of race detection in bytes: all accesses through an argument, those
  /// to other or unknown global memory, and those to shared memory are whole
  /// multiples of theirs. At most kMaxGranule.
  llvm::SmallVector<uint32_t> argumentGranules;
  uint32_t globalGranule = kMaxGranule;
  uint32_t sharedGranule = kMaxGranule;
  /// Types of the arguments, for checks at launch.
  llvm::SmallVector<Type> argumentTypes;
  bool usesDynamicShared = false;
  /// The extents of a cluster that the kernel states; none: the launch's.
  llvm::SmallVector<int32_t, 3> clusterDim;
  /// The extents of a block that the kernel states, and the most threads; 0:
  /// any number.
  std::optional<SimulatorExtents> blockDim;
  int64_t maxThreads = 0;
};

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_PROGRAM_H
