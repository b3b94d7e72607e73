// Segments, arguments and operations outside, with the tensors between them.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --fusion-print-graph -o /dev/null 2>&1 | FileCheck %s

// CHECK:      digraph "f" {
// CHECK-NEXT:   argument0 [shape=ellipse, label="argument 0"];
// CHECK-NEXT:   segment0 [shape=box, label="segment 0: inner-outer-persistent\narith.mulf\lfusion.reduce x 2\l"];
// CHECK-NEXT:   argument0 -> segment0 [label="tensor\<4x8xf32\>\n128 bytes"];
// CHECK-NEXT:   outside0 [shape=ellipse, label="func.call"];
// CHECK-NEXT:   segment0 -> outside0 [label="tensor\<4xf32\>\n16 bytes"];
// CHECK-NEXT:   outside1 [shape=ellipse, label="func.return"];
// CHECK-NEXT:   outside0 -> outside1 [label="tensor\<4xf32\>\n16 bytes"];
// CHECK-NEXT:   segment0 -> outside1 [label="tensor\<8xf32\>\n32 bytes"];
// CHECK-NEXT: }
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%x: tensor<4x8xf32>, %s: index) -> (tensor<4xf32>, tensor<8xf32>) {
  %y = arith.mulf %x, %x : tensor<4x8xf32>
  %r = fusion.reduce add %y dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %c = fusion.reduce add %y dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %g = call @g(%r) : (tensor<4xf32>) -> tensor<4xf32>
  return %g, %c : tensor<4xf32>, tensor<8xf32>
}
