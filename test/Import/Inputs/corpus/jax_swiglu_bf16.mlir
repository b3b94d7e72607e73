#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x32xbf16>, %arg1: tensor<6x32xbf16>) -> (tensor<6x32xbf16> {jax.result_info = "result"}) {
    %cst = arith.constant dense<1.000000e+00> : tensor<bf16>
    %0 = tensor.empty() : tensor<6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %8 = arith.negf %in : bf16
      linalg.yield %8 : bf16
    } -> tensor<6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %8 = math.exp %in : bf16
      linalg.yield %8 : bf16
    } -> tensor<6x32xbf16>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<bf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6x32xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %2 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %8 = arith.addf %in, %in_0 : bf16
      linalg.yield %8 : bf16
    } -> tensor<6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %8 = arith.divf %in, %in_0 : bf16
      linalg.yield %8 : bf16
    } -> tensor<6x32xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %8 = arith.mulf %in, %in_0 : bf16
      linalg.yield %8 : bf16
    } -> tensor<6x32xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %arg1 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %8 = arith.mulf %in, %in_0 : bf16
      linalg.yield %8 : bf16
    } -> tensor<6x32xbf16>
    return %7 : tensor<6x32xbf16>
  }
}

