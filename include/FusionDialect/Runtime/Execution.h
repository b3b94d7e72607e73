//===- Execution.h - Runs of one compiled function --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled function, a device and arguments: single runs with what they
// return, repeated runs that must agree, and timed replays.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_RUNTIME_EXECUTION_H
#define FUSIONDIALECT_RUNTIME_EXECUTION_H

#include "FusionDialect/Runtime/CachingDevice.h"
#include "FusionDialect/Runtime/HostInterpreter.h"
#include "FusionDialect/Runtime/Inputs.h"
#include "FusionDialect/Runtime/Statistics.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::fusion {

/// What a run leaves in host memory.
struct RunOutputs {
  /// The results of the function, scalars as tensors of rank 0.
  std::vector<HostTensor> results;
  /// The memref arguments after the run, by number.
  std::vector<std::pair<unsigned, HostTensor>> arguments;
  /// The memref arguments with elements that nothing has written, by number,
  /// and the first such element, as far as the device knows.
  std::vector<std::pair<unsigned, int64_t>> unwritten;

  /// The name of an output's file, without ending: result0, ..., arg0, ...
  void forEach(llvm::function_ref<void(const std::string &name,
                                       const HostTensor &tensor)>
                   visit) const;
};

/// How runs that should be equal are.
struct RepeatResult {
  unsigned runs = 0;
  /// The first run that differs from run 0, and the output that does; empty if
  /// all are bitwise equal.
  std::optional<unsigned> differentRun;
  std::string differentOutput;
};

/// Timed replays of a function.
struct BenchmarkResult {
  /// Microseconds of each replay, in order.
  std::vector<double> microseconds;
  Statistics statistics;
  unsigned launches = 0;
  /// The fewest bytes that the function's signature lets it move: every
  /// argument read once, every result written once.
  uint64_t fewestBytes = 0;
  /// Bytes per second of a large copy, read plus written, in the same process.
  double copyBandwidth = 0;

  /// `fewestBytes` over the median time, in bytes per second.
  double getBandwidth() const {
    return fewestBytes / (statistics.median * 1e-6);
  }
  /// The same as a share of the copy bandwidth.
  double getShare() const { return getBandwidth() / copyBandwidth; }
};

/// Runs one function. All of its methods emit diagnostics on failure and leave
/// the reason in `getFailure`.
class Execution {
public:
  /// The module of `function` holds kernels in the form that `target` takes.
  /// `arguments` has one entry for each argument. All outlive the execution.
  Execution(func::FuncOp function, Device &target,
            ArrayRef<HostArgument> arguments);

  /// Loads the kernels.
  LogicalResult prepare();

  /// Copies the arguments to the device, runs the function, and copies back
  /// what it returns and the memrefs it was given. Fails if a result has an
  /// element that nothing has written, on a device that knows. Memory that the
  /// function allocates, and uninitialized arguments, hold 0xff bytes before.
  FailureOr<RunOutputs> run();

  /// Repeats the run that left `first` from the same arguments, until there are
  /// `runs` of them, and compares all outputs with `first`, bit by bit. Both
  /// wait on the device for the next run, as far as there is memory for them;
  /// else they come from the host each time.
  FailureOr<RepeatResult> repeat(unsigned runs, const RunOutputs &first);

  /// Records one run and times replays of it.
  FailureOr<BenchmarkResult> benchmark(const ReplayOptions &options);

  ExitStatus getFailure() const { return status; }

private:
  FailureOr<SmallVector<HostValue>> copyArguments(Device &target);
  FailureOr<RunOutputs> copyOutputs(ArrayRef<HostValue> arguments,
                                    ArrayRef<HostValue> results);
  /// Emits an error if `memref`, the result `number`, has an element that
  /// nothing has written, as far as the device knows.
  LogicalResult checkWritten(const MemRefValue &memref, size_t number);
  /// Keeps on the device what `repeat` needs again; returns the arguments that
  /// the function changes.
  FailureOr<llvm::BitVector> keepForRepeats(const RunOutputs &first);
  /// Makes `values`, the arguments after a run that left what the first run
  /// did, what they were before it.
  LogicalResult restoreArguments(MutableArrayRef<HostValue> values,
                                 const llvm::BitVector &changed);
  /// Runs the function; the name of the first output that is not bitwise the
  /// one of `first`, empty if all are.
  FailureOr<std::string> runAndCompare(ArrayRef<HostValue> values,
                                       const RunOutputs &first);
  /// The first element of `memref` that nothing has written, if there is one.
  std::optional<int64_t> findUnwritten(const MemRefValue &memref);
  LogicalResult report(llvm::Error error);

  func::FuncOp function;
  CachingDevice device;
  ArrayRef<HostArgument> arguments;
  HostInterpreter interpreter;
  ExitStatus status = ExitStatus::Success;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_RUNTIME_EXECUTION_H
