//===- Check.h - Compiles, runs and judges one program ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RANDOM_TEST_CHECK_H
#define FUSION_TOOLS_FUSION_RANDOM_TEST_CHECK_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>

namespace mlir::fusion {

/// How a program fared.
enum class Outcome {
  Passed,
  /// No scheduler takes it. What passes do before that was right.
  Refused,
  /// The program is not valid, or does not read back as it was printed.
  Invalid,
  /// The canonical form computes something else.
  WrongSimplified,
  /// The compiler fails without a typed reason.
  CompilerFailed,
  /// The simulator has a finding, or the device fails.
  RunFailed,
  /// A result is not that of the reference.
  Mismatch,
  /// Bits that must be equal are not: of an exact result, or of two devices.
  DifferentBits,
  Crash,
  Hang
};

/// The name of `outcome` in reports, e.g. "wrong-simplified".
StringRef stringifyOutcome(Outcome outcome);
inline bool isFailure(Outcome outcome) {
  return outcome != Outcome::Passed && outcome != Outcome::Refused;
}

/// One program's part of the report.
struct CheckResult {
  Outcome outcome = Outcome::Passed;
  /// What was wrong, or why it was refused.
  std::string message;
  /// How many segments each scheduler took.
  std::map<std::string, int64_t> schedulers;
  /// How often each rejection code stands in the refusal.
  std::map<std::string, int64_t> rejections;
  /// How many operations each pair of operation and element type has.
  std::map<std::string, int64_t> pairs;

  bool isFailure() const { return fusion::isFailure(outcome); }
};

llvm::json::Value toJSON(const CheckResult &result);
bool fromJSON(const llvm::json::Value &value, CheckResult &result,
              llvm::json::Path path);

/// A mistake that is pretended, to test the test: every program that has the
/// operation has the outcome.
struct PretendedFault {
  Outcome outcome = Outcome::Passed;
  std::string operation;
};

/// How programs are checked.
struct CheckOptions {
  /// cuda if true, else the simulator.
  bool onGPU = false;
  /// Also run on the GPU and require the same bits.
  bool againstGPU = false;
  /// Also run the emit phase where the device needs no binaries.
  bool emit = false;
  std::string chip = "sm_90";
  PretendedFault fault;
};

/// Checks the only public function of `module` with random arguments. Calls
/// `enter` with the name of each step, so that one that does not return can be
/// named.
CheckResult checkProgram(ModuleOp module, uint64_t inputSeed,
                         const CheckOptions &options,
                         llvm::function_ref<void(StringRef)> enter);

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RANDOM_TEST_CHECK_H
