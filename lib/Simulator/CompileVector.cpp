//===- CompileVector.cpp - Moves and reductions of vectors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that only move elements become one table of rows to copy.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::sim;

LogicalResult Compiler::emitPermutation(
    Value result, llvm::ArrayRef<std::pair<uint32_t, uint32_t>> sources) {
  RegisterShape shape = *getRegisterShape(result.getType());
  uint32_t dst = define(result).front();
  Permutation permutation;
  permutation.rowBytes = shape.getRowBytes();
  for (auto [i, source] : llvm::enumerate(sources))
    permutation.moves.push_back(
        {dst + uint32_t(i) * permutation.rowBytes,
         source.first + source.second * permutation.rowBytes});
  Instr &instr = emit(getPermuteHandler(shape.getElementBytes()));
  instr.aux = program.permutations.size();
  program.permutations.push_back(std::move(permutation));
  return success();
}

/// The shape of a vector; empty for a scalar.
static llvm::ArrayRef<int64_t> getShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getShape() : llvm::ArrayRef<int64_t>();
}

LogicalResult Compiler::compileBroadcast(Operation *op) {
  uint32_t source = useOne(op->getOperand(0));
  llvm::ArrayRef<int64_t> from = getShape(op->getOperand(0).getType());
  llvm::ArrayRef<int64_t> to = getShape(op->getResult(0).getType());
  auto fromStrides = computeStrides(from), toStrides = computeStrides(to);
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> sources;
  for (int64_t i = 0, e = computeProduct(to); i < e; ++i) {
    int64_t element = 0;
    for (size_t d = 0; d < from.size(); ++d)
      if (from[d] != 1)
        element +=
            fromStrides[d] * (i / toStrides[to.size() - from.size() + d] %
                              to[to.size() - from.size() + d]);
    sources.push_back({source, element});
  }
  return emitPermutation(op->getResult(0), sources);
}

/// The first element of the part of a vector of `shape` at a static position;
/// none if some of it is dynamic.
static std::optional<int64_t> getStart(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<int64_t> position) {
  auto strides = computeStrides(shape);
  int64_t start = 0;
  for (size_t i = 0; i < position.size(); ++i) {
    if (ShapedType::isDynamic(position[i]) || position[i] < 0)
      return std::nullopt;
    start += position[i] * strides[i];
  }
  return start;
}

LogicalResult Compiler::compileExtract(Operation *op) {
  auto extract = cast<vector::ExtractOp>(op);
  VectorType type = extract.getSourceVectorType();
  RegisterShape shape = *getRegisterShape(extract.getResult().getType());
  uint32_t source = useOne(extract.getSource());
  std::optional<int64_t> start =
      getStart(type.getShape(), extract.getStaticPosition());
  if (!start) {
    if (type.getRank() != 1 || shape.n != 1)
      return refuse(op);
    uint32_t index = useOne(extract.getDynamicPosition().front());
    emit(getDynamicExtractHandler(shape.getElementBytes()),
         define(extract.getResult()).front(), source, index, kNoRegister,
         type.getNumElements());
    return success();
  }
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> sources;
  for (uint32_t i = 0; i < shape.n; ++i)
    sources.push_back({source, *start + i});
  return emitPermutation(extract.getResult(), sources);
}

LogicalResult Compiler::compileInsert(Operation *op) {
  auto insert = cast<vector::InsertOp>(op);
  VectorType type = insert.getDestVectorType();
  RegisterShape shape = *getRegisterShape(insert.getValueToStore().getType());
  uint32_t stored = useOne(insert.getValueToStore());
  uint32_t dest = useOne(insert.getDest());
  std::optional<int64_t> start =
      getStart(type.getShape(), insert.getStaticPosition());
  if (!start) {
    if (type.getRank() != 1 || shape.n != 1)
      return refuse(op);
    uint32_t index = useOne(insert.getDynamicPosition().front());
    emit(getDynamicInsertHandler(shape.getElementBytes()),
         define(insert.getResult()).front(), dest, stored, index,
         type.getNumElements());
    return success();
  }
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> sources;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    bool inside = i >= *start && i < *start + shape.n;
    sources.push_back(inside ? std::pair(stored, uint32_t(i - *start))
                             : std::pair(dest, uint32_t(i)));
  }
  return emitPermutation(insert.getResult(), sources);
}

static llvm::SmallVector<int64_t> getIntegers(ArrayAttr attribute) {
  return llvm::map_to_vector(attribute, [](Attribute value) {
    return cast<IntegerAttr>(value).getInt();
  });
}

LogicalResult Compiler::compileStridedSlice(Operation *op) {
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> sources;
  if (auto extract = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
    uint32_t source = useOne(extract.getSource());
    auto strides = computeStrides(getShape(extract.getSource().getType()));
    llvm::ArrayRef<int64_t> to = getShape(extract.getType());
    auto toStrides = computeStrides(to);
    auto offsets = getIntegers(extract.getOffsets());
    for (int64_t i = 0, e = computeProduct(to); i < e; ++i) {
      int64_t element = 0;
      for (size_t d = 0; d < to.size(); ++d)
        element += strides[d] * (i / toStrides[d] % to[d] +
                                 (d < offsets.size() ? offsets[d] : 0));
      sources.push_back({source, element});
    }
    return emitPermutation(extract.getResult(), sources);
  }
  auto insert = cast<vector::InsertStridedSliceOp>(op);
  if (llvm::any_of(getIntegers(insert.getStrides()),
                   [](int64_t stride) { return stride != 1; }))
    return refuse(op);
  llvm::ArrayRef<int64_t> from = getShape(insert.getValueToStore().getType());
  llvm::ArrayRef<int64_t> to = getShape(insert.getType());
  auto fromStrides = computeStrides(from), toStrides = computeStrides(to);
  auto offsets = getIntegers(insert.getOffsets());
  size_t leading = to.size() - from.size();
  uint32_t dest = useOne(insert.getDest());
  for (int64_t i = 0, e = computeProduct(to); i < e; ++i)
    sources.push_back({dest, i});
  uint32_t stored = useOne(insert.getValueToStore());
  for (int64_t i = 0, e = computeProduct(from); i < e; ++i) {
    int64_t element = 0;
    for (size_t d = 0; d < to.size(); ++d)
      element += toStrides[d] *
                 (offsets[d] + (d < leading ? 0
                                            : i / fromStrides[d - leading] %
                                                  from[d - leading]));
    sources[element] = {stored, uint32_t(i)};
  }
  return emitPermutation(insert.getResult(), sources);
}

LogicalResult Compiler::compileShuffleVector(Operation *op) {
  auto shuffle = cast<vector::ShuffleOp>(op);
  VectorType first = shuffle.getV1VectorType();
  VectorType second = shuffle.getV2VectorType();
  int64_t length = first.getRank() == 0 ? 1 : first.getDimSize(0);
  int64_t rows = first.getNumElements() / length;
  if (first.getRank() > 1 && second.getNumElements() % rows)
    return refuse(op);
  uint32_t a = useOne(shuffle.getV1()), b = useOne(shuffle.getV2());
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> sources;
  for (int64_t index : shuffle.getMask())
    for (int64_t i = 0; i < rows; ++i) {
      // A poison element may be anything.
      int64_t at = std::max<int64_t>(index, 0);
      sources.push_back(at < length
                            ? std::pair(a, uint32_t(at * rows + i))
                            : std::pair(b, uint32_t((at - length) * rows + i)));
    }
  return emitPermutation(shuffle.getResult(), sources);
}

LogicalResult Compiler::compileTranspose(Operation *op) {
  auto transpose = cast<vector::TransposeOp>(op);
  llvm::ArrayRef<int64_t> to = getShape(transpose.getType());
  auto fromStrides = computeStrides(getShape(transpose.getVector().getType()));
  auto toStrides = computeStrides(to);
  uint32_t source = useOne(transpose.getVector());
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> sources;
  for (int64_t i = 0, e = computeProduct(to); i < e; ++i) {
    int64_t element = 0;
    for (auto [d, from] : llvm::enumerate(transpose.getPermutation()))
      element += fromStrides[from] * (i / toStrides[d] % to[d]);
    sources.push_back({source, element});
  }
  return emitPermutation(transpose.getResult(), sources);
}

/// The operation of a combining kind.
static BinaryOp getCombineOp(vector::CombiningKind kind) {
  switch (kind) {
  case vector::CombiningKind::ADD:
    return BinaryOp::AddI;
  case vector::CombiningKind::MUL:
    return BinaryOp::MulI;
  case vector::CombiningKind::MINUI:
    return BinaryOp::MinUI;
  case vector::CombiningKind::MINSI:
    return BinaryOp::MinSI;
  case vector::CombiningKind::MINNUMF:
    return BinaryOp::MinNumF;
  case vector::CombiningKind::MAXUI:
    return BinaryOp::MaxUI;
  case vector::CombiningKind::MAXSI:
    return BinaryOp::MaxSI;
  case vector::CombiningKind::MAXNUMF:
    return BinaryOp::MaxNumF;
  case vector::CombiningKind::AND:
    return BinaryOp::And;
  case vector::CombiningKind::OR:
    return BinaryOp::Or;
  case vector::CombiningKind::XOR:
    return BinaryOp::Xor;
  case vector::CombiningKind::MAXIMUMF:
    return BinaryOp::MaximumF;
  case vector::CombiningKind::MINIMUMF:
    return BinaryOp::MinimumF;
  }
  return BinaryOp::AddI;
}

LogicalResult Compiler::compileReduction(Operation *op) {
  auto reduction = cast<vector::ReductionOp>(op);
  RegisterShape shape = *getRegisterShape(reduction.getVector().getType());
  BinaryOp combine = getCombineOp(reduction.getKind());
  uint32_t start =
      reduction.getAcc() ? useOne(reduction.getAcc()) : kNoRegister;
  if (isFloatKind(shape.kind) &&
      (combine == BinaryOp::AddI || combine == BinaryOp::MulI)) {
    bool isAdd = combine == BinaryOp::AddI;
    combine = isAdd ? BinaryOp::AddF : BinaryOp::MulF;
    // The lowering to LLVM starts at +0 or 1 and goes from first to last.
    if (start == kNoRegister) {
      Type element = reduction.getVector().getType().getElementType();
      auto one = FloatAttr::get(element, isAdd ? 0.0 : 1.0);
      start = getConstant({shape.kind, 1},
                          one.getValue().bitcastToAPInt().getZExtValue());
    }
  }
  Handler handler = getReduceHandler(combine, shape.kind);
  if (!handler)
    return refuse(op);
  uint32_t source = useOne(reduction.getVector());
  emit(handler, define(reduction.getResult()).front(), source, kNoRegister,
       start, shape.n);
  return success();
}

LogicalResult Compiler::compileMask(Operation *op) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  if (auto constant = dyn_cast<vector::ConstantMaskOp>(op)) {
    auto strides = computeStrides(type.getShape());
    llvm::SmallVector<uint64_t> elements;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      bool inside = true;
      for (auto [d, size] : llvm::enumerate(constant.getMaskDimSizes()))
        inside &= i / strides[d] % type.getDimSize(d) < size;
      elements.push_back(inside);
    }
    values[constant.getResult()] = {
        getConstant({ScalarKind::I1, uint32_t(elements.size())}, elements)};
    return success();
  }
  if (type.getRank() != 1)
    return refuse(op);
  uint32_t n = type.getNumElements();
  llvm::SmallVector<uint64_t> steps;
  for (uint32_t i = 0; i < n; ++i)
    steps.push_back(i);
  uint32_t step = getConstant({ScalarKind::I64, n}, steps);
  if (isa<vector::StepOp>(op)) {
    values[op->getResult(0)] = {step};
    return success();
  }
  // mask[i] = i < bound, with the bound in each element.
  uint32_t bound = useOne(op->getOperand(0));
  uint32_t bounds = emitSpread(bound, 8, n);
  emit(getCompareHandler(ScalarKind::I64, true),
       define(op->getResult(0)).front(), step, bounds, kNoRegister, n, Less);
  release(bounds);
  return success();
}

Compiler::Result Compiler::compileVector(Operation *op) {
  using Sources = llvm::SmallVector<std::pair<uint32_t, uint32_t>>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<vector::BroadcastOp>([&](auto) { return compileBroadcast(op); })
      .Case<vector::ExtractOp>([&](auto) { return compileExtract(op); })
      .Case<vector::InsertOp>([&](auto) { return compileInsert(op); })
      .Case<vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp>(
          [&](auto) { return compileStridedSlice(op); })
      .Case<vector::ShuffleOp>([&](auto) { return compileShuffleVector(op); })
      .Case<vector::TransposeOp>([&](auto) { return compileTranspose(op); })
      .Case<vector::ReductionOp>([&](auto) { return compileReduction(op); })
      .Case<vector::ConstantMaskOp, vector::CreateMaskOp, vector::StepOp>(
          [&](auto) { return compileMask(op); })
      .Case<vector::FMAOp>([&](vector::FMAOp fma) {
        return compileElementwise(
            op, getFmaHandler(getRegisterShape(fma.getType())->kind));
      })
      .Case<vector::ShapeCastOp>([&](vector::ShapeCastOp cast) {
        bind(cast.getResult(), use(cast.getSource()));
        return success();
      })
      .Case<vector::FromElementsOp>([&](vector::FromElementsOp elements) {
        Sources sources;
        for (Value element : elements.getElements())
          sources.push_back({useOne(element), 0});
        return emitPermutation(elements.getResult(), sources);
      })
      .Case<vector::ToElementsOp>([&](vector::ToElementsOp elements) {
        uint32_t source = useOne(elements.getSource());
        for (auto [i, result] : llvm::enumerate(elements.getResults()))
          (void)emitPermutation(result, {{source, uint32_t(i)}});
        return success();
      })
      .Case<vector::InterleaveOp>([&](vector::InterleaveOp interleave) {
        // Pairs along the last dimension are pairs in row-major order.
        uint32_t a = useOne(interleave.getLhs()),
                 b = useOne(interleave.getRhs());
        Sources sources;
        uint32_t n = interleave.getSourceVectorType().getNumElements();
        for (uint32_t i = 0; i < n; ++i) {
          sources.push_back({a, i});
          sources.push_back({b, i});
        }
        return emitPermutation(interleave.getResult(), sources);
      })
      .Case<vector::DeinterleaveOp>([&](vector::DeinterleaveOp deinterleave) {
        uint32_t source = useOne(deinterleave.getSource());
        for (auto [i, result] : llvm::enumerate(deinterleave.getResults())) {
          Sources sources;
          uint32_t n = getRegisterShape(result.getType())->n;
          for (uint32_t e = 0; e < n; ++e)
            sources.push_back({source, 2 * e + uint32_t(i)});
          (void)emitPermutation(result, sources);
        }
        return success();
      })
      .Case<vector::BitCastOp>([&](vector::BitCastOp cast) -> LogicalResult {
        RegisterShape from = *getRegisterShape(cast.getSource().getType());
        RegisterShape to = *getRegisterShape(cast.getType());
        if (from.kind == ScalarKind::I1 || to.kind == ScalarKind::I1)
          return refuse(op);
        uint32_t source = useOne(cast.getSource());
        emit(getBitcastHandler(), define(cast.getResult()).front(), source,
             kNoRegister, kNoRegister, from.n, from.getElementBytes(),
             to.getElementBytes());
        return success();
      })
      .Default([](auto) { return std::nullopt; });
}
