#map = affine_map<(d0, d1) -> (d0, d1)>
module @jit__lambda {
  func.func public @main(%arg0: tensor<6x32xf32>) -> tensor<6x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x32xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x32xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<6x32xi32>
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x32xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 0 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<6x32xi32>
    %3 = tensor.empty() : tensor<6x32xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<6x32xi32>, tensor<6x32xi32>) outs(%3 : tensor<6x32xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %7 = arith.cmpi sle, %in, %in_0 : i32
      linalg.yield %7 : i1
    } -> tensor<6x32xi1>
    %5 = tensor.empty() : tensor<6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg0 : tensor<6x32xi1>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: i1, %in_0: f32, %out: f32):
      %7 = arith.select %in, %in_0, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<6x32xf32>
    return %6 : tensor<6x32xf32>
  }
}

