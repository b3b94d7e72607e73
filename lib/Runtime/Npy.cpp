//===- Npy.cpp - Tensors in .npy files ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame of a .npy file: magic, version, length, elements. The dictionary
// in its head is left to NpyHeader.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Npy.h"

#include "FusionDialect/Runtime/OutputFile.h"
#include "NpyHeader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Parallel.h"

using namespace mlir;
using namespace mlir::fusion;
using llvm::StringRef;

static constexpr StringRef kMagic = "\x93NUMPY";

template <typename... Ts>
static llvm::Error makeError(StringRef name, const Ts &...parts) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << ": ";
  (os << ... << parts);
  return llvm::createStringError(text);
}

// The type strings that stand for `type`, the one that is written first, e.g.
// {"<i4", "<u4"}. Single bytes have the byte order "|".
static SmallVector<std::string> getTypeStrings(Type type) {
  size_t bytes = getStorageBytes(type);
  std::string suffix = llvm::utostr(bytes);
  std::string order = bytes == 1 ? "|" : "<";
  if (type.isInteger(1))
    return {"|b1", "|u1"};
  if (type.isIntOrIndex())
    return {order + "i" + suffix, order + "u" + suffix};
  if (type.isF16() || type.isF32() || type.isF64())
    return {order + "f" + suffix};
  return {order + "u" + suffix};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

// Splits the file in dictionary and elements.
static llvm::Error splitFile(llvm::MemoryBufferRef buffer, StringRef &header,
                             StringRef &elements) {
  StringRef name = buffer.getBufferIdentifier(), text = buffer.getBuffer();
  if (!text.consume_front(kMagic))
    return makeError(name, "expected a .npy file, but the magic is missing");
  if (text.size() < 2)
    return makeError(name, "the .npy header is truncated");
  unsigned major = static_cast<uint8_t>(text[0]);
  unsigned minor = static_cast<uint8_t>(text[1]);
  if ((major != 1 && major != 2) || minor != 0)
    return makeError(name, "expected .npy version 1.0 or 2.0, but got ", major,
                     ".", minor);
  text = text.drop_front(2);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (text.size() < lengthBytes)
    return makeError(name, "the .npy header is truncated");
  size_t length = major == 1 ? llvm::support::endian::read16le(text.data())
                             : llvm::support::endian::read32le(text.data());
  text = text.drop_front(lengthBytes);
  if (text.size() < length)
    return makeError(name, "the .npy header is truncated");
  header = text.take_front(length);
  elements = text.drop_front(length);
  return llvm::Error::success();
}

static llvm::Error checkTypeString(StringRef name, StringRef typeString,
                                   Type elementType) {
  SmallVector<std::string> wanted = getTypeStrings(elementType);
  if (llvm::is_contained(wanted, typeString))
    return llvm::Error::success();
  std::string typeText;
  llvm::raw_string_ostream(typeText) << elementType;
  StringRef hint =
      typeString.starts_with(">") ? " (big-endian elements are not read)" : "";
  return makeError(name, "expected elements '", llvm::join(wanted, "' or '"),
                   "' for ", typeText, ", but got '", typeString, "'", hint);
}

// Copies elements in Fortran order (the first index varies fastest) to
// row-major order. Element k of the result has the row-major index of k; its
// place in the file is the sum of index times column-major stride.
static void copyFromFortranOrder(const char *source, HostTensor &tensor) {
  size_t bytes = getStorageBytes(tensor.getElementType());
  ArrayRef<int64_t> shape = tensor.getShape();
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = 1; d < shape.size(); ++d)
    strides[d] = strides[d - 1] * shape[d - 1];
  SmallVector<int64_t> index(shape.size(), 0);
  char *out = tensor.getDataAs<char>();
  int64_t offset = 0;
  for (int64_t k = 0, e = tensor.getNumElements(); k < e; ++k) {
    std::memcpy(out + k * bytes, source + offset * bytes, bytes);
    for (size_t d = shape.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d])
        break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

static llvm::Error checkBooleans(StringRef name, const HostTensor &tensor) {
  const uint8_t *data = tensor.getDataAs<uint8_t>();
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    if (data[i] > 1)
      return makeError(name, "expected 0 or 1 for i1, but element ", i, " is ",
                       unsigned(data[i]));
  return llvm::Error::success();
}

llvm::Expected<HostTensor> mlir::fusion::decodeNpy(llvm::MemoryBufferRef buffer,
                                                   Type elementType) {
  StringRef name = buffer.getBufferIdentifier(), headerText, elements;
  if (llvm::Error error = splitFile(buffer, headerText, elements))
    return error;
  NpyHeader header;
  std::string problem = parseNpyHeader(headerText.str(), header);
  if (!problem.empty())
    return makeError(name, "malformed .npy header: ", problem);
  if (llvm::Error error = checkTypeString(name, header.typeString, elementType))
    return error;

  SmallVector<int64_t> shape(header.shape.begin(), header.shape.end());
  // A zero extent makes the product 0, whatever the other extents are.
  bool isEmpty = llvm::is_contained(shape, 0);
  uint64_t bytes = isEmpty ? 0 : getStorageBytes(elementType);
  for (int64_t extent : shape) {
    bool overflow = false;
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, extent, &overflow);
    if (overflow)
      return makeError(name, "the shape has too many elements");
  }
  if (elements.size() != bytes)
    return makeError(name, "expected ", bytes, " bytes of elements, but got ",
                     elements.size());

  HostTensor tensor(elementType, shape);
  if (header.fortranOrder && shape.size() > 1)
    copyFromFortranOrder(elements.data(), tensor);
  else if (bytes != 0)
    std::memcpy(tensor.getData(), elements.data(), bytes);
  if (elementType.isInteger(1))
    if (llvm::Error error = checkBooleans(name, tensor))
      return error;
  return tensor;
}

llvm::Expected<HostTensor> mlir::fusion::readNpy(StringRef path,
                                                 Type elementType) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError(path,
                     "cannot open the file: ", buffer.getError().message());
  return decodeNpy((*buffer)->getMemBufferRef(), elementType);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

llvm::Expected<std::string>
mlir::fusion::encodeNpyHeader(const HostTensor &tensor) {
  NpyHeader header;
  header.typeString = getTypeStrings(tensor.getElementType()).front();
  header.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  std::string text, problem = formatNpyHeader(header, text);
  if (!problem.empty())
    return llvm::createStringError(problem);
  return text;
}

llvm::Error mlir::fusion::addNpy(StagedFiles &files, StringRef path,
                                 const HostTensor &tensor) {
  llvm::Expected<std::string> header = encodeNpyHeader(tensor);
  if (!header)
    return header.takeError();
  return files.add(path, [&](llvm::raw_ostream &os) {
    os << *header;
    os.write(tensor.getDataAs<char>(), tensor.getSizeInBytes());
  });
}
