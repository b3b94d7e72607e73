// What is reduced further beside a norm of rows whose columns are summed up stays in its kernel:
// the greatest magnitude of its output, the sum of a loss of each row, the sum of
// squares of its output; also where the totals of the rows are results themselves.
// x is read and y written once, 2 (4096 8192 4) = 268435456 bytes. Totals of rows are
// 4096 4 bytes, for whatever is written and read again in the finish.
// Sums of columns of each block, 8192 4 bytes for 132 blocks, written and read, are 3 % more.
// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s
// RUN: sed -e 's/4096x8192/40x512/g' -e 's/<4096x/<40x/g' -e 's/<8192x/<512x/g' %s > %t.mlir
// RUN: fusion-runner %t.mlir --function=amax --device=sim --verify
// RUN: fusion-runner %t.mlir --function=amax_reused --device=sim --verify
// RUN: fusion-runner %t.mlir --function=losses --device=sim --verify
// RUN: fusion-runner %t.mlir --function=losses_reused --device=sim --verify
// RUN: fusion-runner %t.mlir --function=sum_of_squares --device=sim --verify
// RUN: fusion-runner %t.mlir --function=sum_of_squares_reused --device=sim --verify

// CHECK-LABEL: plan of @amax: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent
// CHECK: moves {{2[67]([0-9]{7})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @amax(%x: tensor<4096x8192xf32>) -> (tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>) {
  %inv = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<4096xf32>
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = arith.mulf %0, %inv : tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %3 = arith.subf %x, %2 : tensor<4096x8192xf32>
  %4 = arith.mulf %3, %3 : tensor<4096x8192xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %6 = arith.mulf %5, %inv : tensor<4096xf32>
  %7 = arith.addf %6, %eps : tensor<4096xf32>
  %8 = math.rsqrt %7 : tensor<4096xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %y = arith.mulf %3, %9 : tensor<4096x8192xf32>
  %10 = math.absf %y : tensor<4096x8192xf32>
  %g = fusion.reduce maximumf %10 dims = [0, 1] : tensor<4096x8192xf32> -> tensor<f32>
  %c = fusion.reduce add %y dims = [0] : tensor<4096x8192xf32> -> tensor<8192xf32>
  return %y, %g, %c : tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>
}

// CHECK-LABEL: plan of @amax_reused: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent
// CHECK: moves {{2[67]([0-9]{7})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @amax_reused(%x: tensor<4096x8192xf32>) -> (tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>, tensor<4096xf32>) {
  %inv = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<4096xf32>
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = arith.mulf %0, %inv : tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %3 = arith.subf %x, %2 : tensor<4096x8192xf32>
  %4 = arith.mulf %3, %3 : tensor<4096x8192xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %6 = arith.mulf %5, %inv : tensor<4096xf32>
  %7 = arith.addf %6, %eps : tensor<4096xf32>
  %8 = math.rsqrt %7 : tensor<4096xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %y = arith.mulf %3, %9 : tensor<4096x8192xf32>
  %10 = math.absf %y : tensor<4096x8192xf32>
  %g = fusion.reduce maximumf %10 dims = [0, 1] : tensor<4096x8192xf32> -> tensor<f32>
  %c = fusion.reduce add %y dims = [0] : tensor<4096x8192xf32> -> tensor<8192xf32>
  %p = fusion.reduce maximumf %10 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  return %y, %g, %c, %p : tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>, tensor<4096xf32>
}

// CHECK-LABEL: plan of @losses: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent
// CHECK: moves {{2[67]([0-9]{7})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @losses(%x: tensor<4096x8192xf32>) -> (tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>) {
  %inv = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<4096xf32>
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = arith.mulf %0, %inv : tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %3 = arith.subf %x, %2 : tensor<4096x8192xf32>
  %4 = arith.mulf %3, %3 : tensor<4096x8192xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %6 = arith.mulf %5, %inv : tensor<4096xf32>
  %7 = arith.addf %6, %eps : tensor<4096xf32>
  %8 = math.rsqrt %7 : tensor<4096xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %y = arith.mulf %3, %9 : tensor<4096x8192xf32>
  %10 = math.log %7 : tensor<4096xf32>
  %g = fusion.reduce add %10 dims = [0] : tensor<4096xf32> -> tensor<f32>
  %c = fusion.reduce add %y dims = [0] : tensor<4096x8192xf32> -> tensor<8192xf32>
  return %y, %g, %c : tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>
}

// CHECK-LABEL: plan of @losses_reused: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent
// CHECK: moves {{2[67]([0-9]{7})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @losses_reused(%x: tensor<4096x8192xf32>) -> (tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>, tensor<4096xf32>) {
  %inv = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<4096xf32>
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = arith.mulf %0, %inv : tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %3 = arith.subf %x, %2 : tensor<4096x8192xf32>
  %4 = arith.mulf %3, %3 : tensor<4096x8192xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %6 = arith.mulf %5, %inv : tensor<4096xf32>
  %7 = arith.addf %6, %eps : tensor<4096xf32>
  %8 = math.rsqrt %7 : tensor<4096xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %y = arith.mulf %3, %9 : tensor<4096x8192xf32>
  %10 = math.log %7 : tensor<4096xf32>
  %g = fusion.reduce add %10 dims = [0] : tensor<4096xf32> -> tensor<f32>
  %c = fusion.reduce add %y dims = [0] : tensor<4096x8192xf32> -> tensor<8192xf32>
  return %y, %g, %c, %10 : tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>, tensor<4096xf32>
}

// CHECK-LABEL: plan of @sum_of_squares: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent
// CHECK: moves {{2[67]([0-9]{7})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @sum_of_squares(%x: tensor<4096x8192xf32>) -> (tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>) {
  %inv = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<4096xf32>
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = arith.mulf %0, %inv : tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %3 = arith.subf %x, %2 : tensor<4096x8192xf32>
  %4 = arith.mulf %3, %3 : tensor<4096x8192xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %6 = arith.mulf %5, %inv : tensor<4096xf32>
  %7 = arith.addf %6, %eps : tensor<4096xf32>
  %8 = math.rsqrt %7 : tensor<4096xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %y = arith.mulf %3, %9 : tensor<4096x8192xf32>
  %10 = arith.mulf %y, %y : tensor<4096x8192xf32>
  %g = fusion.reduce add %10 dims = [0, 1] : tensor<4096x8192xf32> -> tensor<f32>
  %c = fusion.reduce add %y dims = [0] : tensor<4096x8192xf32> -> tensor<8192xf32>
  return %y, %g, %c : tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>
}

// CHECK-LABEL: plan of @sum_of_squares_reused: {{1 segment|2 segments}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: segment 0: inner-outer-persistent
// CHECK: moves {{2[67]([0-9]{7})}} bytes, {{([0-9]{1,6})}} of them between segments
func.func @sum_of_squares_reused(%x: tensor<4096x8192xf32>) -> (tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>, tensor<4096xf32>) {
  %inv = arith.constant dense<1.220703125e-04> : tensor<4096xf32>
  %eps = arith.constant dense<1.000000e-05> : tensor<4096xf32>
  %0 = fusion.reduce add %x dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %1 = arith.mulf %0, %inv : tensor<4096xf32>
  %2 = fusion.broadcast %1 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %3 = arith.subf %x, %2 : tensor<4096x8192xf32>
  %4 = arith.mulf %3, %3 : tensor<4096x8192xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  %6 = arith.mulf %5, %inv : tensor<4096xf32>
  %7 = arith.addf %6, %eps : tensor<4096xf32>
  %8 = math.rsqrt %7 : tensor<4096xf32>
  %9 = fusion.broadcast %8 dims = [0] : tensor<4096xf32> -> tensor<4096x8192xf32>
  %y = arith.mulf %3, %9 : tensor<4096x8192xf32>
  %10 = arith.mulf %y, %y : tensor<4096x8192xf32>
  %g = fusion.reduce add %10 dims = [0, 1] : tensor<4096x8192xf32> -> tensor<f32>
  %c = fusion.reduce add %y dims = [0] : tensor<4096x8192xf32> -> tensor<8192xf32>
  %p = fusion.reduce add %10 dims = [1] : tensor<4096x8192xf32> -> tensor<4096xf32>
  return %y, %g, %c, %p : tensor<4096x8192xf32>, tensor<f32>, tensor<8192xf32>, tensor<4096xf32>
}
