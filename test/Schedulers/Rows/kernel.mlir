// The text of a row kernel: everything is loaded before the first exchange, one
// exchange a level, params after it, and the row's results by one thread.
// RUN: fusion-opt %s --fusion-lower-segments -cse | FileCheck %s

// CHECK-LABEL: gpu.func @layer_norm_0_rows
// CHECK-SAME: nvvm.maxntid = array<i32: 128>, nvvm.minctasm = 6 : i32
// The second and last block has a row less.
// CHECK: %[[ROW:.*]] = arith.addi
// CHECK: arith.cmpi ult, %[[ROW]]
// CHECK: arith.minui %[[ROW]]
// CHECK-COUNT-2: vector.load %arg0{{.*}} {alignment = 16 : i64} : memref<3072xbf16>, vector<8xbf16>
// CHECK-NOT: vector.load
// CHECK-COUNT-5: gpu.shuffle
// CHECK: memref.store %{{.*}} : memref<1x2x1x2xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// Every thread reads the slots of both warps.
// CHECK-NOT: gpu.shuffle
// CHECK: vector.load %{{.*}} {alignment = 8 : i64} : memref<1x2x1x2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
// CHECK-NOT: gpu.shuffle
// The mean, known at level 1.
// CHECK: memref.store %{{.*}}, %arg3[%{{.*}}] : memref<3xf32>
// CHECK-NOT: vector.load
// CHECK-COUNT-5: gpu.shuffle
// CHECK: gpu.barrier
// CHECK-NOT: gpu.shuffle
// CHECK: vector.load %{{.*}} : memref<1x2x1x2xf32, #gpu.address_space<workgroup>>, vector<2xf32>
// CHECK-NOT: gpu.shuffle
// CHECK-COUNT-2: vector.load %arg1{{.*}} : memref<1024xf32>, vector<8xf32>
// CHECK: gpu.return
// CHECK-LABEL: func.func @layer_norm
// CHECK: gpu.launch_func @layer_norm_0::@layer_norm_0_rows blocks in (%c2{{.*}}) threads in (%c128{{.*}}) dynamic_shared_memory_size %c32
func.func @layer_norm(%x: tensor<3x1024xbf16>, %g: tensor<1024xf32>) -> (tensor<3x1024xbf16>, tensor<3xf32>) {
  %0:2 = fusion.segment "inner-persistent" schedule = #fusion.rows<kind = inner_persistent, blocks = 2, threads = 128, groups = 2, rows = 1, width = 8, vectors = 2, traversal = resident, occupancy = 6, shared_bytes = 32>
      (%a = %x : tensor<3x1024xbf16>, %w = %g : tensor<1024xf32>) -> (tensor<3x1024xbf16>, tensor<3xf32>) {
    %f = arith.extf %a : tensor<3x1024xbf16> to tensor<3x1024xf32>
    %k = arith.constant dense<9.765625e-04> : tensor<3xf32>
    %s = fusion.reduce add %f dims = [1] : tensor<3x1024xf32> -> tensor<3xf32>
    %m = arith.mulf %s, %k : tensor<3xf32>
    %mb = fusion.broadcast %m dims = [0] : tensor<3xf32> -> tensor<3x1024xf32>
    %d = arith.subf %f, %mb : tensor<3x1024xf32>
    %q = arith.mulf %d, %d : tensor<3x1024xf32>
    %v = fusion.reduce add %q dims = [1] : tensor<3x1024xf32> -> tensor<3xf32>
    %vm = arith.mulf %v, %k : tensor<3xf32>
    %r = math.rsqrt %vm : tensor<3xf32>
    %rb = fusion.broadcast %r dims = [0] : tensor<3xf32> -> tensor<3x1024xf32>
    %n = arith.mulf %d, %rb : tensor<3x1024xf32>
    %wb = fusion.broadcast %w dims = [1] : tensor<1024xf32> -> tensor<3x1024xf32>
    %y = arith.mulf %n, %wb : tensor<3x1024xf32>
    %t = arith.truncf %y : tensor<3x1024xf32> to tensor<3x1024xbf16>
    fusion.yield %t, %m : tensor<3x1024xbf16>, tensor<3xf32>
  }
  return %0#0, %0#1 : tensor<3x1024xbf16>, tensor<3xf32>
}

// A row of 20 vectors in groups of 16 threads: the second vector of most threads
// is no part of the row; they read the first again and contribute nothing.
// CHECK-LABEL: gpu.func @ragged_0_rows
// CHECK: %[[VALID:.*]] = arith.cmpi ult, %{{.*}}, %c20
// CHECK: arith.select %[[VALID]], %{{.*}}, %c0
// CHECK: arith.select %[[VALID]], %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @ragged(%x: tensor<2x80xf32>) -> tensor<2xf32> {
  %0 = fusion.segment "inner-reduction" schedule = #fusion.rows<kind = inner_reduction, blocks = 1, threads = 32, groups = 2, rows = 1, width = 4, vectors = 2, traversal = resident, occupancy = 1, shared_bytes = 0>
      (%a = %x : tensor<2x80xf32>) -> (tensor<2xf32>) {
    %s = fusion.reduce add %a dims = [1] : tensor<2x80xf32> -> tensor<2xf32>
    fusion.yield %s : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
