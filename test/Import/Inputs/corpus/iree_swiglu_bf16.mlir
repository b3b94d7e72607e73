#map = affine_map<(d0, d1) -> (d0, d1)>
module @jit__lambda {
  func.func public @main(%arg0: tensor<6x32xbf16>, %arg1: tensor<6x32xbf16>) -> tensor<6x32xbf16> {
    %cst = arith.constant 1.000000e+00 : bf16
    %0 = tensor.empty() : tensor<6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %7 = arith.negf %in : bf16
      linalg.yield %7 : bf16
    } -> tensor<6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %7 = math.exp %in : bf16
      linalg.yield %7 : bf16
    } -> tensor<6x32xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %7 = arith.addf %in, %cst : bf16
      linalg.yield %7 : bf16
    } -> tensor<6x32xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %7 = arith.divf %cst, %in : bf16
      linalg.yield %7 : bf16
    } -> tensor<6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %7 = arith.mulf %in, %in_0 : bf16
      linalg.yield %7 : bf16
    } -> tensor<6x32xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %arg1 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %7 = arith.mulf %in, %in_0 : bf16
      linalg.yield %7 : bf16
    } -> tensor<6x32xbf16>
    return %6 : tensor<6x32xbf16>
  }
}

