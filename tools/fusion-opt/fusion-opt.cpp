//===- fusion-opt.cpp - Run passes over .mlir files -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with the fusion dialect, its passes and pipelines. With
// --fusion-emit the output is the PTX or the cubin of the kernels instead of
// the module.
//
//===----------------------------------------------------------------------===//

#include "EmitKernels.h"
#include "FusionDialect/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::fusion;

static llvm::cl::opt<EmittedFormat> emittedFormat(
    "fusion-emit",
    llvm::cl::desc("Write the kernels of the resulting module instead of the "
                   "module; the pipeline must end in gpu.binary operations"),
    llvm::cl::values(
        clEnumValN(EmittedFormat::PTX, "ptx", "their PTX (format=isa)"),
        clEnumValN(EmittedFormat::Cubin, "cubin",
                   "the cubin of the one binary there is (format=bin)")),
    llvm::cl::init(EmittedFormat::None));

/// Runs mlir-opt into memory, and writes the kernels of what it prints.
static LogicalResult emit(StringRef inputFilename, StringRef outputFilename,
                          DialectRegistry &registry) {
  std::string message;
  auto input = openInputFile(inputFilename, &message);
  if (!input) {
    llvm::errs() << message << "\n";
    return failure();
  }
  std::string module;
  llvm::raw_string_ostream os(module);
  if (failed(MlirOptMain(os, std::move(input), registry,
                         MlirOptMainConfig::createFromCLOptions())))
    return failure();
  std::string kernels;
  if (failed(getKernels(module, emittedFormat, registry, kernels)))
    return failure();
  auto output = openOutputFile(outputFilename, &message);
  if (!output) {
    llvm::errs() << message << "\n";
    return failure();
  }
  output->os() << kernels;
  output->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // gpu-module-to-binary translates kernels to LLVM IR.
  registerAllGPUToLLVMIRTranslations(registry);
  registerAllPasses();
  registerAllFusionDialects(registry);
  registerAllFusionPasses();
  auto [inputFilename, outputFilename] =
      registerAndParseCLIOptions(argc, argv, "fusion-opt\n", registry);
  if (emittedFormat != EmittedFormat::None)
    return asMainReturnCode(emit(inputFilename, outputFilename, registry));
  return asMainReturnCode(
      MlirOptMain(argc, argv, inputFilename, outputFilename, registry));
}
