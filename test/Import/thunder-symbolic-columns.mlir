// The gradient of layer norm as nvFuser got it from Thunder: the inner extent is a
// symbol in part of the graph (i1) and 8192 in another, and each row scalar reaches
// its use through broadcast, copy, squeeze, broadcast and expand. The facts say that
// both extents are those of one loop, so that all of it becomes one kernel.
// RUN: fusion-opt %s --fusion-print-dim-classes -o /dev/null | FileCheck %s --check-prefix=CLASSES
// RUN: fusion-opt %s --fusion-refine-extents --canonicalize --fusion-simplify --cse --canonicalize --fusion-segment | FileCheck %s

// The symbolic columns are those that the expanded row scalar has 8192 of.
// CLASSES: %arg0: [[[ROW:[0-9]+]], [[COLUMN:[0-9]+]]]
// CLASSES-NEXT: %arg1: [[[ROW]], [[COLUMN]]]
// CLASSES-NEXT: %arg2: [[[COLUMN]]]
// CLASSES: class [[ROW]]: extent 2048
// CLASSES: class [[COLUMN]]: extent 8192

// CHECK-LABEL: func @layer_norm_backward(
// CHECK: %[[S:.*]]:3 = fusion.segment "inner-outer-persistent"
// CHECK-SAME: -> (tensor<8192xf32>, tensor<8192xf32>, tensor<2048x8192xf32>)
// CHECK-NOT: fusion.segment
// CHECK: return
func.func @layer_norm_backward(%x: tensor<2048x?xf32>, %g: tensor<2048x?xf32>, %w: tensor<?xf32>,
    %mean: tensor<2048x1xf32>, %rstd: tensor<2048x1xf32>) -> (tensor<2048x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %i1 = tensor.dim %x, %c1 : tensor<2048x?xf32>
  %mean_b = fusion.broadcast %mean [%i1] dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x?xf32>
  %rstd_b = fusion.broadcast %rstd [%i1] dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x?xf32>
  %w_b = fusion.broadcast %w dims = [1] : tensor<?xf32> -> tensor<2048x?xf32>
  %centered = arith.subf %x, %mean_b : tensor<2048x?xf32>
  %normalized = arith.mulf %centered, %rstd_b : tensor<2048x?xf32>
  %by_g = arith.mulf %g, %normalized : tensor<2048x?xf32>
  %weight_grad = fusion.reduce add %by_g dims = [0] : tensor<2048x?xf32> -> tensor<?xf32>
  %bias_grad = fusion.reduce add %g dims = [0] : tensor<2048x?xf32> -> tensor<?xf32>
  %scaled = arith.mulf %g, %w_b : tensor<2048x?xf32>
  %by_centered = arith.mulf %scaled, %centered : tensor<2048x?xf32>
  %rstd_sum = fusion.reduce add %by_centered dims = [1] : tensor<2048x?xf32> -> tensor<2048xf32>
  %direct = arith.mulf %scaled, %rstd_b : tensor<2048x?xf32>
  %negated = arith.negf %direct : tensor<2048x?xf32>
  // T19 to T30: the sum, kept, squeezed, kept again and expanded to 8192.
  %mean_sum = fusion.reduce add %negated dims = [1] : tensor<2048x?xf32> -> tensor<2048xf32>
  %kept = fusion.broadcast %mean_sum dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %squeezed = fusion.squeeze %kept dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %again = fusion.broadcast %squeezed dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %expanded = fusion.broadcast %again dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %n = arith.constant dense<0.0001220703125> : tensor<2048x8192xf32>
  %from_mean = arith.mulf %n, %expanded : tensor<2048x8192xf32>
  // The same way for the variance.
  %half = arith.constant dense<-0.5> : tensor<2048xf32>
  %rstd_row = fusion.squeeze %rstd dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %v0 = arith.mulf %half, %rstd_sum : tensor<2048xf32>
  %v1 = arith.mulf %v0, %rstd_row : tensor<2048xf32>
  %v2 = arith.mulf %v1, %rstd_row : tensor<2048xf32>
  %v3 = arith.mulf %v2, %rstd_row : tensor<2048xf32>
  %v_kept = fusion.broadcast %v3 dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %v_squeezed = fusion.squeeze %v_kept dims = [1] : tensor<2048x1xf32> -> tensor<2048xf32>
  %v_again = fusion.broadcast %v_squeezed dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %v_expanded = fusion.broadcast %v_again dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x8192xf32>
  %two_n = arith.constant dense<0.000244140625> : tensor<2048x8192xf32>
  %v_scaled = arith.mulf %two_n, %v_expanded : tensor<2048x8192xf32>
  // T39 and T40: 8192 columns meet i1 columns.
  %v_symbolic = tensor.cast %v_scaled : tensor<2048x8192xf32> to tensor<2048x?xf32>
  %by_variance = arith.mulf %centered, %v_symbolic : tensor<2048x?xf32>
  %m_symbolic = tensor.cast %from_mean : tensor<2048x8192xf32> to tensor<2048x?xf32>
  %sum = arith.addf %m_symbolic, %by_variance : tensor<2048x?xf32>
  %x_grad = arith.addf %direct, %sum : tensor<2048x?xf32>
  return %x_grad, %weight_grad, %bias_grad : tensor<2048x?xf32>, tensor<?xf32>, tensor<?xf32>
}
