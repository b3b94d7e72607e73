#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (d1, d0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
module @jit_backward attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x32xf32>, %arg1: tensor<6x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32xf32>) -> (tensor<6x32xf32> {jax.result_info = "result[0]"}, tensor<32xf32> {jax.result_info = "result[1]"}, tensor<32xf32> {jax.result_info = "result[2]"}) {
    %cst = arith.constant dense<-5.000000e-01> : tensor<f32>
    %cst_0 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %cst_1 = arith.constant dense<3.200000e+01> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg1 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<6xf32>
    %3 = tensor.empty() : tensor<6x1xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %5 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.divf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %7 = tensor.empty() : tensor<6x32xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x1xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %8 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.subf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %9 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<6xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %5 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.divf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.addf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = math.rsqrt %in : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %15 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.divf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %17 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<6x1xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %20 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %22 = tensor.empty() : tensor<1x32xf32>
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32xf32>) outs(%22 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32xf32>
    %24 = tensor.empty() : tensor<32xf32>
    %25 = linalg.fill ins(%cst_2 : f32) outs(%24 : tensor<32xf32>) -> tensor<32xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x32xf32>) outs(%25 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<32xf32>
    %expanded = tensor.expand_shape %26 [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    %27 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<1x32xf32>) outs(%25 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<32xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %arg0 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "reduction"]} ins(%28 : tensor<6x32xf32>) outs(%25 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<32xf32>
    %expanded_3 = tensor.expand_shape %29 [[0, 1]] output_shape [1, 32] : tensor<32xf32> into tensor<1x32xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %30 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "reduction"]} ins(%expanded_3 : tensor<1x32xf32>) outs(%25 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<32xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %31 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%33 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<6xf32>
    %expanded_4 = tensor.expand_shape %34 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %20 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_4, %19 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %5 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.divf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%37 : tensor<6x1xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<6xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<6xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %39 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %40 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.addf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %9 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.mulf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%41, %42 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.addf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.negf %in : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%44 : tensor<6x32xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<6xf32>
    %expanded_5 = tensor.expand_shape %45 [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %5 : tensor<6x1xf32>, tensor<6x1xf32>) outs(%3 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.divf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x1xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%46 : tensor<6x1xf32>) outs(%1 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %50 = arith.addf %out, %in : f32
      linalg.yield %50 : f32
    } -> tensor<6xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<6xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x32xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%43, %48 : tensor<6x32xf32>, tensor<6x32xf32>) outs(%7 : tensor<6x32xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %50 = arith.addf %in, %in_6 : f32
      linalg.yield %50 : f32
    } -> tensor<6x32xf32>
    return %49, %32, %27 : tensor<6x32xf32>, tensor<32xf32>, tensor<32xf32>
  }
}

