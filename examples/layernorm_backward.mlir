// Layer-norm backward at 2048 x 8192, f32: the program of nvFuser's issue about
// a rejected layer-norm backward, written with one broadcast where that one has
// a chain of them.
//
//   xhat   = (x - mean) * rstd
//   wdy    = dy * gamma
//   dx     = (wdy - mean_row(wdy) - xhat * mean_row(wdy * xhat)) * rstd
//   dgamma = sum over rows of dy * xhat
//   dbeta  = sum over rows of dy
//
// Two row reductions and two column reductions of the same data: one pass over
// memory. `contract` lets a multiply and an add become one fused operation.
//
//   fusion-opt    examples/layernorm_backward.mlir --fusion-to-ptx="chip=sm_90"
//   fusion-runner examples/layernorm_backward.mlir --print-plan --verify

func.func @layernorm_backward(
    %dy: tensor<2048x8192xf32>, %x: tensor<2048x8192xf32>,
    %mean: tensor<2048xf32>, %rstd: tensor<2048xf32>,
    %gamma: tensor<8192xf32>)
    -> (tensor<2048x8192xf32>, tensor<8192xf32>, tensor<8192xf32>) {
  %inv_n = arith.constant dense<1.220703125e-04> : tensor<2048xf32>

  // Per row, per column -> per element.
  %mean_b = fusion.broadcast %mean dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
  %rstd_b = fusion.broadcast %rstd dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
  %gamma_b = fusion.broadcast %gamma dims = [1] : tensor<8192xf32> -> tensor<2048x8192xf32>

  %centred = arith.subf %x, %mean_b fastmath<contract> : tensor<2048x8192xf32>
  %xhat = arith.mulf %centred, %rstd_b fastmath<contract> : tensor<2048x8192xf32>
  %wdy = arith.mulf %dy, %gamma_b fastmath<contract> : tensor<2048x8192xf32>
  %wdy_xhat = arith.mulf %wdy, %xhat fastmath<contract> : tensor<2048x8192xf32>

  // Along the rows.
  %s1 = fusion.reduce add %wdy_xhat dims = [1] fastmath<contract> : tensor<2048x8192xf32> -> tensor<2048xf32>
  %s2 = fusion.reduce add %wdy dims = [1] fastmath<contract> : tensor<2048x8192xf32> -> tensor<2048xf32>
  %c1 = arith.mulf %s1, %inv_n : tensor<2048xf32>
  %c2 = arith.mulf %s2, %inv_n : tensor<2048xf32>
  %c1_b = fusion.broadcast %c1 dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>
  %c2_b = fusion.broadcast %c2 dims = [0] : tensor<2048xf32> -> tensor<2048x8192xf32>

  %proj = arith.mulf %xhat, %c1_b fastmath<contract> : tensor<2048x8192xf32>
  %d0 = arith.subf %wdy, %proj fastmath<contract> : tensor<2048x8192xf32>
  %d1 = arith.subf %d0, %c2_b fastmath<contract> : tensor<2048x8192xf32>
  %dx = arith.mulf %d1, %rstd_b fastmath<contract> : tensor<2048x8192xf32>

  // Along the columns.
  %dy_xhat = arith.mulf %dy, %xhat fastmath<contract> : tensor<2048x8192xf32>
  %dgamma = fusion.reduce add %dy_xhat dims = [0] fastmath<contract> : tensor<2048x8192xf32> -> tensor<8192xf32>
  %dbeta = fusion.reduce add %dy dims = [0] fastmath<contract> : tensor<2048x8192xf32> -> tensor<8192xf32>

  return %dx, %dgamma, %dbeta : tensor<2048x8192xf32>, tensor<8192xf32>, tensor<8192xf32>
}
