//===- Inputs.cpp - The arguments of a run --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Inputs.h"

#include "FusionDialect/Runtime/Npy.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <unistd.h>

using namespace mlir;
using namespace mlir::fusion;
using llvm::StringRef;

// Bytes of memory in this machine. A shape beyond it is refused, since the
// allocation itself cannot report failure.
static uint64_t getPhysicalMemoryBytes() {
  long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || pageBytes <= 0)
    return std::numeric_limits<int64_t>::max();
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(pageBytes);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// Repeats the low `bytes` bytes of `bits` over the tensor.
static void fillBits(HostTensor &tensor, uint64_t bits, size_t bytes) {
  char *data = tensor.getDataAs<char>();
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    std::memcpy(data + i * bytes, &bits, bytes);
}

static llvm::Error makeLiteralError(StringRef text, Type type) {
  std::string message;
  llvm::raw_string_ostream(message)
      << "expected a constant of type " << type << ", but got '" << text << "'";
  return llvm::createStringError(message);
}

static llvm::Error fillIntegerConstant(HostTensor &tensor, StringRef text) {
  Type type = tensor.getElementType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width == 1 && (text == "true" || text == "false"))
    text = text == "true" ? "1" : "0";
  int64_t value;
  uint64_t unsignedValue;
  if (!text.getAsInteger(0, value)) {
    // Both the signed and the unsigned reading of the type are welcome.
    bool fits = width == 1 ? value == 0 || value == 1
                           : llvm::isIntN(width, value) ||
                                 (value >= 0 && llvm::isUIntN(width, value));
    if (!fits)
      return makeLiteralError(text, type);
    unsignedValue = static_cast<uint64_t>(value);
  } else if (width != 64 || text.getAsInteger(0, unsignedValue)) {
    return makeLiteralError(text, type);
  }
  fillBits(tensor, unsignedValue, getStorageBytes(type));
  return llvm::Error::success();
}

llvm::Error mlir::fusion::fillConstant(HostTensor &tensor, StringRef text) {
  Type type = tensor.getElementType();
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return fillIntegerConstant(tensor, text);
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  llvm::APFloat value(semantics);
  // The parser refuses to write an infinity in a type that has none.
  if (text.contains_insensitive("inf") &&
      !llvm::APFloat::semanticsHasInf(semantics))
    return makeLiteralError(text, type);
  auto status =
      value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return makeLiteralError(text, type);
  }
  fillBits(tensor, value.bitcastToAPInt().getZExtValue(),
           getStorageBytes(type));
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
// The parts of an argument's type.
struct ArgumentType {
  Type elementType;
  // kDynamic where the type leaves the extent open.
  SmallVector<int64_t> shape;
  bool isMemRef = false;
};
} // namespace

template <typename... Ts>
static llvm::Error makeError(unsigned number, const Ts &...parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "argument " << number << ": ";
  (os << ... << parts);
  return llvm::createStringError(text);
}

static llvm::Expected<ArgumentType> splitType(unsigned number, Type type) {
  ArgumentType result;
  result.elementType = type;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!shaped.hasRank() || !(memref || isa<RankedTensorType>(type)))
      return makeError(number, "expected a ranked tensor or memref, but got ",
                       type);
    if (memref && !memref.getLayout().isIdentity())
      return makeError(number, "expected the identity layout, but got ", type);
    result.elementType = shaped.getElementType();
    result.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    result.isMemRef = bool(memref);
  }
  if (getStorageBytes(result.elementType) == 0)
    return makeError(number, "the element type ", result.elementType,
                     " has no storage format");
  return result;
}

static std::string printShape(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os, [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      os << '?';
    else
      os << extent;
  });
  os << ']';
  return text;
}

static llvm::Error checkShape(unsigned number, ArrayRef<int64_t> expected,
                              ArrayRef<int64_t> actual, StringRef source) {
  bool matches = expected.size() == actual.size() &&
                 llvm::all_of(llvm::zip_equal(expected, actual), [](auto pair) {
                   auto [want, have] = pair;
                   return ShapedType::isDynamic(want) || want == have;
                 });
  if (matches)
    return llvm::Error::success();
  return makeError(number, "expected the shape ", printShape(expected),
                   ", but ", source, " has ", printShape(actual));
}

// The extents of an argument that does not come from a file.
static llvm::Expected<SmallVector<int64_t>>
resolveShape(unsigned number, const ArgumentType &type,
             const ArgumentSpec &spec) {
  if (!spec.shape) {
    if (ShapedType::isDynamicShape(type.shape))
      return makeError(number,
                       "the type leaves extents open: give --input=", number,
                       "=FILE.npy or --shape=", number, "=...");
    return type.shape;
  }
  if (llvm::Error error =
          checkShape(number, type.shape, *spec.shape, "--shape"))
    return error;
  return *spec.shape;
}

static llvm::Error checkSize(unsigned number, Type elementType,
                             ArrayRef<int64_t> shape) {
  uint64_t bytes = getStorageBytes(elementType);
  if (!llvm::is_contained(shape, 0))
    for (int64_t extent : shape)
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent);
  uint64_t available = getPhysicalMemoryBytes();
  if (bytes <= available)
    return llvm::Error::success();
  return makeError(number, "the shape ", printShape(shape),
                   " does not fit in the ", available, " bytes of memory here");
}

static llvm::Expected<HostArgument> readArgument(unsigned number,
                                                 const ArgumentType &type,
                                                 const ArgumentSpec &spec) {
  llvm::Expected<HostTensor> tensor =
      readNpy(spec.input->text, type.elementType);
  if (!tensor)
    return makeError(number, llvm::toString(tensor.takeError()));
  if (llvm::Error error =
          checkShape(number, type.shape, tensor->getShape(), spec.input->text))
    return error;
  if (spec.shape)
    if (llvm::Error error = checkShape(number, *spec.shape, tensor->getShape(),
                                       spec.input->text))
      return error;
  return HostArgument{std::move(*tensor), true, spec.input->text};
}

llvm::Expected<HostArgument>
mlir::fusion::makeArgument(unsigned number, Type type, const ArgumentSpec &spec,
                           uint64_t seed) {
  llvm::Expected<ArgumentType> split = splitType(number, type);
  if (!split)
    return split.takeError();
  if (type.isIndex() && !spec.input)
    return makeError(number, "an index has no default: give --input=", number,
                     "=const:V");
  using Kind = InputSpec::Kind;
  Kind kind = spec.input        ? spec.input->kind
              : split->isMemRef ? Kind::Uninitialized
                                : Kind::Random;
  if (kind == Kind::File)
    return readArgument(number, *split, spec);
  llvm::Expected<SmallVector<int64_t>> shape =
      resolveShape(number, *split, spec);
  if (!shape)
    return shape.takeError();
  if (llvm::Error error = checkSize(number, split->elementType, *shape))
    return error;

  HostArgument argument;
  argument.tensor = HostTensor(split->elementType, *shape);
  switch (kind) {
  case Kind::Random:
    fillRandom(argument.tensor, seed, number);
    argument.origin = "rand";
    break;
  case Kind::Constant:
    if (llvm::Error error = fillConstant(argument.tensor, spec.input->text))
      return makeError(number, llvm::toString(std::move(error)));
    argument.origin = "const:" + spec.input->text;
    break;
  case Kind::Uninitialized:
    argument.initialized = false;
    argument.origin = "uninitialized";
    break;
  case Kind::File:
    llvm_unreachable("files are read above");
  }
  return argument;
}
