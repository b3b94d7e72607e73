//===- Check.cpp - Compiles, runs and judges one program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "FusionDialect/IR/Fusion.h"
#include "FusionDialect/Reference/Verify.h"
#include "FusionDialect/Runtime/Compile.h"
#include "FusionDialect/Runtime/CudaDevice.h"
#include "FusionDialect/Runtime/Execution.h"
#include "FusionDialect/Runtime/SimulatorDevice.h"
#include "FusionDialect/Target/DeviceModel.h"
#include "FusionDialect/Transforms/Passes.h"
#include "Operations.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <unistd.h>

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static constexpr StringLiteral outcomeNames[] = {
    "passed",          "refused",    "invalid",  "wrong-simplified",
    "compiler-failed", "run-failed", "mismatch", "different-bits",
    "crash",           "hang"};

StringRef fusion::stringifyOutcome(Outcome outcome) {
  return outcomeNames[static_cast<unsigned>(outcome)];
}

static llvm::json::Object
countsToJSON(const std::map<std::string, int64_t> &m) {
  llvm::json::Object object;
  for (const auto &[name, count] : m)
    object[name] = count;
  return object;
}

llvm::json::Value fusion::toJSON(const CheckResult &result) {
  return llvm::json::Object{{"outcome", static_cast<int64_t>(result.outcome)},
                            {"message", result.message},
                            {"schedulers", countsToJSON(result.schedulers)},
                            {"rejections", countsToJSON(result.rejections)},
                            {"pairs", countsToJSON(result.pairs)}};
}

bool fusion::fromJSON(const llvm::json::Value &value, CheckResult &result,
                      llvm::json::Path path) {
  llvm::json::ObjectMapper map(value, path);
  int64_t outcome;
  if (!map || !map.map("outcome", outcome) ||
      !map.map("message", result.message) ||
      !map.map("schedulers", result.schedulers) ||
      !map.map("rejections", result.rejections) ||
      !map.map("pairs", result.pairs))
    return false;
  result.outcome = static_cast<Outcome>(outcome);
  return true;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// The bits of an element, in the low bytes.
static uint64_t getBits(const HostTensor &tensor, int64_t index) {
  size_t size = getStorageBytes(tensor.getElementType());
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.getData() + index * size, size);
  return bits;
}

/// The first result that differs, in words; empty if none does. NaNs are equal:
/// which one an operation gives is not defined. So is the sign of a zero that
/// was chosen among zeros, `zerosAreEqual` says.
static std::string findDifference(ArrayRef<HostTensor> expected,
                                  ArrayRef<HostTensor> found,
                                  bool zerosAreEqual) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [number, left, right] : llvm::enumerate(expected, found)) {
    if (left.getShape() != right.getShape()) {
      os << "result " << number << " has other extents";
      return text;
    }
    bool isFloat = isa<FloatType>(left.getElementType());
    for (int64_t i = 0; i < left.getNumElements(); ++i) {
      uint64_t leftBits = getBits(left, i), rightBits = getBits(right, i);
      if (leftBits == rightBits)
        continue;
      double values[2] = {};
      if (isFloat) {
        left.readAsDouble(i, 1, &values[0]);
        right.readAsDouble(i, 1, &values[1]);
        if ((std::isnan(values[0]) && std::isnan(values[1])) ||
            (zerosAreEqual && values[0] == values[1]))
          continue;
      }
      os << "result " << number << ": the bits of element " << i << " are 0x"
         << llvm::utohexstr(rightBits) << ", expected 0x"
         << llvm::utohexstr(leftBits);
      return text;
    }
  }
  return text;
}

static bool hasOperation(ModuleOp module,
                         llvm::function_ref<bool(Operation *)> predicate) {
  return module
      .walk([&](Operation *op) {
        return predicate(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if every operation gives the same bits everywhere.
static bool isExact(ModuleOp module) {
  return !hasOperation(module, [](Operation *op) {
    return !isa<ModuleOp, func::FuncOp, func::ReturnOp>(op) &&
           !isExactEverywhere(op);
  });
}

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

namespace {

class ProgramCheck {
public:
  ProgramCheck(uint64_t inputSeed, const CheckOptions &options,
               llvm::function_ref<void(StringRef)> enter)
      : inputSeed(inputSeed), options(options), enter(enter) {}

  CheckResult run(ModuleOp module);

private:
  using Results = SmallVector<HostTensor>;

  /// Notes what is wrong, with the diagnostics so far.
  LogicalResult fail(Outcome outcome, const Twine &message);
  LogicalResult readBack(ModuleOp module);
  void countPairs();
  void pretend();
  LogicalResult makeArguments();
  LogicalResult checkSimplified();
  LogicalResult compileFor(bool onGPU, OwningOpRef<ModuleOp> &compiled);
  FailureOr<Results> runOn(bool onGPU);
  LogicalResult emit();
  /// Compares `results` with the reference; `exactOutcome` is for bits.
  LogicalResult judge(ArrayRef<HostTensor> results, Outcome wrong);
  void noteDiagnostic(Diagnostic &diagnostic);
  static func::FuncOp getFunction(ModuleOp module);
  std::vector<HostTensor> getInputs() const;

  uint64_t inputSeed;
  const CheckOptions &options;
  llvm::function_ref<void(StringRef)> enter;
  CheckResult result;
  OwningOpRef<ModuleOp> program;
  std::vector<HostArgument> arguments;
  /// What the reference gives, each operation rounded to its type.
  Results rounded;
  bool exact = false, zerosAreEqual = false;
  std::string diagnostics;
};

} // namespace

LogicalResult ProgramCheck::fail(Outcome outcome, const Twine &message) {
  result.outcome = outcome;
  result.message = message.str();
  if (!diagnostics.empty())
    result.message += "\n" + StringRef(diagnostics).rtrim().str();
  return failure();
}

/// Collects the text; rejection codes are counted where they stand.
void ProgramCheck::noteDiagnostic(Diagnostic &diagnostic) {
  auto note = [&](Diagnostic &part, StringRef kind) {
    std::string text = part.str();
    llvm::raw_string_ostream(diagnostics)
        << kind << part.getLocation() << ": " << text << "\n";
    // "<scheduler>: <code>: <hint>", see noteRejection.
    auto [scheduler, rest] = StringRef(text).split(": ");
    auto [code, hint] = rest.split(": ");
    if (!hint.empty() && !code.contains(' '))
      ++result.rejections[code.str()];
  };
  note(diagnostic, "");
  for (Diagnostic &attached : diagnostic.getNotes())
    note(attached, "note: ");
}

func::FuncOp ProgramCheck::getFunction(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      return function;
  return nullptr;
}

std::vector<HostTensor> ProgramCheck::getInputs() const {
  std::vector<HostTensor> inputs;
  for (const HostArgument &argument : arguments)
    inputs.push_back(argument.tensor);
  return inputs;
}

/// What is checked is the text: printed, and parsed again.
LogicalResult ProgramCheck::readBack(ModuleOp module) {
  enter("print and parse");
  if (failed(verify(module)))
    return fail(Outcome::Invalid, "the program is not valid");
  std::string text, again;
  llvm::raw_string_ostream(text) << module;
  program = parseSourceString<ModuleOp>(text, module.getContext());
  if (!program)
    return fail(Outcome::Invalid, "the program does not parse");
  llvm::raw_string_ostream(again) << *program;
  if (text != again)
    return fail(Outcome::Invalid, "the program reads back as another");
  if (!getFunction(*program))
    return fail(Outcome::Invalid, "expected a public function with a body");
  auto isMemRef = llvm::IsaPred<BaseMemRefType>;
  FunctionType type = getFunction(*program).getFunctionType();
  if (getStage(*program) == ModuleStage::Lowered ||
      llvm::any_of(type.getInputs(), isMemRef) ||
      llvm::any_of(type.getResults(), isMemRef))
    return fail(Outcome::Invalid,
                "expected a program on tensors, but it is lowered already");
  return success();
}

void ProgramCheck::countPairs() {
  program->walk([&](Operation *op) {
    if (!isa<ModuleOp, func::FuncOp, func::ReturnOp>(op))
      ++result.pairs[getPairName(op)];
    StringRef name = op->getName().getStringRef();
    // Of two zeros either may be the least.
    zerosAreEqual |=
        name.contains("min") || name.contains("max") || name == "math.clampf";
    if (auto reduce = dyn_cast<ReduceOp>(op))
      zerosAreEqual |= stringifyReductionKind(reduce.getKind()).contains("m");
  });
  exact = isExact(*program);
}

void ProgramCheck::pretend() {
  const PretendedFault &fault = options.fault;
  if (!hasOperation(*program, [&](Operation *op) {
        return op->getName().getStringRef() == fault.operation;
      }))
    return;
  if (fault.outcome == Outcome::Crash)
    std::abort();
  while (fault.outcome == Outcome::Hang)
    ::pause();
  (void)fail(fault.outcome, "pretended");
}

LogicalResult ProgramCheck::makeArguments() {
  enter("make arguments");
  func::FuncOp function = getFunction(*program);
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto argument =
        makeArgument(static_cast<unsigned>(number), type, {}, inputSeed);
    if (!argument)
      return fail(Outcome::Invalid, llvm::toString(argument.takeError()));
    arguments.push_back(std::move(*argument));
  }
  return success();
}

/// Folders and patterns are exact: the canonical program computes the same.
LogicalResult ProgramCheck::checkSimplified() {
  enter("evaluate");
  ReferenceOptions inTypes;
  inTypes.precision = Precision::Type;
  auto evaluated = evaluate(getFunction(*program), getInputs(), inTypes);
  if (failed(evaluated))
    return fail(Outcome::Invalid, "the reference does not take the program");
  rounded = *evaluated;
  enter("simplify");
  OwningOpRef<ModuleOp> simplified = program->clone();
  PassManager manager(program->getContext());
  manager.addPass(createPreemptFoldersPass());
  manager.addPass(createExactCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createExactCanonicalizerPass());
  if (failed(manager.run(*simplified)))
    return fail(Outcome::CompilerFailed, "canonicalization fails");
  enter("evaluate the simplified program");
  auto again = evaluate(getFunction(*simplified), getInputs(), inTypes);
  if (failed(again))
    return fail(Outcome::WrongSimplified,
                "the reference does not take the simplified program");
  return judge(*again, Outcome::WrongSimplified);
}

LogicalResult ProgramCheck::judge(ArrayRef<HostTensor> results, Outcome wrong) {
  VerifyOptions verifyOptions;
  verifyOptions.anyOrder = wrong == Outcome::WrongSimplified;
  FailureOr<VerifyReport> report = fusion::verify(
      getFunction(*program), getInputs(), results, verifyOptions);
  if (failed(report))
    return fail(wrong, "the results have other types");
  std::string text;
  llvm::raw_string_ostream os(text);
  report->print(os);
  if (!report->passed)
    return fail(wrong, text);
  if (!exact)
    return success();
  std::string difference = findDifference(rounded, results, zerosAreEqual);
  if (difference.empty())
    return success();
  return fail(wrong == Outcome::Mismatch ? Outcome::DifferentBits : wrong,
              "in a program of exact operations " + difference);
}

LogicalResult ProgramCheck::compileFor(bool onGPU,
                                       OwningOpRef<ModuleOp> &compiled) {
  compiled = program->clone();
  CompileOptions compileOptions;
  compileOptions.chip = options.chip;
  compileOptions.emitBinaries = onGPU;
  Plan plan;
  std::string name = getFunction(*program).getName().str();
  ExitStatus status = compile(*compiled, name, compileOptions, plan);
  result.schedulers.clear();
  for (const PlannedSegment &segment : plan.segments)
    ++result.schedulers[segment.scheduler];
  if (status == ExitStatus::Success)
    return success();
  if (status == ExitStatus::Rejected && !result.rejections.empty())
    return fail(Outcome::Refused, "refused");
  return fail(Outcome::CompilerFailed, "the compiler fails");
}

FailureOr<ProgramCheck::Results> ProgramCheck::runOn(bool onGPU) {
  enter(onGPU ? "compile for the GPU" : "compile");
  OwningOpRef<ModuleOp> compiled;
  if (failed(compileFor(onGPU, compiled)))
    return failure();
  enter(onGPU ? "run on the GPU" : "simulate");
  std::unique_ptr<Device> device;
  if (onGPU) {
    auto opened = createCudaDevice();
    if (!opened)
      return fail(Outcome::RunFailed, llvm::toString(opened.takeError()));
    device = std::move(*opened);
  } else {
    device = createSimulatorDevice(llvm::cantFail(
        lookupDeviceModel(options.chip), "the chip was checked before"));
  }
  Execution execution(getFunction(*compiled), *device, arguments);
  if (failed(execution.prepare()))
    return fail(Outcome::RunFailed, "the kernels cannot be loaded");
  FailureOr<RunOutputs> outputs = execution.run();
  if (failed(outputs))
    return fail(Outcome::RunFailed, "the run fails");
  return Results(outputs->results.begin(), outputs->results.end());
}

LogicalResult ProgramCheck::emit() {
  enter("emit");
  OwningOpRef<ModuleOp> compiled;
  return compileFor(/*onGPU=*/true, compiled);
}

CheckResult ProgramCheck::run(ModuleOp module) {
  ScopedDiagnosticHandler handler(
      module.getContext(),
      [&](Diagnostic &diagnostic) { noteDiagnostic(diagnostic); });
  if (failed(readBack(module)))
    return result;
  countPairs();
  if (!options.fault.operation.empty()) {
    pretend();
    return result;
  }
  if (failed(makeArguments()) || failed(checkSimplified()))
    return result;
  FailureOr<Results> results = runOn(options.onGPU);
  if (failed(results) || failed(judge(*results, Outcome::Mismatch)))
    return result;
  if (options.emit && !options.onGPU && failed(emit()))
    return result;
  if (!options.againstGPU)
    return result;
  FailureOr<Results> others = runOn(/*onGPU=*/true);
  if (failed(others))
    return result;
  std::string difference =
      findDifference(*results, *others, /*zerosAreEqual=*/false);
  if (!difference.empty())
    (void)fail(Outcome::DifferentBits, "on the GPU " + difference);
  return result;
}

CheckResult fusion::checkProgram(ModuleOp module, uint64_t inputSeed,
                                 const CheckOptions &options,
                                 llvm::function_ref<void(StringRef)> enter) {
  return ProgramCheck(inputSeed, options, enter).run(module);
}
