//===- fusion-corpus-test.cpp - Check programs of front ends --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: fusion-corpus-test FOLDER EXPECTATIONS [--update]
//
// FOLDER holds programs: NAME.mlir with one public function, and NAME.npy with
// the bytes of its arguments and of the results that the front end's framework
// computed. Of each program is checked:
//
//   the framework's results are right by the reference of the module as given;
//   the imported program imports completely, or leaves what EXPECTATIONS says;
//   by the reference, the imported program's results are right too;
//   compiled and simulated they are right, or no scheduler accepts the program
//   and the reason has a code.
//
// A line of EXPECTATIONS is `NAME IMPORT SIMULATION`. IMPORT is `complete` or
// the obstacles that stay, with commas. SIMULATION is `verified` or `refused`.
// A program that was refused and is verified now counts as passed; the last
// lines tell how many there are. With --update the file of expectations is
// written anew, with a line for each program of FOLDER.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/InitAll.h"
#include "FusionDialect/Reference/Verify.h"
#include "FusionDialect/Runtime/Compile.h"
#include "FusionDialect/Runtime/Execution.h"
#include "FusionDialect/Runtime/Npy.h"
#include "FusionDialect/Runtime/Plan.h"
#include "FusionDialect/Runtime/SimulatorDevice.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// A line of the expectations.
struct Expectation {
  std::string name, import, simulation;
};

/// What was found about one program.
struct Outcome {
  std::string import = "complete";
  /// `verified`, or the code of the refusal.
  std::string simulation;
  /// What is wrong; empty if nothing is.
  std::string failure;
};

/// Checks one program after the other.
class CorpusTest {
public:
  CorpusTest(StringRef folder, MLIRContext &context)
      : folder(folder), context(context),
        handler(&context, [this](Diagnostic &diagnostic) {
          note(diagnostic);
          return success();
        }) {}

  Outcome check(StringRef name);

private:
  using Tensors = std::vector<HostTensor>;

  void note(Diagnostic &diagnostic) {
    messages.push_back(diagnostic.str());
    for (Diagnostic &attached : diagnostic.getNotes())
      note(attached);
  }
  std::string takeMessages() {
    std::string text = llvm::join(messages, "; ");
    messages.clear();
    return text;
  }
  bool load(StringRef name, Outcome &outcome);
  std::string verifyResults(StringRef what, ArrayRef<HostTensor> actual);
  void checkImport(Outcome &outcome);
  void checkSimulation(Outcome &outcome);

  std::string folder;
  MLIRContext &context;
  std::vector<std::string> messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
  Tensors arguments, results;
};

} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Takes the bytes of one tensor of `type` from the front of `bytes`.
static std::optional<HostTensor> takeTensor(Type type,
                                            ArrayRef<std::byte> &bytes) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (tensorType && !tensorType.hasStaticShape())
    return std::nullopt;
  HostTensor tensor(getElementTypeOrSelf(type),
                    tensorType ? tensorType.getShape() : ArrayRef<int64_t>());
  if (tensor.getSizeInBytes() > bytes.size())
    return std::nullopt;
  std::copy_n(bytes.begin(), tensor.getSizeInBytes(), tensor.getData());
  bytes = bytes.drop_front(tensor.getSizeInBytes());
  return tensor;
}

bool CorpusTest::load(StringRef name, Outcome &outcome) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name + ".mlir");
  module = parseSourceFile<ModuleOp>(path, &context);
  if (!module) {
    outcome.failure = "cannot be parsed: " + takeMessages();
    return false;
  }
  function = {};
  for (auto candidate : module->getOps<func::FuncOp>())
    if (candidate.isPublic())
      function = candidate;
  llvm::sys::path::replace_extension(path, ".npy");
  llvm::Expected<HostTensor> data =
      readNpy(path, IntegerType::get(&context, 8));
  if (!function || !data) {
    outcome.failure = function ? llvm::toString(data.takeError())
                               : "expected a public function";
    if (!function && !data)
      llvm::consumeError(data.takeError());
    return false;
  }
  ArrayRef<std::byte> bytes(data->getData(), data->getSizeInBytes());
  arguments.clear();
  results.clear();
  auto take = [&](TypeRange types, Tensors &tensors) {
    for (Type type : types) {
      std::optional<HostTensor> tensor = takeTensor(type, bytes);
      if (!tensor)
        return false;
      tensors.push_back(std::move(*tensor));
    }
    return true;
  };
  if (!take(function.getArgumentTypes(), arguments) ||
      !take(function.getResultTypes(), results) || !bytes.empty()) {
    outcome.failure = "the data does not fit the function";
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Compares with the reference of the module as given; says what is wrong.
std::string CorpusTest::verifyResults(StringRef what,
                                      ArrayRef<HostTensor> actual) {
  FailureOr<VerifyReport> report = verify(function, arguments, actual);
  if (failed(report))
    return what.str() + ": " + takeMessages();
  if (report->passed)
    return "";
  std::string text = what.str() + ":\n";
  llvm::raw_string_ostream os(text);
  report->print(os);
  return text;
}

/// The codes in messages "import: CODE: ...".
static std::string getObstacles(ArrayRef<std::string> messages) {
  std::set<std::string> codes;
  for (StringRef message : messages)
    if (message.consume_front("import: "))
      codes.insert(message.split(':').first.str());
  return llvm::join(codes, ",");
}

void CorpusTest::checkImport(Outcome &outcome) {
  auto import = [&](bool refuse) {
    OwningOpRef<ModuleOp> imported(module->clone());
    ConvertLinalgToFusionPassOptions options;
    options.refuseUnimported = refuse;
    PassManager manager(&context);
    manager.addPass(createConvertLinalgToFusionPass(options));
    bool succeeds = succeeded(manager.run(*imported));
    return std::pair(std::move(imported), succeeds);
  };
  if (!import(/*refuse=*/true).second) {
    outcome.import = getObstacles(messages);
    messages.clear();
  }
  auto [imported, succeeds] = import(/*refuse=*/false);
  if (!succeeds) {
    outcome.failure = "import: " + takeMessages();
    return;
  }
  auto copy = imported->lookupSymbol<func::FuncOp>(function.getName());
  FailureOr<SmallVector<HostTensor>> computed = evaluate(copy, arguments);
  outcome.failure = failed(computed) ? "imported: " + takeMessages()
                                     : verifyResults("imported", *computed);
}

/// The code of a scheduler's or the importer's refusal: the first word in form
/// of a code behind a colon, as in "scheduler: code: hint".
static std::string getRefusalCode(ArrayRef<std::string> messages) {
  for (StringRef message : messages) {
    SmallVector<StringRef> parts;
    message.split(parts, ": ");
    for (StringRef part : llvm::ArrayRef(parts).drop_front())
      if (!part.empty() &&
          part.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") ==
              StringRef::npos)
        return part.str();
  }
  return "";
}

void CorpusTest::checkSimulation(Outcome &outcome) {
  std::string name = function.getName().str();
  OwningOpRef<ModuleOp> compiled(module->clone());
  CompileOptions options;
  options.emitBinaries = false;
  Plan plan;
  ExitStatus status = compile(*compiled, name, options, plan);
  if (status == ExitStatus::Rejected) {
    outcome.simulation = getRefusalCode(messages);
    if (outcome.simulation.empty())
      outcome.failure = "refused without a code: " + takeMessages();
    messages.clear();
    return;
  }
  if (status != ExitStatus::Success) {
    outcome.failure = "compiling: " + takeMessages();
    return;
  }
  llvm::Expected<DeviceModel> model = lookupDeviceModel(options.chip);
  if (!model) {
    outcome.failure = llvm::toString(model.takeError());
    return;
  }
  std::unique_ptr<Device> device = createSimulatorDevice(*model);
  std::vector<HostArgument> hostArguments;
  for (const HostTensor &argument : arguments)
    hostArguments.push_back({argument, true, "file"});
  auto entry = compiled->lookupSymbol<func::FuncOp>(name);
  Execution execution(entry, *device, hostArguments);
  if (failed(execution.prepare())) {
    outcome.failure = "loading: " + takeMessages();
    return;
  }
  FailureOr<RunOutputs> outputs = execution.run();
  outcome.failure = failed(outputs)
                        ? "simulated: " + takeMessages()
                        : verifyResults("simulated", outputs->results);
  outcome.simulation = "verified";
}

Outcome CorpusTest::check(StringRef name) {
  Outcome outcome;
  messages.clear();
  if (!load(name, outcome))
    return outcome;
  outcome.failure = verifyResults("framework", results);
  if (outcome.failure.empty())
    checkImport(outcome);
  if (outcome.failure.empty())
    checkSimulation(outcome);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

static std::optional<std::vector<Expectation>>
readExpectations(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer) {
    llvm::errs() << path << ": " << buffer.getError().message() << "\n";
    return std::nullopt;
  }
  std::vector<Expectation> expectations;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    SmallVector<StringRef> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (line.starts_with("#"))
      continue;
    bool isKnown =
        words.size() == 3 && (words[2] == "verified" || words[2] == "refused");
    if (!isKnown) {
      llvm::errs() << path << ": expected 'NAME IMPORT verified|refused', but "
                   << "found '" << line << "'\n";
      return std::nullopt;
    }
    expectations.push_back({words[0].str(), words[1].str(), words[2].str()});
  }
  return expectations;
}

/// The programs of `folder`, in alphabetic order.
static std::set<std::string> listPrograms(StringRef folder) {
  std::set<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error)) {
    StringRef path = it->path();
    if (llvm::sys::path::extension(path) == ".mlir")
      names.insert(llvm::sys::path::stem(path).str());
  }
  if (error)
    llvm::errs() << folder << ": " << error.message() << "\n";
  return names;
}

static bool writeExpectations(StringRef path, ArrayRef<Expectation> lines) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error) {
    llvm::errs() << path << ": " << error.message() << "\n";
    return false;
  }
  os << "# NAME IMPORT SIMULATION: see fusion-corpus-test; --update writes "
        "this file anew\n";
  for (const Expectation &line : lines)
    os << line.name << " " << line.import << " " << line.simulation << "\n";
  return true;
}

/// Adds to the failure what differs from the expectation.
static void compare(const Expectation &expected, Outcome &outcome) {
  if (!outcome.failure.empty())
    return;
  if (outcome.import != expected.import)
    outcome.failure =
        "expected import " + expected.import + ", but found " + outcome.import;
  else if (expected.simulation == "verified" &&
           outcome.simulation != "verified")
    outcome.failure =
        "expected to be accepted, but was refused: " + outcome.simulation;
}

//===----------------------------------------------------------------------===//
// All programs
//===----------------------------------------------------------------------===//

namespace {

/// Counts outcomes, and prints each when it is known and all in the end.
class Summary {
public:
  void add(const Expectation &expected, const Outcome &outcome);
  void print(StringRef expectations) const;
  unsigned failed = 0;

private:
  std::map<std::string, unsigned> imports, simulations;
  unsigned programs = 0, newlyAccepted = 0;
};

} // namespace

void Summary::add(const Expectation &expected, const Outcome &outcome) {
  ++programs;
  llvm::outs() << expected.name << ": ";
  if (!outcome.failure.empty()) {
    llvm::outs() << "FAILED: " << outcome.failure << "\n";
    ++failed;
    return;
  }
  bool isVerified = outcome.simulation == "verified";
  bool isNew = isVerified && expected.simulation == "refused";
  newlyAccepted += isNew;
  ++imports[outcome.import == "complete" ? "complete" : "left in part"];
  ++simulations[outcome.simulation];
  llvm::outs() << "import " << outcome.import << ", "
               << (isVerified ? "" : "refused: ") << outcome.simulation
               << (isNew ? " (newly)" : "") << "\n";
}

void Summary::print(StringRef expectations) const {
  llvm::outs() << programs << " programs, " << failed << " failed\n";
  for (const auto &[name, count] : imports)
    llvm::outs() << "import " << name << ": " << count << "\n";
  for (const auto &[name, count] : simulations)
    llvm::outs() << (name == "verified" ? "" : "refused: ") << name << ": "
                 << count << "\n";
  if (failed || newlyAccepted)
    llvm::outs() << newlyAccepted << " newly accepted; if the changes are "
                 << "intended, --update writes " << expectations << " anew\n";
}

/// Checks the programs against `expectations`, one for each of them.
static unsigned checkAll(CorpusTest &test, std::set<std::string> programs,
                         ArrayRef<Expectation> expectations, StringRef path) {
  Summary summary;
  for (const Expectation &expected : expectations) {
    Outcome outcome = test.check(expected.name);
    compare(expected, outcome);
    summary.add(expected, outcome);
    programs.erase(expected.name);
  }
  for (const std::string &name : programs) {
    Outcome outcome;
    outcome.failure = "expected a line for it in " + path.str();
    summary.add({name, "", ""}, outcome);
  }
  summary.print(path);
  return summary.failed;
}

/// Writes what is found as the new expectations, unless something is wrong.
static bool update(CorpusTest &test, const std::set<std::string> &programs,
                   StringRef path) {
  Summary summary;
  std::vector<Expectation> lines;
  for (const std::string &name : programs) {
    Outcome outcome = test.check(name);
    lines.push_back(
        {name, outcome.import,
         outcome.simulation == "verified" ? "verified" : "refused"});
    summary.add(lines.back(), outcome);
  }
  summary.print(path);
  return !summary.failed && writeExpectations(path, lines);
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  llvm::cl::opt<std::string> folder(llvm::cl::Positional, llvm::cl::Required,
                                    llvm::cl::desc("FOLDER"));
  llvm::cl::opt<std::string> path(llvm::cl::Positional, llvm::cl::Required,
                                  llvm::cl::desc("EXPECTATIONS"));
  llvm::cl::opt<bool> updates("update",
                              llvm::cl::desc("Write EXPECTATIONS anew"));
  llvm::cl::ParseCommandLineOptions(argc, argv);
  DialectRegistry registry;
  registerAllFusionDialects(registry);
  MLIRContext context(registry);
  CorpusTest test(folder, context);
  std::set<std::string> programs = listPrograms(folder);
  if (updates)
    return update(test, programs, path) ? 0 : 1;
  auto expectations = readExpectations(path);
  if (!expectations)
    return 2;
  return checkAll(test, programs, *expectations, path) ? 1 : 0;
}
