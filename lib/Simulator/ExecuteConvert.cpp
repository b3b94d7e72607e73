//===- ExecuteConvert.cpp - Comparisons, selects, conversions, moves ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "Operations.h"
#include <cstring>
#include <type_traits>

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

//===----------------------------------------------------------------------===//
// Comparisons and selects
//===----------------------------------------------------------------------===//

template <typename Tag, bool IsSigned>
static void executeCompareInteger(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  uint8_t *__restrict dst = warp.reg<uint8_t>(instr.dst);
  const S *a = warp.reg<S>(instr.a), *b = warp.reg<S>(instr.b);
  uint32_t wanted = instr.imm;
  forElements(warp, instr.n, [&](uint32_t i) {
    auto read = [](S value) {
      if constexpr (IsSigned)
        return Tag::toSigned(value);
      else
        return value;
    };
    auto x = read(a[i]), y = read(b[i]);
    uint32_t relation = x < y    ? Less
                        : x > y  ? Greater
                        : x == y ? Equal
                                 : Unordered;
    dst[i] = (wanted & relation) != 0;
  });
}

template <typename Tag>
static void executeCompareFloat(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  uint8_t *__restrict dst = warp.reg<uint8_t>(instr.dst);
  const S *a = warp.reg<S>(instr.a), *b = warp.reg<S>(instr.b);
  uint32_t wanted = instr.imm;
  forElements(warp, instr.n, [&](uint32_t i) {
    auto x = Tag::dec(a[i]), y = Tag::dec(b[i]);
    uint32_t relation = x < y    ? Less
                        : x > y  ? Greater
                        : x == y ? Equal
                                 : Unordered;
    dst[i] = (wanted & relation) != 0;
  });
}

Handler mlir::fusion::sim::getCompareHandler(ScalarKind kind, bool isSigned) {
  if (isFloatKind(kind))
    return visitFloat(kind, [](auto tag) -> Handler {
      return &executeCompareFloat<decltype(tag)>;
    });
  return visitInteger(kind, [&](auto tag) -> Handler {
    return isSigned ? &executeCompareInteger<decltype(tag), true>
                    : &executeCompareInteger<decltype(tag), false>;
  });
}

template <typename S>
static void executeSelect(Warp &warp, const Instr &instr) {
  S *__restrict dst = warp.reg<S>(instr.dst);
  const uint8_t *condition = warp.reg<uint8_t>(instr.a);
  const S *b = warp.reg<S>(instr.b), *c = warp.reg<S>(instr.c);
  if (instr.imm)
    forElements(warp, instr.n, [&](uint32_t i) {
      dst[i] = condition[i % kLanes] ? b[i] : c[i];
    });
  else
    forElements(warp, instr.n,
                [&](uint32_t i) { dst[i] = condition[i] ? b[i] : c[i]; });
}

Handler mlir::fusion::sim::getSelectHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeSelect<decltype(zero)>;
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Float to integer as the device's instruction does it (PTX ISA, cvt): towards
/// zero, and to the nearest end of the range where it does not fit. NaN gives
/// 0, or the highest bit alone if one of the types has 64 bits. There is none
/// for 8 bits: they are the lower ones of what a conversion to 16 gives.
template <typename From, typename To, bool IsSigned>
static typename To::S convertToInteger(double value) {
  using S = typename To::S;
  constexpr unsigned width = To::width == 8 ? 16 : To::width;
  if (value != value) {
    constexpr bool isWide = std::is_same_v<From, TagF64> || width == 64;
    return To::wrap(S(isWide ? uint64_t(1) << (width - 1) : 0));
  }
  constexpr unsigned bits = IsSigned ? width - 1 : width;
  constexpr uint64_t largest =
      bits == 64 ? ~uint64_t(0) : (uint64_t(1) << (bits % 64)) - 1;
  double limit = std::ldexp(1.0, bits);
  double whole = std::trunc(value);
  if (whole >= limit)
    return S(largest);
  if (!IsSigned)
    return whole < 0 ? S(0) : S(uint64_t(whole));
  return To::wrap(S(whole < -limit ? ~largest : uint64_t(int64_t(whole))));
}

/// Integer to float, rounded once. A narrow format gets the magnitude as a
/// double; bits beyond its 53 are folded into the last one, so that the second
/// rounding decides as the exact value would.
template <typename From, typename To, bool IsSigned>
static typename To::S convertFromInteger(typename From::S value) {
  using S = typename To::S;
  bool negative = IsSigned && From::toSigned(value) < 0;
  if constexpr (std::is_floating_point_v<S>) {
    if (IsSigned)
      return S(From::toSigned(value));
    return S(value);
  } else {
    uint64_t magnitude =
        negative ? uint64_t(0) - uint64_t(int64_t(From::toSigned(value)))
                 : uint64_t(value);
    double exact = double(magnitude);
    if (magnitude >> 53)
      exact = double(magnitude >> 11 | ((magnitude & 2047) != 0)) * 2048.0;
    return To::fromDouble(negative ? -exact : exact);
  }
}

template <typename From, typename To, bool FromFloat, bool ToFloat,
          bool IsSigned>
static void executeCast(Warp &warp, const Instr &instr) {
  auto *__restrict dst = warp.reg<typename To::S>(instr.dst);
  const auto *a = warp.reg<typename From::S>(instr.a);
  forElements(warp, instr.n, [&](uint32_t i) {
    if constexpr (FromFloat && ToFloat) {
      // Widening and f32 to bf16 take their short ways.
      if constexpr (std::is_same_v<From, TagF64>)
        dst[i] = To::fromDouble(a[i]);
      else if constexpr (std::is_same_v<To, TagF64>)
        dst[i] = From::dec(a[i]);
      else
        dst[i] = To::enc(From::dec(a[i]));
    } else if constexpr (FromFloat) {
      dst[i] = convertToInteger<From, To, IsSigned>(double(From::dec(a[i])));
    } else if constexpr (ToFloat) {
      dst[i] = convertFromInteger<From, To, IsSigned>(a[i]);
    } else if constexpr (IsSigned) {
      dst[i] = To::wrap(typename To::S(From::toSigned(a[i])));
    } else {
      dst[i] = To::wrap(typename To::S(a[i]));
    }
  });
}

template <typename From, bool FromFloat>
static Handler getCastTo(ScalarKind to, IntegerSign sign) {
  bool isSigned = sign == IntegerSign::Signed;
  if (isFloatKind(to))
    return visitFloat(to, [&](auto tag) -> Handler {
      using To = decltype(tag);
      if constexpr (FromFloat)
        return &executeCast<From, To, true, true, true>;
      else
        return isSigned ? &executeCast<From, To, FromFloat, true, true>
                        : &executeCast<From, To, FromFloat, true, false>;
    });
  return visitInteger(to, [&](auto tag) -> Handler {
    using To = decltype(tag);
    return isSigned ? &executeCast<From, To, FromFloat, false, true>
                    : &executeCast<From, To, FromFloat, false, false>;
  });
}

Handler mlir::fusion::sim::getCastHandler(ScalarKind from, ScalarKind to,
                                          IntegerSign sign) {
  if (isFloatKind(from))
    return visitFloat(from, [&](auto tag) {
      return getCastTo<decltype(tag), true>(to, sign);
    });
  return visitInteger(from, [&](auto tag) {
    return getCastTo<decltype(tag), false>(to, sign);
  });
}

static void executeBitcast(Warp &warp, const Instr &instr) {
  uint32_t from = instr.imm, to = instr.aux;
  uint32_t total = instr.n * from;
  const std::byte *a = warp.reg<std::byte>(instr.a);
  std::byte *dst = warp.reg<std::byte>(instr.dst);
  forLanes(warp.mask, [&](unsigned lane) {
    for (uint32_t i = 0; i < total; ++i)
      dst[(i / to * kLanes + lane) * to + i % to] =
          a[(i / from * kLanes + lane) * from + i % from];
  });
}

Handler mlir::fusion::sim::getBitcastHandler() { return &executeBitcast; }

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

template <typename S>
static void executeCopy(Warp &warp, const Instr &instr) {
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  forElements(warp, instr.n, [&](uint32_t i) { dst[i] = a[i]; });
}

Handler mlir::fusion::sim::getCopyHandler(uint32_t bytes) {
  return visitBytes(
      bytes, [](auto zero) -> Handler { return &executeCopy<decltype(zero)>; });
}

template <typename S>
static void executePermute(Warp &warp, const Instr &instr) {
  const Permutation &permutation =
      warp.block->launch.program.permutations[instr.aux];
  for (const Permutation::Move &move : permutation.moves) {
    S *__restrict dst = warp.reg<S>(move.to);
    const S *a = warp.reg<S>(move.from);
    forElements(warp, 1, [&](uint32_t lane) { dst[lane] = a[lane]; });
  }
}

Handler mlir::fusion::sim::getPermuteHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executePermute<decltype(zero)>;
  });
}

template <typename S>
static void executeDynamicExtract(Warp &warp, const Instr &instr) {
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  const uint64_t *index = warp.reg<uint64_t>(instr.b);
  // A position outside the vector is poison; it must not reach other registers.
  forElements(warp, 1, [&](uint32_t lane) {
    dst[lane] = index[lane] < instr.n ? a[index[lane] * kLanes + lane] : S(0);
  });
}

Handler mlir::fusion::sim::getDynamicExtractHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeDynamicExtract<decltype(zero)>;
  });
}

template <typename S>
static void executeDynamicInsert(Warp &warp, const Instr &instr) {
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a), *b = warp.reg<S>(instr.b);
  const uint64_t *index = warp.reg<uint64_t>(instr.c);
  forElements(warp, instr.n, [&](uint32_t i) { dst[i] = a[i]; });
  forElements(warp, 1, [&](uint32_t lane) {
    if (index[lane] < instr.n)
      dst[index[lane] * kLanes + lane] = b[lane];
  });
}

Handler mlir::fusion::sim::getDynamicInsertHandler(uint32_t bytes) {
  return visitBytes(bytes, [](auto zero) -> Handler {
    return &executeDynamicInsert<decltype(zero)>;
  });
}
