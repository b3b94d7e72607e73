//===- InputOptions.cpp - --input and --shape -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/Inputs.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fusion;
using llvm::StringRef;

static llvm::Expected<std::pair<unsigned, StringRef>>
splitOption(StringRef flag, StringRef option, StringRef form) {
  auto [number, value] = option.split('=');
  unsigned argument;
  // The bound keeps a mistyped number from growing a table.
  if (!option.contains('=') || number.getAsInteger(10, argument) ||
      argument >= 65536)
    return llvm::createStringError("--" + flag + "=" + option + ": expected " +
                                   form + " with an argument number K");
  return std::make_pair(argument, value);
}

llvm::Expected<std::pair<unsigned, InputSpec>>
mlir::fusion::parseInputOption(StringRef option) {
  constexpr StringRef form = "K=FILE.npy, K=rand or K=const:V";
  auto split = splitOption("input", option, form);
  if (!split)
    return split.takeError();
  auto [argument, value] = *split;
  InputSpec spec;
  if (value == "rand") {
    spec.kind = InputSpec::Kind::Random;
  } else if (value.consume_front("const:")) {
    spec.kind = InputSpec::Kind::Constant;
    spec.text = value.str();
  } else if (value.ends_with(".npy")) {
    spec.kind = InputSpec::Kind::File;
    spec.text = value.str();
  } else {
    return llvm::createStringError("--input=" + option + ": expected " + form);
  }
  return std::make_pair(argument, spec);
}

llvm::Expected<std::pair<unsigned, SmallVector<int64_t>>>
mlir::fusion::parseShapeOption(StringRef option) {
  constexpr StringRef form = "K=4x8";
  auto split = splitOption("shape", option, form);
  if (!split)
    return split.takeError();
  auto [argument, value] = *split;
  SmallVector<int64_t> shape;
  SmallVector<StringRef> extents;
  if (!value.empty())
    value.split(extents, 'x');
  for (StringRef text : extents) {
    int64_t extent;
    if (text.getAsInteger(10, extent) || extent < 0)
      return llvm::createStringError("--shape=" + option + ": expected " +
                                     form + ", but got the extent '" + text +
                                     "'");
    shape.push_back(extent);
  }
  return std::make_pair(argument, shape);
}
