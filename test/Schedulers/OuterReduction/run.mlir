// Values of outer reductions: with and without splits, ragged rows and columns,
// several reductions, loops before and between, work before and after, results
// of every space, every type.
// RUN: fusion-runner %s --function=shapes --device=sim --verify | FileCheck %s --check-prefix=SHAPES
// RUN: fusion-runner %s --function=programs --device=sim --verify | FileCheck %s --check-prefix=PROGRAMS
// RUN: fusion-runner %s --function=types --device=sim --verify | FileCheck %s --check-prefix=TYPES
// RUN: fusion-runner %s --function=by_hand --device=sim --verify | FileCheck %s --check-prefix=HAND

// SHAPES-COUNT-5: passed
// SHAPES-NOT: FAILED
func.func @shapes(%plain: tensor<300x64xf32>, %odd: tensor<77x37xbf16>, %batch: tensor<3x41x16xf32>,
                  %between: tensor<9x5x7x8xf32>, %few: tensor<2x130xf32>)
    -> (tensor<64xf32>, tensor<37xf32>, tensor<3x16xf32>, tensor<5x8xf32>, tensor<130xf32>) {
  %a = fusion.reduce add %plain dims = [0] : tensor<300x64xf32> -> tensor<64xf32>
  %b = fusion.reduce add %odd dims = [0] : tensor<77x37xbf16> -> tensor<37xf32>
  // Kept loops outside the reduced ones, and reduced loops around a kept one.
  %c = fusion.reduce maximumf %batch dims = [1] : tensor<3x41x16xf32> -> tensor<3x16xf32>
  %d = fusion.reduce add %between dims = [0, 2] : tensor<9x5x7x8xf32> -> tensor<5x8xf32>
  %e = fusion.reduce add %few dims = [0] : tensor<2x130xf32> -> tensor<130xf32>
  return %a, %b, %c, %d, %e : tensor<64xf32>, tensor<37xf32>, tensor<3x16xf32>, tensor<5x8xf32>, tensor<130xf32>
}

// Mean and variance around a given centre, one packed walk; the scaled input is
// a result too, and so are values of the columns alone.
// PROGRAMS-COUNT-4: passed
// PROGRAMS-NOT: FAILED
func.func @programs(%x: tensor<150x40xbf16>, %centre: tensor<40xf32>, %weight: tensor<150xf32>)
    -> (tensor<40xf32>, tensor<40xbf16>, tensor<150x40xf32>, tensor<40xf32>) {
  %e = arith.extf %x : tensor<150x40xbf16> to tensor<150x40xf32>
  %cb = fusion.broadcast %centre dims = [1] : tensor<40xf32> -> tensor<150x40xf32>
  %wb = fusion.broadcast %weight dims = [0] : tensor<150xf32> -> tensor<150x40xf32>
  %d = arith.subf %e, %cb : tensor<150x40xf32>
  %w = arith.mulf %d, %wb : tensor<150x40xf32>
  %q = arith.mulf %d, %d : tensor<150x40xf32>
  %s = fusion.reduce add %w dims = [0] : tensor<150x40xf32> -> tensor<40xf32>
  %v = fusion.reduce add %q dims = [0] : tensor<150x40xf32> -> tensor<40xf32>
  %n = arith.constant dense<0.01> : tensor<40xf32>
  %mean = arith.mulf %s, %n : tensor<40xf32>
  %shifted = arith.addf %mean, %centre : tensor<40xf32>
  %var = arith.mulf %v, %n : tensor<40xf32>
  %narrow = arith.truncf %var : tensor<40xf32> to tensor<40xbf16>
  %c2 = arith.negf %centre : tensor<40xf32>
  return %shifted, %narrow, %w, %c2 : tensor<40xf32>, tensor<40xbf16>, tensor<150x40xf32>, tensor<40xf32>
}

// TYPES-COUNT-5: passed
// TYPES-NOT: FAILED
func.func @types(%f16: tensor<50x24xf16>, %f64: tensor<50x24xf64>, %i32: tensor<50x24xi32>, %i64: tensor<50x24xi64>,
                 %mask: tensor<50x24xi1>)
    -> (tensor<24xf16>, tensor<24xf64>, tensor<24xi32>, tensor<24xi64>, tensor<24xi32>) {
  %a = fusion.reduce add %f16 dims = [0] : tensor<50x24xf16> -> tensor<24xf16>
  %b = fusion.reduce minnumf %f64 dims = [0] : tensor<50x24xf64> -> tensor<24xf64>
  %c = fusion.reduce maxsi %i32 dims = [0] : tensor<50x24xi32> -> tensor<24xi32>
  %d = fusion.reduce xor %i64 dims = [0] : tensor<50x24xi64> -> tensor<24xi64>
  %m = arith.extui %mask : tensor<50x24xi1> to tensor<50x24xi32>
  %e = fusion.reduce add %m dims = [0] : tensor<50x24xi32> -> tensor<24xi32>
  return %a, %b, %c, %d, %e : tensor<24xf16>, tensor<24xf64>, tensor<24xi32>, tensor<24xi64>, tensor<24xi32>
}

// A split that does not divide the tiles of rows; more partial results than the
// finish kernel adds at once; a single row of threads.
// HAND-COUNT-3: passed
// HAND-NOT: FAILED
func.func @by_hand(%x: tensor<101x24xf32>, %y: tensor<300x8xf32>, %z: tensor<13x40xf32>) -> (tensor<24xf32>, tensor<8xf32>, tensor<40xf32>) {
  %a = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 6, threads = 32, lanes = 4, width = 2, unroll = 2, splits = 2, finish = plain, finish_blocks = 1, finish_threads = 64, shared_bytes = 256> (%u = %x : tensor<101x24xf32>) -> (tensor<24xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<101x24xf32> -> tensor<24xf32>
    fusion.yield %r : tensor<24xf32>
  }
  %b = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 100, threads = 32, lanes = 8, width = 1, unroll = 1, splits = 100, finish = plain, finish_blocks = 1, finish_threads = 32, shared_bytes = 128> (%u = %y : tensor<300x8xf32>) -> (tensor<8xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<300x8xf32> -> tensor<8xf32>
    fusion.yield %r : tensor<8xf32>
  }
  %c = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 1, threads = 32, lanes = 32, width = 2, unroll = 4, splits = 1, finish = plain, finish_blocks = 0, finish_threads = 0, shared_bytes = 0> (%u = %z : tensor<13x40xf32>) -> (tensor<40xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<13x40xf32> -> tensor<40xf32>
    fusion.yield %r : tensor<40xf32>
  }
  return %a, %b, %c : tensor<24xf32>, tensor<8xf32>, tensor<40xf32>
}
