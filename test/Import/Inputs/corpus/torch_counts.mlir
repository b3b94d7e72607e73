#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<6x32xf32>) -> (tensor<6xi64>, tensor<32xi1>, tensor<6xi1>) {
    %c0_i64 = arith.constant 0 : i64
    %false = arith.constant false
    %true = arith.constant true
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 3.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x32xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xf32>) outs(%0 : tensor<6x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %12 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %12 : i1
    } -> tensor<6x32xi1>
    %2 = tensor.empty() : tensor<6xi64>
    %3 = linalg.fill ins(%c0_i64 : i64) outs(%2 : tensor<6xi64>) -> tensor<6xi64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<6x32xi1>) outs(%3 : tensor<6xi64>) {
    ^bb0(%in: i1, %out: i64):
      %12 = arith.extui %in : i1 to i64
      %13 = arith.addi %12, %out : i64
      linalg.yield %13 : i64
    } -> tensor<6xi64>
    %5 = tensor.empty() : tensor<32xi1>
    %6 = linalg.fill ins(%false : i1) outs(%5 : tensor<32xi1>) -> tensor<32xi1>
    %7 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "parallel"]} ins(%1 : tensor<6x32xi1>) outs(%6 : tensor<32xi1>) {
    ^bb0(%in: i1, %out: i1):
      %12 = arith.ori %in, %out : i1
      linalg.yield %12 : i1
    } -> tensor<32xi1>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x32xf32>) outs(%0 : tensor<6x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %12 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %12 : i1
    } -> tensor<6x32xi1>
    %9 = tensor.empty() : tensor<6xi1>
    %10 = linalg.fill ins(%true : i1) outs(%9 : tensor<6xi1>) -> tensor<6xi1>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<6x32xi1>) outs(%10 : tensor<6xi1>) {
    ^bb0(%in: i1, %out: i1):
      %12 = arith.andi %in, %out : i1
      linalg.yield %12 : i1
    } -> tensor<6xi1>
    return %4, %7, %11 : tensor<6xi64>, tensor<32xi1>, tensor<6xi1>
  }
}
