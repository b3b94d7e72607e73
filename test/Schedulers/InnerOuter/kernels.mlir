// What kernels are made of: bulk copies counted at barriers, an exchange in a
// cluster, and the ways to finish.
// RUN: fusion-opt %s --fusion-lower-segments -split-input-file | FileCheck %s
// RUN: fusion-opt %s --fusion-to-ptx -split-input-file | %{python} %S/../../Inputs/extract-ptx.py | FileCheck %s --check-prefix=PTX

// One thread starts the copies of two rows of one input, and whoever reads them
// waits for their bytes. The stage is filled again behind the exchange's barrier,
// the only one of the loop.
// CHECK: gpu.func @bulk_0_rows(
// CHECK: nvvm.mbarrier.init
// CHECK: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK-COUNT-2: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: gpu.func @bulk_0_finish(

// Two values of two rows: 4 values in 2 + 1 + 3 shuffles.
// PTX: .visible .entry bulk_0_rows(
// PTX: mbarrier.try_wait.parity
// PTX-COUNT-6: shfl.sync.bfly
// PTX-NOT: shfl.sync.bfly
// PTX: bar.sync
func.func @bulk(%x: tensor<64x512xf32>) -> (tensor<64x512xf32>, tensor<512xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 128, groups = 1, rows = 2, width = 4, vectors = 1,
      loader = bulk_copy, stages = 2, keep = registers, params = registers,
      finish_blocks = 16, finish_threads = 64, shared_bytes = 16384>
      (%a = %x : tensor<64x512xf32>) -> (tensor<64x512xf32>, tensor<512xf32>) {
    %q = arith.mulf %a, %a : tensor<64x512xf32>
    %r = fusion.reduce add %a dims = [1] : tensor<64x512xf32> -> tensor<64xf32>
    %t = fusion.reduce add %q dims = [1] : tensor<64x512xf32> -> tensor<64xf32>
    %p = arith.addf %r, %t : tensor<64xf32>
    %b = fusion.broadcast %p dims = [0] : tensor<64xf32> -> tensor<64x512xf32>
    %y = arith.subf %a, %b : tensor<64x512xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x512xf32> -> tensor<512xf32>
    fusion.yield %y, %c : tensor<64x512xf32>, tensor<512xf32>
  }
  return %s#0, %s#1 : tensor<64x512xf32>, tensor<512xf32>
}

// -----

// Each warp sends its sums to both blocks, and a barrier there counts the bytes.
// The partial results are one a cluster.
// CHECK: gpu.func @cluster_0_rows(%{{.*}}: memref<64x512xf32> {{.*}}, %{{.*}}: memref<2x512xf32> {llvm.align = 16 : i64, llvm.noalias})
// CHECK: gpu.cluster_id  x
// CHECK: gpu.cluster_block_id  x
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: scf.for
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c16_i32
// CHECK: nvvm.bar.warp.sync
// CHECK-COUNT-2: nvvm.mapa
// CHECK-NEXT: nvvm.inline_ptx "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [$0], $1, [$2];"
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: nvvm.cluster.arrive {aligned}
// CHECK: fusion.launch_func dependent @cluster_0::@cluster_0_finish

// The launch of the finish kernel overlaps the end of the first one; it must not
// read before that has ended, so its loads are no loads of constant data.
// PTX: .visible .entry cluster_0_rows(
// PTX: griddepcontrol.launch_dependents
// PTX: .visible .entry cluster_0_finish(
// PTX-NOT: ld.global
// PTX: griddepcontrol.wait
// PTX-NOT: ld.global.nc
// PTX: st.global
func.func @cluster(%x: tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, cluster = 2, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers, finish = dependent,
      finish_blocks = 16, finish_threads = 64, shared_bytes = 16384>
      (%a = %x : tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x512xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x512xf32> -> tensor<512xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<512xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<512xf32>
}

// -----

// The blocks of a cluster meet before the first row, and not again: nothing is
// sent after the barrier of the grid.
// CHECK: gpu.func @cluster_grid_0_rows(
// CHECK: nvvm.cluster.wait {aligned}
// CHECK-NOT: nvvm.cluster.arrive
// CHECK: scf.while
// CHECK-NOT: nvvm.cluster.arrive
// CHECK: gpu.return
func.func @cluster_grid(%x: tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, cluster = 2, threads = 64, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers, finish = grid_barrier,
      finish_blocks = 16, finish_threads = 64, shared_bytes = 16384>
      (%a = %x : tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x512xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x512xf32> -> tensor<512xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<512xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<512xf32>
}

// -----

// All blocks meet, then add the partial results: others write them while the
// kernel runs, so nothing is assumed about them.
// CHECK: gpu.func @grid_0_rows(
// CHECK-SAME: memref<4x512xf32> {llvm.align = 16 : i64})
// CHECK: nvvm.read.ptx.sreg.envreg1
// CHECK: nvvm.read.ptx.sreg.envreg2
// CHECK: llvm.fence syncscope("device") acq_rel
// CHECK-NEXT: llvm.atomicrmw add {{.*}} monotonic
// CHECK: scf.while
// CHECK: llvm.load {{.*}} atomic syncscope("device") acquire
// CHECK: gpu.barrier
// CHECK-NOT: gpu.func
// CHECK: fusion.launch_func cooperative @grid_0::@grid_0_rows
// PTX: .visible .entry grid_0_rows(
// PTX: bar.sync
// PTX: atom.{{.*}}add
// PTX: bar.sync
// PTX-NOT: ld.global.nc
// PTX: st.global
func.func @grid(%x: tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
  %s:2 = fusion.segment "inner-outer-persistent" schedule = #fusion.inner_outer<
      blocks = 4, threads = 128, groups = 1, rows = 1, width = 4, vectors = 1,
      loader = direct, stages = 1, keep = registers, params = registers, finish = grid_barrier,
      finish_blocks = 16, finish_threads = 64, shared_bytes = 16384>
      (%a = %x : tensor<64x512xf32>) -> (tensor<64xf32>, tensor<512xf32>) {
    %r = fusion.reduce add %a dims = [1] : tensor<64x512xf32> -> tensor<64xf32>
    %c = fusion.reduce add %a dims = [0] : tensor<64x512xf32> -> tensor<512xf32>
    fusion.yield %r, %c : tensor<64xf32>, tensor<512xf32>
  }
  return %s#0, %s#1 : tensor<64xf32>, tensor<512xf32>
}
