// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 1660: sum over I of x[N, I, 1] b[N, 1, J] is (sum over I of x) b: the product
// of 64 2048 2048 elements is not computed. One kernel reads x and b and writes the
// result, 64 2048 4 = 524288 bytes each: 1572864. The totals stay on chip.
// CHECK-LABEL: plan of @sum_of_product: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 1572864 bytes, 0 of them between segments
func.func @sum_of_product(%x: tensor<64x2048x1xf32>, %b: tensor<64x1x2048xf32>) -> tensor<64x2048xf32> {
  %0 = fusion.broadcast %x dims = [0, 1, 2] : tensor<64x2048x1xf32> -> tensor<64x2048x2048xf32>
  %1 = fusion.broadcast %b dims = [0, 1, 2] : tensor<64x1x2048xf32> -> tensor<64x2048x2048xf32>
  %2 = arith.mulf %0, %1 fastmath<reassoc> : tensor<64x2048x2048xf32>
  %3 = fusion.reduce add %2 dims = [1] fastmath<reassoc> : tensor<64x2048x2048xf32> -> tensor<64x2048xf32>
  return %3 : tensor<64x2048xf32>
}
