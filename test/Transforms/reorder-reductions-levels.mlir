// Reductions within reductions: what goes through one writes those before it as
// they were, so that rewriting starts again until nothing changes. Nothing that
// is repeated may be reduced in the end.
// RUN: fusion-opt %s --canonicalize --fusion-simplify --canonicalize --fusion-reorder-reductions --cse --fusion-verify-algebra | FileCheck %s

// CHECK-LABEL: func.func @levels(
// CHECK-NOT: tensor<5x2xf32>
// CHECK: return
func.func @levels(%a0: tensor<3x5xf32>, %a1: tensor<4x5xf32>, %a2: tensor<1x1x5x1xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %v0 = fusion.broadcast %a0 dims = [0, 2] : tensor<3x5xf32> -> tensor<3x2x5x4xf32>
  %v1 = fusion.transpose %a1 permutation = [1, 0] : tensor<4x5xf32> -> tensor<5x4xf32>
  %v2 = fusion.broadcast %v1 dims = [2, 3] : tensor<5x4xf32> -> tensor<3x2x5x4xf32>
  %v3 = arith.constant 2.0 : f32
  %v4 = tensor.splat %v3 : tensor<3x2x5x4xf32>
  %v5 = arith.minimumf %v2, %v4 fastmath<reassoc,nnan,ninf,nsz> : tensor<3x2x5x4xf32>
  %v6 = arith.mulf %v0, %v5 fastmath<reassoc,nnan,ninf,nsz> : tensor<3x2x5x4xf32>
  %v7 = arith.maximumf %v6, %v6 fastmath<reassoc,nnan,ninf,nsz> : tensor<3x2x5x4xf32>
  %v8 = arith.constant 2.0 : f32
  %v9 = tensor.splat %v8 : tensor<3x2x5x4xf32>
  %v10 = arith.maximumf %v9, %v9 : tensor<3x2x5x4xf32>
  %v11 = fusion.broadcast %a2 dims = [0, 1, 2, 3] : tensor<1x1x5x1xf32> -> tensor<3x2x5x4xf32>
  %v12 = fusion.reduce minimumf %v11 dims = [1] fastmath<reassoc,nsz> : tensor<3x2x5x4xf32> -> tensor<3x5x4xf32>
  %v13 = math.sqrt %v12 : tensor<3x5x4xf32>
  %v14 = fusion.broadcast %v13 dims = [0, 2, 3] : tensor<3x5x4xf32> -> tensor<3x2x5x4xf32>
  %v15 = fusion.reduce add %v14 dims = [0] : tensor<3x2x5x4xf32> -> tensor<2x5x4xf32>
  %v16 = fusion.broadcast %v15 dims = [1, 2, 3] : tensor<2x5x4xf32> -> tensor<3x2x5x4xf32>
  %v17 = arith.addf %v10, %v16 fastmath<reassoc,nnan,ninf,nsz> : tensor<3x2x5x4xf32>
  %v18 = arith.minimumf %v7, %v17 fastmath<reassoc,nnan,ninf,nsz> : tensor<3x2x5x4xf32>
  %v19 = fusion.reduce add %v18 dims = [0, 2, 3] : tensor<3x2x5x4xf32> -> tensor<2xf32>
  %v20 = fusion.reduce add %v19 dims = [0] fastmath<reassoc,nnan,ninf,nsz> : tensor<2xf32> -> tensor<f32>
  %v21 = fusion.reduce maxnumf %v18 dims = [0] fastmath<reassoc,nsz> : tensor<3x2x5x4xf32> -> tensor<2x5x4xf32>
  %v22 = fusion.reduce minimumf %v21 dims = [0, 1] fastmath<reassoc,nsz> : tensor<2x5x4xf32> -> tensor<4xf32>
  return %v20, %v22 : tensor<f32>, tensor<4xf32>
}
