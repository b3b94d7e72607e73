#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<6x32xf32>) -> tensor<6x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = tensor.empty() : tensor<6xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %18 = linalg.index 0 : index
      %19 = arith.index_cast %18 : index to i64
      linalg.yield %19 : i64
    } -> tensor<6xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %2 = tensor.empty() : tensor<32xi64>
    %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%2 : tensor<32xi64>) {
    ^bb0(%out: i64):
      %18 = linalg.index 0 : index
      %19 = arith.index_cast %18 : index to i64
      linalg.yield %19 : i64
    } -> tensor<32xi64>
    %expanded_2 = tensor.expand_shape %3 [[0, 1]] output_shape [1, 32] : tensor<32xi64> into tensor<1x32xi64>
    %4 = tensor.empty() : tensor<6x32xi1>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_2, %expanded : tensor<1x32xi64>, tensor<6x1xi64>) outs(%4 : tensor<6x32xi1>) {
    ^bb0(%in: i64, %in_4: i64, %out: i1):
      %18 = arith.cmpi sle, %in, %in_4 : i64
      linalg.yield %18 : i1
    } -> tensor<6x32xi1>
    %6 = tensor.empty() : tensor<6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%5, %arg0, %cst_1 : tensor<6x32xi1>, tensor<6x32xf32>, tensor<f32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %18 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %18 : f32
    } -> tensor<6x32xf32>
    %8 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<6xi64>) -> tensor<6xi64>
    %9 = tensor.empty() : tensor<6xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<6xf32>) -> tensor<6xf32>
    %11:2 = linalg.generic {indexing_maps = [#map3, #map5, #map5], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<6x32xf32>) outs(%10, %8 : tensor<6xf32>, tensor<6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_4: i64):
      %18 = linalg.index 1 : index
      %19 = arith.index_cast %18 : index to i64
      %20 = arith.maximumf %in, %out : f32
      %21 = arith.cmpf ogt, %in, %out : f32
      %22 = arith.select %21, %19, %out_4 : i64
      linalg.yield %20, %22 : f32, i64
    } -> (tensor<6xf32>, tensor<6xi64>)
    %expanded_3 = tensor.expand_shape %11#0 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%7, %expanded_3 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %18 = arith.subf %in, %in_4 : f32
      linalg.yield %18 : f32
    } -> tensor<6x32xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6x32xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = math.exp %in : f32
      linalg.yield %18 : f32
    } -> tensor<6x32xf32>
    %14 = tensor.empty() : tensor<6x1xf32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<6x1xf32>) -> tensor<6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<6x32xf32>) outs(%15 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %18 = arith.addf %in, %out : f32
      linalg.yield %18 : f32
    } -> tensor<6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%13, %16 : tensor<6x32xf32>, tensor<6x1xf32>) outs(%6 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %18 = arith.divf %in, %in_4 : f32
      linalg.yield %18 : f32
    } -> tensor<6x32xf32>
    return %17 : tensor<6x32xf32>
  }
}
