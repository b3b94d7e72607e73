// RUN: fusion-opt %s --fusion-segment="schedulers=inner-reduction,outer-reduction" | FileCheck %s

// The product could be stored by one kernel and read by the other, or computed by
// both: 4096 4096 4 bytes four times either way. A tensor that takes no memory is
// better.
// CHECK-LABEL: func.func @product
// CHECK: fusion.segment "{{inner|outer}}-reduction"
// CHECK-SAME: -> (tensor<4096xf32>)
// CHECK: arith.mulf
// CHECK: fusion.segment "{{inner|outer}}-reduction"
// CHECK-SAME: -> (tensor<4096xf32>)
// CHECK: arith.mulf
func.func @product(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %0 = arith.mulf %x, %y : tensor<4096x4096xf32>
  %1 = fusion.reduce add %0 dims = [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %2 = fusion.reduce add %0 dims = [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  return %1, %2 : tensor<4096xf32>, tensor<4096xf32>
}

// Of three factors they move 6 tensors instead of 5. That takes a fifth longer at
// most, and no memory.
// CHECK-LABEL: func.func @three_factors
// CHECK: fusion.segment
// CHECK-SAME: -> (tensor<4096xf32>)
// CHECK: fusion.segment
// CHECK-SAME: -> (tensor<4096xf32>)
func.func @three_factors(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>, %z: tensor<4096x4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %0 = arith.mulf %x, %y : tensor<4096x4096xf32>
  %1 = arith.mulf %0, %z : tensor<4096x4096xf32>
  %2 = fusion.reduce add %1 dims = [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %3 = fusion.reduce add %1 dims = [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  return %2, %3 : tensor<4096xf32>, tensor<4096xf32>
}

// Of four, 8 instead of 6: the product is stored.
// CHECK-LABEL: func.func @four_factors
// CHECK: fusion.segment
// CHECK-SAME: -> ({{.*}}tensor<4096x4096xf32>
func.func @four_factors(%x: tensor<4096x4096xf32>, %y: tensor<4096x4096xf32>, %z: tensor<4096x4096xf32>, %w: tensor<4096x4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %0 = arith.mulf %x, %y : tensor<4096x4096xf32>
  %1 = arith.mulf %0, %z : tensor<4096x4096xf32>
  %2 = arith.mulf %1, %w : tensor<4096x4096xf32>
  %3 = fusion.reduce add %2 dims = [1] : tensor<4096x4096xf32> -> tensor<4096xf32>
  %4 = fusion.reduce add %2 dims = [0] : tensor<4096x4096xf32> -> tensor<4096xf32>
  return %3, %4 : tensor<4096xf32>, tensor<4096xf32>
}
