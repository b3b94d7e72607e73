// Reshapes that group elements in ways that have no common factors are views
// between kernels: no kernel has loops for both.
// RUN: fusion-opt %s --fusion-to-segments | FileCheck %s
// RUN: fusion-opt %s --fusion-to-segments --fusion-verify-segmented -o /dev/null
// RUN: fusion-opt %s --fusion-to-ptx=chip=sm_90 -o /dev/null
//
// DEFINE: %{function} =
// DEFINE: %{run} = fusion-runner %s --function=%{function} --device=sim --verify
// REDEFINE: %{function} = two_sizes
// RUN: %{run}
// REDEFINE: %{function} = both_returned
// RUN: %{run}
// REDEFINE: %{function} = argument
// RUN: %{run}

// CHECK-LABEL: func.func @two_sizes(
// CHECK-SAME: %[[X:.*]]: tensor<3x240xf32>)
// CHECK: %[[A:.*]]:2 = fusion.segment
// CHECK: tensor.expand_shape {{.*}} output_shape [3, 5, 48]
// CHECK: fusion.yield
// CHECK: }
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %[[A]]#{{[01]}} {{.*}} output_shape [3, 24, 10]
// CHECK: fusion.segment {{.*}}(%{{.*}} = %[[VIEW]] : tensor<3x24x10xf32>)
func.func @two_sizes(%x: tensor<3x240xf32>) -> (tensor<3x5xf32>, tensor<3x240xf32>, tensor<3x24xf32>) {
  %s = fusion.reduce add %x dims = [1] : tensor<3x240xf32> -> tensor<3xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<3xf32> -> tensor<3x240xf32>
  %y = arith.subf %x, %sb : tensor<3x240xf32>
  %a = tensor.expand_shape %y [[0], [1, 2]] output_shape [3, 5, 48] : tensor<3x240xf32> into tensor<3x5x48xf32>
  %m = fusion.reduce maximumf %a dims = [2] : tensor<3x5x48xf32> -> tensor<3x5xf32>
  %b = tensor.expand_shape %y [[0], [1, 2]] output_shape [3, 24, 10] : tensor<3x240xf32> into tensor<3x24x10xf32>
  %n = fusion.reduce minimumf %b dims = [2] : tensor<3x24x10xf32> -> tensor<3x24xf32>
  return %m, %y, %n : tensor<3x5xf32>, tensor<3x240xf32>, tensor<3x24xf32>
}

// The caller owns each result alone.
func.func @both_returned(%x: tensor<4x6xf32>) -> (tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<4x3x2xf32>) {
  %y = arith.addf %x, %x : tensor<4x6xf32>
  %a = tensor.expand_shape %y [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x6xf32> into tensor<4x2x3xf32>
  %b = tensor.expand_shape %y [[0], [1, 2]] output_shape [4, 3, 2] : tensor<4x6xf32> into tensor<4x3x2xf32>
  return %a, %y, %b : tensor<4x2x3xf32>, tensor<4x6xf32>, tensor<4x3x2xf32>
}

// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[X:.*]]: tensor<6x4xi32>)
// CHECK-DAG: %[[VIEW:.*]] = tensor.expand_shape %[[X]]
func.func @argument(%x: tensor<6x4xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>) {
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xi32> into tensor<2x3x4xi32>
  %r = fusion.reduce maxsi %a dims = [1] : tensor<2x3x4xi32> -> tensor<2x4xi32>
  %b = tensor.expand_shape %x [[0, 1], [2]] output_shape [3, 2, 4] : tensor<6x4xi32> into tensor<3x2x4xi32>
  %s = fusion.reduce minsi %b dims = [0] : tensor<3x2x4xi32> -> tensor<2x4xi32>
  return %r, %s : tensor<2x4xi32>, tensor<2x4xi32>
}
