#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0) -> ()>
module {
  func.func @main(%arg0: tensor<6x32xf32>) -> (tensor<32xf32>, tensor<32xf32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0x7F800000 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant 5.000000e+00 : f64
    %cst_5 = arith.constant 6.000000e+00 : f32
    %cst_6 = arith.constant 6.000000e+00 : f64
    %0 = tensor.empty() : tensor<32xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<6x32xf32>) outs(%1 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<32xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%2 : tensor<32xf32>) outs(%0 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.divf %in, %cst_5 : f32
      linalg.yield %31 : f32
    } -> tensor<32xf32>
    %4 = tensor.empty() : tensor<6x32xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xf32>) outs(%4 : tensor<6x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %31 = arith.extf %in : f32 to f64
      linalg.yield %31 : f64
    } -> tensor<6x32xf64>
    %6 = tensor.empty() : tensor<1x32xf64>
    %7 = linalg.fill ins(%cst_0 : f64) outs(%6 : tensor<1x32xf64>) -> tensor<1x32xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "parallel"]} ins(%5 : tensor<6x32xf64>) outs(%7 : tensor<1x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<1x32xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<1x32xf64>) outs(%6 : tensor<1x32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.divf %in, %cst_6 : f64
      linalg.yield %31 : f64
    } -> tensor<1x32xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %9 : tensor<6x32xf64>, tensor<1x32xf64>) outs(%4 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %in_7: f64, %out: f64):
      %31 = arith.subf %in, %in_7 : f64
      linalg.yield %31 : f64
    } -> tensor<6x32xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %10 : tensor<6x32xf64>, tensor<6x32xf64>) outs(%4 : tensor<6x32xf64>) {
    ^bb0(%in: f64, %in_7: f64, %out: f64):
      %31 = arith.mulf %in, %in_7 : f64
      linalg.yield %31 : f64
    } -> tensor<6x32xf64>
    %12 = tensor.empty() : tensor<32xf64>
    %13 = linalg.fill ins(%cst_0 : f64) outs(%12 : tensor<32xf64>) -> tensor<32xf64>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%11 : tensor<6x32xf64>) outs(%13 : tensor<32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<32xf64>
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%14 : tensor<32xf64>) outs(%12 : tensor<32xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.divf %in, %cst_4 : f64
      linalg.yield %31 : f64
    } -> tensor<32xf64>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%15 : tensor<32xf64>) outs(%0 : tensor<32xf32>) {
    ^bb0(%in: f64, %out: f32):
      %31 = arith.truncf %in : f64 to f32
      linalg.yield %31 : f32
    } -> tensor<32xf32>
    %17 = tensor.empty() : tensor<6xi64>
    %18 = linalg.fill ins(%c0_i64 : i64) outs(%17 : tensor<6xi64>) -> tensor<6xi64>
    %19 = tensor.empty() : tensor<6xf32>
    %20 = linalg.fill ins(%cst_1 : f32) outs(%19 : tensor<6xf32>) -> tensor<6xf32>
    %21:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xf32>) outs(%20, %18 : tensor<6xf32>, tensor<6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_7: i64):
      %31 = linalg.index 1 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.maximumf %in, %out : f32
      %34 = arith.cmpf ogt, %in, %out : f32
      %35 = arith.select %34, %32, %out_7 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<6xf32>, tensor<6xi64>)
    %22 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<6xf32>) -> tensor<6xf32>
    %23:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xf32>) outs(%22, %18 : tensor<6xf32>, tensor<6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_7: i64):
      %31 = linalg.index 1 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.minimumf %in, %out : f32
      %34 = arith.cmpf olt, %in, %out : f32
      %35 = arith.select %34, %32, %out_7 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<6xf32>, tensor<6xi64>)
    %24 = tensor.empty() : tensor<i64>
    %25 = linalg.fill ins(%c0_i64 : i64) outs(%24 : tensor<i64>) -> tensor<i64>
    %26 = tensor.empty() : tensor<f32>
    %27 = linalg.fill ins(%cst_2 : f32) outs(%26 : tensor<f32>) -> tensor<f32>
    %28:2 = linalg.generic {indexing_maps = [#map2, #map5, #map5], iterator_types = ["reduction"]} ins(%23#0 : tensor<6xf32>) outs(%27, %25 : tensor<f32>, tensor<i64>) {
    ^bb0(%in: f32, %out: f32, %out_7: i64):
      %31 = linalg.index 0 : index
      %32 = arith.index_cast %31 : index to i64
      %33 = arith.minimumf %in, %out : f32
      %34 = arith.cmpf olt, %in, %out : f32
      %35 = arith.select %34, %32, %out_7 : i64
      linalg.yield %33, %35 : f32, i64
    } -> (tensor<f32>, tensor<i64>)
    %29 = linalg.fill ins(%cst_3 : f32) outs(%19 : tensor<6xf32>) -> tensor<6xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xf32>) outs(%29 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.mulf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<6xf32>
    return %3, %16, %21#0, %28#0, %30 : tensor<32xf32>, tensor<32xf32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>
  }
}
