//===- HostTensor.cpp - A tensor in host memory ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Reference/HostTensor.h"
#include "FusionDialect/Reference/FloatFormat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <new>

using namespace mlir;
using namespace mlir::fusion;

static constexpr std::align_val_t alignment{64};

size_t fusion::getStorageBytes(Type elementType) {
  if (isa<Float64Type, IndexType>(elementType))
    return 8;
  if (isa<Float32Type>(elementType))
    return 4;
  if (isa<Float16Type, BFloat16Type>(elementType))
    return 2;
  if (isa<Float8E4M3FNType, Float8E5M2Type>(elementType))
    return 1;
  auto integer = dyn_cast_or_null<IntegerType>(elementType);
  if (!integer || !integer.isSignless())
    return 0;
  switch (integer.getWidth()) {
  case 1:
  case 8:
    return 1;
  case 16:
    return 2;
  case 32:
    return 4;
  case 64:
    return 8;
  default:
    return 0;
  }
}

HostTensor::HostTensor(Type elementType, llvm::ArrayRef<int64_t> shape)
    : elementType(elementType), shape(shape.begin(), shape.end()) {
  assert(getStorageBytes(elementType) != 0 && "the type has no storage");
  numElements = 1;
  for (int64_t extent : shape) {
    assert(extent >= 0 && "the shape is not static");
    numElements *= extent;
  }
  size_t bytes = std::max<size_t>(getSizeInBytes(), 1);
  auto *memory = static_cast<std::byte *>(::operator new[](bytes, alignment));
  std::memset(memory, 0, bytes);
  data = std::shared_ptr<std::byte>(memory, [](std::byte *pointer) {
    ::operator delete[](pointer, alignment);
  });
}

size_t HostTensor::getSizeInBytes() const {
  return static_cast<size_t>(numElements) * getStorageBytes(elementType);
}

//===----------------------------------------------------------------------===//
// Formats of 8 and 16 bits
//===----------------------------------------------------------------------===//

namespace {
/// A format of at most 16 bits: the fields of its storage.
template <typename BitsT, int fraction, int exponentBias, bool infinities>
struct SmallFormat {
  using Bits = BitsT;
  static constexpr int fractionBits = fraction;
  static constexpr Bits signBit = Bits(1) << (sizeof(Bits) * 8 - 1);
  static constexpr uint64_t magnitudeMask = signBit - 1;
  static constexpr uint64_t allOnes = magnitudeMask;
  // With infinities a full exponent field is infinity or NaN; without, only
  // the magnitude of all ones is NaN.
  static constexpr uint64_t infinityBits =
      infinities ? (magnitudeMask >> fraction) << fraction : allOnes;

  /// The fields, moved to where a double has them, scaled by the difference of
  /// the biases. Exact, also for subnormal numbers.
  static double decode(Bits bits) {
    uint64_t magnitude = bits & magnitudeMask;
    double scale = llvm::bit_cast<double>(
        static_cast<uint64_t>(2046 - exponentBias) << 52);
    double value = llvm::bit_cast<double>(magnitude << (52 - fraction)) * scale;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    double special = infinities && magnitude == infinityBits ? infinity : nan;
    value = magnitude >= infinityBits ? special : value;
    return bits & signBit ? -value : value;
  }

  /// The storage of a number of the format.
  static Bits encode(double value) {
    double magnitude = std::fabs(value);
    double scale =
        llvm::bit_cast<double>(static_cast<uint64_t>(exponentBias) << 52);
    uint64_t bits =
        llvm::bit_cast<uint64_t>(magnitude * scale) >> (52 - fraction);
    if (!(magnitude < std::numeric_limits<double>::infinity())) {
      bool isNaN = !(magnitude == magnitude);
      bits = isNaN ? infinityBits | (Bits(1) << (fraction - 1)) : infinityBits;
    }
    return static_cast<Bits>(bits) | (std::signbit(value) ? signBit : Bits(0));
  }
};

using Half = SmallFormat<uint16_t, 10, 15, true>;
using BrainHalf = SmallFormat<uint16_t, 7, 127, true>;
using Float8E4 = SmallFormat<uint8_t, 3, 7, false>;
using Float8E5 = SmallFormat<uint8_t, 2, 15, true>;
} // namespace

template <typename Format>
static void decodeAll(const HostTensor &tensor, int64_t first, int64_t count,
                      double *out) {
  const auto *bits = tensor.getDataAs<typename Format::Bits>() + first;
  for (int64_t i = 0; i < count; ++i)
    out[i] = Format::decode(bits[i]);
}

template <typename Format>
static void encodeAll(HostTensor &tensor, int64_t first, int64_t count,
                      const double *in) {
  FloatFormat format =
      FloatFormat::get(cast<FloatType>(tensor.getElementType()));
  auto *bits = tensor.getDataAs<typename Format::Bits>() + first;
  // In pieces, so that the rounded numbers stay in the first-level cache.
  constexpr int64_t piece = 512;
  double rounded[piece];
  for (int64_t start = 0; start < count; start += piece) {
    int64_t size = std::min(piece, count - start);
    format.round(in + start, rounded, size);
    for (int64_t i = 0; i < size; ++i)
      bits[start + i] = Format::encode(rounded[i]);
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

template <typename From, typename To>
static void convertAll(const From *in, int64_t count, To *out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = static_cast<To>(in[i]);
}

template <typename Int>
static void clampAll(const double *in, int64_t count, Int *out) {
  constexpr Int least = std::numeric_limits<Int>::min();
  constexpr Int most = std::numeric_limits<Int>::max();
  for (int64_t i = 0; i < count; ++i) {
    double value = std::nearbyint(in[i]);
    // `most` may not be a double; the next power of two above it is one.
    if (value >= -static_cast<double>(least))
      out[i] = most;
    else if (value <= static_cast<double>(least))
      out[i] = least;
    else
      out[i] = value == value ? static_cast<Int>(value) : Int(0);
  }
}

void HostTensor::readAsDouble(int64_t first, int64_t count, double *out) const {
  assert(first >= 0 && count >= 0 && first + count <= numElements &&
         "out of bounds");
  if (isa<Float64Type>(elementType))
    return convertAll(getDataAs<double>() + first, count, out);
  if (isa<Float32Type>(elementType))
    return convertAll(getDataAs<float>() + first, count, out);
  if (isa<Float16Type>(elementType))
    return decodeAll<Half>(*this, first, count, out);
  if (isa<BFloat16Type>(elementType))
    return decodeAll<BrainHalf>(*this, first, count, out);
  if (isa<Float8E4M3FNType>(elementType))
    return decodeAll<Float8E4>(*this, first, count, out);
  if (isa<Float8E5M2Type>(elementType))
    return decodeAll<Float8E5>(*this, first, count, out);
  for (int64_t i = 0; i < count; ++i) {
    int64_t value;
    readAsInteger(first + i, 1, &value);
    out[i] = static_cast<double>(value);
  }
}

void HostTensor::writeFromDouble(int64_t first, int64_t count,
                                 const double *in) {
  assert(first >= 0 && count >= 0 && first + count <= numElements &&
         "out of bounds");
  if (isa<Float64Type>(elementType))
    return convertAll(in, count, getDataAs<double>() + first);
  if (isa<Float32Type>(elementType))
    return convertAll(in, count, getDataAs<float>() + first);
  if (isa<Float16Type>(elementType))
    return encodeAll<Half>(*this, first, count, in);
  if (isa<BFloat16Type>(elementType))
    return encodeAll<BrainHalf>(*this, first, count, in);
  if (isa<Float8E4M3FNType>(elementType))
    return encodeAll<Float8E4>(*this, first, count, in);
  if (isa<Float8E5M2Type>(elementType))
    return encodeAll<Float8E5>(*this, first, count, in);
  if (elementType.isInteger(1)) {
    for (int64_t i = 0; i < count; ++i)
      data.get()[first + i] = std::byte(!std::isnan(in[i]) && in[i] != 0);
    return;
  }
  switch (getStorageBytes(elementType)) {
  case 1:
    return clampAll(in, count, getDataAs<int8_t>() + first);
  case 2:
    return clampAll(in, count, getDataAs<int16_t>() + first);
  case 4:
    return clampAll(in, count, getDataAs<int32_t>() + first);
  default:
    return clampAll(in, count, getDataAs<int64_t>() + first);
  }
}

void HostTensor::readAsInteger(int64_t first, int64_t count,
                               int64_t *out) const {
  assert(!isa<FloatType>(elementType) && "not integers");
  assert(first >= 0 && count >= 0 && first + count <= numElements &&
         "out of bounds");
  if (elementType.isInteger(1)) {
    for (int64_t i = 0; i < count; ++i)
      out[i] = data.get()[first + i] != std::byte(0);
    return;
  }
  switch (getStorageBytes(elementType)) {
  case 1:
    return convertAll(getDataAs<int8_t>() + first, count, out);
  case 2:
    return convertAll(getDataAs<int16_t>() + first, count, out);
  case 4:
    return convertAll(getDataAs<int32_t>() + first, count, out);
  default:
    return convertAll(getDataAs<int64_t>() + first, count, out);
  }
}

void HostTensor::writeFromInteger(int64_t first, int64_t count,
                                  const int64_t *in) {
  assert(!isa<FloatType>(elementType) && "not integers");
  assert(first >= 0 && count >= 0 && first + count <= numElements &&
         "out of bounds");
  if (elementType.isInteger(1)) {
    for (int64_t i = 0; i < count; ++i)
      data.get()[first + i] = std::byte(in[i] & 1);
    return;
  }
  switch (getStorageBytes(elementType)) {
  case 1:
    return convertAll(in, count, getDataAs<int8_t>() + first);
  case 2:
    return convertAll(in, count, getDataAs<int16_t>() + first);
  case 4:
    return convertAll(in, count, getDataAs<int32_t>() + first);
  default:
    return convertAll(in, count, getDataAs<int64_t>() + first);
  }
}
