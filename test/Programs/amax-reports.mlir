// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 2258, its variant: sums of the rows and of the columns of one input, added,
// and the largest magnitude of all sums. x, 8192 4096 4 = 134217728 bytes, is read once;
// the sums need no x, only the two vectors, 32768 + 16384 bytes, written and read: 98304.
// Partial sums of the columns and partial maxima are at most 4 % more.
// CHECK-LABEL: plan of @inner_and_outer_sum_then_amax: 2 segments, {{[2-4]}} launches, 0 operations outside segments
// CHECK: moves 13{{([4-9][0-9]{6})}} bytes, 98304 of them between segments
func.func @inner_and_outer_sum_then_amax(%x: tensor<8192x4096xf32>) -> tensor<f32> {
  %r = fusion.reduce add %x dims = [1] : tensor<8192x4096xf32> -> tensor<8192xf32>
  %c = fusion.reduce add %x dims = [0] : tensor<8192x4096xf32> -> tensor<4096xf32>
  %rb = fusion.broadcast %r dims = [0] : tensor<8192xf32> -> tensor<8192x4096xf32>
  %cb = fusion.broadcast %c dims = [1] : tensor<4096xf32> -> tensor<8192x4096xf32>
  %y = arith.addf %rb, %cb : tensor<8192x4096xf32>
  %a = math.absf %y : tensor<8192x4096xf32>
  %m = fusion.reduce maximumf %a dims = [0, 1] : tensor<8192x4096xf32> -> tensor<f32>
  return %m : tensor<f32>
}

// PyTorch 109301 and XLA 5185: a layer norm that is scaled and rounded to 8 bits, and the
// largest magnitude of what it gave before. x is read, 4 2048 4096 2 = 67108864 bytes, half
// of that is written, gamma and beta are 8192 each, two scalars: 100679688, and at most a
// maximum for each row, 32768 bytes, written and read. One kernel and a finish.
// CHECK-LABEL: plan of @layer_norm_amax_f8: {{[12] segments?}}, {{1 launch|2 launches}}, 0 operations outside segments
// CHECK: moves 100{{(679688|6[89][0-9]{4}|7[0-4][0-9]{4})}} bytes, {{(0|65536)}} of them between segments
func.func @layer_norm_amax_f8(%x: tensor<4x2048x4096xbf16>, %gamma: tensor<4096xbf16>, %beta: tensor<4096xbf16>, %scale: tensor<f32>) -> (tensor<4x2048x4096xf8E4M3FN>, tensor<f32>) {
  %0 = arith.extf %x : tensor<4x2048x4096xbf16> to tensor<4x2048x4096xf32>
  %n = arith.constant dense<2.44140625e-04> : tensor<4x2048xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<4x2048xf32>
  %s = fusion.reduce add %0 dims = [2] : tensor<4x2048x4096xf32> -> tensor<4x2048xf32>
  %mean = arith.mulf %s, %n : tensor<4x2048xf32>
  %mb = fusion.broadcast %mean dims = [0, 1] : tensor<4x2048xf32> -> tensor<4x2048x4096xf32>
  %d = arith.subf %0, %mb : tensor<4x2048x4096xf32>
  %q = arith.mulf %d, %d : tensor<4x2048x4096xf32>
  %v = fusion.reduce add %q dims = [2] : tensor<4x2048x4096xf32> -> tensor<4x2048xf32>
  %var = arith.mulf %v, %n : tensor<4x2048xf32>
  %ve = arith.addf %var, %eps : tensor<4x2048xf32>
  %rs = math.rsqrt %ve : tensor<4x2048xf32>
  %rb = fusion.broadcast %rs dims = [0, 1] : tensor<4x2048xf32> -> tensor<4x2048x4096xf32>
  %h = arith.mulf %d, %rb : tensor<4x2048x4096xf32>
  %g = arith.extf %gamma : tensor<4096xbf16> to tensor<4096xf32>
  %gb = fusion.broadcast %g dims = [2] : tensor<4096xf32> -> tensor<4x2048x4096xf32>
  %b = arith.extf %beta : tensor<4096xbf16> to tensor<4096xf32>
  %bb = fusion.broadcast %b dims = [2] : tensor<4096xf32> -> tensor<4x2048x4096xf32>
  %hg = arith.mulf %h, %gb : tensor<4x2048x4096xf32>
  %y = arith.addf %hg, %bb : tensor<4x2048x4096xf32>
  %abs = math.absf %y : tensor<4x2048x4096xf32>
  %amax = fusion.reduce maximumf %abs dims = [0, 1, 2] : tensor<4x2048x4096xf32> -> tensor<f32>
  %sb = fusion.broadcast %scale dims = [] : tensor<f32> -> tensor<4x2048x4096xf32>
  %ys = arith.mulf %y, %sb : tensor<4x2048x4096xf32>
  %f8 = arith.truncf %ys : tensor<4x2048x4096xf32> to tensor<4x2048x4096xf8E4M3FN>
  return %f8, %amax : tensor<4x2048x4096xf8E4M3FN>, tensor<f32>
}

// PyTorch 191338: square blocks of 128, scaled by their largest magnitude and rounded to
// 8 bits. A block is 32768 bytes, which a multiprocessor holds: x is read once,
// 4096 4096 2 = 33554432 bytes, half of that is written, and 32 32 4 = 4096: 50335744.
// CHECK-LABEL: plan of @square_blocks: 1 segment, 1 launch, 1 operation outside segments
// CHECK: moves 50335744 bytes, 0 of them between segments
func.func @square_blocks(%x: tensor<4096x4096xbf16>) -> (tensor<32x128x32x128xf8E4M3FN>, tensor<32x32xf32>) {
  %0 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [32, 128, 32, 128] : tensor<4096x4096xbf16> into tensor<32x128x32x128xbf16>
  %1 = arith.extf %0 : tensor<32x128x32x128xbf16> to tensor<32x128x32x128xf32>
  %2 = math.absf %1 : tensor<32x128x32x128xf32>
  %3 = fusion.reduce maximumf %2 dims = [1, 3] : tensor<32x128x32x128xf32> -> tensor<32x32xf32>
  %4 = fusion.broadcast %3 dims = [0, 2] : tensor<32x32xf32> -> tensor<32x128x32x128xf32>
  %5 = arith.divf %1, %4 : tensor<32x128x32x128xf32>
  %6 = arith.truncf %5 : tensor<32x128x32x128xf32> to tensor<32x128x32x128xf8E4M3FN>
  return %6, %3 : tensor<32x128x32x128xf8E4M3FN>, tensor<32x32xf32>
}
