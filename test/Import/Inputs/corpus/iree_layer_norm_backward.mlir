#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
module @jit_backward {
  func.func public @main(%arg0: tensor<6x32xf32>, %arg1: tensor<6x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>) -> (tensor<6x32xf32>, tensor<32xf32>, tensor<32xf32>) {
    %cst = arith.constant -5.000000e-01 : f32
    %cst_0 = arith.constant 9.99999974E-6 : f32
    %cst_1 = arith.constant 3.200000e+01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg1 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6xf32>
    %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %3 = tensor.empty() : tensor<6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.divf %in, %cst_1 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %5 = tensor.empty() : tensor<6x32xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x1xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %6 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.subf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.mulf %in, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6xf32>
    %expanded_3 = tensor.expand_shape %9 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_3 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.divf %in, %cst_1 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %cst_0 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.rsqrt %in : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %11 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.divf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.mulf %in, %cst : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<6x1xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %15 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %17 = tensor.empty() : tensor<32xf32>
    %18 = linalg.fill ins(%cst_2 : f32) outs(%17 : tensor<32xf32>) -> tensor<32xf32>
    %19 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xf32>) outs(%18 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<32xf32>
    %expanded_4 = tensor.expand_shape %19 [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded_4 : tensor<1x32xf32>) outs(%18 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %arg0 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%21 : tensor<6x32xf32>) outs(%18 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<32xf32>
    %expanded_5 = tensor.expand_shape %22 [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %23 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded_5 : tensor<1x32xf32>) outs(%18 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<32xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %24 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%26 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6xf32>
    %expanded_6 = tensor.expand_shape %27 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %15 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_6, %14 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.divf %in, %cst_1 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%30 : tensor<6x1xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<6xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %32 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %33 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.addf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %7 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.addf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.negf %in : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%37 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6xf32>
    %expanded_7 = tensor.expand_shape %38 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_7 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.divf %in, %cst_1 : f32
      linalg.yield %43 : f32
    } -> tensor<6x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%39 : tensor<6x1xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %out, %in : f32
      linalg.yield %43 : f32
    } -> tensor<6xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<6xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %41 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%5 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.addf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<6x32xf32>
    return %42, %25, %20 : tensor<6x32xf32>, tensor<32xf32>, tensor<32xf32>
  }
}

