//===- ExecuteUnary.cpp - Functions of one value, and fma -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions without an exact result are computed in double and rounded once, so
// that below f64 they are correct to within one unit in the last place.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "Operations.h"
#include "llvm/ADT/bit.h"
#include <type_traits>

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

static double applyMath(UnaryOp op, double x) {
  switch (op) {
  case UnaryOp::Rsqrt:
    return 1.0 / std::sqrt(x);
  case UnaryOp::Cbrt:
    return std::cbrt(x);
  case UnaryOp::Exp:
    return std::exp(x);
  case UnaryOp::Exp2:
    return std::exp2(x);
  case UnaryOp::ExpM1:
    return std::expm1(x);
  case UnaryOp::Log:
    return std::log(x);
  case UnaryOp::Log2:
    return std::log2(x);
  case UnaryOp::Log10:
    return std::log10(x);
  case UnaryOp::Log1p:
    return std::log1p(x);
  case UnaryOp::Sin:
    return std::sin(x);
  case UnaryOp::Cos:
    return std::cos(x);
  case UnaryOp::Tan:
    return std::tan(x);
  case UnaryOp::Asin:
    return std::asin(x);
  case UnaryOp::Acos:
    return std::acos(x);
  case UnaryOp::Atan:
    return std::atan(x);
  case UnaryOp::Sinh:
    return std::sinh(x);
  case UnaryOp::Cosh:
    return std::cosh(x);
  case UnaryOp::Tanh:
    return std::tanh(x);
  case UnaryOp::Asinh:
    return std::asinh(x);
  case UnaryOp::Acosh:
    return std::acosh(x);
  case UnaryOp::Atanh:
    return std::atanh(x);
  case UnaryOp::Erf:
    return std::erf(x);
  case UnaryOp::Erfc:
    return std::erfc(x);
  case UnaryOp::Ceil:
    return std::ceil(x);
  case UnaryOp::Floor:
    return std::floor(x);
  case UnaryOp::Trunc:
    return std::trunc(x);
  case UnaryOp::Round:
    return std::round(x);
  case UnaryOp::RoundEven:
    return std::nearbyint(x);
  default:
    return x;
  }
}

template <typename Tag>
static void executeMath(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  UnaryOp op = static_cast<UnaryOp>(instr.imm);
  forElements(warp, instr.n, [&](uint32_t i) {
    dst[i] = Tag::fromDouble(applyMath(op, Tag::dec(a[i])));
  });
}

/// Negation, absolute value and square root, which are exact or one rounding.
template <typename Tag, UnaryOp Op>
static void executeExact(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  using Bits =
      std::conditional_t<sizeof(S) == 8, uint64_t,
                         std::conditional_t<sizeof(S) == 4, uint32_t, S>>;
  constexpr Bits sign = Bits(1) << (sizeof(S) * 8 - 1);
  forElements(warp, instr.n, [&](uint32_t i) {
    if constexpr (Op == UnaryOp::NegF)
      dst[i] = llvm::bit_cast<S>(Bits(llvm::bit_cast<Bits>(a[i]) ^ sign));
    else if constexpr (Op == UnaryOp::AbsF)
      dst[i] =
          llvm::bit_cast<S>(Bits(llvm::bit_cast<Bits>(a[i]) & Bits(~sign)));
    else
      dst[i] = Tag::enc(std::sqrt(Tag::dec(a[i])));
  });
}

template <typename Tag, UnaryOp Op>
static void executeIntegerUnary(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  constexpr unsigned width = Tag::width;
  forElements(warp, instr.n, [&](uint32_t i) {
    S x = a[i];
    if constexpr (Op == UnaryOp::AbsI)
      dst[i] = Tag::toSigned(x) < 0 ? Tag::wrap(S(0) - x) : x;
    else if constexpr (Op == UnaryOp::CtPop)
      dst[i] = Tag::wrap(S(llvm::popcount(x)));
    else if constexpr (Op == UnaryOp::Ctlz)
      dst[i] = Tag::wrap(
          S(x ? llvm::countl_zero(x) - (int(sizeof(S) * 8) - int(width))
              : width));
    else
      dst[i] = Tag::wrap(S(x ? llvm::countr_zero(x) : width));
  });
}

template <UnaryOp Op>
static Handler getInteger(ScalarKind kind) {
  if (isFloatKind(kind))
    return nullptr;
  return visitInteger(kind, [](auto tag) -> Handler {
    return &executeIntegerUnary<decltype(tag), Op>;
  });
}

template <UnaryOp Op>
static Handler getExact(ScalarKind kind) {
  if (!isFloatKind(kind))
    return nullptr;
  return visitFloat(kind, [](auto tag) -> Handler {
    return &executeExact<decltype(tag), Op>;
  });
}

Handler mlir::fusion::sim::getUnaryHandler(UnaryOp op, ScalarKind kind) {
  switch (op) {
  case UnaryOp::NegF:
    return getExact<UnaryOp::NegF>(kind);
  case UnaryOp::AbsF:
    return getExact<UnaryOp::AbsF>(kind);
  case UnaryOp::Sqrt:
    return getExact<UnaryOp::Sqrt>(kind);
  case UnaryOp::AbsI:
    return getInteger<UnaryOp::AbsI>(kind);
  case UnaryOp::CtPop:
    return getInteger<UnaryOp::CtPop>(kind);
  case UnaryOp::Ctlz:
    return getInteger<UnaryOp::Ctlz>(kind);
  case UnaryOp::Cttz:
    return getInteger<UnaryOp::Cttz>(kind);
  default:
    if (!isFloatKind(kind))
      return nullptr;
    return visitFloat(
        kind, [](auto tag) -> Handler { return &executeMath<decltype(tag)>; });
  }
}

template <typename Tag>
static void executeFma(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a), *b = warp.reg<S>(instr.b),
          *c = warp.reg<S>(instr.c);
  forElements(warp, instr.n, [&](uint32_t i) {
    if constexpr (sizeof(S) == 4 || sizeof(S) == 8) {
      dst[i] = std::fma(a[i], b[i], c[i]);
    } else {
      // The product is exact in double. The sum is rounded to odd: where it
      // was inexact, its last bit is set, so that the second rounding decides
      // as the exact sum would.
      double product = double(Tag::dec(a[i])) * double(Tag::dec(b[i]));
      double addend = Tag::dec(c[i]);
      double sum = product + addend;
      double back = sum - product;
      double error = (product - (sum - back)) + (addend - back);
      if (error != 0 && std::isfinite(sum)) {
        uint64_t bits = llvm::bit_cast<uint64_t>(sum);
        if (!(bits & 1))
          bits += ((error > 0) == (sum > 0)) ? 1 : -1;
        sum = llvm::bit_cast<double>(bits);
      }
      dst[i] = Tag::fromDouble(sum);
    }
  });
}

Handler mlir::fusion::sim::getFmaHandler(ScalarKind kind) {
  if (!isFloatKind(kind))
    return nullptr;
  return visitFloat(
      kind, [](auto tag) -> Handler { return &executeFma<decltype(tag)>; });
}
