//===- Runner.h - The steps of fusion-runner --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Load, choose the function, find a device, make the arguments, compile, run,
// verify, time, report. Each step prints what is wrong and gives the exit
// status; the first that is not Success ends the program.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUNNER_RUNNER_H
#define FUSION_TOOLS_FUSION_RUNNER_RUNNER_H

#include "FusionDialect/Runtime/Compile.h"
#include "FusionDialect/Runtime/RunReport.h"
#include "Options.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::fusion {

class Runner {
public:
  /// `context` knows the dialects; `sources` shows diagnostics their lines.
  Runner(const Options &options, MLIRContext &context,
         std::shared_ptr<llvm::SourceMgr> sources)
      : options(options), context(context), sources(std::move(sources)) {}

  ExitStatus run();

private:
  ExitStatus fail(ExitStatus status, const llvm::Twine &message);
  ExitStatus load(llvm::StringRef path, llvm::StringRef name,
                  OwningOpRef<ModuleOp> &module, func::FuncOp &function);
  ExitStatus selectFunction(llvm::StringRef path, llvm::StringRef name,
                            ModuleOp module, func::FuncOp &function);
  ExitStatus loadReference();
  ExitStatus openDevice();
  ExitStatus makeArguments();
  ExitStatus compileFunction();
  ExitStatus compileProgram(const CompileOptions &compileOptions);
  bool compileForAnyExtent(const CompileOptions &compileOptions);
  LogicalResult specializeToArguments(ModuleOp program);
  std::string getKeptPath(ModuleOp program,
                          const CompileOptions &compileOptions) const;
  bool loadKept(const std::string &path);
  void keep(const std::string &path);
  llvm::StringMap<llvm::StringMap<KernelResources>> assemble();
  void addResources();
  ExitStatus execute();
  ExitStatus executeReference();
  ExitStatus executeCompiled();
  ExitStatus writeOutputs(const RunOutputs &outputs, ExitStatus verdict);
  ExitStatus checkResults(llvm::ArrayRef<HostTensor> outputs);
  /// `verdict`, unless memrefs to be filled have elements that nothing wrote.
  ExitStatus checkWritten(const RunOutputs &outputs, ExitStatus verdict);
  ExitStatus writeReport();
  /// The arguments that the reference takes: those with contents.
  std::vector<HostTensor> getReferenceInputs() const;

  const Options &options;
  MLIRContext &context;
  std::shared_ptr<llvm::SourceMgr> sources;
  OwningOpRef<ModuleOp> module, reference;
  func::FuncOp function, referenceFunction;
  /// Null if the program runs on the reference, or is only compiled.
  std::unique_ptr<Device> device;
  /// By number; if the program is only compiled, those that were given.
  std::vector<HostArgument> arguments;
  RunReport report;
};

} // namespace mlir::fusion

#endif // FUSION_TOOLS_FUSION_RUNNER_RUNNER_H
