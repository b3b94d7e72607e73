//===- PrintPlan.cpp - Print segments, launches, and what moves -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/ProgramFlow.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_PRINTPLANPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// "2 launches", "1 launch".
static std::string count(uint64_t number, StringRef singular,
                         StringRef plural) {
  return std::to_string(number) + " " + (number == 1 ? singular : plural).str();
}

/// The tensors that segment `number` reads and writes, and their bytes.
static uint64_t printTensors(const ProgramFlow &flow, unsigned number,
                             raw_ostream &os) {
  uint64_t bytes = 0;
  for (const FlowingTensor &tensor : flow.tensors) {
    if (!llvm::is_contained(tensor.readers, number))
      continue;
    os << "    reads " << tensor.source << ": " << tensor.value.getType()
       << ", " << tensor.bytes << " bytes\n";
    bytes += tensor.bytes;
  }
  for (const FlowingTensor &tensor : flow.tensors) {
    if (tensor.writer != number)
      continue;
    os << "    writes result " << cast<OpResult>(tensor.value).getResultNumber()
       << ": " << tensor.value.getType() << ", " << tensor.bytes << " bytes";
    for (unsigned reader : tensor.readers)
      os << ", to segment " << reader;
    for (StringRef user : tensor.otherUsers)
      os << ", to " << user;
    os << '\n';
    bytes += tensor.bytes;
  }
  return bytes;
}

static void printPlan(FunctionOpInterface function, const Facts &facts,
                      raw_ostream &os) {
  ProgramFlow flow = ProgramFlow::get(function, facts.dims);
  SmallVector<std::optional<SegmentPrice>> prices;
  uint64_t launches = 0, bytes = 0, edgeBytes = 0;
  bool isKnown = true;
  for (SegmentOp segment : flow.segments) {
    prices.push_back(getSegmentPrice(segment, facts));
    isKnown &= prices.back().has_value();
    launches += prices.back() ? prices.back()->launches : 0;
    bytes += prices.back() ? prices.back()->cost.bytes : 0;
  }
  os << "plan of @" << function.getName() << ": "
     << count(flow.segments.size(), "segment", "segments") << ", "
     << (isKnown ? count(launches, "launch", "launches") : "unknown launches")
     << ", " << count(flow.outside.size(), "operation", "operations")
     << " outside segments\n";
  for (auto [number, segment] : llvm::enumerate(flow.segments)) {
    os << "  segment " << number << ": " << segment.getScheduler();
    const std::optional<SegmentPrice> &price = prices[number];
    if (price)
      os << ", " << count(price->launches, "launch", "launches");
    os << '\n';
    uint64_t own = printTensors(flow, number, os);
    if (price && price->cost.bytes > own)
      os << "    moves " << price->cost.bytes - own
         << " bytes of workspace and of what it reads again\n";
  }
  for (Operation *op : flow.outside)
    os << "  outside segments: " << op->getName().getStringRef() << '\n';
  for (const FlowingTensor &tensor : flow.tensors)
    if (tensor.isEdge())
      edgeBytes += tensor.bytes * (1 + tensor.readers.size());
  os << "  moves " << (isKnown ? std::to_string(bytes) : std::string("unknown"))
     << " bytes, " << edgeBytes << " of them between segments\n";
}

namespace {

struct PrintPlanPass : fusion::impl::PrintPlanPassBase<PrintPlanPass> {
  using PrintPlanPassBase::PrintPlanPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    return findDeviceModel(context, chip, device, deviceModel);
  }

  void runOnOperation() override {
    Facts facts{getAnalysis<DimClasses>(), deviceModel, plainLaunches};
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        printPlan(function, facts, llvm::outs());
    });
    markAllAnalysesPreserved();
  }

  DeviceModel deviceModel;
};

} // namespace
