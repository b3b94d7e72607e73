//===- fusion-runner.cpp - Compile and run a program ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/InitAll.h"
#include "Runner.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::fusion;

// Not every dialect of MLIR: they take longer to set up than a small program
// takes to compile.
static void registerDialects(DialectRegistry &registry) {
  registerAllFusionDialects(registry);
  registry.insert<affine::AffineDialect, linalg::LinalgDialect>();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialize(argc, argv);
  std::optional<Options> options = parseOptions(argc, argv);
  if (!options)
    return static_cast<int>(ExitStatus::BadInput);
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  // An error shows the line it is about, not a printout of the operation.
  context.printOpOnDiagnostic(false);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  return static_cast<int>(Runner(*options, context, sources).run());
}
