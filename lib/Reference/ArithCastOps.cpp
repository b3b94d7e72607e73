//===- ArithCastOps.cpp - Conversions of arith ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions round once, in both precisions. Floats beyond the range of an
// integer type, where arith says "poison", take its nearest value, and NaN 0.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "OpRegistry.h"
#include "ScalarSemantics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::reference;

//===----------------------------------------------------------------------===//
// Between floats
//===----------------------------------------------------------------------===//

static void copyErrors(const Tile &tile) {
  if (tile.errors)
    std::copy_n(tile.operands[0].errors, tile.count, tile.errors);
}

static ElementwiseFunction makeExtF(arith::ExtFOp, const ReferenceOptions &) {
  return [](const Tile &tile) {
    std::copy_n(tile.operands[0].floats, tile.count, tile.floats);
    copyErrors(tile);
    // A wider type has numbers beyond.
    for (int64_t i = 0; tile.errors && i < tile.count; ++i)
      if (mayBeFinite(tile.floats[i], tile.errors[i]))
        tile.errors[i] = std::numeric_limits<double>::infinity();
  };
}

static LogicalResult addTruncF(arith::TruncFOp op, GraphBuilder &graph) {
  if (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) !=
      arith::RoundingMode::to_nearest_even)
    return op.emitOpError()
           << "the reference rounds to nearest even only, but found "
           << arith::stringifyRoundingMode(*op.getRoundingmode());
  auto format =
      FloatFormat::get(cast<FloatType>(getElementTypeOrSelf(op.getType())));
  double factor = graph.getOptions().errorFactor;
  return OpRegistry::addElementwiseNode(
      op, graph,
      [=](const Tile &tile) {
        std::copy_n(tile.operands[0].floats, tile.count, tile.floats);
        copyErrors(tile);
        roundToFormat(format, factor, tile.count, tile.floats, tile.errors);
      },
      Rounding::step());
}

//===----------------------------------------------------------------------===//
// Between floats and integers
//===----------------------------------------------------------------------===//

/// An integer of up to 64 bits as a double from which a narrower format is
/// rounded correctly: bits that a double has no room for leave a sticky one.
static double toStickyDouble(uint64_t magnitude, bool isNegative) {
  if (magnitude >> 53) {
    bool isLost = (magnitude & 0x7ff) != 0;
    magnitude = (magnitude & ~uint64_t(0x7ff)) | (isLost ? 0x800 : 0);
  }
  double value = static_cast<double>(magnitude);
  return isNegative ? -value : value;
}

/// Integer to float: correctly rounded. An uncertain integer is off by its
/// error at most.
template <typename OpT, bool isSigned>
static ElementwiseFunction makeToFloat(OpT op,
                                       const ReferenceOptions &options) {
  unsigned width = getIntegerWidth(op.getIn().getType());
  auto type = cast<FloatType>(getElementTypeOrSelf(op.getType()));
  auto format = FloatFormat::get(type);
  bool isDouble = isa<Float64Type>(type);
  double factor = options.errorFactor;
  return [=](const Tile &tile) {
    const int64_t *in = tile.operands[0].integers;
    for (int64_t i = 0; i < tile.count; ++i) {
      int64_t value = isSigned ? asSigned(in[i], width) : in[i];
      bool isNegative = isSigned && value < 0;
      auto magnitude = isNegative ? -static_cast<uint64_t>(value)
                                  : asUnsigned(value, isSigned ? 64 : width);
      double exact = static_cast<double>(magnitude);
      tile.floats[i] = isDouble ? (isNegative ? -exact : exact)
                                : toStickyDouble(magnitude, isNegative);
    }
    copyErrors(tile);
    // Below 0 an unsigned integer is a large one.
    for (int64_t i = 0; !isSigned && tile.errors && i < tile.count; ++i) {
      auto value = static_cast<double>(asSigned(in[i], width));
      double reach = factor * tile.errors[i];
      if ((value - reach < 0.0) != (value + reach < 0.0))
        tile.errors[i] = std::numeric_limits<double>::infinity();
    }
    roundToFormat(format, factor, tile.count, tile.floats, tile.errors);
  };
}

/// Float to integer: towards zero, within the range of the type.
template <typename OpT, bool isSigned>
static ElementwiseFunction makeToInteger(OpT op,
                                         const ReferenceOptions &options) {
  unsigned width = getIntegerWidth(op.getType());
  double least = isSigned ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0.0;
  double beyond = std::ldexp(1.0, static_cast<int>(width) - (isSigned ? 1 : 0));
  auto convert = [=](double x) -> int64_t {
    if (x != x)
      return 0;
    if (x <= least)
      return wrap(isSigned ? uint64_t(1) << (width - 1) : 0, width);
    uint64_t most = llvm::maskTrailingOnes<uint64_t>(width - isSigned);
    if (x >= beyond)
      return wrap(most, width);
    return wrap(x < 0.0 ? -static_cast<uint64_t>(-x) : static_cast<uint64_t>(x),
                width);
  };
  return [=, factor = options.errorFactor](const Tile &tile) {
    const TileOperand &x = tile.operands[0];
    for (int64_t i = 0; i < tile.count; ++i)
      tile.integers[i] = convert(x.floats[i]);
    if (!tile.errors)
      return;
    for (int64_t i = 0; i < tile.count; ++i) {
      double reach = factor * x.errors[i];
      double low = std::clamp(std::trunc(x.floats[i] - reach), least, beyond);
      double high = std::clamp(std::trunc(x.floats[i] + reach), least, beyond);
      tile.errors[i] = reach > 0.0 && low != high ? high - low : 0.0;
      if (mayBeFinite(x.floats[i], x.errors[i]))
        tile.errors[i] = std::numeric_limits<double>::infinity();
    }
  };
}

//===----------------------------------------------------------------------===//
// Between integers
//===----------------------------------------------------------------------===//

/// The low bits of the operand, read as signed or unsigned.
template <typename OpT, bool isSigned>
static ElementwiseFunction makeResize(OpT op, const ReferenceOptions &) {
  unsigned from = getIntegerWidth(op.getIn().getType());
  unsigned to = getIntegerWidth(op.getType());
  return [=](const Tile &tile) {
    const int64_t *in = tile.operands[0].integers;
    for (int64_t i = 0; i < tile.count; ++i)
      tile.integers[i] =
          wrap(isSigned ? static_cast<uint64_t>(asSigned(in[i], from))
                        : asUnsigned(in[i], from),
               to);
    propagateUncertainty(tile, to == 1);
  };
}

//===----------------------------------------------------------------------===//
// Bit patterns
//===----------------------------------------------------------------------===//

/// Reads the storage of one type as that of another of the same size.
static ElementwiseFunction makeBitcast(arith::BitcastOp op,
                                       const ReferenceOptions &options) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  Type to = getElementTypeOrSelf(op.getType());
  return [=](const Tile &tile) {
    HostTensor in(from, {tile.count}), out(to, {tile.count});
    if (tile.operands[0].floats)
      in.writeFromDouble(0, tile.count, tile.operands[0].floats);
    else
      in.writeFromInteger(0, tile.count, tile.operands[0].integers);
    std::copy_n(in.getData(), in.getSizeInBytes(), out.getData());
    if (tile.floats)
      out.readAsDouble(0, tile.count, tile.floats);
    else
      out.readAsInteger(0, tile.count, tile.integers);
    if (from == to)
      copyErrors(tile);
    else
      propagateUncertainty(tile, /*isBool=*/false);
  };
}

void reference::registerArithCastOps(OpRegistry &registry) {
  Rounding none = Rounding::none(), step = Rounding::step();
  registry.addElementwise<arith::ExtFOp>(makeExtF, none);
  registry.add<arith::TruncFOp>(addTruncF);
  registry.addElementwise<arith::SIToFPOp>(makeToFloat<arith::SIToFPOp, true>,
                                           step);
  registry.addElementwise<arith::UIToFPOp>(makeToFloat<arith::UIToFPOp, false>,
                                           step);
  registry.addElementwise<arith::FPToSIOp>(makeToInteger<arith::FPToSIOp, true>,
                                           step);
  registry.addElementwise<arith::FPToUIOp>(
      makeToInteger<arith::FPToUIOp, false>, step);
  registry.addElementwise<arith::ExtSIOp>(makeResize<arith::ExtSIOp, true>,
                                          none);
  registry.addElementwise<arith::ExtUIOp>(makeResize<arith::ExtUIOp, false>,
                                          none);
  registry.addElementwise<arith::TruncIOp>(makeResize<arith::TruncIOp, false>,
                                           none);
  registry.addElementwise<arith::IndexCastOp>(
      makeResize<arith::IndexCastOp, true>, none);
  registry.addElementwise<arith::IndexCastUIOp>(
      makeResize<arith::IndexCastUIOp, false>, none);
  registry.addElementwise<arith::BitcastOp>(makeBitcast, step);
}
