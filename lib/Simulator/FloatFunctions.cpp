//===- FloatFunctions.cpp - Float functions of several operands -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"
#include "BinaryFunctions.h"
#include "Lanes.h"
#include "llvm/ADT/bit.h"

using namespace mlir::fusion;
using namespace mlir::fusion::sim;

/// min(max(a, b), c) as arith.maximumf and arith.minimumf; NaN goes through.
template <typename Tag>
static void executeClamp(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a), *low = warp.reg<S>(instr.b),
          *high = warp.reg<S>(instr.c);
  forElements(warp, instr.n, [&](uint32_t i) {
    dst[i] = applyBinary<Tag, BinaryOp::MinimumF>(
        applyBinary<Tag, BinaryOp::MaximumF>(a[i], low[i]), high[i]);
  });
}

Handler mlir::fusion::sim::getClampHandler(ScalarKind kind) {
  if (!isFloatKind(kind))
    return nullptr;
  return visitFloat(
      kind, [](auto tag) -> Handler { return &executeClamp<decltype(tag)>; });
}

template <typename Tag, typename PowerTag>
static void executeIntegerPower(Warp &warp, const Instr &instr) {
  using S = typename Tag::S;
  S *__restrict dst = warp.reg<S>(instr.dst);
  const S *a = warp.reg<S>(instr.a);
  const auto *power = warp.reg<typename PowerTag::S>(instr.b);
  forElements(warp, instr.n, [&](uint32_t i) {
    dst[i] = Tag::fromDouble(
        std::pow(double(Tag::dec(a[i])), double(PowerTag::toSigned(power[i]))));
  });
}

Handler mlir::fusion::sim::getIntegerPowerHandler(ScalarKind kind,
                                                  ScalarKind powerKind) {
  if (!isFloatKind(kind) || isFloatKind(powerKind))
    return nullptr;
  return visitFloat(kind, [=](auto tag) -> Handler {
    return visitInteger(powerKind, [](auto powerTag) -> Handler {
      return &executeIntegerPower<decltype(tag), decltype(powerTag)>;
    });
  });
}

/// A question about a float; `imm` has the bits of the least normal number.
template <typename Tag, FloatQuestion Question>
static void executeQuestion(Warp &warp, const Instr &instr) {
  uint8_t *__restrict dst = warp.reg<uint8_t>(instr.dst);
  const auto *a = warp.reg<typename Tag::S>(instr.a);
  double leastNormal = llvm::bit_cast<double>(instr.imm);
  forElements(warp, instr.n, [&](uint32_t i) {
    double x = Tag::dec(a[i]);
    if constexpr (Question == FloatQuestion::IsNaN)
      dst[i] = std::isnan(x);
    else if constexpr (Question == FloatQuestion::IsInf)
      dst[i] = std::isinf(x);
    else if constexpr (Question == FloatQuestion::IsFinite)
      dst[i] = std::isfinite(x);
    else
      dst[i] = std::isfinite(x) && std::fabs(x) >= leastNormal;
  });
}

Handler mlir::fusion::sim::getQuestionHandler(FloatQuestion question,
                                              ScalarKind kind) {
  if (!isFloatKind(kind))
    return nullptr;
  return visitFloat(kind, [&](auto tag) -> Handler {
    using Tag = decltype(tag);
    switch (question) {
    case FloatQuestion::IsNaN:
      return &executeQuestion<Tag, FloatQuestion::IsNaN>;
    case FloatQuestion::IsInf:
      return &executeQuestion<Tag, FloatQuestion::IsInf>;
    case FloatQuestion::IsFinite:
      return &executeQuestion<Tag, FloatQuestion::IsFinite>;
    case FloatQuestion::IsNormal:
      return &executeQuestion<Tag, FloatQuestion::IsNormal>;
    }
    return nullptr;
  });
}
