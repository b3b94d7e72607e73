//===- EmitKernels.cpp - The kernels of a compiled module -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitKernels.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::fusion;

static LogicalResult fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "fusion-opt") << message << "\n";
  return failure();
}

LogicalResult fusion::getKernels(StringRef module, EmittedFormat format,
                                 DialectRegistry &registry,
                                 std::string &kernels) {
  MLIRContext context(registry);
  auto parsed = parseSourceString<ModuleOp>(module, &context);
  if (!parsed)
    return failure();
  bool wantsPTX = format == EmittedFormat::PTX;
  auto target = wantsPTX ? gpu::CompilationTarget::Assembly
                         : gpu::CompilationTarget::Binary;
  StringRef pass = wantsPTX ? "fusion-to-ptx=\"format=isa\""
                            : "fusion-to-ptx=\"format=bin\"";
  unsigned count = 0;
  parsed->walk([&](gpu::BinaryOp binary) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      if (object.getFormat() != target)
        continue;
      ++count;
      StringRef bytes = object.getObject().getValue();
      // PTX is kept with the zero that ends it as a C string.
      if (wantsPTX)
        bytes = bytes.rtrim('\0');
      kernels += bytes;
    }
  });
  if (!count)
    return fail("--fusion-emit: expected gpu.binary operations that hold " +
                Twine(wantsPTX ? "PTX" : "a cubin") + ", as --" + pass +
                " makes them, but got none");
  if (count > 1 && !wantsPTX)
    return fail("--fusion-emit=cubin: expected one gpu.binary, but got " +
                Twine(count) + ": cubins cannot follow one another in a file");
  return success();
}
