// Whether values wait in registers or are computed again is a matter of price,
// and a remark tells both.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --fusion-schedule --remarks-filter=fusion-schedule --remark-policy=all 2>&1 | FileCheck %s

// CHECK: remark: [Analysis] projection | {{.*}}chosen=kept, kept={{[1-9][^,]*}}, recomputed={{[1-9].*}}
// CHECK: keep = registers
func.func @centred(%x: tensor<4096x2048xf32>) -> (tensor<4096x2048xf32>, tensor<2048xf32>) {
  %scale = arith.constant dense<4.8828125e-04> : tensor<4096xf32>
  %y = arith.mulf %x, %x : tensor<4096x2048xf32>
  %s = fusion.reduce add %y dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %m = arith.mulf %s, %scale : tensor<4096xf32>
  %mb = fusion.broadcast %m dims = [0] : tensor<4096xf32> -> tensor<4096x2048xf32>
  %d = arith.subf %y, %mb : tensor<4096x2048xf32>
  %c = fusion.reduce add %d dims = [0] : tensor<4096x2048xf32> -> tensor<2048xf32>
  return %d, %c : tensor<4096x2048xf32>, tensor<2048xf32>
}
