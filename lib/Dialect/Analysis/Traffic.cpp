//===- Traffic.cpp - Bytes that a kernel moves ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Analysis/Candidate.h"
#include "FusionDialect/Analysis/DimClasses.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

uint64_t fusion::getStoredBytes(Value value, const DimClasses &dims) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 8;
  uint64_t bytes = 1;
  if (type.getElementType().isIntOrFloat())
    bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  else if (type.getElementType().isIndex())
    bytes = 8;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t extent = type.getDimSize(dim);
    if (ShapedType::isDynamic(extent))
      extent = dims.getExtent(dims.getClass(value, dim));
    if (ShapedType::isDynamic(extent))
      extent = assumedDynamicExtent;
    bytes = llvm::SaturatingMultiply(bytes, static_cast<uint64_t>(extent));
  }
  return bytes;
}

Traffic Traffic::get(const Candidate &candidate, const DimClasses &dims) {
  Traffic traffic;
  for (Value input : candidate.inputs)
    traffic.inputBytes =
        llvm::SaturatingAdd(traffic.inputBytes, getStoredBytes(input, dims));
  for (Value output : candidate.outputs)
    traffic.outputBytes =
        llvm::SaturatingAdd(traffic.outputBytes, getStoredBytes(output, dims));
  return traffic;
}
