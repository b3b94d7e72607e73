//===- NpyHeader.cpp - The dictionary at the head of a .npy file ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls xtensor's parser of the dictionary. The parser takes any text for a
// number and looks at the ends of strings that may be empty; so the text is
// checked first for what it must contain.
//
// This is the only file compiled with exceptions. It includes nothing of LLVM.
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include <algorithm>
#include <exception>
#include <sstream>
#include <xtensor/xnpy.hpp>

using namespace mlir::fusion;

// True if `shape`, the text between the parentheses, is a list of decimal
// numbers that fit in 18 digits, separated by single commas.
static bool isShapeText(const std::string &shape) {
  size_t digits = 0;
  for (char c : shape) {
    if (c == ',') {
      if (digits == 0)
        return false;
      digits = 0;
      continue;
    }
    if (c < '0' || c > '9' || ++digits > 18)
      return false;
  }
  return true;
}

static std::string checkHeaderText(const std::string &text) {
  if (text.empty() || text.back() != '\n')
    return "the header does not end with a newline";
  std::string dense;
  std::copy_if(text.begin(), text.end() - 1, std::back_inserter(dense),
               [](char c) { return c != ' '; });
  if (dense.size() < 2 || dense.front() != '{' || dense.back() != '}')
    return "the header is not a dictionary";
  const std::string key = "'shape':(";
  size_t begin = dense.find(key);
  size_t end = dense.find(')', begin == std::string::npos ? 0 : begin);
  if (begin == std::string::npos || end == std::string::npos ||
      dense.find("'shape'") != begin)
    return "the header has no shape";
  begin += key.size();
  if (!isShapeText(dense.substr(begin, end - begin)))
    return "the shape is not a list of numbers";
  return "";
}

std::string mlir::fusion::parseNpyHeader(const std::string &text,
                                         NpyHeader &header) {
  std::string problem = checkHeaderText(text);
  if (!problem.empty())
    return problem;
  try {
    std::vector<std::size_t> shape;
    xt::detail::parse_header(text, header.typeString, &header.fortranOrder,
                             shape);
    header.shape.assign(shape.begin(), shape.end());
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

std::string mlir::fusion::formatNpyHeader(const NpyHeader &header,
                                          std::string &text) {
  try {
    std::ostringstream stream;
    std::vector<std::size_t> shape(header.shape.begin(), header.shape.end());
    xt::detail::write_header(stream, header.typeString, header.fortranOrder,
                             shape);
    text = stream.str();
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}
