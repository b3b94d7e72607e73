//===- Fusion.h - The fusion dialect ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its enums, attributes, interfaces and operations. Their
// documentation stands in the .td files beside this one.
//
//===----------------------------------------------------------------------===//

#ifndef FUSIONDIALECT_IR_FUSION_H
#define FUSIONDIALECT_IR_FUSION_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "FusionDialect/IR/FusionDialect.h.inc"
#include "FusionDialect/IR/FusionEnums.h.inc"

#include "FusionDialect/IR/FusionAttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "FusionDialect/IR/FusionAttrs.h.inc"
#define GET_OP_CLASSES
#include "FusionDialect/IR/FusionOps.h.inc"

#endif // FUSIONDIALECT_IR_FUSION_H
