// The gradient of layer norm with a number of rows that only the launch knows: one
// kernel, compiled once, for no row, one, and any other number.
// RUN: fusion-opt %s --canonicalize --fusion-simplify --cse --canonicalize --fusion-segment | FileCheck %s --check-prefix=SEGMENT
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=0x64 --shape=1=0x64 --shape=3=0x1 --shape=4=0x1 | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=1x64 --shape=1=1x64 --shape=3=1x1 --shape=4=1x1 | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --print-plan --shape=0=37x64 --shape=1=37x64 --shape=3=37x1 --shape=4=37x1 | FileCheck %s

// SEGMENT: fusion.segment "inner-outer-persistent"
// SEGMENT-SAME: -> (tensor<64xf32>, tensor<64xf32>, tensor<?x64xf32>)
// SEGMENT-NOT: fusion.segment
// CHECK: plan: 1 segments, 1 launches, 0 operations outside segments
// CHECK-COUNT-3: passed
func.func @layer_norm_backward(%x: tensor<?x64xf32>, %g: tensor<?x64xf32>, %w: tensor<64xf32>, %mean: tensor<?x1xf32>, %rstd: tensor<?x1xf32>) -> (tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xf32>
  %mb = fusion.broadcast %mean dims = [0, 1] : tensor<?x1xf32> -> tensor<?x64xf32>
  %rb = fusion.broadcast %rstd dims = [0, 1] : tensor<?x1xf32> -> tensor<?x64xf32>
  %wb = fusion.broadcast %w [%m] dims = [1] : tensor<64xf32> -> tensor<?x64xf32>
  %centered = arith.subf %x, %mb : tensor<?x64xf32>
  %n = arith.mulf %centered, %rb : tensor<?x64xf32>
  %bg = arith.mulf %g, %n : tensor<?x64xf32>
  %wg = fusion.reduce add %bg dims = [0] : tensor<?x64xf32> -> tensor<64xf32>
  %bias = fusion.reduce add %g dims = [0] : tensor<?x64xf32> -> tensor<64xf32>
  %s = arith.mulf %g, %wb : tensor<?x64xf32>
  %bc = arith.mulf %s, %centered : tensor<?x64xf32>
  %rs = fusion.reduce add %bc dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
  %d = arith.mulf %s, %rb : tensor<?x64xf32>
  %ng = arith.negf %d : tensor<?x64xf32>
  %ms = fusion.reduce add %ng dims = [1] : tensor<?x64xf32> -> tensor<?xf32>
  %k = fusion.broadcast %ms dims = [0] : tensor<?xf32> -> tensor<?x1xf32>
  %q = fusion.squeeze %k dims = [1] : tensor<?x1xf32> -> tensor<?xf32>
  %a = fusion.broadcast %q dims = [0] : tensor<?xf32> -> tensor<?x1xf32>
  %ex = fusion.broadcast %a dims = [0, 1] : tensor<?x1xf32> -> tensor<?x64xf32>
  %rr = fusion.squeeze %rstd dims = [1] : tensor<?x1xf32> -> tensor<?xf32>
  %v1 = arith.mulf %rs, %rr : tensor<?xf32>
  %v2 = arith.mulf %v1, %rr : tensor<?xf32>
  %ve = fusion.broadcast %v2 dims = [0] : tensor<?xf32> -> tensor<?x64xf32>
  %bv = arith.mulf %centered, %ve : tensor<?x64xf32>
  %sum = arith.addf %ex, %bv : tensor<?x64xf32>
  %xg = arith.addf %d, %sum : tensor<?x64xf32>
  return %xg, %wg, %bias : tensor<?x64xf32>, tensor<64xf32>, tensor<64xf32>
}
