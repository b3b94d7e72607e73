// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2634: sums over a batch and a plane for each channel, of four tensors and of
// products of neighbours: all read the same four tensors of 32 64 28 28 4 = 6422528
// bytes, once: 25690112, and less than 4 % of partial sums. One kernel and its finish.
// CHECK-LABEL: plan of @channel_sums: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves {{((25|26)[0-9]{6})}} bytes, 0 of them between segments
func.func @channel_sums(%x0: tensor<32x64x28x28xf32>, %x1: tensor<32x64x28x28xf32>, %x2: tensor<32x64x28x28xf32>, %x3: tensor<32x64x28x28xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) {
  %0 = fusion.reduce add %x0 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  %1 = fusion.reduce add %x1 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  %2 = fusion.reduce add %x2 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  %3 = fusion.reduce add %x3 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  %4 = arith.mulf %x0, %x1 fastmath<contract> : tensor<32x64x28x28xf32>
  %5 = fusion.reduce add %4 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  %6 = arith.mulf %x1, %x2 fastmath<contract> : tensor<32x64x28x28xf32>
  %7 = fusion.reduce add %6 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  %8 = arith.mulf %x2, %x3 fastmath<contract> : tensor<32x64x28x28xf32>
  %9 = fusion.reduce add %8 dims = [0, 2, 3] : tensor<32x64x28x28xf32> -> tensor<64xf32>
  return %0, %1, %2, %3, %5, %7, %9 : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf32>
}

// nvFuser 1678: the sum of 70000 equal values is a product, given reassoc, though the
// extent is no f16. 2 (4096 2) = 16384 bytes.
// CHECK-LABEL: plan of @sum_of_expanded: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 16384 bytes, 0 of them between segments
func.func @sum_of_expanded(%x: tensor<4096xf16>) -> tensor<4096xf16> {
  %0 = fusion.broadcast %x dims = [0] : tensor<4096xf16> -> tensor<4096x70000xf16>
  %1 = fusion.reduce add %0 dims = [1] fastmath<reassoc> : tensor<4096x70000xf16> -> tensor<4096xf16>
  return %1 : tensor<4096xf16>
}

// nvFuser 1023: one sum over the last and one over the first dimension of three. They
// share the middle one, so that no two-dimensional kernel of rows and columns fits:
// x, 64 128 1024 4 = 33554432 bytes, is read at most twice, and nothing goes between.
// CHECK-LABEL: plan of @inner_and_outer_of_rank_3: {{[12] segments?}}, {{1 launch|[234] launches}}, 0 operations outside segments
// CHECK: moves {{((3[3-9]|6[78])[0-9]{6})}} bytes, 0 of them between segments
func.func @inner_and_outer_of_rank_3(%x: tensor<64x128x1024xf32>) -> (tensor<64x128xf32>, tensor<128x1024xf32>) {
  %0 = fusion.reduce add %x dims = [2] : tensor<64x128x1024xf32> -> tensor<64x128xf32>
  %1 = fusion.reduce add %x dims = [0] : tensor<64x128x1024xf32> -> tensor<128x1024xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<128x1024xf32>
}

// PyTorch 187269: sums of rows of two lengths that are added. Read once: 4096 2048 4 and
// 4096 1024 4, and 4096 4 written: 50348032 bytes; between kernels at most the sums of one,
// written and read: 32768 more.
// CHECK-LABEL: plan of @two_independent_sums: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 503{{(48032|80800)}} bytes, {{(0|32768)}} of them between segments
func.func @two_independent_sums(%x: tensor<4096x2048xf32>, %y: tensor<4096x1024xf32>) -> tensor<4096xf32> {
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x2048xf32> -> tensor<4096xf32>
  %1 = fusion.reduce add %y dims = [1] : tensor<4096x1024xf32> -> tensor<4096xf32>
  %2 = arith.addf %0, %1 fastmath<contract> : tensor<4096xf32>
  return %2 : tensor<4096xf32>
}

// XLA 46075: a column reduction and an element-wise sibling of one input: x is read
// once, tanh written: 2 (8192 4096 4) = 268435456 bytes, and partial sums.
// CHECK-LABEL: plan of @column_sum_and_sibling: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 26{{([89][0-9]{6})}} bytes, 0 of them between segments
func.func @column_sum_and_sibling(%x: tensor<8192x4096xf32>) -> (tensor<4096xf32>, tensor<8192x4096xf32>) {
  %0 = fusion.reduce add %x dims = [0] : tensor<8192x4096xf32> -> tensor<4096xf32>
  %1 = math.tanh %x : tensor<8192x4096xf32>
  return %0, %1 : tensor<4096xf32>, tensor<8192x4096xf32>
}

// csarofeen 269: a sum along a dimension that one operand is repeated along. a is read as
// it is, 80 4096 4 = 1310720 bytes, b is 4 times as much, the result as much as a:
// 6 1310720 = 7864320.
// CHECK-LABEL: plan of @sum_along_broadcast: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 7864320 bytes, 0 of them between segments
func.func @sum_along_broadcast(%a: tensor<80x4096xf32>, %b: tensor<4x80x4096xf32>) -> tensor<80x4096xf32> {
  %0 = fusion.broadcast %a dims = [1, 2] : tensor<80x4096xf32> -> tensor<4x80x4096xf32>
  %1 = arith.addf %0, %b : tensor<4x80x4096xf32>
  %2 = fusion.reduce add %1 dims = [0] : tensor<4x80x4096xf32> -> tensor<80x4096xf32>
  return %2 : tensor<80x4096xf32>
}

// torch-mlir 1636: a maximum over dimension 0 that keeps it as a unit, taken off again:
// columns of 256 elements stay on chip, so x is read once and the result written:
// 2 (256 16384 4) = 33554432 bytes.
// CHECK-LABEL: plan of @maximum_over_first_dimension: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 33554432 bytes, 0 of them between segments
func.func @maximum_over_first_dimension(%x: tensor<256x16384xf32>) -> tensor<256x16384xf32> {
  %0 = fusion.reduce maximumf %x dims = [0] : tensor<256x16384xf32> -> tensor<16384xf32>
  %1 = fusion.broadcast %0 dims = [1] : tensor<16384xf32> -> tensor<1x16384xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<1x16384xf32> -> tensor<256x16384xf32>
  %3 = arith.subf %x, %2 : tensor<256x16384xf32>
  return %3 : tensor<256x16384xf32>
}
