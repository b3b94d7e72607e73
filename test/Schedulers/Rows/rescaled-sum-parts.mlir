// A softmax whose exponentials each stand for several columns of the row is not
// rescaled: each counts once, whichever warps have parts of its columns.
// RUN: fusion-runner %s --function=parts --device=sim --verify | FileCheck %s
// RUN: fusion-runner %s --function=heads --device=sim --verify | FileCheck %s

// CHECK: result 0: passed
// CHECK-NOT: FAILED

func.func @parts(%x: tensor<4x50x48xf32>) -> (tensor<4x50x48xf32>, tensor<4x50xf32>) {
  %q = fusion.reduce add %x dims = [2] : tensor<4x50x48xf32> -> tensor<4x50xf32>
  %max = fusion.reduce maximumf %q dims = [1] : tensor<4x50xf32> -> tensor<4xf32>
  %max_b = fusion.broadcast %max dims = [0] : tensor<4xf32> -> tensor<4x50xf32>
  %d = arith.subf %q, %max_b fastmath<reassoc> : tensor<4x50xf32>
  %e = math.exp %d fastmath<reassoc,afn> : tensor<4x50xf32>
  %sum = fusion.reduce add %e dims = [1] fastmath<reassoc> : tensor<4x50xf32> -> tensor<4xf32>
  %sum_b = fusion.broadcast %sum dims = [0] : tensor<4xf32> -> tensor<4x50xf32>
  %g = arith.divf %e, %sum_b : tensor<4x50xf32>
  %g_b = fusion.broadcast %g dims = [0, 1] : tensor<4x50xf32> -> tensor<4x50x48xf32>
  %y = arith.mulf %g_b, %x : tensor<4x50x48xf32>
  return %y, %g : tensor<4x50x48xf32>, tensor<4x50xf32>
}

// The weights of a softmax, the same for four heads.
func.func @heads(%x: tensor<8x1024xf32>, %b: tensor<8x4x1024xf32>) -> tensor<8xf32> {
  %max = fusion.reduce maximumf %x dims = [1] : tensor<8x1024xf32> -> tensor<8xf32>
  %max_b = fusion.broadcast %max dims = [0] : tensor<8xf32> -> tensor<8x1024xf32>
  %d = arith.subf %x, %max_b fastmath<fast> : tensor<8x1024xf32>
  %e = math.exp %d fastmath<fast> : tensor<8x1024xf32>
  %sum = fusion.reduce add %e dims = [1] fastmath<fast> : tensor<8x1024xf32> -> tensor<8xf32>
  %sum_b = fusion.broadcast %sum dims = [0] : tensor<8xf32> -> tensor<8x1024xf32>
  %y = arith.divf %e, %sum_b : tensor<8x1024xf32>
  %y_b = fusion.broadcast %y dims = [0, 2] : tensor<8x1024xf32> -> tensor<8x4x1024xf32>
  %p = arith.mulf %y_b, %b : tensor<8x4x1024xf32>
  %r = fusion.reduce add %p dims = [1, 2] fastmath<fast> : tensor<8x4x1024xf32> -> tensor<8xf32>
  return %r : tensor<8xf32>
}
