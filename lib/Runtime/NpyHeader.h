//===- NpyHeader.h - The dictionary at the head of a .npy file --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The border to the library that knows the header's grammar. It throws, so its
// only user is the one file that is compiled with exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_NPYHEADER_H
#define FUSION_LIB_RUNTIME_NPYHEADER_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::fusion {

/// What the header's dictionary says.
struct NpyHeader {
  /// Byte order, kind and bytes of an element, e.g. "<f4".
  std::string typeString;
  bool fortranOrder = false;
  std::vector<uint64_t> shape;
};

/// Parses the dictionary, a newline at its end included. Returns the reason if
/// it is malformed, else an empty string.
std::string parseNpyHeader(const std::string &text, NpyHeader &header);

/// Everything before the elements: magic, version, length, dictionary, padding.
/// Returns the reason on failure, else an empty string.
std::string formatNpyHeader(const NpyHeader &header, std::string &text);

} // namespace mlir::fusion

#endif // FUSION_LIB_RUNTIME_NPYHEADER_H
