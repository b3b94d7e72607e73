//===- Findings.h - What the simulator finds wrong in a kernel --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding is a fault of a kernel: what compute-sanitizer would report on the
// device. It names its kind and one or two accesses, each by source location,
// block and thread.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_SIMULATOR_FINDINGS_H
#define FUSIONDIALECT_SIMULATOR_FINDINGS_H

#include "mlir/IR/Location.h"
#include <cstdint>
#include <optional>
#include <string>

namespace mlir::fusion {

/// Three extents or coordinates, x fastest.
struct SimulatorExtents {
  int64_t x = 1, y = 1, z = 1;
};

/// The kinds of fault, each documented in docs/Simulator.md.
enum class FindingKind {
  /// Two accesses without an ordering between them, at least one a write.
  DataRace,
  /// A read of memory that nothing has written.
  UninitializedRead,
  /// An access outside every allocation and shared buffer.
  OutOfBounds,
  /// An access whose address is no multiple of its alignment.
  MisalignedAccess,
  /// Threads of a block wait at different barriers, or have exited.
  DivergentBarrier,
  /// Threads wait for something that can never happen.
  Deadlock,
  /// A shuffle or warp reduction involves a lane that does not take part.
  InactiveLane,
  /// The launch asks for more than the device has.
  LimitExceeded,
  /// A use of an mbarrier or of the cluster's barrier that the ISA leaves
  /// undefined: not initialised, more arrivals than expected.
  BarrierMisuse,
  /// An access to the shared memory of a block that may have exited.
  ExitedBlock,
};

/// The name of `kind` as diagnostics and reports print it, e.g. "data race".
llvm::StringRef getFindingName(FindingKind kind);

/// One participant of a finding.
struct FindingAccess {
  Location loc;
  SimulatorExtents block;
  SimulatorExtents thread;
  /// What was done, e.g. "write of 4 bytes".
  std::string action;
};

/// A fault of a kernel.
struct Finding {
  FindingKind kind;
  /// One sentence without the kind; no full stop.
  std::string message;
  FindingAccess access;
  /// The earlier access or the other waiting thread, where there is one.
  std::optional<FindingAccess> other;
  /// How often the same pair of source locations had the same fault.
  int64_t count = 1;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_SIMULATOR_FINDINGS_H
