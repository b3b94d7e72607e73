#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<6x32xbf16>, %arg1: tensor<6x32xbf16>, %arg2: tensor<6x32xbf16>, %arg3: tensor<6x32xbf16>) -> (tensor<6x32xbf16>, tensor<6x32xbf16>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant dense<1> : tensor<i64>
    %0 = tensor.empty() : tensor<6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %arg2 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %13 = arith.mulf %in, %in_1 : bf16
      linalg.yield %13 : bf16
    } -> tensor<6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %arg1 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %13 = arith.mulf %in, %in_1 : bf16
      linalg.yield %13 : bf16
    } -> tensor<6x32xbf16>
    %3 = tensor.empty() : tensor<6x32xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x32xbf16>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %13 = arith.extf %in : bf16 to f32
      linalg.yield %13 : f32
    } -> tensor<6x32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xbf16>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %13 = arith.extf %in : bf16 to f32
      linalg.yield %13 : f32
    } -> tensor<6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<6x32xf32>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.negf %in : f32
      %14 = math.exp %13 : f32
      %15 = arith.addf %14, %cst : f32
      %16 = arith.divf %cst, %15 : f32
      linalg.yield %16 : f32
    } -> tensor<6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0, %6 : tensor<i64>, tensor<6x32xf32>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: i64, %in_1: f32, %out: f32):
      %13 = arith.sitofp %in : i64 to f32
      %14 = arith.subf %13, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %8 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x32xf32>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.addf %in, %cst : f32
      linalg.yield %13 : f32
    } -> tensor<6x32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %10 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%3 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.mulf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<6x32xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<6x32xf32>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %13 = arith.truncf %in : f32 to bf16
      linalg.yield %13 : bf16
    } -> tensor<6x32xbf16>
    return %12, %1 : tensor<6x32xbf16>, tensor<6x32xbf16>
  }
}
