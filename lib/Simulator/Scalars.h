//===- Scalars.h - Element types of registers -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How each element type is stored, and the type its arithmetic is done in. An
// operation on a 16- or 8-bit float computes in f32 and rounds once; for add,
// sub, mul, div and sqrt that equals rounding the exact result (f32 has at
// least 2p + 2 bits for p <= 11; Figueroa, 1995).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_SIMULATOR_SCALARS_H
#define FUSION_LIB_SIMULATOR_SCALARS_H

#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstdint>
#include <limits>

namespace mlir::fusion::sim {

enum class ScalarKind : uint8_t {
  I1,
  I8,
  I16,
  I32,
  I64,
  F8E4M3FN,
  F8E5M2,
  F16,
  BF16,
  F32,
  F64
};
constexpr unsigned kScalarKinds = 11;

/// Bytes of one element in a register and in memory.
constexpr uint32_t getScalarBytes(ScalarKind kind) {
  constexpr uint32_t bytes[kScalarKinds] = {1, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8};
  return bytes[static_cast<unsigned>(kind)];
}
constexpr bool isFloatKind(ScalarKind kind) {
  return kind >= ScalarKind::F8E4M3FN;
}

/// Rounds `value` to nearest even in a format of `E` exponent and `M` mantissa
/// bits. Overflow gives infinity, or, in a format without (`Finite`: all ones
/// is the only NaN), NaN.
template <unsigned E, unsigned M, bool Finite>
uint32_t encodeFloat(double value) {
  constexpr int bias = (1 << (E - 1)) - 1;
  constexpr uint32_t maxExponent = (1u << E) - 1;
  constexpr uint32_t nan = Finite ? (maxExponent << M | ((1u << M) - 1))
                                  : (maxExponent << M | (1u << (M - 1)));
  constexpr uint32_t overflow = Finite ? nan : maxExponent << M;
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  uint32_t sign = uint32_t(bits >> 63) << (E + M);
  int exponent = int((bits >> 52) & 0x7ff);
  uint64_t fraction = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 0x7ff)
    return sign | (fraction ? nan : overflow);
  // Doubles below 2^-1022 are below every narrow format.
  if (exponent == 0)
    return sign;
  uint64_t significand = fraction | (uint64_t(1) << 52);
  int target = exponent - 1023 + bias;
  unsigned shift = 52 - M;
  if (target < 1) {
    if (1 - target + shift > 63)
      return sign;
    shift += 1 - target;
    target = 1;
  }
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry out of the mantissa moves into the exponent by itself, also from
  // the denormals into the smallest normal.
  uint64_t result = (uint64_t(target - 1) << M) + kept;
  uint64_t largest = Finite ? nan - 1 : overflow - 1;
  return sign | (result > largest ? overflow : uint32_t(result));
}

/// The value of a bit pattern of such a format, exact.
template <unsigned E, unsigned M, bool Finite>
float decodeFloat(uint32_t bits) {
  constexpr int bias = (1 << (E - 1)) - 1;
  constexpr uint32_t maxExponent = (1u << E) - 1;
  uint32_t sign = bits >> (E + M) << 31;
  uint32_t exponent = (bits >> M) & maxExponent;
  uint32_t mantissa = bits & ((1u << M) - 1);
  bool special =
      exponent == maxExponent && (!Finite || mantissa == (1u << M) - 1);
  if (special)
    return llvm::bit_cast<float>(sign | (0xffu << 23) |
                                 (Finite ? 1u << 22 : mantissa << (23 - M)));
  if (exponent == 0) {
    // 2^(1 - bias - M) is a normal f32 for all formats narrower than f32.
    float scale =
        llvm::bit_cast<float>(uint32_t(127 + 1 - bias - int(M)) << 23);
    float magnitude = float(mantissa) * scale;
    return sign ? -magnitude : magnitude;
  }
  return llvm::bit_cast<float>(sign | (exponent + 127 - bias) << 23 |
                               mantissa << (23 - M));
}

/// Rounds f32 to bf16, to nearest even.
inline uint16_t encodeBF16(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  bool isNaN = (bits & 0x7fffffff) > 0x7f800000;
  return isNaN ? uint16_t((bits >> 16) | 0x40) : uint16_t(rounded);
}

/// Each tag has the storage type S, the type C its arithmetic is done in, and
/// the conversions between them. `fromDouble` rounds once.
template <typename T>
struct NativeFloat {
  using S = T;
  using C = T;
  static C dec(S value) { return value; }
  static S enc(C value) { return value; }
  static S fromDouble(double value) { return T(value); }
};
struct TagF32 : NativeFloat<float> {};
struct TagF64 : NativeFloat<double> {};
template <typename Bits, unsigned E, unsigned M, bool Finite>
struct NarrowFloat {
  using S = Bits;
  using C = float;
  static C dec(S value) { return decodeFloat<E, M, Finite>(value); }
  static S enc(C value) { return encodeFloat<E, M, Finite>(value); }
  static S fromDouble(double value) { return encodeFloat<E, M, Finite>(value); }
};
struct TagF16 : NarrowFloat<uint16_t, 5, 10, false> {};
struct TagF8E5M2 : NarrowFloat<uint8_t, 5, 2, false> {};
struct TagF8E4M3FN : NarrowFloat<uint8_t, 4, 3, true> {};
struct TagBF16 {
  using S = uint16_t;
  using C = float;
  static C dec(S value) { return llvm::bit_cast<float>(uint32_t(value) << 16); }
  static S enc(C value) { return encodeBF16(value); }
  static S fromDouble(double value) { return encodeFloat<8, 7, false>(value); }
};
/// Integers: S is unsigned; W is the width, of which all bits of S are used
/// except for i1, which is 0 or 1.
template <typename T, unsigned W>
struct Integer {
  using S = T;
  using Signed = std::make_signed_t<T>;
  static constexpr unsigned width = W;
  static S wrap(S value) { return W == 1 ? value & 1 : value; }
  static Signed toSigned(S value) {
    return W == 1 ? Signed(value ? -1 : 0) : Signed(value);
  }
};
struct TagI1 : Integer<uint8_t, 1> {};
struct TagI8 : Integer<uint8_t, 8> {};
struct TagI16 : Integer<uint16_t, 16> {};
struct TagI32 : Integer<uint32_t, 32> {};
struct TagI64 : Integer<uint64_t, 64> {};

/// Calls `f` with the tag of the float type `kind`.
template <typename F>
auto visitFloat(ScalarKind kind, F f) {
  switch (kind) {
  case ScalarKind::F8E4M3FN:
    return f(TagF8E4M3FN());
  case ScalarKind::F8E5M2:
    return f(TagF8E5M2());
  case ScalarKind::F16:
    return f(TagF16());
  case ScalarKind::BF16:
    return f(TagBF16());
  case ScalarKind::F64:
    return f(TagF64());
  default:
    return f(TagF32());
  }
}

/// Calls `f` with the tag of the integer type `kind`.
template <typename F>
auto visitInteger(ScalarKind kind, F f) {
  switch (kind) {
  case ScalarKind::I1:
    return f(TagI1());
  case ScalarKind::I8:
    return f(TagI8());
  case ScalarKind::I16:
    return f(TagI16());
  case ScalarKind::I32:
    return f(TagI32());
  default:
    return f(TagI64());
  }
}

} // namespace mlir::fusion::sim

#endif // FUSION_LIB_SIMULATOR_SCALARS_H
