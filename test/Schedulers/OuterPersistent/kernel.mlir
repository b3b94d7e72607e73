// The text of a kernel that keeps columns on chip: one pass over the input, two
// barriers for each level.
// RUN: fusion-opt %s --fusion-lower-segments -canonicalize -cse | FileCheck %s

// CHECK-LABEL: gpu.func @shift_0_strips(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1024xf32> {{{.*}}}, %[[Y:[a-z0-9]+]]: memref<1024xf32>
// CHECK-COUNT-2: vector.load %[[X]]
// CHECK-NOT: vector.load %[[X]]
// CHECK: vector.store {{.*}}workgroup
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK-COUNT-2: vector.store {{.*}}, %[[Y]]
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @shift(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %s = fusion.segment "outer-persistent" schedule = #fusion.outer_persistent<blocks = 2, threads = 64, lanes = 8, width = 4, rows = 2, shared_bytes = 1152> (%u = %x : tensor<16x64xf32>) -> (tensor<16x64xf32>) {
    %r = fusion.reduce add %u dims = [0] : tensor<16x64xf32> -> tensor<64xf32>
    %rb = fusion.broadcast %r dims = [1] : tensor<64xf32> -> tensor<16x64xf32>
    %y = arith.subf %u, %rb : tensor<16x64xf32>
    fusion.yield %y : tensor<16x64xf32>
  }
  return %s : tensor<16x64xf32>
}
