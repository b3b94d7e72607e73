//===- FusionDialect.cpp - The fusion dialect -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registration of the dialect, its enums and its interfaces.
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Fusion.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

#include "FusionDialect/IR/FusionDialect.cpp.inc"
#include "FusionDialect/IR/FusionEnums.cpp.inc"

#include "FusionDialect/IR/FusionAttrInterfaces.cpp.inc"

void FusionDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "FusionDialect/IR/FusionOps.cpp.inc"
      >();
}

/// Folders give constants, and constants on tensors are arith's.
Operation *FusionDialect::materializeConstant(OpBuilder &builder,
                                              Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
