// Segments are asked about as what they will be: where another segment has its own copy
// of the broadcast that makes one loop of two dimensions, this one knows nothing of it.
// So the scheduler that took a segment takes it again.

// RUN: fusion-opt %s --fusion-segment --fusion-schedule --split-input-file | FileCheck %s

// The broadcast of %c is returned, and added elsewhere to what has the rows: a kernel
// that stores it beside the tanh of %c knows of no rows.
// CHECK-LABEL: func.func @returned_broadcast
// CHECK: fusion.segment {{.*}} schedule =
// CHECK-NOT: fusion.segment {{"[a-z-]+"}} (
func.func @returned_broadcast(%x: tensor<4096x8192xf32>, %c: tensor<8192xf32>) -> (tensor<4096x8192xf32>, tensor<4096x8192xf32>) {
  %b = fusion.broadcast %c dims = [1] : tensor<8192xf32> -> tensor<4096x8192xf32>
  %a = arith.addf %x, %b : tensor<4096x8192xf32>
  %t = math.tanh %c : tensor<8192xf32>
  %tb = fusion.broadcast %t dims = [1] : tensor<8192xf32> -> tensor<4096x8192xf32>
  %r = fusion.reduce add %a dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %m = arith.mulf %rb, %tb : tensor<4096x8192xf32>
  return %b, %m : tensor<4096x8192xf32>, tensor<4096x8192xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_of_parameter
// CHECK: fusion.segment {{.*}} schedule =
// CHECK-NOT: fusion.segment {{"[a-z-]+"}} (
func.func @broadcast_of_parameter(%x: tensor<16384x4096xf32>, %p: tensor<16384xf32>) -> (tensor<4096xf32>, tensor<16384xf32>, tensor<16384x4096xf32>) {
  %max = fusion.reduce maximumf %x dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  %sum = fusion.reduce add %x dims = [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %scaled = arith.mulf %p, %sum : tensor<16384xf32>
  %pb = fusion.broadcast %p dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %mb = fusion.broadcast %max dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>
  %m = arith.mulf %pb, %mb : tensor<16384x4096xf32>
  %total = fusion.reduce add %m dims = [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  return %total, %scaled, %pb : tensor<4096xf32>, tensor<16384xf32>, tensor<16384x4096xf32>
}
