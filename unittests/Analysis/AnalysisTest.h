//===- AnalysisTest.h - Programs for tests of analyses ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a small program and finds its values by name: arguments by their
// number, other values by the `name` attribute of the operation.
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_ANALYSIS_ANALYSISTEST_H
#define UNITTESTS_ANALYSIS_ANALYSISTEST_H

#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::fusion {

class AnalysisTest : public ::testing::Test {
protected:
  AnalysisTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect, FusionDialect,
                        math::MathDialect, tensor::TensorDialect>();
  }

  /// The first function of `text`; the test fails if it does not parse.
  func::FuncOp parse(llvm::StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    return *module->getOps<func::FuncOp>().begin();
  }

  /// The operation with `name = "..."`.
  Operation *getOp(llvm::StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      auto attr = op->getAttrOfType<StringAttr>("name");
      if (attr && attr.getValue() == name)
        found = op;
    });
    EXPECT_TRUE(found) << name.str();
    return found;
  }
  Value get(llvm::StringRef name) { return getOp(name)->getResult(0); }
  Value getArgument(unsigned number) {
    return (*module->getOps<func::FuncOp>().begin()).getArgument(number);
  }

  /// All operations of the function but its return.
  Candidate getCandidate(func::FuncOp function) {
    SmallVector<Operation *> operations;
    for (Operation &op : function.front().without_terminator())
      operations.push_back(&op);
    return Candidate::get(operations);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::fusion

#endif // UNITTESTS_ANALYSIS_ANALYSISTEST_H
