//===- Explain.cpp - Why two operations are or are not one kernel ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are found by what a user sees: the name of a result as it is
// printed, or the line of the file.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/CandidateOracle.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/Segmentation.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_EXPLAINPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

using Node = SegmentGraph::Node;

/// True if `wanted` names `location`: its line, its line and column, the same
/// after a file's name, or the name that it carries.
static bool isAt(Location location, StringRef wanted) {
  bool found = false;
  location->walk([&](Location nested) {
    if (auto place = dyn_cast<FileLineColLoc>(nested)) {
      std::string line = std::to_string(place.getLine());
      std::string column = line + ":" + std::to_string(place.getColumn());
      StringRef file = place.getFilename().getValue();
      found |= wanted == line || wanted == column ||
               wanted == (file + ":" + line).str() ||
               wanted == (file + ":" + column).str();
    } else if (auto name = dyn_cast<NameLoc>(nested)) {
      found |= wanted == name.getName().getValue();
    }
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// The name that the first result of `op` is printed with, without the number
/// of the result; empty if it has none.
static std::string getPrintedName(Operation *op, AsmState &state) {
  if (op->getNumResults() == 0)
    return {};
  std::string printed;
  llvm::raw_string_ostream os(printed);
  op->getResult(0).printAsOperand(os, state);
  return StringRef(printed).split('#').first.str();
}

/// The operation of `block` that is called `name`; null if there is none.
static Operation *find(Block &block, StringRef name, AsmState &state) {
  StringRef printed = name.split('#').first;
  bool isPrinted = name.starts_with("%");
  for (Operation &op : block.without_terminator())
    if ((isPrinted && getPrintedName(&op, state) == printed) ||
        isAt(op.getLoc(), name))
      return &op;
  return nullptr;
}

static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "'" << op->getName() << "' at " << op->getLoc();
  return text;
}

static void printAnswer(const std::variant<Answer, Rejection> &answer,
                        raw_ostream &os) {
  if (const auto *rejection = std::get_if<Rejection>(&answer)) {
    os << "refuses: " << rejection->str() << "\n    because of "
       << describe(rejection->operation) << "\n";
    return;
  }
  const auto &accepted = std::get<Answer>(answer);
  const Cost &cost = accepted.cost;
  os << llvm::formatv("accepts: {0:F2} us, {1} bytes moved, {2} launches, {3} "
                      "bytes of shared memory, {4} registers a thread\n",
                      cost.microseconds, cost.bytes, accepted.launches,
                      cost.sharedBytes, cost.registersPerThread);
}

namespace {

struct ExplainPass : fusion::impl::ExplainPassBase<ExplainPass> {
  using ExplainPassBase::ExplainPassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (failed(findDeviceModel(context, chip, device, deviceModel)) ||
        failed(findSchedulers(context, *schedulers, asked)))
      return failure();
    if (a.empty() || b.empty())
      return emitError(UnknownLoc::get(context))
             << "expected two operations, as in a=%0 b=%1, but got a='" << a
             << "' b='" << b << "'";
    return success();
  }

  void runOnOperation() override;

private:
  void reportMissing(AsmState &state);
  void explain(Operation *first, Operation *second, CandidateOracle &oracle);
  void explainAlone(StringRef name, const SegmentGraph &graph, Node node,
                    CandidateOracle &oracle);

  DeviceModel deviceModel;
  SmallVector<const Scheduler *> asked;
};

} // namespace

void ExplainPass::explainAlone(StringRef name, const SegmentGraph &graph,
                               Node node, CandidateOracle &oracle) {
  Answer answer = oracle.ask(graph, node);
  llvm::errs() << "  " << name << " alone: ";
  if (answer.scheduler) {
    llvm::errs() << answer.scheduler->getName() << " ";
    printAnswer(answer, llvm::errs());
  } else {
    llvm::errs() << "no scheduler accepts\n";
  }
}

void ExplainPass::explain(Operation *first, Operation *second,
                          CandidateOracle &oracle) {
  raw_ostream &os = llvm::errs();
  os << "fusion of " << describe(first) << " (a) and " << describe(second)
     << " (b):\n";
  SegmentGraph::Pins pins;
  pins.nodes = {first, second};
  const DimClasses &dims = oracle.getFacts().dims;
  SegmentGraph graph(*first->getBlock(), dims, pins);
  SmallVector<Node> both;
  for (Operation *op : {first, second}) {
    std::optional<Node> node = graph.getNode(op);
    if (!node || graph.getNodes()[*node].isFixed) {
      os << "  " << describe(op)
         << " is no tensor computation that a kernel can hold\n";
      return;
    }
    both.push_back(*node);
  }
  SmallVector<Node> set = graph.close(both);
  for (Node node : set)
    if (graph.getNodes()[node].isFixed) {
      os << "  they cannot stand in one segment: "
         << describe(graph.getNodes()[node].operation)
         << " is between them and stays outside\n";
      return;
    }
  Candidate candidate = graph.getCandidate(graph.getMembers(set));
  Traffic traffic = Traffic::get(candidate, dims);
  os << "  the smallest segment with both: " << set.size()
     << " operations beside what is recomputed, " << traffic.inputBytes
     << " bytes in, " << traffic.outputBytes << " bytes out\n";
  for (Node node : set)
    os << "    " << describe(graph.getNodes()[node].operation) << "\n";
  for (auto [scheduler, answer] :
       llvm::zip(oracle.getSchedulers(), oracle.askEach(candidate))) {
    os << "  " << scheduler->getName() << " ";
    printAnswer(answer, os);
  }
  explainAlone("a", graph, both[0], oracle);
  explainAlone("b", graph, both[1], oracle);
}

/// The printed names of a function's operations, the first of them.
static std::string listNames(FunctionOpInterface function, AsmState &state) {
  constexpr size_t most = 8;
  SmallVector<std::string> names;
  forEachBlock(function, [&](Block &block) {
    for (Operation &op : block.without_terminator())
      if (std::string name = getPrintedName(&op, state); !name.empty())
        names.push_back(std::move(name));
  });
  if (names.empty())
    return "none here";
  std::string text = llvm::join(ArrayRef(names).take_front(most), ", ");
  return names.size() > most ? text + ", ..." : text;
}

/// Says which of the two names no operation has, in the function that has more
/// of them than others, or the first of these.
void ExplainPass::reportMissing(AsmState &state) {
  FunctionOpInterface nearest;
  SmallVector<StringRef> missing;
  getOperation()->walk([&](FunctionOpInterface op) {
    if (op.isExternal() || (!function.empty() && op.getName() != function))
      return;
    SmallVector<StringRef> notHere;
    for (StringRef name : {StringRef(a), StringRef(b)}) {
      bool isHere = false;
      forEachBlock(op, [&](Block &block) {
        isHere |= find(block, name, state) != nullptr;
      });
      if (!isHere)
        notHere.push_back(name);
    }
    if (nearest && notHere.size() >= missing.size())
      return;
    nearest = op;
    missing = notHere;
  });
  if (!nearest) {
    InFlightDiagnostic error =
        emitError(getOperation()->getLoc(), "expected a function with a body");
    if (!function.empty())
      error << " called '" << function << "'";
    return;
  }
  if (missing.empty()) {
    emitError(nearest.getLoc(), "expected two operations of one block, but '")
        << a << "' and '" << b << "' are in different blocks of '"
        << nearest.getName() << "'";
    return;
  }
  emitError(nearest.getLoc(), "expected operations of '")
      << nearest.getName() << "' by printed name (" << listNames(nearest, state)
      << "), line, line and column, or named location, but found none for '"
      << llvm::join(missing, "' and '") << "'";
}

void ExplainPass::runOnOperation() {
  Facts facts{getAnalysis<DimClasses>(), deviceModel, plainLaunches};
  CandidateOracle oracle(facts, asked);
  AsmState state(getOperation());
  bool isExplained = false;
  getOperation()->walk([&](FunctionOpInterface op) {
    if (isExplained || (!function.empty() && op.getName() != function))
      return;
    forEachBlock(op, [&](Block &block) {
      Operation *first = find(block, a, state), *second = find(block, b, state);
      if (!first || !second || isExplained)
        return;
      explain(first, second, oracle);
      isExplained = true;
    });
  });
  markAllAnalysesPreserved();
  if (isExplained)
    return;
  reportMissing(state);
  signalPassFailure();
}
