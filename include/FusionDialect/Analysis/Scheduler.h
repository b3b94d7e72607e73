//===- Scheduler.h - The interface of schedulers ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scheduler knows one kind of kernel. It answers four questions: does it take
// these operations (match), with which schedule (plan), at what price (cost),
// and what is the kernel (emit). Schedulers do not know one another; they share
// facts. An embedder registers more through SchedulerRegistry.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_SCHEDULER_H
#define FUSIONDIALECT_ANALYSIS_SCHEDULER_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/IR/DialectInterface.h"
#include <memory>
#include <optional>
#include <variant>

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace mlir::fusion {
class CandidateMemo;
class DimClasses;
class SegmentLowering;
struct Candidate;
struct CandidateSummary;
struct DeviceModel;

/// Why a scheduler does not take a candidate.
enum class RejectionCode {
  /// The kind of kernel needs a reduction that is not there.
  MissingReduction,
  /// An operation that the scheduler has no code for.
  UnsupportedOperation,
  /// A tensor's dimensions are not those that the kind of kernel walks over.
  UnsupportedShape,
  /// An element type that the scheduler has no code for.
  UnsupportedElementType,
  /// An extent that is not known when the program is compiled.
  DynamicExtent,
  /// A dimension without elements.
  EmptyExtent,
  /// A value of one row needs the total of a column, which only the end of the
  /// kernel knows.
  CrossColumnDependency,
  /// The data that must stay on chip does not fit.
  OnChipCapacity,
};

/// The code in words, e.g. "on-chip-capacity".
llvm::StringRef stringifyRejectionCode(RejectionCode code);

/// A typed refusal: what was refused, where, and what would make it acceptable.
struct Rejection {
  RejectionCode code;
  /// The operation that caused it; never null.
  Operation *operation;
  /// What would be needed, in words.
  std::string hint;
  /// The dimension of the operation's first operand that caused it.
  std::optional<int64_t> dimension = std::nullopt;
  /// For capacities: how much is needed and how much there is, in bytes or in
  /// registers of a thread as the hint says.
  std::optional<uint64_t> needed = std::nullopt;
  std::optional<uint64_t> available = std::nullopt;
  /// True if every candidate that holds the operations of this one is rejected
  /// as well, whatever comes on top: segmentation asks about none of them.
  bool holdsForLarger = false;

  /// "<code>: <hint> (needed N, available M)".
  std::string str() const;
};

/// The facts that schedulers share.
struct Facts {
  const DimClasses &dims;
  const DeviceModel &device;
  /// Schedules launch kernels one after the other only, in no other mode than
  /// gpu.launch_func has: no cooperative or dependent launches.
  bool plainLaunches = false;
  /// What schedulers have learnt about the candidate that they are asked about;
  /// null if nobody else is asked.
  CandidateMemo *memo = nullptr;
};

/// Looks up the device model that the options `chip` and `device` of a pass
/// name; reports an error without a location if there is none.
LogicalResult findDeviceModel(MLIRContext *context, llvm::StringRef chip,
                              llvm::StringRef device, DeviceModel &model);

/// What a scheduler learnt in match and needs again in plan and cost.
struct Match {
  virtual ~Match();
};

using MatchResult = std::variant<std::unique_ptr<Match>, Rejection>;

/// What a schedule is predicted to cost.
struct Cost {
  /// DRAM bytes: distinct inputs, outputs and workspace.
  uint64_t bytes = 0;
  /// Time in microseconds, launches included. Not less than it takes to move
  /// the candidate's distinct inputs and its outputs at the device's copy speed
  /// plus one launch: segmentation stops its search at that bound.
  double microseconds = 0;
  /// Shared memory of a block in bytes, and registers of a thread, estimated.
  uint64_t sharedBytes = 0;
  unsigned registersPerThread = 0;
};

/// A question that a plan answers by price, e.g. "projection".
struct PricedChoice {
  std::string name;
  /// The answer that the schedule has.
  std::string chosen;
  /// For each answer the predicted time of the best schedule with it, in
  /// microseconds; none if no schedule with it fits.
  llvm::SmallVector<std::pair<std::string, std::optional<double>>> prices;
};

/// One kind of kernel.
class Scheduler {
public:
  virtual ~Scheduler();

  /// The name that segments carry, e.g. "inner-outer-persistent".
  virtual llvm::StringRef getName() const = 0;
  /// A glance before match: false only if match would reject. Segmentation asks
  /// about many candidates, most of which are of another kind.
  virtual bool mayAccept(const CandidateSummary &summary) const { return true; }
  /// A glance as well: false only if match would reject this candidate and
  /// every one that holds its operations.
  virtual bool mayAcceptLarger(const CandidateSummary &summary) const {
    return true;
  }
  /// What match, plan and cost make of `op`, an element-wise operation of a
  /// kernel: they answer the same for a candidate in which another operation of
  /// the same key, with the same operands and type of result, stands in its
  /// place. None if they may look at the operation itself.
  virtual std::optional<uint64_t> getOperationKey(Operation *op) const {
    return std::nullopt;
  }
  /// Whether the candidate can be such a kernel. A match guarantees a plan. The
  /// answer depends on the operations, their connections, the inputs and
  /// outputs, the classes and extents of their dimensions, and the device:
  /// candidates that are equal up to renaming get one answer.
  virtual MatchResult match(const Candidate &candidate,
                            const Facts &facts) const = 0;
  /// The complete schedule of a match. Depends on the match and the device
  /// model alone, so that it is the same everywhere.
  virtual ScheduleAttrInterface plan(const Match &match, MLIRContext *context,
                                     const Facts &facts) const = 0;
  /// The price of a schedule, which plan or a user made.
  virtual Cost cost(const Match &match, ScheduleAttrInterface schedule,
                    const Facts &facts) const = 0;
  /// What the schedule that plan made was chosen over: for remarks, asked only
  /// where they are wanted.
  virtual llvm::SmallVector<PricedChoice>
  explain(const Match &match, ScheduleAttrInterface schedule,
          const Facts &facts) const {
    return {};
  }
  /// Builds the kernels of a scheduled segment and their launches. Reports an
  /// error at the segment if its schedule does not fit its body.
  virtual LogicalResult emit(SegmentOp segment, SegmentLowering &lowering,
                             const Facts &facts) const = 0;
};

/// Looks up the schedulers that the option `schedulers` of a pass names, or all
/// if it names none, in order of registration; reports an error without a
/// location if there is none of a name.
LogicalResult findSchedulers(MLIRContext *context,
                             llvm::ArrayRef<std::string> names,
                             llvm::SmallVectorImpl<const Scheduler *> &found);

/// The schedulers of a context, in order of registration. Lives with the
/// dialect; filled by dialect extensions.
class SchedulerRegistry : public DialectInterface::Base<SchedulerRegistry> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SchedulerRegistry)

  explicit SchedulerRegistry(Dialect *dialect) : Base(dialect) {}

  /// The registry of `context`; loads the dialect if need be.
  static SchedulerRegistry &get(MLIRContext *context);

  /// Adds a scheduler. A later one of the same name replaces the earlier.
  void add(std::unique_ptr<Scheduler> scheduler);
  /// The scheduler of that name, or null.
  const Scheduler *lookup(llvm::StringRef name) const;
  llvm::ArrayRef<std::unique_ptr<Scheduler>> getSchedulers() const {
    return schedulers;
  }

private:
  llvm::SmallVector<std::unique_ptr<Scheduler>> schedulers;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_SCHEDULER_H
