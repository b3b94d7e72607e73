//===- BinaryFunctions.h - What the operations on two values do -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scalar semantics of arith's binary operations. Where arith leaves a result
// open, shifts give what the device's do, and division by zero gives a fixed
// value, so that lanes nobody looks at do no harm.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_BINARYFUNCTIONS_H
#define FUSION_LIB_SIMULATOR_BINARYFUNCTIONS_H

#include "Operations.h"
#include <type_traits>

// x != x holds for NaN only, for vectors of lanes as for scalars.
// NOLINTBEGIN(misc-redundant-expression)

namespace mlir::fusion::sim {

constexpr bool isFloatOp(BinaryOp op) { return op < BinaryOp::AddI; }

/// IEEE 754-2019 maximum: NaN wins, +0 is above -0.
template <typename C>
inline C maximumOf(C a, C b) {
  if (a != a || b != b)
    return a != a ? a : b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
template <typename C>
inline C minimumOf(C a, C b) {
  if (a != a || b != b)
    return a != a ? a : b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <BinaryOp Op, typename C>
inline C applyFloat(C a, C b) {
  switch (Op) {
  case BinaryOp::AddF:
    return a + b;
  case BinaryOp::SubF:
    return a - b;
  case BinaryOp::MulF:
    return a * b;
  case BinaryOp::DivF:
    return a / b;
  case BinaryOp::RemF:
    return std::fmod(a, b);
  case BinaryOp::MaximumF:
    return maximumOf(a, b);
  case BinaryOp::MinimumF:
    return minimumOf(a, b);
  case BinaryOp::MaxNumF:
    return a != a ? b : b != b ? a : maximumOf(a, b);
  case BinaryOp::MinNumF:
    return a != a ? b : b != b ? a : minimumOf(a, b);
  case BinaryOp::PowF:
    return C(std::pow(double(a), double(b)));
  case BinaryOp::Atan2:
    return C(std::atan2(double(a), double(b)));
  default:
    return std::copysign(a, b);
  }
}

/// Signed division rounding towards minus (Up: plus) infinity.
template <typename I, bool Up>
inline I divideTowards(I a, I b) {
  I quotient = a / b, rest = a % b;
  bool sameSign = (rest < 0) == (b < 0);
  return quotient + (rest && sameSign == Up ? (Up ? 1 : -1) : 0);
}

template <typename Tag, BinaryOp Op>
inline typename Tag::S applyDivision(typename Tag::S a, typename Tag::S b) {
  using S = typename Tag::S;
  using I = typename Tag::Signed;
  if (b == 0)
    return 0;
  switch (Op) {
  case BinaryOp::DivUI:
    return a / b;
  case BinaryOp::RemUI:
    return a % b;
  case BinaryOp::CeilDivUI:
    return a / b + (a % b != 0);
  default:
    break;
  }
  I x = Tag::toSigned(a), y = Tag::toSigned(b);
  // The one quotient that does not fit wraps.
  if (y == I(-1))
    return Op == BinaryOp::RemSI ? S(0) : Tag::wrap(S(0) - a);
  switch (Op) {
  case BinaryOp::RemSI:
    return Tag::wrap(S(x % y));
  case BinaryOp::FloorDivSI:
    return Tag::wrap(S(divideTowards<I, false>(x, y)));
  case BinaryOp::CeilDivSI:
    return Tag::wrap(S(divideTowards<I, true>(x, y)));
  default:
    return Tag::wrap(S(x / y));
  }
}

template <typename Tag, BinaryOp Op>
inline typename Tag::S applyInteger(typename Tag::S a, typename Tag::S b) {
  using S = typename Tag::S;
  // Promoted to 32 bits and more, so that no operation overflows int.
  using U = std::conditional_t<sizeof(S) < 4, uint32_t, S>;
  // PTX shifts by 32-bit amounts, of which those beyond the width count as it.
  const auto amount = uint32_t(b);
  switch (Op) {
  case BinaryOp::AddI:
    return Tag::wrap(S(U(a) + U(b)));
  case BinaryOp::SubI:
    return Tag::wrap(S(U(a) - U(b)));
  case BinaryOp::MulI:
    return Tag::wrap(S(U(a) * U(b)));
  case BinaryOp::And:
    return a & b;
  case BinaryOp::Or:
    return a | b;
  case BinaryOp::Xor:
    return a ^ b;
  case BinaryOp::ShL:
    return amount < Tag::width ? Tag::wrap(S(U(a) << amount)) : S(0);
  case BinaryOp::ShRU:
    return amount < Tag::width ? S(a >> amount) : S(0);
  case BinaryOp::ShRS:
    return Tag::wrap(
        S(Tag::toSigned(a) >> (amount < Tag::width ? amount : Tag::width - 1)));
  case BinaryOp::MaxSI:
    return Tag::toSigned(a) > Tag::toSigned(b) ? a : b;
  case BinaryOp::MinSI:
    return Tag::toSigned(a) < Tag::toSigned(b) ? a : b;
  case BinaryOp::MaxUI:
    return a > b ? a : b;
  case BinaryOp::MinUI:
    return a < b ? a : b;
  default:
    return applyDivision<Tag, Op>(a, b);
  }
}

template <typename Tag, BinaryOp Op>
inline typename Tag::S applyBinary(typename Tag::S a, typename Tag::S b) {
  if constexpr (isFloatOp(Op))
    return Tag::enc(applyFloat<Op, typename Tag::C>(Tag::dec(a), Tag::dec(b)));
  else
    return applyInteger<Tag, Op>(a, b);
}

/// Calls `f(tag, integral_constant<op>)`; null if op does not apply to kind.
template <typename F>
Handler visitBinary(BinaryOp op, ScalarKind kind, F f) {
  if (isFloatOp(op) != isFloatKind(kind))
    return nullptr;
#define FUSION_CASE(KIND, OP)                                                  \
  case BinaryOp::OP:                                                           \
    return visit##KIND(kind, [&](auto tag) -> Handler {                        \
      return f(tag, std::integral_constant<BinaryOp, BinaryOp::OP>());         \
    });
  switch (op) {
    FUSION_CASE(Float, AddF)
    FUSION_CASE(Float, SubF)
    FUSION_CASE(Float, MulF)
    FUSION_CASE(Float, DivF)
    FUSION_CASE(Float, RemF)
    FUSION_CASE(Float, MaximumF)
    FUSION_CASE(Float, MinimumF)
    FUSION_CASE(Float, MaxNumF)
    FUSION_CASE(Float, MinNumF)
    FUSION_CASE(Float, PowF)
    FUSION_CASE(Float, Atan2)
    FUSION_CASE(Float, CopySign)
    FUSION_CASE(Integer, AddI)
    FUSION_CASE(Integer, SubI)
    FUSION_CASE(Integer, MulI)
    FUSION_CASE(Integer, DivSI)
    FUSION_CASE(Integer, DivUI)
    FUSION_CASE(Integer, RemSI)
    FUSION_CASE(Integer, RemUI)
    FUSION_CASE(Integer, FloorDivSI)
    FUSION_CASE(Integer, CeilDivSI)
    FUSION_CASE(Integer, CeilDivUI)
    FUSION_CASE(Integer, And)
    FUSION_CASE(Integer, Or)
    FUSION_CASE(Integer, Xor)
    FUSION_CASE(Integer, ShL)
    FUSION_CASE(Integer, ShRS)
    FUSION_CASE(Integer, ShRU)
    FUSION_CASE(Integer, MaxSI)
    FUSION_CASE(Integer, MaxUI)
    FUSION_CASE(Integer, MinSI)
    FUSION_CASE(Integer, MinUI)
  }
#undef FUSION_CASE
  return nullptr;
}

} // namespace mlir::fusion::sim

// NOLINTEND(misc-redundant-expression)

#endif // FUSION_LIB_SIMULATOR_BINARYFUNCTIONS_H
