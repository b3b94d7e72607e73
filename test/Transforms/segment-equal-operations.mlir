// Schedulers count the instructions of element-wise operations and do not look at
// their names: a sum and a product are one question, a quotient another.
// RUN: fusion-opt %s --fusion-segment="print-statistics schedulers=inner-reduction" -o /dev/null 2>&1 | FileCheck %s

// CHECK: 3 segments
// CHECK: inner-reduction: 2 matches, 2 accepted,
func.func @sum(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %a = arith.addf %x, %y : tensor<4x8xf32>
  %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @product(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %a = arith.mulf %x, %y fastmath<fast> : tensor<4x8xf32>
  %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @quotient(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %a = arith.divf %x, %y : tensor<4x8xf32>
  %r = fusion.reduce add %a dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
