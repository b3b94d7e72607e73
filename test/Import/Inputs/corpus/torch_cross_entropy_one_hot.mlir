#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0) -> ()>
#map7 = affine_map<() -> ()>
module {
  func.func @main(%arg0: tensor<6x32xf32>, %arg1: tensor<6xi64>) -> tensor<f32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 6.000000e+00 : f32
    %0 = tensor.empty() : tensor<32xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %25 = linalg.index 0 : index
      %26 = arith.index_cast %25 : index to i64
      linalg.yield %26 : i64
    } -> tensor<32xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %expanded_3 = tensor.expand_shape %arg1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %2 = tensor.empty() : tensor<6x32xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_3 : tensor<1x32xi64>, tensor<6x1xi64>) outs(%2 : tensor<6x32xi1>) {
    ^bb0(%in: i64, %in_5: i64, %out: i1):
      %25 = arith.cmpi eq, %in, %in_5 : i64
      linalg.yield %25 : i1
    } -> tensor<6x32xi1>
    %4 = tensor.empty() : tensor<6xi64>
    %5 = linalg.fill ins(%c0_i64 : i64) outs(%4 : tensor<6xi64>) -> tensor<6xi64>
    %6 = tensor.empty() : tensor<6xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<6xf32>) -> tensor<6xf32>
    %8:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xf32>) outs(%7, %5 : tensor<6xf32>, tensor<6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_5: i64):
      %25 = linalg.index 1 : index
      %26 = arith.index_cast %25 : index to i64
      %27 = arith.maximumf %in, %out : f32
      %28 = arith.cmpf ogt, %in, %out : f32
      %29 = arith.select %28, %26, %out_5 : i64
      linalg.yield %27, %29 : f32, i64
    } -> (tensor<6xf32>, tensor<6xi64>)
    %expanded_4 = tensor.expand_shape %8#0 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %9 = tensor.empty() : tensor<6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded_4 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%9 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %25 = arith.subf %in, %in_5 : f32
      linalg.yield %25 : f32
    } -> tensor<6x32xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x32xf32>) outs(%9 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.exp %in : f32
      linalg.yield %25 : f32
    } -> tensor<6x32xf32>
    %12 = tensor.empty() : tensor<6x1xf32>
    %13 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<6x1xf32>) -> tensor<6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "reduction"]} ins(%11 : tensor<6x32xf32>) outs(%13 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %in, %out : f32
      linalg.yield %25 : f32
    } -> tensor<6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<6x1xf32>) outs(%12 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = math.log %in : f32
      linalg.yield %25 : f32
    } -> tensor<6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%10, %15 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%9 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %25 = arith.subf %in, %in_5 : f32
      linalg.yield %25 : f32
    } -> tensor<6x32xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %16, %cst_1 : tensor<6x32xi1>, tensor<6x32xf32>, tensor<f32>) outs(%9 : tensor<6x32xf32>) {
    ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
      %25 = arith.select %in, %in_5, %in_6 : f32
      linalg.yield %25 : f32
    } -> tensor<6x32xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<6xf32>) -> tensor<6xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<6x32xf32>) outs(%18 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %in, %out : f32
      linalg.yield %25 : f32
    } -> tensor<6xf32>
    %20 = tensor.empty() : tensor<f32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<f32>) -> tensor<f32>
    %22 = linalg.generic {indexing_maps = [#map, #map6], iterator_types = ["reduction"]} ins(%19 : tensor<6xf32>) outs(%21 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.addf %in, %out : f32
      linalg.yield %25 : f32
    } -> tensor<f32>
    %23 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%22 : tensor<f32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.divf %in, %cst_2 : f32
      linalg.yield %25 : f32
    } -> tensor<f32>
    %24 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%23 : tensor<f32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %25 = arith.negf %in : f32
      linalg.yield %25 : f32
    } -> tensor<f32>
    return %24 : tensor<f32>
  }
}
