// Layer-norm backward with a place for its schedule.
func.func @backward(%dy: tensor<9x520xf32>, %x: tensor<9x520xf32>, %mean: tensor<9xf32>,
                    %rstd: tensor<9xf32>, %gamma: tensor<520xf32>)
    -> (tensor<9x520xf32>, tensor<520xf32>, tensor<520xf32>, tensor<9xf32>) {
  %0:4 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<SCHEDULE, width = 4, finish_blocks = 17, shared_bytes = 65536>
      (%a = %dy : tensor<9x520xf32>, %b = %x : tensor<9x520xf32>, %m = %mean : tensor<9xf32>,
       %s = %rstd : tensor<9xf32>, %g = %gamma : tensor<520xf32>)
      -> (tensor<9x520xf32>, tensor<520xf32>, tensor<520xf32>, tensor<9xf32>) {
    %inv_n = arith.constant dense<1.923077e-03> : tensor<9xf32>
    %mean_b = fusion.broadcast %m dims = [0] : tensor<9xf32> -> tensor<9x520xf32>
    %rstd_b = fusion.broadcast %s dims = [0] : tensor<9xf32> -> tensor<9x520xf32>
    %gamma_b = fusion.broadcast %g dims = [1] : tensor<520xf32> -> tensor<9x520xf32>
    %centred = arith.subf %b, %mean_b : tensor<9x520xf32>
    %xhat = arith.mulf %centred, %rstd_b : tensor<9x520xf32>
    %wdy = arith.mulf %a, %gamma_b : tensor<9x520xf32>
    %wdy_xhat = arith.mulf %wdy, %xhat : tensor<9x520xf32>
    %s1 = fusion.reduce add %wdy_xhat dims = [1] : tensor<9x520xf32> -> tensor<9xf32>
    %s2 = fusion.reduce add %wdy dims = [1] : tensor<9x520xf32> -> tensor<9xf32>
    %largest = fusion.reduce maximumf %xhat dims = [1] : tensor<9x520xf32> -> tensor<9xf32>
    %c1 = arith.mulf %s1, %inv_n : tensor<9xf32>
    %c2 = arith.mulf %s2, %inv_n : tensor<9xf32>
    %c1_b = fusion.broadcast %c1 dims = [0] : tensor<9xf32> -> tensor<9x520xf32>
    %c2_b = fusion.broadcast %c2 dims = [0] : tensor<9xf32> -> tensor<9x520xf32>
    %proj = arith.mulf %xhat, %c1_b : tensor<9x520xf32>
    %d0 = arith.subf %wdy, %proj : tensor<9x520xf32>
    %d1 = arith.subf %d0, %c2_b : tensor<9x520xf32>
    %dx = arith.mulf %d1, %rstd_b : tensor<9x520xf32>
    %dy_xhat = arith.mulf %a, %xhat : tensor<9x520xf32>
    %dgamma = fusion.reduce add %dy_xhat dims = [0] : tensor<9x520xf32> -> tensor<520xf32>
    %dbeta = fusion.reduce add %a dims = [0] : tensor<9x520xf32> -> tensor<520xf32>
    fusion.yield %dx, %dgamma, %dbeta, %largest : tensor<9x520xf32>, tensor<520xf32>, tensor<520xf32>, tensor<9xf32>
  }
  return %0#0, %0#1, %0#2, %0#3 : tensor<9x520xf32>, tensor<520xf32>, tensor<520xf32>, tensor<9xf32>
}
