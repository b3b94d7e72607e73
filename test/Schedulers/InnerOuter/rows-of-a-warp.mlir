// Rows of 8 threads, each with its own barrier: the loop of a wait branches
// uniformly, so that all threads of a warp wait for the copies of its 4 rows.
// RUN: fusion-opt %s --fusion-lower-segments | FileCheck %s
// RUN: fusion-runner %s --device=sim --verify --repeat-check=2 | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: gpu.func @sums_0_rows(
// CHECK: scf.for
// CHECK-COUNT-4: nvvm.mbarrier.try_wait.parity
// CHECK-NOT: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.bar.warp.sync

// VALUES: result 0: passed
// VALUES: result 1: passed
// VALUES: 2 runs are bitwise equal
func.func @sums(%x: tensor<200x32xf32>) -> (tensor<200xf32>, tensor<32xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 2, threads = 64, groups = 8, rows = 2, width = 4, vectors = 1,
      loader = bulk_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 1, finish_threads = 32, shared_bytes = 16384>
      (%a = %x : tensor<200x32xf32>) -> (tensor<200xf32>, tensor<32xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<200x32xf32> -> tensor<200xf32>
    %b = fusion.broadcast %r dims = [0] : tensor<200xf32> -> tensor<200x32xf32>
    %p = arith.mulf %a, %b : tensor<200x32xf32>
    %c = fusion.reduce add %p dims = [0] : tensor<200x32xf32> -> tensor<32xf32>
    fusion.yield %r, %c : tensor<200xf32>, tensor<32xf32>
  }
  return %s#0, %s#1 : tensor<200xf32>, tensor<32xf32>
}
