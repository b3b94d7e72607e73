//===- Traffic.cpp - Bytes that a kernel moves ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Traffic.h"
#include "FusionDialect/Analysis/Candidate.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

unsigned fusion::getElementBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 8;
}

//===----------------------------------------------------------------------===//
// ByteCount
//===----------------------------------------------------------------------===//

ByteCount::ByteCount(Value value, const DimClasses &dims) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    terms[{}] = 8;
    return;
  }
  uint64_t factor = getElementBytes(type);
  Product product;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    DimClasses::Class dimClass = dims.getClass(value, dim);
    int64_t extent = type.getDimSize(dim);
    if (ShapedType::isDynamic(extent))
      extent = dims.getExtent(dimClass);
    if (ShapedType::isDynamic(extent))
      product.push_back(dimClass);
    else
      factor = llvm::SaturatingMultiply(factor, static_cast<uint64_t>(extent));
  }
  llvm::sort(product);
  if (factor)
    terms[std::move(product)] = factor;
}

ByteCount &ByteCount::operator+=(const ByteCount &other) {
  for (const auto &[product, factor] : other.terms) {
    uint64_t &sum = terms[product];
    sum = llvm::SaturatingAdd(sum, factor);
  }
  return *this;
}

uint64_t ByteCount::estimate() const {
  uint64_t sum = 0;
  for (const auto &[product, factor] : terms) {
    uint64_t bytes = factor;
    for (size_t i = 0; i < product.size(); ++i)
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, assumedDynamicExtent);
    sum = llvm::SaturatingAdd(sum, bytes);
  }
  return sum;
}

void ByteCount::print(raw_ostream &os) const {
  if (terms.empty())
    os << 0;
  llvm::ListSeparator separator(" + ");
  // The largest powers first.
  for (const auto &[product, factor] : llvm::reverse(terms)) {
    os << separator << factor;
    for (DimClasses::Class dimClass : product)
      os << " x extent(" << dimClass << ')';
  }
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

uint64_t fusion::getStoredBytes(Value value, const DimClasses &dims) {
  return ByteCount(value, dims).estimate();
}

uint64_t fusion::getStoredBytes(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 8;
  uint64_t bytes = getElementBytes(type);
  for (int64_t extent : type.getShape())
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, ShapedType::isDynamic(extent) ? assumedDynamicExtent : extent);
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

TrafficAnalysis::TrafficAnalysis(Operation *root, AnalysisManager &analyses) {
  const auto &dims = analyses.getAnalysis<DimClasses>();
  auto add = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      bytes[value] = ByteCount(value, dims);
  };
  root->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
    llvm::for_each(op->getResults(), add);
  });
}

ByteCount TrafficAnalysis::getBytes(Value value) const {
  return bytes.lookup(value);
}

ByteCount TrafficAnalysis::getInputBytes(const Candidate &candidate) const {
  ByteCount sum;
  for (Value input : candidate.inputs)
    sum += getBytes(input);
  return sum;
}

ByteCount TrafficAnalysis::getOutputBytes(const Candidate &candidate) const {
  ByteCount sum;
  for (Value output : candidate.outputs)
    sum += getBytes(output);
  return sum;
}
