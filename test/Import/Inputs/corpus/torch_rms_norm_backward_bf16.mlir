#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<32xbf16>, %arg1: tensor<6x32xf32>, %arg2: tensor<6x1xf32>, %arg3: tensor<6x1xf32>, %arg4: tensor<6x32xbf16>, %arg5: tensor<6x32xbf16>) -> (tensor<6x32xbf16>, tensor<32xbf16>) {
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant -5.000000e-01 : f32
    %cst_2 = arith.constant 3.200000e+01 : f32
    %0 = tensor.empty() : tensor<6x32xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5, %arg4 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %22 = arith.mulf %in, %in_4 : bf16
      linalg.yield %22 : bf16
    } -> tensor<6x32xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5, %arg0 : tensor<6x32xbf16>, tensor<32xbf16>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
      %22 = arith.mulf %in, %in_4 : bf16
      linalg.yield %22 : bf16
    } -> tensor<6x32xbf16>
    %3 = tensor.empty() : tensor<1x32xbf16>
    %4 = linalg.fill ins(%cst : bf16) outs(%3 : tensor<1x32xbf16>) -> tensor<1x32xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "parallel"]} ins(%1 : tensor<6x32xbf16>) outs(%4 : tensor<1x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %22 = arith.addf %in, %out : bf16
      linalg.yield %22 : bf16
    } -> tensor<1x32xbf16>
    %collapsed = tensor.collapse_shape %5 [[0, 1]] : tensor<1x32xbf16> into tensor<32xbf16>
    %6 = tensor.empty() : tensor<6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x32xbf16>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %22 = arith.extf %in : bf16 to f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg1 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %22 = arith.mulf %in, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg2 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %22 = arith.mulf %in, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %10 = tensor.empty() : tensor<6x1xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<6x1xf32>) -> tensor<6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<6x32xf32>) outs(%11 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.addf %in, %out : f32
      linalg.yield %22 : f32
    } -> tensor<6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<6x1xf32>) outs(%10 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %22 : f32
    } -> tensor<6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6x1xf32>) outs(%10 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.mulf %in, %cst_1 : f32
      linalg.yield %22 : f32
    } -> tensor<6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %13 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%10 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %22 = arith.mulf %in, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<6x1xf32>
    %collapsed_3 = tensor.collapse_shape %15 [[0, 1]] : tensor<6x1xf32> into tensor<6xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_3 : tensor<6xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<6x32xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.divf %in, %cst_2 : f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %arg1 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %22 = arith.mulf %in, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %18 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %22 = arith.addf %in, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %18 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %22 = arith.addf %in, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<6x32xf32>) outs(%0 : tensor<6x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %22 = arith.truncf %in : f32 to bf16
      linalg.yield %22 : bf16
    } -> tensor<6x32xbf16>
    return %21, %collapsed : tensor<6x32xbf16>, tensor<32xbf16>
  }
}
