// Values of reductions that blocks share: everything, and few long rows.
// RUN: fusion-runner %s --function=everything --device=sim --verify | FileCheck %s --check-prefix=EVERYTHING
// RUN: fusion-runner %s --function=channels --device=sim --verify | FileCheck %s --check-prefix=CHANNELS
// RUN: fusion-runner %s --function=by_hand --device=sim --verify | FileCheck %s --check-prefix=HAND

// EVERYTHING-COUNT-8: passed
// EVERYTHING-NOT: FAILED
func.func @everything(%x: tensor<80x96xf32>, %odd: tensor<37x41xbf16>, %few: tensor<3xf32>, %target: tensor<37x41xbf16>,
                      %f64: tensor<700xf64>, %i32: tensor<700xi32>, %scale: tensor<f32>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<37x41xf32>, tensor<f32>, tensor<f64>, tensor<i32>, tensor<f32>) {
  %a = fusion.reduce add %x dims = [0, 1] : tensor<80x96xf32> -> tensor<f32>
  // Two inputs, two totals, a result of every element, and one after the totals.
  %e = arith.extf %odd : tensor<37x41xbf16> to tensor<37x41xf32>
  %t = arith.extf %target : tensor<37x41xbf16> to tensor<37x41xf32>
  %d = arith.subf %e, %t : tensor<37x41xf32>
  %q = arith.mulf %d, %d : tensor<37x41xf32>
  %loss = fusion.reduce add %q dims = [0, 1] : tensor<37x41xf32> -> tensor<f32>
  %peak = fusion.reduce maximumf %d dims = [0, 1] : tensor<37x41xf32> -> tensor<f32>
  %scaled = arith.mulf %loss, %scale : tensor<f32>
  %c = fusion.reduce add %few dims = [0] : tensor<3xf32> -> tensor<f32>
  %f = fusion.reduce minnumf %f64 dims = [0] : tensor<700xf64> -> tensor<f64>
  %g = fusion.reduce add %i32 dims = [0] : tensor<700xi32> -> tensor<i32>
  return %a, %scaled, %peak, %d, %c, %f, %g, %loss
      : tensor<f32>, tensor<f32>, tensor<f32>, tensor<37x41xf32>, tensor<f32>, tensor<f64>, tensor<i32>, tensor<f32>
}

// Statistics of the channels of images: rows in the middle, columns around them.
// CHANNELS-COUNT-4: passed
// CHANNELS-NOT: FAILED
func.func @channels(%x: tensor<4x3x6x8xf32>, %centre: tensor<3xf32>, %odd: tensor<5x2x7xbf16>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xbf16>) {
  %cb = fusion.broadcast %centre dims = [1] : tensor<3xf32> -> tensor<4x3x6x8xf32>
  %d = arith.subf %x, %cb : tensor<4x3x6x8xf32>
  %q = arith.mulf %d, %d : tensor<4x3x6x8xf32>
  %s = fusion.reduce add %d dims = [0, 2, 3] : tensor<4x3x6x8xf32> -> tensor<3xf32>
  %v = fusion.reduce add %q dims = [0, 2, 3] : tensor<4x3x6x8xf32> -> tensor<3xf32>
  %mean = arith.addf %s, %centre : tensor<3xf32>
  %o = fusion.reduce add %odd dims = [0, 2] : tensor<5x2x7xbf16> -> tensor<2xf32>
  %n = fusion.reduce maxnumf %odd dims = [0, 2] : tensor<5x2x7xbf16> -> tensor<2xbf16>
  return %mean, %v, %o, %n : tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<2xbf16>
}

// More partial results than a warp adds at once; rows beside those of a finish
// block; one split.
// HAND-COUNT-3: passed
// HAND-NOT: FAILED
func.func @by_hand(%x: tensor<10000xf32>, %y: tensor<5x300xf32>, %z: tensor<5x301xf32>) -> (tensor<f32>, tensor<5xf32>, tensor<5xf32>) {
  %a = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 300, threads = 32, width = 1, vectors = 1, splits = 300, finish = plain, finish_blocks = 1, finish_threads = 32> (%u = %x : tensor<10000xf32>) -> (tensor<f32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<10000xf32> -> tensor<f32>
    fusion.yield %r : tensor<f32>
  }
  %b = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 15, threads = 64, width = 2, vectors = 1, splits = 3, finish = plain, finish_blocks = 3, finish_threads = 64> (%u = %y : tensor<5x300xf32>) -> (tensor<5xf32>) {
    %r = fusion.reduce add %u dims = [1] : tensor<5x300xf32> -> tensor<5xf32>
    fusion.yield %r : tensor<5xf32>
  }
  %c = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 5, threads = 64, width = 4, vectors = 1, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0> (%u = %z : tensor<5x301xf32>) -> (tensor<5xf32>) {
    %r = fusion.reduce add %u dims = [1] : tensor<5x301xf32> -> tensor<5xf32>
    fusion.yield %r : tensor<5xf32>
  }
  return %a, %b, %c : tensor<f32>, tensor<5xf32>, tensor<5xf32>
}
