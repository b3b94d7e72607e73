// RMS-norm backward at 16384 x 4096: bf16 in and out, f32 arithmetic.
//
//   xhat   = x * rstd
//   wdy    = dy * gamma
//   dx     = (wdy - xhat * mean_row(wdy * xhat)) * rstd
//   dgamma = sum over rows of dy * xhat
//
// The upcasts read bf16 from memory once; only results are rounded to bf16.

func.func @rmsnorm_backward(
    %dy: tensor<16384x4096xbf16>, %x: tensor<16384x4096xbf16>,
    %rstd: tensor<16384xf32>, %gamma: tensor<4096xbf16>)
    -> (tensor<16384x4096xbf16>, tensor<4096xbf16>) {
  %inv_n = arith.constant dense<2.44140625e-04> : tensor<16384xf32>
  %dy_f = arith.extf %dy : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %x_f = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %gamma_f = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>

  %rstd_b = fusion.broadcast %rstd dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %gamma_b = fusion.broadcast %gamma_f dims = [1] : tensor<4096xf32> -> tensor<16384x4096xf32>

  %xhat = arith.mulf %x_f, %rstd_b fastmath<contract> : tensor<16384x4096xf32>
  %wdy = arith.mulf %dy_f, %gamma_b fastmath<contract> : tensor<16384x4096xf32>
  %wdy_xhat = arith.mulf %wdy, %xhat fastmath<contract> : tensor<16384x4096xf32>
  %s = fusion.reduce add %wdy_xhat dims = [1] fastmath<contract> : tensor<16384x4096xf32> -> tensor<16384xf32>
  %c = arith.mulf %s, %inv_n : tensor<16384xf32>
  %c_b = fusion.broadcast %c dims = [0] : tensor<16384xf32> -> tensor<16384x4096xf32>

  %proj = arith.mulf %xhat, %c_b fastmath<contract> : tensor<16384x4096xf32>
  %d = arith.subf %wdy, %proj fastmath<contract> : tensor<16384x4096xf32>
  %dx_f = arith.mulf %d, %rstd_b fastmath<contract> : tensor<16384x4096xf32>
  %dx = arith.truncf %dx_f : tensor<16384x4096xf32> to tensor<16384x4096xbf16>

  %dy_xhat = arith.mulf %dy_f, %xhat fastmath<contract> : tensor<16384x4096xf32>
  %dgamma_f = fusion.reduce add %dy_xhat dims = [0] fastmath<contract> : tensor<16384x4096xf32> -> tensor<4096xf32>
  %dgamma = arith.truncf %dgamma_f : tensor<4096xf32> to tensor<4096xbf16>
  return %dx, %dgamma : tensor<16384x4096xbf16>, tensor<4096xbf16>
}
