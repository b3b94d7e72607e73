// Blocks that stay also take programs that only reduce rows, if the rows share
// more params than a cache holds: no partial results, one launch.
// RUN: fusion-opt %s --fusion-segment=schedulers=inner-outer-persistent --fusion-schedule -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: fusion-runner %t.mlir --function=centered --device=sim --verify --print-plan | FileCheck %s --check-prefix=VALUES
// RUN: fusion-runner %t.mlir --function=norm --device=sim --verify --print-plan | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @norm
// CHECK: fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<{{.*}}loader = bulk_copy, {{.*}}finish_blocks = 0, finish_threads = 0
// VALUES: 1 launches
// VALUES: result 0: passed
func.func @norm(%x: tensor<9x40960xf32>, %gamma: tensor<40960xf32>) -> tensor<9x40960xf32> {
  %sq = arith.mulf %x, %x : tensor<9x40960xf32>
  %s = fusion.reduce add %sq dims = [1] : tensor<9x40960xf32> -> tensor<9xf32>
  %s_b = fusion.broadcast %s dims = [0] : tensor<9xf32> -> tensor<9x40960xf32>
  %g_b = fusion.broadcast %gamma dims = [1] : tensor<40960xf32> -> tensor<9x40960xf32>
  %n = arith.divf %x, %s_b : tensor<9x40960xf32>
  %y = arith.mulf %n, %g_b : tensor<9x40960xf32>
  return %y : tensor<9x40960xf32>
}

// Shorter rows find the params in a cache.
// CHECK-LABEL: func.func @short
// CHECK-NOT: fusion.segment
func.func @short(%x: tensor<9x4096xf32>, %gamma: tensor<4096xf32>) -> tensor<9x4096xf32> {
  %sq = arith.mulf %x, %x : tensor<9x4096xf32>
  %s = fusion.reduce add %sq dims = [1] : tensor<9x4096xf32> -> tensor<9xf32>
  %s_b = fusion.broadcast %s dims = [0] : tensor<9xf32> -> tensor<9x4096xf32>
  %g_b = fusion.broadcast %gamma dims = [1] : tensor<4096xf32> -> tensor<9x4096xf32>
  %n = arith.divf %x, %s_b : tensor<9x4096xf32>
  %y = arith.mulf %n, %g_b : tensor<9x4096xf32>
  return %y : tensor<9x4096xf32>
}

// Two levels, a tile of fewer rows at the end, results of a row and two params.
// CHECK-LABEL: func.func @centered
// CHECK: fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<{{.*}}cluster = {{[248]}}
func.func @centered(%x: tensor<37x32768xbf16>, %gamma: tensor<32768xf32>, %beta: tensor<32768xf32>) -> (tensor<37x32768xbf16>, tensor<37xf32>) {
  %wide = arith.extf %x : tensor<37x32768xbf16> to tensor<37x32768xf32>
  %n = arith.constant dense<3.0517578125e-5> : tensor<37xf32>
  %s = fusion.reduce add %wide dims = [1] : tensor<37x32768xf32> -> tensor<37xf32>
  %mean = arith.mulf %s, %n : tensor<37xf32>
  %m_b = fusion.broadcast %mean dims = [0] : tensor<37xf32> -> tensor<37x32768xf32>
  %c = arith.subf %wide, %m_b : tensor<37x32768xf32>
  %a = math.absf %c : tensor<37x32768xf32>
  %top = fusion.reduce maximumf %a dims = [1] : tensor<37x32768xf32> -> tensor<37xf32>
  %t_b = fusion.broadcast %top dims = [0] : tensor<37xf32> -> tensor<37x32768xf32>
  %q = arith.divf %c, %t_b : tensor<37x32768xf32>
  %g_b = fusion.broadcast %gamma dims = [1] : tensor<32768xf32> -> tensor<37x32768xf32>
  %b_b = fusion.broadcast %beta dims = [1] : tensor<32768xf32> -> tensor<37x32768xf32>
  %p = arith.mulf %q, %g_b : tensor<37x32768xf32>
  %y = arith.addf %p, %b_b : tensor<37x32768xf32>
  %r = arith.truncf %y : tensor<37x32768xf32> to tensor<37x32768xbf16>
  return %r, %top : tensor<37x32768xbf16>, tensor<37xf32>
}
