//===- Blocks.cpp - The blocks that are segmented -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Transforms/Segmentation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

static void forEachBlock(Region &region,
                         llvm::function_ref<void(Block &block)> visit) {
  for (Block &block : region) {
    for (Operation &op : block)
      if (isa<RegionBranchOpInterface>(op))
        for (Region &nested : op.getRegions())
          forEachBlock(nested, visit);
    // An operation may allow blocks without a terminator: nothing says where
    // their values go.
    if (block.mightHaveTerminator() && hasSchedulable(block))
      visit(block);
  }
}

void fusion::forEachBlock(FunctionOpInterface function,
                          llvm::function_ref<void(Block &block)> visit) {
  ::forEachBlock(function.getFunctionBody(), visit);
}

bool fusion::copyConstantsIntoBlocks(FunctionOpInterface function) {
  bool isCopied = false;
  fusion::forEachBlock(function, [&](Block &block) {
    llvm::MapVector<Operation *, SmallVector<OpOperand *>> uses;
    for (Operation &op : block)
      for (OpOperand &operand : op.getOpOperands())
        if (auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
            constant && constant->getBlock() != &block &&
            isa<RankedTensorType>(constant.getType()) &&
            isSchedulable(constant) && isSchedulable(&op))
          uses[constant].push_back(&operand);
    for (auto &[constant, operands] : uses) {
      Operation *copy = constant->clone();
      block.push_front(copy);
      for (OpOperand *operand : operands)
        operand->set(copy->getResult(0));
      isCopied = true;
    }
  });
  return isCopied;
}
