//===- ProgramFlow.cpp - What segments exchange through memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ProgramFlow.h"
#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/Traffic.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

std::optional<SegmentPrice> fusion::getSegmentPrice(SegmentOp segment,
                                                    const Facts &facts) {
  MLIRContext *context = segment.getContext();
  const Scheduler *scheduler =
      SchedulerRegistry::get(context).lookup(segment.getScheduler());
  if (!scheduler || segment.getBodyBlock().without_terminator().empty())
    return std::nullopt;
  MatchResult result = scheduler->match(Candidate::get(segment), facts);
  if (std::holds_alternative<Rejection>(result))
    return std::nullopt;
  const Match &match = *std::get<std::unique_ptr<Match>>(result);
  auto schedule =
      dyn_cast_or_null<ScheduleAttrInterface>(segment.getScheduleAttr());
  if (!schedule)
    schedule = scheduler->plan(match, context, facts);
  return SegmentPrice{schedule ? schedule.getLaunchCount() : 1,
                      scheduler->cost(match, schedule, facts)};
}

namespace {

class FlowBuilder {
public:
  FlowBuilder(const DimClasses &dims) : dims(dims) {}

  void add(Operation *op);
  /// Notes the tensors of segments that `op`, of `function`, uses outside them.
  void addOtherUser(Operation *op, Operation *function);

  ProgramFlow flow;

private:
  FlowingTensor &get(Value value);
  void add(SegmentOp segment);
  std::string getSource(Value value) const;

  const DimClasses &dims;
  llvm::DenseMap<Value, size_t> numbers;
};

} // namespace

std::string FlowBuilder::getSource(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber());
  auto result = cast<OpResult>(value);
  auto segment = dyn_cast<SegmentOp>(result.getOwner());
  if (!segment)
    return result.getOwner()->getName().getStringRef().str();
  return "segment " + std::to_string(flow.segments.size() - 1) + " result " +
         std::to_string(result.getResultNumber());
}

FlowingTensor &FlowBuilder::get(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, flow.tensors.size());
  if (isNew)
    flow.tensors.push_back(
        {value, getStoredBytes(value, dims), getSource(value), {}, {}, {}});
  return flow.tensors[it->second];
}

void FlowBuilder::add(SegmentOp segment) {
  unsigned number = flow.segments.size();
  flow.segments.push_back(segment);
  for (Value input : segment.getInputs()) {
    if (!isa<RankedTensorType>(input.getType()))
      continue;
    FlowingTensor &tensor = get(input);
    if (tensor.readers.empty() || tensor.readers.back() != number)
      tensor.readers.push_back(number);
  }
  for (Value result : segment.getResults())
    get(result).writer = number;
}

void FlowBuilder::add(Operation *op) {
  if (auto segment = dyn_cast<SegmentOp>(op))
    return add(segment);
  // Constants and scalars (extents, conditions) move no tensor.
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>) &&
      !matchPattern(op, m_Constant()))
    flow.outside.push_back(op);
}

void FlowBuilder::addOtherUser(Operation *op, Operation *function) {
  if (isa<SegmentOp>(op))
    return;
  bool returns =
      op->getParentOp() == function && op->hasTrait<OpTrait::ReturnLike>();
  StringRef name =
      returns ? StringRef("the function") : op->getName().getStringRef();
  for (Value operand : op->getOperands()) {
    auto it = numbers.find(operand);
    if (it == numbers.end())
      continue;
    auto &users = flow.tensors[it->second].otherUsers;
    if (!llvm::is_contained(users, name))
      users.push_back(name.str());
  }
}

ProgramFlow ProgramFlow::get(FunctionOpInterface function,
                             const DimClasses &dims) {
  FlowBuilder builder(dims);
  auto walkOutside = [&](auto visit) {
    function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      visit(op);
      return isa<SegmentOp>(op) ? WalkResult::skip() : WalkResult::advance();
    });
  };
  walkOutside([&](Operation *op) { builder.add(op); });
  // An argument may be used before a segment reads it.
  walkOutside([&](Operation *op) { builder.addOtherUser(op, function); });
  return std::move(builder.flow);
}
