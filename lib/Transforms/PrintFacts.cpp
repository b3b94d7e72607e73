//===- PrintFacts.cpp - Print what the analyses know ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass for each fact that schedulers share. They change nothing, so that
// they can stand anywhere in a pipeline.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Footprint.h"
#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Analysis/ProgramFlow.h"
#include "FusionDialect/Analysis/ReductionLevels.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

namespace mlir::fusion {
#define GEN_PASS_DEF_PRINTDIMCLASSESPASS
#define GEN_PASS_DEF_PRINTITERATIONSPACESPASS
#define GEN_PASS_DEF_PRINTDEVICEMODELPASS
#define GEN_PASS_DEF_PRINTFOOTPRINTPASS
#define GEN_PASS_DEF_PRINTREDUCTIONLEVELSPASS
#define GEN_PASS_DEF_PRINTTRAFFICPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

struct PrintDimClassesPass
    : fusion::impl::PrintDimClassesPassBase<PrintDimClassesPass> {
  using PrintDimClassesPassBase::PrintDimClassesPassBase;

  void runOnOperation() override {
    const auto &dims = getAnalysis<DimClasses>();
    AsmState state(getOperation());
    std::set<DimClasses::Class> used;
    auto print = [&](Value value) {
      if (!isa<RankedTensorType>(value.getType()))
        return;
      llvm::outs() << "  ";
      value.printAsOperand(llvm::outs(), state);
      llvm::outs() << ": [";
      llvm::interleaveComma(dims.getClasses(value), llvm::outs());
      llvm::outs() << "]\n";
      for (DimClasses::Class dimClass : dims.getClasses(value)) {
        used.insert(dimClass);
        for (DimClasses::Class factor : dims.getFactors(dimClass))
          used.insert(factor);
      }
    };
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        llvm::outs() << "dimension classes of @" << function.getName() << '\n';
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), print);
      llvm::for_each(op->getResults(), print);
    });
    for (DimClasses::Class dimClass : used) {
      llvm::outs() << "class " << dimClass << ": extent ";
      int64_t extent = dims.getExtent(dimClass);
      if (ShapedType::isDynamic(extent))
        llvm::outs() << '?';
      else
        llvm::outs() << extent;
      ArrayRef<DimClasses::Class> factors = dims.getFactors(dimClass);
      if (factors.size() > 1) {
        llvm::outs() << ", product of ";
        llvm::interleave(factors, llvm::outs(), " x ");
      }
      llvm::outs() << '\n';
    }
    markAllAnalysesPreserved();
  }
};

/// What a fact about candidates is printed below: the function, and the segment
/// if the candidate is one.
class ScopePrinter {
public:
  explicit ScopePrinter(StringRef fact) : fact(fact) {}

  void print(Operation *scope) {
    auto function = dyn_cast<FunctionOpInterface>(scope);
    if (!function)
      function = scope->getParentOfType<FunctionOpInterface>();
    if (function != last)
      llvm::outs() << fact << " of @" << function.getName() << '\n';
    last = function;
    if (auto segment = dyn_cast<SegmentOp>(scope))
      llvm::outs() << "segment \"" << segment.getScheduler() << "\"\n";
  }

private:
  StringRef fact;
  FunctionOpInterface last;
};

struct PrintIterationSpacesPass
    : fusion::impl::PrintIterationSpacesPassBase<PrintIterationSpacesPass> {
  using PrintIterationSpacesPassBase::PrintIterationSpacesPassBase;

  void runOnOperation() override {
    const auto &dims = getAnalysis<DimClasses>();
    ScopePrinter scopes("iteration spaces");
    for (auto &[scope, candidate] : getCandidates(getOperation())) {
      scopes.print(scope);
      auto space = IterationSpace::build(candidate, dims);
      if (const auto *rejection = std::get_if<Rejection>(&space))
        llvm::outs() << "none: " << rejection->str() << '\n';
      else
        std::get<IterationSpace>(space).print(llvm::outs());
    }
    markAllAnalysesPreserved();
  }
};

struct PrintReductionLevelsPass
    : fusion::impl::PrintReductionLevelsPassBase<PrintReductionLevelsPass> {
  using PrintReductionLevelsPassBase::PrintReductionLevelsPassBase;

  void runOnOperation() override {
    const auto &levels = getAnalysis<ReductionLevels>();
    AsmState state(getOperation());
    std::map<ReductionSignature, unsigned> signatures;
    const auto *reduction = levels.getReductions().begin();
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op))
        llvm::outs() << "reduction levels of @" << function.getName() << '\n';
      for (Value result : op->getResults()) {
        if (!isa<RankedTensorType>(result.getType()))
          continue;
        llvm::outs() << "  ";
        result.printAsOperand(llvm::outs(), state);
        llvm::outs() << ": level " << levels.getLevel(result);
        if (reduction != levels.getReductions().end() &&
            reduction->operation == op)
          printSignature(*reduction++, signatures);
        llvm::outs() << '\n';
      }
    });
    markAllAnalysesPreserved();
  }

  static void printSignature(const ReductionLevels::Reduction &reduction,
                             std::map<ReductionSignature, unsigned> &numbers) {
    unsigned number =
        numbers.try_emplace(reduction.signature, numbers.size()).first->second;
    llvm::outs() << ", reduces [";
    llvm::interleaveComma(reduction.signature.reduced, llvm::outs());
    llvm::outs() << "] of [";
    llvm::interleaveComma(reduction.signature.space, llvm::outs());
    llvm::outs() << "] at level " << reduction.level << ", signature "
                 << number;
  }
};

struct PrintFootprintPass
    : fusion::impl::PrintFootprintPassBase<PrintFootprintPass> {
  using PrintFootprintPassBase::PrintFootprintPassBase;

  void runOnOperation() override {
    const auto &footprints = getAnalysis<FootprintAnalysis>();
    AsmState state(getOperation());
    ScopePrinter scopes("footprint");
    for (auto &[scope, candidate] : getCandidates(getOperation())) {
      scopes.print(scope);
      const FootprintAnalysis::Result *result = footprints.lookup(scope);
      if (const auto *rejection = std::get_if<Rejection>(result))
        llvm::outs() << "none: " << rejection->str() << '\n';
      else
        std::get<CandidateFootprint>(*result).print(llvm::outs(), state);
    }
    markAllAnalysesPreserved();
  }
};

struct PrintTrafficPass : fusion::impl::PrintTrafficPassBase<PrintTrafficPass> {
  using PrintTrafficPassBase::PrintTrafficPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return findDeviceModel(context, chip, device, deviceModel);
  }

  void runOnOperation() override {
    const auto &traffic = getAnalysis<TrafficAnalysis>();
    Facts facts{getAnalysis<DimClasses>(), deviceModel, plainLaunches};
    ScopePrinter scopes("traffic");
    for (auto &[scope, candidate] : getCandidates(getOperation())) {
      scopes.print(scope);
      ByteCount inputs = traffic.getInputBytes(candidate),
                outputs = traffic.getOutputBytes(candidate);
      llvm::outs() << "inputs: ";
      inputs.print(llvm::outs());
      llvm::outs() << "\noutputs: ";
      outputs.print(llvm::outs());
      llvm::outs() << '\n';
      auto segment = dyn_cast<SegmentOp>(scope);
      std::optional<SegmentPrice> price;
      if (segment)
        price = getSegmentPrice(segment, facts);
      uint64_t least = (inputs += outputs).estimate();
      if (price && price->cost.bytes > least)
        llvm::outs() << "workspace and what is read again: "
                     << price->cost.bytes - least << '\n';
    }
    markAllAnalysesPreserved();
  }

  DeviceModel deviceModel;
};

struct PrintDeviceModelPass
    : fusion::impl::PrintDeviceModelPassBase<PrintDeviceModelPass> {
  using PrintDeviceModelPassBase::PrintDeviceModelPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return findDeviceModel(context, chip, device, deviceModel);
  }

  void runOnOperation() override {
    deviceModel.print(llvm::outs());
    markAllAnalysesPreserved();
  }

  DeviceModel deviceModel;
};

} // namespace
