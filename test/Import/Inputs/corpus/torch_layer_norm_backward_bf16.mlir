#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<6x32xbf16>, %arg1: tensor<32xbf16>, %arg2: tensor<6x1xbf16>, %arg3: tensor<6x1xbf16>, %arg4: tensor<6x32xbf16>) -> (tensor<6x32xbf16>, tensor<32xbf16>, tensor<32xbf16>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 3.200000e+01 : f32
    %cst_1 = arith.constant 3.200000e+01 : bf16
    %0 = tensor.empty() : tensor<6x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xbf16>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %3 = tensor.empty() : tensor<32xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%3 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      linalg.yield %29 : f32
    } -> tensor<32xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<6x32xf32>, tensor<6x1xbf16>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: bf16, %out: f32):
      %29 = arith.extf %in_2 : bf16 to f32
      %30 = arith.subf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %arg3 : tensor<6x32xf32>, tensor<6x1xbf16>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: bf16, %out: f32):
      %29 = arith.extf %in_2 : bf16 to f32
      %30 = arith.mulf %in, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %4 : tensor<6x32xf32>, tensor<32xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.mulf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %cst_0 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %9 = tensor.empty() : tensor<6x1xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<6x1xf32>) -> tensor<6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<6x32xf32>) outs(%10 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %6 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.mulf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<6x32xf32>) outs(%10 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %13 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.mulf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.subf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %14 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.subf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %17 = tensor.empty() : tensor<6x1xbf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<6x1xbf16>) outs(%17 : tensor<6x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %29 = arith.divf %in, %cst_1 : bf16
      linalg.yield %29 : bf16
    } -> tensor<6x1xbf16>
    %19 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %16 : tensor<6x1xbf16>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %in_2: f32, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      %30 = arith.mulf %29, %in_2 : f32
      linalg.yield %30 : f32
    } -> tensor<6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %6 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%0 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %29 = arith.mulf %in, %in_2 : f32
      linalg.yield %29 : f32
    } -> tensor<6x32xf32>
    %21 = linalg.fill ins(%cst : f32) outs(%3 : tensor<32xf32>) -> tensor<32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "parallel"]} ins(%20 : tensor<6x32xf32>) outs(%21 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<32xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "parallel"]} ins(%1 : tensor<6x32xf32>) outs(%21 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<32xf32>
    %24 = tensor.empty() : tensor<6x32xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<6x32xf32>) outs(%24 : tensor<6x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<6x32xbf16>
    %26 = tensor.empty() : tensor<32xbf16>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%22 : tensor<32xf32>) outs(%26 : tensor<32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<32xbf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%23 : tensor<32xf32>) outs(%26 : tensor<32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<32xbf16>
    return %25, %27, %28 : tensor<6x32xbf16>, tensor<32xbf16>, tensor<32xbf16>
  }
}
