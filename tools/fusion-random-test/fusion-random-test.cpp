//===- fusion-random-test.cpp - Tests the compiler by random programs -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test tool. It makes programs from seeds, runs each through the pipeline and
// on a device, compares with the reference, and makes what fails small.
// docs/RandomTesting.md says how to use it.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Families.h"
#include "FusionDialect/InitAll.h"
#include "FusionDialect/Runtime/CudaDevice.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "Isolation.h"
#include "Report.h"
#include "Shrink.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

namespace {

enum class RunDevice { Sim, Cuda };

struct Options {
  cl::OptionCategory category{"fusion-random-test options"};
  cl::list<std::string> files{
      cl::Positional, cl::desc("FILE..."), cl::cat(category),
      cl::desc("Check these programs instead of random ones")};
  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::cat(category),
                         cl::desc("The seed of the first program, or of the "
                                  "arguments of FILE")};
  cl::opt<unsigned> programs{"programs", cl::init(200), cl::cat(category),
                             cl::desc("How many programs: their seeds follow "
                                      "one another")};
  cl::opt<ProgramMode> mode{
      "mode", cl::init(ProgramMode::Any), cl::cat(category),
      cl::desc("The kind of programs"),
      cl::values(clEnumValN(ProgramMode::Any, "any", "whatever is valid"),
                 clEnumValN(ProgramMode::Claimed, "claimed",
                            "what a scheduler says it takes"))};
  cl::opt<bool> exactOnly{
      "exact-only", cl::cat(category),
      cl::desc("Only operations that give the same bits on every device")};
  cl::opt<RunDevice> device{
      "device", cl::init(RunDevice::Sim), cl::cat(category),
      cl::desc("Where programs run"),
      cl::values(clEnumValN(RunDevice::Sim, "sim", "the simulator"),
                 clEnumValN(RunDevice::Cuda, "cuda", "the first GPU"))};
  cl::opt<std::string> against{
      "against", cl::cat(category), cl::value_desc("cuda"),
      cl::desc("Run on the GPU as well and require the same bits")};
  cl::opt<bool> emit{"emit", cl::cat(category),
                     cl::desc("Also compile to PTX")};
  cl::opt<std::string> chip{"chip", cl::init("sm_90"), cl::cat(category),
                            cl::desc("The instruction set")};
  cl::opt<std::string> save{
      "save", cl::cat(category), cl::value_desc("DIR"),
      cl::desc("Where failing programs are written, as made and made small")};
  cl::opt<std::string> write{
      "write", cl::cat(category), cl::value_desc("DIR"),
      cl::desc("Write the programs that compile to this folder")};
  cl::opt<bool> print{"print", cl::cat(category),
                      cl::desc("Print the programs, and run nothing")};
  cl::opt<bool> list{"list", cl::cat(category),
                     cl::desc("Print the outcome of each program")};
  cl::opt<unsigned> minAccepted{
      "min-accepted", cl::init(0), cl::cat(category), cl::value_desc("PERCENT"),
      cl::desc("Fail if a scheduler takes fewer of the programs")};
  cl::opt<bool> requirePairs{
      "require-pairs", cl::cat(category),
      cl::desc("Fail unless each operation came with each element type")};
  cl::opt<unsigned> jobs{"jobs", cl::init(1), cl::cat(category),
                         cl::desc("Processes at once")};
  cl::opt<unsigned> timeLimit{"time-limit", cl::init(60), cl::cat(category),
                              cl::desc("Seconds that a program may take")};
  cl::opt<std::string> fault{
      "pretend", cl::cat(category), cl::value_desc("OUTCOME:OPERATION"),
      cl::desc("Run nothing; pretend that this is the outcome of each program "
               "with that operation")};
};

/// The steps of the tool.
class Tool {
public:
  Tool(const Options &options, MLIRContext &context)
      : options(options), context(context) {}

  int run();

private:
  bool readOptions();
  bool readFault();
  int usageError(const Twine &message) {
    llvm::WithColor::error(llvm::errs(), "fusion-random-test")
        << message << "\n";
    return 2;
  }
  size_t getCount() const {
    return options.files.empty() ? options.programs : options.files.size();
  }
  uint64_t getSeed(size_t item) const {
    return options.files.empty() ? options.seed + item : options.seed;
  }
  std::string getName(size_t item) const;
  OwningOpRef<ModuleOp> getProgram(size_t item);
  int printPrograms();
  void printOutcome(size_t item, const CheckResult &result);
  void reportFailure(size_t item, const CheckResult &result);
  OwningOpRef<ModuleOp> makeSmall(ModuleOp program, size_t item,
                                  const CheckResult &result);
  bool writeProgram(StringRef folder, const Twine &name, ModuleOp program,
                    StringRef comment);

  const Options &options;
  MLIRContext &context;
  GenerateOptions generate;
  CheckOptions check;
  IsolationOptions isolation;
};

} // namespace

/// Fails if there is no GPU. It is asked in a process of its own: children that
/// use the driver must not inherit its state.
static llvm::Error probeCudaDevice() {
  CheckResult result = runIsolated(1, {}, [](size_t, auto enter) {
                         enter("open the GPU");
                         CheckResult opened;
                         if (auto device = createCudaDevice(); !device) {
                           opened.outcome = Outcome::RunFailed;
                           opened.message = llvm::toString(device.takeError());
                         }
                         return opened;
                       }).front();
  if (!result.isFailure())
    return llvm::Error::success();
  return llvm::createStringError(result.message);
}

bool Tool::readOptions() {
  generate.mode = options.mode;
  generate.exactOnly = options.exactOnly;
  check.onGPU = options.device == RunDevice::Cuda;
  check.againstGPU = options.against == "cuda";
  check.emit = options.emit;
  check.chip = options.chip;
  isolation.jobs = options.jobs;
  isolation.timeLimit = options.timeLimit;
  if (!options.against.empty() && !check.againstGPU)
    return usageError("--against: expected cuda"), false;
  if (options.jobs == 0 || options.timeLimit == 0)
    return usageError("--jobs and --time-limit: expected at least 1"), false;
  if (llvm::Expected<ChipInfo> chip = lookupChip(options.chip); !chip)
    return usageError("--chip: " + llvm::toString(chip.takeError())), false;
  if (generate.mode == ProgramMode::Claimed &&
      getClaimedFamilies(&context).empty())
    return usageError("no scheduler claims a family of programs"), false;
  if (options.minAccepted > 100)
    return usageError("--min-accepted: expected a number from 0 to 100"), false;
  if (!options.fault.empty())
    return readFault();
  if (options.print || !(check.onGPU || check.againstGPU))
    return true;
  if (llvm::Error error = probeCudaDevice())
    return usageError((check.onGPU ? "--device=cuda: " : "--against=cuda: ") +
                      llvm::toString(std::move(error))),
           false;
  return true;
}

bool Tool::readFault() {
  auto [outcome, operation] = StringRef(options.fault).split(':');
  check.fault.operation = operation.str();
  if (operation.empty())
    return usageError("--pretend: expected OUTCOME:OPERATION"), false;
  for (int i = 0; i <= static_cast<int>(Outcome::Hang); ++i)
    if (stringifyOutcome(static_cast<Outcome>(i)) == outcome) {
      check.fault.outcome = static_cast<Outcome>(i);
      return true;
    }
  return usageError("--pretend: expected OUTCOME:OPERATION"), false;
}

std::string Tool::getName(size_t item) const {
  if (!options.files.empty())
    return llvm::sys::path::stem(options.files[item]).str();
  return "seed-" + std::to_string(getSeed(item));
}

OwningOpRef<ModuleOp> Tool::getProgram(size_t item) {
  if (options.files.empty())
    return generateProgram(&context, getSeed(item), generate);
  return parseSourceFile<ModuleOp>(options.files[item], &context);
}

int Tool::printPrograms() {
  for (size_t item = 0; item < getCount(); ++item)
    if (OwningOpRef<ModuleOp> program = getProgram(item))
      llvm::outs() << "// " << getName(item) << "\n" << *program;
  return 0;
}

bool Tool::writeProgram(StringRef folder, const Twine &name, ModuleOp program,
                        StringRef comment) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name + ".mlir");
  std::error_code error = llvm::sys::fs::create_directories(folder);
  if (!error) {
    llvm::raw_fd_ostream os(path, error);
    if (!error) {
      for (StringRef line : llvm::split(comment, '\n'))
        os << "// " << line << "\n";
      os << program;
    }
  }
  if (error)
    usageError(path + ": cannot write: " + error.message());
  else
    llvm::outs() << "  " << path << "\n";
  return !error;
}

OwningOpRef<ModuleOp> Tool::makeSmall(ModuleOp program, size_t item,
                                      const CheckResult &result) {
  IsolationOptions alone = isolation;
  alone.jobs = 1;
  return shrink(program, [&](ModuleOp smaller) {
    std::vector<CheckResult> again =
        runIsolated(1, alone, [&](size_t, auto enter) {
          return checkProgram(smaller, getSeed(item), check, enter);
        });
    return again.front().outcome == result.outcome;
  });
}

void Tool::printOutcome(size_t item, const CheckResult &result) {
  llvm::outs() << getName(item) << ": " << stringifyOutcome(result.outcome);
  if (!result.message.empty())
    llvm::outs() << ": " << StringRef(result.message).rtrim();
  llvm::outs() << "\n";
}

void Tool::reportFailure(size_t item, const CheckResult &result) {
  printOutcome(item, result);
  OwningOpRef<ModuleOp> program = getProgram(item);
  if (!program || options.save.empty())
    return;
  std::string comment =
      "fusion-random-test --seed=" + std::to_string(getSeed(item)) +
      (options.files.empty() ? " --programs=1" : " FILE") +
      (options.mode == ProgramMode::Claimed ? " --mode=claimed" : "") +
      (options.exactOnly ? " --exact-only" : "") + "\n" +
      stringifyOutcome(result.outcome).str() + ": " +
      StringRef(result.message).rtrim().str();
  if (!writeProgram(options.save, getName(item), *program, comment))
    return;
  OwningOpRef<ModuleOp> small = makeSmall(*program, item, result);
  writeProgram(options.save, getName(item) + ".small", *small, comment);
}

int Tool::run() {
  if (!readOptions())
    return 2;
  for (size_t item = 0; item < options.files.size(); ++item)
    if (!getProgram(item))
      return 2;
  if (options.print)
    return printPrograms();
  std::vector<CheckResult> results =
      runIsolated(getCount(), isolation, [&](size_t item, auto enter) {
        enter("make the program");
        OwningOpRef<ModuleOp> program = getProgram(item);
        return checkProgram(*program, getSeed(item), check, enter);
      });
  SmallVector<OperationPair> pairs;
  if (options.files.empty())
    pairs = getGeneratedPairs(&context, generate);
  Report report(pairs);
  for (auto [item, result] : llvm::enumerate(results)) {
    report.add(result);
    if (result.isFailure())
      reportFailure(item, result);
    else if (options.list)
      printOutcome(item, result);
    if (!options.write.empty() && result.outcome == Outcome::Passed &&
        !writeProgram(options.write, getName(item), *getProgram(item),
                      getName(item)))
      return 2;
  }
  report.print(llvm::outs());
  bool enough = report.getAcceptedPercent() >= options.minAccepted &&
                (report.hasAllPairs() || !options.requirePairs);
  return report.getNumFailures() == 0 && enough ? 0 : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  std::string problems;
  llvm::raw_string_ostream os(problems);
  bool isUsage = cl::ParseCommandLineOptions(
      argc, argv,
      "Makes random programs, compiles and runs them, and compares them with "
      "the reference.\n\nExit status: 0 all passed; 1 a failure, or a "
      "requirement that was not met; 2 bad usage.\n",
      &os);
  if (!isUsage) {
    llvm::errs() << problems;
    return 2;
  }
  DialectRegistry registry;
  registerAllFusionDialects(registry);
  // Child processes inherit the context: it has no threads.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  return Tool(options, context).run();
}
