// Views in front of a reduction: they only say which dimension is which loop.
// RUN: fusion-opt %s --fusion-reorder-reductions | FileCheck %s

// The batch of x is collapsed, that of b is not.
// CHECK-LABEL: func.func @collapsed_kept(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = fusion.reduce add %[[ARG0]] dims = [2] fastmath<reassoc> : tensor<4x16x32xf32> -> tensor<4x16xf32>
// CHECK-NEXT: %[[V3:.*]] = tensor.expand_shape %[[ARG1]] {{.*}} : tensor<64x128xf32> into tensor<4x16x128xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V2]] dims = [0, 1] : tensor<4x16xf32> -> tensor<4x16x128xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[V3]] fastmath<reassoc> : tensor<4x16x128xf32>
// CHECK-NEXT: %[[V6:.*]] = tensor.collapse_shape %[[V5]] {{.*}} : tensor<4x16x128xf32> into tensor<64x128xf32>
// CHECK-NEXT: return %[[V6]] : tensor<64x128xf32>
func.func @collapsed_kept(%x: tensor<4x16x32xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x16x32xf32> into tensor<64x32xf32>
  %1 = fusion.broadcast %0 dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %2 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %3 = arith.mulf %1, %2 fastmath<reassoc> : tensor<64x32x128xf32>
  %4 = fusion.reduce add %3 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %4 : tensor<64x128xf32>
}

// The reduced dimension is a part of one that is split.
// CHECK-LABEL: func.func @expanded(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = tensor.expand_shape %[[ARG0]] {{.*}} : tensor<2048xf32> into tensor<64x32xf32>
// CHECK-NEXT: %[[V3:.*]] = fusion.reduce add %[[V2]] dims = [1] fastmath<reassoc> : tensor<64x32xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.broadcast %[[V3]] dims = [0] : tensor<64xf32> -> tensor<64x128xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[ARG1]] fastmath<reassoc> : tensor<64x128xf32>
// CHECK-NEXT: return %[[V5]] : tensor<64x128xf32>
func.func @expanded(%x: tensor<2048xf32>, %b: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [64, 32] : tensor<2048xf32> into tensor<64x32xf32>
  %1 = fusion.broadcast %0 dims = [0, 1] : tensor<64x32xf32> -> tensor<64x32x128xf32>
  %2 = fusion.broadcast %b dims = [0, 2] : tensor<64x128xf32> -> tensor<64x32x128xf32>
  %3 = arith.mulf %1, %2 fastmath<reassoc> : tensor<64x32x128xf32>
  %4 = fusion.reduce add %3 dims = [1] fastmath<reassoc> : tensor<64x32x128xf32> -> tensor<64x128xf32>
  return %4 : tensor<64x128xf32>
}

// A repeated value that is collapsed varies only along a part of the dimension.
// CHECK-LABEL: func.func @collapsed_repeat(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V1:.*]] = arith.constant dense<1.280000e+02> : tensor<f32>
// CHECK-NEXT: %[[V2:.*]] = arith.constant dense<1.280000e+02> : tensor<4x32xf32>
// CHECK-NEXT: %[[V3:.*]] = arith.mulf %[[ARG0]], %[[V2]] : tensor<4x32xf32>
// CHECK-NEXT: return %[[V3]] : tensor<4x32xf32>
func.func @collapsed_repeat(%s: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %0 = fusion.broadcast %s dims = [0, 1] : tensor<4x32xf32> -> tensor<4x32x16x8xf32>
  %1 = tensor.collapse_shape %0 [[0], [1], [2, 3]] : tensor<4x32x16x8xf32> into tensor<4x32x128xf32>
  %2 = fusion.reduce add %1 dims = [2] : tensor<4x32x128xf32> -> tensor<4x32xf32>
  return %2 : tensor<4x32xf32>
}

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V3:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V4:.*]] = tensor.dim %[[ARG1]], %[[V3]] : tensor<?x?xf32>
// CHECK-NEXT: %[[V5:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<?x32xf32> -> tensor<?xf32>
// CHECK-NEXT: %[[V6:.*]] = fusion.broadcast %[[V5]][%[[V4]]] dims = [0] : tensor<?xf32> -> tensor<?x?xf32>
// CHECK-NEXT: %[[V7:.*]] = arith.mulf %[[V6]], %[[ARG1]] fastmath<reassoc> : tensor<?x?xf32>
// CHECK-NEXT: return %[[V7]] : tensor<?x?xf32>
func.func @dynamic(%x: tensor<?x32xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d1 = tensor.dim %b, %c1 : tensor<?x?xf32>
  %0 = fusion.broadcast %x [%d1] dims = [0, 1] : tensor<?x32xf32> -> tensor<?x32x?xf32>
  %1 = fusion.broadcast %b dims = [0, 2] : tensor<?x?xf32> -> tensor<?x32x?xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<?x32x?xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<?x32x?xf32> -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}

// A dimension that may be empty: the empty sum is 0, whatever b is.
// CHECK-LABEL: func.func @guarded(
// CHECK-SAME: %[[ARG0:.*]]: {{[^,)]*}}, %[[ARG1:.*]]: {{[^,)]*}})
// CHECK-NEXT: %[[V2:.*]] = arith.constant 1 : index
// CHECK-NEXT: %[[V3:.*]] = tensor.dim %[[ARG0]], %[[V2]] : tensor<64x?xf32>
// CHECK-NEXT: %[[V4:.*]] = fusion.reduce add %[[ARG0]] dims = [1] fastmath<reassoc> : tensor<64x?xf32> -> tensor<64xf32>
// CHECK-NEXT: %[[V5:.*]] = arith.mulf %[[V4]], %[[ARG1]] fastmath<reassoc> : tensor<64xf32>
// CHECK-NEXT: %[[V6:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[V7:.*]] = arith.cmpi eq, %[[V3]], %[[V6]] : index
// CHECK-NEXT: %[[V8:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V9:.*]] = tensor.splat %[[V7]] : tensor<i1>
// CHECK-NEXT: %[[V10:.*]] = fusion.broadcast %[[V9]] dims = [] : tensor<i1> -> tensor<64xi1>
// CHECK-NEXT: %[[V11:.*]] = arith.constant dense<0.000000e+00> : tensor<64xf32>
// CHECK-NEXT: %[[V12:.*]] = arith.select %[[V10]], %[[V11]], %[[V5]] : tensor<64xi1>, tensor<64xf32>
// CHECK-NEXT: return %[[V12]] : tensor<64xf32>
func.func @guarded(%x: tensor<64x?xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<64x?xf32>
  %0 = fusion.broadcast %b [%n] dims = [0] : tensor<64xf32> -> tensor<64x?xf32>
  %1 = arith.mulf %x, %0 fastmath<reassoc> : tensor<64x?xf32>
  %2 = fusion.reduce add %1 dims = [1] fastmath<reassoc> : tensor<64x?xf32> -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
