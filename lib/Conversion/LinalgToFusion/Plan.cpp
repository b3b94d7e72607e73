//===- Plan.cpp - How a structured operation is imported ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Combine.h"
#include "StructuredImport.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::import;

StringRef fusion::stringifyImportObstacle(ImportObstacle obstacle) {
  switch (obstacle) {
  case ImportObstacle::Operands:
    return "operands";
  case ImportObstacle::ElementType:
    return "element-type";
  case ImportObstacle::IndexingMap:
    return "indexing-map";
  case ImportObstacle::BodyOperation:
    return "body-operation";
  case ImportObstacle::Combiner:
    return "combiner";
  case ImportObstacle::Uninitialized:
    return "uninitialized";
  case ImportObstacle::Contraction:
    return "contraction";
  case ImportObstacle::Unstructured:
    return "unstructured";
  case ImportObstacle::DataMovement:
    return "data-movement";
  }
  llvm_unreachable("unknown obstacle");
}

Loops import::getLoops(const Layout &layout) {
  Loops loops;
  for (std::optional<unsigned> loop : layout)
    if (loop)
      loops.push_back(*loop);
  llvm::sort(loops);
  return loops;
}

/// True for the element types of the dialect.
static bool isElementType(Type type) {
  if (type.isInteger())
    return type.isSignlessInteger() &&
           llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                              type.getIntOrFloatBitWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type,
             Float8E4M3FNType, Float8E5M2Type>(type);
}

namespace {

/// Plans one operation.
class Planner {
public:
  explicit Planner(linalg::LinalgOp op) : op(op), block(*op.getBlock()) {}

  std::variant<Plan, ImportRefusal> run();

private:
  using Refusal = std::optional<ImportRefusal>;

  Refusal checkOperands();
  Refusal checkMaps();
  Refusal planResult(unsigned number);
  Refusal planReduction(unsigned number, const Loops &missing);
  Refusal checkContraction();
  Refusal collectBody();
  Refusal checkBodyOperation(Operation *nested);
  void findSequential();

  ImportRefusal refuseEmpty() {
    return refuse(ImportObstacle::Uninitialized,
                  "expected an init with elements, but found tensor.empty");
  }
  bool isSequential(Value value) const { return sequential.contains(value); }
  ImportRefusal refuse(ImportObstacle obstacle, std::string hint,
                       Operation *at = nullptr) {
    return {obstacle, at ? at : op.getOperation(), std::move(hint)};
  }

  linalg::LinalgOp op;
  Block &block;
  Plan plan;
  /// The values of the body that depend on the result so far of a reduction.
  llvm::DenseSet<Value> sequential;
};

} // namespace

std::optional<ImportRefusal> Planner::checkOperands() {
  if (!op.hasPureTensorSemantics())
    return refuse(ImportObstacle::Operands,
                  "expected operands that are tensors or scalars");
  for (Value operand : op->getOperands()) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    if (isa<ShapedType>(operand.getType()) && (!tensor || tensor.getEncoding()))
      return refuse(ImportObstacle::Operands,
                    "expected ranked tensors without encoding, but found " +
                        debugString(operand.getType()));
    Type element = getElementTypeOrSelf(operand.getType());
    bool isScalarIndex = !tensor && element.isIndex();
    if (!isElementType(element) && !isScalarIndex)
      return refuse(ImportObstacle::ElementType,
                    "expected an element type of the fusion dialect, but "
                    "found " +
                        debugString(element));
  }
  return std::nullopt;
}

std::optional<ImportRefusal> Planner::checkMaps() {
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    Layout layout;
    for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      auto constant = dyn_cast<AffineConstantExpr>(expression);
      bool isUnit = constant && constant.getValue() == 0 && type &&
                    type.getDimSize(dim) == 1;
      bool isRepeated =
          loop && llvm::is_contained(
                      layout, std::optional<unsigned>(loop.getPosition()));
      if ((!loop && !isUnit) || isRepeated)
        return refuse(ImportObstacle::IndexingMap,
                      "expected a projected permutation, or zeros for unit "
                      "dimensions, but found " +
                          debugString(map));
      layout.push_back(loop ? std::optional<unsigned>(loop.getPosition())
                            : std::nullopt);
    }
    plan.layouts.push_back(std::move(layout));
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The kind by which `op` combines two values, and its flags.
static std::optional<std::pair<ReductionKind, arith::FastMathFlags>>
getCombiner(Operation *op) {
  using Kind = ReductionKind;
  auto kind =
      llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
          .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::Add; })
          .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::Mul; })
          .Case([](arith::MaximumFOp) { return Kind::MaximumF; })
          .Case([](arith::MinimumFOp) { return Kind::MinimumF; })
          .Case([](arith::MaxNumFOp) { return Kind::MaxNumF; })
          .Case([](arith::MinNumFOp) { return Kind::MinNumF; })
          .Case([](arith::MaxSIOp) { return Kind::MaxSI; })
          .Case([](arith::MaxUIOp) { return Kind::MaxUI; })
          .Case([](arith::MinSIOp) { return Kind::MinSI; })
          .Case([](arith::MinUIOp) { return Kind::MinUI; })
          .Case([](arith::AndIOp) { return Kind::And; })
          .Case([](arith::OrIOp) { return Kind::Or; })
          .Case([](arith::XOrIOp) { return Kind::Xor; })
          .Default([](Operation *) { return std::nullopt; });
  if (!kind)
    return std::nullopt;
  auto flags = arith::FastMathFlags::none;
  if (auto fastmath = dyn_cast<arith::ArithFastMathInterface>(op))
    flags = fastmath.getFastMathFlagsAttr().getValue();
  return std::pair(*kind, flags);
}

/// Loops of the operation that the layout of a result does not have.
static Loops getMissingLoops(linalg::LinalgOp op, const Layout &layout) {
  Loops missing;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(layout, std::optional<unsigned>(loop)))
      missing.push_back(loop);
  return missing;
}

/// The results that are reduced are those with missing loops; what depends on
/// their arguments in the body exists only from one index to the next.
void Planner::findSequential() {
  for (auto [number, argument] : llvm::enumerate(op.getRegionOutputArgs()))
    if (!getMissingLoops(op, plan.layouts[op.getNumDpsInputs() + number])
             .empty())
      sequential.insert(argument);
  for (Operation &nested : block.without_terminator())
    if (llvm::any_of(nested.getOperands(),
                     [&](Value operand) { return isSequential(operand); }))
      sequential.insert_range(nested.getResults());
}

std::optional<ImportRefusal> Planner::planResult(unsigned number) {
  ResultPlan &result = plan.results[number];
  if (op->getResult(number).use_empty()) {
    result.isUnused = true;
    return std::nullopt;
  }
  Loops missing =
      getMissingLoops(op, plan.layouts[op.getNumDpsInputs() + number]);
  if (!missing.empty())
    return planReduction(number, missing);
  Value yielded = block.getTerminator()->getOperand(number);
  if (isSequential(yielded))
    return refuse(ImportObstacle::Combiner,
                  "expected a result without reduction not to depend on the "
                  "partial result of another",
                  yielded.getDefiningOp());
  result.elements.push_back(yielded);
  return std::nullopt;
}

/// Takes the body apart along the result so far:
///
///   yielded = combine(... combine(init, element0) ..., elementN)
///
/// with truncf outside and extf at the init if it accumulates wider. No element
/// depends on a partial result, so that other uses of it, as by the position of
/// a maximum, belong to other results.
std::optional<ImportRefusal> Planner::planReduction(unsigned number,
                                                    const Loops &missing) {
  ResultPlan &result = plan.results[number];
  result.reducedLoops = missing;
  for (unsigned loop : missing)
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::reduction)
      return refuse(ImportObstacle::IndexingMap,
                    "expected every parallel loop in the map of a result");
  Value init = op.getRegionOutputArgs()[number];
  Value yielded = block.getTerminator()->getOperand(number);
  if (op.getDpsInits()[number].getDefiningOp<tensor::EmptyOp>())
    return refuseEmpty();
  auto refuseCombiner = [&](Value at) {
    return refuse(ImportObstacle::Combiner,
                  "expected combine(init, element) by a kind of fusion.reduce",
                  at.getDefiningOp());
  };
  Value value = yielded;
  if (auto truncf = value.getDefiningOp<arith::TruncFOp>();
      truncf && isSequential(value)) {
    value = truncf.getIn();
    result.wideType = value.getType();
  }
  bool isFirst = true;
  while (value != init) {
    Operation *combine = value.getDefiningOp();
    if (!combine)
      return refuseCombiner(value);
    if (isa<arith::ExtFOp>(combine) && result.wideType && !isFirst &&
        combine->getOperand(0) == init) {
      value = init;
      continue;
    }
    auto combiner = getCombiner(combine);
    if (!combiner || (!isFirst && combiner->first != result.kind))
      return refuseCombiner(value);
    Value lhs = combine->getOperand(0), rhs = combine->getOperand(1);
    if (isSequential(lhs) == isSequential(rhs))
      return refuseCombiner(value);
    result.fastmath =
        isFirst ? combiner->second : result.fastmath & combiner->second;
    result.kind = combiner->first;
    result.elements.push_back(isSequential(lhs) ? rhs : lhs);
    value = isSequential(lhs) ? lhs : rhs;
    isFirst = false;
  }
  bool isTyped =
      !isFirst &&
      (result.wideType ? supportsElementType(result.kind, result.wideType)
                       : supportsElementType(result.kind, init.getType()));
  if (!isTyped || yielded.getType() != init.getType())
    return refuseCombiner(yielded);
  return std::nullopt;
}

/// A reduction over a space that no operand spans needs each element of two or
/// more operands many times: that is a matrix product, which is no fusion.
std::optional<ImportRefusal> Planner::checkContraction() {
  bool anyReduced = llvm::any_of(plan.results, [](const ResultPlan &result) {
    return !result.reducedLoops.empty();
  });
  unsigned numShaped = 0;
  size_t most = 0;
  for (unsigned number = 0; number < op.getNumDpsInputs(); ++number) {
    size_t loops = getLoops(plan.layouts[number]).size();
    numShaped += loops != 0;
    most = std::max(most, loops);
  }
  if (anyReduced && numShaped > 1 && most < op.getNumLoops())
    return refuse(ImportObstacle::Contraction,
                  "expected an operand that all loops walk through; a matrix "
                  "product is left to a library");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The body
//===----------------------------------------------------------------------===//

std::optional<ImportRefusal> Planner::checkBodyOperation(Operation *nested) {
  bool isElementwise =
      OpTrait::hasElementwiseMappableTraits(nested) &&
      isa<arith::ArithDialect, math::MathDialect>(nested->getDialect());
  if (!isElementwise && !isa<arith::ConstantOp, linalg::IndexOp>(nested))
    return refuse(ImportObstacle::BodyOperation,
                  "expected element-wise operations of arith and math, but "
                  "found '" +
                      nested->getName().getStringRef().str() + "'",
                  nested);
  auto isKnown = [](Type type) {
    return isElementType(type) || type.isIndex();
  };
  for (TypeRange types : {TypeRange(nested->getOperandTypes()),
                          TypeRange(nested->getResultTypes())})
    for (Type type : types)
      if (!isKnown(type))
        return refuse(ImportObstacle::ElementType,
                      "expected an element type of the fusion dialect, but "
                      "found " +
                          debugString(type),
                      nested);
  return std::nullopt;
}

/// Collects what the elements need, from the end of the body to its start.
std::optional<ImportRefusal> Planner::collectBody() {
  llvm::DenseSet<Value> needed;
  for (const ResultPlan &result : plan.results)
    needed.insert(result.elements.begin(), result.elements.end());
  for (Operation &nested : llvm::reverse(block.without_terminator())) {
    if (llvm::none_of(nested.getResults(),
                      [&](Value value) { return needed.contains(value); }))
      continue;
    if (Refusal refusal = checkBodyOperation(&nested))
      return refusal;
    needed.insert_range(nested.getOperands());
    plan.body.push_back(&nested);
  }
  std::reverse(plan.body.begin(), plan.body.end());
  for (BlockArgument argument : block.getArguments())
    if (needed.contains(argument)) {
      if (op->getOperand(argument.getArgNumber())
              .getDefiningOp<tensor::EmptyOp>())
        return refuseEmpty();
      plan.arguments.insert(argument.getArgNumber());
    }
  // A check in the body must not get lost.
  for (Operation &nested : block.without_terminator())
    if (!isPure(&nested) && !isa<arith::ArithDialect>(nested.getDialect()))
      if (Refusal refusal = checkBodyOperation(&nested))
        return refusal;
  return std::nullopt;
}

std::variant<Plan, ImportRefusal> Planner::run() {
  if (Refusal refusal = checkOperands())
    return *refusal;
  if (Refusal refusal = checkMaps())
    return *refusal;
  findSequential();
  plan.results.resize(op->getNumResults());
  for (unsigned number = 0; number < plan.results.size(); ++number)
    if (Refusal refusal = planResult(number))
      return *refusal;
  if (Refusal refusal = checkContraction())
    return *refusal;
  if (Refusal refusal = collectBody())
    return *refusal;
  return std::move(plan);
}

std::variant<Plan, ImportRefusal> import::planImport(linalg::LinalgOp op) {
  return Planner(op).run();
}
