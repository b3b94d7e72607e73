#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module @jit__lambda {
  func.func public @main(%arg0: tensor<6x32xbf16>) -> tensor<6x32xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF80 : bf16
    %0 = tensor.empty() : tensor<6xbf16>
    %1 = linalg.fill ins(%cst_0 : bf16) outs(%0 : tensor<6xbf16>) -> tensor<6xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xbf16>) outs(%1 : tensor<6xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %15 = arith.maximumf %out, %in : bf16
      linalg.yield %15 : bf16
    } -> tensor<6xbf16>
    %3 = tensor.empty() : tensor<6x32xbf16>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6xbf16>) outs(%3 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%3 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %15 = arith.subf %in, %in_1 : bf16
      linalg.yield %15 : bf16
    } -> tensor<6x32xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x32xbf16>) outs(%3 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %15 = math.exp %in : bf16
      linalg.yield %15 : bf16
    } -> tensor<6x32xbf16>
    %7 = tensor.empty() : tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x32xbf16>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %15 = arith.extf %in : bf16 to f32
      linalg.yield %15 : f32
    } -> tensor<6x32xf32>
    %9 = tensor.empty() : tensor<6xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<6xf32>) -> tensor<6xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<6x32xf32>) outs(%10 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = arith.addf %out, %in : f32
      linalg.yield %15 : f32
    } -> tensor<6xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<6xf32>) outs(%0 : tensor<6xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %15 = arith.truncf %in : f32 to bf16
      linalg.yield %15 : bf16
    } -> tensor<6xbf16>
    %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6xbf16>) outs(%3 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6x32xbf16>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %13 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%3 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %15 = arith.divf %in, %in_1 : bf16
      linalg.yield %15 : bf16
    } -> tensor<6x32xbf16>
    return %14 : tensor<6x32xbf16>
  }
}

