// What the number of iteration spaces rules out is not asked about: the scheduler
// sees the reductions of each tensor, and no two tensors together.
// RUN: fusion-opt %s --fusion-segment="print-statistics schedulers=inner-outer-persistent" -o /dev/null 2>&1 | FileCheck %s

// CHECK: 2 segments
// CHECK-NEXT: 0 outside
// CHECK: inner-outer-persistent: 2 matches, 2 accepted,
func.func @f(%x: tensor<4x8xf32>, %y: tensor<16x32xf32>)
    -> (tensor<4xf32>, tensor<8xf32>, tensor<16xf32>, tensor<32xf32>) {
  %a = fusion.reduce add %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %b = fusion.reduce add %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %c = fusion.reduce add %y dims = [1] : tensor<16x32xf32> -> tensor<16xf32>
  %d = fusion.reduce add %y dims = [0] : tensor<16x32xf32> -> tensor<32xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<8xf32>, tensor<16xf32>, tensor<32xf32>
}
