//===- Shrink.cpp - Makes a failing program small -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class Shrinker {
public:
  Shrinker(ModuleOp module, llvm::function_ref<bool(ModuleOp)> stillFails,
           unsigned mostQuestions)
      : best(module.clone()), stillFails(stillFails),
        questionsLeft(mostQuestions) {}

  OwningOpRef<ModuleOp> run();

private:
  /// A change of a function; false if there is nothing to change.
  using Change = llvm::function_ref<bool(func::FuncOp)>;

  /// Keeps the change if the program still fails.
  bool attempt(Change change);
  bool dropResults();
  bool dropOperations();
  bool dropFlags();
  bool shrinkExtents();
  func::FuncOp getFunction(ModuleOp module) const {
    return *module.getOps<func::FuncOp>().begin();
  }
  func::FuncOp getBest() { return getFunction(*best); }

  OwningOpRef<ModuleOp> best;
  llvm::function_ref<bool(ModuleOp)> stillFails;
  unsigned questionsLeft;
};

} // namespace

static func::ReturnOp getReturn(func::FuncOp function) {
  return cast<func::ReturnOp>(function.getBody().front().getTerminator());
}

/// Operations from which something is returned, without the terminator.
static SmallVector<Operation *> getOperations(func::FuncOp function) {
  SmallVector<Operation *> operations;
  for (Operation &op : function.getBody().front().without_terminator())
    operations.push_back(&op);
  return operations;
}

/// Removes what nothing uses, and makes the function's type fit.
static void cleanUp(func::FuncOp function) {
  SmallVector<Operation *> operations = getOperations(function);
  for (Operation *op : llvm::reverse(operations))
    if (op->use_empty())
      op->erase();
  Block &body = function.getBody().front();
  for (unsigned number = body.getNumArguments(); number-- > 0;)
    if (body.getArgument(number).use_empty())
      body.eraseArgument(number);
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        getReturn(function)->getOperandTypes()));
}

bool Shrinker::attempt(Change change) {
  if (questionsLeft == 0)
    return false;
  OwningOpRef<ModuleOp> candidate = best->clone();
  func::FuncOp function = getFunction(*candidate);
  if (!change(function))
    return false;
  cleanUp(function);
  {
    // Some changes make no valid program.
    ScopedDiagnosticHandler silent(function.getContext(), [](Diagnostic &) {});
    if (failed(verify(*candidate)))
      return false;
  }
  --questionsLeft;
  if (!stillFails(*candidate))
    return false;
  best = std::move(candidate);
  return true;
}

bool Shrinker::dropResults() {
  bool changed = false;
  for (unsigned i = getReturn(getBest()).getNumOperands(); i-- > 0;) {
    if (getReturn(getBest()).getNumOperands() < 2)
      break;
    // This one alone, else all but this one.
    changed |= attempt([&](func::FuncOp function) {
                 func::ReturnOp end = getReturn(function);
                 if (i >= end.getNumOperands())
                   return false;
                 end->setOperands(Value(end.getOperand(i)));
                 return true;
               }) ||
               attempt([&](func::FuncOp function) {
                 func::ReturnOp end = getReturn(function);
                 if (i >= end.getNumOperands() || end.getNumOperands() < 2)
                   return false;
                 end->eraseOperand(i);
                 return true;
               });
  }
  return changed;
}

/// True if `op` keeps a later operation defined: the bounds before a conversion
/// to integers, and those of a shift.
static bool isGuard(Operation *op) {
  if (!isa<arith::MaxNumFOp, arith::MinNumFOp, arith::AndIOp>(op))
    return false;
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return isa<arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp,
               arith::MinNumFOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
        user);
  });
}

/// An operation's result becomes one of its operands, or an argument.
bool Shrinker::dropOperations() {
  bool changed = false;
  for (size_t i = getOperations(getBest()).size(); i-- > 0;) {
    auto replace = [&](llvm::function_ref<Value(Operation *)> getValue) {
      return attempt([&](func::FuncOp function) {
        SmallVector<Operation *> operations = getOperations(function);
        if (i >= operations.size())
          return false;
        Operation *op = operations[i];
        if (isGuard(op))
          return false;
        Value value = getValue(op);
        if (!value || value.getType() != op->getResult(0).getType())
          return false;
        op->getResult(0).replaceAllUsesWith(value);
        return true;
      });
    };
    bool replaced = false;
    constexpr unsigned mostOperands = 3;
    for (unsigned operand = 0; operand < mostOperands && !replaced; ++operand)
      replaced = replace([&](Operation *op) {
        return operand < op->getNumOperands() ? op->getOperand(operand)
                                              : Value();
      });
    replaced = replaced || replace([&](Operation *op) -> Value {
                 if (isa<arith::ConstantOp>(op))
                   return nullptr;
                 return op->getBlock()->addArgument(op->getResult(0).getType(),
                                                    op->getLoc());
               });
    changed |= replaced;
  }
  return changed;
}

bool Shrinker::dropFlags() {
  return attempt([](func::FuncOp function) {
    bool changed = false;
    auto none = arith::FastMathFlagsAttr::get(function.getContext(),
                                              arith::FastMathFlags::none);
    function.walk([&](arith::ArithFastMathInterface op) {
      changed |= op.getFastMathFlagsAttr() != none;
      op->setAttr(op.getFastMathAttrName(), none);
    });
    return changed;
  });
}

/// `type` with each extent `from` replaced by `to`.
static Type replaceExtent(Type type, int64_t from, int64_t to) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  llvm::replace(shape, from, to);
  return tensor.clone(shape);
}

static bool replaceExtents(func::FuncOp function, int64_t from, int64_t to) {
  for (BlockArgument argument : function.getBody().getArguments())
    argument.setType(replaceExtent(argument.getType(), from, to));
  SmallVector<Operation *> operations = getOperations(function);
  for (Operation *op : operations) {
    for (OpResult result : op->getResults())
      result.setType(replaceExtent(result.getType(), from, to));
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!elements || elements.getType() == constant.getType())
        continue;
      if (!elements.isSplat())
        return false;
      constant.setValueAttr(
          elements.resizeSplat(cast<ShapedType>(constant.getType())));
    }
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      expand.setStaticOutputShape(expand.getResultType().getShape());
  }
  return true;
}

bool Shrinker::shrinkExtents() {
  llvm::SmallSetVector<int64_t, 8> extents;
  auto note = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      extents.insert(tensor.getShape().begin(), tensor.getShape().end());
  };
  llvm::for_each(getBest().getBody().getArgumentTypes(), note);
  for (Operation *op : getOperations(getBest()))
    llvm::for_each(op->getResultTypes(), note);
  bool changed = false;
  for (int64_t extent : extents)
    for (int64_t smaller : {int64_t(1), int64_t(2), int64_t(3), extent / 2})
      if (smaller < extent && smaller > 0 &&
          attempt([&](func::FuncOp function) {
            return replaceExtents(function, extent, smaller);
          })) {
        changed = true;
        break;
      }
  return changed;
}

OwningOpRef<ModuleOp> Shrinker::run() {
  bool changed = true;
  while (changed && questionsLeft > 0) {
    changed = dropResults();
    changed |= dropOperations();
    changed |= shrinkExtents();
    changed |= dropFlags();
  }
  return std::move(best);
}

OwningOpRef<ModuleOp>
fusion::shrink(ModuleOp module, llvm::function_ref<bool(ModuleOp)> stillFails,
               unsigned mostQuestions) {
  return Shrinker(module, stillFails, mostQuestions).run();
}
