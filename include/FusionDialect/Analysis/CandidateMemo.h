//===- CandidateMemo.h - What schedulers learn in common --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedulers that are asked about one candidate in turn often need to know the
// same of it, the loops for example. Whoever asks them lends them a memo: what
// the first one builds the others find.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_ANALYSIS_CANDIDATEMEMO_H
#define FUSIONDIALECT_ANALYSIS_CANDIDATEMEMO_H

#include "FusionDialect/Analysis/Scheduler.h"
#include "mlir/Support/TypeID.h"

namespace mlir::fusion {

/// What is known of one candidate, by type.
class CandidateMemo {
public:
  explicit CandidateMemo(const Candidate &candidate) : candidate(candidate) {}

  /// What `build`, which depends on the candidate and the other facts alone,
  /// returns for `candidate`; built once if `facts` has a memo of it.
  template <typename T>
  static std::shared_ptr<const T> get(const Candidate &candidate,
                                      const Facts &facts,
                                      llvm::function_ref<T()> build) {
    CandidateMemo *memo = facts.memo;
    if (!memo || &memo->candidate != &candidate)
      return std::make_shared<const T>(build());
    std::shared_ptr<const void> &known = memo->find(TypeID::get<T>());
    if (!known)
      known = std::make_shared<const T>(build());
    return std::static_pointer_cast<const T>(known);
  }

private:
  std::shared_ptr<const void> &find(TypeID id) {
    for (auto &[known, value] : values)
      if (known == id)
        return value;
    return values.emplace_back(id, nullptr).second;
  }

  const Candidate &candidate;
  llvm::SmallVector<std::pair<TypeID, std::shared_ptr<const void>>, 2> values;
};

} // namespace mlir::fusion

#endif // FUSIONDIALECT_ANALYSIS_CANDIDATEMEMO_H
