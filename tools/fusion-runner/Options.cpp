//===- Options.cpp - The command line of fusion-runner --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::fusion;
namespace cl = llvm::cl;
using llvm::StringRef;

static const char *const kOverview =
    "Compiles a program on tensors and runs it.\n\n"
    "The program runs on a GPU (cuda), in the simulator of GPU kernels (sim) "
    "or "
    "in the reference interpreter (ref). auto is the GPU if there is one, else "
    "the simulator. A file that holds kernels already is taken as lowered; PTX "
    "and cubins run on a GPU only.\n\n"
    "Exit status: 0 success; 1 wrong result or failed run; 2 bad input or "
    "usage; 3 a valid program that no scheduler accepts.\n";

namespace {
// The options live while the command line is parsed: static ones would be part
// of every program that links this file.
struct CommandLine {
  cl::OptionCategory category{"fusion-runner options"};
  cl::opt<std::string> file{cl::Positional, cl::desc("FILE"), cl::Required,
                            cl::cat(category)};
  cl::opt<std::string> function{
      "function", cl::value_desc("NAME"), cl::cat(category),
      cl::desc("The function to run; may be left out if one is public")};
  cl::opt<DeviceChoice> device{
      "device", cl::desc("Where to run"), cl::cat(category),
      cl::init(DeviceChoice::Auto),
      cl::values(
          clEnumValN(DeviceChoice::Auto, "auto",
                     "the GPU if there is one, else the simulator"),
          clEnumValN(DeviceChoice::Cuda, "cuda",
                     "the first GPU that the CUDA driver shows"),
          clEnumValN(DeviceChoice::Sim, "sim", "the simulator on the CPU"),
          clEnumValN(DeviceChoice::Ref, "ref", "the reference interpreter"))};
  cl::opt<std::string> chip{
      "chip", cl::value_desc("sm_90"), cl::cat(category),
      cl::desc("The instruction set; by default the device's, else sm_90")};
  cl::list<std::string> inputs{
      "input", cl::value_desc("K=FILE.npy|rand|const:V"), cl::cat(category),
      cl::desc("Argument K, counted from 0. Without it tensors and scalars are "
               "random (floats normal, integers in [-8, 7], i1 fair) and "
               "memrefs uninitialized. bf16 is read as uint16, f8 as uint8")};
  cl::list<std::string> shapes{
      "shape", cl::value_desc("K=4x8"), cl::cat(category),
      cl::desc("The extents of argument K, where its type leaves them open")};
  cl::opt<uint64_t> seed{"seed", cl::value_desc("N"), cl::cat(category),
                         cl::desc("The seed of random arguments (0)")};
  cl::opt<std::string> outputDir{
      "output-dir", cl::value_desc("DIR"), cl::cat(category),
      cl::desc("Write result0.npy, result1.npy, ... (memref arguments: "
               "arg0.npy, ...) after all checks: none where --verify or "
               "--repeat-check fails")};
  cl::opt<bool> verify{"verify", cl::cat(category),
                       cl::desc("Compare the results with the reference")};
  cl::opt<double> rtol{
      "rtol", cl::value_desc("R"), cl::cat(category),
      cl::desc("The accepted relative L2 error; by default that of the type")};
  cl::opt<std::string> reference{
      "reference", cl::value_desc("FILE"), cl::cat(category),
      cl::desc("The program on tensors to compare with; a lowered file has no "
               "reference of its own")};
  cl::opt<Precision> precision{
      "ref-precision",
      cl::desc("How the reference carries floats between operations"),
      cl::cat(category), cl::init(Precision::Double),
      cl::values(clEnumValN(Precision::Double, "double",
                            "as doubles: what is verified against"),
                 clEnumValN(Precision::Type, "type",
                            "rounded to the type of each operation: to compare "
                            "bit for bit"))};
  cl::opt<std::string> benchmark{
      "benchmark", cl::value_desc("N"), cl::ValueOptional, cl::cat(category),
      cl::desc("Time N graph replays (100), the L2 cache flushed before each")};
  cl::opt<std::string> repeatCheck{
      "repeat-check", cl::value_desc("N"), cl::ValueOptional, cl::cat(category),
      cl::desc("Run N times (100) and require bitwise equal results")};
  cl::opt<std::string> json{"json", cl::value_desc("FILE"), cl::cat(category),
                            cl::desc("Write everything that is reported")};
  cl::opt<std::string> keepDir{
      "keep-compiled", cl::value_desc("DIR"), cl::cat(category),
      cl::desc("Keep compiled programs in a folder, by the program and the "
               "shapes that it is compiled for, and take them from there")};
  cl::opt<bool> printPlan{"print-plan", cl::cat(category),
                          cl::desc("Print segments, schedules and launches")};
  cl::opt<bool> watched{
      "leave-uninitialized", cl::cat(category),
      cl::desc("Do not fill memory with 0xff bytes before a run, so that "
               "compute-sanitizer sees what nothing has written")};
};
} // namespace

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(text);
}

// The count of `--flag[=N]`.
static llvm::Error readCount(const cl::opt<std::string> &option,
                             std::optional<unsigned> &count) {
  if (option.getNumOccurrences() == 0)
    return llvm::Error::success();
  constexpr unsigned defaultCount = 100, largest = 1000000;
  unsigned value = defaultCount;
  StringRef text = option.getValue();
  if (!text.empty() &&
      (text.getAsInteger(10, value) || value == 0 || value > largest))
    return makeError("--" + option.ArgStr + "=" + text +
                     ": expected a number from 1 to " + llvm::Twine(largest));
  count = value;
  return llvm::Error::success();
}

static llvm::Error readArguments(const CommandLine &line, Options &options) {
  for (StringRef text : line.inputs) {
    auto input = parseInputOption(text);
    if (!input)
      return input.takeError();
    ArgumentSpec &spec = options.arguments[input->first];
    if (spec.input)
      return makeError("--input=" + text + ": argument " +
                       llvm::Twine(input->first) + " is given twice");
    spec.input = std::move(input->second);
  }
  for (StringRef text : line.shapes) {
    auto shape = parseShapeOption(text);
    if (!shape)
      return shape.takeError();
    ArgumentSpec &spec = options.arguments[shape->first];
    if (spec.shape)
      return makeError("--shape=" + text + ": argument " +
                       llvm::Twine(shape->first) + " is given twice");
    spec.shape = std::move(shape->second);
  }
  return llvm::Error::success();
}

static llvm::Error readOptions(const CommandLine &line, Options &options) {
  options.file = line.file;
  options.function = line.function;
  options.device = line.device;
  options.chip = line.chip;
  options.seed = line.seed;
  options.outputDir = line.outputDir;
  options.verify = line.verify;
  options.reference = line.reference;
  options.precision = line.precision;
  options.json = line.json;
  options.keepDir = line.keepDir;
  options.printPlan = line.printPlan;
  options.watched = line.watched;
  if (line.rtol.getNumOccurrences() != 0)
    options.rtol = line.rtol;
  if (options.rtol && !(*options.rtol >= 0))
    return makeError("--rtol: expected a number of at least 0");
  if (!options.verify && (options.rtol || !options.reference.empty()))
    return makeError("--rtol and --reference need --verify");
  if (llvm::Error error = readCount(line.benchmark, options.benchmark))
    return error;
  if (llvm::Error error = readCount(line.repeatCheck, options.repeatCheck))
    return error;
  return readArguments(line, options);
}

std::optional<Options> mlir::fusion::parseOptions(int argc, char **argv) {
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  std::string problems;
  llvm::raw_string_ostream os(problems);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &os)) {
    llvm::errs() << problems;
    return std::nullopt;
  }
  Options options;
  if (llvm::Error error = readOptions(line, options)) {
    llvm::WithColor::error(llvm::errs(), "fusion-runner")
        << llvm::toString(std::move(error)) << "\n";
    return std::nullopt;
  }
  return options;
}
