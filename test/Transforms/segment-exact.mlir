// A segment whose results are empty launches nothing and costs nothing: a bound
// that counted a launch for it would rule out every plan.
// RUN: fusion-opt %s --fusion-segment=print-statistics -o /dev/null 2>&1 | FileCheck %s

// CHECK: 2 segments
// CHECK-NEXT: 0 outside
// CHECK: 1 exact
// CHECK-NEXT: 0 greedy
func.func @f(%x: tensor<64x64xf32>, %empty: tensor<8x0xf32>) -> (tensor<64x64xf32>, tensor<8x0xf32>) {
  %a = arith.negf %x : tensor<64x64xf32>
  %b = arith.negf %empty : tensor<8x0xf32>
  return %a, %b : tensor<64x64xf32>, tensor<8x0xf32>
}
