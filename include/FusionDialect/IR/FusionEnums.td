//===- FusionEnums.td - Enums of the fusion dialect --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ENUMS_TD
#define FUSION_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "FusionDialect/IR/FusionDialect.td"

// The names are those of the combining kinds of vector.reduction.
def Fusion_ReductionKind : I32EnumAttr<"ReductionKind",
    "How a reduction combines two values", [
      I32EnumAttrCase<"Add", 0, "add">,
      I32EnumAttrCase<"Mul", 1, "mul">,
      I32EnumAttrCase<"MinimumF", 2, "minimumf">,
      I32EnumAttrCase<"MaximumF", 3, "maximumf">,
      I32EnumAttrCase<"MinNumF", 4, "minnumf">,
      I32EnumAttrCase<"MaxNumF", 5, "maxnumf">,
      I32EnumAttrCase<"MinSI", 6, "minsi">,
      I32EnumAttrCase<"MinUI", 7, "minui">,
      I32EnumAttrCase<"MaxSI", 8, "maxsi">,
      I32EnumAttrCase<"MaxUI", 9, "maxui">,
      I32EnumAttrCase<"And", 10, "and">,
      I32EnumAttrCase<"Or", 11, "or">,
      I32EnumAttrCase<"Xor", 12, "xor">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

// How a kernel brings a row from global memory to the threads that use it.
def Fusion_Loader : I32EnumAttr<"Loader", "How rows reach the threads", [
      I32EnumAttrCase<"Direct", 0, "direct">,
      I32EnumAttrCase<"AsyncCopy", 1, "async_copy">,
      I32EnumAttrCase<"BulkCopy", 2, "bulk_copy">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

// When the partial results of a kernel's blocks are added up.
def Fusion_FinishMode : I32EnumAttr<"FinishMode",
    "How the partial results of the blocks become totals", [
      I32EnumAttrCase<"Plain", 0, "plain">,
      I32EnumAttrCase<"Dependent", 1, "dependent">,
      I32EnumAttrCase<"GridBarrier", 2, "grid_barrier">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

// Where a value that several phases of a kernel need waits between them.
def Fusion_Residency : I32EnumAttr<"Residency", "Where a value is kept", [
      I32EnumAttrCase<"Registers", 0, "registers">,
      I32EnumAttrCase<"Shared", 1, "shared">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

// How a launch relates to the grid and to the launch before it.
def Fusion_LaunchMode : I32EnumAttr<"LaunchMode", "How a kernel is launched", [
      I32EnumAttrCase<"Plain", 0, "plain">,
      I32EnumAttrCase<"Cooperative", 1, "cooperative">,
      I32EnumAttrCase<"Dependent", 2, "dependent">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

// The schedulers that make row kernels: their names, with underscores.
def Fusion_RowsKind : I32EnumAttr<"RowsKind", "What a row kernel is for", [
      I32EnumAttrCase<"InnerPersistent", 0, "inner_persistent">,
      I32EnumAttrCase<"InnerReduction", 1, "inner_reduction">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

// How the threads of a row walk over its columns.
def Fusion_RowTraversal : I32EnumAttr<"RowTraversal", "How a row is walked", [
      I32EnumAttrCase<"Resident", 0, "resident">,
      I32EnumAttrCase<"Looped", 1, "looped">
    ]> {
  let cppNamespace = "::mlir::fusion";
}

#endif // FUSION_ENUMS_TD
