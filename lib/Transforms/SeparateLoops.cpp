//===- SeparateLoops.cpp - Two loops over one dimension of a tensor -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_SEPARATELOOPSPASS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// True if two dimensions of a tensor in `function` are one loop.
static bool hasSharedLoops(FunctionOpInterface function,
                           const DimClasses &dims) {
  auto isShared = [&](Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return false;
    SmallVector<DimClasses::Class> seen;
    for (DimClasses::Class dimClass : dims.getClasses(value)) {
      if (dims.getExtent(dimClass) == 1)
        continue;
      if (llvm::is_contained(seen, dimClass))
        return true;
      seen.push_back(dimClass);
    }
    return false;
  };
  WalkResult result = function->walk([&](Operation *op) {
    bool found = llvm::any_of(op->getResults(), isShared);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArguments(), isShared);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

namespace {

/// Finds, in program order, the first operand by which two dimensions of a
/// tensor become one loop. The rules are those of DimClasses, which has no
/// order, but for those about reshapes.
class LoopRoles {
public:
  explicit LoopRoles(const DimClasses &dims) : dims(dims) {}

  OpOperand *findConflict(FunctionOpInterface function);

private:
  /// A dimension of a tensor.
  using Dim = std::pair<Value, int64_t>;

  bool relate(OpOperand &operand, Value result);
  bool unite(Dim a, Dim b);
  Dim find(Dim dim);

  const DimClasses &dims;
  DenseMap<Dim, Dim> parents;
  /// By root, the dimensions that are one loop.
  DenseMap<Dim, SmallVector<Dim>> members;
};

} // namespace

LoopRoles::Dim LoopRoles::find(Dim dim) {
  for (auto it = parents.find(dim); it != parents.end(); it = parents.find(dim))
    dim = it->second;
  return dim;
}

/// Makes `a` and `b` one loop; false if a tensor would then have it twice.
bool LoopRoles::unite(Dim a, Dim b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return true;
  auto getMembers = [&](Dim root) -> SmallVector<Dim> & {
    return members.try_emplace(root, SmallVector<Dim>{root}).first->second;
  };
  if (getMembers(a).size() < getMembers(b).size())
    std::swap(a, b);
  auto isUnit = [](Dim dim) {
    return cast<RankedTensorType>(dim.first.getType()).getDimSize(dim.second) ==
           1;
  };
  for (Dim dim : getMembers(b)) {
    int64_t rank = cast<RankedTensorType>(dim.first.getType()).getRank();
    for (int64_t other = 0; other < rank; ++other)
      if (other != dim.second && !isUnit(dim) && !isUnit({dim.first, other}) &&
          find({dim.first, other}) == a)
        return false;
  }
  parents[b] = a;
  llvm::append_range(getMembers(a), getMembers(b));
  members.erase(b);
  return true;
}

/// Relates the dimensions of an operand to those of the result; false if a
/// tensor would have a loop twice.
bool LoopRoles::relate(OpOperand &operand, Value result) {
  Operation *op = operand.getOwner();
  Value value = operand.get();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return true;
  auto uniteTo = [&](ArrayRef<int64_t> from) {
    return llvm::all_of(llvm::enumerate(from), [&](auto entry) {
      return unite({value, entry.value()},
                   {result, static_cast<int64_t>(entry.index())});
    });
  };
  if (OpTrait::hasElementwiseMappableTraits(op) || isa<tensor::CastOp>(op)) {
    if (dims.isUniform(value) ||
        cast<RankedTensorType>(result.getType()).getRank() != type.getRank())
      return true;
    return uniteTo(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  }
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return llvm::all_of(llvm::enumerate(broadcast.getDims()), [&](auto entry) {
      auto from = static_cast<int64_t>(entry.index());
      return broadcast.growsDim(from) ||
             unite({value, from}, {result, entry.value()});
    });
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return uniteTo(transpose.getPermutation());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return uniteTo(reduce.getKeptDims());
  if (auto squeeze = dyn_cast<SqueezeOp>(op))
    return uniteTo(llvm::filter_to_vector(
        llvm::seq<int64_t>(0, type.getRank()), [&](int64_t dim) {
          return !llvm::is_contained(squeeze.getDims(), dim);
        }));
  return true;
}

OpOperand *LoopRoles::findConflict(FunctionOpInterface function) {
  OpOperand *conflict = nullptr;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<SegmentOp>(op))
      return WalkResult::skip();
    if (op->getNumResults() != 1 ||
        !isa<RankedTensorType>(op->getResult(0).getType()))
      return WalkResult::advance();
    for (OpOperand &operand : op->getOpOperands())
      if (!relate(operand, op->getResult(0))) {
        conflict = &operand;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return conflict;
}

/// Where what comes by `operand` was read from memory, if all that happened to
/// it since are operations on it alone: they then need not be kernels of their
/// own.
static OpOperand &getSource(OpOperand &operand) {
  OpOperand *source = &operand;
  while (Operation *op = source->get().getDefiningOp()) {
    if (!isSchedulable(op) || isa<ReduceOp>(op))
      break;
    OpOperand *only = nullptr;
    unsigned numTensors = 0;
    for (OpOperand &candidate : op->getOpOperands())
      if (isa<RankedTensorType>(candidate.get().getType()) &&
          !candidate.get().getDefiningOp<arith::ConstantOp>()) {
        only = &candidate;
        ++numTensors;
      }
    if (numTensors != 1)
      break;
    source = only;
  }
  return *source;
}

/// True if `value` is a whole other tensor under another name.
static bool isAlias(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice.getSourceType() == slice.getType();
}

/// Lets `operand` take the same tensor under another name: no analysis relates
/// a slice to what it is part of, and a host function makes none of the whole.
static void renameOperand(OpOperand &operand, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(operand.getOwner());
  Value value = operand.get();
  Location loc = value.getLoc();
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<OpFoldResult> zeros(rank, rewriter.getIndexAttr(0)),
      ones(rank, rewriter.getIndexAttr(1));
  Value alias = tensor::ExtractSliceOp::create(
      rewriter, loc, cast<RankedTensorType>(value.getType()), value, zeros,
      tensor::getMixedSizes(rewriter, loc, value), ones);
  rewriter.modifyOpInPlace(operand.getOwner(), [&] { operand.set(alias); });
}

/// Returns the number of tensors that got another name.
static unsigned separate(FunctionOpInterface function, const DimClasses &dims) {
  IRRewriter rewriter(function.getContext());
  unsigned numRenamed = 0;
  auto rename = [&](OpOperand &operand) {
    renameOperand(operand, rewriter);
    ++numRenamed;
  };
  // Each name relates less, so that an operand gets one twice at most.
  while (OpOperand *conflict = LoopRoles(dims).findConflict(function)) {
    OpOperand &source = getSource(*conflict);
    OpOperand &renamed = isAlias(source.get()) ? *conflict : source;
    if (isAlias(renamed.get()))
      break;
    rename(renamed);
  }
  // What is left is related by reshapes: they then relate nothing.
  if (hasSharedLoops(function, DimClasses(function)))
    function->walk([&](Operation *op) {
      if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
          !op->getParentOfType<SegmentOp>() && !isAlias(op->getOperand(0)))
        rename(op->getOpOperand(0));
    });
  return numRenamed;
}

namespace {

struct SeparateLoopsPass
    : fusion::impl::SeparateLoopsPassBase<SeparateLoopsPass> {
  void runOnOperation() override {
    const auto &dims = getAnalysis<DimClasses>();
    unsigned numRenamed = 0;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal() && hasSharedLoops(function, dims))
        numRenamed += separate(function, dims);
    });
    numNames += numRenamed;
    if (!numRenamed)
      markAllAnalysesPreserved();
  }
};

} // namespace
