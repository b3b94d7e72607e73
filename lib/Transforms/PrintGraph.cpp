//===- PrintGraph.cpp - Segments and what flows between them --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/GraphWriter.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_PRINTGRAPHPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;
using llvm::DOT::EscapeString;

namespace {

/// Writes one function as a digraph: a box for each segment, an ellipse for
/// each argument and each operation outside, an arrow for each tensor.
class GraphPrinter {
public:
  GraphPrinter(FunctionOpInterface function, const DimClasses &dims,
               raw_ostream &os)
      : function(function), dims(dims), os(os) {}

  void print();

private:
  void printNode(StringRef name, StringRef label, bool isBox);
  void printSegment(SegmentOp segment);
  void printOperation(Operation *op);
  void printEdges(Operation *op, StringRef name);

  FunctionOpInterface function;
  const DimClasses &dims;
  raw_ostream &os;
  llvm::DenseMap<Value, std::string> nodeOfValue;
  unsigned numSegments = 0, numOutside = 0;
};

} // namespace

void GraphPrinter::printNode(StringRef name, StringRef label, bool isBox) {
  os << "  " << name << " [shape=" << (isBox ? "box" : "ellipse")
     << ", label=\"" << label << "\"];\n";
}

/// An arrow from each tensor that `op` reads; each tensor once.
void GraphPrinter::printEdges(Operation *op, StringRef name) {
  llvm::SetVector<Value> inputs;
  op->walk([&](Operation *nested) {
    if (!isa<SegmentOp>(nested->getParentOp()))
      inputs.insert_range(nested->getOperands());
  });
  for (Value input : inputs) {
    auto from = nodeOfValue.find(input);
    if (from == nodeOfValue.end() || !isa<TensorType>(input.getType()))
      continue;
    os << "  " << from->second << " -> " << name << " [label=\""
       << EscapeString(debugString(input.getType()));
    if (isa<RankedTensorType>(input.getType()))
      os << "\\n" << getStoredBytes(input, dims) << " bytes";
    os << "\"];\n";
  }
}

void GraphPrinter::printSegment(SegmentOp segment) {
  std::string name = "segment" + std::to_string(numSegments);
  std::string label = "segment " + std::to_string(numSegments++) + ": " +
                      EscapeString(segment.getScheduler().str()) + "\\n";
  llvm::MapVector<StringRef, unsigned> counts;
  for (Operation &op : segment.getBodyBlock().without_terminator())
    ++counts[op.getName().getStringRef()];
  for (auto [operation, count] : counts) {
    label += operation;
    label += count > 1 ? " x " + std::to_string(count) + "\\l" : "\\l";
  }
  printNode(name, label, /*isBox=*/true);
  printEdges(segment, name);
  for (Value result : segment.getResults())
    nodeOfValue[result] = name;
}

void GraphPrinter::printOperation(Operation *op) {
  // Constants and scalars are no traffic.
  if (matchPattern(op, m_Constant()) ||
      (llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>) &&
       llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)))
    return;
  std::string name = "outside" + std::to_string(numOutside++);
  printNode(name, op->getName().getStringRef(), /*isBox=*/false);
  printEdges(op, name);
  for (Value result : op->getResults())
    nodeOfValue[result] = name;
}

void GraphPrinter::print() {
  os << "digraph \"" << EscapeString(function.getName().str()) << "\" {\n";
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<TensorType>(argument.getType()))
      continue;
    std::string number = std::to_string(argument.getArgNumber());
    nodeOfValue[argument] = "argument" + number;
    printNode("argument" + number, "argument " + number, /*isBox=*/false);
  }
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto segment = dyn_cast<SegmentOp>(op)) {
      printSegment(segment);
      return WalkResult::skip();
    }
    printOperation(op);
    return isa<RegionBranchOpInterface>(op) ? WalkResult::advance()
                                            : WalkResult::skip();
  });
  os << "}\n";
}

namespace {

struct PrintGraphPass : fusion::impl::PrintGraphPassBase<PrintGraphPass> {
  void runOnOperation() override {
    const auto &dims = getAnalysis<DimClasses>();
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        GraphPrinter(function, dims, llvm::errs()).print();
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
