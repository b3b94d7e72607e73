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
#include "FusionDialect/Analysis/IterationSpace.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace mlir::fusion {
#define GEN_PASS_DEF_PRINTDIMCLASSESPASS
#define GEN_PASS_DEF_PRINTITERATIONSPACESPASS
#define GEN_PASS_DEF_PRINTDEVICEMODELPASS
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

struct PrintIterationSpacesPass
    : fusion::impl::PrintIterationSpacesPassBase<PrintIterationSpacesPass> {
  using PrintIterationSpacesPassBase::PrintIterationSpacesPassBase;

  void runOnOperation() override {
    const auto &dims = getAnalysis<DimClasses>();
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      llvm::outs() << "iteration spaces of @" << function.getName() << '\n';
      bool hasSegments = false;
      function->walk([&](SegmentOp segment) {
        hasSegments = true;
        llvm::outs() << "segment \"" << segment.getScheduler() << "\"\n";
        print(Candidate::get(segment), dims);
      });
      if (hasSegments)
        return;
      SmallVector<Operation *> operations;
      for (Operation &op : function.getFunctionBody().front())
        if (isSchedulable(&op))
          operations.push_back(&op);
      if (!operations.empty())
        print(Candidate::get(operations), dims);
    });
    markAllAnalysesPreserved();
  }

  static void print(const Candidate &candidate, const DimClasses &dims) {
    auto space = IterationSpace::build(candidate, dims);
    if (const auto *rejection = std::get_if<Rejection>(&space))
      llvm::outs() << "none: " << rejection->str() << '\n';
    else
      std::get<IterationSpace>(space).print(llvm::outs());
  }
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
