//===- Options.h - The command line of fusion-runner ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUNNER_OPTIONS_H
#define FUSION_TOOLS_FUSION_RUNNER_OPTIONS_H

#include "FusionDialect/Reference/Reference.h"
#include "FusionDialect/Runtime/Inputs.h"
#include <map>
#include <optional>
#include <string>

namespace mlir::fusion {

/// Where the program runs.
enum class DeviceChoice {
  /// The GPU if there is one, else only compiled.
  Auto,
  Cuda,
  Sim,
  Ref
};

/// The command line, checked one option at a time.
struct Options {
  std::string file;
  std::string function;
  DeviceChoice device = DeviceChoice::Auto;
  /// Empty: that of the device.
  std::string chip;
  /// By number of the argument.
  std::map<unsigned, ArgumentSpec> arguments;
  uint64_t seed = 0;
  std::string outputDir;
  bool verify = false;
  std::optional<double> rtol;
  std::string reference;
  /// Of the reference, as a device and as what results are compared with.
  Precision precision = Precision::Double;
  /// Timed replays.
  std::optional<unsigned> benchmark;
  /// Runs that must be equal.
  std::optional<unsigned> repeatCheck;
  std::string json;
  /// A folder of compiled programs; empty: none are kept.
  std::string keepDir;
  bool printPlan = false;
  /// A tool outside reports reads of memory that nothing has written.
  bool watched = false;
};

/// Parses the command line. Prints what is wrong and returns nothing if it is;
/// --help and --version end the program.
std::optional<Options> parseOptions(int argc, char **argv);

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RUNNER_OPTIONS_H
