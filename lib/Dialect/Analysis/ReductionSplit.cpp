//===- ReductionSplit.cpp - Which reductions to do in two stages ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ReductionSplit.h"
#include "FusionDialect/Analysis/Candidate.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

using Class = DimClasses::Class;

/// The reductions whose totals `operand` is made from, without another
/// reduction in between: nearest first as the operations are visited.
static SmallVector<ReduceOp> getReductionsBefore(Value operand) {
  SmallVector<ReduceOp> found;
  llvm::SetVector<Operation *> reached;
  auto reach = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      if (isa<ReduceOp>(op) || isSchedulable(op))
        reached.insert(op);
  };
  reach(operand);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (auto reduce = dyn_cast<ReduceOp>(reached[i])) {
      found.push_back(reduce);
      continue;
    }
    for (Value value : reached[i]->getOperands())
      reach(value);
  }
  return found;
}

/// The reductions of the block that walk over the same dimensions as
/// `operand`, in program order.
static SmallVector<ReduceOp> getReductionsBeside(Value operand, Block *block,
                                                 const DimClasses &classes) {
  auto getSorted = [&](Value value) {
    SmallVector<Class> sorted(classes.getClasses(value));
    llvm::sort(sorted);
    return sorted;
  };
  SmallVector<Class> space = getSorted(operand);
  SmallVector<ReduceOp> found;
  for (auto reduce : block->getOps<ReduceOp>())
    if (getSorted(reduce.getInput()) == space)
      found.push_back(reduce);
  return found;
}

static SmallVector<Class> getReducedClasses(ReduceOp reduce,
                                            const DimClasses &classes) {
  SmallVector<Class> reduced;
  for (int64_t dim : reduce.getDims())
    if (reduce.getInput().getType().getDimSize(dim) != 1)
      reduced.push_back(classes.getClass(reduce.getInput(), dim));
  llvm::sort(reduced);
  return reduced;
}

namespace {
/// The split that a set of references agrees on.
struct Agreement {
  std::optional<ReductionSplit> split;
  std::optional<SplitRefusal> refusal;
  bool isAligned = false;
};
} // namespace

/// What `references` say about reducing `operand` over `dims`.
static Agreement agree(Value operand, ArrayRef<int64_t> dims,
                       ArrayRef<ReduceOp> references,
                       const DimClasses &classes) {
  SmallVector<Class> own;
  for (int64_t dim : dims)
    own.push_back(classes.getClass(operand, dim));
  Agreement agreement;
  ReduceOp chosen;
  SmallVector<Class> chosenClasses;
  for (ReduceOp reference : references) {
    SmallVector<Class> reduced = getReducedClasses(reference, classes);
    auto isOwn = [&](Class c) { return llvm::is_contained(own, c); };
    if (llvm::none_of(reduced, isOwn))
      continue;
    if (!llvm::all_of(reduced, isOwn)) {
      agreement.refusal = {reference,
                           "expected to reduce every dimension that the "
                           "reduction before it reduces"};
      continue;
    }
    if (!chosen) {
      chosen = reference;
      chosenClasses = reduced;
    } else if (reduced != chosenClasses) {
      agreement.refusal = {reference, "expected the reductions before it to "
                                      "reduce the same dimensions"};
      return agreement;
    }
  }
  if (!chosen)
    return agreement;
  agreement.refusal.reset();
  ReductionSplit split{chosen, {}, {}};
  for (auto [dim, dimClass] : llvm::zip(dims, own))
    (llvm::is_contained(chosenClasses, dimClass) ? split.aligned : split.rest)
        .push_back(dim);
  agreement.isAligned = split.rest.empty();
  if (!agreement.isAligned)
    agreement.split = split;
  return agreement;
}

/// Partial results must be fewer bytes, written and read, than the operand that
/// need not be read again.
static std::optional<SplitRefusal> checkProfit(const ReductionSplit &split,
                                               Value operand, Operation *user) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t combined = 1;
  for (int64_t dim : split.aligned) {
    if (type.isDynamicDim(dim))
      return std::nullopt;
    combined *= type.getDimSize(dim);
  }
  // A partial result has the accumulator's type.
  auto reduce = dyn_cast<ReduceOp>(user);
  unsigned width = type.getElementTypeBitWidth();
  unsigned partialWidth =
      reduce ? reduce.getAccumulatorType().getIntOrFloatBitWidth() : width;
  if (combined * width > 2 * partialWidth)
    return std::nullopt;
  return SplitRefusal{
      user, llvm::formatv("expected more than {0} elements for each partial "
                          "result, but got {1}",
                          2 * partialWidth / width, combined)};
}

/// The first stage would keep dimensions of the second; where a broadcast
/// repeats the operand along one, that is the same total again and again.
static std::optional<SplitRefusal> checkVaries(const ReductionSplit &split,
                                               Value operand, Operation *user) {
  auto broadcast = operand.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return std::nullopt;
  for (int64_t dim : broadcast.getRepeatedDims())
    if (llvm::is_contained(split.rest, dim))
      return SplitRefusal{
          user, llvm::formatv("expected an operand that varies along dimension "
                              "{0}, but a broadcast repeats it",
                              dim)};
  return std::nullopt;
}

SplitResult fusion::findReductionSplit(Value operand, ArrayRef<int64_t> dims,
                                       Operation *user,
                                       const DimClasses &classes,
                                       Operation *ignored) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t wide = llvm::count_if(
      dims, [&](int64_t dim) { return type.getDimSize(dim) != 1; });
  if (wide < 2)
    return NoSplit();
  auto isReference = [&](ReduceOp reduce) {
    return reduce != user && reduce.getOperation() != ignored;
  };
  auto before =
      llvm::filter_to_vector(getReductionsBefore(operand), isReference);
  Agreement agreement = agree(operand, dims, before, classes);
  if (!agreement.split && !agreement.refusal && !agreement.isAligned) {
    auto beside = llvm::filter_to_vector(
        getReductionsBeside(operand, user->getBlock(), classes), isReference);
    // One that is aligned with this one decides nothing.
    llvm::erase_if(beside, [&](ReduceOp reduce) {
      return getReducedClasses(reduce, classes).size() >=
             static_cast<size_t>(wide);
    });
    agreement = agree(operand, dims, beside, classes);
  }
  if (agreement.isAligned)
    return NoSplit();
  if (agreement.refusal)
    return *agreement.refusal;
  if (!agreement.split) {
    // Over some dimensions it may well be what others are aligned with.
    if (static_cast<int64_t>(dims.size()) < type.getRank())
      return NoSplit();
    return SplitRefusal{user, "expected a reduction over some of its "
                              "dimensions before it or beside it"};
  }
  if (auto refusal = checkProfit(*agreement.split, operand, user))
    return *refusal;
  if (auto refusal = checkVaries(*agreement.split, operand, user))
    return *refusal;
  return *agreement.split;
}
