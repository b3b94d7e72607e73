// What is reduced further beside a norm of columns stays in its kernel:
// the greatest magnitude of its output, the sum of a loss of each column, the sum of
// squares of its output; also where the totals of the columns are results themselves.
// x is read and y written once, 2 (64 65536 4) = 33554432 bytes. Totals of columns are
// 65536 4 bytes, for whatever is written and read again in the finish.
// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// RUN: sed -e 's/64x65536/8x304/g' -e 's/<65536x/<304x/g' %s > %t.mlir
// RUN: fusion-runner %t.mlir --function=amax --device=sim --verify
// RUN: fusion-runner %t.mlir --function=amax_reused --device=sim --verify
// RUN: fusion-runner %t.mlir --function=losses --device=sim --verify
// RUN: fusion-runner %t.mlir --function=losses_reused --device=sim --verify
// RUN: fusion-runner %t.mlir --function=sum_of_squares --device=sim --verify
// RUN: fusion-runner %t.mlir --function=sum_of_squares_reused --device=sim --verify

// CHECK-LABEL: plan of @amax: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: outer-persistent
// CHECK: moves {{3([34][0-9]{6})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @amax(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<f32>) {
  %inv = arith.constant dense<1.562500000e-02> : tensor<65536xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<65536xf32>
  %0 = fusion.reduce add %x dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %1 = arith.mulf %0, %inv : tensor<65536xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %3 = arith.subf %x, %2 : tensor<64x65536xf32>
  %4 = arith.mulf %3, %3 : tensor<64x65536xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %6 = arith.mulf %5, %inv : tensor<65536xf32>
  %7 = arith.addf %6, %eps : tensor<65536xf32>
  %8 = math.rsqrt %7 : tensor<65536xf32>
  %9 = fusion.broadcast %8 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %y = arith.mulf %3, %9 : tensor<64x65536xf32>
  %10 = math.absf %y : tensor<64x65536xf32>
  %g = fusion.reduce maximumf %10 dims = [0, 1] : tensor<64x65536xf32> -> tensor<f32>
  return %y, %g : tensor<64x65536xf32>, tensor<f32>
}

// CHECK-LABEL: plan of @amax_reused: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: outer-persistent
// CHECK: moves {{3([34][0-9]{6})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @amax_reused(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<f32>, tensor<65536xf32>) {
  %inv = arith.constant dense<1.562500000e-02> : tensor<65536xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<65536xf32>
  %0 = fusion.reduce add %x dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %1 = arith.mulf %0, %inv : tensor<65536xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %3 = arith.subf %x, %2 : tensor<64x65536xf32>
  %4 = arith.mulf %3, %3 : tensor<64x65536xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %6 = arith.mulf %5, %inv : tensor<65536xf32>
  %7 = arith.addf %6, %eps : tensor<65536xf32>
  %8 = math.rsqrt %7 : tensor<65536xf32>
  %9 = fusion.broadcast %8 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %y = arith.mulf %3, %9 : tensor<64x65536xf32>
  %10 = math.absf %y : tensor<64x65536xf32>
  %g = fusion.reduce maximumf %10 dims = [0, 1] : tensor<64x65536xf32> -> tensor<f32>
  %p = fusion.reduce maximumf %10 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  return %y, %g, %p : tensor<64x65536xf32>, tensor<f32>, tensor<65536xf32>
}

// CHECK-LABEL: plan of @losses: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: outer-persistent
// CHECK: moves {{3([34][0-9]{6})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @losses(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<f32>) {
  %inv = arith.constant dense<1.562500000e-02> : tensor<65536xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<65536xf32>
  %0 = fusion.reduce add %x dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %1 = arith.mulf %0, %inv : tensor<65536xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %3 = arith.subf %x, %2 : tensor<64x65536xf32>
  %4 = arith.mulf %3, %3 : tensor<64x65536xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %6 = arith.mulf %5, %inv : tensor<65536xf32>
  %7 = arith.addf %6, %eps : tensor<65536xf32>
  %8 = math.rsqrt %7 : tensor<65536xf32>
  %9 = fusion.broadcast %8 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %y = arith.mulf %3, %9 : tensor<64x65536xf32>
  %10 = math.log %7 : tensor<65536xf32>
  %g = fusion.reduce add %10 dims = [0] : tensor<65536xf32> -> tensor<f32>
  return %y, %g : tensor<64x65536xf32>, tensor<f32>
}

// CHECK-LABEL: plan of @losses_reused: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: outer-persistent
// CHECK: moves {{3([34][0-9]{6})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @losses_reused(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<f32>, tensor<65536xf32>) {
  %inv = arith.constant dense<1.562500000e-02> : tensor<65536xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<65536xf32>
  %0 = fusion.reduce add %x dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %1 = arith.mulf %0, %inv : tensor<65536xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %3 = arith.subf %x, %2 : tensor<64x65536xf32>
  %4 = arith.mulf %3, %3 : tensor<64x65536xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %6 = arith.mulf %5, %inv : tensor<65536xf32>
  %7 = arith.addf %6, %eps : tensor<65536xf32>
  %8 = math.rsqrt %7 : tensor<65536xf32>
  %9 = fusion.broadcast %8 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %y = arith.mulf %3, %9 : tensor<64x65536xf32>
  %10 = math.log %7 : tensor<65536xf32>
  %g = fusion.reduce add %10 dims = [0] : tensor<65536xf32> -> tensor<f32>
  return %y, %g, %10 : tensor<64x65536xf32>, tensor<f32>, tensor<65536xf32>
}

// CHECK-LABEL: plan of @sum_of_squares: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: outer-persistent
// CHECK: moves {{3([34][0-9]{6})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @sum_of_squares(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<f32>) {
  %inv = arith.constant dense<1.562500000e-02> : tensor<65536xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<65536xf32>
  %0 = fusion.reduce add %x dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %1 = arith.mulf %0, %inv : tensor<65536xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %3 = arith.subf %x, %2 : tensor<64x65536xf32>
  %4 = arith.mulf %3, %3 : tensor<64x65536xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %6 = arith.mulf %5, %inv : tensor<65536xf32>
  %7 = arith.addf %6, %eps : tensor<65536xf32>
  %8 = math.rsqrt %7 : tensor<65536xf32>
  %9 = fusion.broadcast %8 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %y = arith.mulf %3, %9 : tensor<64x65536xf32>
  %10 = arith.mulf %y, %y : tensor<64x65536xf32>
  %g = fusion.reduce add %10 dims = [0, 1] : tensor<64x65536xf32> -> tensor<f32>
  return %y, %g : tensor<64x65536xf32>, tensor<f32>
}

// CHECK-LABEL: plan of @sum_of_squares_reused: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: outer-persistent
// CHECK: moves {{3([34][0-9]{6})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @sum_of_squares_reused(%x: tensor<64x65536xf32>) -> (tensor<64x65536xf32>, tensor<f32>, tensor<65536xf32>) {
  %inv = arith.constant dense<1.562500000e-02> : tensor<65536xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<65536xf32>
  %0 = fusion.reduce add %x dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %1 = arith.mulf %0, %inv : tensor<65536xf32>
  %2 = fusion.broadcast %1 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %3 = arith.subf %x, %2 : tensor<64x65536xf32>
  %4 = arith.mulf %3, %3 : tensor<64x65536xf32>
  %5 = fusion.reduce add %4 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  %6 = arith.mulf %5, %inv : tensor<65536xf32>
  %7 = arith.addf %6, %eps : tensor<65536xf32>
  %8 = math.rsqrt %7 : tensor<65536xf32>
  %9 = fusion.broadcast %8 dims = [1] : tensor<65536xf32> -> tensor<64x65536xf32>
  %y = arith.mulf %3, %9 : tensor<64x65536xf32>
  %10 = arith.mulf %y, %y : tensor<64x65536xf32>
  %g = fusion.reduce add %10 dims = [0, 1] : tensor<64x65536xf32> -> tensor<f32>
  %p = fusion.reduce add %10 dims = [0] : tensor<64x65536xf32> -> tensor<65536xf32>
  return %y, %g, %p : tensor<64x65536xf32>, tensor<f32>, tensor<65536xf32>
}
