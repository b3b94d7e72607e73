//===- Runner.cpp - The steps of fusion-runner ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "FusionDialect/Runtime/CudaDevice.h"
#include "FusionDialect/Runtime/Npy.h"
#include "FusionDialect/Runtime/OutputFile.h"
#include "FusionDialect/Runtime/SimulatorDevice.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::fusion;

ExitStatus Runner::fail(ExitStatus status, const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "fusion-runner") << message << "\n";
  return status;
}

ExitStatus Runner::run() {
  using Step = ExitStatus (Runner::*)();
  if (ExitStatus status =
          load(options.file, options.function, module, function);
      status != ExitStatus::Success)
    return status;
  for (Step step : {&Runner::loadReference, &Runner::openDevice,
                    &Runner::makeArguments, &Runner::compileFunction})
    if (ExitStatus status = (this->*step)(); status != ExitStatus::Success)
      return status;
  // A report is written of wrong results too.
  ExitStatus status = execute();
  ExitStatus written = writeReport();
  return status != ExitStatus::Success ? status : written;
}

//===----------------------------------------------------------------------===//
// Files and functions
//===----------------------------------------------------------------------===//

static std::string joinNames(ArrayRef<func::FuncOp> functions) {
  return llvm::join(
      llvm::map_range(functions,
                      [](func::FuncOp function) { return function.getName(); }),
      ", ");
}

ExitStatus Runner::selectFunction(llvm::StringRef path, llvm::StringRef name,
                                  ModuleOp module, func::FuncOp &function) {
  SmallVector<func::FuncOp> defined, candidates;
  for (auto candidate : module.getOps<func::FuncOp>())
    if (!candidate.isExternal())
      defined.push_back(candidate);
  llvm::copy_if(defined, std::back_inserter(candidates),
                [&](func::FuncOp candidate) {
                  return name.empty() ? candidate.isPublic()
                                      : candidate.getName() == name;
                });
  if (candidates.size() == 1) {
    function = candidates.front();
    return ExitStatus::Success;
  }
  if (!name.empty())
    return fail(ExitStatus::BadInput,
                path + ": no function '" + name +
                    "'; there are: " + joinNames(defined));
  if (candidates.empty())
    return fail(ExitStatus::BadInput,
                path + ": expected a public func.func with a body");
  return fail(ExitStatus::BadInput,
              path +
                  ": several functions are public; name one with "
                  "--function: " +
                  joinNames(candidates));
}

ExitStatus Runner::load(llvm::StringRef path, llvm::StringRef name,
                        OwningOpRef<ModuleOp> &module, func::FuncOp &function) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return fail(ExitStatus::BadInput, path + ": cannot open the file: " +
                                          buffer.getError().message());
  unsigned id = sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  // The parser reads the first buffer of a manager; `sources` may hold another.
  auto own = std::make_shared<llvm::SourceMgr>();
  own->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(
                              sources->getMemoryBuffer(id)->getMemBufferRef()),
                          llvm::SMLoc());
  module = parseSourceFile<ModuleOp>(own, ParserConfig(&context));
  if (!module)
    return ExitStatus::BadInput;

  return selectFunction(path, name, *module, function);
}

ExitStatus Runner::loadReference() {
  report.file = options.file;
  report.function = function.getName().str();
  report.seed = options.seed;
  bool isProgram = getStage(*module) == ModuleStage::Program;
  if (options.device == DeviceChoice::Ref && !isProgram)
    return fail(ExitStatus::BadInput,
                options.file + ": the reference runs programs on tensors, but "
                               "the file is lowered already");
  if (options.device == DeviceChoice::Ref &&
      (options.benchmark || options.printPlan))
    return fail(ExitStatus::BadInput,
                "the reference has no plan and is not timed");
  if (!options.verify)
    return ExitStatus::Success;
  if (!options.reference.empty()) {
    // The function of the same name, unless there is one function only.
    ExitStatus status =
        load(options.reference, "", reference, referenceFunction);
    return status;
  }
  if (!isProgram)
    return fail(ExitStatus::BadInput,
                options.file + ": a lowered file has no reference of its own: "
                               "name one with --reference=FILE");
  if (options.device == DeviceChoice::Ref)
    return fail(ExitStatus::BadInput,
                "the reference cannot verify itself: name another program "
                "with --reference=FILE");
  reference = module->clone();
  referenceFunction = reference->lookupSymbol<func::FuncOp>(function.getName());
  return ExitStatus::Success;
}

//===----------------------------------------------------------------------===//
// Device and arguments
//===----------------------------------------------------------------------===//

ExitStatus Runner::openDevice() {
  if (!options.chip.empty())
    if (llvm::Expected<ChipInfo> chip = lookupChip(options.chip); !chip)
      return fail(ExitStatus::BadInput,
                  "--chip: " + llvm::toString(chip.takeError()));
  report.chip = options.chip.empty() ? "sm_90" : options.chip;
  if (options.device == DeviceChoice::Ref) {
    report.device = DeviceDescription();
    report.device->kind = "ref";
    return ExitStatus::Success;
  }
  if (options.device != DeviceChoice::Sim) {
    auto opened = createCudaDevice("libcuda.so.1", options.watched);
    if (opened) {
      device = std::move(*opened);
      report.device = device->getDescription();
      if (options.chip.empty())
        report.chip = report.device->chip;
      return ExitStatus::Success;
    }
    std::string reason = llvm::toString(opened.takeError());
    if (options.device == DeviceChoice::Cuda)
      return fail(ExitStatus::BadInput, "--device=cuda: " + reason);
    // PTX and cubins run on a GPU only.
    if (getStage(*module) == ModuleStage::Emitted) {
      llvm::outs() << "no GPU (" << reason << ")\n";
      return ExitStatus::Success;
    }
    llvm::outs() << "no GPU (" << reason << "): simulated on the CPU\n";
  }
  if (options.benchmark)
    return fail(ExitStatus::BadInput,
                "--benchmark: the simulator is not timed; it needs a GPU");
  llvm::Expected<DeviceModel> model = lookupDeviceModel(report.chip);
  if (!model)
    return fail(ExitStatus::BadInput, llvm::toString(model.takeError()));
  device = createSimulatorDevice(*model);
  report.device = device->getDescription();
  return ExitStatus::Success;
}

ExitStatus Runner::makeArguments() {
  unsigned count = function.getNumArguments();
  bool compileOnly = !report.device;
  for (const auto &[number, spec] : options.arguments)
    if (number >= count)
      return fail(ExitStatus::BadInput,
                  "'" + report.function + "' has " + llvm::Twine(count) +
                      " arguments: there is no argument " +
                      llvm::Twine(number));
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto given = options.arguments.find(number);
    // What is not executed needs no arguments; those given are still checked.
    if (compileOnly && given == options.arguments.end())
      continue;
    llvm::Expected<HostArgument> argument = makeArgument(
        number, type,
        given == options.arguments.end() ? ArgumentSpec() : given->second,
        options.seed);
    if (!argument) {
      emitError(function.getArgument(number).getLoc(),
                llvm::toString(argument.takeError()));
      return ExitStatus::BadInput;
    }
    std::string text;
    llvm::raw_string_ostream(text) << type;
    ArrayRef<int64_t> shape = argument->tensor.getShape();
    report.inputs.push_back(
        {text, {shape.begin(), shape.end()}, argument->origin});
    arguments.push_back(std::move(*argument));
  }
  return ExitStatus::Success;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

ExitStatus Runner::execute() {
  if (!report.device) {
    addResources();
    printPlan(*report.plan, llvm::outs());
    llvm::outs() << "compiled, not executed\n";
    return ExitStatus::Success;
  }
  llvm::outs() << "device: " << report.device->kind;
  const DeviceDescription &described = *report.device;
  for (const auto &[label, text] :
       {std::pair("", &described.name), std::pair("driver ", &described.driver),
        std::pair("", &described.chip)})
    if (!text->empty())
      llvm::outs() << ", " << label << *text;
  llvm::outs() << "\n";
  return device ? executeCompiled() : executeReference();
}

ExitStatus Runner::executeReference() {
  ReferenceOptions referenceOptions;
  referenceOptions.precision = options.precision;
  FailureOr<SmallVector<HostTensor>> results =
      evaluate(function, getReferenceInputs(), referenceOptions);
  if (failed(results))
    return ExitStatus::BadInput;
  report.executed = true;
  RunOutputs outputs;
  outputs.results.assign(results->begin(), results->end());
  return writeOutputs(outputs, checkResults(outputs.results));
}

ExitStatus Runner::executeCompiled() {
  Execution execution(function, *device, arguments);
  if (failed(execution.prepare()))
    return execution.getFailure();
  addResources();
  if (options.printPlan)
    printPlan(*report.plan, llvm::outs());
  FailureOr<RunOutputs> first = execution.run();
  if (failed(first))
    return execution.getFailure();
  report.executed = true;

  // What is judged: the results, then the memrefs that the function filled.
  std::vector<HostTensor> outputs = first->results;
  for (const auto &[number, tensor] : first->arguments)
    if (!arguments[number].initialized)
      outputs.push_back(tensor);
  ExitStatus verdict = checkResults(outputs);
  if (options.verify)
    verdict = checkWritten(*first, verdict);
  if (options.repeatCheck) {
    FailureOr<RepeatResult> repeat =
        execution.repeat(*options.repeatCheck, *first);
    if (failed(repeat))
      return execution.getFailure();
    report.repeat = *repeat;
    printRepeat(*repeat, llvm::outs());
    if (repeat->differentRun)
      verdict = ExitStatus::Failed;
  }
  verdict = writeOutputs(*first, verdict);
  if (options.benchmark) {
    ReplayOptions replay;
    replay.repetitions = *options.benchmark;
    FailureOr<BenchmarkResult> benchmark = execution.benchmark(replay);
    if (failed(benchmark))
      return execution.getFailure();
    report.benchmark = std::move(*benchmark);
    printBenchmark(*report.benchmark, llvm::outs());
  }
  return verdict;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Writes the results of a run that passed its checks.
ExitStatus Runner::writeOutputs(const RunOutputs &outputs, ExitStatus verdict) {
  if (options.outputDir.empty())
    return verdict;
  if (verdict != ExitStatus::Success) {
    llvm::outs() << "results not written: they did not pass\n";
    return verdict;
  }
  if (std::error_code error =
          llvm::sys::fs::create_directories(options.outputDir))
    return fail(ExitStatus::BadInput,
                options.outputDir +
                    ": cannot make the folder: " + error.message());
  StagedFiles files;
  llvm::Error failure = llvm::Error::success();
  outputs.forEach([&](const std::string &name, const HostTensor &tensor) {
    llvm::SmallString<128> path(options.outputDir);
    llvm::sys::path::append(path, name + ".npy");
    failure = llvm::joinErrors(std::move(failure), addNpy(files, path, tensor));
  });
  if (!failure)
    failure = files.keep();
  if (failure)
    return fail(ExitStatus::Failed, llvm::toString(std::move(failure)));
  return ExitStatus::Success;
}

// A memref that is compared with a result must have been filled.
ExitStatus Runner::checkWritten(const RunOutputs &outputs, ExitStatus verdict) {
  for (auto [number, element] : outputs.unwritten) {
    if (arguments[number].initialized)
      continue;
    emitError(function.getArgument(number).getLoc(),
              "uninitialised read: nothing has written element ")
        << element << " of argument " << number;
    verdict = ExitStatus::Failed;
  }
  return verdict;
}

std::vector<HostTensor> Runner::getReferenceInputs() const {
  std::vector<HostTensor> inputs;
  for (const HostArgument &argument : arguments)
    if (argument.initialized)
      inputs.push_back(argument.tensor);
  return inputs;
}

ExitStatus Runner::checkResults(llvm::ArrayRef<HostTensor> outputs) {
  if (!options.verify)
    return ExitStatus::Success;
  VerifyOptions verifyOptions;
  verifyOptions.rtol = options.rtol;
  verifyOptions.precision = options.precision;
  FailureOr<VerifyReport> verdict =
      verify(referenceFunction, getReferenceInputs(), outputs, verifyOptions);
  if (failed(verdict))
    return ExitStatus::BadInput;
  report.verify = std::move(*verdict);
  report.verify->print(llvm::outs());
  return report.verify->passed ? ExitStatus::Success : ExitStatus::Failed;
}

ExitStatus Runner::writeReport() {
  if (options.json.empty())
    return ExitStatus::Success;
  llvm::Error error =
      writeFileAtomically(options.json, [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}", toJSON(report)) << "\n";
      });
  if (error)
    return fail(ExitStatus::Failed, llvm::toString(std::move(error)));
  return ExitStatus::Success;
}
