// All row reductions of a level share one exchange, so that a tile costs one
// barrier a level; nothing else in the loop waits.
// RUN: fusion-opt %s --fusion-to-ptx -split-input-file | %{python} %S/../Inputs/extract-ptx.py | FileCheck %s

// A sum and a maximum in one level, over two warps.
// CHECK: .visible .entry one_level_0_rows(
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.sync
// CHECK: .visible .entry one_level_0_finish(
// CHECK-COUNT-1: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
func.func @one_level(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = async_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 4096>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %m = fusion.reduce maximumf %a dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %p = arith.addf %r, %m : tensor<64xf32>
    %b = fusion.broadcast %p dims = [0] : tensor<64xf32> -> tensor<64x256xf32>
    %y = arith.subf %a, %b : tensor<64x256xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %p, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// CHECK: .visible .entry two_levels_0_rows(
// CHECK-COUNT-2: bar.sync
// CHECK-NOT: bar.sync
// CHECK: .visible .entry two_levels_0_finish(
func.func @two_levels(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = async_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 4096>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %m = fusion.reduce maximumf %a dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %p = arith.addf %r, %m : tensor<64xf32>
    %b = fusion.broadcast %p dims = [0] : tensor<64xf32> -> tensor<64x256xf32>
    %y = arith.subf %a, %b : tensor<64x256xf32>
    %q = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %q, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}

// -----

// A warp a row: shuffles alone. The two barriers stand after the loop, where the
// groups add their columns.
// CHECK: .visible .entry warps_0_rows(
// CHECK: shfl.sync.bfly
// CHECK-COUNT-2: bar.sync
// CHECK-NOT: bar.sync
// CHECK: .visible .entry warps_0_finish(
func.func @warps(%x: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
  %s:3 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 64, groups = 2, rows = 1, width = 4, vectors = 2,
      loader = direct, stages = 1, keep = registers, params = registers,
      finish_blocks = 8, finish_threads = 64, shared_bytes = 8192>
      (%a = %x : tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>) {
    %y = arith.mulf %a, %a : tensor<64x256xf32>
    %r = fusion.reduce add %y dims = [1] : tensor<64x256xf32> -> tensor<64xf32>
    %c = fusion.reduce add %y dims = [0] : tensor<64x256xf32> -> tensor<256xf32>
    fusion.yield %y, %r, %c : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
  }
  return %s#0, %s#1, %s#2 : tensor<64x256xf32>, tensor<64xf32>, tensor<256xf32>
}
