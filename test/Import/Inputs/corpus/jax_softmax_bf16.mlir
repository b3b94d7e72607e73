#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x32xbf16>) -> (tensor<6x32xbf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0xFF80> : tensor<bf16>
    %cst_1 = arith.constant 0xFF80 : bf16
    %0 = tensor.empty() : tensor<6xbf16>
    %1 = linalg.fill ins(%cst_1 : bf16) outs(%0 : tensor<6xbf16>) -> tensor<6xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xbf16>) outs(%1 : tensor<6xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %21 = arith.maximumf %out, %in : bf16
      linalg.yield %21 : bf16
    } -> tensor<6xbf16>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_0 : tensor<bf16>) outs(%0 : tensor<6xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6xbf16>
    %4 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%3, %2 : tensor<6xbf16>, tensor<6xbf16>) outs(%0 : tensor<6xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %21 = arith.maximumf %in, %in_2 : bf16
      linalg.yield %21 : bf16
    } -> tensor<6xbf16>
    %5 = tensor.empty() : tensor<6x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6xbf16>) outs(%5 : tensor<6x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6x1xbf16>
    %7 = tensor.empty() : tensor<6x32xbf16>
    %8 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x1xbf16>) outs(%7 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6x32xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%7 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %21 = arith.subf %in, %in_2 : bf16
      linalg.yield %21 : bf16
    } -> tensor<6x32xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x32xbf16>) outs(%7 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %21 = math.exp %in : bf16
      linalg.yield %21 : bf16
    } -> tensor<6x32xbf16>
    %11 = tensor.empty() : tensor<6x32xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x32xbf16>) outs(%11 : tensor<6x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %21 = arith.extf %in : bf16 to f32
      linalg.yield %21 : f32
    } -> tensor<6x32xf32>
    %13 = tensor.empty() : tensor<6xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<6xf32>) -> tensor<6xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<6x32xf32>) outs(%14 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %out, %in : f32
      linalg.yield %21 : f32
    } -> tensor<6xf32>
    %16 = tensor.empty() : tensor<6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<6xf32>) outs(%16 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<6x1xf32>) outs(%5 : tensor<6x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %21 = arith.truncf %in : f32 to bf16
      linalg.yield %21 : bf16
    } -> tensor<6x1xbf16>
    %19 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<6x1xbf16>) outs(%7 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<6x32xbf16>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %19 : tensor<6x32xbf16>, tensor<6x32xbf16>) outs(%7 : tensor<6x32xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %21 = arith.divf %in, %in_2 : bf16
      linalg.yield %21 : bf16
    } -> tensor<6x32xbf16>
    return %20 : tensor<6x32xbf16>
  }
}

