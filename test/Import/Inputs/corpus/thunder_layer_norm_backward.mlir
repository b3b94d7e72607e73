// The gradient of layer norm as Thunder traces it, operation for operation: each row
// scalar reaches its use through broadcast, copy, squeeze, broadcast and expand.
#full = affine_map<(d0, d1) -> (d0, d1)>
#kept = affine_map<(d0, d1) -> (d0, 0)>
#column = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @layer_norm_backward(%x: tensor<6x32xf32>, %w: tensor<32xf32>, %mean: tensor<6x1xf32>, %rstd: tensor<6x1xf32>, %g: tensor<6x32xf32>) -> (tensor<6x32xf32>, tensor<32xf32>, tensor<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant -0.5 : f32
  %one_over_n = arith.constant 0.03125 : f32
  %two_over_n = arith.constant 0.0625 : f32
  %e = tensor.empty() : tensor<6x32xf32>
  %ek = tensor.empty() : tensor<6x1xf32>
  %er = tensor.empty() : tensor<6xf32>
  %ec = tensor.empty() : tensor<32xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<6xf32>) -> tensor<6xf32>
  %zc = linalg.fill ins(%zero : f32) outs(%ec : tensor<32xf32>) -> tensor<32xf32>
  %centered = linalg.generic {indexing_maps = [#full, #kept, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<6x32xf32>, tensor<6x1xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.subf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %normalized = linalg.generic {indexing_maps = [#full, #kept, #full], iterator_types = ["parallel", "parallel"]}
      ins(%centered, %rstd : tensor<6x32xf32>, tensor<6x1xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %by_weight = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%g, %normalized : tensor<6x32xf32>, tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %weight_grad = linalg.generic {indexing_maps = [#full, #column], iterator_types = ["reduction", "parallel"]}
      ins(%by_weight : tensor<6x32xf32>) outs(%zc : tensor<32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.addf %a0, %out : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %bias_grad = linalg.generic {indexing_maps = [#full, #column], iterator_types = ["reduction", "parallel"]}
      ins(%g : tensor<6x32xf32>) outs(%zc : tensor<32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.addf %a0, %out : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  %scaled = linalg.generic {indexing_maps = [#full, #column, #full], iterator_types = ["parallel", "parallel"]}
      ins(%g, %w : tensor<6x32xf32>, tensor<32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %by_centered = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %centered : tensor<6x32xf32>, tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %rstd_sum = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%by_centered : tensor<6x32xf32>) outs(%zr : tensor<6xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.addf %a0, %out : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  %rstd_kept = tensor.expand_shape %rstd_sum [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
  %rstd_grad = linalg.copy ins(%rstd_kept : tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) -> tensor<6x1xf32>
  %direct = linalg.generic {indexing_maps = [#full, #kept, #full], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %rstd : tensor<6x32xf32>, tensor<6x1xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %variance0 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%rstd_grad : tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.mulf %a0, %half : f32
    linalg.yield %t : f32
  } -> tensor<6x1xf32>
  %variance1 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%variance0, %rstd : tensor<6x1xf32>, tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x1xf32>
  %variance2 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%variance1, %rstd : tensor<6x1xf32>, tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x1xf32>
  %variance3 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%variance2, %rstd : tensor<6x1xf32>, tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x1xf32>
  %negated = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%direct : tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.negf %a0 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  // T19 to T31 of the trace: sum, broadcast, set, squeeze, broadcast, set, set,
  // expand, product.
  %t19 = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%negated : tensor<6x32xf32>) outs(%zr : tensor<6xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.addf %a0, %out : f32
    linalg.yield %t : f32
  } -> tensor<6xf32>
  %t20 = tensor.expand_shape %t19 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
  %t21 = linalg.copy ins(%t20 : tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) -> tensor<6x1xf32>
  %t25 = tensor.collapse_shape %t21 [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %t27 = tensor.expand_shape %t25 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
  %t28 = linalg.copy ins(%t27 : tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) -> tensor<6x1xf32>
  %t29 = linalg.copy ins(%t28 : tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) -> tensor<6x1xf32>
  %t30 = linalg.generic {indexing_maps = [#kept, #full], iterator_types = ["parallel", "parallel"]}
      ins(%t29 : tensor<6x1xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    linalg.yield %a0 : f32
  } -> tensor<6x32xf32>
  %t31 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%t30 : tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.mulf %a0, %one_over_n : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %v0 = tensor.collapse_shape %variance3 [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
  %v1 = tensor.expand_shape %v0 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
  %v2 = linalg.copy ins(%v1 : tensor<6x1xf32>) outs(%ek : tensor<6x1xf32>) -> tensor<6x1xf32>
  %v3 = linalg.generic {indexing_maps = [#kept, #full], iterator_types = ["parallel", "parallel"]}
      ins(%v2 : tensor<6x1xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    linalg.yield %a0 : f32
  } -> tensor<6x32xf32>
  %t38 = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%centered : tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %t = arith.mulf %a0, %two_over_n : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %t39 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%t38, %v3 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.mulf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  // The addition at which a search from use to definition lost the row.
  %t40 = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%t31, %t39 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.addf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  %x_grad = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%direct, %t40 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%e : tensor<6x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %t = arith.addf %a0, %a1 : f32
    linalg.yield %t : f32
  } -> tensor<6x32xf32>
  return %x_grad, %weight_grad, %bias_grad : tensor<6x32xf32>, tensor<32xf32>, tensor<32xf32>
}
