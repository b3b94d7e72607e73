//===- FunctionTest.cpp - Functions, calls, segments and errors -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceTest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
class FunctionTest : public ReferenceTest {};
} // namespace

TEST_F(FunctionTest, SeveralResultsAndInputsPassedThrough) {
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<2xf32>, %i: i32)
      -> (tensor<2xf32>, i32, tensor<2xf32>, f64) {
    %c = arith.constant 2.5 : f64
    %d = arith.addf %x, %x : tensor<2xf32>
    return %x, %i, %d, %c : tensor<2xf32>, i32, tensor<2xf32>, f64
  })");
  FailureOr<SmallVector<HostTensor>> results = evaluate(
      f, {makeTensor("f32", {2}, {1, 2}), makeTensor("i32", {}, {-3})});
  ASSERT_TRUE(succeeded(results)) << errors;
  ASSERT_EQ(results->size(), 4u);
  expectSame(getValues((*results)[0]), {1, 2});
  expectSame(getValues((*results)[1]), {-3});
  expectSame(getValues((*results)[2]), {2, 4});
  expectSame(getValues((*results)[3]), {2.5});
  EXPECT_EQ((*results)[3].getRank(), 0);
}

TEST_F(FunctionTest, NoResults) {
  func::FuncOp f = parse("func.func @f() {\n return\n}");
  FailureOr<SmallVector<HostTensor>> results = evaluate(f, {});
  ASSERT_TRUE(succeeded(results)) << errors;
  EXPECT_TRUE(results->empty());
}

TEST_F(FunctionTest, SegmentsAreTheirBody) {
  expectSame(run(R"(func.func @f(%x: tensor<2x2xf32>) -> tensor<2xf32> {
    %0:2 = fusion.segment "any" (%a = %x : tensor<2x2xf32>)
        -> (tensor<2xf32>, tensor<2xf32>) {
      %r = fusion.reduce add %a dims = [1] : tensor<2x2xf32> -> tensor<2xf32>
      %c = fusion.reduce add %a dims = [0] : tensor<2x2xf32> -> tensor<2xf32>
      fusion.yield %r, %c : tensor<2xf32>, tensor<2xf32>
    }
    %s = arith.subf %0#0, %0#1 : tensor<2xf32>
    return %s : tensor<2xf32>
  })",
                 {makeTensor("f32", {2, 2}, {1, 2, 3, 4})}),
             {3 - 4, 7 - 6});
}

TEST_F(FunctionTest, CallsAreTheirCallee) {
  expectSame(run(R"(func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %a = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %b = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
    %s = arith.addf %a, %b : tensor<2xf32>
    return %s : tensor<2xf32>
  }
  func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
    %s = arith.addf %x, %x : tensor<2xf32>
    return %s : tensor<2xf32>
  })",
                 {makeTensor("f32", {2}, {1, 3})}),
             {6, 18});
}

TEST_F(FunctionTest, RecursionIsAnError) {
  std::string message =
      runExpectingError(R"(func.func @f(%x: tensor<f32>) -> tensor<f32> {
    %a = call @g(%x) : (tensor<f32>) -> tensor<f32>
    return %a : tensor<f32>
  }
  func.func private @g(%x: tensor<f32>) -> tensor<f32> {
    %a = call @f(%x) : (tensor<f32>) -> tensor<f32>
    return %a : tensor<f32>
  })",
                        {makeTensor("f32", {}, {1})});
  EXPECT_NE(message.find("does not interpret recursion: 'f' calls itself"),
            std::string::npos)
      << message;
}

TEST_F(FunctionTest, ExternalFunctionIsAnError) {
  std::string message =
      runExpectingError("func.func private @f(tensor<f32>) -> tensor<f32>",
                        {makeTensor("f32", {}, {1})});
  EXPECT_NE(message.find("expected a function with a body"), std::string::npos)
      << message;
}

TEST_F(FunctionTest, UnknownOperationIsAnError) {
  context.allowUnregisteredDialects();
  std::string message =
      runExpectingError(R"(func.func @f(%x: tensor<f32>) -> tensor<f32> {
    %a = "x.y"(%x) : (tensor<f32>) -> tensor<f32>
    return %a : tensor<f32>
  })",
                        {makeTensor("f32", {}, {1})});
  EXPECT_NE(message.find("the reference does not interpret 'x.y'"),
            std::string::npos)
      << message;
}

TEST_F(FunctionTest, OtherElementTypesAreAnError) {
  std::string message =
      runExpectingError(R"(func.func @f(%x: tensor<2xi8>) -> tensor<2xi4> {
    %a = arith.trunci %x : tensor<2xi8> to tensor<2xi4>
    return %a : tensor<2xi4>
  })",
                        {makeTensor("i8", {2}, {1, 2})});
  EXPECT_NE(message.find("does not take values of type 'tensor<2xi4>'"),
            std::string::npos)
      << message;
}

TEST_F(FunctionTest, InputsMustFit) {
  StringRef source = R"(func.func @f(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
    return %x : tensor<?x2xf32>
  })";
  EXPECT_NE(runExpectingError(source, {}).find("expected 1 inputs"),
            std::string::npos)
      << errors;
  for (const HostTensor &input :
       {HostTensor(getType("f32"), {2, 3}), HostTensor(getType("f32"), {2}),
        HostTensor(getType("f16"), {2, 2})}) {
    errors.clear();
    EXPECT_NE(runExpectingError(source, {input})
                  .find("expected input 0 to fit 'tensor<?x2xf32>'"),
              std::string::npos)
        << errors;
  }
}

TEST_F(FunctionTest, SingleOperations) {
  func::FuncOp f = parse(R"(func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>)
      -> tensor<?xf32> {
    %z = arith.mulf %x, %y : tensor<?xf32>
    return %z : tensor<?xf32>
  })");
  Operation *mul = &f.getBody().front().front();
  FailureOr<SmallVector<HostTensor>> results = evaluateOperation(
      mul, {makeTensor("f32", {2}, {2, 3}), makeTensor("f32", {2}, {5, 7})});
  ASSERT_TRUE(succeeded(results)) << errors;
  expectSame(getValues(results->front()), {10, 21});
  EXPECT_TRUE(isInterpreted(mul->getName()));
  EXPECT_FALSE(isInterpreted(OperationName("func.return", &context)));
}

TEST_F(FunctionTest, LoopsAndConditions) {
  // i = 1, 3, 5: doubled, or 10 i added where i is 3; the other carried value
  // is what the first was before.
  constexpr const char *source =
      R"(func.func @f(%x: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c1 to %n step %c2 iter_args(%a = %x, %b = %x) -> (tensor<2xf32>, tensor<2xf32>) {
    %isThree = arith.cmpi eq, %i, %c3 : index
    %v = scf.if %isThree -> (tensor<2xf32>) {
      %ten = arith.constant 10 : index
      %t = arith.muli %i, %ten : index
      %ti = arith.index_cast %t : index to i32
      %tf = arith.sitofp %ti : i32 to f32
      %s = tensor.splat %tf : tensor<2xf32>
      %o = arith.addf %a, %s : tensor<2xf32>
      scf.yield %o : tensor<2xf32>
    } else {
      %d = arith.addf %a, %a : tensor<2xf32>
      scf.yield %d : tensor<2xf32>
    }
    scf.yield %v, %a : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
})";
  HostTensor x = makeTensor("f32", {2}, {1, 2});
  auto evaluateTo = [&](double n) {
    func::FuncOp f = parse(source);
    auto results = evaluate(f, {x, makeTensor("index", {}, {n})});
    EXPECT_TRUE(succeeded(results)) << errors;
    return *results;
  };
  SmallVector<HostTensor> none = evaluateTo(1), three = evaluateTo(6);
  expectSame(getValues(none[0]), {1, 2});
  expectSame(getValues(three[0]), {64, 68});
  expectSame(getValues(three[1]), {32, 34});
}

TEST_F(FunctionTest, UnsignedLoopsOfNarrowTypesCrossTheSignBit) {
  // 100 and 150; the bound 200 is negative as a signed number.
  constexpr const char *source =
      R"(func.func @f(%x: tensor<2xf32>, %n: i8) -> tensor<2xf32> {
  %c100 = arith.constant 100 : i8
  %c50 = arith.constant 50 : i8
  %r = scf.for unsigned %i = %c100 to %n step %c50 iter_args(%a = %x) -> (tensor<2xf32>) : i8 {
    %f = arith.uitofp %i : i8 to f32
    %s = tensor.splat %f : tensor<2xf32>
    %o = arith.addf %a, %s : tensor<2xf32>
    scf.yield %o : tensor<2xf32>
  }
  return %r : tensor<2xf32>
})";
  func::FuncOp f = parse(source);
  auto results = evaluate(
      f, {makeTensor("f32", {2}, {1, 2}), makeTensor("i8", {}, {-56})});
  ASSERT_TRUE(succeeded(results)) << errors;
  expectSame(getValues((*results)[0]), {251, 252});
}

TEST_F(FunctionTest, LoopsThatCannotEndOrAreTooLongAreErrors) {
  constexpr const char *source =
      R"(func.func @f(%x: tensor<2xf32>, %n: index, %step: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %step iter_args(%a = %x) -> (tensor<2xf32>) {
    %d = arith.addf %a, %a : tensor<2xf32>
    scf.yield %d : tensor<2xf32>
  }
  return %r : tensor<2xf32>
})";
  HostTensor x = makeTensor("f32", {2}, {1, 2});
  auto getError = [&](double n, double step) {
    errors.clear();
    return runExpectingError(source, {x, makeTensor("index", {}, {n}),
                                      makeTensor("index", {}, {step})});
  };
  EXPECT_NE(getError(4, 0).find("expected a step of at least 1, but found 0"),
            std::string::npos)
      << errors;
  EXPECT_NE(getError(4, -1).find("expected a step of at least 1, but found -1"),
            std::string::npos)
      << errors;
  EXPECT_NE(getError(1e6, 1).find(
                "the reference evaluates at most 65536 iterations, but found "
                "1000000"),
            std::string::npos)
      << errors;
}

TEST_F(FunctionTest, LongChainsOfOperations) {
  std::string source = "func.func @f(%v0: tensor<4xf32>) -> tensor<4xf32> {\n"
                       "%c = arith.constant dense<1.0> : tensor<4xf32>\n";
  const int length = 5000;
  for (int i = 0; i < length; ++i)
    source += "%v" + std::to_string(i + 1) + " = arith.addf %v" +
              std::to_string(i) + ", %c : tensor<4xf32>\n";
  source += "return %v" + std::to_string(length) + " : tensor<4xf32>\n}";
  expectSame(run(source, {makeTensor("f32", {4}, {0, 1, 2, 3})}),
             {length + 0., length + 1., length + 2., length + 3.});
}
