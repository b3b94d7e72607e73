//===- LinalgToFusion.cpp - Import of linalg on tensors -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "StructuredImport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_CONVERTLINALGTOFUSIONPASS
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// The category of the remarks.
static constexpr llvm::StringLiteral importRemarks = "fusion-import";

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// A resource as an attribute whose elements can be read; null if it has none
/// here or another form.
static DenseElementsAttr readResource(DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  ShapedType type = resource.getType();
  bool isSplat = false;
  if (!blob || !type.hasStaticShape() || type.getElementType().isInteger(1) ||
      !type.getElementType().isIntOrFloat() ||
      !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
    return {};
  auto dense = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  if (dense.isSplat() || dense.empty())
    return dense;
  // Equal elements are one number.
  ArrayRef<char> data = dense.getRawData();
  size_t bytes = data.size() / dense.getNumElements();
  for (size_t at = bytes; at < data.size(); at += bytes)
    if (data.slice(at, bytes) != data.take_front(bytes))
      return dense;
  return DenseElementsAttr::getFromRawBuffer(type, data.take_front(bytes));
}

namespace {

/// The globals of a module whose values are known: those that nothing stores
/// to.
class KnownGlobals {
public:
  explicit KnownGlobals(ModuleOp module) {
    for (auto global : module.getOps<ml_program::GlobalOp>())
      if (auto value = dyn_cast_or_null<ElementsAttr>(
              global.getValue().value_or(Attribute())))
        values[global.getSymNameAttr()] = value;
    if (values.empty())
      return;
    // Within the module: of an operation that is a symbol table, only its own
    // attributes would be looked at.
    auto uses = SymbolTable::getSymbolUses(&module.getBodyRegion());
    if (!uses) {
      values.clear();
      return;
    }
    for (const SymbolTable::SymbolUse &use : *uses)
      if (!isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(
              use.getUser()))
        values.erase(use.getSymbolRef().getRootReference());
  }

  /// The value that `op` loads, of the type of its result; null if unknown.
  TypedAttr getLoaded(Operation *op) const {
    SymbolRefAttr name;
    if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
      name = load.getGlobalAttr();
    else if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
      name = load.getGlobalAttr();
    if (!name || !name.getNestedReferences().empty())
      return {};
    auto value = values.lookup(name.getRootReference());
    if (!value || value.getType() != op->getResult(0).getType())
      return {};
    return cast<TypedAttr>(value);
  }

private:
  llvm::DenseMap<StringAttr, ElementsAttr> values;
};

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

struct ConvertLinalgToFusionPass
    : fusion::impl::ConvertLinalgToFusionPassBase<ConvertLinalgToFusionPass> {
  using ConvertLinalgToFusionPassBase::ConvertLinalgToFusionPassBase;

  void runOnOperation() override;

private:
  void importConstants(IRRewriter &rewriter);
  void decomposeSoftmax(IRRewriter &rewriter);
  void importStructured(linalg::LinalgOp op, IRRewriter &rewriter);
  void leave(Operation *op, const ImportRefusal &refusal);
  void importDataMovement(IRRewriter &rewriter);

  bool refused = false;
};

} // namespace

/// Loads of globals and resources become constants that passes can read.
void ConvertLinalgToFusionPass::importConstants(IRRewriter &rewriter) {
  KnownGlobals globals(getOperation());
  SmallVector<std::pair<Operation *, TypedAttr>> constants;
  getOperation().walk([&](Operation *op) {
    TypedAttr value = globals.getLoaded(op);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      value = constant.getValue();
    if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value))
      if (DenseElementsAttr dense = readResource(resource))
        value = dense;
    if (value && !isa<arith::ConstantOp>(op))
      constants.push_back({op, value});
    else if (value && value != cast<arith::ConstantOp>(op).getValue())
      constants.push_back({op, value});
  });
  for (auto [op, value] : constants) {
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
  }
  for (auto global : llvm::make_early_inc_range(
           getOperation().getOps<ml_program::GlobalOp>()))
    if (global.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(global, getOperation()))
      rewriter.eraseOp(global);
}

/// A softmax is its decomposition into structured operations.
void ConvertLinalgToFusionPass::decomposeSoftmax(IRRewriter &rewriter) {
  SmallVector<linalg::SoftmaxOp> ops;
  getOperation().walk([&](linalg::SoftmaxOp op) {
    if (op.hasPureTensorSemantics())
      ops.push_back(op);
  });
  for (linalg::SoftmaxOp op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (succeeded(values))
      rewriter.replaceOp(op, *values);
  }
}

/// `op` stays, for a reason that may lie in its body.
void ConvertLinalgToFusionPass::leave(Operation *op,
                                      const ImportRefusal &refusal) {
  ++numLeft;
  StringRef obstacle = stringifyImportObstacle(refusal.obstacle);
  if (refuseUnimported) {
    op->emitOpError("cannot be imported, and no kernel takes it")
            .attachNote(refusal.operation->getLoc())
        << "import: " << obstacle << ": " << refusal.hint;
    refused = true;
    return;
  }
  remark::missed(refusal.operation->getLoc(),
                 remark::RemarkOpts::name("left").category(importRemarks))
      << remark::metric("operation",
                        refusal.operation->getName().getStringRef())
      << remark::reason("{0}: {1}", obstacle.str(), refusal.hint);
}

void ConvertLinalgToFusionPass::importStructured(linalg::LinalgOp op,
                                                 IRRewriter &rewriter) {
  auto plan = import::planImport(op);
  if (const auto *refusal = std::get_if<ImportRefusal>(&plan))
    return leave(op, *refusal);
  SmallVector<Value> results =
      import::rewriteStructured(op, std::get<import::Plan>(plan), rewriter);
  for (auto [old, value] : llvm::zip(op->getResults(), results))
    if (value)
      rewriter.replaceAllUsesWith(old, value);
  rewriter.eraseOp(op);
  ++numImported;
}

/// Slices stay between the segments. So does a pad, as a slice of a splat; of
/// what else moves elements, nothing can run.
void ConvertLinalgToFusionPass::importDataMovement(IRRewriter &rewriter) {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) {
    if (import::movesData(op) && !isa<linalg::LinalgOp>(op->getParentOp()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto pad = dyn_cast<tensor::PadOp>(op)) {
      if (auto refusal = import::importPad(pad, rewriter))
        leave(op, *refusal);
      else
        ++numImported;
    } else if (import::staysBetweenSegments(op)) {
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("left").category(importRemarks))
          << remark::metric("operation", op->getName().getStringRef())
          << remark::reason(
                 "{0}: it stays between the segments",
                 stringifyImportObstacle(ImportObstacle::DataMovement).str());
    } else {
      leave(op, {ImportObstacle::DataMovement, op,
                 "expected slices, at places that the program states"});
    }
  }
}

void ConvertLinalgToFusionPass::runOnOperation() {
  IRRewriter rewriter(&getContext());
  importConstants(rewriter);
  decomposeSoftmax(rewriter);
  SmallVector<Operation *> ops;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_present<linalg::LinalgDialect>(op->getDialect()) &&
        !isa<linalg::YieldOp, linalg::IndexOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      importStructured(structured, rewriter);
    else
      leave(op, {ImportObstacle::Unstructured, op,
                 "expected an operation with loops and a body"});
  }
  // Inits that nothing reads any more, and what only they used.
  getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (isOpTriviallyDead(op))
          rewriter.eraseOp(op);
      });
  importDataMovement(rewriter);
  if (refused)
    signalPassFailure();
}
