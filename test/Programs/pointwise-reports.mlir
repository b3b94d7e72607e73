// RUN: fusion-opt %s --fusion-to-segments --fusion-print-plan -o /dev/null | FileCheck %s

// nvFuser 3096: a sum, and a negation of one of its operands. 4 (2048 4096 4) bytes.
// CHECK-LABEL: plan of @add_and_negate: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 134217728 bytes, 0 of them between segments
func.func @add_and_negate(%x0: tensor<2048x4096xf32>, %x1: tensor<2048x4096xf32>) -> (tensor<2048x4096xf32>, tensor<2048x4096xf32>) {
  %0 = arith.addf %x1, %x0 fastmath<contract> : tensor<2048x4096xf32>
  %1 = arith.negf %x0 : tensor<2048x4096xf32>
  return %0, %1 : tensor<2048x4096xf32>, tensor<2048x4096xf32>
}

// nvFuser 1707: two broadcasts feed a product and a sum of rows. Only w is of the
// product's size: 2048 4096 2 = 16777216 bytes are read, and vectors of 2048 4 and
// 4096 4; 2048 2 are written: 16777216 + 8192 + 16384 + 4096 = 16805888.
// CHECK-LABEL: plan of @broadcasts_multiply_sum: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 16805888 bytes, 0 of them between segments
func.func @broadcasts_multiply_sum(%a: tensor<2048xf32>, %b: tensor<4096xf32>, %w: tensor<2048x4096xbf16>) -> tensor<2048xbf16> {
  %0 = fusion.broadcast %a dims = [0] : tensor<2048xf32> -> tensor<2048x4096xf32>
  %1 = fusion.broadcast %b dims = [1] : tensor<4096xf32> -> tensor<2048x4096xf32>
  %2 = arith.mulf %0, %1 fastmath<contract> : tensor<2048x4096xf32>
  %3 = arith.extf %w : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %4 = arith.mulf %2, %3 fastmath<contract> : tensor<2048x4096xf32>
  %5 = fusion.reduce add %4 dims = [1] : tensor<2048x4096xf32> -> tensor<2048xf32>
  %6 = arith.truncf %5 : tensor<2048xf32> to tensor<2048xbf16>
  return %6 : tensor<2048xbf16>
}

// nvFuser 3699: casts down and up between sums change values and stay, and are no
// places to cut: 3 (2048 4096 2) = 50331648 bytes.
// CHECK-LABEL: plan of @casts_between: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 50331648 bytes, 0 of them between segments
func.func @casts_between(%x: tensor<2048x4096xbf16>, %y: tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16> {
  %0 = arith.extf %x : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %1 = arith.extf %y : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %2 = arith.addf %0, %1 fastmath<contract> : tensor<2048x4096xf32>
  %3 = arith.truncf %2 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  %4 = arith.extf %3 : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %5 = arith.extf %y : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %6 = arith.addf %4, %5 fastmath<contract> : tensor<2048x4096xf32>
  %7 = arith.truncf %6 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  %8 = arith.extf %7 : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %9 = arith.extf %y : tensor<2048x4096xbf16> to tensor<2048x4096xf32>
  %10 = arith.addf %8, %9 fastmath<contract> : tensor<2048x4096xf32>
  %11 = arith.truncf %10 : tensor<2048x4096xf32> to tensor<2048x4096xbf16>
  return %11 : tensor<2048x4096xbf16>
}

// nvFuser 4670: one vector broadcast twice, by different ways, is read once.
// 2 (2048 4096 4) + 4096 4 = 67125248 bytes.
// CHECK-LABEL: plan of @duplicate_broadcasts: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 67125248 bytes, 0 of them between segments
func.func @duplicate_broadcasts(%x: tensor<2048x4096xf32>, %v: tensor<4096xf32>) -> tensor<2048x4096xf32> {
  %0 = fusion.broadcast %v dims = [1] : tensor<4096xf32> -> tensor<2048x4096xf32>
  %1 = fusion.broadcast %v dims = [1] : tensor<4096xf32> -> tensor<1x4096xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<1x4096xf32> -> tensor<2048x4096xf32>
  %3 = arith.addf %x, %0 fastmath<contract> : tensor<2048x4096xf32>
  %4 = arith.mulf %3, %2 fastmath<contract> : tensor<2048x4096xf32>
  return %4 : tensor<2048x4096xf32>
}

// nvFuser 3027: a chain of squeezes and broadcasts is one broadcast.
// 2 (2048 4096 4) + 2048 4 = 67117056 bytes.
// CHECK-LABEL: plan of @squeeze_broadcast_chain: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 67117056 bytes, 0 of them between segments
func.func @squeeze_broadcast_chain(%x: tensor<2048x1x1xf32>, %y: tensor<2048x4096xf32>) -> tensor<2048x4096xf32> {
  %0 = fusion.squeeze %x dims = [1, 2] : tensor<2048x1x1xf32> -> tensor<2048xf32>
  %1 = fusion.broadcast %0 dims = [0] : tensor<2048xf32> -> tensor<2048x1xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x1xf32>
  %3 = fusion.broadcast %2 dims = [0, 1] : tensor<2048x1xf32> -> tensor<2048x4096xf32>
  %4 = arith.mulf %3, %y fastmath<contract> : tensor<2048x4096xf32>
  return %4 : tensor<2048x4096xf32>
}

// nvFuser 2291: a vector that gets two dimensions, each as a unit that then grows, is one
// broadcast: 64 4 bytes, and 2 (64 1024 512 4) = 268435456: 268435712.
// CHECK-LABEL: plan of @broadcast_expand_twice: 1 segment, 1 launch, 0 operations outside segments
// CHECK: moves 268435712 bytes, 0 of them between segments
func.func @broadcast_expand_twice(%x: tensor<64xf32>, %y: tensor<64x1024x512xf32>) -> tensor<64x1024x512xf32> {
  %0 = fusion.broadcast %x dims = [0] : tensor<64xf32> -> tensor<64x1xf32>
  %1 = fusion.broadcast %0 dims = [0, 1] : tensor<64x1xf32> -> tensor<64x1024xf32>
  %2 = fusion.broadcast %1 dims = [0, 1] : tensor<64x1024xf32> -> tensor<64x1024x1xf32>
  %3 = fusion.broadcast %2 dims = [0, 1, 2] : tensor<64x1024x1xf32> -> tensor<64x1024x512xf32>
  %4 = arith.addf %3, %y : tensor<64x1024x512xf32>
  return %4 : tensor<64x1024x512xf32>
}
