// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2146, its small form: sums of rows, another tensor and the input itself added:
// 3 (8192 4096 4) = 402653184 bytes.
// CHECK-LABEL: plan of @sum_of_rows_added: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 402653184 bytes, 0 of them between segments
func.func @sum_of_rows_added(%x: tensor<8192x4096xf32>, %other: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
  %s = fusion.reduce add %x dims = [1] : tensor<8192x4096xf32> -> tensor<8192xf32>
  %b = fusion.broadcast %s dims = [0] : tensor<8192xf32> -> tensor<8192x4096xf32>
  %0 = arith.addf %b, %other : tensor<8192x4096xf32>
  %1 = arith.addf %0, %x : tensor<8192x4096xf32>
  return %1 : tensor<8192x4096xf32>
}

// nvFuser 132: a sum that reads no tensor is a constant.
// CHECK-LABEL: plan of @sum_of_full: 0 segments, 0 launches, 0 operations outside segments
// CHECK: moves 0 bytes, 0 of them between segments
func.func @sum_of_full() -> tensor<64xf32> {
  %c = arith.constant dense<2.0> : tensor<64x32xf32>
  %s = fusion.reduce add %c dims = [1] : tensor<64x32xf32> -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// csarofeen 1768: a reduction of rank 0 gives its operand: 3 4 bytes.
// CHECK-LABEL: plan of @rank_0: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 12 bytes, 0 of them between segments
func.func @rank_0(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = arith.addf %x, %y : tensor<f32>
  %s = fusion.reduce add %0 dims = [] : tensor<f32> -> tensor<f32>
  return %s : tensor<f32>
}

// PyTorch 189401: a transposed tensor, repeated along a new dimension, in a sum over that
// dimension. a and the result are 64 4096 4 = 1048576 bytes, b 8 times as much: 10485760;
// neither the transposed tensor nor its repetition lies in memory.
// CHECK-LABEL: plan of @expanded_transposed: 1 segment, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 10485760 bytes, 0 of them between segments
func.func @expanded_transposed(%a: tensor<64x4096xf32>, %b: tensor<8x4096x64xf32>) -> tensor<4096x64xf32> {
  %t = fusion.transpose %a permutation = [1, 0] : tensor<64x4096xf32> -> tensor<4096x64xf32>
  %e = fusion.broadcast %t dims = [1, 2] : tensor<4096x64xf32> -> tensor<8x4096x64xf32>
  %m = arith.mulf %e, %b : tensor<8x4096x64xf32>
  %s = fusion.reduce add %m dims = [0] : tensor<8x4096x64xf32> -> tensor<4096x64xf32>
  return %s : tensor<4096x64xf32>
}

// Thunder 1490: layers of a product and relu. Each kernel between two products reads one,
// 1024 4096 4 = 16777216 bytes, and the bias, 16384, and writes as much as the product:
// 3 33570816 = 100712448.
// CHECK-LABEL: plan of @layers: 3 segments, 3 launches, 3 operations outside segments
// CHECK: moves 100712448 bytes, 0 of them between segments
func.func private @product(tensor<1024x4096xf32>, tensor<4096x4096xf32>) -> tensor<1024x4096xf32>
func.func @layers(%x: tensor<1024x4096xf32>, %w0: tensor<4096x4096xf32>, %w1: tensor<4096x4096xf32>, %w2: tensor<4096x4096xf32>, %b: tensor<4096xf32>) -> tensor<1024x4096xf32> {
  %zero = arith.constant dense<0.0> : tensor<1024x4096xf32>
  %bb = fusion.broadcast %b dims = [1] : tensor<4096xf32> -> tensor<1024x4096xf32>
  %m0 = func.call @product(%x, %w0) : (tensor<1024x4096xf32>, tensor<4096x4096xf32>) -> tensor<1024x4096xf32>
  %a0 = arith.addf %m0, %bb : tensor<1024x4096xf32>
  %r0 = arith.maximumf %a0, %zero : tensor<1024x4096xf32>
  %m1 = func.call @product(%r0, %w1) : (tensor<1024x4096xf32>, tensor<4096x4096xf32>) -> tensor<1024x4096xf32>
  %a1 = arith.addf %m1, %bb : tensor<1024x4096xf32>
  %r1 = arith.maximumf %a1, %zero : tensor<1024x4096xf32>
  %m2 = func.call @product(%r1, %w2) : (tensor<1024x4096xf32>, tensor<4096x4096xf32>) -> tensor<1024x4096xf32>
  %a2 = arith.addf %m2, %bb : tensor<1024x4096xf32>
  %r2 = arith.maximumf %a2, %zero : tensor<1024x4096xf32>
  return %r2 : tensor<1024x4096xf32>
}

// nvFuser 3419: a norm with a scale and a shift for each row, whose number only the launch
// knows. With 4096 of them 4 (4096 1152 4) = 75497472 bytes.
// CHECK-LABEL: plan of @adaptive_dynamic: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 75497472 bytes, 0 of them between segments
func.func @adaptive_dynamic(%x: tensor<?x1152xf32>, %scale: tensor<?x1152xf32>, %shift: tensor<?x1152xf32>) -> tensor<?x1152xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x1152xf32>
  %s = fusion.reduce add %x dims = [1] : tensor<?x1152xf32> -> tensor<?xf32>
  %sb = fusion.broadcast %s dims = [0] : tensor<?xf32> -> tensor<?x1152xf32>
  %d = arith.subf %x, %sb : tensor<?x1152xf32>
  %p = arith.mulf %d, %scale : tensor<?x1152xf32>
  %y = arith.addf %p, %shift : tensor<?x1152xf32>
  return %y : tensor<?x1152xf32>
}
