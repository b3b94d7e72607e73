// The text of a reduction that blocks share.
// RUN: fusion-opt %s --fusion-lower-segments -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @sum_0_splits(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<262144xbf16> {{{.*}}}, %[[P:[a-z0-9]+]]: memref<1x8xf32>
// CHECK-SAME: workgroup(%{{.*}} : memref<2x1x1x8xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK: scf.for
// CHECK-COUNT-4: vector.load %[[X]]{{.*}} {alignment = 16 : i64} : memref<262144xbf16>, vector<8xbf16>
// CHECK-COUNT-4: arith.addf {{.*}} : vector<8xf32>
// CHECK: scf.yield
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64} : memref<2x1x1x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: memref.store {{.*}}, %[[P]]
// The finish kernel loads partial results behind its wait; nothing may be assumed
// about them.
// CHECK-LABEL: gpu.func @sum_0_finish(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: memref<1x8xf32> {llvm.align = 16 : i64})
// CHECK: nvvm.griddepcontrol wait
// CHECK: memref.load %[[Q]]
// CHECK: gpu.shuffle
// CHECK-NOT: gpu.barrier
// CHECK: fusion.launch_func dependent @sum_0::@sum_0_finish
func.func @sum(%x: tensor<1024x256xbf16>) -> tensor<f32> {
  %s = fusion.segment "full-reduction" schedule = #fusion.split_reduction<blocks = 8, threads = 256, width = 8, vectors = 4, splits = 8, finish = dependent, finish_blocks = 1, finish_threads = 32> (%a = %x : tensor<1024x256xbf16>) -> (tensor<f32>) {
    %r = fusion.reduce add %a dims = [0, 1] : tensor<1024x256xbf16> -> tensor<f32>
    fusion.yield %r : tensor<f32>
  }
  return %s : tensor<f32>
}
