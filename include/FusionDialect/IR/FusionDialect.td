//===- FusionDialect.td - The fusion dialect ---------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_DIALECT_TD
#define FUSION_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Fusion_Dialect : Dialect {
  let name = "fusion";
  let cppNamespace = "::mlir::fusion";
  let summary = "Broadcasts, reductions and the segments that become kernels";
  let description = [{
    The fusion dialect holds what element-wise programs on ranked tensors lack
    upstream: broadcasts whose meaning is explicit, reductions whose accumulator
    and order are defined, and the *segment*, a group of operations that becomes
    one kernel. Element-wise computation itself is `arith` and `math` on tensors.

    All operations are pure, except the launch of a kernel, which stands in host
    functions after lowering. Tensors carry no encoding, and their
    element types are f16, bf16, f32, f64, f8E4M3FN, f8E5M2, i1, i8, i16, i32 and i64.
  }];

  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Registers the attributes of the dialect; called once by initialize().
    void registerAttributes();
  }];
}

#endif // FUSION_DIALECT_TD
