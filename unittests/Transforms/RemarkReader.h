//===- RemarkReader.h - What a pass says it did -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_TRANSFORMS_REMARKREADER_H
#define FUSION_UNITTESTS_TRANSFORMS_REMARKREADER_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <string>

namespace mlir::fusion {

/// What the remarks of fusion-reorder-reductions say.
struct Remarks {
  /// For each rule of docs/Algebra.md, the reductions rewritten by it.
  std::map<std::string, unsigned> rules;
  /// Why the last reduction that stayed did so.
  std::string reason;
};

/// Gathers the remarks of a context.
class RemarkReader final : public remark::detail::MLIRRemarkStreamerBase {
public:
  /// Adds to `remarks` from now on.
  static LogicalResult install(MLIRContext &context, Remarks &remarks) {
    remark::RemarkCategories categories;
    categories.passed = categories.missed = "fusion-reorder-reductions";
    return remark::enableOptimizationRemarks(
        context, std::make_unique<RemarkReader>(remarks),
        std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
  }

  explicit RemarkReader(Remarks &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    for (const auto &argument : remark.getArgs()) {
      if (argument.key == "Reason")
        remarks.reason = argument.val;
      if (argument.key == "rules" && remark.getRemarkName() == "reorder")
        for (llvm::StringRef rule : llvm::split(argument.val, ", "))
          ++remarks.rules[rule.str()];
    }
  }

private:
  Remarks &remarks;
};

} // namespace mlir::fusion

#endif // FUSION_UNITTESTS_TRANSFORMS_REMARKREADER_H
