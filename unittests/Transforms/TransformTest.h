//===- TransformTest.h - Programs before and after a pass -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a program, runs a pass over a copy of it, and evaluates both with the
// reference.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_TRANSFORMTEST_H
#define FUSION_UNITTESTS_TRANSFORMS_TRANSFORMTEST_H

#include "Draws.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Reference/Verify.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

namespace mlir::fusion {

class TransformTest : public ::testing::Test {
protected:
  static constexpr double inf = std::numeric_limits<double>::infinity();
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  TransformTest() {
    context.loadDialect<FusionDialect, arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, tensor::TensorDialect>();
  }

  static func::FuncOp getFunction(ModuleOp module) {
    return *module.getOps<func::FuncOp>().begin();
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module.print(os);
    return text;
  }

  /// `few`, or 100,000 with FUSION_LONG_TESTS=1.
  static int64_t getNumTrials(int64_t few) {
    const char *isLong = std::getenv("FUSION_LONG_TESTS");
    return isLong && StringRef(isLong) == "1" ? 100000 : few;
  }

  /// Parses `source` as `before`, and as `after` with `pass` run over it; the
  /// test fails if the pass changes nothing.
  bool prepare(StringRef source, std::unique_ptr<Pass> pass,
               bool mustChange = true) {
    return prepare(
        source, [&](PassManager &manager) { manager.addPass(std::move(pass)); },
        mustChange);
  }

  /// The same with the passes that `addPasses` adds.
  bool prepare(StringRef source,
               llvm::function_ref<void(PassManager &)> addPasses,
               bool mustChange = true) {
    before = parseSourceString<ModuleOp>(source, &context);
    after = parseSourceString<ModuleOp>(source, &context);
    if (!before || !after) {
      ADD_FAILURE() << "cannot parse " << source.str();
      return false;
    }
    PassManager manager(&context);
    addPasses(manager);
    if (failed(manager.run(*after))) {
      ADD_FAILURE() << "the pass fails on " << source.str();
      return false;
    }
    if (mustChange && print(*before) == print(*after)) {
      ADD_FAILURE() << "the pass does not change " << source.str();
      return false;
    }
    return true;
  }

  FailureOr<SmallVector<HostTensor>>
  run(ModuleOp module, ArrayRef<HostTensor> inputs,
      Precision precision = Precision::Type) {
    return evaluate(getFunction(module), inputs, {precision});
  }

  static std::vector<double> getValues(const HostTensor &tensor) {
    std::vector<double> values(tensor.getNumElements());
    tensor.readAsDouble(0, tensor.getNumElements(), values.data());
    return values;
  }

  /// Expects both programs to give the same bits, NaN being NaN; the sign of
  /// zero counts unless `ignoresZeroSign`.
  void expectSameBits(ArrayRef<HostTensor> inputs,
                      bool ignoresZeroSign = false) {
    auto expected = run(*before, inputs), actual = run(*after, inputs);
    ASSERT_TRUE(succeeded(expected) && succeeded(actual)) << print(*after);
    ASSERT_EQ(expected->size(), actual->size());
    for (auto [e, a] : llvm::zip(*expected, *actual)) {
      std::vector<double> want = getValues(e), got = getValues(a);
      ASSERT_EQ(want.size(), got.size());
      size_t different = 0;
      for (size_t i = 0; i < want.size(); ++i) {
        bool same = (std::isnan(want[i]) && std::isnan(got[i])) ||
                    (want[i] == got[i] &&
                     (ignoresZeroSign ||
                      std::signbit(want[i]) == std::signbit(got[i])));
        if (!same && different++ == 0)
          ADD_FAILURE() << "element " << i << ": expected " << want[i]
                        << ", but found " << got[i] << " with\n"
                        << print(*after);
      }
      EXPECT_EQ(different, 0u);
    }
  }

  /// Expects the second program to give what the reference accepts for the
  /// first (docs/Numerics.md). In Precision::Double what is left of the
  /// roundings, a long sum's among them, is next to nothing.
  void expectVerified(ArrayRef<HostTensor> inputs,
                      Precision precision = Precision::Type) {
    auto actual = run(*after, inputs, precision);
    ASSERT_TRUE(succeeded(actual)) << print(*after);
    FailureOr<VerifyReport> report =
        verify(getFunction(*before), inputs, *actual);
    ASSERT_TRUE(succeeded(report));
    std::string text;
    llvm::raw_string_ostream os(text);
    report->print(os);
    EXPECT_TRUE(report->passed) << text << print(*before) << print(*after);
  }

  HostTensor makeTensor(Type type, ArrayRef<int64_t> shape,
                        ArrayRef<double> values) {
    HostTensor tensor(type, shape);
    EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(values.size()));
    tensor.writeFromDouble(0, tensor.getNumElements(), values.data());
    return tensor;
  }

  /// An input for each argument of the program, dynamic extents being `size`:
  /// `draw` gives the elements of floats, `drawInteger` those of integers.
  SmallVector<HostTensor> makeInputs(int64_t size, Draw draw,
                                     DrawInteger drawInteger = drawBits) {
    SmallVector<HostTensor> inputs;
    for (Type type : getFunction(*before).getArgumentTypes()) {
      auto tensor = cast<RankedTensorType>(type);
      SmallVector<int64_t> shape;
      for (int64_t extent : tensor.getShape())
        shape.push_back(ShapedType::isDynamic(extent) ? size : extent);
      HostTensor input(tensor.getElementType(), shape);
      bool isFloat = isa<FloatType>(tensor.getElementType());
      for (int64_t i = 0; i < input.getNumElements(); ++i) {
        if (isFloat) {
          double value = draw(random);
          input.writeFromDouble(i, 1, &value);
        } else {
          int64_t bits = drawInteger(random);
          input.writeFromInteger(i, 1, &bits);
        }
      }
      inputs.push_back(input);
    }
    return inputs;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> before, after;
  std::mt19937_64 random{1};
};

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_TRANSFORMS_TRANSFORMTEST_H
