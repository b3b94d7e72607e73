// The text of an outer reduction with splits.
// RUN: fusion-opt %s --fusion-lower-segments -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @sums_0_columns(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<262144xbf16> {{{.*}}}, %[[P:[a-z0-9]+]]: memref<4x256xf32>
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<262144xbf16>, vector<8xbf16>
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf32>
// CHECK: scf.yield
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: gpu.barrier
// CHECK: vector.store {{.*}}, %[[P]]
// The finish kernel loads partial results behind its wait; nothing may be assumed
// about them.
// CHECK-LABEL: gpu.func @sums_0_finish(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<4x256xf32> {llvm.align = 16 : i64})
// CHECK: nvvm.griddepcontrol wait
// CHECK: memref.load %[[Q]]
// CHECK: fusion.launch_func dependent @sums_0::@sums_0_finish
func.func @sums(%x: tensor<1024x256xbf16>) -> tensor<256xf32> {
  %s = fusion.segment "outer-reduction" schedule = #fusion.outer_reduction<blocks = 4, threads = 256, lanes = 32, width = 8, unroll = 4, splits = 4, finish = dependent, finish_blocks = 8, finish_threads = 64, shared_bytes = 8192> (%a = %x : tensor<1024x256xbf16>) -> (tensor<256xf32>) {
    %r = fusion.reduce add %a dims = [0] : tensor<1024x256xbf16> -> tensor<256xf32>
    fusion.yield %r : tensor<256xf32>
  }
  return %s : tensor<256xf32>
}
