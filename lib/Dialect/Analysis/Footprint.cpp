//===- Footprint.cpp - What a kernel must keep on chip --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Footprint.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

DenseMap<Value, LiveRange> fusion::findLiveRanges(
    const Candidate &candidate, function_ref<unsigned(Value)> getLevel,
    function_ref<bool(Operation *)> isPassThrough, Evaluation evaluation) {
  DenseMap<Value, LiveRange> ranges;
  auto use = [&](Value value, unsigned level) {
    auto [it, isNew] = ranges.try_emplace(value, LiveRange{level, level});
    it->second.first = std::min(it->second.first, level);
    it->second.last = std::max(it->second.last, level);
  };
  auto isEarly = evaluation == Evaluation::Early;
  if (isEarly)
    for (Value input : candidate.inputs)
      use(input, getLevel(input));
  for (Value output : candidate.outputs)
    use(output, getLevel(output));
  for (Operation *op : llvm::reverse(candidate.operations)) {
    Value result = op->getResult(0);
    if (isEarly)
      use(result, getLevel(result));
    // A reduction works at the level of its operand; anything else with its
    // result.
    unsigned level = 0;
    for (Value operand : op->getOperands())
      level = std::max(level, getLevel(operand));
    bool isReduction = isa<ReduceOp>(op) && getLevel(result) > level;
    if (!isEarly && !isReduction)
      level = ranges.lookup(result).first;
    for (Value operand : op->getOperands()) {
      use(operand, level);
      // What is passed on lives as long as its users need it.
      if (!isReduction && isPassThrough(op))
        use(operand, ranges.lookup(result).last);
    }
  }
  return ranges;
}

bool fusion::isPassThrough(Operation *op) {
  return isa<BroadcastOp, SqueezeOp, TransposeOp, tensor::SplatOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

namespace {

class FootprintBuilder {
public:
  explicit FootprintBuilder(const IterationSpace &space)
      : space(space), candidate(space.getCandidate()) {}

  CandidateFootprint run();

private:
  void findColumns();
  void addWaiting();
  void addProjection();
  Space getSpace(Value value) const {
    return space.getSpace(value, footprint.columns);
  }
  bool isReduction(Operation *op) const {
    return isa<ReduceOp>(op) &&
           space.getLevel(op->getResult(0)) > space.getLevel(op->getOperand(0));
  }

  const IterationSpace &space;
  const Candidate &candidate;
  CandidateFootprint footprint;
};

} // namespace

void FootprintBuilder::findColumns() {
  ArrayRef<IterationSpace::Reduction> reductions = space.getReductions();
  if (reductions.empty())
    return;
  LoopSet innermost = LoopSet(1) << (space.getLoops().size() - 1);
  const auto *first = llvm::find_if(
      reductions, [&](const auto &found) { return found.loops & innermost; });
  footprint.columns =
      (first == reductions.end() ? reductions.front() : *first).loops;
  footprint.numColumns = space.getNumIterations(footprint.columns);
  for (const IterationSpace::Reduction &reduction : reductions)
    if (reduction.loops & ~footprint.columns) {
      footprint.partials.push_back(reduction.operation);
      footprint.partialBytes +=
          getElementBytes(ReduceOp(reduction.operation).getAccumulatorType());
    }
}

/// What waits for a later level, in the order of the program, and the bytes of
/// the level at whose end most do.
void FootprintBuilder::addWaiting() {
  DenseMap<Value, LiveRange> ranges = findLiveRanges(
      candidate, [&](Value value) { return space.getLevel(value); },
      isPassThrough, Evaluation::Early);
  SmallVector<unsigned> elementBytes, totalBytes;
  auto add = [&](Value value) {
    LiveRange range = ranges.lookup(value);
    Space varies = getSpace(value);
    bool isElement = varies == Space::RowColumn;
    if (!range.waits() || (!isElement && varies != Space::Row))
      return;
    (isElement ? footprint.elements : footprint.totals)
        .push_back({value, range});
    SmallVector<unsigned> &bytes = isElement ? elementBytes : totalBytes;
    bytes.resize(std::max<size_t>(bytes.size(), range.last), 0);
    for (unsigned level = range.first; level < range.last; ++level)
      bytes[level] += getElementBytes(value.getType());
  };
  llvm::for_each(candidate.inputs, add);
  for (Operation *op : candidate.operations)
    if (!isPassThrough(op))
      add(op->getResult(0));
  auto getMost = [](ArrayRef<unsigned> bytes) {
    return bytes.empty() ? 0 : *llvm::max_element(bytes);
  };
  footprint.elementBytes = getMost(elementBytes);
  footprint.totalBytes = getMost(totalBytes);
}

void FootprintBuilder::addProjection() {
  DenseSet<Value> visited;
  SmallVector<Value> pending;
  for (const CandidateFootprint::Waiting &waiting : footprint.elements)
    pending.push_back(waiting.value);
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!visited.insert(value).second || candidate.inputs.contains(value) ||
        isReduction(op))
      continue;
    footprint.projectedOperations +=
        getSpace(value) == Space::RowColumn && !isPassThrough(op);
    llvm::append_range(pending, op->getOperands());
  }
  for (Value input : candidate.inputs) {
    if (!visited.contains(input) || getSpace(input) != Space::RowColumn)
      continue;
    footprint.projectedInputs.push_back(input);
    footprint.projectedBytes += getElementBytes(input.getType());
  }
}

CandidateFootprint FootprintBuilder::run() {
  findColumns();
  addWaiting();
  addProjection();
  for (Value input : candidate.inputs)
    if (getSpace(input) == Space::Column) {
      footprint.shared.push_back(input);
      footprint.sharedBytes += getElementBytes(input.getType());
    }
  return std::move(footprint);
}

CandidateFootprint CandidateFootprint::get(const IterationSpace &space) {
  return FootprintBuilder(space).run();
}

void CandidateFootprint::print(raw_ostream &os, AsmState &state) const {
  auto printValue = [&](Value value) { value.printAsOperand(os, state); };
  auto printWaiting = [&](StringRef kind, ArrayRef<Waiting> waiting) {
    for (const Waiting &entry : waiting) {
      os << kind;
      printValue(entry.value);
      os << " waits from level " << entry.range.first << " to level "
         << entry.range.last << '\n';
    }
  };
  auto printBytes = [&](unsigned bytes) {
    os << bytes << " bytes";
    if (bytes && numColumns)
      os << " x " << *numColumns << " = "
         << llvm::SaturatingMultiply<uint64_t>(bytes, *numColumns);
    os << '\n';
  };
  os << "row: loops {";
  llvm::ListSeparator separator(", ");
  for (unsigned loop = 0; loop < 8 * sizeof(LoopSet); ++loop)
    if (columns >> loop & 1)
      os << separator << loop;
  os << "}\n";
  printWaiting("element ", elements);
  printWaiting("total ", totals);
  os << "elements of a row: ";
  printBytes(elementBytes);
  if (!elements.empty()) {
    os << "projected to";
    for (Value input : projectedInputs) {
      os << ' ';
      printValue(input);
    }
    os << ", " << projectedOperations << " operations again: ";
    printBytes(projectedBytes);
  }
  os << "totals of a row: " << totalBytes << " bytes\n";
  os << "partial results of all columns: ";
  printBytes(partialBytes);
  os << "shared by all rows:";
  for (Value input : shared) {
    os << ' ';
    printValue(input);
    os << ',';
  }
  os << ' ';
  printBytes(sharedBytes);
}

FootprintAnalysis::FootprintAnalysis(Operation *root,
                                     AnalysisManager &analyses) {
  const auto &dims = analyses.getAnalysis<DimClasses>();
  for (auto &[scope, candidate] : getCandidates(root)) {
    auto space = IterationSpace::build(candidate, dims);
    if (auto *rejection = std::get_if<Rejection>(&space))
      results.try_emplace(scope, *rejection);
    else
      results.try_emplace(
          scope, CandidateFootprint::get(std::get<IterationSpace>(space)));
  }
}

const FootprintAnalysis::Result *
FootprintAnalysis::lookup(Operation *scope) const {
  auto it = results.find(scope);
  return it == results.end() ? nullptr : &it->second;
}
