//===- RunnerCompile.cpp - How the runner gets a compiled program ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"

#include "FusionDialect/Conversion/Ptxas.h"
#include "FusionDialect/Runtime/KeptPrograms.h"
#include "FusionDialect/Runtime/Specialize.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::fusion;

// The file that keeps what `program` is compiled to; empty if none does.
std::string Runner::getKeptPath(ModuleOp program,
                                const CompileOptions &compileOptions) const {
  if (options.keepDir.empty() || !report.device ||
      getStage(program) != ModuleStage::Program)
    return {};
  return KeptPrograms(options.keepDir)
      .getPath(program, report.function, compileOptions);
}

// Takes the compiled program from `path`, if it is there.
bool Runner::loadKept(const std::string &path) {
  if (path.empty())
    return false;
  OwningOpRef<ModuleOp> compiled = KeptPrograms::load(path, &context);
  func::FuncOp found;
  if (compiled)
    found = compiled->lookupSymbol<func::FuncOp>(report.function);
  if (!found)
    return false;
  module = std::move(compiled);
  function = found;
  collectLaunches(function, report.plan.emplace());
  llvm::outs() << "compiled before: " << llvm::sys::path::filename(path)
               << "\n";
  return true;
}

// Keeps the compiled program. One that cannot be kept is none the worse.
void Runner::keep(const std::string &path) {
  if (path.empty())
    return;
  if (llvm::Error error = KeptPrograms(options.keepDir).store(path, *module))
    llvm::WithColor::warning(llvm::errs(), "fusion-runner")
        << llvm::toString(std::move(error)) << "\n";
}

// Compiles the function once for all extents of its arguments, if schedulers
// take it so; else it is left as it was.
bool Runner::compileForAnyExtent(const CompileOptions &compileOptions) {
  OwningOpRef<ModuleOp> compiled = module->clone();
  Plan plan;
  {
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
    if (compile(*compiled, report.function, compileOptions, plan) !=
        ExitStatus::Success)
      return false;
  }
  // Whatever stayed on tensors of the host needs the extents, too.
  if (!plan.outside.empty())
    return false;
  std::string path = getKeptPath(*module, compileOptions);
  module = std::move(compiled);
  function = module->lookupSymbol<func::FuncOp>(report.function);
  report.plan = std::move(plan);
  keep(path);
  return true;
}

// Extents that are only known at run time are known by now.
LogicalResult Runner::specializeToArguments(ModuleOp program) {
  auto shapes = llvm::map_to_vector(arguments, [](const HostArgument &given) {
    return SmallVector<int64_t>(given.tensor.getShape());
  });
  return specialize(program.lookupSymbol<func::FuncOp>(report.function),
                    shapes);
}

// Compiles the function as it is, or takes it from where it was kept.
ExitStatus Runner::compileProgram(const CompileOptions &compileOptions) {
  std::string path = getKeptPath(*module, compileOptions);
  if (loadKept(path))
    return ExitStatus::Success;
  std::string name = report.function;
  ExitStatus status = compile(*module, name, compileOptions, *report.plan);
  if (status != ExitStatus::Success)
    return status;
  function = module->lookupSymbol<func::FuncOp>(name);
  keep(path);
  return ExitStatus::Success;
}

ExitStatus Runner::compileFunction() {
  if (options.device == DeviceChoice::Ref)
    return ExitStatus::Success;
  CompileOptions compileOptions;
  compileOptions.chip = report.chip;
  compileOptions.emitBinaries = !device || device->takesBinaries();
  report.plan.emplace();
  bool isDynamic = report.device && getStage(*module) == ModuleStage::Program &&
                   hasDynamicArguments(function);
  if (!isDynamic)
    return compileProgram(compileOptions);
  if (loadKept(getKeptPath(*module, compileOptions)))
    return ExitStatus::Success;
  if (!options.keepDir.empty()) {
    // A program for these shapes may be there: no other is tried then.
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
    OwningOpRef<ModuleOp> program = module->clone();
    if (succeeded(specializeToArguments(*program)) &&
        loadKept(getKeptPath(*program, compileOptions)))
      return ExitStatus::Success;
  }
  if (compileForAnyExtent(compileOptions))
    return ExitStatus::Success;
  if (failed(specializeToArguments(*module)))
    return ExitStatus::BadInput;
  return compileProgram(compileOptions);
}

// The kernels as ptxas sees them, for a device that does not know: the lowered
// module goes through the emit phase once more. Empty without ptxas.
llvm::StringMap<llvm::StringMap<KernelResources>> Runner::assemble() {
  llvm::StringMap<llvm::StringMap<KernelResources>> assembled;
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return assembled;
  // What cannot be emitted can still be simulated.
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> emitted = module->clone();
  CompileOptions compileOptions;
  compileOptions.chip = report.chip;
  compileOptions.emitBinaries = true;
  Plan ignored;
  if (compile(*emitted, report.function, compileOptions, ignored) !=
      ExitStatus::Success)
    return assembled;
  for (auto binary : emitted->getOps<gpu::BinaryOp>()) {
    auto resources = getResourcesFromPtxas(ptxas, binary);
    if (resources)
      assembled[binary.getSymName()] = std::move(*resources);
    else
      llvm::consumeError(resources.takeError());
  }
  return assembled;
}

// Registers and spills of the kernels in the plan: from the device where it
// knows them (kernels are loaded by then), else from ptxas if there is one.
void Runner::addResources() {
  if (device && !options.printPlan && options.json.empty())
    return;
  llvm::StringMap<llvm::StringMap<KernelResources>> assembled;
  bool deviceKnows = device && device->takesBinaries();
  if (!deviceKnows)
    assembled = assemble();
  report.plan->forEachLaunch([&](PlannedLaunch &launch) {
    if (!deviceKnows) {
      launch.resources = assembled[launch.module].lookup(launch.kernel);
      return;
    }
    auto resources = device->getResources(launch.module, launch.kernel);
    if (resources)
      launch.resources = *resources;
    else
      llvm::consumeError(resources.takeError());
  });
}
