//===- OperationKeyTest.cpp - Equal keys, equal answers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Segmentation remembers answers by what schedulers say they make of an
// element-wise operation. So an operation in whose place stands another one of
// the same key must change nothing: neither whether a scheduler accepts, nor
// why not, nor the schedule, nor the price.
//
//===----------------------------------------------------------------------===//

#include "../Analysis/AnalysisTest.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "FusionDialect/Analysis/Scheduler.h"
#include "FusionDialect/Analysis/SegmentGraph.h"
#include "FusionDialect/Schedulers/Schedulers.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "RandomProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

using Node = SegmentGraph::Node;

/// What a scheduler answers about a candidate.
struct Reply {
  std::optional<RejectionCode> refusal;
  bool holdsForLarger = false;
  Attribute schedule;
  uint64_t bytes = 0;
  double microseconds = 0;

  bool operator==(const Reply &other) const {
    return refusal == other.refusal && holdsForLarger == other.holdsForLarger &&
           schedule == other.schedule && bytes == other.bytes &&
           microseconds == other.microseconds;
  }
};

class OperationKeyTest : public AnalysisTest {
protected:
  OperationKeyTest() {
    DialectRegistry registry;
    registerBuiltinSchedulers(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    device = llvm::cantFail(lookupDeviceModel("sm_90"));
  }

  Reply ask(const Scheduler &scheduler, const Candidate &candidate,
            const Facts &facts) {
    MatchResult result = scheduler.match(candidate, facts);
    if (auto *rejection = std::get_if<Rejection>(&result))
      return {rejection->code, rejection->holdsForLarger};
    const Match &match = *std::get<std::unique_ptr<Match>>(result);
    ScheduleAttrInterface schedule = scheduler.plan(match, &context, facts);
    Cost cost = scheduler.cost(match, schedule, facts);
    return {std::nullopt, false, schedule, cost.bytes, cost.microseconds};
  }

  /// The replies of `scheduler` about the convex sets that any two nodes of
  /// `function` span.
  std::vector<Reply> askAll(const Scheduler &scheduler, func::FuncOp function) {
    DimClasses dims(function);
    SegmentGraph graph(function.front(), dims);
    std::vector<Reply> replies;
    for (Node last = 0; last < graph.getNodes().size(); ++last)
      for (Node first = 0; first <= last; ++first)
        replies.push_back(ask(
            scheduler,
            graph.getCandidate(graph.getMembers(graph.close({first, last}))),
            {dims, device}));
    return replies;
  }

  /// A copy of `function` in which an operation named `name` stands in the
  /// place of operation `number`, which it is returned with.
  std::pair<OwningOpRef<func::FuncOp>, Operation *>
  replace(func::FuncOp function, size_t number, StringRef name,
          arith::FastMathFlags flags) {
    OwningOpRef<func::FuncOp> copy(function.clone());
    Operation *op = &*std::next(copy->front().begin(), number);
    OpBuilder builder(op);
    OperationState state(op->getLoc(), name);
    state.addOperands(op->getOperands());
    state.addTypes(op->getResultTypes());
    state.addAttribute("fastmath",
                       arith::FastMathFlagsAttr::get(&context, flags));
    Operation *other = builder.create(state);
    op->replaceAllUsesWith(other);
    op->erase();
    return {std::move(copy), other};
  }

  /// Puts other operations in the place of `op`, one after the other.
  void expectSame(func::FuncOp function, Operation *op) {
    using Flags = arith::FastMathFlags;
    static constexpr StringRef unary[] = {
        "arith.negf", "math.absf", "math.floor", "math.sqrt",
        "math.exp",   "math.exp2", "math.log",   "math.tanh"};
    static constexpr StringRef binary[] = {
        "arith.addf",     "arith.subf",    "arith.mulf", "arith.divf",
        "arith.maximumf", "arith.minnumf", "math.powf"};
    ArrayRef<StringRef> names =
        op->getNumOperands() == 1 ? ArrayRef(unary) : ArrayRef(binary);
    size_t number = std::distance(op->getBlock()->begin(), op->getIterator());
    // A copy too, for the order of its uses is another one.
    auto [original, same] =
        replace(function, number, op->getName().getStringRef(),
                cast<arith::ArithFastMathInterface>(op)
                    .getFastMathFlagsAttr()
                    .getValue());
    for (const auto &scheduler :
         SchedulerRegistry::get(&context).getSchedulers()) {
      std::vector<Reply> replies = askAll(*scheduler, *original);
      std::optional<uint64_t> key = scheduler->getOperationKey(same);
      for (StringRef name : names)
        for (Flags flags : {Flags::none, Flags::afn, Flags::fast}) {
          auto [copy, other] = replace(function, number, name, flags);
          bool isSame = askAll(*scheduler, *copy) == replies;
          numDifferent += !isSame;
          if (!key || scheduler->getOperationKey(other) != key)
            continue;
          ++numEqual;
          EXPECT_TRUE(isSame)
              << scheduler->getName().str() << " tells " << name.str()
              << " from " << op->getName().getStringRef().str();
        }
    }
  }

  DeviceModel device;
  unsigned numEqual = 0, numDifferent = 0;
};

TEST_F(OperationKeyTest, RandomPrograms) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = RandomProgram(*module, seed, 6).build();
    ASSERT_TRUE(succeeded(verify(*module)));
    SmallVector<Operation *> operations;
    for (Operation &op : function.front())
      if (isa<arith::NegFOp, arith::AddFOp>(op))
        operations.push_back(&op);
    for (Operation *op : operations)
      expectSame(function, op);
  }
  EXPECT_GT(numEqual, 100u);
  EXPECT_GT(numDifferent, 20u);
}

// A sum of exponentials below a maximum is a pattern that the row schedulers
// know.
TEST_F(OperationKeyTest, Softmax) {
  func::FuncOp function = parse(R"mlir(
    func.func @f(%x: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
      %m = fusion.reduce maximumf %x dims = [1] fastmath<fast> : tensor<8192x4096xf32> -> tensor<8192xf32>
      %mb = fusion.broadcast %m dims = [0] : tensor<8192xf32> -> tensor<8192x4096xf32>
      %d = arith.subf %x, %mb fastmath<fast> {name = "d"} : tensor<8192x4096xf32>
      %e = math.exp %d fastmath<fast> {name = "e"} : tensor<8192x4096xf32>
      %s = fusion.reduce add %e dims = [1] fastmath<fast> : tensor<8192x4096xf32> -> tensor<8192xf32>
      %sb = fusion.broadcast %s dims = [0] : tensor<8192xf32> -> tensor<8192x4096xf32>
      %y = arith.mulf %e, %sb {name = "y"} : tensor<8192x4096xf32>
      return %y : tensor<8192x4096xf32>
    })mlir");
  for (StringRef name : {"d", "e", "y"})
    expectSame(function, getOp(name));
  EXPECT_GT(numEqual, 100u);
  EXPECT_GT(numDifferent, 20u);
}

} // namespace
