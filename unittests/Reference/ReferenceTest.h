//===- ReferenceTest.h - Evaluating small programs --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_REFERENCE_REFERENCETEST_H
#define FUSION_UNITTESTS_REFERENCE_REFERENCETEST_H

#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Reference/Reference.h"
#include "FusionDialect/Reference/Verify.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

namespace mlir::fusion {

/// Equal, with the sign of zero, or both NaN.
inline bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         (a == b && std::signbit(a) == std::signbit(b));
}

/// A context with the dialects, and what was reported in it.
class ReferenceTest : public ::testing::Test {
protected:
  static constexpr double inf = std::numeric_limits<double>::infinity();
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  ReferenceTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
          return success();
        }) {
    context.loadDialect<FusionDialect, arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, scf::SCFDialect,
                        tensor::TensorDialect>();
  }

  /// The function `name` of a program; the first if the name is empty.
  func::FuncOp parse(StringRef source, StringRef name = "") {
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << errors;
    if (!module)
      return {};
    if (name.empty())
      return *module->getOps<func::FuncOp>().begin();
    return module->lookupSymbol<func::FuncOp>(name);
  }

  Type getType(StringRef type) { return parseType(type, &context); }

  /// A tensor of the values, rounded to the type.
  HostTensor makeTensor(StringRef type, ArrayRef<int64_t> shape,
                        ArrayRef<double> values) {
    HostTensor tensor(getType(type), shape);
    EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(values.size()));
    tensor.writeFromDouble(0, tensor.getNumElements(), values.data());
    return tensor;
  }

  /// Normally distributed elements.
  HostTensor makeRandom(StringRef type, ArrayRef<int64_t> shape,
                        unsigned seed) {
    HostTensor tensor(getType(type), shape);
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(tensor.getNumElements());
    for (double &value : values)
      value = normal(engine);
    tensor.writeFromDouble(0, tensor.getNumElements(), values.data());
    return tensor;
  }

  /// What verification says of `actual`, the only result of the first function
  /// of `source`.
  ResultReport check(StringRef source, ArrayRef<HostTensor> inputs,
                     const HostTensor &actual) {
    FailureOr<VerifyReport> report = verify(parse(source), inputs, {actual});
    EXPECT_TRUE(succeeded(report)) << errors;
    return report->results.front();
  }

  static std::vector<double> getValues(const HostTensor &tensor) {
    std::vector<double> values(tensor.getNumElements());
    tensor.readAsDouble(0, tensor.getNumElements(), values.data());
    return values;
  }

  /// The first result of evaluating the first function of `source`.
  std::vector<double> run(StringRef source, ArrayRef<HostTensor> inputs,
                          Precision precision = Precision::Double) {
    func::FuncOp function = parse(source);
    if (!function)
      return {};
    FailureOr<SmallVector<HostTensor>> results =
        evaluate(function, inputs, {precision});
    EXPECT_TRUE(succeeded(results)) << errors;
    if (failed(results))
      return {};
    return getValues(results->front());
  }

  /// The errors that evaluating the first function of `source` reports.
  std::string runExpectingError(StringRef source, ArrayRef<HostTensor> inputs) {
    func::FuncOp function = parse(source);
    if (function) {
      EXPECT_TRUE(failed(evaluate(function, inputs)));
    }
    return errors;
  }

  /// Expects the same numbers, with the signs of zeros.
  static void expectSame(ArrayRef<double> actual, ArrayRef<double> expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i)
      EXPECT_TRUE(isSame(actual[i], expected[i]))
          << "element " << i << ": expected " << expected[i] << ", but found "
          << actual[i];
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::string errors;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_REFERENCE_REFERENCETEST_H
