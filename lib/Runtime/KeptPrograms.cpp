//===- KeptPrograms.cpp - Compiled programs in a folder -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Runtime/KeptPrograms.h"
#include "FusionDialect/Runtime/OutputFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;

/// Errors of a run point to the source: locations are part of a program.
static void print(ModuleOp module, llvm::raw_ostream &os) {
  module.print(os, OpPrintingFlags().enableDebugInfo());
}

/// Another build may compile otherwise: the running program's file.
static std::string describeCompiler() {
  std::string path = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return path;
  return path + " " + std::to_string(status.getSize()) + " " +
         std::to_string(
             status.getLastModificationTime().time_since_epoch().count());
}

std::string KeptPrograms::getPath(ModuleOp program, StringRef function,
                                  const CompileOptions &options) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << describeCompiler() << '\n'
     << function << '\n'
     << options.chip << '\n'
     << options.emitBinaries << '\n';
  print(program, os);
  llvm::MD5 hash;
  hash.update(text);
  llvm::MD5::MD5Result result;
  hash.final(result);
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, result.digest() + ".mlir");
  return path.str().str();
}

OwningOpRef<ModuleOp> KeptPrograms::load(StringRef path, MLIRContext *context) {
  if (!llvm::sys::fs::exists(path))
    return nullptr;
  ScopedDiagnosticHandler silent(context, [](Diagnostic &) {});
  return parseSourceFile<ModuleOp>(path, context);
}

llvm::Error KeptPrograms::store(StringRef path, ModuleOp compiled) const {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(error, folder + ": " + error.message());
  return writeFileAtomically(
      path, [&](llvm::raw_ostream &os) { print(compiled, os); });
}
