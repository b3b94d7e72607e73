//===- RandomProgram.h - Programs of rows and columns -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_TRANSFORMS_RANDOMPROGRAM_H
#define UNITTESTS_TRANSFORMS_RANDOMPROGRAM_H

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <random>

namespace mlir::fusion {

/// Builds a function of `numOperations` element-wise operations, casts and
/// reductions over tensors of M x N, M and N elements, and the broadcasts
/// between them. Results that nothing uses, and some others, are returned. The
/// same seed gives the same program everywhere.
class RandomProgram {
public:
  RandomProgram(ModuleOp module, unsigned seed, unsigned numOperations)
      : random(seed), builder(module.getBodyRegion()),
        location(builder.getUnknownLoc()), numOperations(numOperations) {}

  func::FuncOp build() {
    static constexpr int64_t extents[] = {64, 256, 1024, 4096, 16384};
    rows = extents[choose(5)];
    columns = extents[choose(5)];
    auto f32 = builder.getF32Type(), bf16 = builder.getBF16Type();
    SmallVector<Type> inputs;
    for (unsigned i = 0, count = 1 + choose(3); i < count; ++i)
      inputs.push_back(getType(Space::Both, choose(2) ? Type(f32) : bf16));
    inputs.push_back(getType(Space::Row, f32));
    inputs.push_back(getType(Space::Column, f32));
    auto function = func::FuncOp::create(builder, location, "f",
                                         builder.getFunctionType(inputs, {}));
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    isRow[block->getArgument(inputs.size() - 2)] = true;
    for (Value argument : block->getArguments())
      values.push_back(widen(argument));
    while (numOperations) {
      --numOperations;
      addOperation();
    }
    SmallVector<Value> results;
    for (Operation &op : *block)
      if (op.use_empty() || (choose(6) == 0 && !isa<BroadcastOp>(op)))
        results.push_back(op.getResult(0));
    func::ReturnOp::create(builder, location, results);
    function.setType(builder.getFunctionType(
        inputs, llvm::map_to_vector(
                    results, [](Value value) { return value.getType(); })));
    return function;
  }

private:
  enum class Space { Both, Row, Column };

  /// A number below `count`, by the generator's own bits: distributions differ
  /// between standard libraries.
  unsigned choose(unsigned count) { return random() % count; }

  RankedTensorType getType(Space space, Type element) {
    SmallVector<int64_t> shape;
    if (space != Space::Column)
      shape.push_back(rows);
    if (space != Space::Row)
      shape.push_back(columns);
    return RankedTensorType::get(shape, element);
  }

  Value widen(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.getElementType().isBF16())
      return value;
    return arith::ExtFOp::create(builder, location,
                                 type.clone(builder.getF32Type()), value);
  }

  /// Recent values more often: programs are chains more than stars.
  Value chooseValue() {
    unsigned back = std::min<unsigned>(choose(4) + choose(4) * choose(2),
                                       values.size() - 1);
    return choose(4) ? values[values.size() - 1 - back]
                     : values[choose(values.size())];
  }

  /// `value` as a tensor of both dimensions.
  Value broadcast(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getRank() == 2)
      return value;
    return BroadcastOp::create(builder, location,
                               getType(Space::Both, type.getElementType()),
                               value, {isRow[value] ? int64_t(0) : int64_t(1)});
  }

  void addOperation() {
    Value a = chooseValue(), b = chooseValue(), result;
    switch (choose(6)) {
    case 0:
      result = arith::NegFOp::create(builder, location, a);
      isRow[result] = isRow.lookup(a);
      break;
    case 1: {
      // A rounding, of which the next operation sees the wide value.
      auto type = cast<RankedTensorType>(a.getType());
      result = arith::TruncFOp::create(builder, location,
                                       type.clone(builder.getBF16Type()), a);
      Value wide = widen(result);
      isRow[wide] = isRow.lookup(a);
      result = wide;
      break;
    }
    case 2:
    case 3: {
      a = broadcast(a);
      bool reducesColumns = choose(3) != 0;
      result = ReduceOp::create(
          builder, location,
          getType(reducesColumns ? Space::Row : Space::Column,
                  builder.getF32Type()),
          ReductionKind::Add, a, {reducesColumns ? int64_t(1) : int64_t(0)});
      isRow[result] = reducesColumns;
      break;
    }
    default:
      if (a.getType() != b.getType() || isRow.lookup(a) != isRow.lookup(b)) {
        a = broadcast(a);
        b = broadcast(b);
      }
      result = arith::AddFOp::create(builder, location, a, b);
      isRow[result] = isRow.lookup(a);
    }
    values.push_back(result);
  }

  std::mt19937 random;
  OpBuilder builder;
  Location location;
  unsigned numOperations;
  int64_t rows = 0, columns = 0;
  SmallVector<Value> values;
  llvm::DenseMap<Value, bool> isRow;
};

} // namespace mlir::fusion

#endif // UNITTESTS_TRANSFORMS_RANDOMPROGRAM_H
